//! Signatures under other identifiers than the default one, and under wrong ones.

use reference::sm2::curve;
use reference::sm3;

use super::Cases;
use super::signer::{sign, sign_digest};
use crate::sm2_vectors::format::Verdict::{Acceptable, Invalid, Valid};
use crate::sm2_vectors::keys::{DEFAULT_ID, KeyPair, bytes32, concatenated};

const MESSAGE: &[u8] = b"whose signature?";
const NAME_IN_UTF8: &[u8] = "测试用户".as_bytes();
const NAME_IN_GBK: &[u8] = &[0xb2, 0xe2, 0xca, 0xd4, 0xd3, 0xc3, 0xbb, 0xa7];
const LONGEST: usize = 8191;

/// Signatures under other identifiers, in the group of the default one.
pub(super) fn add_wrong(group: &mut Cases, key: &KeyPair) {
    let utf16: Vec<u8> = DEFAULT_ID.iter().flat_map(|byte| [*byte, 0]).collect();
    let long = DEFAULT_ID.repeat(2);
    for (what, id) in [
        ("the empty identifier", &b""[..]),
        ("another identifier", b"Alice"),
        ("the identifier of TLS 1.3", b"TLSv1.3+GM+Cipher+Suite"),
        ("the identifier without its last byte", &DEFAULT_ID[..15]),
        ("the identifier and a byte 00", b"1234567812345678\0"),
        ("the identifier and a line feed", b"1234567812345678\n"),
        (
            "the identifier in hexadecimal digits",
            b"31323334353637383132333435363738",
        ),
        (
            "the identifier taken as hexadecimal digits",
            &[0x12, 0x34, 0x56, 0x78, 0x12, 0x34, 0x56, 0x78],
        ),
        ("the identifier in UTF-16", &utf16),
        ("the identifier twice", &long),
        ("16 bytes 00", &[0; 16]),
    ] {
        let comment = format!("made under {what}");
        group.push(
            Invalid,
            "WrongIdentifier",
            comment,
            MESSAGE,
            sign(key, id, MESSAGE),
        );
    }
}

/// One identifier, and others under which signatures of the group were made.
struct Identifier {
    id: Vec<u8>,
    what: &'static str,
    wrong: Vec<(&'static str, Vec<u8>)>,
}

fn identifiers() -> Vec<Identifier> {
    let identifier = |what, id: &[u8], wrong: &[(&'static str, &[u8])]| Identifier {
        id: id.to_vec(),
        what,
        wrong: wrong
            .iter()
            .map(|(what, id)| (*what, id.to_vec()))
            .collect(),
    };
    let longest: Vec<u8> = (0..LONGEST).map(|i| (i % 251) as u8).collect();
    vec![
        identifier(
            "\"Alice\"",
            b"Alice",
            &[
                ("the default identifier", DEFAULT_ID),
                ("\"alice\"", b"alice"),
                ("\"Alice\" and a byte 00", b"Alice\0"),
            ],
        ),
        identifier(
            "an identifier with a byte 00 inside",
            b"Alice\0Bob",
            &[("the part before the byte 00", b"Alice")],
        ),
        identifier(
            "a single byte 00",
            &[0],
            &[("the empty identifier", b""), ("two bytes 00", &[0, 0])],
        ),
        identifier(
            "a name in UTF-8",
            NAME_IN_UTF8,
            &[("the same name in GBK", NAME_IN_GBK)],
        ),
        identifier(
            "32 bytes, so that ENTL is 0100",
            b"an identifier of thirty-two byte",
            &[("its first 31 bytes", b"an identifier of thirty-two byt")],
        ),
        identifier(
            "8191 bytes, the longest",
            &longest,
            &[
                ("its first 8190 bytes", &longest[..LONGEST - 1]),
                ("its first 255 bytes", &longest[..255]),
            ],
        ),
    ]
}

pub(super) fn groups(key: &KeyPair) -> Vec<Cases> {
    let mut groups: Vec<Cases> = identifiers()
        .into_iter()
        .map(|Identifier { id, what, wrong }| {
            let mut group = Cases::new(&key.public, &id);
            group.push(Valid, "Identifier", what, MESSAGE, sign(key, &id, MESSAGE));
            for (what, id) in wrong {
                let comment = format!("made under {what}");
                group.push(
                    Invalid,
                    "WrongIdentifier",
                    comment,
                    MESSAGE,
                    sign(key, &id, MESSAGE),
                );
            }
            group
        })
        .collect();
    groups.push(empty(key));
    groups.push(too_long(key));
    groups
}

fn empty(key: &KeyPair) -> Cases {
    let mut group = Cases::new(&key.public, b"");
    let comment = "Z with ENTL = 0";
    group.push(
        Acceptable,
        "EmptyIdentifier",
        comment,
        MESSAGE,
        sign(key, b"", MESSAGE),
    );
    let comment = "made under the default identifier";
    group.push(
        Invalid,
        "WrongIdentifier",
        comment,
        MESSAGE,
        sign(key, DEFAULT_ID, MESSAGE),
    );
    let pair = sign_digest(key, &sm3::digest(MESSAGE), "nonce");
    group.push(
        Invalid,
        "WrongDigest",
        "e = SM3(M), without Z",
        MESSAGE,
        pair,
    );
    group
}

/// Z cannot be computed; signatures of what comes out where ENTL is cut to its 16 bits, or set to the most it can be.
fn too_long(key: &KeyPair) -> Cases {
    let id = vec![b'x'; LONGEST + 1];
    let mut group = Cases::new(&key.public, &id);
    let curve_and_key = [
        &bytes32(&curve().a)[..],
        &bytes32(&curve().b),
        &concatenated(&curve().g),
        &concatenated(&key.public),
    ]
    .concat();
    for (what, entl, id) in [
        ("ENTL = 0000 and the whole identifier", [0, 0], &id[..]),
        ("ENTL = 0000 and no identifier", [0, 0], &[]),
        ("ENTL = ffff and the whole identifier", [0xff, 0xff], &id),
        ("the first 8191 bytes", [0xff, 0xf8], &id[..LONGEST]),
    ] {
        let z = sm3::digest(&[&entl[..], id, &curve_and_key].concat());
        let e = sm3::digest(&[&z[..], MESSAGE].concat());
        let comment = format!("made with {what}");
        group.push(
            Invalid,
            "IdentifierTooLong",
            comment,
            MESSAGE,
            sign_digest(key, &e, "nonce"),
        );
    }
    group
}
