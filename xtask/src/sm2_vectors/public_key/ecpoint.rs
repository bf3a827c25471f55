//! Points in bytes.

use num_bigint::BigUint;
use reference::sm2::{Point, curve};

use super::{Tests, push_bad, push_key};
use crate::sm2_vectors::format::Verdict::{Acceptable, Valid};
use crate::sm2_vectors::keys::{
    KeyPair, bytes32, compressed, hybrid, next_point, uncompressed, xy,
};
use crate::sm2_vectors::points::{self, InvalidPoint};

pub(super) fn add(group: &mut Tests) {
    add_good(group);
    for InvalidPoint {
        flag,
        comment,
        x,
        y,
        ..
    } in points::invalid()
    {
        let encoded = [&[4][..], &bytes32(&x), &bytes32(&y)].concat();
        push_bad(group, flag, comment, encoded);
    }
    push_bad(
        group,
        "PointAtInfinity",
        "(0, 0)",
        [&[4][..], &[0; 64]].concat(),
    );
    push_bad(group, "PointAtInfinity", "one byte 00", vec![0]);
    push_bad(group, "PointAtInfinity", "33 bytes 00", vec![0; 33]);
    push_bad(group, "PointAtInfinity", "65 bytes 00", vec![0; 65]);
    add_compressed(group);
    add_lengths(group);
    add_first_bytes(group);
}

fn add_good(group: &mut Tests) {
    let zero = next_point(&BigUint::ZERO);
    for (flag, what, point) in [
        (
            "ValidPublicKey",
            "a public key",
            KeyPair::named("public key").public,
        ),
        ("EdgeCasePublicKey", "G", curve().g.clone()),
        ("EdgeCasePublicKey", "-G", curve().g.negate()),
        ("EdgeCasePublicKey", "x = 0, even y", zero.clone()),
        ("EdgeCasePublicKey", "x = 0, odd y", zero.negate()),
        ("EdgeCasePublicKey", "y = 1", points::y_is_one()),
        (
            "EdgeCasePublicKey",
            "y = p - 1",
            points::y_is_one().negate(),
        ),
        ("EdgeCasePublicKey", "small x and y", points::both_short()),
        ("EdgeCasePublicKey", "the largest x", points::largest_x()),
        ("EdgeCasePublicKey", "x above n", next_point(&curve().n)),
    ] {
        push_key(group, Valid, flag, what, (uncompressed(&point), &point));
        let comment = format!("{what}, compressed");
        push_key(
            group,
            Acceptable,
            "CompressedPoint",
            comment,
            (compressed(&point), &point),
        );
        let comment = format!("{what}, in the mixed form");
        push_key(
            group,
            Acceptable,
            "HybridPoint",
            comment,
            (hybrid(&point), &point),
        );
    }
}

fn add_compressed(group: &mut Tests) {
    let p = &curve().p;
    let not_on_curve = (1u32..)
        .map(BigUint::from)
        .find(|x| Point::decompress(x, false).is_err())
        .expect("about every second x is not on the curve");
    let (small, _) = xy(&next_point(&BigUint::from(1u32)));
    for (what, x) in [
        ("x on the twist", not_on_curve),
        ("x = p", p.clone()),
        ("x + p for a small x", small + p),
        ("x = 2^256-1", (BigUint::from(1u32) << 256) - 1u32),
    ] {
        for first in [2, 3] {
            let encoded = [&[first][..], &bytes32(&x)].concat();
            let comment = format!("compressed, {first:02x}, {what}");
            push_bad(group, "InvalidCompressedPoint", comment, encoded);
        }
    }
}

fn add_lengths(group: &mut Tests) {
    let point = KeyPair::named("public key").public;
    let (whole, short) = (uncompressed(&point), compressed(&point));
    for length in [0, 1, 2, 32, 33, 34, 63, 64] {
        let comment = format!("the first {length} bytes");
        push_bad(
            group,
            "InvalidPointEncoding",
            comment,
            whole[..length].to_vec(),
        );
    }
    for length in [1, 32] {
        let comment = format!("compressed, the first {length} bytes");
        push_bad(
            group,
            "InvalidPointEncoding",
            comment,
            short[..length].to_vec(),
        );
    }
    for (what, encoded) in [
        ("a byte 00 after it", [&whole[..], &[0]].concat()),
        ("a byte 00 before it", [&[0], &whole[..]].concat()),
        ("without its 04", whole[1..].to_vec()),
        (
            "compressed, a byte 00 after it",
            [&short[..], &[0]].concat(),
        ),
        (
            "compressed, and y after it",
            [&short[..], &whole[33..]].concat(),
        ),
        ("x alone", short[1..].to_vec()),
        ("04 and x", [&[4], &short[1..]].concat()),
    ] {
        push_bad(group, "InvalidPointEncoding", what, encoded);
    }
}

fn add_first_bytes(group: &mut Tests) {
    let point = KeyPair::named("public key").public;
    let whole = uncompressed(&point);
    for first in [0, 1, 2, 3, 5, 8, 0x14, 0x40, 0x84, 0xff] {
        let encoded = [&[first], &whole[1..]].concat();
        push_bad(
            group,
            "InvalidPointEncoding",
            format!("{first:02x} for 04"),
            encoded,
        );
    }
    let mut wrong = hybrid(&point);
    wrong[0] ^= 1;
    push_bad(
        group,
        "InvalidPointEncoding",
        "mixed form, 06 and 07 exchanged",
        wrong,
    );
}
