//! Every kind of broken subject is refused, with a reason.

use std::rc::Rc;

use super::*;
use crate::hardware::Hardware;
use crate::result::{Execution, Side};
use crate::subjects::{
    Aead, Agreement, Cipher, CipherOperation, Digest, Encryption, HashStream, MakeMac,
    PublicKeyMany, RawSignature, Signatures, Transform, aws_lc,
};

fn subject(algorithm: &str) -> Subject {
    Subject {
        algorithm: algorithm.to_owned(),
        variant: None,
        library: "broken".to_owned(),
        backend: "none".to_owned(),
        side: Side::International,
        execution: Execution::Software,
        constant_time: None,
        security_bits: 0,
    }
}

/// The reason for which `check` refuses.
fn reason(check: Result<(), String>) -> String {
    check.expect_err("a broken subject must be refused")
}

/// SHA-256 whose long messages, or whose stream, are wrong.
struct BrokenHash {
    longest: usize,
    stream: bool,
}

impl Hash for BrokenHash {
    fn digest(&self, message: &[u8]) -> Digest {
        reference::sha256::digest(&message[..message.len().min(self.longest)])
    }

    fn stream(&self) -> Option<Box<dyn HashStream>> {
        self.stream
            .then(|| Box::new(NeverReset(Vec::new())) as Box<dyn HashStream>)
    }
}

/// A stream that does not start anew.
struct NeverReset(Vec<u8>);

impl HashStream for NeverReset {
    fn update(&mut self, part: &[u8]) {
        self.0.extend_from_slice(part);
    }

    fn finish(&mut self) -> Digest {
        reference::sha256::digest(&self.0)
    }
}

#[test]
fn broken_hash_is_refused_and_listed() {
    let candidates: Vec<Candidate<Rc<dyn Hash>>> =
        [(3, false), (usize::MAX, true), (usize::MAX, false)]
            .into_iter()
            .map(|(longest, stream)| Candidate {
                subject: subject("SHA-256"),
                object: Rc::new(BrokenHash { longest, stream }) as Rc<dyn Hash>,
            })
            .collect();
    let mut refused = Vec::new();
    let admitted = admit(Group::Hash, candidates, &mut refused, |candidate| {
        hash(&candidate.subject, candidate.object.as_ref())
    });
    assert_eq!(admitted.len(), 1, "the one that is right passes");
    assert_eq!(refused.len(), 2);
    assert!(
        refused[0]
            .reason
            .starts_with("digest of 192 bytes: expected 4bdaf0"),
        "{:?}",
        refused[0]
    );
    assert!(refused[1].reason.contains("in parts"), "{:?}", refused[1]);
    assert_eq!(
        (refused[0].group, refused[0].subject.as_str()),
        (Group::Hash, "broken")
    );
}

#[test]
fn another_algorithm_is_refused() {
    let sha256 = BrokenHash {
        longest: usize::MAX,
        stream: false,
    };
    assert!(reason(hash(&subject("SM3"), &sha256)).contains("expected 66c7f0"));
    assert!(reason(hash(&subject("MD5"), &sha256)).contains("no known answer"));
}

/// Keeps the first key for ever.
struct DeafMac(Box<dyn Mac>);

impl Mac for DeafMac {
    fn mac(&mut self, message: &[u8]) -> Digest {
        self.0.mac(message)
    }

    fn mac_with_key(&mut self, _key: &[u8], message: &[u8]) -> Digest {
        self.0.mac(message)
    }
}

/// Leaves the last of many messages out.
struct ShortMac(Box<dyn Mac>);

impl Mac for ShortMac {
    fn mac(&mut self, message: &[u8]) -> Digest {
        self.0.mac(message)
    }

    fn mac_with_key(&mut self, key: &[u8], message: &[u8]) -> Digest {
        self.0.mac_with_key(key, message)
    }

    fn mac_many(&mut self, messages: &[&[u8]], out: &mut [Digest]) -> bool {
        let rest = messages.len() - 1;
        self.0.mac_many(&messages[..rest], &mut out[..rest])
    }
}

#[test]
fn a_mac_that_ignores_its_new_key_or_a_message_is_refused() {
    let mut all = aws_lc::macs(&Hardware::detect());
    all.extend(crate::subjects::shangmi::macs());
    assert_eq!(all.len(), 4);
    for candidate in all {
        let (subject, make) = (&candidate.subject, &candidate.object);
        assert_eq!(mac(subject, make), Ok(()), "{}", subject.algorithm);
        let inner = Rc::clone(make);
        let deaf: MakeMac = Rc::new(move |key| Some(Box::new(DeafMac(inner(key)?))));
        assert!(reason(mac(subject, &deaf)).contains("depends on the key"));
        let inner = Rc::clone(make);
        let short: MakeMac = Rc::new(move |key| Some(Box::new(ShortMac(inner(key)?))));
        assert!(reason(mac(subject, &short)).starts_with("tag of message 65"));
        let none: MakeMac = Rc::new(|_| None);
        assert!(reason(mac(subject, &none)).contains("not accepted"));
    }
}

/// AES-128 with one operation that does nothing.
struct BrokenCipher {
    inner: Rc<dyn Cipher>,
    broken: CipherOperation,
}

