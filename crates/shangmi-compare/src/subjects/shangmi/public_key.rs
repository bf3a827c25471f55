//! SM2.

use std::rc::Rc;

use shangmi::rng::OsRng;
use shangmi::sm2::{
    self, DEFAULT_ID, PreparedVerifier, PrivateKey, PublicKey, Signature, Signer, Verifier,
};

use super::subject;
use crate::subjects::{
    Agreement, Agreements, Candidate, Digest, Encryption, EncryptionSchemes, SignatureSchemes,
    Signatures,
};
use crate::workloads::one_time_nanoseconds;
use crate::workloads::public_key::KEY_PREPARED;

/// SM2 signatures under the default ID. Generates a key.
pub(crate) fn signature_schemes() -> SignatureSchemes {
    schemes::<Verifier>("SM3, default ID")
}

/// The same, verifying with a table of the key's own. Generates a key.
pub(crate) fn prepared_signature_schemes() -> SignatureSchemes {
    schemes::<Box<PreparedVerifier>>(KEY_PREPARED)
}

fn schemes<V: Verify>(variant: &str) -> SignatureSchemes {
    let Some(scheme) = Sm2Signatures::<V>::new() else {
        return Vec::new();
    };
    vec![Candidate {
        subject: subject("SM2", Some(variant), scheme.signer.backend()),
        object: Rc::new(scheme),
    }]
}

/// What is kept of a public key, and verifies.
trait Verify: Sized + 'static {
    fn of_key(key: &PublicKey) -> Option<Self>;
    fn verify(&self, message: &[u8], signature: &Signature) -> bool;
}

impl Verify for Verifier {
    fn of_key(key: &PublicKey) -> Option<Self> {
        Self::new(key, DEFAULT_ID).ok()
    }

    fn verify(&self, message: &[u8], signature: &Signature) -> bool {
        Self::verify(self, message, signature).is_ok()
    }
}

impl Verify for Box<PreparedVerifier> {
    fn of_key(key: &PublicKey) -> Option<Self> {
        Some(Self::new(PreparedVerifier::new(&Verifier::of_key(key)?)))
    }

    fn verify(&self, message: &[u8], signature: &Signature) -> bool {
        PreparedVerifier::verify(self, message, signature).is_ok()
    }
}

struct Sm2Signatures<V> {
    signer: Signer,
    public_key: PublicKey,
    verifier: V,
}

impl<V: Verify> Sm2Signatures<V> {
    fn new() -> Option<Self> {
        let key = PrivateKey::generate(&mut OsRng).ok()?;
        Some(Self {
            signer: Signer::new(&key, DEFAULT_ID).ok()?,
            public_key: *key.public_key(),
            verifier: V::of_key(key.public_key())?,
        })
    }
}

/// The point at the end of an uncompressed SPKI: its bit string comes last.
fn point_of_spki(public_key: &[u8]) -> Option<PublicKey> {
    let start = public_key.len().checked_sub(65)?;
    PublicKey::from_sec1(&public_key[start..]).ok()
}

impl<V: Verify> Signatures for Sm2Signatures<V> {
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
            .is_ok_and(|signature| self.verifier.verify(message, &signature))
    }

    fn verify_with(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> bool {
        let verifier = point_of_spki(public_key).and_then(|key| V::of_key(&key));
        let signature = Signature::from_slice(signature).ok();
        verifier
            .zip(signature)
            .is_some_and(|(verifier, signature)| verifier.verify(message, &signature))
    }

    fn preparation_nanoseconds(&self) -> Option<f64> {
        one_time_nanoseconds(|| V::of_key(&self.public_key))
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

/// C1 || C3 || C2 taken apart, C1 checked.
pub(super) fn parse_raw(ciphertext: &[u8]) -> Option<sm2::Ciphertext<'_>> {
    let (head, c2) = ciphertext.split_at_checked(HEAD_LEN)?;
    let c1 = PublicKey::from_sec1(&head[..65]).ok()?;
    let c3 = head[65..].try_into().ok()?;
    Some(sm2::Ciphertext { c1, c3, c2 })
}

/// Encrypts into C1 || C3 || C2; the number of its bytes.
pub(super) fn encrypt_raw(
    key: &PublicKey,
    plaintext: &[u8],
    ciphertext: &mut [u8],
) -> Option<usize> {
    let length = HEAD_LEN + plaintext.len();
    let (head, c2) = ciphertext.get_mut(..length)?.split_at_mut(HEAD_LEN);
    let made = sm2::encrypt(key, plaintext, c2, &mut OsRng).ok()?;
    head[..65].copy_from_slice(&made.c1.to_uncompressed());
    head[65..].copy_from_slice(&made.c3);
    Some(length)
}

fn decrypt_raw(key: &PrivateKey, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
    let parsed = parse_raw(ciphertext)?;
    let length = parsed.c2.len();
    sm2::decrypt(key, &parsed, plaintext.get_mut(..length)?).ok()?;
    Some(length)
}

impl Encryption for Sm2Encryption {
    fn encrypt(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Option<usize> {
        encrypt_raw(self.0.public_key(), plaintext, ciphertext)
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
