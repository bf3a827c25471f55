//! SM3 and HMAC-SM3 of the system's libcrypto (OpenSSL 3), found at run time.

use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::ptr;

use anyhow::{Result, ensure};
use libloading::Library;

pub(super) const NAMES: [&str; 3] = ["libcrypto.so.4", "libcrypto.so.3", "libcrypto.3.dylib"];

/// What installs it.
pub(super) const INSTALL: &str = "apt-get install openssl";

/// `EVP_MAX_MD_SIZE`: bytes that a digest may write.
const LONGEST: usize = 64;

type Object = *mut c_void;

type Version = unsafe extern "C" fn(c_int) -> *const c_char;
type Fetch = unsafe extern "C" fn(Object, *const c_char, *const c_char) -> Object;
type Digest =
    unsafe extern "C" fn(*const c_void, usize, *mut c_uchar, *mut c_uint, Object, Object) -> c_int;
type Hmac = unsafe extern "C" fn(
    Object,
    *const c_void,
    c_int,
    *const c_uchar,
    usize,
    *mut c_uchar,
    *mut c_uint,
) -> *mut c_uchar;

/// The functions, the algorithm, and the library that they lie in.
pub(super) struct Libcrypto {
    pub(super) version: String,
    /// SM3. It is needed to the end of the process and never freed.
    md: Object,
    digest: Digest,
    hmac: Hmac,
    _library: Library,
}

/// Finds the library, or says what is missing.
pub(super) fn open() -> Result<Libcrypto, String> {
    let mut reason = String::new();
    for name in NAMES {
        // SAFETY: loading runs the initialisers of the system's own OpenSSL, which any program may load.
        match unsafe { Library::new(name) }.and_then(load) {
            Ok(found) if found.md.is_null() => reason = format!("{} has no SM3", found.version),
            Ok(found) => return Ok(found),
            Err(error) => reason = format!("no libcrypto of OpenSSL 3 ({error})"),
        }
    }
    Err(reason)
}

fn load(library: Library) -> Result<Libcrypto, libloading::Error> {
    // SAFETY: each type is the prototype that OpenSSL 3 documents for the name, and the library is kept
    // beside the functions. The version (0) is a static string that ends with zero.
    unsafe {
        let version = *library.get::<Version>(b"OpenSSL_version\0")?;
        let fetch = *library.get::<Fetch>(b"EVP_MD_fetch\0")?;
        Ok(Libcrypto {
            version: CStr::from_ptr(version(0)).to_string_lossy().into_owned(),
            md: fetch(ptr::null_mut(), c"SM3".as_ptr(), ptr::null()),
            digest: *library.get(b"EVP_Digest\0")?,
            hmac: *library.get(b"HMAC\0")?,
            _library: library,
        })
    }
}

impl Libcrypto {
    pub(super) fn digest(&self, message: &[u8]) -> Result<[u8; 32]> {
        let mut out = [0; LONGEST];
        let mut length = 0;
        // SAFETY: the algorithm is alive; the message pointer is valid for its length; `out` has the bytes that
        // may be written.
        let done = unsafe {
            (self.digest)(
                message.as_ptr().cast(),
                message.len(),
                out.as_mut_ptr(),
                &raw mut length,
                self.md,
                ptr::null_mut(),
            )
        };
        first_half(done == 1, length, &out)
    }

    pub(super) fn hmac(&self, key: &[u8], message: &[u8]) -> Result<[u8; 32]> {
        let mut out = [0; LONGEST];
        let mut length = 0;
        // SAFETY: the algorithm is alive; both pointers are valid for their lengths; `out` has the bytes that may
        // be written.
        let done = unsafe {
            (self.hmac)(
                self.md,
                key.as_ptr().cast(),
                c_int::try_from(key.len())?,
                message.as_ptr(),
                message.len(),
                out.as_mut_ptr(),
                &raw mut length,
            )
        };
        first_half(!done.is_null(), length, &out)
    }
}

fn first_half(done: bool, length: c_uint, out: &[u8; LONGEST]) -> Result<[u8; 32]> {
    ensure!(done && length == 32, "libcrypto does not compute SM3");
    let mut digest = [0; 32];
    digest.copy_from_slice(&out[..32]);
    Ok(digest)
}
