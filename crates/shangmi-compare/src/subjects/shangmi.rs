//! Our own library: the SM side.

use std::rc::Rc;

use shangmi::modes::cbc::{CbcDecryptor, CbcEncryptor};
use shangmi::modes::ctr::Ctr;
use shangmi::modes::ecb;
use shangmi::modes::gcm::Sm4Gcm;
use shangmi::rng::OsRng;
use shangmi::sm2::{self, DEFAULT_ID, PrivateKey, PublicKey, Signature, Signer, Verifier};
use shangmi::sm3::hmac::HmacKey;
use shangmi::sm3::{self, Sm3};
use shangmi::sm4::Sm4;

use super::{
    Aead, Agreement, Agreements, Candidate, Cipher, CipherOperation, Ciphers, Digest, Encryption,
    EncryptionSchemes, Hash, HashMany, HashStream, Hashes, Mac, Macs, ManyHashes, SignatureSchemes,
    Signatures, Subject, Transform,
};
use crate::result::{Execution, Library, LibraryStatus, Side};
use crate::workloads::many::MANY_LANES;

/// The name in [`Row::subject`](crate::result::Row::subject).
pub(crate) const NAME: &str = "shangmi";

/// How the report introduces it.
pub(crate) fn library() -> Library {
    Library {
        name: NAME.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        note: "this project's own code: SM2, SM3 and SM4, constant-time".to_owned(),
        status: LibraryStatus::Used,
    }
}

fn subject(algorithm: &str, variant: Option<&str>, backend: &str) -> Subject {
    Subject {
        algorithm: algorithm.to_owned(),
        variant: variant.map(str::to_owned),
        library: NAME.to_owned(),
        backend: backend.to_owned(),
        side: Side::Sm,
        execution: execution(backend),
        constant_time: Some(true),
        security_bits: 128,
    }
}

/// A code path on instructions made for the algorithm bears the name of the algorithm.
pub(crate) fn execution(backend: &str) -> Execution {
    match backend {
        "sm3" | "sm4" => Execution::Hardware,
        _ => Execution::Software,
    }
}

/// SM3.
pub(crate) fn hashes() -> Hashes {
    let subject = subject("SM3", None, Sm3::new().backend());
    vec![Candidate {
        subject,
        object: Rc::new(OwnSm3),
    }]
}

struct OwnSm3;

impl Hash for OwnSm3 {
    fn digest(&self, message: &[u8]) -> Digest {
        sm3::digest(message)
    }

    fn stream(&self) -> Option<Box<dyn HashStream>> {
        Some(Box::new(Sm3::new()))
    }
}

impl HashStream for Sm3 {
    fn update(&mut self, part: &[u8]) {
        Self::update(self, part);
    }

    fn finish(&mut self) -> Digest {
        self.finalize_reset()
    }
}

/// SM3 over many messages.
pub(crate) fn many_hashes() -> ManyHashes {
    vec![Candidate {
        subject: subject("SM3", Some(MANY_LANES), sm3::many_backend()),
        object: Rc::new(OwnManySm3),
    }]
}

struct OwnManySm3;

impl HashMany for OwnManySm3 {
    fn digest_many(&self, messages: &[&[u8]], out: &mut [Digest]) -> bool {
        sm3::digest_many(messages, out).is_ok()
    }
}

/// HMAC-SM3.
pub(crate) fn macs() -> Macs {
    let mut subject = subject("HMAC-SM3", None, Sm3::new().backend());
    subject.security_bits = 256;
    let make = |key: &[u8]| -> Option<Box<dyn Mac>> { Some(Box::new(HmacKey::new(key))) };
    vec![Candidate {
        subject,
        object: Rc::new(make),
    }]
}

impl Mac for HmacKey {
    fn mac(&mut self, message: &[u8]) -> Digest {
        Self::mac(self, message)
    }

    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest {
        Self::new(key).mac(message)
    }
}

/// SM4.
pub(crate) fn ciphers() -> Ciphers {
    let subject = subject("SM4", None, ciphers_choice());
    vec![Candidate {
        subject,
        object: Rc::new(OwnSm4),
    }]
}

