//! `SubjectPublicKeyInfo`, with every part of it changed.

use reference::sm2::Point;

use super::{Tests, parameters, push_bad, push_key};
use crate::sm2_vectors::broken::{Bad, Broken};
use crate::sm2_vectors::der::{
    BIT_STRING, NULL, OBJECT_IDENTIFIER, OCTET_STRING, UTF8_STRING, bit_string, octets, sequence,
    tlv, unsigned,
};
use crate::sm2_vectors::format::Verdict::{Acceptable, Valid};
use crate::sm2_vectors::keys::{
    EC_PUBLIC_KEY, KeyPair, SM2_CURVE, algorithm, bytes32, compressed, hybrid, spki, uncompressed,
};
use crate::sm2_vectors::points::{self, InvalidPoint};

/// P-256, 1.2.840.10045.3.1.7.
const P256: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07];
/// secp256k1, 1.3.132.0.10.
const SECP256K1: &[u8] = &[0x2b, 0x81, 0x04, 0x00, 0x0a];
/// SM2 with SM3, 1.2.156.10197.1.501.
const SM2_WITH_SM3: &[u8] = &[0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x83, 0x75];
/// rsaEncryption, 1.2.840.113549.1.1.1.
const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01];
/// ecdsa-with-SHA256, 1.2.840.10045.4.3.2.
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02];

pub(super) fn oid(content: &[u8]) -> Vec<u8> {
    tlv(OBJECT_IDENTIFIER, content)
}

/// A key with this algorithm and these parameters, which may be none.
pub(super) fn with(algorithm: &[u8], parameters: &[u8], point: &[u8]) -> Vec<u8> {
    sequence(&[&sequence(&[algorithm, parameters]), &bit_string(point)])
}

pub(super) fn add(group: &mut Tests) {
    let point = KeyPair::named("public key").public;
    add_good(group, &point);
    add_algorithms(group, &uncompressed(&point));
    parameters::add(group, &point);
    add_points(group, &point);
    add_structure(group, &point);
}

fn add_good(group: &mut Tests, point: &Point) {
    push_key(
        group,
        Valid,
        "ValidPublicKey",
        "a public key",
        (spki(point), point),
    );
    let (key, sm2) = (oid(EC_PUBLIC_KEY), oid(SM2_CURVE));
    let encoded = with(&key, &sm2, &compressed(point));
    push_key(
        group,
        Acceptable,
        "CompressedPoint",
        "compressed",
        (encoded, point),
    );
    let encoded = with(&key, &sm2, &hybrid(point));
    push_key(
        group,
        Acceptable,
        "HybridPoint",
        "in the mixed form",
        (encoded, point),
    );
    let encoded = with(&sm2, &sm2, &uncompressed(point));
    let comment = "SM2 as algorithm and as curve";
    push_key(
        group,
        Acceptable,
        "AlgorithmDialect",
        comment,
        (encoded, point),
    );
}

fn add_algorithms(group: &mut Tests, point: &[u8]) {
    let sm2 = oid(SM2_CURVE);
    for (what, algorithm) in [
        ("rsaEncryption", RSA),
        ("ecdsa-with-SHA256", ECDSA),
        ("SM2 with SM3", SM2_WITH_SM3),
        ("P-256", P256),
    ] {
        let comment = format!("the algorithm is {what}");
        push_bad(
            group,
            "WrongCurve",
            comment,
            with(&oid(algorithm), &sm2, point),
        );
    }
    let key = oid(EC_PUBLIC_KEY);
    for (what, curve) in [
        ("P-256", P256),
        ("secp256k1", SECP256K1),
        ("SM2 with SM3", SM2_WITH_SM3),
        ("id-ecPublicKey", EC_PUBLIC_KEY),
        ("the arc above SM2's", &SM2_CURVE[..6]),
        ("an arc below SM2's", &[SM2_CURVE, &[1]].concat()),
        ("of no bytes", &[]),
    ] {
        let comment = format!("the curve is {what}");
        push_bad(group, "WrongCurve", comment, with(&key, &oid(curve), point));
    }
    let p256 = uncompressed(&points::p256_g());
    push_bad(
        group,
        "WrongCurve",
        "a key on P-256",
        with(&key, &oid(P256), &p256),
    );
    for (what, parameters) in [
        ("no parameters", vec![]),
        ("NULL for the curve: implicitly inherited", vec![NULL, 0]),
        ("an INTEGER for the curve", unsigned(&1u32.into())),
        ("a string for the curve", tlv(UTF8_STRING, b"SM2")),
        ("an empty SEQUENCE for the curve", sequence(&[])),
    ] {
        push_bad(group, "MissingCurve", what, with(&key, &parameters, point));
    }
}

fn add_points(group: &mut Tests, point: &Point) {
    let (key, sm2) = (oid(EC_PUBLIC_KEY), oid(SM2_CURVE));
    let mut broken = Broken::default();
    for InvalidPoint {
        flag,
        comment,
        x,
        y,
        ..
    } in points::invalid()
    {
        let encoded = [&[4][..], &bytes32(&x), &bytes32(&y)].concat();
        broken.add(flag, comment, encoded);
    }
    let whole = uncompressed(point);
    broken.add("PointAtInfinity", "one byte 00", [0]);
    broken.add("PointAtInfinity", "(0, 0)", [&[4][..], &[0; 64]].concat());
    for length in [0, 1, 33, 64] {
        let comment = format!("the first {length} bytes of the point");
        broken.add("InvalidPointEncoding", comment, &whole[..length]);
    }
    broken.add(
        "InvalidPointEncoding",
        "the point without its 04",
        &whole[1..],
    );
    broken.add(
        "InvalidPointEncoding",
        "the point in an OCTET STRING",
        octets(&whole),
    );
    broken.trailing("a byte 00 after the point", [&whole[..], &[0]].concat());
    for Bad {
        flag,
        comment,
        bytes,
    } in broken.0
    {
        push_bad(group, flag, comment, with(&key, &sm2, &bytes));
    }
}

fn add_structure(group: &mut Tests, point: &Point) {
    let (head, whole) = (algorithm(), uncompressed(point));
    let bits = bit_string(&whole);
    let mut broken = Broken::default();
    broken.sequences(&[&head[..], &bits].concat());
    broken.invalid("the point missing", sequence(&[&head]));
    broken.invalid("the algorithm missing", sequence(&[&bits]));
    broken.invalid("point and algorithm exchanged", sequence(&[&bits, &head]));
    let (key, curve) = (oid(EC_PUBLIC_KEY), oid(SM2_CURVE));
    let twice = sequence(&[&key, &curve, &curve]);
    broken.invalid("the curve twice", sequence(&[&twice, &bits]));
    let point = |bytes: &[u8]| sequence(&[&head, bytes]);
    let octets = tlv(OCTET_STRING, &whole);
    broken.invalid("an OCTET STRING for the point", point(&octets));
    let unused = tlv(BIT_STRING, &[&[1], &whole[..]].concat());
    broken.invalid("a BIT STRING with one unused bit", point(&unused));
    let bare = tlv(BIT_STRING, &whole);
    broken.invalid("a BIT STRING without its first byte", point(&bare));
    broken.invalid("a BIT STRING of no bytes", point(&[BIT_STRING, 0]));
    let good = sequence(&[&head, &bits]);
    broken.cut("InvalidEncoding", &good, &[0, 1, 2, 4, 23, 26, 58, 90]);
    for Bad {
        flag,
        comment,
        bytes,
    } in broken.0
    {
        push_bad(group, flag, comment, bytes);
    }
}
