//! The libraries under comparison, behind one small trait for each kind of operation.
//!
//! A library module yields [`Candidate`]s: a description and an object. `known_answer` decides which of
//! them are timed. A method answers `false` where the library reported a failure.

pub(crate) mod aws_lc;
pub(crate) mod libcrypto;
pub(crate) mod shangmi;
pub(crate) mod stages;

use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::result::{Execution, Side};

/// 32 bytes of digest or tag; zeros follow a shorter tag.
pub(crate) type Digest = [u8; 32];

/// What ran: the part of a row that the library knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Subject {
    pub(crate) algorithm: String,
    pub(crate) variant: Option<String>,
    pub(crate) library: String,
    pub(crate) backend: String,
    pub(crate) side: Side,
    pub(crate) execution: Execution,
    pub(crate) constant_time: Option<bool>,
    pub(crate) security_bits: u32,
}

/// A subject that has yet to pass its known answer.
#[derive(Clone)]
pub(crate) struct Candidate<T> {
    pub(crate) subject: Subject,
    pub(crate) object: T,
}

/// A hash function.
pub(crate) trait Hash {
    /// Hashes one message.
    fn digest(&self, message: &[u8]) -> Digest;
    /// A hasher that takes its message in parts; `None` where the subject has none.
    fn stream(&self) -> Option<Box<dyn HashStream>>;
}

/// A hasher that takes its message in parts.
pub(crate) trait HashStream {
    /// Takes the next part.
    fn update(&mut self, part: &[u8]);
    /// The digest of all parts; the hasher starts anew.
    fn finish(&mut self) -> Digest;
}

/// A hash function over many independent messages.
pub(crate) trait HashMany {
    /// Hashes each of `messages`; `false` when the library failed.
    fn digest_many(&self, messages: &[&[u8]], out: &mut [Digest]) -> bool;
}

/// A MAC whose key state is kept.
pub(crate) trait Mac {
    /// The tag of a message under the key that the object holds.
    fn mac(&mut self, message: &[u8]) -> Digest;
    /// The tag under a fresh key: key state and message.
    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest;
    /// The tags of many messages under the key that the object holds; `false` when the library failed.
    fn mac_many(&mut self, messages: &[&[u8]], out: &mut [Digest]) -> bool {
        for (message, tag) in messages.iter().zip(out) {
            *tag = self.mac(message);
        }
        true
    }
    /// The code that takes many messages at once; `None` where they are taken one after the other.
    fn many_backend(&self) -> Option<&'static str> {
        None
    }
}

/// The cipher operations that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CipherOperation {
    EcbEncrypt,
    EcbDecrypt,
    CbcEncrypt,
    CbcDecrypt,
    Ctr,
    /// IEEE 1619's, whose second key is the complement of the first here.
    XtsEncrypt,
    XtsDecrypt,
    GcmEncrypt,
    GcmDecrypt,
}

impl CipherOperation {
    /// All of them, in the report's order.
    pub(crate) const ALL: [Self; 9] = [
        Self::EcbEncrypt,
        Self::EcbDecrypt,
        Self::CbcEncrypt,
        Self::CbcDecrypt,
        Self::Ctr,
        Self::XtsEncrypt,
        Self::XtsDecrypt,
        Self::GcmEncrypt,
        Self::GcmDecrypt,
    ];

    /// The identifier in [`Row::operation`](crate::result::Row::operation).
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::EcbEncrypt => "ecb-encrypt",
            Self::EcbDecrypt => "ecb-decrypt",
            Self::CbcEncrypt => "cbc-encrypt",
            Self::CbcDecrypt => "cbc-decrypt",
            Self::Ctr => "ctr",
            Self::XtsEncrypt => "xts-encrypt",
            Self::XtsDecrypt => "xts-decrypt",
            Self::GcmEncrypt => "gcm-encrypt",
            Self::GcmDecrypt => "gcm-decrypt",
        }
    }

    /// The operation of that name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|operation| operation.name() == name)
    }

    /// Whether it takes a nonce and yields a tag.
    pub(crate) fn is_authenticated(self) -> bool {
        matches!(self, Self::GcmEncrypt | Self::GcmDecrypt)
    }
}

/// Both keys of XTS: `key` and its complement.
fn xts_key(key: &[u8; 16]) -> [u8; 32] {
    std::array::from_fn(|i| if i < 16 { key[i] } else { !key[i - 16] })
}

/// A cipher as a maker of mode objects; keys are scheduled when an object is made.
pub(crate) trait Cipher {
    /// An unauthenticated mode under `key`, from the same `iv` at each call; `None` where the library lacks it.
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>>;
    /// CBC encryption of many messages, each from the same `iv` at each call; one after the other where the library
    /// has no other way.
    fn cbc_encrypt_many(&self, key: &[u8; 16], iv: &[u8; 16]) -> Option<Box<dyn TransformMany>> {
        let mode = self.transform(CipherOperation::CbcEncrypt, key, iv)?;
        Some(Box::new(OneAfterOther(mode)))
    }
    /// GCM under `key` with a 12-byte nonce; `None` where the library lacks it.
    fn aead(&self, key: &[u8; 16], nonce: &[u8; 12]) -> Option<Box<dyn Aead>>;
}

/// A mode that changes a buffer in place.
pub(crate) trait Transform {
    /// Encrypts or decrypts whole blocks in place.
    fn apply(&mut self, data: &mut [u8]) -> bool;
}