/// The implementation of SM4 that a key of this machine takes.
pub(crate) fn ciphers_choice() -> &'static str {
    Sm4::new(&[0; 16]).backend()
}

/// SM4 in every implementation of this machine, each named by the key that runs.
pub(crate) fn cipher_stages() -> Ciphers {
    let stage = |name: &'static str| {
        let sm4 = Sm4::with_backend(name, &[0; 16])?;
        Some(Candidate {
            subject: subject("SM4", Some(sm4.backend()), sm4.backend()),
            object: Rc::new(OwnSm4Stage(name)) as Rc<dyn Cipher>,
        })
    };
    Sm4::backends().into_iter().filter_map(stage).collect()
}

/// One implementation; the cipher itself, without modes.
struct OwnSm4Stage(&'static str);

impl Cipher for OwnSm4Stage {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        _iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        let cipher = Sm4::with_backend(self.0, key)?;
        match operation {
            CipherOperation::EcbEncrypt => {
                in_place(move |data| ecb::encrypt_in_place(&cipher, data))
            }
            CipherOperation::EcbDecrypt => {
                in_place(move |data| ecb::decrypt_in_place(&cipher, data))
            }
            _ => None,
        }
    }

    fn aead(&self, _key: &[u8; 16], _nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        None
    }
}

struct OwnSm4;

impl Cipher for OwnSm4 {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        let cipher = Sm4::new(key);
        let iv = *iv;
        match operation {
            CipherOperation::EcbEncrypt => {
                in_place(move |data| ecb::encrypt_in_place(&cipher, data))
            }
            CipherOperation::EcbDecrypt => {
                in_place(move |data| ecb::decrypt_in_place(&cipher, data))
            }
            CipherOperation::CbcEncrypt => {
                in_place(move |data| CbcEncryptor::new(&cipher, &iv).encrypt_in_place(data))
            }
            CipherOperation::CbcDecrypt => {
                in_place(move |data| CbcDecryptor::new(&cipher, &iv).decrypt_in_place(data))
            }
            CipherOperation::Ctr => {
                in_place(move |data| Ctr::new(&cipher, &iv).apply_in_place(data))
            }
            CipherOperation::GcmEncrypt | CipherOperation::GcmDecrypt => None,
        }
    }

    fn aead(&self, key: &[u8; 16], nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        Some(Box::new(OwnGcm {
            cipher: Sm4Gcm::new(key),
            nonce: *nonce,
        }))
    }
}

struct InPlace<F>(F);

fn in_place(
    apply: impl FnMut(&mut [u8]) -> shangmi::Result<()> + 'static,
) -> Option<Box<dyn Transform>> {
    Some(Box::new(InPlace(apply)))
}

impl<F: FnMut(&mut [u8]) -> shangmi::Result<()>> Transform for InPlace<F> {
    fn apply(&mut self, data: &mut [u8]) -> bool {
        (self.0)(data).is_ok()
    }
}

struct OwnGcm {
    cipher: Sm4Gcm,
    nonce: [u8; 12],
}

impl Aead for OwnGcm {
    fn seal(&mut self, aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
        self.cipher.seal_in_place(&self.nonce, aad, data).ok()
    }

    fn open(&mut self, aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
        self.cipher
            .open_in_place(&self.nonce, aad, data, tag)
            .is_ok()
    }
}

/// SM2 signatures under the default ID. Generates a key.
pub(crate) fn signature_schemes() -> SignatureSchemes {
    let Some(scheme) = Sm2Signatures::new() else {
        return Vec::new();
    };
    vec![Candidate {
        subject: subject("SM2", Some("SM3, default ID"), scheme.signer.backend()),
        object: Rc::new(scheme),
    }]
}

struct Sm2Signatures {
    signer: Signer,
    verifier: Verifier,
}

impl Sm2Signatures {
    fn new() -> Option<Self> {
        let key = PrivateKey::generate(&mut OsRng).ok()?;
        let signer = Signer::new(&key, DEFAULT_ID).ok()?;
        Some(Self {
            signer,
            verifier: Verifier::new(key.public_key(), DEFAULT_ID).ok()?,
        })
    }
}

