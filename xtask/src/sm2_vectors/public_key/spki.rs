//! `SubjectPublicKeyInfo`, with every part of it changed.

use num_bigint::BigUint;
use reference::sm2::{Point, curve};

use super::{Tests, push_bad, push_key};
use crate::sm2_vectors::der::{
    BIT_STRING, NULL, OBJECT_IDENTIFIER, OCTET_STRING, SEQUENCE, bit_string, long_length, octets,
    sequence, tlv, tlv_with, unsigned,
};
use crate::sm2_vectors::format::Verdict::{Acceptable, Valid};
use crate::sm2_vectors::keys::{
    EC_PUBLIC_KEY, KeyPair, SM2_CURVE, algorithm, bytes32, compressed, hybrid, spki, uncompressed,
};
use crate::sm2_vectors::points::{self, InvalidPoint};

/// prime-field, 1.2.840.10045.1.1.
const PRIME_FIELD: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x01];
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

fn oid(content: &[u8]) -> Vec<u8> {
    tlv(OBJECT_IDENTIFIER, content)
}

/// A key with this algorithm and these parameters, which may be none.
fn with(algorithm: &[u8], parameters: &[u8], point: &[u8]) -> Vec<u8> {
    sequence(&[&sequence(&[algorithm, parameters]), &bit_string(point)])
}

pub(super) fn add(group: &mut Tests) {
    let point = KeyPair::named("public key").public;
    add_good(group, &point);
    add_algorithms(group, &uncompressed(&point));
    add_parameters(group, &point);
    add_points(group, &point);
    add_structure(group, &point);
    add_lengths(group, &point);
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
        ("a string for the curve", tlv(0x0c, b"SM2")),
        ("an empty SEQUENCE for the curve", sequence(&[])),
    ] {
        push_bad(group, "MissingCurve", what, with(&key, &parameters, point));
    }
}

/// `SpecifiedECDomain` of SEC 1, C.2.
#[derive(Clone)]
struct Domain {
    version: u32,
    field: Vec<u8>,
    p: BigUint,
    a: Vec<u8>,
    b: Vec<u8>,
    base: Vec<u8>,
    n: BigUint,
    h: Option<u32>,
}

impl Domain {
    fn sm2() -> Self {
        let curve = curve();
        Self {
            version: 1,
            field: PRIME_FIELD.to_vec(),
            p: curve.p.clone(),
            a: bytes32(&curve.a).to_vec(),
            b: bytes32(&curve.b).to_vec(),
            base: uncompressed(&curve.g),
            n: curve.n.clone(),
            h: Some(1),
        }
    }

    fn der(&self) -> Vec<u8> {
        let field = sequence(&[&oid(&self.field), &unsigned(&self.p)]);
        let coefficients = sequence(&[&octets(&self.a), &octets(&self.b)]);
        let h = self.h.map(|h| unsigned(&h.into())).unwrap_or_default();
        let version = unsigned(&self.version.into());
        let (base, n) = (octets(&self.base), unsigned(&self.n));
        sequence(&[&version, &field, &coefficients, &base, &n, &h])
    }
}

fn add_parameters(group: &mut Tests, point: &Point) {
    let key = oid(EC_PUBLIC_KEY);
    let bytes = uncompressed(point);
    let good = Domain::sm2();
    let compressed_base = Domain {
        base: compressed(&curve().g),
        ..good.clone()
    };
    let without_h = Domain {
        h: None,
        ..good.clone()
    };
    for (what, domain) in [
        ("the curve by its parameters", &good),
        ("the same with G compressed", &compressed_base),
        ("the same without cofactor", &without_h),
    ] {
        let encoded = with(&key, &domain.der(), &bytes);
        push_key(
            group,
            Acceptable,
            "ExplicitParameters",
            what,
            (encoded, point),
        );
    }
    let b = bytes32(&(&curve().b + 1u32)).to_vec();
    let a = bytes32(&(&curve().a - 1u32)).to_vec();
    for (what, domain) in [
        (
            "the generator is the public key: d = 1",
            Domain {
                base: bytes.clone(),
                ..good.clone()
            },
        ),
        (
            "the generator is 2G",
            Domain {
                base: uncompressed(&curve().g.double()),
                ..good.clone()
            },
        ),
        (
            "the generator is -G",
            Domain {
                base: uncompressed(&curve().g.negate()),
                ..good.clone()
            },
        ),
        (
            "the generator is infinity",
            Domain {
                base: vec![0],
                ..good.clone()
            },
        ),
        ("b + 1", Domain { b, ..good.clone() }),
        ("a - 1", Domain { a, ..good.clone() }),
        (
            "p + 2",
            Domain {
                p: &good.p + 2u32,
                ..good.clone()
            },
        ),
        (
            "n + 2",
            Domain {
                n: &good.n + 2u32,
                ..good.clone()
            },
        ),
        (
            "n = 1",
            Domain {
                n: 1u32.into(),
                ..good.clone()
            },
        ),
        (
            "n = 0",
            Domain {
                n: 0u32.into(),
                ..good.clone()
            },
        ),
        (
            "cofactor 2",
            Domain {
                h: Some(2),
                ..good.clone()
            },
        ),
        (
            "cofactor 0",
            Domain {
                h: Some(0),
                ..good.clone()
            },
        ),
        (
            "version 0",
            Domain {
                version: 0,
                ..good.clone()
            },
        ),
        (
            "another kind of field",
            Domain {
                field: [&PRIME_FIELD[..6], &[2]].concat(),
                ..good.clone()
            },
        ),
    ] {
        let comment = format!("the curve by its parameters, {what}");
        push_bad(
            group,
            "WrongParameters",
            comment,
            with(&key, &domain.der(), &bytes),
        );
    }
}

