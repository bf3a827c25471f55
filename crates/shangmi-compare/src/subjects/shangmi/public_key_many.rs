//! SM2 over many messages at once.

use std::iter;
use std::rc::Rc;

use shangmi::rng::OsRng;
use shangmi::sm2::{self, Ciphertext, DEFAULT_ID, PrivateKey, Signature, Signer, Verification};
use shangmi::{Error, sm3};

use super::public_key::{encrypt_raw, parse_raw};
use super::subject;
use crate::subjects::{Candidate, Digest, ManyPublicKeys, PublicKeyMany, RawSignature};
use crate::workloads::many::MESSAGES;
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
    own: Pair,
    others: Vec<Pair>,
}

/// A key, with what a `Signer` and a `Verifier` keep of it.
struct Pair {
    key: PrivateKey,
    signer: Signer,
    za: Digest,
}

impl Pair {
    fn new(key: PrivateKey) -> Option<Self> {
        Some(Self {
            signer: Signer::new(&key, DEFAULT_ID).ok()?,
            za: sm2::za(DEFAULT_ID, key.public_key()).ok()?,
            key,
        })
    }
}

impl ManySm2 {
    fn new(key: PrivateKey) -> Option<Self> {
        let others = sm2::generate_many(MESSAGES as usize, &mut OsRng).ok()?;
        Some(Self {
            own: Pair::new(key)?,
            others: others.into_iter().map(Pair::new).collect::<Option<_>>()?,
        })
    }
}

/// e = SM3(Z_A || M) of each message under its key, in the lanes of SM3.
fn digests<'a>(pairs: impl Iterator<Item = &'a Pair>, messages: &[&[u8]]) -> Option<Vec<Digest>> {
    let length = |message: &&[u8]| size_of::<Digest>() + message.len();
    let mut bytes = Vec::with_capacity(messages.iter().map(length).sum());
    for (pair, message) in pairs.zip(messages) {
        bytes.extend_from_slice(&pair.za);
        bytes.extend_from_slice(message);
    }
    let mut rest = bytes.as_slice();
    let mut next = |message: &&[u8]| {
        let (whole, tail) = rest.split_at_checked(length(message))?;
        rest = tail;
        Some(whole)
    };
    let whole: Vec<&[u8]> = messages.iter().map(&mut next).collect::<Option<_>>()?;
    let mut digests = vec![[0; 32]; whole.len()];
    sm3::digest_many(&whole, &mut digests).ok()?;
    Some(digests)
}

/// Verifies each message under its key; `None` when a signature cannot be read.
fn verify<'a>(
    pairs: impl Iterator<Item = &'a Pair> + Clone,
    messages: &[&[u8]],
    signatures: &[RawSignature],
) -> Option<Vec<Result<(), Error>>> {
    let digests = digests(pairs.clone(), messages)?;
    let item = |(pair, (digest, signature)): (&'a Pair, (Digest, &RawSignature))| {
        Some(Verification {
            key: pair.key.public_key(),
            digest,
            signature: Signature::from_slice(signature).ok()?,
        })
    };
    let items = pairs.zip(digests.into_iter().zip(signatures)).map(item);
    let items: Vec<Verification<'_>> = items.collect::<Option<_>>()?;
    let mut results = vec![Err(Error::BadSignature); messages.len()];
    sm2::verify_many(&items, &mut results).ok()?;
    Some(results)
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
        let mut made = vec![Err(Error::RandomSource); messages.len()];
        let done = digests(iter::repeat(&self.own), messages).is_some_and(|digests| {
            sm2::sign_many(&self.own.signer, &digests, &mut made, &mut OsRng).is_ok()
        });
        done && write(made, signatures)
    }

    fn verify(&self, messages: &[&[u8]], signatures: &[RawSignature], valid: &mut [bool]) -> bool {
        let results = verify(iter::repeat(&self.own), messages, signatures);
        results.is_some_and(|results| note(&results, valid))
    }

    fn sign_each(&self, messages: &[&[u8]], signatures: &mut [RawSignature]) -> bool {
        digests(self.others.iter(), messages).is_some_and(|digests| {
            let pairs = self.others.iter().zip(digests);
            let made = pairs.map(|(pair, digest)| pair.signer.sign_digest(&digest, &mut OsRng));
            write(made, signatures)
        })
    }

    fn verify_each(
        &self,
        messages: &[&[u8]],
        signatures: &[RawSignature],
        valid: &mut [bool],
    ) -> bool {
        let results = verify(self.others.iter(), messages, signatures);
        results.is_some_and(|results| note(&results, valid))
    }

    fn encrypt(&self, plaintext: &[u8]) -> Option<Vec<u8>> {
        let mut ciphertext = vec![0; plaintext.len() + 128];
        let length = encrypt_raw(self.own.key.public_key(), plaintext, &mut ciphertext)?;
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
        let done = sm2::decrypt_many(&self.own.key, &parsed, plaintexts, &mut results).is_ok();
        done && note(&results, valid)
    }
}

/// Writes what was made; whether all of it was.
fn write(
    made: impl IntoIterator<Item = Result<Signature, Error>>,
    signatures: &mut [RawSignature],
) -> bool {
    let pairs = made.into_iter().zip(signatures);
    pairs.fold(true, |all, (made, signature)| match made {
        Ok(made) => {
            *signature = made.to_bytes();
            all
        }
        Err(_) => false,
    })
}

fn note(results: &[Result<(), Error>], valid: &mut [bool]) -> bool {
    for (result, valid) in results.iter().zip(valid) {
        *valid = result.is_ok();
    }
    true
}
