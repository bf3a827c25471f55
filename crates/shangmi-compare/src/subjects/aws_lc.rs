//! AWS-LC, through aws-lc-rs: the international side.

mod public_key;

use std::rc::Rc;

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::cipher::{
    AES_128, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext, UnboundCipherKey,
};
use aws_lc_rs::iv::FixedLength;
use aws_lc_rs::{cmac, digest, hmac};

use super::{
    Aead, Candidate, Cipher, CipherOperation, Ciphers, Digest, Hash, HashStream, Hashes, Mac, Macs,
    MakeMac, Subject, Transform,
};
use crate::hardware::{Hardware, Instructions};
use crate::result::{Library, LibraryStatus, Side};

pub(crate) use public_key::{agreements, encryption_schemes, p256_signatures, signature_schemes};

/// The name in [`Row::subject`](crate::result::Row::subject).
pub(crate) const NAME: &str = "aws-lc";

/// How the report introduces it.
pub(crate) fn library() -> Library {
    Library {
        name: NAME.to_owned(),
        version: env!("SHANGMI_COMPARE_AWS_LC").to_owned(),
        note: "AWS-LC through the crate aws-lc-rs, built into this program: SHA-256, AES-128, RSA and P-256".to_owned(),
        status: LibraryStatus::Used,
    }
}

fn subject(
    algorithm: &str,
    backend: String,
    hardware: &Hardware,
    instructions: Instructions,
) -> Subject {
    Subject {
        algorithm: algorithm.to_owned(),
        variant: None,
        library: NAME.to_owned(),
        backend,
        side: Side::International,
        execution: hardware.execution(instructions),
        constant_time: Some(true),
        security_bits: 128,
    }
}

/// SHA-256.
pub(crate) fn hashes(hardware: &Hardware) -> Hashes {
    let subject = subject(
        "SHA-256",
        hardware.backend(Instructions::Sha256),
        hardware,
        Instructions::Sha256,
    );
    vec![Candidate {
        subject,
        object: Rc::new(Sha256),
    }]
}

struct Sha256;

impl Hash for Sha256 {
    fn digest(&self, message: &[u8]) -> Digest {
        array(digest::digest(&digest::SHA256, message).as_ref())
    }

    fn stream(&self) -> Option<Box<dyn HashStream>> {
        Some(Box::new(Sha256Stream(digest::Context::new(
            &digest::SHA256,
        ))))
    }
}

struct Sha256Stream(digest::Context);

impl HashStream for Sha256Stream {
    fn update(&mut self, part: &[u8]) {
        self.0.update(part);
    }

    fn finish(&mut self) -> Digest {
        let done = std::mem::replace(&mut self.0, digest::Context::new(&digest::SHA256));
        array(done.finish().as_ref())
    }
}

/// The first 32 bytes, or zeros: a wrong length then fails the known answer.
fn array(bytes: &[u8]) -> Digest {
    bytes.try_into().unwrap_or_default()
}

/// HMAC-SHA256.
pub(crate) fn macs(hardware: &Hardware) -> Macs {
    let mut subject = subject(
        "HMAC-SHA256",
        hardware.backend(Instructions::Sha256),
        hardware,
        Instructions::Sha256,
    );
    subject.security_bits = 256;
    let make = |key: &[u8]| -> Option<Box<dyn Mac>> {
        Some(Box::new(HmacSha256(hmac::Key::new(hmac::HMAC_SHA256, key))))
    };
    let hmac = Candidate {
        subject,
        object: Rc::new(make) as MakeMac,
    };
    vec![hmac, cmac_candidate(hardware)]
}

fn cmac_candidate(hardware: &Hardware) -> Candidate<MakeMac> {
    let make = |key: &[u8]| -> Option<Box<dyn Mac>> {
        Some(Box::new(CmacAes(cmac::Key::new(cmac::AES_128, key).ok()?)))
    };
    Candidate {
        subject: subject(
            "CMAC-AES-128",
            hardware.backend(Instructions::Aes),
            hardware,
            Instructions::Aes,
        ),
        object: Rc::new(make),
    }
}

struct CmacAes(cmac::Key);

