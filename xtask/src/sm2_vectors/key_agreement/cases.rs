//! What comes from the other side, right and wrong.

use num_bigint::BigUint;
use reference::sm2::{Point, curve, multiply};

use super::exchange::{Offer, Side, reduced_x};
use super::{Tests, other, push};
use crate::sm2_vectors::format::Verdict::{Acceptable, Invalid, Valid};
use crate::sm2_vectors::keys::{
    DEFAULT_ID, KeyPair, bytes32, compressed, hybrid, next_point, uncompressed, xy,
};
use crate::sm2_vectors::points::{self, InvalidPoint};

const PEER_ID: &[u8] = b"Bob";
const KEY_LENGTH: usize = 16;

/// A public key and an ephemeral point of the other side.
pub(super) fn peer_points(label: &str) -> (Point, Point) {
    let point = |what: &str| KeyPair::named(&format!("{what} of the other side: {label}")).public;
    (point("key"), point("ephemeral key"))
}

pub(super) fn add(group: &mut Tests, side: &Side) {
    add_lengths(group, side);
    add_identifiers(group, side);
    add_points(group, side);
    add_reflections(group, side);
    add_invalid_points(group, side);
    add_encodings(group, side);
    add_confirmations(group, side);
}

fn add_lengths(group: &mut Tests, side: &Side) {
    for length in [1, 16, 31, 32, 33, 48, 64, 100] {
        let points = peer_points(&format!("{length} bytes"));
        let answer = side.answer(PEER_ID, &points.0, &points.1, length);
        let offer = Offer::new(PEER_ID, &points, &answer);
        push(
            group,
            Valid,
            "ValidAgreement",
            format!("a key of {length} bytes"),
            (offer, &answer),
        );
    }
}

fn add_identifiers(group: &mut Tests, side: &Side) {
    let points = peer_points("identifiers");
    let longest = vec![b'x'; 8191];
    for (result, flag, what, id) in [
        (Valid, "Identifier", "the default identifier", DEFAULT_ID),
        (
            Valid,
            "Identifier",
            "the same identifier as this side's",
            &side.id[..],
        ),
        (
            Valid,
            "Identifier",
            "an identifier with bytes 00",
            b"B\0b\0",
        ),
        (Valid, "Identifier", "an identifier of 8191 bytes", &longest),
        (Acceptable, "EmptyIdentifier", "the empty identifier", b""),
    ] {
        let answer = side.answer(id, &points.0, &points.1, KEY_LENGTH);
        let offer = Offer::new(id, &points, &answer);
        push(
            group,
            result,
            flag,
            format!("the other side has {what}"),
            (offer, &answer),
        );
    }
    let answer = side.answer(b"", &points.0, &points.1, KEY_LENGTH);
    let offer = Offer {
        id: vec![b'x'; 8192],
        ..Offer::new(b"", &points, &answer)
    };
    let comment = "the other side has an identifier of 8192 bytes";
    push(
        group,
        Invalid,
        "IdentifierTooLong",
        comment,
        (offer, &answer),
    );
}

/// Points of the curve that are special.
fn add_points(group: &mut Tests, side: &Side) {
    let (public, ephemeral) = peer_points("special points");
    let zero = next_point(&BigUint::ZERO);
    let one_bits = next_point(&((BigUint::from(1u32) << 127) - 1u32));
    for (what, points) in [
        ("ephemeral point: x = 0", (public.clone(), zero.clone())),
        (
            "ephemeral point: y = 1",
            (public.clone(), points::y_is_one()),
        ),
        (
            "ephemeral point: x mod 2^127 near 2^127",
            (public.clone(), one_bits),
        ),
        (
            "ephemeral point: the largest x",
            (public.clone(), points::largest_x()),
        ),
        ("ephemeral point: G", (public.clone(), curve().g.clone())),
        (
            "ephemeral point: the public key",
            (public.clone(), public.clone()),
        ),
        (
            "ephemeral point: the opposite public key",
            (public.clone(), public.negate()),
        ),
        ("public key: x = 0", (zero, ephemeral.clone())),
        ("public key: y = 1", (points::y_is_one(), ephemeral.clone())),
        ("public key: -G", (curve().g.negate(), ephemeral.clone())),
        (
            "public key: xbar times the ephemeral point",
            (doubling(&ephemeral), ephemeral),
        ),
    ] {
        let answer = side.answer(PEER_ID, &points.0, &points.1, KEY_LENGTH);
        let offer = Offer::new(PEER_ID, &points, &answer);
        push(group, Valid, "EdgeCasePublicKey", what, (offer, &answer));
    }
}

/// xbar R, so that P + xbar R is a doubling.
fn doubling(ephemeral: &Point) -> Point {
    multiply(&reduced_x(&xy(ephemeral).0), ephemeral)
}

/// The other side shows what this side has shown.
fn add_reflections(group: &mut Tests, side: &Side) {
    let (public, ephemeral) = peer_points("reflections");
    let (own, own_ephemeral) = (&side.key.public, &side.ephemeral.public);
    for (what, points) in [
        ("public key", (own.clone(), ephemeral)),
        ("ephemeral point", (public, own_ephemeral.clone())),
        (
            "public key and ephemeral point",
            (own.clone(), own_ephemeral.clone()),
        ),
    ] {
        let answer = side.answer(PEER_ID, &points.0, &points.1, KEY_LENGTH);
        let offer = Offer::new(PEER_ID, &points, &answer);
        let comment = format!("this side's {what}");
        push(group, Acceptable, "Reflection", comment, (offer, &answer));
    }
}

