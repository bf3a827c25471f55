//! Signatures of digests that the standard does not mean.

use num_bigint::BigUint;
use reference::sm2::{self, curve, za};
use reference::{sha256, sm3};

use super::Cases;
use super::signer::{construct, sign_digest};
use crate::sm2_vectors::format::Verdict::Invalid;
use crate::sm2_vectors::keys::{
    DEFAULT_ID, KeyPair, bytes32, compressed, concatenated, scalar, uncompressed,
};

const MESSAGE: &[u8] = b"which digest?";

pub(super) fn add(group: &mut Cases, key: &KeyPair) {
    let z = za(DEFAULT_ID, &key.public).expect("an identifier of good length");
    for (what, e) in digests(&z) {
        let comment = format!("e = {what}");
        group.push(
            Invalid,
            "WrongDigest",
            comment,
            MESSAGE,
            sign_digest(key, &e, "nonce"),
        );
    }
    for (what, z) in wrong_za(key) {
        let e = sm3::digest(&[&z[..], MESSAGE].concat());
        let comment = format!("Z {what}");
        group.push(
            Invalid,
            "WrongZa",
            comment,
            MESSAGE,
            sign_digest(key, &e, "nonce"),
        );
    }
    add_forged(group, key);
}

fn digests(z: &[u8; 32]) -> Vec<(&'static str, [u8; 32])> {
    let joined = [&z[..], MESSAGE].concat();
    let good = sm3::digest(&joined);
    let hex: String = MESSAGE.iter().map(|byte| format!("{byte:02x}")).collect();
    let utf16: Vec<u8> = MESSAGE.iter().flat_map(|byte| [0, *byte]).collect();
    let mut reversed = good;
    reversed.reverse();
    let (mut low, mut high) = ([0; 32], [0; 32]);
    low[12..].copy_from_slice(&good[..20]);
    high[..20].copy_from_slice(&good[..20]);
    let with_z = |tail: &[u8]| sm3::digest(&[&z[..], tail].concat());
    vec![
        ("SM3(M), without Z", sm3::digest(MESSAGE)),
        ("SM3(Z || SM3(M))", with_z(&sm3::digest(MESSAGE))),
        ("SM3(SM3(Z || M))", sm3::digest(&good)),
        ("SM3(M || Z)", sm3::digest(&[MESSAGE, z].concat())),
        ("SHA-256(Z || M)", sha256::digest(&joined)),
        ("SHA-256(M)", sha256::digest(MESSAGE)),
        ("SM3(Z || SHA-256(M))", with_z(&sha256::digest(MESSAGE))),
        ("Z", *z),
        ("the first 20 bytes of the right e, as a number", low),
        ("the first 20 bytes of the right e, then zeros", high),
        ("the right e, least significant byte first", reversed),
        ("SM3(Z || M in hexadecimal digits)", with_z(hex.as_bytes())),
        ("SM3(Z || M in UTF-16)", with_z(&utf16)),
        (
            "SM3(Z || M and a line feed)",
            with_z(&[MESSAGE, b"\n"].concat()),
        ),
        (
            "SM3(Z || M and a byte 00)",
            with_z(&[MESSAGE, &[0]].concat()),
        ),
    ]
}

/// Digests that have been taken for Z.
fn wrong_za(key: &KeyPair) -> Vec<(&'static str, [u8; 32])> {
    let entl: &[u8] = &[0, 128];
    let (id, p) = (DEFAULT_ID, &key.public);
    let (a, b) = (bytes32(&curve().a), bytes32(&curve().b));
    let parameters = [&a[..], &b, &concatenated(sm2::generator())].concat();
    let public = concatenated(p);
    let z = |parts: &[&[u8]]| sm3::digest(&parts.concat());
    let with_entl = |entl: &[u8]| z(&[entl, id, &parameters, &public]);
    let g = uncompressed(sm2::generator());
    vec![
        (
            "with the length of the identifier in bytes",
            with_entl(&[0, 16]),
        ),
        (
            "with ENTL least significant byte first",
            with_entl(&[128, 0]),
        ),
        ("with ENTL in four bytes", with_entl(&[0, 0, 0, 128])),
        ("without ENTL", with_entl(&[])),
        ("without identifier and ENTL", z(&[&parameters, &public])),
        ("without identifier", z(&[entl, &parameters, &public])),
        ("without the curve", z(&[entl, id, &public])),
        ("without the public key", z(&[entl, id, &parameters])),
        (
            "without a and b",
            z(&[entl, id, &concatenated(sm2::generator()), &public]),
        ),
        (
            "with 04 before both points",
            z(&[entl, id, &a, &b, &g, &uncompressed(p)]),
        ),
        (
            "with the compressed public key",
            z(&[entl, id, &parameters, &compressed(p)]),
        ),
        (
            "with the public key before the identifier",
            z(&[&public, entl, id, &parameters]),
        ),
        (
            "with y before x",
            z(&[entl, id, &parameters, &public[32..], &public[..32]]),
        ),
        ("of 32 bytes 00", [0; 32]),
    ]
}

/// A signature made without the private key, for verifiers that take the message for the number e.
fn add_forged(group: &mut Cases, key: &KeyPair) {
    let n = &curve().n;
    let (s, t) = (scalar("forged s"), scalar("forged t"));
    let (e, pair) = construct(&key.public, &s, &t);
    let comment = "forged for a verifier that takes the message for e";
    group.push(Invalid, "NoHash", comment, &bytes32(&e), pair.clone());
    let prefix = b"pay 1000 to Mallory; reference ";
    let high = BigUint::from_bytes_be(prefix) << 256u32;
    let low = (&e + n - &high % n) % n;
    let message = [&prefix[..], &bytes32(&low)].concat();
    let comment = "forged for a verifier that takes the message for e, with a chosen beginning";
    group.push(Invalid, "NoHash", comment, &message, pair);
}
