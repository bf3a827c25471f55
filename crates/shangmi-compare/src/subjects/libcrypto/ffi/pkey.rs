//! `EVP_PKEY` and `EVP_PKEY_CTX`.

use std::ffi::{CString, c_int, c_long};
use std::ptr;

use super::digest::MdCtx;
use super::{Api, Md, Object, c_string, some};

/// Parameters of a key or an operation, ready for C.
pub(crate) fn parameters(pairs: &[(&str, &str)]) -> Vec<(CString, CString)> {
    pairs
        .iter()
        .map(|(name, value)| (c_string(name), c_string(value)))
        .collect()
}

pub(super) fn set_parameters(api: Api, context: Object, parameters: &[(CString, CString)]) -> bool {
    parameters.iter().all(|(name, value)| {
        // SAFETY: the context is alive and both strings end in a zero byte.
        unsafe { (api.0.EVP_PKEY_CTX_ctrl_str)(context, name.as_ptr(), value.as_ptr()) > 0 }
    })
}

/// `EVP_PKEY`.
pub(crate) struct Pkey {
    api: Api,
    pub(super) object: Object,
}

/// `EVP_PKEY_CTX`.
pub(crate) struct PkeyCtx {
    api: Api,
    object: Object,
}

impl Pkey {
    /// Generates a key pair of `algorithm`; `None` where the library is older than 3.0 or lacks it.
    pub(crate) fn generate(
        api: Api,
        algorithm: &str,
        parameters: &[(CString, CString)],
    ) -> Option<Self> {
        let name = c_string(algorithm);
        // SAFETY: `name` ends in a zero byte; null means the default context.
        let object = unsafe {
            api.0.EVP_PKEY_CTX_new_from_name?(ptr::null_mut(), name.as_ptr(), ptr::null())
        };
        let context = PkeyCtx {
            api,
            object: some(object)?,
        };
        // SAFETY: the context is alive.
        let ready = unsafe { (api.0.EVP_PKEY_keygen_init)(context.object) } == 1;
        if !ready || !set_parameters(api, context.object, parameters) {
            return None;
        }
        let mut key = ptr::null_mut();
        // SAFETY: `key` is null, so the library allocates a key that is then owned here.
        let done = unsafe { (api.0.EVP_PKEY_keygen)(context.object, &raw mut key) };
        (done == 1)
            .then(|| some(key))?
            .map(|object| Self { api, object })
    }

    /// A public key from an SPKI in DER.
    pub(crate) fn from_spki(api: Api, der: &[u8]) -> Option<Self> {
        let (mut start, length) = (der.as_ptr(), c_long::try_from(der.len()).ok()?);
        // SAFETY: `start` points to `length` bytes; a null target makes the library allocate.
        some(unsafe { (api.0.d2i_PUBKEY)(ptr::null_mut(), &raw mut start, length) })
            .map(|object| Self { api, object })
    }

    /// A private key from PKCS#8 in DER.
    pub(crate) fn from_pkcs8(api: Api, der: &[u8]) -> Option<Self> {
        let (mut start, length) = (der.as_ptr(), c_long::try_from(der.len()).ok()?);
        // SAFETY: `start` points to `length` bytes; a null target makes the library allocate.
        let object = unsafe { (api.0.d2i_AutoPrivateKey)(ptr::null_mut(), &raw mut start, length) };
        some(object).map(|object| Self { api, object })
    }

    /// Signs a message; the length of the signature.
    pub(crate) fn sign(
        &self,
        context: &MdCtx,
        md: Md,
        parameters: &[(CString, CString)],
        message: &[u8],
        signature: &mut [u8],
    ) -> Option<usize> {
        if !context.start_signature(false, md, self, parameters) {
            return None;
        }
        let mut length = signature.len();
        // SAFETY: both pointers are valid for their lengths; the library writes at most `length` bytes.
        let done = unsafe {
            (self.api.0.EVP_DigestSign)(
                context.object,
                signature.as_mut_ptr(),
                &raw mut length,
                message.as_ptr(),
                message.len(),
            )
        };
        (done == 1).then_some(length)
    }

