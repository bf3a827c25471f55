//! The user's libcrypto, loaded at run time: symbols, and safe handles that free themselves.
//!
//! The only `unsafe` of the libcrypto subject is in this file. Handles are not `Send`: each belongs to
//! the thread that made it, as OpenSSL asks of its contexts.

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uchar, c_ulong, c_void};
use std::ptr;
use std::sync::OnceLock;

use libloading::Library;

/// Opaque objects of libcrypto.
type Object = *mut c_void;

/// Names under which an installed libcrypto is found, newest first.
///
/// macOS ends a process that loads its own unversioned libcrypto, so only versioned names are tried there.
const NAMES: &[&str] = if cfg!(target_os = "macos") {
    &[
        "libcrypto.3.dylib",
        "/opt/homebrew/opt/openssl@3/lib/libcrypto.3.dylib",
        "/usr/local/opt/openssl@3/lib/libcrypto.3.dylib",
        "libcrypto.1.1.dylib",
    ]
} else if cfg!(windows) {
    &[
        "libcrypto-3-x64.dll",
        "libcrypto-3-arm64.dll",
        "libcrypto-1_1-x64.dll",
    ]
} else {
    &[
        "libcrypto.so.4",
        "libcrypto.so.3",
        "libcrypto.so.1.1",
        "libcrypto.so",
    ]
};

/// Declares the table of functions: those in `required` must be there, those in `optional` may be missing.
macro_rules! functions {
    (required { $($name:ident: fn($($arg:ty),*) $(-> $ret:ty)?;)* }
     optional { $($maybe:ident: fn($($maybe_arg:ty),*) $(-> $maybe_ret:ty)?;)* }) => {
        #[allow(non_snake_case, reason = "the fields carry the C names")]
        struct Functions {
            $($name: unsafe extern "C" fn($($arg),*) $(-> $ret)?,)*
            $($maybe: Option<unsafe extern "C" fn($($maybe_arg),*) $(-> $maybe_ret)?>,)*
        }

        impl Functions {
            fn load(library: &Library) -> Result<Self, libloading::Error> {
                // SAFETY: each type is the C prototype that OpenSSL documents for this name, the same from
                // version 1.1.0 on, and `library` stays loaded as long as the process lives.
                unsafe {
                    Ok(Self {
                        $($name: *library.get(concat!(stringify!($name), "\0").as_bytes())?,)*
                        $($maybe: library.get(concat!(stringify!($maybe), "\0").as_bytes()).ok().map(|symbol| *symbol),)*
                    })
                }
            }
        }
    };
}

