//! EVP ciphers: SM4, and AES-128-XTS, which AWS-LC's crate does not have.

use std::ffi::{CString, c_char, c_int, c_uchar, c_void};
use std::ptr;
use std::rc::Rc;

use libloading::Library;

use super::{Api, Object};
use crate::peer::{Block, Cipher, Mode, NONCE_LEN};

/// The functions; they lie in the library of an [`Api`], which lives as long.
pub(super) struct Functions {
    fetch: unsafe extern "C" fn(Object, *const c_char, *const c_char) -> Object,
    new: unsafe extern "C" fn() -> Object,
    init: unsafe extern "C" fn(
        Object,
        Object,
        Object,
        *const c_uchar,
        *const c_uchar,
        c_int,
    ) -> c_int,
    update: unsafe extern "C" fn(Object, *mut c_uchar, *mut c_int, *const c_uchar, c_int) -> c_int,
    finish: unsafe extern "C" fn(Object, *mut c_uchar, *mut c_int) -> c_int,
    control: unsafe extern "C" fn(Object, c_int, c_int, *mut c_void) -> c_int,
    set_padding: unsafe extern "C" fn(Object, c_int) -> c_int,
}

/// EVP_CTRL_AEAD_SET_IVLEN, EVP_CTRL_AEAD_GET_TAG and EVP_CTRL_AEAD_SET_TAG.
const SET_NONCE_LEN: c_int = 0x9;
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;

const TAG_LEN: c_int = 16;

/// # Safety
/// The functions must not outlive the library.
pub(super) unsafe fn load(library: &Library) -> Result<Functions, libloading::Error> {
    // SAFETY: each type is the prototype that OpenSSL 3 documents for the name.
    unsafe {
        Ok(Functions {
            fetch: *library.get(b"EVP_CIPHER_fetch\0")?,
            new: *library.get(b"EVP_CIPHER_CTX_new\0")?,
            init: *library.get(b"EVP_CipherInit_ex\0")?,
            update: *library.get(b"EVP_CipherUpdate\0")?,
            finish: *library.get(b"EVP_CipherFinal_ex\0")?,
            control: *library.get(b"EVP_CIPHER_CTX_ctrl\0")?,
            set_padding: *library.get(b"EVP_CIPHER_CTX_set_padding\0")?,
        })
    }
}

/// What this version has.
pub(super) fn all(api: &Rc<Api>) -> Vec<Box<dyn Cipher>> {
    let sm4 = Mode::ALL.map(|mode| ("SM4", mode));
    let aes = [("AES-128", Mode::XtsIeeeEncrypt)];
    let open = |(algorithm, mode)| -> Option<Box<dyn Cipher>> {
        Some(Box::new(Evp::open(api, algorithm, mode)?))
    };
    sm4.into_iter().chain(aes).filter_map(open).collect()
}

struct Evp {
    api: Rc<Api>,
    algorithm: &'static str,
    mode: Mode,
    context: Object,
}

/// OpenSSL's name of the mode. Its SM4-XTS, from 3.2 on, is that of GB/T 17964 unless told otherwise.
fn name(algorithm: &str, mode: Mode) -> Option<&'static str> {
    Some(match mode {
        Mode::EcbEncrypt => "ECB",
        Mode::Ctr => "CTR",
        Mode::CbcEncrypt | Mode::CbcDecrypt => "CBC",
        Mode::CfbDecrypt => "CFB",
        Mode::GcmSeal => "GCM",
        Mode::CcmSeal => "CCM",
        Mode::XtsIeeeEncrypt if algorithm == "AES-128" => "XTS",
        Mode::XtsGbEncrypt if algorithm == "SM4" => "XTS",
        Mode::XtsIeeeEncrypt | Mode::XtsGbEncrypt => return None,
    })
}

