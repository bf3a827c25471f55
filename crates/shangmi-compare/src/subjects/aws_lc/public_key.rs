//! RSA and P-256 of AWS-LC.

use std::rc::Rc;

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{self, ECDH_P256, PrivateKey, UnparsedPublicKey};
use aws_lc_rs::hkdf::{self, HKDF_SHA256, Salt};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::{
    KeySize, OAEP_SHA256_MGF1SHA256, OaepPrivateDecryptingKey, OaepPublicEncryptingKey,
    PrivateDecryptingKey,
};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair, ParsedPublicKey,
    RSA_PSS_2048_8192_SHA256, RSA_PSS_SHA256, RsaKeyPair, VerificationAlgorithm,
};

use super::super::{
    Agreement, Agreements, Candidate, Digest, Encryption, EncryptionSchemes, SignatureSchemes,
    Signatures, Subject,
};
use crate::hardware::{Hardware, Instructions};
use crate::known_answer;

fn subject(algorithm: &str, variant: &str, security_bits: u32, hardware: &Hardware) -> Subject {
    let backend = hardware.backend(Instructions::None);
    let mut subject = super::subject(algorithm, backend, hardware, Instructions::None);
    subject.variant = Some(variant.to_owned());
    subject.security_bits = security_bits;
    subject
}

/// RSA-2048 and RSA-3072 with PSS, and ECDSA on P-256. RSA's keys are the stored ones: making them takes seconds.
pub(crate) fn signature_schemes(hardware: &Hardware) -> SignatureSchemes {
    let mut schemes: SignatureSchemes = Vec::new();
    for (algorithm, size, security_bits) in RSA_SIZES {
        let key = stored_key(algorithm).and_then(|der| RsaKeyPair::from_pkcs8(der).ok());
        if let Some(scheme) = key.and_then(|key| Rsa::new(key, size)) {
            let subject = subject(algorithm, "PSS, SHA-256", security_bits, hardware);
            schemes.push(Candidate {
                subject,
                object: Rc::new(scheme),
            });
        }
    }
    schemes.extend(p256_signatures(hardware));
    schemes
}

/// ECDSA on P-256 alone. Generates the key.
pub(crate) fn p256_signatures(hardware: &Hardware) -> SignatureSchemes {
    let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).ok();
    let Some(scheme) = key.and_then(P256::new) else {
        return Vec::new();
    };
    vec![Candidate {
        subject: subject("P-256", "ECDSA, SHA-256", 128, hardware),
        object: Rc::new(scheme),
    }]
}

/// The private key of the known answers (PKCS#8, DER).
fn stored_key(algorithm: &str) -> Option<&'static [u8]> {
    known_answer::encoded_keys(algorithm).map(|(_, private)| private)
}

const RSA_SIZES: [(&str, KeySize, u32); 2] = [
    ("RSA-2048", KeySize::Rsa2048, 112),
    ("RSA-3072", KeySize::Rsa3072, 128),
];

fn verify_with(
    algorithm: &'static dyn VerificationAlgorithm,
    key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> bool {
    ParsedPublicKey::new(algorithm, key).is_ok_and(|key| key.verify_sig(message, signature).is_ok())
}

struct Rsa {
    size: KeySize,
    key: RsaKeyPair,
    public: ParsedPublicKey,
}

impl Rsa {
    fn new(key: RsaKeyPair, size: KeySize) -> Option<Self> {
        let public =
            ParsedPublicKey::new(&RSA_PSS_2048_8192_SHA256, key.public_key().as_ref()).ok()?;
        Some(Self { size, key, public })
    }
}

impl Signatures for Rsa {
    fn generate_key(&self) -> bool {
        RsaKeyPair::generate(self.size).is_ok()
    }

    fn sign(&self, message: &[u8], signature: &mut [u8]) -> Option<usize> {
        let length = self.key.public_modulus_len();
        self.key
            .sign(
                &RSA_PSS_SHA256,
                &SystemRandom::new(),
                message,
                signature.get_mut(..length)?,
            )
            .ok()?;
        Some(length)
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        self.public.verify_sig(message, signature).is_ok()
    }

    fn verify_with(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        verify_with(&RSA_PSS_2048_8192_SHA256, public_key, message, signature)
    }
}

struct P256 {
    key: EcdsaKeyPair,
    public: ParsedPublicKey,
}

impl P256 {
    fn new(key: EcdsaKeyPair) -> Option<Self> {
        let public =
            ParsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, key.public_key().as_ref()).ok()?;
        Some(Self { key, public })
    }
}

