//! Cases that do not depend on how a ciphertext is written: lengths, key streams, changed parts.

use num_bigint::BigUint;
use reference::sm2::{Point, curve, multiply};
use reference::sm3;

use super::Case;
use super::sealed::{Sealed, c3, stream};
use crate::sm2_vectors::format::Verdict::{Invalid, Valid};
use crate::sm2_vectors::keys::{KeyPair, concatenated, next_point, xy};

const MESSAGE: &[u8] = b"attack at dawn, not at dusk";

/// Every length around those where the key stream or a DER length takes one more block or byte.
pub(super) fn valid(key: &KeyPair) -> Vec<Case> {
    let lengths = [
        1, 2, 16, 31, 32, 33, 63, 64, 65, 96, 127, 128, 255, 256, 1000,
    ];
    lengths
        .into_iter()
        .map(|length: usize| {
            let message: Vec<u8> = (0..length).map(|i| (i * 7 % 251) as u8).collect();
            let sealed = Sealed::new(key, &message, &format!("{length} bytes"));
            Case::new(Valid, "ValidCiphertext", format!("{length} bytes"), sealed)
        })
        .collect()
}

/// C1 for which the holder of the key finds this shared point.
fn c1_for(key: &KeyPair, shared: &Point) -> Point {
    let inverse = key.d.modinv(&curve().n).expect("d is not 0 modulo n");
    multiply(&inverse, shared)
}

/// The first shared point, by its x, whose key stream is as wanted.
fn shared_with(wanted: impl Fn(&[u8]) -> bool) -> Point {
    let mut point = next_point(&BigUint::from(1u32));
    while !wanted(&stream(&concatenated(&point), 2)) {
        point = next_point(&(xy(&point).0 + 1u32));
    }
    point
}

/// Key streams that are zero, wholly or in part.
pub(super) fn key_streams(key: &KeyPair) -> Vec<Case> {
    let zero_first = c1_for(key, &shared_with(|t| t[0] == 0 && t[1] != 0));
    let zero_second = c1_for(key, &shared_with(|t| t[0] != 0 && t[1] == 0));
    let sealed = |c1: &Point, message: &[u8]| Sealed::to(key, c1, message);
    let empty = Sealed::to(key, &zero_first, b"");
    vec![
        Case::new(
            Invalid,
            "ZeroKeyStream",
            "one byte, key stream 00",
            sealed(&zero_first, b"A"),
        ),
        Case::new(
            Invalid,
            "ZeroKeyStream",
            "the byte 00, key stream 00",
            sealed(&zero_first, &[0]),
        ),
        Case::new(
            Valid,
            "PartlyZeroKeyStream",
            "the first byte is 00",
            sealed(&zero_first, b"AB"),
        ),
        Case::new(
            Valid,
            "PartlyZeroKeyStream",
            "the first byte of many is 00",
            sealed(&zero_first, MESSAGE),
        ),
        Case::new(
            Valid,
            "PartlyZeroKeyStream",
            "the last byte is 00",
            sealed(&zero_second, b"AB"),
        ),
        Case::new(
            Valid,
            "PartlyZeroKeyStream",
            "one byte that is not 00",
            sealed(&zero_second, b"A"),
        ),
        Case::new(Invalid, "EmptyPlaintext", "nothing was encrypted", empty),
    ]
}

/// A right ciphertext, and each part of it changed.
pub(super) fn changed(key: &KeyPair) -> Vec<Case> {
    let good = Sealed::new(key, MESSAGE, "to be changed");
    let mut cases = changed_c3(key, &good);
    cases.extend(changed_c2(&good));
    cases.extend(changed_c1(key, &good));
    cases
}

