//! The system's libcrypto (OpenSSL 3), found at run time.

mod cipher;
mod curve;

use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::ptr;
use std::rc::Rc;

use libloading::Library;

use crate::peer::{Digest, Hash, Mac, Missing, Peer};

const NAMES: [&str; 3] = ["libcrypto.so.4", "libcrypto.so.3", "libcrypto.3.dylib"];

const INSTALL: &str = "apt-get install openssl";

type Object = *mut c_void;

/// The functions, and the library that they lie in.
struct Api {
    version: unsafe extern "C" fn(c_int) -> *const c_char,
    fetch: unsafe extern "C" fn(Object, *const c_char, *const c_char) -> Object,
    md_new: unsafe extern "C" fn() -> Object,
    md_init: unsafe extern "C" fn(Object, Object, Object) -> c_int,
    md_update: unsafe extern "C" fn(Object, *const c_void, usize) -> c_int,
    md_final: unsafe extern "C" fn(Object, *mut c_uchar, *mut c_uint) -> c_int,
    hmac_new: unsafe extern "C" fn() -> Object,
    hmac_init: unsafe extern "C" fn(Object, *const c_void, c_int, Object, Object) -> c_int,
    hmac_update: unsafe extern "C" fn(Object, *const c_uchar, usize) -> c_int,
    hmac_final: unsafe extern "C" fn(Object, *mut c_uchar, *mut c_uint) -> c_int,
    cipher: cipher::Functions,
    curve: curve::Functions,
    _library: Library,
}

fn load(library: Library) -> Result<Api, libloading::Error> {
    // SAFETY: each type is the prototype that OpenSSL 3 documents for the name, and the library is kept
    // beside the functions.
    unsafe {
        Ok(Api {
            version: *library.get(b"OpenSSL_version\0")?,
            fetch: *library.get(b"EVP_MD_fetch\0")?,
            md_new: *library.get(b"EVP_MD_CTX_new\0")?,
            md_init: *library.get(b"EVP_DigestInit_ex\0")?,
            md_update: *library.get(b"EVP_DigestUpdate\0")?,
            md_final: *library.get(b"EVP_DigestFinal_ex\0")?,
            hmac_new: *library.get(b"HMAC_CTX_new\0")?,
            hmac_init: *library.get(b"HMAC_Init_ex\0")?,
            hmac_update: *library.get(b"HMAC_Update\0")?,
            hmac_final: *library.get(b"HMAC_Final\0")?,
            cipher: cipher::load(&library)?,
            curve: curve::load(&library)?,
            _library: library,
        })
    }
}

pub(super) fn open() -> Result<Peer, Missing> {
    let api = open_library().map_err(|reason| Missing {
        peer: "OpenSSL",
        reason,
        install: INSTALL,
    })?;
    // SAFETY: the contexts and the algorithm stay for the rest of the process; null is checked. The
    // version (0) is a static string that ends with zero.
    let (version, md, context, mac) = unsafe {
        let md = (api.fetch)(ptr::null_mut(), c"SM3".as_ptr(), ptr::null());
        let version = CStr::from_ptr((api.version)(0));
        let version = version.to_string_lossy().into_owned();
        (version, md, (api.md_new)(), (api.hmac_new)())
    };
    if md.is_null() || context.is_null() || mac.is_null() {
        return Err(Missing {
            peer: "OpenSSL",
            reason: format!("{version} has no SM3"),
            install: INSTALL,
        });
    }
    let api = Rc::new(api);
    let hash = EvpSm3 {
        api: Rc::clone(&api),
        md,
        context,
    };
    let ciphers = cipher::all(&api);
    let curve = curve::open(&api);
    let mac = HmacSm3 {
        api,
        md,
        context: mac,
    };
    Ok(Peer {
        name: "OpenSSL",
        version,
        hash: Some(Box::new(hash)),
        mac: Some(Box::new(mac)),
        ciphers,
        curve,
    })
}

fn open_library() -> Result<Api, String> {
    let mut reason = String::new();
    for name in NAMES {
        // SAFETY: loading runs the initialisers of the system's own OpenSSL, which any program may load.
        match unsafe { Library::new(name) }.and_then(load) {
            Ok(api) => return Ok(api),
            Err(error) => reason = error.to_string(),
        }
    }
    Err(reason)
}

struct EvpSm3 {
    api: Rc<Api>,
    md: Object,
    context: Object,
}

impl Hash for EvpSm3 {
    fn code_path(&self) -> String {
        "EVP, one context used again".to_owned()
    }

    fn digest(&mut self, message: &[u8]) -> Digest {
        let mut out = [0; 64];
        // SAFETY: context and algorithm are alive; the message pointer is valid for its length; `out` has
        // the 64 bytes (EVP_MAX_MD_SIZE) that may be written.
        let done = unsafe {
            (self.api.md_init)(self.context, self.md, ptr::null_mut()) == 1
                && (self.api.md_update)(self.context, message.as_ptr().cast(), message.len()) == 1
                && (self.api.md_final)(self.context, out.as_mut_ptr(), ptr::null_mut()) == 1
        };
        first_half(done, &out)
    }
}

struct HmacSm3 {
    api: Rc<Api>,
    md: Object,
    context: Object,
}

impl Mac for HmacSm3 {
    fn code_path(&self) -> String {
        "HMAC_CTX, one context used again".to_owned()
    }

    fn set_key(&mut self, key: &[u8]) {
        let length = c_int::try_from(key.len()).expect("a short key");
        // SAFETY: context and algorithm are alive; the key pointer is valid for its length. A failure shows
        // in the tag.
        unsafe {
            let key = key.as_ptr().cast();
            (self.api.hmac_init)(self.context, key, length, self.md, ptr::null_mut());
        }
    }

    fn tag(&mut self, message: &[u8]) -> Digest {
        let mut out = [0; 64];
        let mut length = 0;
        let none = ptr::null_mut();
        // SAFETY: null key and algorithm mean those of the last start; the message pointer is valid for its
        // length; `out` has EVP_MAX_MD_SIZE bytes.
        let done = unsafe {
            (self.api.hmac_init)(self.context, ptr::null(), 0, none, none) == 1
                && (self.api.hmac_update)(self.context, message.as_ptr(), message.len()) == 1
                && (self.api.hmac_final)(self.context, out.as_mut_ptr(), &raw mut length) == 1
        };
        first_half(done, &out)
    }
}

/// Zeros on failure, which no known answer is.
fn first_half(done: bool, out: &[u8; 64]) -> Digest {
    let mut digest = [0; 32];
    if done {
        digest.copy_from_slice(&out[..32]);
    }
    digest
}
