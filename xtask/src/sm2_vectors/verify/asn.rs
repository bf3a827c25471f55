//! SEQUENCE { r, s }, and what is not quite that.

use num_bigint::BigInt;

use super::signer::{main_key, search};
use super::{Body, Tests, common, p1363};
use crate::sm2_vectors::der::{
    BIT_STRING, BOOLEAN, ENUMERATED, INTEGER, NULL, OBJECT_IDENTIFIER, OCTET_STRING, SEQUENCE, SET,
    bit_string, integer, integer_content, long_length, octets, sequence, tlv, tlv_with,
};
use crate::sm2_vectors::format::{Hex, Verdict::Invalid};

type Bad = (&'static str, String, Vec<u8>);

pub(super) fn encode(r: &BigInt, s: &BigInt) -> Vec<u8> {
    sequence(&[&integer(r), &integer(s)])
}

pub(super) fn add_encodings(group: &mut Tests) {
    let key = main_key();
    let (message, (r, s)) = common::base(&key);
    let raw = p1363::both(&r, &s);
    let (r, s) = (BigInt::from(r), BigInt::from(s));
    let parts = Parts {
        r: integer(&r),
        s: integer(&s),
    };
    let mut bad = vec![("OtherForm", "r || s, 64 bytes".to_owned(), raw.clone())];
    bad.push((
        "WrongLength",
        "r || s, 63 bytes".to_owned(),
        raw[..63].to_vec(),
    ));
    bad.push((
        "WrongLength",
        "r || s, 65 bytes".to_owned(),
        [&raw[..], &[0]].concat(),
    ));
    bad.extend(parts.lengths());
    bad.extend(parts.elements());
    bad.extend(parts.tags());
    bad.extend(parts.truncated());
    for (name, value) in [("r", &r), ("s", &s)] {
        bad.extend(
            wrong_integers(value)
                .into_iter()
                .map(|(flag, what, integer)| {
                    let both = if name == "r" {
                        [&integer, &parts.s]
                    } else {
                        [&parts.r, &integer]
                    };
                    (
                        flag,
                        format!("{name}: {what}"),
                        sequence(&[both[0], both[1]]),
                    )
                }),
        );
    }
    for (flag, comment, sig) in bad {
        let (msg, sig) = (Hex(message.clone()), Hex(sig));
        group.push(Invalid, flag, comment, Body { msg, sig });
    }
    add_missing_zeros(group);
}

/// A valid signature with a number that has its top bit set, written as if it were signed.
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
        let (msg, sig) = (Hex(message.clone()), Hex(sig));
        group.push(Invalid, "MissingZero", comment, Body { msg, sig });
    }
}

/// The two INTEGERs of a valid signature.
struct Parts {
    r: Vec<u8>,
    s: Vec<u8>,
}

impl Parts {
    fn content(&self) -> Vec<u8> {
        [&self.r[..], &self.s].concat()
    }