fn add_invalid_points(group: &mut Tests, side: &Side) {
    let (public, ephemeral) = peer_points("invalid points");
    for InvalidPoint {
        flag,
        comment,
        x,
        y,
        same,
    } in points::invalid()
    {
        let bytes = [&[4][..], &bytes32(&x), &bytes32(&y)].concat();
        let answer = side.answer(PEER_ID, &public, &same, KEY_LENGTH);
        let offer = Offer {
            ephemeral: bytes.clone(),
            ..Offer::new(PEER_ID, &(public.clone(), same.clone()), &answer)
        };
        push(
            group,
            Invalid,
            flag,
            format!("ephemeral point: {comment}"),
            (offer, &answer),
        );
        let answer = side.answer(PEER_ID, &same, &ephemeral, KEY_LENGTH);
        let offer = Offer {
            public: bytes,
            ..Offer::new(PEER_ID, &(same, ephemeral.clone()), &answer)
        };
        push(
            group,
            Invalid,
            flag,
            format!("public key: {comment}"),
            (offer, &answer),
        );
    }
    let answer = side.answer(PEER_ID, &public, &Point::Infinity, KEY_LENGTH);
    for (what, bytes) in [
        ("one byte 00", vec![0]),
        ("(0, 0)", [&[4][..], &[0; 64]].concat()),
    ] {
        let offer = Offer {
            ephemeral: bytes,
            ..Offer::new(PEER_ID, &(public.clone(), public.clone()), &answer)
        };
        let comment = format!("ephemeral point: infinity as {what}");
        push(group, Invalid, "PointAtInfinity", comment, (offer, &answer));
    }
    let opposite = doubling(&ephemeral).negate();
    let answer = side.answer(PEER_ID, &opposite, &ephemeral, KEY_LENGTH);
    let offer = Offer::new(PEER_ID, &(opposite, ephemeral), &answer);
    let comment = "public key: -xbar times the ephemeral point";
    push(
        group,
        Invalid,
        "SharedPointInfinity",
        comment,
        (offer, &answer),
    );
}

fn add_encodings(group: &mut Tests, side: &Side) {
    let points = peer_points("encodings");
    let answer = side.answer(PEER_ID, &points.0, &points.1, KEY_LENGTH);
    let good = Offer::new(PEER_ID, &points, &answer);
    let mut add = |result, flag, what, ephemeral| {
        let offer = Offer {
            ephemeral,
            ..good.clone()
        };
        push(
            group,
            result,
            flag,
            format!("ephemeral point {what}"),
            (offer, &answer),
        );
    };
    let point = &points.1;
    add(
        Acceptable,
        "CompressedPoint",
        "compressed",
        compressed(point),
    );
    add(
        Acceptable,
        "HybridPoint",
        "in the mixed form",
        hybrid(point),
    );
    let exchanged = compressed(&point.negate());
    add(
        Invalid,
        "WrongConfirmation",
        "compressed, 02 and 03 exchanged",
        exchanged,
    );
    let mut parity = hybrid(point);
    parity[0] ^= 1;
    let whole = uncompressed(point);
    for (what, ephemeral) in [
        ("in the mixed form, 06 and 07 exchanged", parity),
        ("without its 04", whole[1..].to_vec()),
        ("of 64 bytes", whole[..64].to_vec()),
        ("of 66 bytes", [&whole[..], &[0]].concat()),
        ("of no bytes", Vec::new()),
    ] {
        add(Invalid, "InvalidPointEncoding", what, ephemeral);
    }
}

/// Confirmations that belong to something else.
fn add_confirmations(group: &mut Tests, side: &Side) {
    let points = peer_points("confirmations");
    let (public, ephemeral) = &points;
    let answer = side.answer(PEER_ID, public, ephemeral, KEY_LENGTH);
    let good = Offer::new(PEER_ID, &points, &answer);
    let right = &good.confirmation;
    let flipped = |byte: usize, bit: u8| {
        let mut out = right.clone();
        out[byte] ^= bit;
        out
    };
    let of = |id: &[u8], points: [&Point; 2]| {
        side.answer(id, points[0], points[1], KEY_LENGTH)
            .peer_confirmation
    };
    let (other_key, other_ephemeral) = peer_points("another");
    for (what, confirmation) in [
        ("with its first bit changed", flipped(0, 0x80)),
        ("with its last bit changed", flipped(31, 1)),
        ("with byte 15 changed", flipped(15, 0x10)),
        ("with byte 16 changed", flipped(16, 1)),
        ("of this side", answer.own_confirmation.clone()),
        ("of 32 bytes 00", vec![0; 32]),
        ("of 32 other bytes", other("another confirmation")),
        ("without its last byte", right[..31].to_vec()),
        ("with a byte 00 after it", [&right[..], &[0]].concat()),
        ("of no bytes", Vec::new()),
        (
            "for another identifier",
            of(b"Mallory", [public, ephemeral]),
        ),
        (
            "for the identifiers exchanged",
            of(&side.id, [public, ephemeral]),
        ),
        (
            "for another public key",
            of(PEER_ID, [&other_key, ephemeral]),
        ),
        (
            "for another ephemeral point",
            of(PEER_ID, [public, &other_ephemeral]),
        ),
        (
            "for the opposite ephemeral point",
            of(PEER_ID, [public, &ephemeral.negate()]),
        ),
    ] {
        let offer = Offer {
            confirmation,
            ..good.clone()
        };
        push(
            group,
            Invalid,
            "WrongConfirmation",
            format!("a confirmation {what}"),
            (offer, &answer),
        );
    }
}