    /// Whether the signature is valid.
    pub(crate) fn verify(
        &self,
        context: &MdCtx,
        md: Md,
        parameters: &[(CString, CString)],
        message: &[u8],
        signature: &[u8],
    ) -> bool {
        if !context.start_signature(true, md, self, parameters) {
            return false;
        }
        // SAFETY: both pointers are valid for their lengths.
        let done = unsafe {
            (self.api.0.EVP_DigestVerify)(
                context.object,
                signature.as_ptr(),
                signature.len(),
                message.as_ptr(),
                message.len(),
            )
        };
        if done != 1 {
            self.api.forget_errors();
        }
        done == 1
    }

    /// A context for encryption to this key.
    pub(crate) fn encryptor(&self, parameters: &[(CString, CString)]) -> Option<PkeyCtx> {
        self.context(self.api.0.EVP_PKEY_encrypt_init, parameters)
    }

    /// A context for decryption with this key.
    pub(crate) fn decryptor(&self, parameters: &[(CString, CString)]) -> Option<PkeyCtx> {
        self.context(self.api.0.EVP_PKEY_decrypt_init, parameters)
    }

    /// A context for the secret shared with `peer`.
    pub(crate) fn agreement(&self, peer: &Self) -> Option<PkeyCtx> {
        let context = self.context(self.api.0.EVP_PKEY_derive_init, &[])?;
        // SAFETY: both objects are alive; the context takes its own reference to the peer's key.
        let set = unsafe { (self.api.0.EVP_PKEY_derive_set_peer)(context.object, peer.object) };
        (set == 1).then_some(context)
    }

    fn context(
        &self,
        init: unsafe extern "C" fn(Object) -> c_int,
        parameters: &[(CString, CString)],
    ) -> Option<PkeyCtx> {
        // SAFETY: the key is alive; the context takes its own reference to it.
        let object = some(unsafe { (self.api.0.EVP_PKEY_CTX_new)(self.object, ptr::null_mut()) })?;
        let context = PkeyCtx {
            api: self.api,
            object,
        };
        // SAFETY: the context is alive.
        let ready = unsafe { init(object) } == 1;
        (ready && set_parameters(self.api, object, parameters)).then_some(context)
    }
}

impl Drop for Pkey {
    fn drop(&mut self) {
        // SAFETY: the object is owned and not used after.
        unsafe { (self.api.0.EVP_PKEY_free)(self.object) }
    }
}

impl PkeyCtx {
    /// Encrypts; the length of the ciphertext.
    pub(crate) fn encrypt(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Option<usize> {
        let mut length = ciphertext.len();
        // SAFETY: both pointers are valid for their lengths; the library writes at most `length` bytes.
        let done = unsafe {
            (self.api.0.EVP_PKEY_encrypt)(
                self.object,
                ciphertext.as_mut_ptr(),
                &raw mut length,
                plaintext.as_ptr(),
                plaintext.len(),
            )
        };
        (done == 1).then_some(length)
    }

    /// Decrypts; the length of the plaintext.
    pub(crate) fn decrypt(&self, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
        let mut length = plaintext.len();
        // SAFETY: both pointers are valid for their lengths; the library writes at most `length` bytes.
        let done = unsafe {
            (self.api.0.EVP_PKEY_decrypt)(
                self.object,
                plaintext.as_mut_ptr(),
                &raw mut length,
                ciphertext.as_ptr(),
                ciphertext.len(),
            )
        };
        (done == 1).then_some(length)
    }

    /// The shared secret of 32 bytes.
    pub(crate) fn derive(&self) -> Option<[u8; 32]> {
        let (mut secret, mut length) = ([0; 32], 32);
        // SAFETY: the library writes at most `length` bytes.
        let done = unsafe {
            (self.api.0.EVP_PKEY_derive)(self.object, secret.as_mut_ptr(), &raw mut length)
        };
        (done == 1 && length == 32).then_some(secret)
    }
}

impl Drop for PkeyCtx {
    fn drop(&mut self) {
        // SAFETY: the object is owned and not used after.
        unsafe { (self.api.0.EVP_PKEY_CTX_free)(self.object) }
    }
}
