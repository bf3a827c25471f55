//! Cases that do not depend on how a signature is written.

use num_bigint::{BigInt, BigUint};
use reference::sm2::curve;

use super::signer::{Pair, main_key, search, sign, sign_digest, sign_with};
use super::{Cases, hashing, identifiers};
use crate::sm2_vectors::format::Verdict::{Invalid, Valid};
use crate::sm2_vectors::keys::{DEFAULT_ID, KeyPair};

/// All groups; the first has the default identifier and [`main_key`].
pub(super) fn all() -> Vec<Cases> {
    let key = main_key();
    let mut first = Cases::new(&key.public, DEFAULT_ID);
    add_valid(&mut first, &key);
    add_nonces(&mut first, &key);
    add_ranges(&mut first, &key);
    add_special_values(&mut first);
    add_modified(&mut first, &key);
    add_wrong_keys(&mut first, &key);
    hashing::add(&mut first, &key);
    identifiers::add_wrong(&mut first, &key);
    let mut groups = vec![first];
    groups.extend(identifiers::groups(&key));
    groups.extend(special_keys());
    groups
}

fn add_valid(group: &mut Cases, key: &KeyPair) {
    for (what, message) in [
        ("the empty message", vec![]),
        ("a message of one byte 00", vec![0]),
        ("\"message digest\"", b"message digest".to_vec()),
        ("64 bytes", (0..64).collect()),
        ("1000 bytes", vec![0x5a; 1000]),
    ] {
        let pair = sign(key, DEFAULT_ID, &message);
        group.push(Valid, "ValidSignature", what, &message, pair);
    }
    let bits = |r: u64, s: u64| search(key, move |r_, s_| r_.bits() <= r && s_.bits() <= s);
    let at_least = |r: u64, s: u64| search(key, move |r_, s_| r_.bits() >= r && s_.bits() >= s);
    for (what, (message, pair)) in [
        ("r begins with 00", bits(248, 256)),
        ("s begins with 00", bits(256, 248)),
        ("r begins with 0000", bits(240, 256)),
        ("s begins with 0000", bits(256, 240)),
        ("r and s below 2^255", bits(255, 255)),
        ("r and s at least 2^255", at_least(256, 256)),
    ] {
        group.push(Valid, "ValidSignature", what, &message, pair);
    }
}

fn add_nonces(group: &mut Cases, key: &KeyPair) {
    let n = &curve().n;
    let message = b"special nonces";
    let e = super::signer::digest_of(key, DEFAULT_ID, message);
    for (what, k) in [
        ("1", BigUint::from(1u32)),
        ("2", BigUint::from(2u32)),
        ("3", BigUint::from(3u32)),
        ("2^128", BigUint::from(1u32) << 128),
        ("(n-1)/2", (n - 1u32) / 2u32),
        ("(n+1)/2", (n + 1u32) / 2u32),
        ("n-2", n - 2u32),
        ("n-1", n - 1u32),
    ] {
        let pair = sign_with(key, &e, &k);
        let comment = format!("the nonce is {what}");
        group.push(Valid, "EdgeCaseNonce", comment, message, pair);
    }
}

/// A signature that all changes start from, with its message: r and s have 32 bytes, one with its top bit set.
pub(super) fn base(key: &KeyPair) -> (Vec<u8>, Pair) {
    search(key, |r, s| {
        r.bits() == 256 && (249..256).contains(&s.bits())
    })
}

fn add_ranges(group: &mut Cases, key: &KeyPair) {
    let (message, (r, s)) = base(key);
    let (r, s) = (BigInt::from(r), BigInt::from(s));
    let (n, p) = (
        BigInt::from(curve().n.clone()),
        BigInt::from(curve().p.clone()),
    );
    let power = |exponent: u32| BigInt::from(1) << exponent;
    for (what, change) in [
        ("+ n", n.clone()),
        ("- n", -&n),
        ("+ 2n", 2 * &n),
        ("+ 256 n", 256 * &n),
        ("+ p", p),
        ("+ 2^256", power(256)),
        ("- 2^256", -power(256)),
        ("+ 2^320", power(320)),
        ("+ n 2^256", &n << 256),
    ] {
        for (name, pair) in [
            ("r", (&r + &change, s.clone())),
            ("s", (r.clone(), &s + &change)),
            ("both", (&r + &change, &s + &change)),
        ] {
            let comment = format!("{name} {what}");
            group.push(Invalid, "RangeCheck", comment, &message, pair);
        }
    }
    for (what, pair) in [
        ("-r", (-&r, s.clone())),
        ("-s", (r.clone(), -&s)),
        ("-r and -s", (-&r, -&s)),
        ("n - r", (&n - &r, s.clone())),
        ("n - r and n - s", (&n - &r, &n - &s)),
    ] {
        group.push(Invalid, "ModifiedSignature", what, &message, pair);
    }
    group.push(Invalid, "LowS", "n - s", &message, (r, n - s));
}

