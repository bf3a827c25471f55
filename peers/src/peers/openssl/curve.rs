//! OpenSSL's SM2.

use std::ffi::{CStr, c_char, c_int, c_uchar, c_uint, c_void};
use std::ptr;
use std::rc::Rc;

use libloading::Library;

use super::{Api, Object};
use crate::known_answer::key_pair;
use crate::peer::{Curve, Digest, Form, KeyPair, Operation};

/// One of the four steps on a short input: output, its length, input.
type Step = unsafe extern "C" fn(Object, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;

/// The functions; they lie in the library of an [`Api`], which lives as long.
pub(super) struct Functions {
    context_by_name: unsafe extern "C" fn(Object, *const c_char, *const c_char) -> Object,
    context_of_key: unsafe extern "C" fn(Object, Object, *const c_char) -> Object,
    context_free: unsafe extern "C" fn(Object),
    key_free: unsafe extern "C" fn(Object),
    from_data_init: Init,
    from_data: unsafe extern "C" fn(Object, *mut Object, c_int, *const Parameter) -> c_int,
    generate_init: Init,
    generate: unsafe extern "C" fn(Object, *mut Object) -> c_int,
    encoded: unsafe extern "C" fn(Object, *mut *mut c_uchar) -> usize,
    free: unsafe extern "C" fn(*mut c_void, *const c_char, c_int),
    sign_init: Init,
    sign: Step,
    verify_init: Init,
    verify: unsafe extern "C" fn(Object, *const c_uchar, usize, *const c_uchar, usize) -> c_int,
    encrypt_init: Init,
    encrypt: Step,
    decrypt_init: Init,
    decrypt: Step,
}

type Init = unsafe extern "C" fn(Object) -> c_int;

/// OSSL_PARAM.
#[repr(C)]
struct Parameter {
    key: *const c_char,
    kind: c_uint,
    data: *const c_void,
    size: usize,
    returned: usize,
}

const UNSIGNED_INTEGER: c_uint = 2;
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;

/// EVP_PKEY_PUBLIC_KEY and EVP_PKEY_KEYPAIR.
const PUBLIC_KEY: c_int = 0x86;
const BOTH_KEYS: c_int = 0x87;

/// # Safety
/// The functions must not outlive the library.
pub(super) unsafe fn load(library: &Library) -> Result<Functions, libloading::Error> {
    // SAFETY: each type is the prototype that OpenSSL 3 documents for the name.
    unsafe {
        Ok(Functions {
            context_by_name: *library.get(b"EVP_PKEY_CTX_new_from_name\0")?,
            context_of_key: *library.get(b"EVP_PKEY_CTX_new_from_pkey\0")?,
            context_free: *library.get(b"EVP_PKEY_CTX_free\0")?,
            key_free: *library.get(b"EVP_PKEY_free\0")?,
            from_data_init: *library.get(b"EVP_PKEY_fromdata_init\0")?,
            from_data: *library.get(b"EVP_PKEY_fromdata\0")?,
            generate_init: *library.get(b"EVP_PKEY_keygen_init\0")?,
            generate: *library.get(b"EVP_PKEY_generate\0")?,
            encoded: *library.get(b"EVP_PKEY_get1_encoded_public_key\0")?,
            free: *library.get(b"CRYPTO_free\0")?,
            sign_init: *library.get(b"EVP_PKEY_sign_init\0")?,
            sign: *library.get(b"EVP_PKEY_sign\0")?,
            verify_init: *library.get(b"EVP_PKEY_verify_init\0")?,
            verify: *library.get(b"EVP_PKEY_verify\0")?,
            encrypt_init: *library.get(b"EVP_PKEY_encrypt_init\0")?,
            encrypt: *library.get(b"EVP_PKEY_encrypt\0")?,
            decrypt_init: *library.get(b"EVP_PKEY_decrypt_init\0")?,
            decrypt: *library.get(b"EVP_PKEY_decrypt\0")?,
        })
    }
}

pub(super) fn open(api: &Rc<Api>) -> Option<Box<dyn Curve>> {
    let name = c"SM2".as_ptr();
    // SAFETY: the name ends with zero; null is checked.
    let [making, generating] = [(); 2]
        .map(|()| unsafe { (api.curve.context_by_name)(ptr::null_mut(), name, ptr::null()) });
    let ready = !making.is_null()
        && !generating.is_null()
        // SAFETY: both contexts are alive.
        && unsafe {
            (api.curve.from_data_init)(making) == 1 && (api.curve.generate_init)(generating) == 1
        };
    if !ready {
        return None;
    }
    let mut curve = Evp {
        api: Rc::clone(api),
        making,
        generating,
        prepared: None,
    };
    curve.set_key(&key_pair("SM2"));
    Some(Box::new(curve))
}

struct Evp {
    api: Rc<Api>,
    /// Contexts that make keys from bytes, and new ones.
    making: Object,
    generating: Object,
    prepared: Option<Prepared>,
}

/// A key, and a context for each of its uses.
struct Prepared {
    api: Rc<Api>,
    key: Object,
    sign: Object,
    verify: Object,
    encrypt: Object,
    decrypt: Object,
}

impl Drop for Prepared {
    fn drop(&mut self) {
        // SAFETY: all of them are alive or null, and nobody else has them.
        unsafe {
            for context in [self.sign, self.verify, self.encrypt, self.decrypt] {
                (self.api.curve.context_free)(context);
            }
            (self.api.curve.key_free)(self.key);
        }
    }
}

impl Evp {
    /// A key from its bytes; null on failure.
    fn make(&self, public: &[u8; 65], private: Option<&[u8; 32]>) -> Object {
        let parameter = |key: &'static CStr, kind, data: &[u8]| Parameter {
            key: key.as_ptr(),
            kind,
            data: data.as_ptr().cast(),
            size: data.len(),
            returned: 0,
        };
        let end = Parameter {
            key: ptr::null(),
            kind: 0,
            data: ptr::null(),
            size: 0,
            returned: 0,
        };
        // Integers are in the machine's order.
        let mut number = private.copied().unwrap_or_default();
        if cfg!(target_endian = "little") {
            number.reverse();
        }
        // Some versions read the name as far as a zero, which the size does not count.
        let group = Parameter {
            size: 3,
            ..parameter(c"group", UTF8_STRING, b"SM2\0")
        };
        let public = parameter(c"pub", OCTET_STRING, public);
        let (parameters, what) = match private {
            Some(_) => {
                let private = parameter(c"priv", UNSIGNED_INTEGER, &number);
                (vec![group, public, private, end], BOTH_KEYS)
            }
            None => (vec![group, public, end], PUBLIC_KEY),
        };
        let mut key = ptr::null_mut();
        // SAFETY: the context is alive; the list ends with a null key, and what it points at is alive.
        unsafe {
            (self.api.curve.from_data)(self.making, &raw mut key, what, parameters.as_ptr());
        }
        key
    }

    /// A context that is ready for that use of the key; null on failure.
    fn context(&self, key: Object, init: Init) -> Object {
        // SAFETY: the key is alive or null, which OpenSSL refuses.
        unsafe {
            let context = (self.api.curve.context_of_key)(ptr::null_mut(), key, ptr::null());
            if context.is_null() || init(context) == 1 {
                return context;
            }
            (self.api.curve.context_free)(context);
        }
        ptr::null_mut()
    }

    fn prepared(&self) -> &Prepared {
        let prepared = self.prepared.as_ref();
        prepared.expect("a key is set when this is opened")
    }
}