impl Signatures for P256 {
    fn generate_key(&self) -> bool {
        EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).is_ok()
    }

    fn sign(&self, message: &[u8], signature: &mut [u8]) -> Option<usize> {
        let made = self.key.sign(&SystemRandom::new(), message).ok()?;
        signature
            .get_mut(..made.as_ref().len())?
            .copy_from_slice(made.as_ref());
        Some(made.as_ref().len())
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        self.public.verify_sig(message, signature).is_ok()
    }

    fn verify_with(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        verify_with(&ECDSA_P256_SHA256_ASN1, public_key, message, signature)
    }
}

/// RSA-2048 and RSA-3072 with OAEP under the stored keys, and what takes its place on P-256.
pub(crate) fn encryption_schemes(hardware: &Hardware) -> EncryptionSchemes {
    let mut schemes: EncryptionSchemes = Vec::new();
    for (algorithm, _, security_bits) in RSA_SIZES {
        let key = stored_key(algorithm).and_then(|der| PrivateDecryptingKey::from_pkcs8(der).ok());
        if let Some(scheme) = key.and_then(Oaep::new) {
            let subject = subject(algorithm, "OAEP, SHA-256", security_bits, hardware);
            schemes.push(Candidate {
                subject,
                object: Rc::new(scheme),
            });
        }
    }
    if let Some(scheme) = Ecies::new() {
        let subject = subject(
            "P-256",
            "ephemeral ECDH, HKDF-SHA256, AES-128-GCM",
            128,
            hardware,
        );
        schemes.push(Candidate {
            subject,
            object: Rc::new(scheme),
        });
    }
    schemes
}

struct Oaep {
    public: OaepPublicEncryptingKey,
    private: OaepPrivateDecryptingKey,
}

impl Oaep {
    fn new(key: PrivateDecryptingKey) -> Option<Self> {
        let public = OaepPublicEncryptingKey::new(key.public_key()).ok()?;
        Some(Self {
            public,
            private: OaepPrivateDecryptingKey::new(key).ok()?,
        })
    }
}

impl Encryption for Oaep {
    fn encrypt(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Option<usize> {
        self.public
            .encrypt(&OAEP_SHA256_MGF1SHA256, plaintext, ciphertext, None)
            .ok()
            .map(|written| written.len())
    }

    fn decrypt(&self, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
        self.private
            .decrypt(&OAEP_SHA256_MGF1SHA256, ciphertext, plaintext, None)
            .ok()
            .map(|written| written.len())
    }

    fn decrypt_with(&self, private_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let key =
            OaepPrivateDecryptingKey::new(PrivateDecryptingKey::from_pkcs8(private_key).ok()?)
                .ok()?;
        let mut plaintext = vec![0; key.min_output_size()];
        key.decrypt(&OAEP_SHA256_MGF1SHA256, ciphertext, &mut plaintext, None)
            .ok()
            .map(|written| written.to_vec())
    }
}

/// Length of an uncompressed P-256 point.
const POINT_LEN: usize = 65;
const TAG_LEN: usize = 16;

/// P-256 has no encryption of its own: this is the usual hybrid, doing the like work as SM2's.
struct Ecies {
    key: PrivateKey,
    public: Vec<u8>,
}

impl Ecies {
    fn new() -> Option<Self> {
        let key = PrivateKey::generate(&ECDH_P256).ok()?;
        let public = key.compute_public_key().ok()?.as_ref().to_vec();
        Some(Self { key, public })
    }
}

/// The content key from the shared secret and the ephemeral public key.
fn content_key(secret: &[u8], ephemeral: &[u8]) -> Option<LessSafeKey> {
    let mut key = [0; 16];
    let prk = Salt::new(HKDF_SHA256, &[]).extract(secret);
    prk.expand(&[ephemeral], Length(key.len()))
        .ok()?
        .fill(&mut key)
        .ok()?;
    Some(LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).ok()?))
}