fn changed_c3(key: &KeyPair, good: &Sealed) -> Vec<Case> {
    let shared = concatenated(&multiply(
        &key.d,
        &Point::new(good.x.clone(), good.y.clone()),
    ));
    let (x2, y2) = shared.split_at(32);
    let with = |c3: Vec<u8>| Sealed { c3, ..good.clone() };
    let mut cases: Vec<_> = (0..32)
        .step_by(4)
        .chain([31])
        .map(|byte| {
            let mut c3 = good.c3.clone();
            c3[byte] ^= if byte % 8 == 0 { 0x80 } else { 1 };
            Case::new(
                Invalid,
                "WrongC3",
                format!("byte {byte} of C3 changed"),
                with(c3),
            )
        })
        .collect();
    let digest = |parts: &[&[u8]]| sm3::digest(&parts.concat()).to_vec();
    let reversed: Vec<u8> = good.c3.iter().rev().copied().collect();
    for (what, c3) in [
        ("32 bytes 00", vec![0; 32]),
        ("32 bytes ff", vec![0xff; 32]),
        ("least significant byte first", reversed),
        ("SM3(M)", digest(&[MESSAGE])),
        ("SM3(x2 || y2 || M)", digest(&[x2, y2, MESSAGE])),
        ("SM3(M || x2 || y2)", digest(&[MESSAGE, x2, y2])),
        ("SM3(y2 || M || x2)", digest(&[y2, MESSAGE, x2])),
        ("SM3(x2 || M)", digest(&[x2, MESSAGE])),
        ("SM3(x2 || C2 || y2)", c3(&shared, &good.c2)),
        ("SM3(x2 || y2)", digest(&[x2, y2])),
        (
            "of another ciphertext",
            Sealed::new(key, MESSAGE, "another").c3,
        ),
    ] {
        cases.push(Case::new(
            Invalid,
            "WrongC3",
            format!("C3 is {what}"),
            with(c3),
        ));
    }
    cases
}

fn changed_c2(good: &Sealed) -> Vec<Case> {
    let with = |c2: Vec<u8>| Sealed { c2, ..good.clone() };
    let c2 = &good.c2;
    let flipped = |byte: usize, bit: u8| {
        let mut c2 = c2.clone();
        c2[byte] ^= bit;
        c2
    };
    let last = c2.len() - 1;
    [
        ("the first bit of C2 changed", flipped(0, 0x80)),
        ("the last bit of C2 changed", flipped(last, 1)),
        ("a bit in the middle of C2 changed", flipped(last / 2, 0x10)),
        ("C2 without its last byte", c2[..last].to_vec()),
        ("C2 without its first byte", c2[1..].to_vec()),
        ("C2 cut to one byte", c2[..1].to_vec()),
        ("a byte 00 after C2", [&c2[..], &[0]].concat()),
        ("a byte 00 before C2", [&[0], &c2[..]].concat()),
        ("32 bytes 00 after C2", [&c2[..], &[0; 32]].concat()),
        ("the plaintext in place of C2", MESSAGE.to_vec()),
        ("C2 all 00", vec![0; c2.len()]),
    ]
    .map(|(what, c2)| Case::new(Invalid, "ModifiedC2", what, with(c2)))
    .into()
}

fn changed_c1(key: &KeyPair, good: &Sealed) -> Vec<Case> {
    let with = |point: &Point| {
        let (x, y) = xy(point);
        Sealed {
            x,
            y,
            ..good.clone()
        }
    };
    let point = Point::new(good.x.clone(), good.y.clone());
    let other = Sealed::new(key, MESSAGE, "another");
    let wrong = Sealed::new(
        &KeyPair::named("another recipient"),
        MESSAGE,
        "to be changed",
    );
    vec![
        Case::new(Invalid, "ModifiedC1", "-C1", with(&point.negate())),
        Case::new(Invalid, "ModifiedC1", "2 C1", with(&point.double())),
        Case::new(Invalid, "ModifiedC1", "G", with(&curve().g)),
        Case::new(
            Invalid,
            "ModifiedC1",
            "the receiver's public key",
            with(&key.public),
        ),
        Case::new(
            Invalid,
            "ModifiedC1",
            "C1 of another ciphertext",
            with(&Point::new(other.x, other.y)),
        ),
        Case::new(Invalid, "WrongRecipient", "made for another key", wrong),
    ]
}