/// Does a step whose output has at most 256 bytes.
fn step(step: Step, context: Object, input: &[u8]) -> Vec<u8> {
    let mut out = vec![0; 256];
    let mut length = out.len();
    // SAFETY: the context is alive or null, which OpenSSL refuses; the pointers are valid for their lengths.
    let done = unsafe {
        step(
            context,
            out.as_mut_ptr(),
            &raw mut length,
            input.as_ptr(),
            input.len(),
        ) == 1
    };
    out.truncate(if done { length } else { 0 });
    out
}

fn verifies(api: &Api, context: Object, e: &Digest, signature: &[u8]) -> bool {
    let (s, e_len) = (signature.as_ptr(), e.len());
    // SAFETY: as in `step`.
    unsafe { (api.curve.verify)(context, s, signature.len(), e.as_ptr(), e_len) == 1 }
}

impl Curve for Evp {
    fn code_path(&self, _operation: Operation) -> String {
        "EVP_PKEY, contexts used again".to_owned()
    }

    fn form(&self) -> Form {
        Form::Der
    }

    fn set_key(&mut self, key: &KeyPair) {
        let made = self.make(&key.public, Some(&key.private));
        let functions = &self.api.curve;
        self.prepared = Some(Prepared {
            api: Rc::clone(&self.api),
            key: made,
            sign: self.context(made, functions.sign_init),
            verify: self.context(made, functions.verify_init),
            encrypt: self.context(made, functions.encrypt_init),
            decrypt: self.context(made, functions.decrypt_init),
        });
    }

    fn sign(&mut self, e: &Digest) -> Vec<u8> {
        step(self.api.curve.sign, self.prepared().sign, e)
    }

    fn verify(&mut self, e: &Digest, signature: &[u8]) -> bool {
        verifies(&self.api, self.prepared().verify, e, signature)
    }

    fn verify_new_key(&mut self, public: &[u8; 65], e: &Digest, signature: &[u8]) -> bool {
        let key = self.make(public, None);
        let context = self.context(key, self.api.curve.verify_init);
        let accepted = verifies(&self.api, context, e, signature);
        // SAFETY: both are alive or null, and nobody else has them.
        unsafe {
            (self.api.curve.context_free)(context);
            (self.api.curve.key_free)(key);
        }
        accepted
    }

    fn generate(&mut self) -> Vec<u8> {
        let functions = &self.api.curve;
        let mut key = ptr::null_mut();
        let mut bytes = ptr::null_mut();
        // SAFETY: the context is alive; OpenSSL sets `bytes` to as many as it says, which are freed after
        // they were copied.
        unsafe {
            if (functions.generate)(self.generating, &raw mut key) != 1 {
                return Vec::new();
            }
            let length = (functions.encoded)(key, &raw mut bytes);
            let public = match bytes.is_null() {
                true => Vec::new(),
                false => std::slice::from_raw_parts(bytes, length).to_vec(),
            };
            (functions.free)(bytes.cast(), ptr::null(), 0);
            (functions.key_free)(key);
            public
        }
    }

    fn encrypt(&mut self, plaintext: &[u8]) -> Vec<u8> {
        step(self.api.curve.encrypt, self.prepared().encrypt, plaintext)
    }

    fn decrypt(&mut self, ciphertext: &[u8]) -> Vec<u8> {
        step(self.api.curve.decrypt, self.prepared().decrypt, ciphertext)
    }
}
