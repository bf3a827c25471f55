//! SM2.

use std::rc::Rc;

use shangmi::rng::OsRng;
use shangmi::sm2::{self, DEFAULT_ID, PrivateKey, PublicKey, Signature, Signer, Verifier};

use super::subject;
use crate::subjects::{
    Agreement, Agreements, Candidate, Digest, Encryption, EncryptionSchemes, SignatureSchemes,
    Signatures,
};

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