fn cmac_tag(key: &cmac::Key, message: &[u8]) -> Digest {
    let mut tag = [0; 32];
    if let Ok(made) = cmac::sign(key, message) {
        tag[..16].copy_from_slice(made.as_ref());
    }
    tag
}

impl Mac for CmacAes {
    fn mac(&mut self, message: &[u8]) -> Digest {
        cmac_tag(&self.0, message)
    }

    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest {
        cmac::Key::new(cmac::AES_128, key).map_or([0; 32], |key| cmac_tag(&key, message))
    }
}

struct HmacSha256(hmac::Key);

impl Mac for HmacSha256 {
    fn mac(&mut self, message: &[u8]) -> Digest {
        array(hmac::sign(&self.0, message).as_ref())
    }

    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest {
        array(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), message).as_ref())
    }
}

/// AES-128.
pub(crate) fn ciphers(hardware: &Hardware) -> Ciphers {
    let subject = subject(
        "AES-128",
        hardware.backend(Instructions::Aes),
        hardware,
        Instructions::Aes,
    );
    vec![Candidate {
        subject,
        object: Rc::new(Aes128),
    }]
}

struct Aes128;

impl Cipher for Aes128 {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        let unbound = UnboundCipherKey::new(&AES_128, key).ok()?;
        let iv = *iv;
        match operation {
            CipherOperation::EcbEncrypt => encryptor(EncryptingKey::ecb(unbound).ok()?, || {
                EncryptionContext::None
            }),
            CipherOperation::EcbDecrypt => decryptor(DecryptingKey::ecb(unbound).ok()?, || {
                DecryptionContext::None
            }),
            CipherOperation::CbcEncrypt => {
                encryptor(EncryptingKey::cbc(unbound).ok()?, move || {
                    EncryptionContext::Iv128(FixedLength::from(iv))
                })
            }
            CipherOperation::CbcDecrypt => {
                decryptor(DecryptingKey::cbc(unbound).ok()?, move || {
                    DecryptionContext::Iv128(FixedLength::from(iv))
                })
            }
            CipherOperation::Ctr => encryptor(EncryptingKey::ctr(unbound).ok()?, move || {
                EncryptionContext::Iv128(FixedLength::from(iv))
            }),
            CipherOperation::XtsEncrypt
            | CipherOperation::XtsDecrypt
            | CipherOperation::GcmEncrypt
            | CipherOperation::GcmDecrypt => None,
        }
    }

    fn aead(&self, key: &[u8; 16], nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, key).ok()?);
        Some(Box::new(AesGcm { key, nonce: *nonce }))
    }
}

struct Encryptor<F> {
    key: EncryptingKey,
    context: F,
}

fn encryptor(
    key: EncryptingKey,
    context: impl Fn() -> EncryptionContext + 'static,
) -> Option<Box<dyn Transform>> {
    Some(Box::new(Encryptor { key, context }))
}

impl<F: Fn() -> EncryptionContext> Transform for Encryptor<F> {
    fn apply(&mut self, data: &mut [u8]) -> bool {
        self.key.less_safe_encrypt(data, (self.context)()).is_ok()
    }
}

struct Decryptor<F> {
    key: DecryptingKey,
    context: F,
}

fn decryptor(
    key: DecryptingKey,
    context: impl Fn() -> DecryptionContext + 'static,
) -> Option<Box<dyn Transform>> {
    Some(Box::new(Decryptor { key, context }))
}

impl<F: Fn() -> DecryptionContext> Transform for Decryptor<F> {
    fn apply(&mut self, data: &mut [u8]) -> bool {
        self.key.decrypt(data, (self.context)()).is_ok()
    }
}

struct AesGcm {
    key: LessSafeKey,
    nonce: [u8; 12],
}

impl Aead for AesGcm {
    fn seal(&mut self, aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
        let nonce = Nonce::assume_unique_for_key(self.nonce);
        let tag = self
            .key
            .seal_in_place_separate_tag(nonce, Aad::from(aad), data)
            .ok()?;
        tag.as_ref().try_into().ok()
    }

    fn open(&mut self, aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
        let nonce = Nonce::assume_unique_for_key(self.nonce);
        self.key
            .open_in_place_separate_tag(nonce, Aad::from(aad), tag, data)
            .is_ok()
    }
}
