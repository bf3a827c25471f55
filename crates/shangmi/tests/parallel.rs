//! Many operations on all cores give what they give on one: feature `rayon`.

use shangmi::rng::Rng;
use shangmi::sm2::{
    self, DEFAULT_ID, PreparedVerifier, PrivateKey, Signer, Verification, parallel,
};
use shangmi::{Error, Result, sm3};

/// Around the widths of lanes (8), groups (16) and chunks (64).
const COUNTS: [usize; 10] = [0, 1, 7, 8, 15, 16, 17, 64, 65, 200];

/// The same bytes on every run: SM3 in counter mode.
struct Seeded(u64);

impl Rng for Seeded {
    fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        for chunk in out.chunks_mut(sm3::DIGEST_LEN) {
            chunk.copy_from_slice(&sm3::digest(&self.0.to_be_bytes())[..chunk.len()]);
            self.0 += 1;
        }
        Ok(())
    }
}

/// A generator whose bytes run out.
struct Limited(usize);

impl Rng for Limited {
    fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        self.0 = self.0.checked_sub(out.len()).ok_or(Error::RandomSource)?;
        Seeded(self.0 as u64).fill(out)
    }
}

fn key() -> PrivateKey {
    PrivateKey::generate(&mut Seeded(1)).expect("random bytes")
}

fn digests(count: usize) -> Vec<[u8; 32]> {
    (0..count).map(|i| sm3::digest(&[i as u8])).collect()
}

#[test]
fn keys_are_those_of_one_core() {
    for count in COUNTS {
        let found = parallel::generate_many(count, &mut Seeded(2)).expect("random bytes");
        let expected = sm2::generate_many(count, &mut Seeded(2)).expect("random bytes");
        assert_eq!(found.len(), count);
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found.to_bytes(), expected.to_bytes(), "{i} of {count}");
            assert_eq!(found.public_key(), expected.public_key(), "{i} of {count}");
        }
    }
}

#[test]
fn signatures_are_those_of_one_core() {
    let signer = Signer::new(&key(), DEFAULT_ID).expect("a good ID");
    for count in COUNTS {
        let digests = digests(count);
        let mut found = vec![Err(Error::BadSignature); count];
        let mut expected = found.clone();
        parallel::sign_many(&signer, &digests, &mut found, &mut Seeded(3)).expect("signed");
        sm2::sign_many(&signer, &digests, &mut expected, &mut Seeded(3)).expect("signed");
        assert_eq!(found, expected, "{count}");
        assert!(found.iter().all(Result::is_ok), "{count}");
    }
}

/// One bad signature, at every place in turn.
#[test]
fn a_bad_signature_concerns_its_item_only() {
    let key = key();
    let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
    let verifier = PreparedVerifier::new(&signer.verifier());
    for count in COUNTS {
        let digests = digests(count);
        let mut signatures = vec![Err(Error::BadSignature); count];
        sm2::sign_many(&signer, &digests, &mut signatures, &mut Seeded(4)).expect("signed");
        let pairs = digests.iter().zip(signatures);
        let mut items: Vec<_> = pairs
            .map(|(digest, signature)| Verification {
                key: key.public_key(),
                digest: *digest,
                signature: signature.expect("signed"),
            })
            .collect();
        for bad in (0..count).step_by(count / 17 + 1) {
            items[bad].digest[0] ^= 1;
            let mut found = vec![Err(Error::RandomSource); count];
            parallel::verify_many(&items, &mut found).expect("as many results");
            for (i, found) in found.into_iter().enumerate() {
                assert_eq!(found.is_err(), i == bad, "{i} of {count}, {bad} is bad");
            }
            let digests: Vec<_> = items.iter().map(|item| item.digest).collect();
            let signatures: Vec<_> = items.iter().map(|item| item.signature).collect();
            let mut prepared = vec![Err(Error::RandomSource); count];
            parallel::verify_many_prepared(&verifier, &digests, &signatures, &mut prepared)
                .expect("as many results");
            for (i, found) in prepared.into_iter().enumerate() {
                assert_eq!(found.is_err(), i == bad, "{i} of {count}, {bad} is bad");
            }
            items[bad].digest[0] ^= 1;
        }
    }
}

