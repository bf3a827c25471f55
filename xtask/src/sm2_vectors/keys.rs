//! Keys, nonces and points with nothing random in them, and how they are written.

use num_bigint::BigUint;
use reference::sm2::{self, Point, curve};
use reference::sm3;
use serde::Serialize;

use super::der;
use super::format::{Hex, big_int};

/// The identifier where nothing else is said.
pub(super) use reference::sm2::DEFAULT_ID;

/// id-ecPublicKey, 1.2.840.10045.2.1.
pub(super) const EC_PUBLIC_KEY: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01];
/// The SM2 curve, 1.2.156.10197.1.301.
pub(super) const SM2_CURVE: &[u8] = &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d];

/// A number in [1, n-2] that belongs to this label: a private key or a nonce.
pub(super) fn scalar(label: &str) -> BigUint {
    let label = format!("shangmi, SM2 test vectors: {label}");
    let digest = BigUint::from_bytes_be(&sm3::digest(label.as_bytes()));
    digest % (&curve().n - 2u32) + 1u32
}

/// A private key with its public key.
pub(super) struct KeyPair {
    pub(super) d: BigUint,
    pub(super) public: Point,
}

impl KeyPair {
    pub(super) fn new(d: BigUint) -> Self {
        let public = sm2::public_key(&d).expect("a private key in [1, n-2]");
        Self { d, public }
    }

    pub(super) fn named(label: &str) -> Self {
        Self::new(scalar(label))
    }
}

/// The coordinates of a point that is not infinity.
pub(super) fn xy(point: &Point) -> (BigUint, BigUint) {
    match point {
        Point::Affine { x, y } => (x.clone(), y.clone()),
        Point::Infinity => unreachable!("only points that are not infinity are written"),
    }
}

/// A number below 2^256 as 32 bytes.
pub(super) fn bytes32(value: &BigUint) -> [u8; 32] {
    let digits = value.to_bytes_be();
    let mut out = [0; 32];
    out[32 - digits.len()..].copy_from_slice(&digits);
    out
}

/// x || y.
pub(super) fn concatenated(point: &Point) -> Vec<u8> {
    let (x, y) = xy(point);
    [bytes32(&x), bytes32(&y)].concat()
}

/// 04 || x || y.
pub(super) fn uncompressed(point: &Point) -> Vec<u8> {
    [&[4], &concatenated(point)[..]].concat()
}

/// 02 or 03 || x.
pub(super) fn compressed(point: &Point) -> Vec<u8> {
    let (x, y) = xy(point);
    [&[2 + u8::from(y.bit(0))], &bytes32(&x)[..]].concat()
}

/// 06 or 07 || x || y: the form that GB/T 32918.1 calls mixed and SEC 1 hybrid.
pub(super) fn hybrid(point: &Point) -> Vec<u8> {
    let (_, y) = xy(point);
    [&[6 + u8::from(y.bit(0))], &concatenated(point)[..]].concat()
}

/// `AlgorithmIdentifier` { id-ecPublicKey, SM2 }.
pub(super) fn algorithm() -> Vec<u8> {
    let [key, curve] = [EC_PUBLIC_KEY, SM2_CURVE].map(|oid| der::tlv(der::OBJECT_IDENTIFIER, oid));
    der::sequence(&[&key, &curve])
}

/// `SubjectPublicKeyInfo`.
pub(super) fn spki(point: &Point) -> Vec<u8> {
    der::sequence(&[&algorithm(), &der::bit_string(&uncompressed(point))])
}

/// PKCS #8 with the public key inside.
pub(super) fn pkcs8(key: &KeyPair) -> Vec<u8> {
    let public = der::tlv(0xa1, &der::bit_string(&uncompressed(&key.public)));
    let version = |v: u32| der::unsigned(&v.into());
    let inner = der::sequence(&[&version(1), &der::octets(&bytes32(&key.d)), &public]);
    der::sequence(&[&version(0), &algorithm(), &der::octets(&inner)])
}

/// PEM with lines of 64 characters.
pub(super) fn pem(label: &str, der: &[u8]) -> String {
    let text = base64(der);
    let lines: Vec<&str> = (0..text.len())
        .step_by(64)
        .map(|start| &text[start..text.len().min(start + 64)])
        .collect();
    let lines = lines.join("\n");
    format!("-----BEGIN {label}-----\n{lines}\n-----END {label}-----\n")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let three = [0, 1, 2].map(|i| u32::from(chunk.get(i).copied().unwrap_or(0)));
        let bits = three[0] << 16 | three[1] << 8 | three[2];
        for i in 0..4 {
            let digit = (bits >> (18 - 6 * i)) as usize & 63;
            out.push(if i <= chunk.len() {
                DIGITS[digit] as char
            } else {
                '='
            });
        }
    }
    out
}

/// A public key as the groups of Wycheproof's files have it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EcPublicKey {
    #[serde(rename = "type")]
    kind: &'static str,
    curve: &'static str,
    key_size: usize,
    uncompressed: Hex,
    wx: Hex,
    wy: Hex,
}

impl EcPublicKey {
    pub(super) fn new(point: &Point) -> Self {
        let (x, y) = xy(point);
        Self {
            kind: "EcPublicKey",
            curve: "sm2p256v1",
            key_size: 256,
            uncompressed: Hex(uncompressed(point)),
            wx: big_int(&x),
            wy: big_int(&y),
        }
    }
}

/// The first point with x at least `from` and an even y.
pub(super) fn next_point(from: &BigUint) -> Point {
    (0u32..)
        .find_map(|i| Point::decompress(&(from + i), false).ok())
        .expect("about every second x is on the curve")
}