fn add_points(group: &mut Tests, point: &Point) {
    let (key, sm2) = (oid(EC_PUBLIC_KEY), oid(SM2_CURVE));
    let mut bad: Vec<(&str, String, Vec<u8>)> = points::invalid()
        .into_iter()
        .map(
            |InvalidPoint {
                 flag,
                 comment,
                 x,
                 y,
                 ..
             }| {
                let encoded = [&[4][..], &bytes32(&x), &bytes32(&y)].concat();
                (flag, comment.to_owned(), encoded)
            },
        )
        .collect();
    let whole = uncompressed(point);
    bad.push(("PointAtInfinity", "one byte 00".to_owned(), vec![0]));
    bad.push((
        "PointAtInfinity",
        "(0, 0)".to_owned(),
        [&[4][..], &[0; 64]].concat(),
    ));
    for length in [0, 1, 33, 64] {
        let comment = format!("the first {length} bytes of the point");
        bad.push(("InvalidPointEncoding", comment, whole[..length].to_vec()));
    }
    bad.push((
        "InvalidPointEncoding",
        "the point without its 04".to_owned(),
        whole[1..].to_vec(),
    ));
    let wrapped = octets(&whole);
    bad.push((
        "InvalidPointEncoding",
        "the point in an OCTET STRING".to_owned(),
        wrapped,
    ));
    bad.push((
        "TrailingData",
        "a byte 00 after the point".to_owned(),
        [&whole[..], &[0]].concat(),
    ));
    for (flag, comment, bytes) in bad {
        push_bad(group, flag, comment, with(&key, &sm2, &bytes));
    }
}

fn add_structure(group: &mut Tests, point: &Point) {
    let good = spki(point);
    let (head, whole) = (algorithm(), uncompressed(point));
    let bits = bit_string(&whole);
    let unused = tlv(BIT_STRING, &[&[1], &whole[..]].concat());
    let without_count = tlv(BIT_STRING, &whole);
    for (flag, what, encoded) in [
        (
            "TrailingData",
            "a byte 00 after it",
            [&good[..], &[0]].concat(),
        ),
        (
            "TrailingData",
            "NULL after the point",
            sequence(&[&head, &bits, &[NULL, 0]]),
        ),
        ("TrailingData", "a second key after it", good.repeat(2)),
        (
            "InvalidEncoding",
            "a BIT STRING with one unused bit",
            sequence(&[&head, &unused]),
        ),
        (
            "InvalidEncoding",
            "a BIT STRING without its first byte",
            sequence(&[&head, &without_count]),
        ),
        (
            "InvalidEncoding",
            "a BIT STRING of no bytes",
            sequence(&[&head, &[BIT_STRING, 0]]),
        ),
        (
            "InvalidEncoding",
            "an OCTET STRING for the point",
            sequence(&[&head, &tlv(OCTET_STRING, &whole)]),
        ),
        ("InvalidEncoding", "the point missing", sequence(&[&head])),
        (
            "InvalidEncoding",
            "the algorithm missing",
            sequence(&[&bits]),
        ),
        (
            "InvalidEncoding",
            "point and algorithm exchanged",
            sequence(&[&bits, &head]),
        ),
        ("InvalidEncoding", "an empty SEQUENCE", sequence(&[])),
        ("InvalidEncoding", "no bytes", vec![]),
        (
            "InvalidEncoding",
            "the curve twice",
            sequence(&[
                &sequence(&[&oid(EC_PUBLIC_KEY), &oid(SM2_CURVE), &oid(SM2_CURVE)]),
                &bits,
            ]),
        ),
    ] {
        push_bad(group, flag, what, encoded);
    }
}

fn add_lengths(group: &mut Tests, point: &Point) {
    let bits = bit_string(&uncompressed(point));
    let content = [&algorithm()[..], &bits].concat();
    let with = |length: &[u8]| tlv_with(SEQUENCE, length, &content);
    let count = content.len();
    for (flag, what, encoded) in [
        (
            "BerEncoding",
            "indefinite length",
            [&with(&[0x80])[..], &[0, 0]].concat(),
        ),
        (
            "BerEncoding",
            "a length in the long form",
            with(&long_length(count, 1)),
        ),
        (
            "InvalidEncoding",
            "a length too short by 1",
            with(&[u8::try_from(count - 1).expect("short")]),
        ),
        (
            "InvalidEncoding",
            "a length too long by 1",
            with(&[u8::try_from(count + 1).expect("short")]),
        ),
        (
            "InvalidEncoding",
            "a length of 2^32-1",
            with(&[0x84, 0xff, 0xff, 0xff, 0xff]),
        ),
    ] {
        push_bad(group, flag, what, encoded);
    }
    let good = spki(point);
    for length in [1, 2, 4, 23, 26, 58, 90] {
        let comment = format!("the first {length} bytes");
        push_bad(group, "InvalidEncoding", comment, good[..length].to_vec());
    }
}
