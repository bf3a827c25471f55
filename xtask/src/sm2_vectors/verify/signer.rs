//! Signatures with chosen properties.

use std::sync::LazyLock;

use num_bigint::BigUint;
use reference::sm2::{self, Point, curve};

use crate::sm2_vectors::keys::{DEFAULT_ID, KeyPair, scalar, xy};

/// A signature, as numbers.
pub(super) type Pair = (BigUint, BigUint);

/// a - b mod n, for a and b below n.
pub(super) fn subtract(a: &BigUint, b: &BigUint) -> BigUint {
    (a + &curve().n - b) % &curve().n
}

/// a^-1 mod n.
pub(super) fn invert(a: &BigUint) -> BigUint {
    a.modinv(&curve().n)
        .expect("n is prime and does not divide a")
}

/// The x coordinate of a point that is not infinity.
pub(super) fn x_of(point: &Point) -> BigUint {
    xy(point).0
}

/// The key of nearly all groups.
pub(super) fn main_key() -> KeyPair {
    KeyPair::named("signer")
}

/// e for a message under an identifier that is not too long.
pub(super) fn digest_of(key: &KeyPair, id: &[u8], message: &[u8]) -> [u8; 32] {
    sm2::message_digest(id, &key.public, message).expect("an identifier of good length")
}

/// The signature of e with a nonce that the label names.
pub(super) fn sign_digest(key: &KeyPair, e: &[u8; 32], nonce: &str) -> Pair {
    sign_with(key, e, &scalar(nonce))
}

pub(super) fn sign_with(key: &KeyPair, e: &[u8; 32], k: &BigUint) -> Pair {
    sm2::sign(&key.d, e, k).expect("a nonce that can be used")
}

/// The signature of a message under an identifier.
pub(super) fn sign(key: &KeyPair, id: &[u8], message: &[u8]) -> Pair {
    sign_digest(key, &digest_of(key, id, message), "nonce")
}

/// A message and its signature under the default identifier, the first one of which `wanted` is true.
pub(super) fn search(
    key: &KeyPair,
    wanted: impl Fn(&BigUint, &BigUint) -> bool,
) -> (Vec<u8>, Pair) {
    static POINT: LazyLock<Point> =
        LazyLock::new(|| sm2::multiply(&scalar("nonce"), sm2::generator()));
    let n = &curve().n;
    let (k, x1) = (scalar("nonce"), x_of(&POINT));
    let inverse = invert(&(&key.d + 1u32));
    let z = sm2::za(DEFAULT_ID, &key.public).expect("an identifier of good length");
    (0u32..)
        .find_map(|i| {
            let message = format!("message {i}").into_bytes();
            let e = reference::sm3::digest(&[&z[..], &message].concat());
            let r = (BigUint::from_bytes_be(&e) + &x1) % n;
            let s = &inverse * subtract(&k, &(&r * &key.d % n)) % n;
            wanted(&r, &s).then_some((message, (r, s)))
        })
        .expect("what is wanted comes up by chance")
}

/// A signature and the e that it is valid for, from the s and t = r + s that verification computes with.
///
/// No private key is needed where e is free: (x, y) = s*G + t*P, r = t - s, e = r - x.
pub(super) fn construct(public: &Point, s: &BigUint, t: &BigUint) -> (BigUint, Pair) {
    let point = sm2::multiply(s, sm2::generator()).add(&sm2::multiply(t, public));
    let r = subtract(t, s);
    let e = subtract(&r, &(x_of(&point) % &curve().n));
    (e, (r, s.clone()))
}
