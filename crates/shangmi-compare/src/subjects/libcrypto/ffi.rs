//! The user's libcrypto, loaded at run time: symbols, and safe handles that free themselves.
//!
//! The only `unsafe` of the libcrypto subject is in this module. Handles are not `Send`: each belongs to
//! the thread that made it, as OpenSSL asks of its contexts.

mod cipher;
mod cmac;
mod digest;
mod mac;
mod pkey;

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uchar, c_ulong, c_void};
use std::ptr;
use std::sync::OnceLock;

use libloading::Library;

pub(crate) use cipher::CipherCtx;
pub(crate) use cmac::CmacCtx;
pub(crate) use digest::{HmacCtx, MdCtx};
pub(crate) use mac::MacContext;
pub(crate) use pkey::{Pkey, PkeyCtx, parameters};

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
        CMAC_CTX_new: fn() -> Object;
        CMAC_CTX_free: fn(Object);
        CMAC_Init: fn(Object, *const c_void, usize, Object, Object) -> c_int;
        CMAC_Update: fn(Object, *const c_void, usize) -> c_int;
        CMAC_Final: fn(Object, *mut c_uchar, *mut usize) -> c_int;
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

    /// Whether CMAC's functions are there, likewise.
    pub(crate) fn has_cmac(self) -> bool {
        let api = self.0;
        api.CMAC_CTX_new.is_some()
            && api.CMAC_CTX_free.is_some()
            && api.CMAC_Init.is_some()
            && api.CMAC_Update.is_some()
            && api.CMAC_Final.is_some()
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
