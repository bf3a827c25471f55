//! `CMAC_CTX`.

use std::ptr;

use super::{Api, CipherKind, MacContext, Object, some};

/// `CMAC_CTX`.
pub(crate) struct CmacCtx {
    api: Api,
    object: Object,
}

impl CmacCtx {
    /// A context without a key; `None` where the library has no CMAC functions.
    pub(crate) fn new(api: Api) -> Option<Self> {
        if !api.has_cmac() {
            return None;
        }
        // SAFETY: takes nothing, returns an owned context or null.
        some(unsafe { api.0.CMAC_CTX_new?() }).map(|object| Self { api, object })
    }
}

impl MacContext for CmacCtx {
    type Kind = CipherKind;

    fn start(&self, kind: Self::Kind, key: &[u8]) -> bool {
        self.api.0.CMAC_Init.is_some_and(|init| {
            // SAFETY: the key pointer is valid for its length; context and cipher are alive.
            unsafe {
                init(
                    self.object,
                    key.as_ptr().cast(),
                    key.len(),
                    kind.0,
                    ptr::null_mut(),
                ) == 1
            }
        })
    }

    fn restart(&self) -> bool {
        self.api.0.CMAC_Init.is_some_and(|init| {
            // SAFETY: null key and cipher mean: those of the last start.
            unsafe {
                init(
                    self.object,
                    ptr::null(),
                    0,
                    ptr::null_mut(),
                    ptr::null_mut(),
                ) == 1
            }
        })
    }

    fn tag(&self, message: &[u8]) -> [u8; 32] {
        let (mut tag, mut length) = ([0; 32], 0);
        let (Some(update), Some(finish)) = (self.api.0.CMAC_Update, self.api.0.CMAC_Final) else {
            return tag;
        };
        // SAFETY: the message pointer is valid for its length; `tag` has room for the longest block, 32 bytes.
        let done = unsafe {
            update(self.object, message.as_ptr().cast(), message.len()) == 1
                && finish(self.object, tag.as_mut_ptr(), &raw mut length) == 1
        };
        if done && length == 16 { tag } else { [0; 32] }
    }
}

impl Drop for CmacCtx {
    fn drop(&mut self) {
        if let Some(free) = self.api.0.CMAC_CTX_free {
            // SAFETY: the object is owned and not used after.
            unsafe { free(self.object) }
        }
    }
}
