//! SM2 over many messages at once.

use std::rc::Rc;

use shangmi::rng::OsRng;
use shangmi::sm2::{self, Ciphertext, DEFAULT_ID, PrivateKey, Signature, Signer, Verification};
use shangmi::{Error, sm3};

use super::public_key::{encrypt_raw, parse_raw};
use super::subject;
use crate::subjects::{Candidate, Digest, ManyPublicKeys, PublicKeyMany, RawSignature};
use crate::workloads::public_key::MANY_AT_ONCE;

/// SM2 under the default ID, many at once. Generates a key.
pub(crate) fn many_public_keys() -> ManyPublicKeys {
    let key = PrivateKey::generate(&mut OsRng).ok();
    let Some(object) = key.and_then(ManySm2::new) else {
        return Vec::new();
    };
    vec![Candidate {
        subject: subject("SM2", Some(MANY_AT_ONCE), sm2::many_backend()),
        object: Rc::new(object),
    }]
}

struct ManySm2 {
    key: PrivateKey,
    signer: Signer,
    /// Z_A, which is kept as a `Signer` and a `Verifier` keep it.
    za: Digest,
}

impl ManySm2 {
    fn new(key: PrivateKey) -> Option<Self> {
        Some(Self {
            signer: Signer::new(&key, DEFAULT_ID).ok()?,
            za: sm2::za(DEFAULT_ID, key.public_key()).ok()?,
            key,
        })
    }

    /// e = SM3(Z_A || M) of each message, in the lanes of SM3.
    fn digests(&self, messages: &[&[u8]]) -> Option<Vec<Digest>> {
        let length = |message: &&[u8]| self.za.len() + message.len();
        let mut bytes = Vec::with_capacity(messages.iter().map(length).sum());
        for message in messages {
            bytes.extend_from_slice(&self.za);
            bytes.extend_from_slice(message);
        }
        let mut rest = bytes.as_slice();
        let mut next = |message: &&[u8]| {
            let (whole, tail) = rest.split_at(length(message));
            rest = tail;
            whole
        };
        let whole: Vec<&[u8]> = messages.iter().map(&mut next).collect();
        let mut digests = vec![[0; 32]; whole.len()];
        sm3::digest_many(&whole, &mut digests).ok()?;
        Some(digests)
    }

    fn signatures(&self, messages: &[&[u8]]) -> Option<Vec<Result<Signature, Error>>> {
        let digests = self.digests(messages)?;
        let mut made = vec![Err(Error::RandomSource); digests.len()];
        sm2::sign_many(&self.signer, &digests, &mut made, &mut OsRng).ok()?;
        Some(made)
    }

    fn verifications(
        &self,
        messages: &[&[u8]],
        signatures: &[RawSignature],
    ) -> Option<Vec<Verification<'_>>> {
        let digests = self.digests(messages)?;
        let item = |(digest, signature): (Digest, &RawSignature)| {
            Some(Verification {
                key: self.key.public_key(),
                digest,
                signature: Signature::from_slice(signature).ok()?,
            })
        };
        digests.into_iter().zip(signatures).map(item).collect()
    }
}

impl PublicKeyMany for ManySm2 {
    fn with_key(&self, private_key: &[u8]) -> Option<Rc<dyn PublicKeyMany>> {
        Some(Rc::new(Self::new(
            PrivateKey::from_slice(private_key).ok()?,
        )?))
    }

    fn generate_keys(&self, count: usize) -> bool {
        sm2::generate_many(count, &mut OsRng).is_ok_and(|keys| keys.len() == count)
    }

    fn sign(&self, messages: &[&[u8]], signatures: &mut [RawSignature]) -> bool {
        let Some(made) = self.signatures(messages) else {
            return false;
        };
        let pairs = made.iter().zip(signatures);
        pairs.fold(true, |all, (made, signature)| match made {
            Ok(made) => {
                *signature = made.to_bytes();
                all
            }
            Err(_) => false,
        })
    }

    fn verify(&self, messages: &[&[u8]], signatures: &[RawSignature], valid: &mut [bool]) -> bool {
        let Some(items) = self.verifications(messages, signatures) else {
            return false;
        };
        let mut results = vec![Err(Error::BadSignature); items.len()];
        let done = sm2::verify_many(&items, &mut results).is_ok();
        note(&results, valid);
        done
    }

    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>> {
        let mut ciphertext = vec![0; plaintext.len() + 128];
        let length = encrypt_raw(self.key.public_key(), plaintext, &mut ciphertext)?;
        ciphertext.truncate(length);
        Some(ciphertext)
    }

    fn decrypt(
        &self,
        ciphertexts: &[&[u8]],
        plaintexts: &mut [&mut [u8]],
        valid: &mut [bool],
    ) -> bool {
        let parsed: Option<Vec<Ciphertext<'_>>> =
            ciphertexts.iter().map(|one| parse_raw(one)).collect();
        let Some(parsed) = parsed else {
            return false;
        };
        let mut results = vec![Ok(()); parsed.len()];
        let done = sm2::decrypt_many(&self.key, &parsed, plaintexts, &mut results).is_ok();
        note(&results, valid);
        done
    }
}

fn note(results: &[Result<(), Error>], valid: &mut [bool]) {
    for (result, valid) in results.iter().zip(valid) {
        *valid = result.is_ok();
    }
}
