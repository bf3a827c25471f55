//! libgcrypt's SM2, whose arguments are S-expressions.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;
use std::rc::Rc;

use libloading::Library;

use crate::known_answer::key_pair;
use crate::peer::{Curve, Digest, Form, KeyPair, Operation};

type Object = *mut c_void;

/// `gcry_error_t`; zero is success.
type Error = c_uint;

/// From two expressions, a third.
type Step = unsafe extern "C" fn(*mut Object, Object, Object) -> Error;

struct Functions {
    build: unsafe extern "C" fn(*mut Object, *mut usize, *const c_char, ...) -> Error,
    release: unsafe extern "C" fn(Object),
    find: unsafe extern "C" fn(Object, *const c_char, usize) -> Object,
    nth: unsafe extern "C" fn(Object, c_int, *mut usize) -> *const c_char,
    generate: unsafe extern "C" fn(*mut Object, Object) -> Error,
    sign: Step,
    verify: unsafe extern "C" fn(Object, Object, Object) -> Error,
    encrypt: Step,
    decrypt: Step,
    _library: Rc<Library>,
}

fn load(library: &Rc<Library>) -> Result<Functions, libloading::Error> {
    // SAFETY: the types are the prototypes in gcrypt.h, and the library is kept beside the functions.
    unsafe {
        Ok(Functions {
            build: *library.get(b"gcry_sexp_build\0")?,
            release: *library.get(b"gcry_sexp_release\0")?,
            find: *library.get(b"gcry_sexp_find_token\0")?,
            nth: *library.get(b"gcry_sexp_nth_data\0")?,
            generate: *library.get(b"gcry_pk_genkey\0")?,
            sign: *library.get(b"gcry_pk_sign\0")?,
            verify: *library.get(b"gcry_pk_verify\0")?,
            encrypt: *library.get(b"gcry_pk_encrypt\0")?,
            decrypt: *library.get(b"gcry_pk_decrypt\0")?,
            _library: Rc::clone(library),
        })
    }
}

pub(super) fn open(library: &Rc<Library>) -> Option<Box<dyn Curve>> {
    let functions = Rc::new(load(library).ok()?);
    let empty = || Expression::none(&functions);
    let mut curve = Gcrypt {
        public: empty(),
        private: empty(),
        functions,
    };
    curve.set_key(&key_pair("SM2"));
    Some(Box::new(curve))
}

/// An expression, released in the end; null where one could not be made.
struct Expression {
    object: Object,
    functions: Rc<Functions>,
}

impl Drop for Expression {
    fn drop(&mut self) {
        // SAFETY: alive or null, and nobody else has it.
        unsafe { (self.functions.release)(self.object) }
    }
}

impl Expression {
    fn none(functions: &Rc<Functions>) -> Self {
        Self {
            object: ptr::null_mut(),
            functions: Rc::clone(functions),
        }
    }

    /// `format` has a `%b` for each of the three; what it has no place for is empty.
    fn new(functions: &Rc<Functions>, format: &CStr, parts: [&[u8]; 3]) -> Self {
        let mut made = Self::none(functions);
        let [a, b, c] = parts.map(|part| (part.len() as c_int, part.as_ptr()));
        // SAFETY: the format ends with zero and takes pairs of a length and a pointer, which belong together;
        // those that it does not ask for are not read.
        unsafe {
            let (object, format) = (&raw mut made.object, format.as_ptr());
            (functions.build)(
                object,
                ptr::null_mut(),
                format,
                a.0,
                a.1,
                b.0,
                b.1,
                c.0,
                c.1,
            );
        }
        made
    }

    fn step(&self, step: Step, key: &Self) -> Self {
        let mut made = Self::none(&self.functions);
        if !self.object.is_null() && !key.object.is_null() {
            // SAFETY: both are alive.
            unsafe { step(&raw mut made.object, self.object, key.object) };
        }
        made
    }

    /// What follows the name in the list that begins with it.
    fn value(&self, name: &CStr) -> Option<Vec<u8>> {
        if self.object.is_null() {
            return None;
        }
        let mut list = Self::none(&self.functions);
        let mut length = 0;
        // SAFETY: the expression is alive, the name ends with zero, and the data live as long as the list.
        unsafe {
            list.object = (self.functions.find)(self.object, name.as_ptr(), 0);
            if list.object.is_null() {
                return None;
            }
            let data = (self.functions.nth)(list.object, 1, &raw mut length);
            (!data.is_null()).then(|| std::slice::from_raw_parts(data.cast(), length).to_vec())
        }
    }

