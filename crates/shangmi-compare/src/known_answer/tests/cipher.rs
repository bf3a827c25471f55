//! Ciphers, and authenticated ones.
use super::*;
use crate::subjects::{Aead, Cipher, CipherOperation, Transform};

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
