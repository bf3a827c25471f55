//! Botan's SM4.

use std::ffi::{CStr, c_char, c_void};
use std::rc::Rc;

use libloading::Library;

use crate::peer::{Block, Cipher, Mode, NONCE_LEN};

type Object = *mut c_void;

struct Functions {
    new: unsafe extern "C" fn(*const c_char, bool) -> Object,
    provider: unsafe extern "C" fn(Object) -> *const c_char,
    set_key: unsafe extern "C" fn(Object, *const u8, usize) -> bool,
    crypt: Crypt,
    _library: Rc<Library>,
}

type Crypt = unsafe extern "C" fn(
    Object,
    *const u8,
    usize,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut u8,
) -> bool;

pub(super) fn all(library: &Rc<Library>) -> Result<Vec<Box<dyn Cipher>>, libloading::Error> {
    // SAFETY: the types are those in botan/peer.cpp, and the library is kept beside the functions.
    let functions = Rc::new(unsafe {
        Functions {
            new: *library.get(b"peer_cipher_new\0")?,
            provider: *library.get(b"peer_cipher_provider\0")?,
            set_key: *library.get(b"peer_cipher_set_key\0")?,
            crypt: *library.get(b"peer_cipher_crypt\0")?,
            _library: Rc::clone(library),
        }
    });
    let open = |mode: Mode| -> Option<Box<dyn Cipher>> {
        // SAFETY: the name ends with zero; null is checked.
        let object = unsafe { (functions.new)(name(mode)?.as_ptr(), !mode.decrypts()) };
        let functions = Rc::clone(&functions);
        (!object.is_null()).then(|| -> Box<dyn Cipher> {
            Box::new(Botan {
                functions,
                mode,
                object,
            })
        })
    };
    Ok(Mode::ALL.into_iter().filter_map(open).collect())
}

/// Botan's name of the mode. Its XTS is that of IEEE 1619.
fn name(mode: Mode) -> Option<&'static CStr> {
    Some(match mode {
        Mode::EcbEncrypt => c"SM4",
        Mode::Ctr => c"SM4/CTR-BE",
        Mode::CbcEncrypt | Mode::CbcDecrypt => c"SM4/CBC/NoPadding",
        Mode::CfbDecrypt => c"SM4/CFB",
        Mode::GcmSeal => c"SM4/GCM",
        Mode::CcmSeal => c"SM4/CCM",
        Mode::XtsIeeeEncrypt => c"SM4/XTS",
        Mode::XtsGbEncrypt => return None,
    })
}

struct Botan {
    functions: Rc<Functions>,
    mode: Mode,
    object: Object,
}

impl Cipher for Botan {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn code_path(&self) -> String {
        // SAFETY: the object is alive and keeps the string, which ends with zero.
        let provider = unsafe { CStr::from_ptr((self.functions.provider)(self.object)) };
        provider.to_string_lossy().into_owned()
    }

    fn set_key(&mut self, key: &[u8]) {
        // SAFETY: the object is alive; the key pointer is valid for its length. A failure shows in the result.
        unsafe {
            (self.functions.set_key)(self.object, key.as_ptr(), key.len());
        }
    }

    fn crypt(&mut self, iv: &Block, aad: &[u8], data: &mut [u8]) -> Block {
        let mut tag = Block::default();
        let iv_len = match self.mode.authenticates() {
            true => NONCE_LEN,
            false => iv.len(),
        };
        // SAFETY: the object is alive; pointers and lengths belong together; the tag has 16 bytes.
        let done = unsafe {
            (self.functions.crypt)(
                self.object,
                iv.as_ptr(),
                iv_len,
                aad.as_ptr(),
                aad.len(),
                data.as_mut_ptr(),
                data.len(),
                tag.as_mut_ptr(),
            )
        };
        if !done {
            data.fill(0);
        }
        tag
    }
}