struct Length(usize);

impl hkdf::KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn decrypt_hybrid(key: &PrivateKey, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
    let (ephemeral, sealed) = ciphertext.split_at_checked(POINT_LEN)?;
    let content = agreement::agree(
        key,
        UnparsedPublicKey::new(&ECDH_P256, ephemeral),
        (),
        |secret| content_key(secret, ephemeral).ok_or(()),
    );
    let data = plaintext.get_mut(..sealed.len())?;
    data.copy_from_slice(sealed);
    let opened = content
        .ok()?
        .open_in_place(Nonce::assume_unique_for_key([0; 12]), Aad::empty(), data)
        .ok()?;
    Some(opened.len())
}

impl Encryption for Ecies {
    fn encrypt(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Option<usize> {
        let ephemeral = PrivateKey::generate(&ECDH_P256).ok()?;
        let point = ephemeral.compute_public_key().ok()?;
        let peer = UnparsedPublicKey::new(&ECDH_P256, &self.public);
        let content = agreement::agree(&ephemeral, peer, (), |secret| {
            content_key(secret, point.as_ref()).ok_or(())
        });
        let length = POINT_LEN + plaintext.len() + TAG_LEN;
        let (head, body) = ciphertext.get_mut(..length)?.split_at_mut(POINT_LEN);
        head.copy_from_slice(point.as_ref());
        let (data, tag) = body.split_at_mut(plaintext.len());
        data.copy_from_slice(plaintext);
        let nonce = Nonce::assume_unique_for_key([0; 12]);
        tag.copy_from_slice(
            content
                .ok()?
                .seal_in_place_separate_tag(nonce, Aad::empty(), data)
                .ok()?
                .as_ref(),
        );
        Some(length)
    }

    fn decrypt(&self, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
        decrypt_hybrid(&self.key, ciphertext, plaintext)
    }

    fn decrypt_with(&self, private_key: &[u8], ciphertext: &[u8]) -> Option<Vec<u8>> {
        let key = PrivateKey::from_private_key_der(&ECDH_P256, private_key).ok()?;
        let mut plaintext = vec![0; ciphertext.len()];
        let length = decrypt_hybrid(&key, ciphertext, &mut plaintext)?;
        plaintext.truncate(length);
        Some(plaintext)
    }
}

/// ECDH on P-256.
pub(crate) fn agreements(hardware: &Hardware) -> Agreements {
    let Some(pair) = Ecdh::new() else {
        return Vec::new();
    };
    vec![Candidate {
        subject: subject("P-256", "ECDH", 128, hardware),
        object: Rc::new(pair),
    }]
}

struct Ecdh {
    own: Ecies,
    peer: Ecies,
}

impl Ecdh {
    fn new() -> Option<Self> {
        Some(Self {
            own: Ecies::new()?,
            peer: Ecies::new()?,
        })
    }
}

fn shared(key: &PrivateKey, public: &[u8]) -> Option<Digest> {
    agreement::agree(
        key,
        UnparsedPublicKey::new(&ECDH_P256, public),
        (),
        |secret| secret.try_into().map_err(|_| ()),
    )
    .ok()
}

impl Agreement for Ecdh {
    fn agree(&self) -> Option<Digest> {
        shared(&self.own.key, &self.peer.public)
    }

    fn agree_as_peer(&self) -> Option<Digest> {
        shared(&self.peer.key, &self.own.public)
    }
}
