//! Botan's SM2.

use std::ffi::c_void;
use std::rc::Rc;

use libloading::Library;

use crate::known_answer::key_pair;
use crate::peer::{Curve, Digest, Form, KeyPair, Operation};

type Object = *mut c_void;

/// Writes at most 256 bytes and says how many; 0 on failure.
type Step = unsafe extern "C" fn(Object, *const u8, usize, *mut u8) -> usize;

struct Functions {
    new: unsafe extern "C" fn(*const u8) -> Object,
    delete: unsafe extern "C" fn(Object),
    generate: unsafe extern "C" fn(Object, *mut u8) -> usize,
    sign: Step,
    verify: unsafe extern "C" fn(Object, *const u8, *const u8, usize) -> bool,
    verify_new_key: unsafe extern "C" fn(*const u8, *const u8, *const u8, usize) -> bool,
    encrypt: Step,
    decrypt: Step,
    _library: Rc<Library>,
}

/// What the functions write into.
const ROOM: usize = 256;

pub(super) fn open(library: &Rc<Library>) -> Result<Option<Box<dyn Curve>>, libloading::Error> {
    // SAFETY: the types are those in botan/peer.cpp, and the library is kept beside the functions.
    let functions = unsafe {
        Functions {
            new: *library.get(b"peer_sm2_new\0")?,
            delete: *library.get(b"peer_sm2_delete\0")?,
            generate: *library.get(b"peer_sm2_generate\0")?,
            sign: *library.get(b"peer_sm2_sign\0")?,
            verify: *library.get(b"peer_sm2_verify\0")?,
            verify_new_key: *library.get(b"peer_sm2_verify_new_key\0")?,
            encrypt: *library.get(b"peer_sm2_encrypt\0")?,
            decrypt: *library.get(b"peer_sm2_decrypt\0")?,
            _library: Rc::clone(library),
        }
    };
    let key = key_pair("SM2");
    // SAFETY: a private key has 32 bytes; null is checked.
    let object = unsafe { (functions.new)(key.private.as_ptr()) };
    if object.is_null() {
        return Ok(None);
    }
    Ok(Some(Box::new(Botan { functions, object })))
}

struct Botan {
    functions: Functions,
    object: Object,
}

impl Drop for Botan {
    fn drop(&mut self) {
        // SAFETY: alive or null, and nobody else has it.
        unsafe { (self.functions.delete)(self.object) }
    }
}

impl Botan {
    fn step(&self, step: Step, input: &[u8]) -> Vec<u8> {
        let mut out = vec![0; ROOM];
        // SAFETY: the object is alive; pointer and length belong together; `out` has the bytes that may be written.
        let length = unsafe { step(self.object, input.as_ptr(), input.len(), out.as_mut_ptr()) };
        out.truncate(length);
        out
    }
}

impl Curve for Botan {
    fn code_path(&self, _operation: Operation) -> String {
        "pcurves".to_owned()
    }

    fn form(&self) -> Form {
        Form::Der
    }

    fn set_key(&mut self, key: &KeyPair) {
        // SAFETY: a private key has 32 bytes; the old object is alive, and nobody else has it.
        unsafe {
            (self.functions.delete)(self.object);
            self.object = (self.functions.new)(key.private.as_ptr());
        }
    }

    fn sign(&mut self, e: &Digest) -> Vec<u8> {
        self.step(self.functions.sign, e)
    }

    fn verify(&mut self, e: &Digest, signature: &[u8]) -> bool {
        let (s, length) = (signature.as_ptr(), signature.len());
        // SAFETY: the object is alive; a digest has 32 bytes; pointer and length belong together.
        unsafe { (self.functions.verify)(self.object, e.as_ptr(), s, length) }
    }

    fn verify_new_key(&mut self, public: &[u8; 65], e: &Digest, signature: &[u8]) -> bool {
        let (s, length) = (signature.as_ptr(), signature.len());
        // SAFETY: a public key has 65 bytes, a digest 32; pointer and length belong together.
        unsafe { (self.functions.verify_new_key)(public.as_ptr(), e.as_ptr(), s, length) }
    }

    fn generate(&mut self) -> Vec<u8> {
        let mut out = vec![0; ROOM];
        // SAFETY: the object is alive; `out` has the bytes that may be written.
        let length = unsafe { (self.functions.generate)(self.object, out.as_mut_ptr()) };
        out.truncate(length);
        out
    }

    fn encrypt(&mut self, plaintext: &[u8]) -> Vec<u8> {
        self.step(self.functions.encrypt, plaintext)
    }

    fn decrypt(&mut self, ciphertext: &[u8]) -> Vec<u8> {
        self.step(self.functions.decrypt, ciphertext)
    }
}