struct Nothing;

impl Transform for Nothing {
    fn apply(&mut self, _data: &mut [u8]) -> bool {
        true
    }
}

/// Opens without looking at the tag.
struct Trusting(Box<dyn Aead>);

impl Aead for Trusting {
    fn seal(&mut self, aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
        self.0.seal(aad, data)
    }

    fn open(&mut self, aad: &[u8], data: &mut [u8], _tag: &[u8; 16]) -> bool {
        self.0.seal(aad, data).is_some()
    }
}

impl Cipher for BrokenCipher {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        if operation == self.broken {
            Some(Box::new(Nothing))
        } else {
            self.inner.transform(operation, key, iv)
        }
    }

    fn aead(&self, key: &[u8; 16], nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        let aead = self.inner.aead(key, nonce)?;
        Some(if self.broken == CipherOperation::GcmDecrypt {
            Box::new(Trusting(aead))
        } else {
            aead
        })
    }
}

#[test]
fn cipher_with_one_broken_mode_is_refused() {
    let candidate = aws_lc::ciphers(&Hardware::detect()).remove(0);
    assert_eq!(
        cipher(&candidate.subject, candidate.object.as_ref()),
        Ok(())
    );
    for broken in CipherOperation::ALL {
        if broken == CipherOperation::GcmEncrypt {
            continue;
        }
        let object = BrokenCipher {
            inner: Rc::clone(&candidate.object),
            broken,
        };
        let reason = reason(cipher(&candidate.subject, &object));
        assert!(reason.starts_with(broken.name()), "{reason}");
    }
}

/// Flips a bit of the last block of what it encrypts: of every text, or of long ones only.
struct Flipping {
    inner: Rc<dyn Cipher>,
    from_length: usize,
}

struct FlippingTransform(Box<dyn Transform>, usize);

impl Transform for FlippingTransform {
    fn apply(&mut self, data: &mut [u8]) -> bool {
        let done = self.0.apply(data);
        if data.len() >= self.1
            && let Some(last) = data.last_mut()
        {
            *last ^= 1;
        }
        done
    }
}

impl Cipher for Flipping {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        let inner = self.inner.transform(operation, key, iv)?;
        Some(Box::new(FlippingTransform(inner, self.from_length)))
    }

    fn aead(&self, key: &[u8; 16], nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        self.inner.aead(key, nonce)
    }
}

#[test]
fn a_mode_that_is_wrong_on_long_texts_only_is_refused() {
    let stages = crate::subjects::shangmi::ciphers();
    let object = FlippingGcm(Rc::clone(&stages[0].object));
    let reason = reason(cipher(&stages[0].subject, &object));
    assert!(reason.starts_with("gcm-encrypt of a long text"), "{reason}");
}

/// Flips a bit of the last byte that GCM makes of a long text.
struct FlippingGcm(Rc<dyn Cipher>);

impl Cipher for FlippingGcm {
    fn transform(
        &self,
        operation: CipherOperation,
        key: &[u8; 16],
        iv: &[u8; 16],
    ) -> Option<Box<dyn Transform>> {
        self.0.transform(operation, key, iv)
    }

    fn aead(&self, key: &[u8; 16], nonce: &[u8; 12]) -> Option<Box<dyn Aead>> {
        Some(Box::new(FlippingAead(self.0.aead(key, nonce)?)))
    }
}

struct FlippingAead(Box<dyn Aead>);

impl Aead for FlippingAead {
    fn seal(&mut self, aad: &[u8], data: &mut [u8]) -> Option<[u8; 16]> {
        let tag = self.0.seal(aad, data)?;
        if data.len() > 1000
            && let Some(last) = data.last_mut()
        {
            *last ^= 1;
        }
        Some(tag)
    }

    fn open(&mut self, aad: &[u8], data: &mut [u8], tag: &[u8; 16]) -> bool {
        self.0.open(aad, data, tag)
    }
}

#[test]
fn each_implementation_of_sm4_is_refused_by_its_name_when_it_is_broken() {
    let stages = crate::subjects::shangmi::cipher_stages();
    let names: Vec<&str> = stages
        .iter()
        .map(|stage| stage.subject.backend.as_str())
        .collect();
    assert_eq!(names, ::shangmi::sm4::Sm4::backends());
    let check = |candidate: &Candidate<Rc<dyn Cipher>>| {
        cipher(&candidate.subject, candidate.object.as_ref())
    };
    for from_length in [16, 64, 65] {
        for stage in &stages {
            let broken = Candidate {
                subject: stage.subject.clone(),
                object: Rc::new(Flipping {
                    inner: Rc::clone(&stage.object),
                    from_length,
                }) as Rc<dyn Cipher>,
            };
            let mut refused = Vec::new();
            let candidates = vec![stage.clone(), broken];
            let admitted = admit(Group::CipherStage, candidates, &mut refused, check);
            let name = &stage.subject.backend;
            assert_eq!(admitted.len(), 1, "{name}: the sound one is timed");
            assert_eq!(refused.len(), 1, "{name}: the broken one is not");
            assert_eq!(refused[0].operation, format!("SM4 ({name})"));
            assert!(refused[0].reason.starts_with("ecb-"), "{:?}", refused[0]);
        }
    }
}

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