impl Evp {
    fn open(api: &Rc<Api>, algorithm: &'static str, mode: Mode) -> Option<Self> {
        let name = format!("{algorithm}-{}", name(algorithm, mode)?);
        let name = CString::new(name).ok()?;
        let functions = &api.cipher;
        let (none, encrypts) = (ptr::null(), c_int::from(!mode.decrypts()));
        // SAFETY: the name ends with zero; cipher and context stay for the rest of the process; null is checked.
        let context = unsafe {
            let cipher = (functions.fetch)(ptr::null_mut(), name.as_ptr(), none);
            let context = (functions.new)();
            if cipher.is_null() || context.is_null() {
                return None;
            }
            (functions.init)(
                context,
                cipher,
                ptr::null_mut(),
                ptr::null(),
                ptr::null(),
                encrypts,
            );
            (functions.set_padding)(context, 0);
            if mode == Mode::CcmSeal {
                (functions.control)(context, SET_NONCE_LEN, NONCE_LEN as c_int, ptr::null_mut());
                (functions.control)(context, SET_TAG, TAG_LEN, ptr::null_mut());
            }
            context
        };
        Some(Self {
            api: Rc::clone(api),
            algorithm,
            mode,
            context,
        })
    }

    /// Starts with a key or an initialisation vector; null means the last one.
    fn start(&self, key: *const c_uchar, iv: *const c_uchar) -> bool {
        let encrypts = c_int::from(!self.mode.decrypts());
        let none = ptr::null_mut();
        // SAFETY: the context is alive; the pointers are null or reach as far as the mode reads.
        unsafe { (self.api.cipher.init)(self.context, none, none, key, iv, encrypts) == 1 }
    }

    /// Encrypts or decrypts from `input` to `out`; null for `out` means that `input` is only authenticated.
    ///
    /// # Safety
    /// `input` has `length` bytes, or is null in CCM; `out` is null or has as many.
    unsafe fn update(&self, out: *mut c_uchar, input: *const c_uchar, length: usize) -> bool {
        let mut written = 0;
        let length = c_int::try_from(length).expect("a message that was made here");
        // SAFETY: as the caller promises; a mode without padding writes no more than it reads.
        unsafe { (self.api.cipher.update)(self.context, out, &raw mut written, input, length) == 1 }
    }

    /// Everything of a message but its start and its tag.
    fn message(&self, aad: &[u8], data: &mut [u8]) -> bool {
        let none = ptr::null_mut();
        // SAFETY: pointers and lengths belong together; CCM is told the length with two null pointers.
        unsafe {
            (self.mode != Mode::CcmSeal || self.update(none, ptr::null(), data.len()))
                && (aad.is_empty() || self.update(none, aad.as_ptr(), aad.len()))
                && self.update(data.as_mut_ptr(), data.as_ptr(), data.len())
        }
    }

    fn tag(&self) -> Option<Block> {
        let mut tag = Block::default();
        let mut written = 0;
        // SAFETY: the context is alive; nothing is left to be written at the end of these modes, for which
        // `tag` has room all the same; then it receives the tag's 16 bytes.
        let done = unsafe {
            let functions = &self.api.cipher;
            (functions.finish)(self.context, tag.as_mut_ptr(), &raw mut written) == 1
                && (functions.control)(self.context, GET_TAG, TAG_LEN, tag.as_mut_ptr().cast()) == 1
        };
        done.then_some(tag)
    }
}

impl Cipher for Evp {
    fn algorithm(&self) -> &'static str {
        self.algorithm
    }

    fn mode(&self) -> Mode {
        self.mode
    }

    fn code_path(&self) -> String {
        "EVP, one context used again".to_owned()
    }

    fn set_key(&mut self, key: &[u8]) {
        assert_eq!(key.len(), self.mode.key_len());
        // A failure shows in the result.
        self.start(key.as_ptr(), ptr::null());
    }

    fn crypt(&mut self, iv: &Block, aad: &[u8], data: &mut [u8]) -> Block {
        let done = self.start(ptr::null(), iv.as_ptr()) && self.message(aad, data);
        let tag = match self.mode.authenticates() {
            true => self.tag(),
            false => Some(Block::default()),
        };
        if !done {
            data.fill(0);
        }
        tag.unwrap_or_default()
    }
}
