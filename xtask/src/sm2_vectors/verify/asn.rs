//! SEQUENCE { r, s }, and what is not quite that.

use num_bigint::BigInt;

use super::signer::{main_key, search};
use super::{Body, Tests, common, p1363};
use crate::sm2_vectors::broken::{Bad, Broken};
use crate::sm2_vectors::der::{INTEGER, NULL, integer, integer_content, sequence, tlv};
use crate::sm2_vectors::format::{Hex, Verdict::Invalid};

pub(super) fn encode(r: &BigInt, s: &BigInt) -> Vec<u8> {
    sequence(&[&integer(r), &integer(s)])
}

pub(super) fn add_encodings(group: &mut Tests) {
    let key = main_key();
    let (message, (r, s)) = common::base(&key);
    let raw = p1363::both(&r, &s);
    let mut broken = Broken::default();
    broken.add("OtherForm", "r || s, 64 bytes", &raw[..]);
    broken.add("WrongLength", "r || s, 63 bytes", &raw[..63]);
    broken.add("WrongLength", "r || s, 65 bytes", [&raw[..], &[0]].concat());
    let (r, s) = (BigInt::from(r), BigInt::from(s));
    let (r_der, s_der) = (integer(&r), integer(&s));
    broken.sequences(&[&r_der[..], &s_der].concat());
    add_elements(&mut broken, &r_der, &s_der);
    broken.integers("r", &r, |r| sequence(&[r, &s_der]));
    broken.integers("s", &s, |s| sequence(&[&r_der, s]));
    let whole = encode(&r, &s);
    let r_ends = 2 + r_der.len();
    let ends = [
        0,
        1,
        2,
        3,
        4,
        r_ends - 1,
        r_ends,
        r_ends + 1,
        r_ends + 2,
        whole.len() - 1,
    ];
    broken.cut("InvalidEncoding", &whole, &ends);
    for Bad {
        flag,
        comment,
        bytes,
    } in broken.0
    {
        push(group, flag, &comment, &message, bytes);
    }
    add_missing_zeros(group);
}

fn push(group: &mut Tests, flag: &'static str, comment: &str, message: &[u8], sig: Vec<u8>) {
    let (msg, sig) = (Hex(message.to_vec()), Hex(sig));
    group.push(Invalid, flag, comment, Body { msg, sig });
}

/// More or fewer elements.
fn add_elements(broken: &mut Broken, r: &[u8], s: &[u8]) {
    let null = &[NULL, 0];
    broken.invalid("NULL before r", sequence(&[null, r, s]));
    broken.invalid("NULL between r and s", sequence(&[r, null, s]));
    broken.invalid("s missing", sequence(&[r]));
    broken.invalid("r missing", sequence(&[s]));
    let each = sequence(&[&sequence(&[r]), &sequence(&[s])]);
    broken.invalid("a SEQUENCE around each number", each);
}

/// A valid signature with numbers that have their top bit set, written as if they were signed.
fn add_missing_zeros(group: &mut Tests) {
    let key = main_key();
    let (message, (r, s)) = search(&key, |r, s| r.bits() == 256 && s.bits() == 256);
    let (r, s) = (BigInt::from(r), BigInt::from(s));
    let bare = |value: &BigInt| tlv(INTEGER, &integer_content(value)[1..]);
    for (comment, sig) in [
        ("r without its 00", sequence(&[&bare(&r), &integer(&s)])),
        ("s without its 00", sequence(&[&integer(&r), &bare(&s)])),
        ("both without their 00", sequence(&[&bare(&r), &bare(&s)])),
    ] {
        push(group, "MissingZero", comment, &message, sig);
    }
}
