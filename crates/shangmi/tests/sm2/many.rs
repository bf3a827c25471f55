//! Many operations at once give what single ones give, item by item.

use num_bigint::BigUint;
use reference::sm2 as specification;
use shangmi::rng::Rng;
use shangmi::sm2::{
    self, Ciphertext, DEFAULT_ID, PreparedVerifier, PrivateKey, PublicKey, Signature, Signer,
    Verification, Verifier,
};
use shangmi::{Error, Result};

use crate::{Failing, Seeded, Stuck};

/// Around the widths of lanes (8) and chunks (64).
const COUNTS: [usize; 10] = [0, 1, 7, 8, 9, 17, 63, 64, 65, 130];

fn key(seed: u64) -> PrivateKey {
    PrivateKey::generate(&mut Seeded::new(seed)).expect("random bytes")
}

fn digests(count: usize) -> Vec<[u8; 32]> {
    let mut digests = vec![[0; 32]; count];
    for digest in &mut digests {
        Seeded::new(count as u64).fill(digest).expect("never fails");
    }
    // Edges: zero, and above n.
    for (digest, byte) in digests.iter_mut().zip([0, 0xff]) {
        digest.fill(byte);
    }
    digests
}

#[test]
fn keys_are_those_of_single_calls() {
    for count in COUNTS {
        let keys = sm2::generate_many(count, &mut Seeded::new(7)).expect("random bytes");
        assert_eq!(keys.len(), count);
        let mut rng = Seeded::new(7);
        for found in keys {
            let expected = PrivateKey::generate(&mut rng).expect("random bytes");
            let what = format!("{count} keys, {}", sm2::many_backend());
            assert_eq!(found.to_bytes(), expected.to_bytes(), "{what}");
            assert_eq!(found.public_key(), expected.public_key(), "{what}");
        }
    }
}

#[test]
fn signatures_are_those_of_single_calls_and_of_the_specification() {
    let key = key(1);
    let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
    let public =
        specification::public_key(&BigUint::from_bytes_be(&*key.to_bytes())).expect("valid");
    for count in COUNTS {
        let digests = digests(count);
        let mut signatures = vec![Err(Error::BadSignature); count];
        sm2::sign_many(&signer, &digests, &mut signatures, &mut Seeded::new(2)).expect("signed");
        let mut rng = Seeded::new(2);
        for (i, (e, found)) in digests.iter().zip(signatures).enumerate() {
            let what = format!("{i} of {count}, {}", sm2::many_backend());
            assert_eq!(found, signer.sign_digest(e, &mut rng), "{what}");
            if i % 9 == 0 {
                let found = found.expect("signed");
                let [r, s] = [found.r(), found.s()].map(|x| BigUint::from_bytes_be(x));
                assert!(specification::verify(&public, e, &r, &s), "{what}");
            }
        }
    }
}

#[test]
fn a_stuck_generator_gives_other_digests_other_signatures() {
    let signer = Signer::new(&key(1), DEFAULT_ID).expect("a good ID");
    let mut signatures = [Err(Error::BadSignature); 2];
    sm2::sign_many(&signer, &[[1; 32], [2; 32]], &mut signatures, &mut Stuck(0)).expect("signed");
    let [one, two] = signatures.map(|signature| signature.expect("signed"));
    // Equal nonces would show as r1 - e1 = r2 - e2.
    let n = &specification::curve().n;
    let x = |signature: Signature, e: u8| {
        (BigUint::from_bytes_be(signature.r()) + n - BigUint::from_bytes_be(&[e; 32])) % n
    };
    assert_ne!(x(one, 1), x(two, 2), "{}", sm2::many_backend());
}