/// A mode that changes many messages in place.
pub(crate) trait TransformMany {
    /// Encrypts whole blocks in place.
    fn apply(&mut self, messages: &mut [&mut [u8]]) -> bool;
    /// Whether the messages are taken at once.
    fn is_at_once(&self) -> bool;
}

struct OneAfterOther(Box<dyn Transform>);

impl TransformMany for OneAfterOther {
    fn apply(&mut self, messages: &mut [&mut [u8]]) -> bool {
        messages.iter_mut().all(|message| self.0.apply(message))
    }

    fn is_at_once(&self) -> bool {
        false
    }
}

/// An authenticated mode that changes a buffer in place.
pub(crate) trait Aead {
    /// Encrypts in place; `None` when the library failed.
    fn seal(&mut self, aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]>;
    /// Decrypts in place; `false` when the tag is wrong.
    fn open(&mut self, aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool;
    /// The code that runs, cipher and hash, where the object tells.
    fn backend(&self) -> Option<String> {
        None
    }
}

/// A signature scheme with a key pair of its own.
pub(crate) trait Signatures {
    /// Generates a key pair and throws it away.
    fn generate_key(&self) -> bool;
    /// Signs; `signature` receives the bytes and their number is returned, `None` on failure.
    fn sign(&self, message: &[u8], signature: &mut [u8]) -> Option<usize>;
    /// Verifies with the pair's public key.
    fn verify(&self, message: &[u8], signature: &[u8]) -> bool;
    /// Verifies with a public key (SPKI, DER) from elsewhere.
    fn verify_with(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> bool;
    /// Time that it takes to make of a public key what verifying keeps; `None` where the subject does not tell.
    fn preparation_nanoseconds(&self) -> Option<f64> {
        None
    }
}

/// A signature as its two numbers.
pub(crate) type RawSignature = [u8; 64];

/// Signatures and encryption of many messages at once, with a key pair of its own.
pub(crate) trait PublicKeyMany {
    /// The same with a private key (raw) from elsewhere.
    fn with_key(&self, private_key: &[u8]) -> Option<Rc<dyn PublicKeyMany>>;
    /// Generates key pairs and throws them away.
    fn generate_keys(&self, count: usize) -> bool;
    /// Signs each of `messages`; `false` when the library failed.
    fn sign(&self, messages: &[&[u8]], signatures: &mut [RawSignature]) -> bool;
    /// Says which of `signatures` are valid for the message at the same place; `false` when the library failed.
    fn verify(&self, messages: &[&[u8]], signatures: &[RawSignature], valid: &mut [bool]) -> bool;
    /// [`sign`](Self::sign) with another key for each message; as many keys as a workload has messages.
    fn sign_each(&self, messages: &[&[u8]], signatures: &mut [RawSignature]) -> bool;
    /// [`verify`](Self::verify) under those keys.
    fn verify_each(
        &self,
        messages: &[&[u8]],
        signatures: &[RawSignature],
        valid: &mut [bool],
    ) -> bool;
    /// Encrypts one message to the pair's public key.
    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>>;
    /// Decrypts each of `ciphertexts`, and says which are valid; `false` when the library failed.
    fn decrypt(
        &self,
        ciphertexts: &[&[u8]],
        plaintexts: &mut [&mut [u8]],
        valid: &mut [bool],
    ) -> bool;
}

/// Public-key encryption with a key pair of its own.
pub(crate) trait Encryption {
    /// Encrypts to the pair's public key; the number of bytes in `ciphertext`, `None` on failure.
    fn encrypt(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Option<usize>;
    /// Decrypts; the number of bytes in `plaintext`, `None` on failure.
    fn decrypt(&self, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize>;
    /// Decrypts with a private key (PKCS#8, DER) from elsewhere.
    fn decrypt_with(&self, private_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>>;
}

/// Diffie-Hellman with a static key pair on both sides.
pub(crate) trait Agreement {
    /// The shared secret (x coordinate) with the peer.
    fn agree(&self) -> Option<Digest>;
    /// The peer's computation of the same.
    fn agree_as_peer(&self) -> Option<Digest>;
}

/// A function from message to digest.
pub(crate) type DigestFn = fn(&[u8]) -> Digest;

/// Hash functions of every library.
pub(crate) type Hashes = Vec<Candidate<Rc<dyn Hash>>>;
/// Hash functions over many messages.
pub(crate) type ManyHashes = Vec<Candidate<Rc<dyn HashMany>>>;
/// Ciphers of every library.
pub(crate) type Ciphers = Vec<Candidate<Rc<dyn Cipher>>>;
/// Makers of MACs: an object keeps its key, so each lane makes its own.
pub(crate) type Macs = Vec<Candidate<MakeMac>>;
/// Makes a MAC object for a key.
pub(crate) type MakeMac = Rc<dyn Fn(&[u8]) -> Option<Box<dyn Mac>>>;
/// Signature schemes.
pub(crate) type SignatureSchemes = Vec<Candidate<Rc<dyn Signatures>>>;
/// Public-key operations over many messages.
pub(crate) type ManyPublicKeys = Vec<Candidate<Rc<dyn PublicKeyMany>>>;
/// Encryption schemes.
pub(crate) type EncryptionSchemes = Vec<Candidate<Rc<dyn Encryption>>>;
/// Key agreements.
pub(crate) type Agreements = Vec<Candidate<Rc<dyn Agreement>>>;
