//! SM4 of the system's libcrypto (OpenSSL 3), found at run time: the modes that OpenSSL 3.0 has.

use std::ffi::{CStr, c_char, c_int, c_uchar, c_void};
use std::ptr;

use anyhow::{Result, ensure};
use libloading::Library;

use super::super::libcrypto::NAMES;
use super::{Case, Mode, Way};

type Object = *mut c_void;
type Version = unsafe extern "C" fn(c_int) -> *const c_char;
type Fetch = unsafe extern "C" fn(Object, *const c_char, *const c_char) -> Object;
type New = unsafe extern "C" fn() -> Object;
type Init =
    unsafe extern "C" fn(Object, Object, Object, *const c_uchar, *const c_uchar, c_int) -> c_int;
type Update =
    unsafe extern "C" fn(Object, *mut c_uchar, *mut c_int, *const c_uchar, c_int) -> c_int;
type SetPadding = unsafe extern "C" fn(Object, c_int) -> c_int;

/// The functions, a context, the ciphers by mode, and the library that they lie in. Contexts and ciphers are
/// needed to the end of the process and never freed.
pub(super) struct Libcrypto {
    pub(super) version: String,
    context: Object,
    ciphers: Vec<(Mode, Object)>,
    init: Init,
    update: Update,
    set_padding: SetPadding,
    _library: Library,
}

const CIPHERS: [(Mode, &CStr); 5] = [
    (Mode::Ecb, c"SM4-ECB"),
    (Mode::Cbc, c"SM4-CBC"),
    (Mode::Cfb, c"SM4-CFB"),
    (Mode::Ofb, c"SM4-OFB"),
    (Mode::Ctr, c"SM4-CTR"),
];

/// Finds the library, or says what is missing.
pub(super) fn open() -> Result<Libcrypto, String> {
    let mut reason = String::new();
    for name in NAMES {
        // SAFETY: loading runs the initialisers of the system's own OpenSSL, which any program may load.
        match unsafe { Library::new(name) }.and_then(load) {
            Ok(found) if found.is_whole() => return Ok(found),
            Ok(found) => reason = format!("{} lacks modes of SM4", found.version),
            Err(error) => reason = format!("no libcrypto of OpenSSL 3 ({error})"),
        }
    }
    Err(reason)
}

fn load(library: Library) -> Result<Libcrypto, libloading::Error> {
    // SAFETY: each type is the prototype that OpenSSL 3 documents for the name, and the library is kept
    // beside the functions. The version (0) is a static string that ends with zero, as the names do.
    unsafe {
        let version = *library.get::<Version>(b"OpenSSL_version\0")?;
        let fetch = *library.get::<Fetch>(b"EVP_CIPHER_fetch\0")?;
        let new = *library.get::<New>(b"EVP_CIPHER_CTX_new\0")?;
        let find = |name: &CStr| fetch(ptr::null_mut(), name.as_ptr(), ptr::null());
        Ok(Libcrypto {
            version: CStr::from_ptr(version(0)).to_string_lossy().into_owned(),
            context: new(),
            ciphers: CIPHERS.map(|(mode, name)| (mode, find(name))).into(),
            init: *library.get(b"EVP_CipherInit_ex\0")?,
            update: *library.get(b"EVP_CipherUpdate\0")?,
            set_padding: *library.get(b"EVP_CIPHER_CTX_set_padding\0")?,
            _library: library,
        })
    }
}

impl Libcrypto {
    fn is_whole(&self) -> bool {
        !self.context.is_null() && self.ciphers.iter().all(|(_, cipher)| !cipher.is_null())
    }

    /// None where this library lacks the mode.
    pub(super) fn crypt(&self, case: &Case, way: Way, text: &[u8]) -> Result<Option<Vec<u8>>> {
        let Some(&(_, cipher)) = self.ciphers.iter().find(|(mode, _)| *mode == case.mode) else {
            return Ok(None);
        };
        // A block more than without padding is ever written.
        let mut out = vec![0; text.len() + 16];
        let mut length = 0;
        let (key, iv, none) = (case.key.as_ptr(), case.iv.as_ptr(), ptr::null_mut());
        let encrypts = c_int::from(way == Way::Encrypt);
        let text_len = c_int::try_from(text.len())?;
        // SAFETY: context and cipher are alive; key and IV have 16 bytes each; the text pointer is valid for its
        // length, and `out` has room for as much and a block.
        let done = unsafe {
            (self.init)(self.context, cipher, none, key, iv, encrypts) == 1
                && (self.set_padding)(self.context, 0) == 1
                && (self.update)(
                    self.context,
                    out.as_mut_ptr(),
                    &raw mut length,
                    text.as_ptr(),
                    text_len,
                ) == 1
        };
        ensure!(
            done && length == text_len,
            "libcrypto refuses {:?}",
            case.mode
        );
        out.truncate(text.len());
        Ok(Some(out))
    }
}