/// Signatures under several keys; every third item is made wrong, each in another way.
#[test]
fn a_bad_item_neither_hides_nor_spoils_another() {
    let keys: Vec<_> = (10..15).map(key).collect();
    let prepared: Vec<_> = keys
        .iter()
        .map(|key| Verifier::new(key.public_key(), DEFAULT_ID).expect("a good ID"))
        .map(|verifier| PreparedVerifier::new(&verifier))
        .collect();
    let (zero, large) = ([0; 32], [0xff; 32]);
    for count in COUNTS {
        let mut items = vec![];
        for (i, digest) in digests(count).into_iter().enumerate() {
            let key = &keys[i % keys.len()];
            let signer = Signer::new(key, DEFAULT_ID).expect("a good ID");
            let signature = signer
                .sign_digest(&digest, &mut Seeded::new(3))
                .expect("signed");
            let mut item = Verification {
                key: key.public_key(),
                digest,
                signature,
            };
            match i % 15 {
                2 => item.digest[31] ^= 1,
                5 => item.key = keys[(i + 1) % keys.len()].public_key(),
                8 => item.signature = swapped(&signature),
                11 => item.digest = if digest == zero { large } else { zero },
                14 => item.signature = with_t_zero(&signature),
                _ => {}
            }
            items.push(item);
        }
        let mut results = vec![Err(Error::RandomSource); count];
        sm2::verify_many(&items, &mut results).expect("as many results");
        for (i, (item, found)) in items.iter().zip(results).enumerate() {
            let verifier = Verifier::new(item.key, DEFAULT_ID).expect("a good ID");
            let what = format!("{i} of {count}, {}", sm2::many_backend());
            assert_eq!(
                found,
                verifier.verify_digest(&item.digest, &item.signature),
                "{what}"
            );
            assert_eq!(found.is_err(), i % 3 == 2, "{what}");
            let of_key = keys.iter().position(|key| key.public_key() == item.key);
            let prepared = &prepared[of_key.expect("one of the keys")];
            let again = prepared.verify_digest(&item.digest, &item.signature);
            assert_eq!(found, again, "{what}, prepared, {}", prepared.backend());
        }
    }
}

/// Runs under one key of every length around that from which a table is made, and around widths of lanes and chunks, with other
/// keys between them and one item in five bad.
#[test]
fn runs_under_one_key_are_answered_item_by_item() {
    let keys = [40, 41, 42].map(key);
    let verifiers = keys.each_ref().map(|key| {
        let verifier = Verifier::new(key.public_key(), DEFAULT_ID).expect("a good ID");
        PreparedVerifier::new(&verifier)
    });
    let pools = keys.each_ref().map(|key| {
        let signer = Signer::new(key, DEFAULT_ID).expect("a good ID");
        digests(130)
            .into_iter()
            .enumerate()
            .map(move |(i, mut digest)| {
                let signature = signer
                    .sign_digest(&digest, &mut Seeded::new(43))
                    .expect("signed");
                digest[5] ^= u8::from(i % 5 == 3);
                (digest, signature)
            })
    });
    let pools = pools.map(Vec::from_iter);
    for length in (1..=34).chain([63, 64, 65, 129]) {
        // A run, three items of alternating keys, and another run.
        let lengths = [(0, length), (1, 1), (2, 1), (1, 1), (0, length + 1)];
        let mut items = vec![];
        for (k, count) in lengths {
            let key = keys[k].public_key();
            let run = pools[k][..count].iter();
            items.extend(run.map(|&(digest, signature)| Verification {
                key,
                digest,
                signature,
            }));
        }
        let mut results = vec![Err(Error::RandomSource); items.len()];
        sm2::verify_many(&items, &mut results).expect("as many results");
        let mut rest = results.as_slice();
        for (k, count) in lengths {
            let what = format!("{count} of key {k}, {}", sm2::many_backend());
            let (found, others) = rest.split_at(count);
            rest = others;
            let expected: Vec<_> = (0..count).map(answer).collect();
            assert_eq!(found, expected, "{what}");
            let (digests, signatures): (Vec<_>, Vec<_>) = pools[k][..count].iter().copied().unzip();
            let mut found = vec![Err(Error::RandomSource); count];
            let done = verifiers[k].verify_many(&digests, &signatures, &mut found);
            assert_eq!((done, found), (Ok(()), expected), "{what}, prepared");
        }
    }
}

