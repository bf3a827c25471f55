//! r || s, 64 bytes, and other things in its place.

use num_bigint::{BigInt, BigUint};

use super::signer::{Pair, main_key, search};
use super::{Body, Tests, asn, common};
use crate::sm2_vectors::format::{Hex, Verdict::Invalid};
use crate::sm2_vectors::keys::{bytes32, concatenated};

/// r || s, where both fit their 32 bytes.
pub(super) fn encode(r: &BigInt, s: &BigInt) -> Option<Vec<u8>> {
    let half = |value: &BigInt| value.to_biguint().filter(|value| value.bits() <= 256);
    Some(both(&half(r)?, &half(s)?))
}

pub(super) fn both(r: &BigUint, s: &BigUint) -> Vec<u8> {
    [bytes32(r), bytes32(s)].concat()
}

pub(super) fn add_encodings(group: &mut Tests) {
    let key = main_key();
    let (message, (r, s)) = common::base(&key);
    let good = both(&r, &s);
    let (first, second) = good.split_at(32);
    let mut reversed = good.clone();
    reversed[..32].reverse();
    reversed[32..].reverse();
    let hex: String = good.iter().map(|byte| format!("{byte:02x}")).collect();
    let key_point = concatenated(&key.public);
    for (flag, comment, sig) in [
        ("WrongLength", "empty", vec![]),
        ("WrongLength", "r alone", first.to_vec()),
        ("WrongLength", "the last byte missing", good[..63].to_vec()),
        ("WrongLength", "the first byte missing", good[1..].to_vec()),
        (
            "TrailingData",
            "a byte 00 after it",
            [&good[..], &[0]].concat(),
        ),
        (
            "WrongLength",
            "a byte 00 before it",
            [&[0], &good[..]].concat(),
        ),
        (
            "WrongLength",
            "a byte 00 before r and s",
            [&[0], first, &[0], second].concat(),
        ),
        (
            "TrailingData",
            "a byte with the recovery number after it",
            [&good[..], &[27]].concat(),
        ),
        (
            "TrailingData",
            "the public key after it",
            [&good[..], &key_point].concat(),
        ),
        ("TrailingData", "twice", good.repeat(2)),
        ("InvalidEncoding", "least significant bytes first", reversed),
        ("InvalidEncoding", "in hexadecimal digits", hex.into_bytes()),
        (
            "OtherForm",
            "DER",
            asn::encode(&r.clone().into(), &s.clone().into()),
        ),
    ] {
        push(group, flag, comment, &message, sig);
    }
    add_dropped_zeros(group);
}

/// Integers without their leading zeros, as big integers give them.
fn add_dropped_zeros(group: &mut Tests) {
    let key = main_key();
    let minimal = |(r, s): &Pair| [r.to_bytes_be(), s.to_bytes_be()].concat();
    let short_r = search(&key, |r, s| r.bits() <= 248 && s.bits() > 248);
    let short_s = search(&key, |r, s| s.bits() <= 248 && r.bits() > 248);
    for (comment, (message, pair)) in [
        ("63 bytes: r without its leading 00", short_r),
        ("63 bytes: s without its leading 00", short_s),
    ] {
        push(group, "WrongLength", comment, &message, minimal(&pair));
    }
}

fn push(group: &mut Tests, flag: &'static str, comment: &str, message: &[u8], sig: Vec<u8>) {
    let (msg, sig) = (Hex(message.to_vec()), Hex(sig));
    group.push(Invalid, flag, comment, Body { msg, sig });
}
