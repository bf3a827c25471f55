//! libgcrypt's SM4.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::rc::Rc;

use libloading::Library;

use crate::peer::{Block, Cipher, Mode, NONCE_LEN};

type Handle = *mut c_void;

/// `gcry_error_t`; zero is success.
type Error = c_uint;

struct Functions {
    open: unsafe extern "C" fn(*mut Handle, c_int, c_int, c_uint) -> Error,
    set_key: unsafe extern "C" fn(Handle, *const c_void, usize) -> Error,
    set_iv: unsafe extern "C" fn(Handle, *const c_void, usize) -> Error,
    set_counter: unsafe extern "C" fn(Handle, *const c_void, usize) -> Error,
    authenticate: unsafe extern "C" fn(Handle, *const c_void, usize) -> Error,
    encrypt: Crypt,
    decrypt: Crypt,
    tag: unsafe extern "C" fn(Handle, *mut c_void, usize) -> Error,
    control: unsafe extern "C" fn(Handle, c_int, *mut c_void, usize) -> Error,
    _library: Rc<Library>,
}

type Crypt = unsafe extern "C" fn(Handle, *mut c_void, usize, *const c_void, usize) -> Error;

/// GCRYCTL_SET_CCM_LENGTHS.
const SET_CCM_LENGTHS: c_int = 69;

fn load(library: &Rc<Library>) -> Result<Functions, libloading::Error> {
    // SAFETY: the types are the prototypes in gcrypt.h, and the library is kept beside the functions.
    unsafe {
        Ok(Functions {
            open: *library.get(b"gcry_cipher_open\0")?,
            set_key: *library.get(b"gcry_cipher_setkey\0")?,
            set_iv: *library.get(b"gcry_cipher_setiv\0")?,
            set_counter: *library.get(b"gcry_cipher_setctr\0")?,
            authenticate: *library.get(b"gcry_cipher_authenticate\0")?,
            encrypt: *library.get(b"gcry_cipher_encrypt\0")?,
            decrypt: *library.get(b"gcry_cipher_decrypt\0")?,
            tag: *library.get(b"gcry_cipher_gettag\0")?,
            control: *library.get(b"gcry_cipher_ctl\0")?,
            _library: Rc::clone(library),
        })
    }
}

/// What this version has: none before 1.9.
pub(super) fn all(library: &Rc<Library>, algorithm: c_int) -> Vec<Box<dyn Cipher>> {
    let Ok(functions) = load(library).map(Rc::new) else {
        return Vec::new();
    };
    let open = |mode: Mode| -> Option<Box<dyn Cipher>> {
        let mut handle = ptr::null_mut();
        // SAFETY: `handle` receives what stays for the rest of the process.
        let error = unsafe { (functions.open)(&raw mut handle, algorithm, number(mode)?, 0) };
        let functions = Rc::clone(&functions);
        (error == 0).then(|| -> Box<dyn Cipher> {
            Box::new(Gcrypt {
                functions,
                mode,
                handle,
            })
        })
    };
    Mode::ALL.into_iter().filter_map(open).collect()
}

/// The library's number of the mode. Its XTS is that of IEEE 1619.
fn number(mode: Mode) -> Option<c_int> {
    Some(match mode {
        Mode::EcbEncrypt => 1,
        Mode::Ctr => 6,
        Mode::CbcEncrypt | Mode::CbcDecrypt => 3,
        Mode::CfbDecrypt => 2,
        Mode::GcmSeal => 9,
        Mode::CcmSeal => 8,
        Mode::XtsIeeeEncrypt => 13,
        Mode::XtsGbEncrypt => return None,
    })
}

struct Gcrypt {
    functions: Rc<Functions>,
    mode: Mode,
    handle: Handle,
}

impl Gcrypt {
    fn start(&self, iv: &Block, aad: &[u8], data: &[u8]) -> bool {
        let functions = &self.functions;
        let set = match self.mode {
            Mode::Ctr => functions.set_counter,
            _ => functions.set_iv,
        };
        let iv_len = match self.mode {
            Mode::EcbEncrypt => return true,
            mode if mode.authenticates() => NONCE_LEN,
            _ => iv.len(),
        };
        let mut lengths = [data.len() as u64, aad.len() as u64, 16];
        // SAFETY: the handle is alive; pointers and lengths belong together; CCM takes three numbers of 64 bits.
        unsafe {
            set(self.handle, iv.as_ptr().cast(), iv_len) == 0
                && (self.mode != Mode::CcmSeal
                    || (functions.control)(
                        self.handle,
                        SET_CCM_LENGTHS,
                        lengths.as_mut_ptr().cast(),
                        size_of_val(&lengths),
                    ) == 0)
                && (aad.is_empty()
                    || (functions.authenticate)(self.handle, aad.as_ptr().cast(), aad.len()) == 0)
        }
    }
}

impl Cipher for Gcrypt {
    fn mode(&self) -> Mode {
        self.mode
    }

    fn code_path(&self) -> String {
        "gcry_cipher, the fastest that it detects".to_owned()
    }

    fn set_key(&mut self, key: &[u8]) {
        // SAFETY: the handle is alive; the key pointer is valid for its length. A failure shows in the result.
        unsafe {
            (self.functions.set_key)(self.handle, key.as_ptr().cast(), key.len());
        }
    }

    fn crypt(&mut self, iv: &Block, aad: &[u8], data: &mut [u8]) -> Block {
        let mut tag = Block::default();
        let crypt = match self.mode.decrypts() {
            true => self.functions.decrypt,
            false => self.functions.encrypt,
        };
        let mut done = self.start(iv, aad, data);
        // SAFETY: the handle is alive; null and 0 for the input mean in place; the tag has 16 bytes.
        unsafe {
            let out = data.as_mut_ptr().cast();
            done &= crypt(self.handle, out, data.len(), ptr::null(), 0) == 0;
            if self.mode.authenticates() {
                done &= (self.functions.tag)(self.handle, tag.as_mut_ptr().cast(), tag.len()) == 0;
            }
        }
        if !done {
            data.fill(0);
        }
        tag
    }
}