/// One in five is bad.
fn answer(i: usize) -> Result<()> {
    if i % 5 == 3 {
        Err(Error::BadSignature)
    } else {
        Ok(())
    }
}

/// The other kinds of bad items of [`a_bad_item_neither_hides_nor_spoils_another`], all under one key.
#[test]
fn bad_items_of_a_run_are_told_apart() {
    let key = key(45);
    let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
    let verifier = PreparedVerifier::new(&signer.verifier());
    let mut digests = digests(65);
    let mut signatures = vec![];
    for (i, digest) in digests.iter_mut().enumerate() {
        let signature = signer
            .sign_digest(digest, &mut Seeded::new(46))
            .expect("signed");
        signatures.push(match i % 4 {
            1 => swapped(&signature),
            2 => with_t_zero(&signature),
            3 => {
                digest[31] ^= 1;
                signature
            }
            _ => signature,
        });
    }
    let mut found = vec![Ok(()); 65];
    verifier
        .verify_many(&digests, &signatures, &mut found)
        .expect("as many results");
    for (i, found) in found.into_iter().enumerate() {
        let alone = verifier.verify_digest(&digests[i], &signatures[i]);
        assert_eq!(found, alone, "{i}, {}", sm2::many_backend());
        assert_eq!(found.is_ok(), i % 4 == 0, "{i}, {}", sm2::many_backend());
    }
}

fn swapped(signature: &Signature) -> Signature {
    Signature::from_scalars(signature.s(), signature.r()).expect("in range")
}

/// r and n - r.
fn with_t_zero(signature: &Signature) -> Signature {
    let s = &specification::curve().n - BigUint::from_bytes_be(signature.r());
    let mut bytes = [0; 32];
    let digits = s.to_bytes_be();
    bytes[32 - digits.len()..].copy_from_slice(&digits);
    Signature::from_scalars(signature.r(), &bytes).expect("in range")
}

#[test]
fn an_s_and_a_t_that_meet_are_decided_too() {
    // P = G: s·G and t·P are equal for s = t, that is r = 0 (refused), and opposite for t = n - s.
    let one = PrivateKey::from_bytes(&[[0; 31].as_slice(), &[1]].concat().try_into().expect("32"));
    let one = one.expect("in range");
    let signer = Signer::new(&one, DEFAULT_ID).expect("a good ID");
    let signature = signer.sign_digest(&[9; 32], &mut Stuck(4)).expect("signed");
    let good = Verification {
        key: one.public_key(),
        digest: [9; 32],
        signature,
    };
    let n = &specification::curve().n;
    // t = -s: r = -2s.
    let s = BigUint::from_bytes_be(signature.s());
    let r = ((n - &s) * 2u32 % n).to_bytes_be();
    let mut bytes = [0; 32];
    bytes[32 - r.len()..].copy_from_slice(&r);
    let infinite = Signature::from_scalars(&bytes, signature.s()).expect("in range");
    let infinite = Verification {
        signature: infinite,
        ..good
    };
    for count in [3, 8, 40] {
        let items: Vec<_> = [good, infinite].into_iter().cycle().take(count).collect();
        let mut results = vec![Ok(()); count];
        sm2::verify_many(&items, &mut results).expect("as many results");
        for (i, result) in results.into_iter().enumerate() {
            let expected = if i % 2 == 0 {
                Ok(())
            } else {
                Err(Error::BadSignature)
            };
            assert_eq!(result, expected, "{i} of {count}, {}", sm2::many_backend());
        }
    }
}

