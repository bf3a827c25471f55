//! Signatures, encryption, agreement, and many operations at once.
use super::*;
use crate::subjects::{Agreement, Encryption, PublicKeyMany, RawSignature, Signatures};

/// Accepts every signature, or none from elsewhere.
struct BrokenSignatures {
    inner: Rc<dyn Signatures>,
    answer: bool,
}

impl Signatures for BrokenSignatures {
    fn generate_key(&self) -> bool {
        self.inner.generate_key()
    }

    fn sign(&self, message: &[u8], signature: &mut [u8]) -> Option<usize> {
        self.inner.sign(message, signature)
    }

    fn verify(&self, message: &[u8], signature: &[u8]) -> bool {
        self.inner.verify(message, signature)
    }

    fn verify_with(&self, _public_key: &[u8], _message: &[u8], _signature: &[u8]) -> bool {
        self.answer
    }
}

#[test]
fn signatures_that_accept_all_or_nothing_are_refused() {
    let candidate = aws_lc::p256_signatures(&Hardware::detect()).remove(0);
    assert_eq!(
        signatures(&candidate.subject, candidate.object.as_ref()),
        Ok(())
    );
    for (answer, expected) in [
        (true, "refuse it for another message"),
        (false, "verify a known signature"),
    ] {
        let object = BrokenSignatures {
            inner: Rc::clone(&candidate.object),
            answer,
        };
        let reason = reason(signatures(&candidate.subject, &object));
        assert!(reason.starts_with(expected), "{reason}");
    }
}

/// Does not encrypt at all.
struct Plain;

impl Encryption for Plain {
    fn encrypt(&self, plaintext: &[u8], ciphertext: &mut [u8]) -> Option<usize> {
        ciphertext[..plaintext.len()].copy_from_slice(plaintext);
        Some(plaintext.len())
    }

    fn decrypt(&self, ciphertext: &[u8], plaintext: &mut [u8]) -> Option<usize> {
        self.encrypt(ciphertext, plaintext)
    }

    fn decrypt_with(&self, _private_key: &[u8], _ciphertext: &[u8]) -> Option<Vec<u8>> {
        Some(b"encryption standard".to_vec())
    }
}

#[test]
fn encryption_that_takes_damaged_ciphertexts_is_refused() {
    let reason = reason(encryption(&subject("RSA-2048"), &Plain));
    assert!(
        reason.starts_with("refuse a damaged ciphertext"),
        "{reason}"
    );
}

/// Both sides have a secret, not the same one.
struct Disagreement;

impl Agreement for Disagreement {
    fn agree(&self) -> Option<Digest> {
        Some([1; 32])
    }

    fn agree_as_peer(&self) -> Option<Digest> {
        Some([2; 32])
    }
}

#[test]
fn agreement_without_agreement_is_refused() {
    assert!(reason(agreement(&Disagreement)).starts_with("both sides agree"));
}

/// What goes wrong in [`BrokenMany`].
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    /// A signature that does not fit spoils its neighbour's answer.
    Verify,
    /// The signature that is left over is wrong.
    Sign,
    /// Two signatures of different keys change places.
    Each,
    /// Damaged ciphertexts are said to be valid.
    Decrypt,
    Generate,
}

struct BrokenMany {
    inner: Rc<dyn PublicKeyMany>,
    fault: Fault,
}

impl PublicKeyMany for BrokenMany {
    fn with_key(&self, private_key: &[u8]) -> Option<Rc<dyn PublicKeyMany>> {
        Some(Rc::new(Self {
            inner: self.inner.with_key(private_key)?,
            fault: self.fault,
        }))
    }

    fn generate_keys(&self, count: usize) -> bool {
        self.fault != Fault::Generate && self.inner.generate_keys(count)
    }

    fn sign(&self, messages: &[&[u8]], signatures: &mut [RawSignature]) -> bool {
        let done = self.inner.sign(messages, signatures);
        if let (Fault::Sign, Some(last)) = (self.fault, signatures.last_mut()) {
            last[63] ^= 1;
        }
        done
    }

    fn verify(&self, messages: &[&[u8]], signatures: &[RawSignature], valid: &mut [bool]) -> bool {
        let done = self.inner.verify(messages, signatures, valid);
        if self.fault == Fault::Verify {
            valid[1] &= valid[0];
        }
        done
    }

    fn sign_each(&self, messages: &[&[u8]], signatures: &mut [RawSignature]) -> bool {
        let done = self.inner.sign_each(messages, signatures);
        if self.fault == Fault::Each {
            signatures.swap(1, 2);
        }
        done
    }

    fn verify_each(
        &self,
        messages: &[&[u8]],
        signatures: &[RawSignature],
        valid: &mut [bool],
    ) -> bool {
        self.inner.verify_each(messages, signatures, valid)
    }

    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>> {
        self.inner.encrypt(plaintext)
    }

    fn decrypt(
        &self,
        ciphertexts: &[&[u8]],
        plaintexts: &mut [&mut [u8]],
        valid: &mut [bool],
    ) -> bool {
        let done = self.inner.decrypt(ciphertexts, plaintexts, valid);
        if self.fault == Fault::Decrypt {
            valid.fill(true);
        }
        done
    }
}

#[test]
fn many_of_sm2_with_one_wrong_answer_are_refused() {
    let candidate = crate::subjects::shangmi::many_public_keys().remove(0);
    for (fault, expected) in [
        (Fault::None, None),
        (Fault::Verify, Some("verify many, some damaged")),
        (Fault::Sign, Some("verify many, some damaged")),
        (Fault::Each, Some("verify many, some damaged")),
        (Fault::Decrypt, Some("decrypt many, some damaged")),
        (Fault::Generate, Some("generate many keys")),
    ] {
        let object = BrokenMany {
            inner: Rc::clone(&candidate.object),
            fault,
        };
        let found = many_public_keys(&candidate.subject, &object);
        match expected {
            None => assert_eq!(found, Ok(()), "{fault:?}"),
            Some(expected) => assert!(reason(found).starts_with(expected), "{fault:?}"),
        }
    }
}

#[test]
fn a_prepared_verifier_passes_by_its_own_table() {
    let candidate = crate::subjects::shangmi::prepared_signature_schemes().remove(0);
    let found = signatures(&candidate.subject, candidate.object.as_ref());
    assert_eq!(found, Ok(()));
    assert!(candidate.object.preparation_nanoseconds().is_some());
}
