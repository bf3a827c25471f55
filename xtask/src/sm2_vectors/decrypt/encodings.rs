//! How a ciphertext is written, right and wrong.

use num_bigint::BigInt;
use reference::sm2::Point;

use super::sealed::{Sealed, recipient};
use super::{Tests, push};
use crate::sm2_vectors::der::{
    BIT_STRING, INTEGER, NULL, OCTET_STRING, SEQUENCE, SET, integer_content, long_length, octets,
    sequence, tlv, tlv_with, unsigned,
};
use crate::sm2_vectors::format::Verdict::{Acceptable, Invalid};
use crate::sm2_vectors::keys::{KeyPair, compressed, hybrid};

const MESSAGE: &[u8] = b"written in many ways";

type Bad = (&'static str, String, Vec<u8>);

pub(super) fn add(group: &mut Tests, encoding: &str, key: &KeyPair) {
    let good = Sealed::new(key, MESSAGE, "encodings");
    let bad = if encoding == "der" {
        der(&good)
    } else {
        raw(&good, encoding)
    };
    for (flag, comment, ciphertext) in bad {
        push(group, Invalid, flag, comment, (MESSAGE, ciphertext));
    }
    if encoding != "der" {
        add_point_forms(group, &good, encoding);
    }
}

/// C1 in other bytes, and the rest as the order says.
fn around(c1: &[u8], sealed: &Sealed, encoding: &str) -> Vec<u8> {
    let (c3, c2) = (&sealed.c3[..], &sealed.c2[..]);
    if encoding == "c1c3c2" {
        [c1, c3, c2].concat()
    } else {
        [c1, c2, c3].concat()
    }
}

fn raw(good: &Sealed, encoding: &str) -> Vec<Bad> {
    let whole = around(&[&[4], &good.xy()[..]].concat(), good, encoding);
    let (other, name) = if encoding == "c1c3c2" {
        (good.c1c2c3(), "C1C2C3")
    } else {
        (good.c1c3c2(), "C1C3C2")
    };
    let mut out = vec![
        ("OtherOrder", format!("the order {name}"), other),
        (
            "MissingPrefix",
            "without the byte 04".to_owned(),
            whole[1..].to_vec(),
        ),
        ("OtherForm", "DER".to_owned(), good.der()),
        (
            "InvalidEncoding",
            "the byte 04 twice".to_owned(),
            [&[4], &whole[..]].concat(),
        ),
    ];
    for length in [0, 1, 2, 32, 33, 64, 65, 66, 80, 95, 96, 97] {
        let comment = format!("the first {length} bytes");
        out.push(("TooShort", comment, whole[..length].to_vec()));
    }
    for prefix in [0, 1, 5, 8, 0x40, 0x84, 0xff] {
        let changed = [&[prefix], &whole[1..]].concat();
        out.push((
            "InvalidPointEncoding",
            format!("{prefix:02x} for 04"),
            changed,
        ));
    }
    let infinity = |c1: &[u8]| {
        let zeros = Sealed::with_shared((0u32.into(), 0u32.into()), &[0; 64], MESSAGE);
        around(c1, &zeros, encoding)
    };
    out.push((
        "PointAtInfinity",
        "C1 is the single byte 00".to_owned(),
        infinity(&[0]),
    ));
    out.push((
        "PointAtInfinity",
        "C1 is 65 bytes 00".to_owned(),
        infinity(&[0; 65]),
    ));
    out
}

/// Forms of the same point that GB/T 32918.1 allows, and some that do not fit it.
fn add_point_forms(group: &mut Tests, good: &Sealed, encoding: &str) {
    let point = Point::new(good.x.clone(), good.y.clone());
    let mut wrong_hybrid = hybrid(&point);
    wrong_hybrid[0] ^= 1;
    let off_curve = (1u32..)
        .map(|i| &good.x + i)
        .find(|x| Point::decompress(x, false).is_err())
        .expect("about every second x is not on the curve");
    let key = recipient();
    let on_twist = Sealed {
        x: off_curve,
        ..good.clone()
    };
    let on_twist = [&[2], &on_twist.xy()[..32]].concat();
    let opposite = Sealed::to(&key, &point.negate(), MESSAGE);
    for (result, flag, comment, c1, sealed) in [
        (
            Acceptable,
            "CompressedPoint",
            "C1 compressed",
            compressed(&point),
            good,
        ),
        (
            Acceptable,
            "CompressedPoint",
            "-C1 compressed",
            compressed(&point.negate()),
            &opposite,
        ),
        (
            Acceptable,
            "HybridPoint",
            "C1 in the mixed form",
            hybrid(&point),
            good,
        ),
        (
            Invalid,
            "InvalidPointEncoding",
            "C1 in the mixed form, 06 and 07 exchanged",
            wrong_hybrid,
            good,
        ),
        (
            Invalid,
            "InvalidCompressedPoint",
            "C1 compressed, x on the twist",
            on_twist,
            good,
        ),
        (
            Invalid,
            "ModifiedC1",
            "C1 compressed, 02 and 03 exchanged",
            compressed(&point.negate()),
            good,
        ),
    ] {
        push(
            group,
            result,
            flag,
            comment,
            (MESSAGE, around(&c1, sealed, encoding)),
        );
    }
}

fn der(good: &Sealed) -> Vec<Bad> {
    let mut out = der_structure(good);
    out.extend(der_coordinates(good));
    out.extend(der_strings(good));
    let whole = good.der();
    for length in [0, 1, 2, 3, 40, 80, 100, whole.len() - 1] {
        let comment = format!("the first {length} bytes");
        out.push(("TooShort", comment, whole[..length].to_vec()));
    }
    out
}

fn der_structure(good: &Sealed) -> Vec<Bad> {
    let whole = good.der();
    let content = [
        &good.coordinates()[..],
        &octets(&good.c3),
        &octets(&good.c2),
    ]
    .concat();
    let (xy, c3, c2) = (
        &good.coordinates()[..],
        &octets(&good.c3)[..],
        &octets(&good.c2)[..],
    );
    let count = content.len();
    let with = |length: &[u8]| tlv_with(SEQUENCE, length, &content);
    [
        ("OtherForm", "C1C3C2", good.c1c3c2()),
        ("OtherOrder", "C2 before C3", sequence(&[xy, c2, c3])),
        (
            "InvalidEncoding",
            "y before x",
            sequence(&[&unsigned(&good.y), &unsigned(&good.x), c3, c2]),
        ),
        (
            "InvalidEncoding",
            "y missing",
            sequence(&[&unsigned(&good.x), c3, c2]),
        ),
        ("InvalidEncoding", "C3 missing", sequence(&[xy, c2])),
        ("InvalidEncoding", "C2 missing", sequence(&[xy, c3])),
        ("InvalidEncoding", "an empty SEQUENCE", sequence(&[])),
        ("InvalidEncoding", "SET for SEQUENCE", tlv(SET, &content)),
        (
            "InvalidEncoding",
            "C1 in one OCTET STRING",
            sequence(&[&octets(&good.xy()), c3, c2]),
        ),
        (
            "TrailingData",
            "a byte 00 after the SEQUENCE",
            [&whole[..], &[0]].concat(),
        ),
        (
            "TrailingData",
            "NULL after C2",
            sequence(&[xy, c3, c2, &[NULL, 0]]),
        ),
        ("TrailingData", "the ciphertext twice", whole.repeat(2)),
        (
            "BerEncoding",
            "indefinite length",
            [&with(&[0x80])[..], &[0, 0]].concat(),
        ),
        (
            "BerEncoding",
            "a length with a leading 00",
            with(&long_length(count, 2)),
        ),
        (
            "InvalidEncoding",
            "a length too short by 1",
            with(&long_length(count - 1, 1)),
        ),
        (
            "InvalidEncoding",
            "a length too long by 1",
            with(&long_length(count + 1, 1)),
        ),
        (
            "InvalidEncoding",
            "a length of 2^32-1",
            with(&[0x84, 0xff, 0xff, 0xff, 0xff]),
        ),
    ]
    .map(|(flag, comment, bytes)| (flag, comment.to_owned(), bytes))
    .into()
}

fn der_coordinates(good: &Sealed) -> Vec<Bad> {
    let (c3, c2) = (octets(&good.c3), octets(&good.c2));
    let mut out = Vec::new();
    for (name, value) in [("x", &good.x), ("y", &good.y)] {
        let content = integer_content(&BigInt::from(value.clone()));
        let high = BigInt::from(value.clone()) + (BigInt::from(1) << 256);
        let negative = BigInt::from(value.clone()) - (BigInt::from(1) << 256);
        for (flag, what, integer) in [
            (
                "BerEncoding",
                "a leading 00 too many",
                tlv(INTEGER, &[&[0], &content[..]].concat()),
            ),
            (
                "BerEncoding",
                "a length in the long form",
                tlv_with(INTEGER, &long_length(content.len(), 1), &content),
            ),
            (
                "CoordinateRange",
                "2^256 more",
                tlv(INTEGER, &integer_content(&high)),
            ),
            (
                "MissingZero",
                "2^256 less",
                tlv(INTEGER, &integer_content(&negative)),
            ),
            (
                "InvalidEncoding",
                "an INTEGER of no bytes",
                vec![INTEGER, 0],
            ),
            (
                "InvalidEncoding",
                "OCTET STRING for INTEGER",
                tlv(OCTET_STRING, &content),
            ),
        ] {
            let both = if name == "x" {
                [integer, unsigned(&good.y)]
            } else {
                [unsigned(&good.x), integer]
            };
            let bytes = sequence(&[&both[0], &both[1], &c3, &c2]);
            out.push((flag, format!("{name}: {what}"), bytes));
        }
    }
    out
}

fn der_strings(good: &Sealed) -> Vec<Bad> {
    let xy = good.coordinates();
    let with_c3 = |c3: &[u8]| sequence(&[&xy, c3, &octets(&good.c2)]);
    let with_c2 = |c2: &[u8]| sequence(&[&xy, &octets(&good.c3), c2]);
    let mut out: Vec<Bad> = [0, 1, 16, 31]
        .map(|length| {
            let comment = format!("C3 cut to {length} bytes");
            ("C3Length", comment, with_c3(&octets(&good.c3[..length])))
        })
        .into();
    let longer = |byte| [&good.c3[..], &[byte]].concat();
    let before = [&[0], &good.c3[..]].concat();
    out.push((
        "C3Length",
        "a byte 00 after C3".to_owned(),
        with_c3(&octets(&longer(0))),
    ));
    out.push((
        "C3Length",
        "a byte 00 before C3".to_owned(),
        with_c3(&octets(&before)),
    ));
    out.push((
        "C3Length",
        "C3 twice".to_owned(),
        with_c3(&octets(&good.c3.repeat(2))),
    ));
    for (flag, what, tag) in [
        ("InvalidEncoding", "BIT STRING for OCTET STRING", BIT_STRING),
        ("InvalidEncoding", "INTEGER for OCTET STRING", INTEGER),
        ("InvalidEncoding", "context 0 for OCTET STRING", 0x80),
    ] {
        out.push((flag, format!("C3: {what}"), with_c3(&tlv(tag, &good.c3))));
        out.push((flag, format!("C2: {what}"), with_c2(&tlv(tag, &good.c2))));
    }
    let (first, second) = good.c2.split_at(8);
    let in_parts = tlv(
        0x20 | OCTET_STRING,
        &[octets(first), octets(second)].concat(),
    );
    out.push((
        "BerEncoding",
        "C2 in two parts".to_owned(),
        with_c2(&in_parts),
    ));
    let long = tlv_with(OCTET_STRING, &long_length(good.c2.len(), 1), &good.c2);
    out.push((
        "BerEncoding",
        "C2 with a length in the long form".to_owned(),
        with_c2(&long),
    ));
    let beyond = tlv_with(OCTET_STRING, &[0x82, 0xff, 0xff], &good.c2);
    out.push((
        "InvalidEncoding",
        "C2 with a length of 65535".to_owned(),
        with_c2(&beyond),
    ));
    out
}