    /// The SEQUENCE with other lengths.
    fn lengths(&self) -> Vec<Bad> {
        let content = self.content();
        let count = content.len();
        let with = |length: &[u8]| tlv_with(SEQUENCE, length, &content);
        let short = |length: usize| with(&[u8::try_from(length).expect("a short length")]);
        let mut out = vec![
            (
                "BerEncoding",
                "indefinite length",
                [&with(&[0x80])[..], &[0, 0]].concat(),
            ),
            (
                "InvalidEncoding",
                "indefinite length without an end",
                with(&[0x80]),
            ),
            (
                "InvalidEncoding",
                "a length too short by 1",
                short(count - 1),
            ),
            (
                "InvalidEncoding",
                "a length too long by 1",
                short(count + 1),
            ),
            ("InvalidEncoding", "a length of 0", short(0)),
            ("InvalidEncoding", "a length of 127", short(127)),
            (
                "InvalidEncoding",
                "a length with the reserved first byte ff",
                with(&[0xff]),
            ),
            (
                "InvalidEncoding",
                "a length of 2^32-1",
                with(&[0x84, 0xff, 0xff, 0xff, 0xff]),
            ),
            (
                "InvalidEncoding",
                "a length of 2^64-1",
                with(&[0x88, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
            ),
            (
                "InvalidEncoding",
                "a length of 2^32 more",
                with(&[0x85, 1, 0, 0, 0, u8::try_from(count).expect("short")]),
            ),
            (
                "InvalidEncoding",
                "a length of 2^64 more",
                with(&[&[0x89, 1][..], &(count as u64).to_be_bytes()].concat()),
            ),
        ];
        for (what, bytes) in [
            ("a length in the long form, 1 byte", 1),
            ("a length in the long form, 2 bytes", 2),
            ("a length in the long form, 4 bytes", 4),
            ("a length in the long form, 9 bytes", 9),
        ] {
            out.push(("BerEncoding", what, with(&long_length(count, bytes))));
        }
        owned(out)
    }

    /// More or fewer elements, and bytes between and after them.
    fn elements(&self) -> Vec<Bad> {
        let (r, s) = (&self.r[..], &self.s[..]);
        let good = sequence(&[r, s]);
        let null = [NULL, 0];
        owned(vec![
            (
                "TrailingData",
                "a byte 00 after the SEQUENCE",
                [&good[..], &[0]].concat(),
            ),
            (
                "TrailingData",
                "two bytes 00 after the SEQUENCE",
                [&good[..], &[0, 0]].concat(),
            ),
            (
                "TrailingData",
                "NULL after the SEQUENCE",
                [&good[..], &null].concat(),
            ),
            ("TrailingData", "the signature twice", good.repeat(2)),
            (
                "TrailingData",
                "two bytes 00 after s",
                sequence(&[r, s, &[0, 0]]),
            ),
            ("TrailingData", "NULL after s", sequence(&[r, s, &null])),
            (
                "TrailingData",
                "a third INTEGER",
                sequence(&[r, s, &[INTEGER, 1, 0]]),
            ),
            ("InvalidEncoding", "NULL before r", sequence(&[&null, r, s])),
            (
                "InvalidEncoding",
                "NULL between r and s",
                sequence(&[r, &null, s]),
            ),
            (
                "InvalidEncoding",
                "NULL before the SEQUENCE",
                [&null, &good[..]].concat(),
            ),
            ("InvalidEncoding", "s missing", sequence(&[r])),
            ("InvalidEncoding", "r missing", sequence(&[s])),
            ("InvalidEncoding", "an empty SEQUENCE", sequence(&[])),
            (
                "InvalidEncoding",
                "no SEQUENCE around r and s",
                self.content(),
            ),
            (
                "InvalidEncoding",
                "a SEQUENCE around the SEQUENCE",
                sequence(&[&good]),
            ),
            (
                "InvalidEncoding",
                "a SEQUENCE around each number",
                sequence(&[&sequence(&[r]), &sequence(&[s])]),
            ),
            (
                "InvalidEncoding",
                "in a BIT STRING, as in a certificate",
                bit_string(&good),
            ),
            ("InvalidEncoding", "in an OCTET STRING", octets(&good)),
        ])
    }

    /// The SEQUENCE with another tag.
    fn tags(&self) -> Vec<Bad> {
        let content = self.content();
        let tags = [
            ("SET for SEQUENCE", SET),
            ("SEQUENCE, but primitive", 0x10),
            ("APPLICATION 16 for SEQUENCE", 0x70),
            ("context 16 for SEQUENCE", 0xb0),
            ("context 0 for SEQUENCE", 0xa0),
            ("tag 00 for SEQUENCE", 0),
        ];
        let mut out: Vec<_> = tags
            .map(|(what, tag)| ("InvalidEncoding", what, tlv(tag, &content)))
            .into();
        let high = [&[0x3f, SEQUENCE & 0x1f][..], &tlv(0, &content)[1..]].concat();
        out.push(("BerEncoding", "SEQUENCE in the form for high tags", high));
        owned(out)
    }

    fn truncated(&self) -> Vec<Bad> {
        let good = sequence(&[&self.r, &self.s]);
        let r_ends = 2 + self.r.len();
        [
            0,
            1,
            2,
            3,
            4,
            r_ends - 1,
            r_ends,
            r_ends + 1,
            r_ends + 2,
            good.len() - 1,
        ]
        .map(|length| {
            (
                "InvalidEncoding",
                format!("the first {length} bytes"),
                good[..length].to_vec(),
            )
        })
        .into()
    }
}

/// Other ways to write an INTEGER, each wrong.
fn wrong_integers(value: &BigInt) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    let content = integer_content(value);
    let count = content.len();
    let with = |length: &[u8]| tlv_with(INTEGER, length, &content);
    let padded = |zeros: usize| tlv(INTEGER, &[&vec![0; zeros][..], &content].concat());
    let hex: String = content.iter().map(|byte| format!("{byte:02x}")).collect();
    vec![
        (
            "BerEncoding",
            "a length in the long form",
            with(&long_length(count, 1)),
        ),
        (
            "BerEncoding",
            "a length in the long form with a leading 00",
            with(&long_length(count, 2)),
        ),
        (
            "InvalidEncoding",
            "indefinite length",
            [&with(&[0x80])[..], &[0, 0]].concat(),
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
        ("BerEncoding", "a leading 00 too many", padded(1)),
        ("BerEncoding", "300 leading 00 too many", padded(300)),
        (
            "InvalidEncoding",
            "ff in front",
            tlv(INTEGER, &[&[0xff], &content[..]].concat()),
        ),
        (
            "InvalidEncoding",
            "an INTEGER of no bytes",
            vec![INTEGER, 0],
        ),
        (
            "InvalidEncoding",
            "BIT STRING for INTEGER",
            tlv(BIT_STRING, &content),
        ),
        (
            "InvalidEncoding",
            "OCTET STRING for INTEGER",
            tlv(OCTET_STRING, &content),
        ),
        (
            "InvalidEncoding",
            "ENUMERATED for INTEGER",
            tlv(ENUMERATED, &content),
        ),
        (
            "InvalidEncoding",
            "OBJECT IDENTIFIER for INTEGER",
            tlv(OBJECT_IDENTIFIER, &content),
        ),
        (
            "InvalidEncoding",
            "INTEGER, but constructed",
            tlv(0x20 | INTEGER, &content),
        ),
        (
            "InvalidEncoding",
            "context 2 for INTEGER",
            tlv(0x80 | INTEGER, &content),
        ),
        (
            "InvalidEncoding",
            "a string of hexadecimal digits",
            tlv(0x0c, hex.as_bytes()),
        ),
        ("InvalidEncoding", "TRUE", tlv(BOOLEAN, &[0xff])),
        ("InvalidEncoding", "NULL", tlv(NULL, &[])),
        ("InvalidEncoding", "an empty SEQUENCE", sequence(&[])),
        (
            "InvalidEncoding",
            "the REAL 0.25",
            tlv(0x09, &[0x80, 0xfe, 0x01]),
        ),
    ]
}

fn owned(bad: Vec<(&'static str, &'static str, Vec<u8>)>) -> Vec<Bad> {
    bad.into_iter()
        .map(|(flag, comment, bytes)| (flag, comment.to_owned(), bytes))
        .collect()
}
