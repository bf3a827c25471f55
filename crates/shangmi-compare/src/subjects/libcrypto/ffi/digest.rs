//! `EVP_MD_CTX` and `HMAC_CTX`.

use std::ffi::{CString, c_int};
use std::ptr;

use super::pkey::{Pkey, set_parameters};
use super::{Api, MacContext, Md, Object, some};

/// `EVP_MD_CTX`.
pub(crate) struct MdCtx {
    api: Api,
    pub(super) object: Object,
}

impl MdCtx {
    /// A context without an algorithm.
    pub(crate) fn new(api: Api) -> Option<Self> {
        // SAFETY: takes nothing, returns an owned context or null.
        some(unsafe { (api.0.EVP_MD_CTX_new)() }).map(|object| Self { api, object })
    }

    /// Starts a digest with `md`.
    pub(crate) fn start(&self, md: Md) -> bool {
        // SAFETY: context and algorithm are alive; a null engine is allowed.
        unsafe { (self.api.0.EVP_DigestInit_ex)(self.object, md.0, ptr::null_mut()) == 1 }
    }

    /// Starts again with the algorithm that it has.
    pub(crate) fn restart(&self) -> bool {
        self.start(Md(ptr::null_mut()))
    }

    /// Takes the next part.
    pub(crate) fn update(&self, part: &[u8]) -> bool {
        // SAFETY: the pointer is valid for `part.len()` bytes.
        unsafe { (self.api.0.EVP_DigestUpdate)(self.object, part.as_ptr().cast(), part.len()) == 1 }
    }

    /// The digest of an algorithm with 32 bytes; zeros on failure.
    pub(crate) fn finish(&self) -> [u8; 32] {
        // The largest digest has 64 bytes, so that another algorithm could not write past the end.
        let mut out = [0; 64];
        let mut length = 0;
        // SAFETY: `out` has the 64 bytes (EVP_MAX_MD_SIZE) that the function may write.
        let done = unsafe {
            (self.api.0.EVP_DigestFinal_ex)(self.object, out.as_mut_ptr(), &raw mut length)
        };
        let mut digest = [0; 32];
        if done == 1 && length == 32 {
            digest.copy_from_slice(&out[..32]);
        }
        digest
    }

    /// Starts `EVP_DigestSign` or `EVP_DigestVerify` with parameters such as a padding mode.
    pub(super) fn start_signature(
        &self,
        verify: bool,
        md: Md,
        key: &Pkey,
        parameters: &[(CString, CString)],
    ) -> bool {
        let start = if verify {
            self.api.0.EVP_DigestVerifyInit
        } else {
            self.api.0.EVP_DigestSignInit
        };
        let mut context = ptr::null_mut();
        // SAFETY: context, algorithm and key are alive; `context` receives a pointer that the MD context owns.
        let started = unsafe {
            start(
                self.object,
                &raw mut context,
                md.0,
                ptr::null_mut(),
                key.object,
            ) == 1
        };
        started && set_parameters(self.api, context, parameters)
    }
}

impl Drop for MdCtx {
    fn drop(&mut self) {
        // SAFETY: the object is owned and not used after.
        unsafe { (self.api.0.EVP_MD_CTX_free)(self.object) }
    }
}

/// `HMAC_CTX`.
pub(crate) struct HmacCtx {
    api: Api,
    object: Object,
}

impl HmacCtx {
    /// A context without a key; `None` where the library has no HMAC functions.
    pub(crate) fn new(api: Api) -> Option<Self> {
        if !api.has_hmac() {
            return None;
        }
        // SAFETY: takes nothing, returns an owned context or null.
        some(unsafe { api.0.HMAC_CTX_new?() }).map(|object| Self { api, object })
    }
}

impl MacContext for HmacCtx {
    type Kind = Md;

    fn start(&self, md: Self::Kind, key: &[u8]) -> bool {
        let (Some(init), Ok(length)) = (self.api.0.HMAC_Init_ex, c_int::try_from(key.len())) else {
            return false;
        };
        // SAFETY: the key pointer is valid for `length` bytes; context and algorithm are alive.
        unsafe {
            init(
                self.object,
                key.as_ptr().cast(),
                length,
                md.0,
                ptr::null_mut(),
            ) == 1
        }
    }

    fn restart(&self) -> bool {
        // SAFETY: null key and algorithm mean: those of the last start.
        self.api.0.HMAC_Init_ex.is_some_and(|init| unsafe {
            init(
                self.object,
                ptr::null(),
                0,
                ptr::null_mut(),
                ptr::null_mut(),
            ) == 1
        })
    }

    fn tag(&self, message: &[u8]) -> [u8; 32] {
        let mut out = [0; 64];
        let mut length = 0;
        let (Some(update), Some(finish)) = (self.api.0.HMAC_Update, self.api.0.HMAC_Final) else {
            return [0; 32];
        };
        // SAFETY: the message pointer is valid for its length; `out` has EVP_MAX_MD_SIZE bytes.
        let done = unsafe {
            update(self.object, message.as_ptr(), message.len()) == 1
                && finish(self.object, out.as_mut_ptr(), &raw mut length) == 1
        };
        let mut tag = [0; 32];
        if done && length == 32 {
            tag.copy_from_slice(&out[..32]);
        }
        tag
    }
}

impl Drop for HmacCtx {
    fn drop(&mut self) {
        if let Some(free) = self.api.0.HMAC_CTX_free {
            // SAFETY: the object is owned and not used after.
            unsafe { free(self.object) }
        }
    }
}
