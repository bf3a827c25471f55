//! Nonces are hedged: neither a stuck generator nor a repeated message repeats one.
//!
//! The nonce itself is not visible, but with the private key it follows from the signature:
//! k = s·(1 + d) + r·d mod n.

use std::collections::HashSet;

use num_bigint::BigUint;
use reference::sm2::curve;
use shangmi::sm2::{DEFAULT_ID, PrivateKey, Signature, Signer};

use crate::{Seeded, Stuck};

const D: [u8; 32] = [0x39; 32];

fn signer() -> Signer {
    let key = PrivateKey::from_bytes(&D).expect("in range");
    Signer::new(&key, DEFAULT_ID).expect("a good ID")
}

fn nonce(signature: &Signature) -> BigUint {
    let [d, r, s] =
        [&D, signature.r(), signature.s()].map(|bytes| BigUint::from_bytes_be(&bytes[..]));
    (&s * (&d + 1u32) + r * d) % &curve().n
}

#[test]
fn a_stuck_generator_gives_other_messages_other_nonces() {
    let signer = signer();
    let nonces: HashSet<BigUint> = (0..200_u32)
        .map(|i| {
            signer
                .sign(&i.to_be_bytes(), &mut Stuck(0))
                .expect("signed")
        })
        .map(|signature| nonce(&signature))
        .collect();
    assert_eq!(nonces.len(), 200, "{}", signer.backend());
}

#[test]
fn a_stuck_generator_gives_other_keys_other_nonces() {
    let nonce_of = |d: u8| {
        let key = PrivateKey::from_bytes(&[d; 32]).expect("in range");
        let signer = Signer::new(&key, DEFAULT_ID).expect("a good ID");
        // The same e for both keys, so that only the key can tell the nonces apart.
        let signature = signer.sign_digest(&[5; 32], &mut Stuck(0)).expect("signed");
        let [d, r, s] = [&[d; 32], signature.r(), signature.s()].map(|b| BigUint::from_bytes_be(b));
        (&s * (&d + 1u32) + r * d) % &curve().n
    };
    assert_ne!(nonce_of(1), nonce_of(2), "{}", signer().backend());
}

#[test]
fn fresh_randomness_changes_the_nonce_of_the_same_message() {
    let signer = signer();
    let mut rng = Seeded::new(5);
    let nonces: HashSet<BigUint> = (0..200)
        .map(|_| nonce(&signer.sign(b"message", &mut rng).expect("signed")))
        .collect();
    assert_eq!(nonces.len(), 200, "{}", signer.backend());
}

#[test]
fn one_generator_output_and_one_message_give_one_signature() {
    let signer = signer();
    let signature = |byte| signer.sign(b"message", &mut Stuck(byte));
    assert_eq!(signature(1), signature(1), "{}", signer.backend());
    assert_ne!(signature(1), signature(2), "{}", signer.backend());
}

/// Each of the top and bottom bits of k is set about half the time: 4,000 draws, five standard
/// deviations.
#[test]
fn bits_of_the_nonce_are_balanced() {
    const DRAWS: u32 = 4000;
    let signer = signer();
    let mut ones = [0_u32; 16];
    for i in 0..DRAWS {
        let k = nonce(
            &signer
                .sign(&i.to_be_bytes(), &mut Stuck(0))
                .expect("signed"),
        );
        for (bit, count) in (0..8).chain(248..256).zip(&mut ones) {
            *count += u32::from(k.bit(bit));
        }
    }
    for (bit, count) in ones.iter().enumerate() {
        assert!(
            count.abs_diff(DRAWS / 2) < 159,
            "bit {bit}: {count} ones in {DRAWS}, {}",
            signer.backend()
        );
    }
}
