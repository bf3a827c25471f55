//! Special points as C1 or as the shared point, and points that are none.

use num_bigint::BigUint;
use reference::sm2::{Point, curve, multiply};

use super::Case;
use super::sealed::Sealed;
use crate::sm2_vectors::format::Verdict::{Invalid, Valid};
use crate::sm2_vectors::keys::{KeyPair, next_point, scalar};
use crate::sm2_vectors::points::{self, InvalidPoint};

const MESSAGE: &[u8] = b"encrypted for somebody";

pub(super) fn cases(key: &KeyPair) -> Vec<Case> {
    let mut cases = special(key);
    cases.extend(points::invalid().into_iter().map(
        |InvalidPoint {
             flag,
             comment,
             x,
             y,
             same,
         }| {
            Case::new(
                Invalid,
                flag,
                comment,
                Sealed {
                    x,
                    y,
                    ..behind(key, &same)
                },
            )
        },
    ));
    cases.extend(infinity());
    cases
}

/// A ciphertext that is right for a program that computes with this point without a check.
fn behind(key: &KeyPair, same: &Point) -> Sealed {
    Sealed::to(key, same, MESSAGE)
}

/// (0, 0), which some programs take for infinity; whatever d is, the shared point is (0, 0), too.
fn infinity() -> Vec<Case> {
    let zero = || (BigUint::ZERO, BigUint::ZERO);
    let zeros = Sealed::with_shared(zero(), &[0; 64], MESSAGE);
    let one = [&[0; 31][..], &[1], &[0; 31], &[1]].concat();
    let ones = Sealed::with_shared(zero(), &one, MESSAGE);
    vec![
        Case::new(
            Invalid,
            "PointAtInfinity",
            "C1 = (0, 0), shared point (0, 0)",
            zeros,
        ),
        Case::new(
            Invalid,
            "PointAtInfinity",
            "C1 = (0, 0), shared point (1, 1)",
            ones,
        ),
    ]
}

fn special(key: &KeyPair) -> Vec<Case> {
    let with_04 =
        next_point(&((BigUint::from(4u32) << 248) + scalar("04") % (BigUint::from(1u32) << 248)));
    let mut out = Vec::new();
    for (flag, what, c1) in [
        ("ShortCoordinate", "x = 0", next_point(&BigUint::ZERO)),
        (
            "ShortCoordinate",
            "x begins with 31 bytes 00",
            next_point(&BigUint::from(1u32)),
        ),
        (
            "ShortCoordinate",
            "x begins with 30 bytes 00, y with 2",
            points::both_short(),
        ),
        ("ShortCoordinate", "y = 1", points::y_is_one()),
        (
            "ShortCoordinate",
            "x begins with one byte 00",
            next_point(&(BigUint::from(1u32) << 240)),
        ),
        ("StartsWith04", "x begins with 04", with_04),
        ("ValidCiphertext", "C1 = G", curve().g.clone()),
        ("ValidCiphertext", "C1 = -G", curve().g.negate()),
        (
            "ValidCiphertext",
            "C1 is the receiver's public key",
            key.public.clone(),
        ),
        ("ValidCiphertext", "the largest x", points::largest_x()),
    ] {
        let comment = format!("C1: {what}");
        out.push(Case::new(
            Valid,
            flag,
            comment,
            Sealed::to(key, &c1, MESSAGE),
        ));
    }
    let inverse = key.d.modinv(&curve().n).expect("d is not 0 modulo n");
    for (what, shared) in [
        ("x2 = 0", next_point(&BigUint::ZERO)),
        (
            "x2 begins with 31 bytes 00",
            next_point(&BigUint::from(1u32)),
        ),
        (
            "x2 begins with 30 bytes 00, y2 with 2",
            points::both_short(),
        ),
        ("y2 = 1", points::y_is_one()),
        (
            "x2 begins with 04",
            next_point(&(BigUint::from(4u32) << 248)),
        ),
    ] {
        let sealed = Sealed::to(key, &multiply(&inverse, &shared), MESSAGE);
        out.push(Case::new(Valid, "ShortSharedCoordinate", what, sealed));
    }
    out
}