functions! {
    required {
        OpenSSL_version: fn(c_int) -> *const c_char;
        OpenSSL_version_num: fn() -> c_ulong;
        ERR_clear_error: fn();
        EVP_get_digestbyname: fn(*const c_char) -> Object;
        EVP_MD_CTX_new: fn() -> Object;
        EVP_MD_CTX_free: fn(Object);
        EVP_DigestInit_ex: fn(Object, Object, Object) -> c_int;
        EVP_DigestUpdate: fn(Object, *const c_void, usize) -> c_int;
        EVP_DigestFinal_ex: fn(Object, *mut c_uchar, *mut u32) -> c_int;
        EVP_get_cipherbyname: fn(*const c_char) -> Object;
        EVP_CIPHER_CTX_new: fn() -> Object;
        EVP_CIPHER_CTX_free: fn(Object);
        EVP_CIPHER_CTX_set_padding: fn(Object, c_int) -> c_int;
        EVP_CIPHER_CTX_ctrl: fn(Object, c_int, c_int, *mut c_void) -> c_int;
        EVP_CipherInit_ex: fn(Object, Object, Object, *const c_uchar, *const c_uchar, c_int) -> c_int;
        EVP_CipherUpdate: fn(Object, *mut c_uchar, *mut c_int, *const c_uchar, c_int) -> c_int;
        EVP_CipherFinal_ex: fn(Object, *mut c_uchar, *mut c_int) -> c_int;
        EVP_PKEY_free: fn(Object);
        EVP_PKEY_CTX_free: fn(Object);
        EVP_PKEY_CTX_new: fn(Object, Object) -> Object;
        EVP_PKEY_keygen_init: fn(Object) -> c_int;
        EVP_PKEY_keygen: fn(Object, *mut Object) -> c_int;
        EVP_PKEY_CTX_ctrl_str: fn(Object, *const c_char, *const c_char) -> c_int;
        EVP_DigestSignInit: fn(Object, *mut Object, Object, Object, Object) -> c_int;
        EVP_DigestSign: fn(Object, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
        EVP_DigestVerifyInit: fn(Object, *mut Object, Object, Object, Object) -> c_int;
        EVP_DigestVerify: fn(Object, *const c_uchar, usize, *const c_uchar, usize) -> c_int;
        EVP_PKEY_encrypt_init: fn(Object) -> c_int;
        EVP_PKEY_encrypt: fn(Object, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
        EVP_PKEY_decrypt_init: fn(Object) -> c_int;
        EVP_PKEY_decrypt: fn(Object, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
        EVP_PKEY_derive_init: fn(Object) -> c_int;
        EVP_PKEY_derive_set_peer: fn(Object, Object) -> c_int;
        EVP_PKEY_derive: fn(Object, *mut c_uchar, *mut usize) -> c_int;
        d2i_PUBKEY: fn(*mut Object, *mut *const c_uchar, c_long) -> Object;
        d2i_AutoPrivateKey: fn(*mut Object, *mut *const c_uchar, c_long) -> Object;
    }
    optional {
        EVP_MD_fetch: fn(Object, *const c_char, *const c_char) -> Object;
        EVP_CIPHER_fetch: fn(Object, *const c_char, *const c_char) -> Object;
        EVP_PKEY_CTX_new_from_name: fn(Object, *const c_char, *const c_char) -> Object;
        HMAC_CTX_new: fn() -> Object;
        HMAC_CTX_free: fn(Object);
        HMAC_Init_ex: fn(Object, *const c_void, c_int, Object, Object) -> c_int;
        HMAC_Update: fn(Object, *const c_uchar, usize) -> c_int;
        HMAC_Final: fn(Object, *mut c_uchar, *mut u32) -> c_int;
    }
}

static FUNCTIONS: OnceLock<Result<Functions, String>> = OnceLock::new();

/// The loaded library; copies are free.
#[derive(Clone, Copy)]
pub(crate) struct Api(&'static Functions);

/// Loads the library on the first call.
///
/// # Errors
/// Why none of the names could be loaded, in words.
pub(crate) fn api() -> Result<Api, String> {
    FUNCTIONS
        .get_or_init(load)
        .as_ref()
        .map(Api)
        .map_err(Clone::clone)
}

fn load() -> Result<Functions, String> {
    let mut reason = String::from("no libcrypto was found");
    for name in NAMES {
        // SAFETY: loading runs the initialisers of the system's own OpenSSL, which any program may load.
        match unsafe { Library::new(*name) } {
            Ok(library) => match Functions::load(&library) {
                Ok(functions) => {
                    // OpenSSL registers handlers that run at exit: it must never be unloaded.
                    std::mem::forget(library);
                    return Ok(functions);
                }
                Err(error) => reason = format!("{name} lacks a function: {error}"),
            },
            Err(_) => continue,
        }
    }
    Err(reason)
}

/// A name for C; names here are constants without a zero byte.
fn c_string(text: &str) -> CString {
    CString::new(text).unwrap_or_default()
}

fn some(object: Object) -> Option<Object> {
    (!object.is_null()).then_some(object)
}

/// A digest algorithm; never freed, as it lives as long as the process.
#[derive(Clone, Copy)]
pub(crate) struct Md(Object);

/// A cipher algorithm; never freed, as it lives as long as the process.
#[derive(Clone, Copy)]
pub(crate) struct CipherKind(Object);

impl Api {
    /// `OpenSSL 3.0.19 27 Jan 2026` and the like.
    pub(crate) fn version(self) -> String {
        // SAFETY: the function returns a static string that ends in a zero byte.
        unsafe { CStr::from_ptr((self.0.OpenSSL_version)(0)) }
            .to_string_lossy()
            .into_owned()
    }

    /// Whether the version is `major.minor` or later.
    pub(crate) fn is_at_least(self, major: c_ulong, minor: c_ulong) -> bool {
        // SAFETY: the function takes nothing and only returns a number.
        let number = unsafe { (self.0.OpenSSL_version_num)() };
        (number >> 28, (number >> 20) & 0xff) >= (major, minor)
    }

    /// Whether HMAC's functions are there (a build may leave the old interface out).
    pub(crate) fn has_hmac(self) -> bool {
        let api = self.0;
        api.HMAC_CTX_new.is_some()
            && api.HMAC_CTX_free.is_some()
            && api.HMAC_Init_ex.is_some()
            && api.HMAC_Update.is_some()
            && api.HMAC_Final.is_some()
    }

    /// A digest by name, fetched once so that no look-up is timed.
    pub(crate) fn md(self, name: &str) -> Option<Md> {
        let name = c_string(name);
        // SAFETY: `name` ends in a zero byte and outlives the call; null means the default context.
        let object = unsafe {
            match self.0.EVP_MD_fetch {
                Some(fetch) => fetch(ptr::null_mut(), name.as_ptr(), ptr::null()),
                None => (self.0.EVP_get_digestbyname)(name.as_ptr()),
            }
        };
        self.forget_errors();
        some(object).map(Md)
    }

    /// A cipher by name, fetched once so that no look-up is timed.
    pub(crate) fn cipher(self, name: &str) -> Option<CipherKind> {
        let name = c_string(name);
        // SAFETY: `name` ends in a zero byte and outlives the call; null means the default context.
        let object = unsafe {
            match self.0.EVP_CIPHER_fetch {
                Some(fetch) => fetch(ptr::null_mut(), name.as_ptr(), ptr::null()),
                None => (self.0.EVP_get_cipherbyname)(name.as_ptr()),
            }
        };
        self.forget_errors();
        some(object).map(CipherKind)
    }

    fn forget_errors(self) {
        // SAFETY: takes nothing; clears this thread's queue of errors.
        unsafe { (self.0.ERR_clear_error)() }
    }
}

/// `EVP_MD_CTX`.
pub(crate) struct MdCtx {
    api: Api,
    object: Object,
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
    fn start_signature(
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

    /// Starts with a fresh key.
    pub(crate) fn start(&self, md: Md, key: &[u8]) -> bool {
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

    /// Starts again with the key that it has.
    pub(crate) fn restart(&self) -> bool {
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

    /// Takes the message and gives its tag of 32 bytes; zeros on failure.
    pub(crate) fn tag(&self, message: &[u8]) -> [u8; 32] {
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
    /// A context of `kind`, keyed, without padding.
    pub(crate) fn new(api: Api, kind: CipherKind, key: &[u8; 16], encrypt: bool) -> Option<Self> {
        // SAFETY: takes nothing, returns an owned context or null.
        let object = some(unsafe { (api.0.EVP_CIPHER_CTX_new)() })?;
        let context = Self {
            api,
            object,
            encrypt: c_int::from(encrypt),
        };
        // SAFETY: the ciphers used here have 16-byte keys; a null IV leaves the IV unset.
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

/// Parameters of a key or an operation, ready for C.
pub(crate) fn parameters(pairs: &[(&str, &str)]) -> Vec<(CString, CString)> {
    pairs
        .iter()
        .map(|(name, value)| (c_string(name), c_string(value)))
        .collect()
}

fn set_parameters(api: Api, context: Object, parameters: &[(CString, CString)]) -> bool {
    parameters.iter().all(|(name, value)| {
        // SAFETY: the context is alive and both strings end in a zero byte.
        unsafe { (api.0.EVP_PKEY_CTX_ctrl_str)(context, name.as_ptr(), value.as_ptr()) > 0 }
    })
}

/// `EVP_PKEY`.
pub(crate) struct Pkey {
    api: Api,
    object: Object,
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