/// Runs of many lengths under one key between others, long enough for a table and not; every seventh is bad.
#[test]
fn runs_under_one_key_are_answered_item_by_item() {
    let keys = [1, 2, 3].map(|seed| PrivateKey::generate(&mut Seeded(seed)).expect("random bytes"));
    let signers = keys
        .each_ref()
        .map(|key| Signer::new(key, DEFAULT_ID).expect("a good ID"));
    let mut items = vec![];
    for (i, length) in [1, 20, 1, 1, 100, 3, 64, 5, 17, 1, 9]
        .into_iter()
        .enumerate()
    {
        for _ in 0..length {
            let mut digest = [items.len() as u8; 32];
            let signature = signers[i % 3]
                .sign_digest(&digest, &mut Seeded(9))
                .expect("signed");
            digest[7] ^= u8::from(items.len() % 7 == 3);
            let key = keys[i % 3].public_key();
            items.push(Verification {
                key,
                digest,
                signature,
            });
        }
    }
    let mut found = vec![Err(Error::RandomSource); items.len()];
    parallel::verify_many(&items, &mut found).expect("as many results");
    for (i, found) in found.into_iter().enumerate() {
        assert_eq!(found.is_err(), i % 7 == 3, "{i}");
    }
}

#[test]
fn plaintexts_are_those_of_one_core() {
    let key = key();
    let mut rng = Seeded(5);
    for count in COUNTS {
        let mut c2 = vec![vec![0; 20]; count];
        let mut ciphertexts = vec![];
        for c2 in &mut c2 {
            let ciphertext = sm2::encrypt(key.public_key(), &[7; 20], c2, &mut rng);
            ciphertexts.push(ciphertext.expect("encrypted"));
        }
        for bad in ciphertexts.iter_mut().step_by(3) {
            bad.c3[5] ^= 4;
        }
        let mut plaintexts = vec![[1; 20]; count];
        let mut out: Vec<_> = plaintexts.iter_mut().map(|out| &mut out[..]).collect();
        let mut results = vec![Err(Error::RandomSource); count];
        parallel::decrypt_many(&key, &ciphertexts, &mut out, &mut results).expect("as many");
        for (i, (plaintext, result)) in plaintexts.into_iter().zip(results).enumerate() {
            let expected = if i % 3 == 0 {
                ([0; 20], Err(Error::DecryptFailed))
            } else {
                ([7; 20], Ok(()))
            };
            assert_eq!((plaintext, result), expected, "{i} of {count}");
        }
    }
}

#[test]
fn unequal_numbers_and_broken_generators_are_refused() {
    let key = key();
    let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
    let mut out = vec![Err(Error::BadSignature); 100];
    let refused = parallel::sign_many(&signer, &[[1; 32]], &mut out, &mut Seeded(6));
    assert!(matches!(refused, Err(Error::InvalidLength { .. })));
    assert_eq!(out, vec![Err(Error::BadSignature); 100], "untouched");
    // Enough for the first chunk only.
    let mut limited = Limited(70 * 32);
    let refused = parallel::sign_many(&signer, &[[1; 32]; 100], &mut out, &mut limited);
    assert_eq!(refused, Err(Error::RandomSource));
    assert_eq!(out, vec![Err(Error::RandomSource); 100]);
    let refused = parallel::generate_many(100, &mut Limited(70 * 32));
    assert!(matches!(refused, Err(Error::RandomSource)));
    assert!(parallel::verify_many(&[], &mut [Ok(())]).is_err());
    let verifier = PreparedVerifier::new(&signer.verifier());
    let refused = parallel::verify_many_prepared(&verifier, &[], &[], &mut [Ok(())]);
    assert!(refused.is_err());
    assert!(parallel::decrypt_many(&key, &[], &mut [], &mut [Ok(())]).is_err());
}