/// The point at the end of an uncompressed SPKI: its bit string comes last.
fn point_of_spki(public_key: &[u8]) -> Option<PublicKey> {
    let start = public_key.len().checked_sub(65)?;
    PublicKey::from_sec1(&public_key[start..]).ok()
}

impl Signatures for Sm2Signatures {
    fn generate_key(&self) -> bool {
        PrivateKey::generate(&mut OsRng).is_ok()
    }

    fn sign(&self, message: &[u8], signature: &mut [u8]) -> Option<usize> {
        let made = self.signer.sign(message, &mut OsRng).ok()?.to_bytes();
        signature.get_mut(..made.len())?.copy_from_slice(&made);
        Some(made.len())
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature)
            .is_ok_and(|signature| self.verifier.verify(message, &signature).is_ok())
    }

    fn verify_with(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let Some(key) = point_of_spki(public_key) else {
            return false;
        };
        let (Ok(verifier), Ok(signature)) = (
            Verifier::new(&key, DEFAULT_ID),
            Signature::from_slice(signature),
        ) else {
            return false;
        };
        verifier.verify(message, &signature).is_ok()
    }
}

/// SM2 encryption; ciphertexts are C1 || C3 || C2. Generates a key.
pub(crate) fn encryption_schemes() -> EncryptionSchemes {
    let Ok(key) = PrivateKey::generate(&mut OsRng) else {
        return Vec::new();
    };
    let subject = subject("SM2", Some("SM3, C1C3C2"), key.backend());
    vec![Candidate {
        subject,
        object: Rc::new(Sm2Encryption(key)),
    }]
}

struct Sm2Encryption(PrivateKey);

/// Bytes of C1 and C3.
const HEAD_LEN: usize = 65 + 32;

fn decrypt_raw(key: &PrivateKey, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
    let (head, c2) = ciphertext.split_at_checked(HEAD_LEN)?;
    let c1 = PublicKey::from_sec1(&head[..65]).ok()?;
    let c3 = head[65..].try_into().ok()?;
    sm2::decrypt(
        key,
        &sm2::Ciphertext { c1, c3, c2 },
        plaintext.get_mut(..c2.len())?,
    )
    .ok()?;
    Some(c2.len())
}

impl Encryption for Sm2Encryption {
    fn encrypt(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Option<usize> {
        let length = HEAD_LEN + plaintext.len();
        let (head, c2) = ciphertext.get_mut(..length)?.split_at_mut(HEAD_LEN);
        let made = sm2::encrypt(self.0.public_key(), plaintext, c2, &mut OsRng).ok()?;
        head[..65].copy_from_slice(&made.c1.to_uncompressed());
        head[65..].copy_from_slice(&made.c3);
        Some(length)
    }

    fn decrypt(&self, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
        decrypt_raw(&self.0, ciphertext, plaintext)
    }

    fn decrypt_with(&self, private_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let key = PrivateKey::from_slice(private_key).ok()?;
        let mut plaintext = vec![0; ciphertext.len()];
        let length = decrypt_raw(&key, ciphertext, &mut plaintext)?;
        plaintext.truncate(length);
        Some(plaintext)
    }
}

/// Diffie-Hellman on SM2's curve.
pub(crate) fn agreements() -> Agreements {
    let (Ok(own), Ok(peer)) = (
        PrivateKey::generate(&mut OsRng),
        PrivateKey::generate(&mut OsRng),
    ) else {
        return Vec::new();
    };
    vec![Candidate {
        subject: subject("SM2", Some("ECDH"), own.backend()),
        object: Rc::new(Sm2Agreement { own, peer }),
    }]
}

struct Sm2Agreement {
    own: PrivateKey,
    peer: PrivateKey,
}

impl Agreement for Sm2Agreement {
    fn agree(&self) -> Option<Digest> {
        Some(*self.own.diffie_hellman(self.peer.public_key()))
    }

    fn agree_as_peer(&self) -> Option<Digest> {
        Some(*self.peer.diffie_hellman(self.own.public_key()))
    }
}