#[test]
fn plaintexts_are_those_of_single_calls() {
    let key = key(20);
    let mut rng = Seeded::new(21);
    for count in COUNTS {
        let plaintexts: Vec<_> = (0..count).map(|i| vec![i as u8; i % 70 + 1]).collect();
        let mut c2: Vec<_> = plaintexts.iter().map(|m| vec![0; m.len()]).collect();
        let mut ciphertexts: Vec<Ciphertext<'_>> = plaintexts
            .iter()
            .zip(&mut c2)
            .map(|(m, c2)| sm2::encrypt(key.public_key(), m, c2, &mut rng).expect("encrypted"))
            .collect();
        let other: PublicKey = *self::key(22).public_key();
        for (i, ciphertext) in ciphertexts.iter_mut().enumerate() {
            match i % 6 {
                2 => ciphertext.c3[0] ^= 1,
                5 => ciphertext.c1 = other,
                _ => {}
            }
        }
        let mut out: Vec<_> = plaintexts.iter().map(|m| vec![0xaa; m.len()]).collect();
        let mut buffers: Vec<_> = out.iter_mut().map(Vec::as_mut_slice).collect();
        let mut results: Vec<Result<()>> = vec![Err(Error::RandomSource); count];
        sm2::decrypt_many(&key, &ciphertexts, &mut buffers, &mut results).expect("as many results");
        for (i, (out, result)) in out.iter().zip(results).enumerate() {
            let what = format!("{i} of {count}, {}", sm2::many_backend());
            let (expected, answer) = if i % 3 == 2 {
                (vec![0; out.len()], Err(Error::DecryptFailed))
            } else {
                (plaintexts[i].clone(), Ok(()))
            };
            assert_eq!(result, answer, "{what}");
            assert_eq!(*out, expected, "{what}");
        }
    }
}

#[test]
fn a_buffer_of_the_wrong_length_concerns_its_item_only() {
    let key = key(23);
    let mut c2 = [0; 4];
    let ciphertext =
        sm2::encrypt(key.public_key(), b"text", &mut c2, &mut Seeded::new(24)).expect("encrypted");
    let empty = Ciphertext {
        c2: &[],
        ..ciphertext
    };
    let (mut good, mut short, mut none) = ([0; 4], [0; 3], []);
    let mut results = [Ok(()); 3];
    let mut out: [&mut [u8]; 3] = [&mut short, &mut good, &mut none];
    sm2::decrypt_many(
        &key,
        &[ciphertext, ciphertext, empty],
        &mut out,
        &mut results,
    )
    .expect("three");
    assert!(matches!(results[0], Err(Error::InvalidLength { .. })));
    assert_eq!((results[1], &good), (Ok(()), b"text"));
    assert!(matches!(results[2], Err(Error::LengthOutOfRange { .. })));
}

#[test]
fn unequal_numbers_and_broken_generators_are_refused() {
    let key = key(30);
    let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
    let mut two = [Err(Error::BadSignature); 2];
    let refused = sm2::sign_many(&signer, &[[1; 32]], &mut two, &mut Stuck(1));
    assert!(matches!(refused, Err(Error::InvalidLength { .. })));
    assert_eq!(two, [Err(Error::BadSignature); 2], "untouched");
    let refused = sm2::sign_many(&signer, &[[1; 32]; 2], &mut two, &mut Failing);
    assert_eq!(refused, Err(Error::RandomSource));
    assert_eq!(two, [Err(Error::RandomSource); 2]);
    assert!(sm2::generate_many(3, &mut Failing).is_err());
    assert!(sm2::generate_many(3, &mut Stuck(0)).is_err());
    assert!(sm2::generate_many(3, &mut Stuck(0xff)).is_err());
    assert!(sm2::verify_many(&[], &mut [Ok(())]).is_err());
    let prepared = PreparedVerifier::new(&signer.verifier());
    let mut results = [Err(Error::RandomSource); 2];
    let signature = signer.sign_digest(&[1; 32], &mut Stuck(1)).expect("signed");
    for (digests, signatures) in [(1, 2), (2, 1), (1, 1), (0, 0), (3, 3)] {
        let (digests, signatures) = (vec![[1; 32]; digests], vec![signature; signatures]);
        let refused = prepared.verify_many(&digests, &signatures, &mut results);
        assert!(matches!(refused, Err(Error::InvalidLength { .. })));
        assert_eq!(results, [Err(Error::RandomSource); 2], "untouched");
    }
    assert!(sm2::decrypt_many(&key, &[], &mut [], &mut [Ok(())]).is_err());
}
