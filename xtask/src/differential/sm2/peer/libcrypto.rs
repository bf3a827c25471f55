//! SM2 of the system's libcrypto (OpenSSL 3), found at run time and asked in this process.

use std::ffi::{CStr, c_char, c_int, c_long, c_uchar, c_void};
use std::path::Path;
use std::ptr;

use anyhow::{Result, bail, ensure};
use libloading::Library;

use super::{Answer, Port, Request, unhex};
use crate::differential::libcrypto::NAMES;

type Object = *mut c_void;
type Read = unsafe extern "C" fn(*mut Object, *mut *const c_uchar, c_long) -> Object;
type Free = unsafe extern "C" fn(Object);
type OfKey = unsafe extern "C" fn(Object, Object, *const c_char) -> Object;
type Init = unsafe extern "C" fn(Object) -> c_int;
/// Output, its length, input.
type Step = unsafe extern "C" fn(Object, *mut c_uchar, *mut usize, *const c_uchar, usize) -> c_int;
type DigestInit = unsafe extern "C" fn(Object, *mut Object, Object, Object, Object) -> c_int;
type Verify = unsafe extern "C" fn(Object, *const c_uchar, usize, *const c_uchar, usize) -> c_int;

/// Longest output: a ciphertext of 200 bytes, and more.
const LONGEST: usize = 1024;

/// The functions, and the library that they lie in.
struct Libcrypto {
    version: String,
    /// SM3. It is needed to the end of the process and never freed.
    md: Object,
    read_private: Read,
    read_public: Read,
    key_free: Free,
    encoded: unsafe extern "C" fn(Object, *mut *mut c_uchar) -> usize,
    free: unsafe extern "C" fn(*mut c_void, *const c_char, c_int),
    context_of_key: OfKey,
    context_free: Free,
    encrypt: (Init, Step),
    decrypt: (Init, Step),
    digest_new: unsafe extern "C" fn() -> Object,
    digest_free: Free,
    set_id: unsafe extern "C" fn(Object, *const c_void, c_int) -> c_int,
    sign: (DigestInit, Step),
    verify: (DigestInit, Verify),
    _library: Library,
}

// SAFETY: the algorithm is only read, and OpenSSL 3 lets any thread do so; all other objects live within a call.
unsafe impl Send for Libcrypto {}

pub(super) fn open(_root: &Path) -> Result<Box<dyn Port>> {
    let mut reason = String::new();
    for name in NAMES {
        // SAFETY: loading runs the initialisers of the system's own OpenSSL, which any program may load.
        match unsafe { Library::new(name) }.and_then(load) {
            Ok(found) if found.md.is_null() => reason = format!("{} has no SM3", found.version),
            Ok(found) => return Ok(Box::new(found)),
            Err(error) => reason = format!("no libcrypto of OpenSSL 3 ({error})"),
        }
    }
    bail!(reason)
}

fn load(library: Library) -> Result<Libcrypto, libloading::Error> {
    // SAFETY: each type is the prototype that OpenSSL 3 documents for the name, and the library is kept
    // beside the functions. The version (0) is a static string that ends with zero.
    unsafe {
        let version: unsafe extern "C" fn(c_int) -> *const c_char =
            *library.get(b"OpenSSL_version\0")?;
        let fetch: OfName = *library.get(b"EVP_MD_fetch\0")?;
        let step = |init: &[u8], step: &[u8]| Ok((*library.get(init)?, *library.get(step)?));
        Ok(Libcrypto {
            version: CStr::from_ptr(version(0)).to_string_lossy().into_owned(),
            md: fetch(ptr::null_mut(), c"SM3".as_ptr(), ptr::null()),
            read_private: *library.get(b"d2i_AutoPrivateKey\0")?,
            read_public: *library.get(b"d2i_PUBKEY\0")?,
            key_free: *library.get(b"EVP_PKEY_free\0")?,
            encoded: *library.get(b"EVP_PKEY_get1_encoded_public_key\0")?,
            free: *library.get(b"CRYPTO_free\0")?,
            context_of_key: *library.get(b"EVP_PKEY_CTX_new_from_pkey\0")?,
            context_free: *library.get(b"EVP_PKEY_CTX_free\0")?,
            encrypt: step(b"EVP_PKEY_encrypt_init\0", b"EVP_PKEY_encrypt\0")?,
            decrypt: step(b"EVP_PKEY_decrypt_init\0", b"EVP_PKEY_decrypt\0")?,
            digest_new: *library.get(b"EVP_MD_CTX_new\0")?,
            digest_free: *library.get(b"EVP_MD_CTX_free\0")?,
            set_id: *library.get(b"EVP_PKEY_CTX_set1_id\0")?,
            sign: (
                *library.get(b"EVP_DigestSignInit\0")?,
                *library.get(b"EVP_DigestSign\0")?,
            ),
            verify: (
                *library.get(b"EVP_DigestVerifyInit\0")?,
                *library.get(b"EVP_DigestVerify\0")?,
            ),
            _library: library,
        })
    }
}

type OfName = unsafe extern "C" fn(Object, *const c_char, *const c_char) -> Object;

/// An object of OpenSSL's, with what frees it.
struct Owned(Object, Free);

impl Owned {
    fn new(object: Object, free: Free) -> Result<Self> {
        ensure!(!object.is_null(), "OpenSSL makes no object of it");
        Ok(Self(object, free))
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: the object is alive, and nobody else frees it.
        unsafe { (self.1)(self.0) }
    }
}

