//! The system's libgcrypt, found at run time.

mod cipher;
mod curve;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::rc::Rc;

use libloading::{Library, Symbol};

use crate::peer::{Digest, Hash, Missing, Peer};

const INSTALL: &str = "apt-get install libgcrypt20";

type HashBuffer = unsafe extern "C" fn(c_int, *mut c_void, *const c_void, usize);

pub(super) fn open() -> Result<Peer, Missing> {
    load().map_err(|reason| Missing {
        peer: "libgcrypt",
        reason,
        install: INSTALL,
    })
}

struct Gcrypt {
    /// The library's number of SM3.
    algorithm: c_int,
    hash_buffer: HashBuffer,
    /// Keeps the function where it is.
    _library: Rc<Library>,
}

type Check = unsafe extern "C" fn(*const c_char) -> *const c_char;
type Number = unsafe extern "C" fn(*const c_char) -> c_int;

fn load() -> Result<Peer, String> {
    let words = |error: libloading::Error| error.to_string();
    // SAFETY: loading runs the initialisers of the system's own libgcrypt, which any program may load.
    let library = unsafe { Library::new("libgcrypt.so.20") }.map_err(words)?;
    // SAFETY: the types are the prototypes in gcrypt.h; gcry_check_version comes first, as its manual
    // asks, and returns a static string that ends with zero, or null.
    let (version, sm3, sm4, hash_buffer) = unsafe {
        let check: Symbol<'_, Check> = library.get(b"gcry_check_version\0").map_err(words)?;
        let hash: Symbol<'_, Number> = library.get(b"gcry_md_map_name\0").map_err(words)?;
        let cipher: Symbol<'_, Number> = library.get(b"gcry_cipher_map_name\0").map_err(words)?;
        let hash_buffer = *library
            .get::<HashBuffer>(b"gcry_md_hash_buffer\0")
            .map_err(words)?;
        let version = check(ptr::null());
        let (sm3, sm4) = (hash(c"SM3".as_ptr()), cipher(c"SM4".as_ptr()));
        // gcry_md_hash_buffer would end the process over an unknown algorithm; 0 is none.
        if version.is_null() || sm3 == 0 {
            return Err("this libgcrypt has no SM3 (it came with 1.9)".to_owned());
        }
        let version = CStr::from_ptr(version).to_string_lossy().into_owned();
        (version, sm3, sm4, hash_buffer)
    };
    let library = Rc::new(library);
    Ok(Peer {
        name: "libgcrypt",
        version,
        ciphers: cipher::all(&library, sm4),
        curve: curve::open(&library),
        hash: Some(Box::new(Gcrypt {
            algorithm: sm3,
            hash_buffer,
            _library: library,
        })),
        ..Peer::default()
    })
}

impl Hash for Gcrypt {
    fn code_path(&self) -> String {
        "gcry_md_hash_buffer, the fastest that it detects".to_owned()
    }

    fn digest(&mut self, message: &[u8]) -> Digest {
        let mut out = [0; 32];
        // SAFETY: an SM3 digest has 32 bytes; the message pointer is valid for its length.
        unsafe {
            (self.hash_buffer)(
                self.algorithm,
                out.as_mut_ptr().cast(),
                message.as_ptr().cast(),
                message.len(),
            );
        }
        out
    }
}