    /// A number or a string that the library takes for one, in as many bytes: zeros may be missing in front of
    /// it, and one too many where its first bit is set.
    fn number(&self, name: &CStr, length: usize) -> Option<Vec<u8>> {
        let value = self.value(name)?;
        let digits = value.iter().skip_while(|&&byte| byte == 0).copied();
        let digits: Vec<u8> = digits.collect();
        let mut padded = vec![0; length.checked_sub(digits.len())?];
        padded.extend(digits);
        Some(padded)
    }
}

struct Gcrypt {
    functions: Rc<Functions>,
    public: Expression,
    private: Expression,
}

impl Gcrypt {
    fn expression(&self, format: &CStr, parts: [&[u8]; 3]) -> Expression {
        Expression::new(&self.functions, format, parts)
    }

    fn public(&self, public: &[u8; 65]) -> Expression {
        let format = c"(public-key(ecc(curve sm2p256v1)(q %b)))";
        self.expression(format, [public, &[], &[]])
    }

    fn digest(&self, e: &Digest) -> Expression {
        self.expression(c"(data(flags sm2)(hash sm3 %b))", [e, &[], &[]])
    }

    fn accepts(&self, key: &Expression, e: &Digest, signature: &[u8]) -> bool {
        let (r, s) = signature.split_at(32);
        let signature = self.expression(c"(sig-val(sm2(r %b)(s %b)))", [r, s, &[]]);
        let e = self.digest(e);
        let made = [&signature, &e, key].map(|one| one.object);
        let whole = made.iter().all(|object| !object.is_null());
        // SAFETY: all three are alive.
        whole && unsafe { (self.functions.verify)(made[0], made[1], made[2]) == 0 }
    }
}

impl Curve for Gcrypt {
    fn code_path(&self, _operation: Operation) -> String {
        "gcry_pk".to_owned()
    }

    fn form(&self) -> Form {
        Form::Plain
    }

    fn set_key(&mut self, key: &KeyPair) {
        self.public = self.public(&key.public);
        let format = c"(private-key(ecc(curve sm2p256v1)(q %b)(d %b)))";
        self.private = self.expression(format, [&key.public, &key.private, &[]]);
    }

    fn sign(&mut self, e: &Digest) -> Vec<u8> {
        let made = self.digest(e).step(self.functions.sign, &self.private);
        let numbers = [c"r", c"s"].map(|name| made.number(name, 32).unwrap_or_default());
        numbers.concat()
    }

    fn verify(&mut self, e: &Digest, signature: &[u8]) -> bool {
        self.accepts(&self.public, e, signature)
    }

    fn verify_new_key(&mut self, public: &[u8; 65], e: &Digest, signature: &[u8]) -> bool {
        self.accepts(&self.public(public), e, signature)
    }

    fn generate(&mut self) -> Vec<u8> {
        let wanted = self.expression(c"(genkey(ecc(curve sm2p256v1)))", [&[]; 3]);
        let mut made = Expression::none(&self.functions);
        // SAFETY: the expression is alive, or null, which the library refuses.
        unsafe { (self.functions.generate)(&raw mut made.object, wanted.object) };
        made.value(c"q").unwrap_or_default()
    }

    fn encrypt(&mut self, plaintext: &[u8]) -> Vec<u8> {
        let data = self.expression(c"(data(flags sm2)(value %b))", [plaintext, &[], &[]]);
        let made = data.step(self.functions.encrypt, &self.public);
        let parts = [(c"a", 65), (c"b", 32), (c"c", plaintext.len())]
            .map(|(name, length)| made.number(name, length).unwrap_or_default());
        parts.concat()
    }

    fn decrypt(&mut self, ciphertext: &[u8]) -> Vec<u8> {
        let (c1, rest) = ciphertext.split_at(65);
        let (c3, c2) = rest.split_at(32);
        let format = c"(enc-val(flags sm2)(sm2(a %b)(b %b)(c %b)))";
        let made = self.expression(format, [c1, c3, c2]);
        let made = made.step(self.functions.decrypt, &self.private);
        made.number(c"value", c2.len()).unwrap_or_default()
    }
}