fn add_special_values(group: &mut Cases) {
    let (n, p) = (&curve().n, &curve().p);
    let n = BigInt::from(n.clone());
    let values = [
        ("0", BigInt::ZERO),
        ("1", BigInt::from(1)),
        ("-1", BigInt::from(-1)),
        ("n-1", &n - 1),
        ("n", n.clone()),
        ("n+1", &n + 1),
        ("p", BigInt::from(p.clone())),
        ("p+1", BigInt::from(p + 1u32)),
        ("2^256-1", (BigInt::from(1) << 256) - 1),
    ];
    for (r_name, r) in &values {
        for (s_name, s) in &values {
            let comment = format!("r = {r_name}, s = {s_name}");
            let flag = if r + s == n {
                "ZeroSum"
            } else {
                "SpecialValue"
            };
            group.push(
                Invalid,
                flag,
                comment,
                b"special values",
                (r.clone(), s.clone()),
            );
        }
    }
}

fn add_modified(group: &mut Cases, key: &KeyPair) {
    let (message, (r, s)) = base(key);
    for bit in [0u64, 7, 31, 32, 63, 64, 127, 128, 191, 192, 247] {
        let flip = |value: &BigUint| {
            let mut value = value.clone();
            value.set_bit(bit, !value.bit(bit));
            value
        };
        for (name, pair) in [("r", (flip(&r), s.clone())), ("s", (r.clone(), flip(&s)))] {
            let comment = format!("bit {bit} of {name} changed");
            group.push(Invalid, "ModifiedSignature", comment, &message, pair);
        }
    }
    for (what, pair) in [
        ("r and s exchanged", (s.clone(), r.clone())),
        ("r for both", (r.clone(), r.clone())),
        ("s for both", (s.clone(), s.clone())),
        ("r + 1", (&r + 1u32, s.clone())),
        ("s + 1", (r.clone(), &s + 1u32)),
        ("r + s = n", (r.clone(), &curve().n - &r)),
    ] {
        let flag = if what == "r + s = n" {
            "ZeroSum"
        } else {
            "ModifiedSignature"
        };
        group.push(Invalid, flag, what, &message, pair);
    }
    let other = [&message[..], &[0]].concat();
    let comment = "a byte 00 after the message";
    group.push(
        Invalid,
        "ModifiedSignature",
        comment,
        &other,
        (r.clone(), s.clone()),
    );
    let comment = "the empty message instead";
    group.push(Invalid, "ModifiedSignature", comment, b"", (r, s));
}

fn add_wrong_keys(group: &mut Cases, key: &KeyPair) {
    let message = b"another key";
    let other = KeyPair::named("other signer");
    let pair = sign(&other, DEFAULT_ID, message);
    group.push(Invalid, "WrongKey", "made with another key", message, pair);
    let e = super::signer::digest_of(key, DEFAULT_ID, message);
    let pair = sign_digest(&other, &e, "nonce");
    let comment = "made with another key, over Z of this one";
    group.push(Invalid, "WrongKey", comment, message, pair);
    let opposite = KeyPair::new(&curve().n - &key.d);
    let pair = sign_digest(&opposite, &e, "nonce");
    let comment = "made with the key n - d, whose public key has the same x, over Z of this one";
    group.push(Invalid, "WrongKey", comment, message, pair);
}

/// Public keys that are multiples of G with small or large factors.
fn special_keys() -> Vec<Cases> {
    let n = &curve().n;
    [("G", 1u32.into()), ("2G", 2u32.into()), ("-2G", n - 2u32)]
        .into_iter()
        .map(|(what, d): (_, BigUint)| {
            let key = KeyPair::new(d);
            let mut group = Cases::new(&key.public, DEFAULT_ID);
            let message = b"special public keys";
            let pair = sign(&key, DEFAULT_ID, message);
            let comment = format!("the public key is {what}");
            group.push(Valid, "EdgeCasePublicKey", comment, message, pair.clone());
            let comment = format!("the public key is {what}, another message");
            group.push(
                Invalid,
                "ModifiedSignature",
                comment,
                b"another message",
                pair,
            );
            group
        })
        .collect()
}