/// PKCS#8 of d, without the public key, which OpenSSL then derives; and a public key's SPKI.
const PRIVATE_HEAD: &str = "3041020100301306072a8648ce3d020106082a811ccf5501822d042730250201010420";
const PUBLIC_HEAD: &str = "3059301306072a8648ce3d020106082a811ccf5501822d034200";

impl Libcrypto {
    fn key(&self, head: &str, bytes: &[u8], read: Read) -> Result<Owned> {
        let mut der = unhex(head).expect("the heads above are hexadecimal");
        der.extend_from_slice(bytes);
        let mut at = der.as_ptr();
        let length = c_long::try_from(der.len())?;
        // SAFETY: the bytes are alive, and as many as it says.
        let key = unsafe { read(ptr::null_mut(), &raw mut at, length) };
        Owned::new(key, self.key_free)
    }

    fn private(&self, d: &[u8]) -> Result<Owned> {
        self.key(PRIVATE_HEAD, d, self.read_private)
    }

    fn public(&self, point: &[u8]) -> Result<Owned> {
        self.key(PUBLIC_HEAD, point, self.read_public)
    }

    fn derive(&self, d: &[u8]) -> Result<Vec<u8>> {
        let key = self.private(d)?;
        let mut bytes = ptr::null_mut();
        // SAFETY: the key is alive; OpenSSL sets `bytes` to as many as it says, which are freed after they were
        // copied.
        unsafe {
            let length = (self.encoded)(key.0, &raw mut bytes);
            ensure!(!bytes.is_null(), "no public key");
            let public = std::slice::from_raw_parts(bytes, length).to_vec();
            (self.free)(bytes.cast(), ptr::null(), 0);
            Ok(public)
        }
    }

    /// A digest context for one message, with the ID.
    fn digest(&self, init: DigestInit, key: &Owned, id: &[u8]) -> Result<Owned> {
        // SAFETY: the function takes nothing.
        let context = Owned::new(unsafe { (self.digest_new)() }, self.digest_free)?;
        let mut inner = ptr::null_mut();
        let length = c_int::try_from(id.len())?;
        // SAFETY: all objects are alive; the inner context belongs to the outer; the ID has as many bytes as it says.
        let ready = unsafe {
            init(context.0, &raw mut inner, self.md, ptr::null_mut(), key.0) == 1
                && (self.set_id)(inner, id.as_ptr().cast(), length) == 1
        };
        ensure!(ready, "it takes no ID of {length} bytes");
        Ok(context)
    }

    fn sign(&self, key: &Owned, id: &[u8], message: &[u8]) -> Result<Vec<u8>> {
        let context = self.digest(self.sign.0, key, id)?;
        step(self.sign.1, &context, message)
    }

    fn verify(&self, key: &Owned, id: &[u8], message: &[u8], signature: &[u8]) -> Result<()> {
        let context = self.digest(self.verify.0, key, id)?;
        let (s, m) = (signature.as_ptr(), message.as_ptr());
        // SAFETY: the context is alive; the pointers are valid for their lengths.
        let valid = unsafe { (self.verify.1)(context.0, s, signature.len(), m, message.len()) };
        ensure!(valid == 1, "not valid");
        Ok(())
    }

    fn crypt(&self, (init, each): (Init, Step), key: &Owned, input: &[u8]) -> Result<Vec<u8>> {
        // SAFETY: the key is alive.
        let context = unsafe { (self.context_of_key)(ptr::null_mut(), key.0, ptr::null()) };
        let context = Owned::new(context, self.context_free)?;
        // SAFETY: the context is alive.
        ensure!(unsafe { init(context.0) } == 1, "not ready");
        step(each, &context, input)
    }

    fn handle(&self, request: &Request) -> Result<Vec<Vec<u8>>> {
        // It has one form of each, DER.
        let mut words = request.line().split(' ').filter(|word| *word != "der");
        let operation = words.next().unwrap_or_default();
        let arguments: Option<Vec<_>> = words.map(unhex).collect();
        let arguments: Vec<&[u8]> = arguments.iter().flatten().map(Vec::as_slice).collect();
        let bytes = match (operation, &arguments[..]) {
            // With the name, and the day after the number.
            ("version", []) => Ok(self.version.split(' ').nth(1).unwrap_or_default().into()),
            ("public", [d]) => self.derive(d),
            ("sign", [d, id, message]) => self.sign(&self.private(d)?, id, message),
            ("verify", [point, id, message, signature]) => {
                self.verify(&self.public(point)?, id, message, signature)?;
                return Ok(Vec::new());
            }
            ("encrypt", [point, text]) => self.crypt(self.encrypt, &self.public(point)?, text),
            ("decrypt", [d, text]) => self.crypt(self.decrypt, &self.private(d)?, text),
            _ => bail!("no such operation"),
        };
        Ok(vec![bytes?])
    }
}

/// Does a step whose output is short.
fn step(step: Step, context: &Owned, input: &[u8]) -> Result<Vec<u8>> {
    let mut out = vec![0; LONGEST];
    let mut length = out.len();
    let (to, from) = (out.as_mut_ptr(), input.as_ptr());
    // SAFETY: the context is alive; the pointers are valid for their lengths.
    let done = unsafe { step(context.0, to, &raw mut length, from, input.len()) };
    ensure!(done == 1, "OpenSSL does not do it");
    out.truncate(length);
    Ok(out)
}

impl Port for Libcrypto {
    fn answer(&mut self, requests: &[Request]) -> Result<Vec<Answer>> {
        let answer = |request| self.handle(request).map_err(|error| format!("{error:#}"));
        Ok(requests.iter().map(answer).collect())
    }
}
