//! `EVP_CIPHER_CTX`.

use std::ffi::c_int;
use std::ptr;

use super::{Api, CipherKind, Object, some};

/// Commands of `EVP_CIPHER_CTX_ctrl`.
const CTRL_GET_TAG: c_int = 0x10;
const CTRL_SET_TAG: c_int = 0x11;

/// `EVP_CIPHER_CTX` with its key set.
pub(crate) struct CipherCtx {
    api: Api,
    object: Object,
    encrypt: c_int,
}

impl CipherCtx {
    /// A context of `kind`, keyed, without padding. `key` is as long as `kind` wants it: 16 bytes, 32 for XTS.
    pub(crate) fn new(api: Api, kind: CipherKind, key: &[u8], encrypt: bool) -> Option<Self> {
        // SAFETY: takes nothing, returns an owned context or null.
        let object = some(unsafe { (api.0.EVP_CIPHER_CTX_new)() })?;
        let context = Self {
            api,
            object,
            encrypt: c_int::from(encrypt),
        };
        // SAFETY: the callers' keys are as long as their ciphers want them; a null IV leaves the IV unset.
        let keyed = unsafe {
            (api.0.EVP_CipherInit_ex)(
                object,
                kind.0,
                ptr::null_mut(),
                key.as_ptr(),
                ptr::null(),
                context.encrypt,
            ) == 1
                && (api.0.EVP_CIPHER_CTX_set_padding)(object, 0) == 1
        };
        keyed.then_some(context)
    }

    /// Starts again from `iv` under the same key. `iv` is as long as the mode's IV (12 bytes for GCM).
    pub(crate) fn restart(&self, iv: &[u8; 16]) -> bool {
        // SAFETY: the longest IV of the modes used here has 16 bytes; null cipher and key keep what is set.
        unsafe {
            (self.api.0.EVP_CipherInit_ex)(
                self.object,
                ptr::null_mut(),
                ptr::null_mut(),
                ptr::null(),
                iv.as_ptr(),
                self.encrypt,
            ) == 1
        }
    }

    /// Authenticates data that is not encrypted.
    pub(crate) fn aad(&self, aad: &[u8]) -> bool {
        let (mut written, Ok(length)) = (0, c_int::try_from(aad.len())) else {
            return false;
        };
        // SAFETY: the pointer is valid for `length` bytes; a null output marks associated data.
        unsafe {
            (self.api.0.EVP_CipherUpdate)(
                self.object,
                ptr::null_mut(),
                &raw mut written,
                aad.as_ptr(),
                length,
            ) == 1
        }
    }

    /// Encrypts or decrypts whole blocks in place.
    pub(crate) fn update(&self, data: &mut [u8]) -> bool {
        let (mut written, Ok(length)) = (0, c_int::try_from(data.len())) else {
            return false;
        };
        let pointer = data.as_mut_ptr();
        // SAFETY: without padding and with whole blocks (or a stream mode) the output is as long as the input,
        // and the library allows that both are the same buffer.
        unsafe {
            (self.api.0.EVP_CipherUpdate)(self.object, pointer, &raw mut written, pointer, length)
                == 1
                && written == length
        }
    }

    /// Ends the message: checks the tag when decrypting with one.
    pub(crate) fn finish(&self) -> bool {
        let (mut out, mut written) = ([0_u8; 32], 0);
        // SAFETY: `out` has room for a block (at most 32 bytes).
        unsafe {
            (self.api.0.EVP_CipherFinal_ex)(self.object, out.as_mut_ptr(), &raw mut written) == 1
        }
    }

    /// The tag of the message that was encrypted.
    pub(crate) fn tag(&self) -> Option<[u8; 16]> {
        let mut tag = [0; 16];
        // SAFETY: the library writes the 16 bytes that were asked for.
        let done = unsafe {
            (self.api.0.EVP_CIPHER_CTX_ctrl)(self.object, CTRL_GET_TAG, 16, tag.as_mut_ptr().cast())
        };
        (done == 1).then_some(tag)
    }

    /// Sets the tag that [`finish`](Self::finish) is to check.
    pub(crate) fn expect_tag(&self, tag: &[u8; 16]) -> bool {
        let mut tag = *tag;
        // SAFETY: the library reads the 16 bytes and keeps a copy.
        unsafe {
            (self.api.0.EVP_CIPHER_CTX_ctrl)(self.object, CTRL_SET_TAG, 16, tag.as_mut_ptr().cast())
                == 1
        }
    }
}

impl Drop for CipherCtx {
    fn drop(&mut self) {
        // SAFETY: the object is owned and not used after.
        unsafe { (self.api.0.EVP_CIPHER_CTX_free)(self.object) }
    }
}
