//! The committed files, judged case by case by the executable specification and a strict reader of DER.
//!
//! The generator says what each case must come to by the rule that the case breaks or keeps; this says it by running the
//! standard's algorithm. The two must agree.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigUint;
use reference::sm2::{self, Ciphertext, Own, Peer, Point};
use serde_json::Value;

use super::{DIRECTORY, generate};
use crate::checkout;

#[test]
fn committed_files_are_what_is_generated() {
    let directory = checkout::root().unwrap().join(DIRECTORY);
    for (name, content) in generate().unwrap() {
        let committed = std::fs::read_to_string(directory.join(name)).unwrap();
        let difference = checkout::first_difference(&committed, &content);
        assert_eq!(difference, None, "{name}: run `cargo xtask sm2-vectors`");
    }
}

#[test]
fn every_note_is_used() {
    let all: Value = serde_json::from_str(include_str!("notes.json")).unwrap();
    let mut unused: BTreeSet<&str> = all
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let directory = checkout::root().unwrap().join(DIRECTORY);
    let mut files = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            files += 1;
            let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
            for flag in file["notes"].as_object().unwrap().keys() {
                unused.remove(flag.as_str());
            }
        }
    }
    assert_eq!((files, unused), (6, BTreeSet::new()));
}

/// Flags of cases for which the standards leave room.
const OPEN: [&str; 6] = [
    "AlgorithmDialect",
    "CompressedPoint",
    "EmptyIdentifier",
    "ExplicitParameters",
    "HybridPoint",
    "Reflection",
];

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_else(|| panic!("no {name}"))
}

fn bytes(value: &Value, name: &str) -> Vec<u8> {
    let digits = text(value, name);
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn number(value: &Value, name: &str) -> BigUint {
    BigUint::from_bytes_be(&bytes(value, name))
}

/// The point of 65 bytes; on the curve or not.
fn point(bytes: &[u8]) -> Option<Point> {
    let (first, coordinates) = bytes.split_first()?;
    if *first != 4 || coordinates.len() != 64 {
        return None;
    }
    let (x, y) = coordinates.split_at(32);
    Some(Point::new(
        BigUint::from_bytes_be(x),
        BigUint::from_bytes_be(y),
    ))
}

/// Judges every test of a file: `accepted` must be what the file says.
fn judge(name: &str, mut accepted: impl FnMut(&Value, &Value) -> bool) {
    let path = checkout::root().unwrap().join(DIRECTORY).join(name);
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut results = BTreeMap::new();
    for group in file["testGroups"].as_array().unwrap() {
        for test in group["tests"].as_array().unwrap() {
            let (result, flag) = (text(test, "result"), test["flags"][0].as_str().unwrap());
            let says = format!("{name} {}: {}", test["tcId"], text(test, "comment"));
            *results.entry(result.to_owned()).or_insert(0) += 1;
            match result {
                "valid" => assert!(accepted(group, test), "{says}"),
                "invalid" => assert!(!accepted(group, test), "{says}"),
                _ => assert!(OPEN.contains(&flag), "{says}"),
            }
        }
    }
    assert!(
        results["valid"] > 0 && results["invalid"] > 20,
        "{results:?}"
    );
    let all: u64 = results.values().sum();
    assert_eq!(file["numberOfTests"].as_u64(), Some(all));
}

/// The content of an element with this tag and the shortest length, and what follows.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&[found, length], rest) = bytes.split_first_chunk()?;
    let (length, rest) = match length {
        0..=0x7f => (usize::from(length), rest),
        0x81 => (
            usize::from(*rest.first().filter(|byte| **byte >= 0x80)?),
            &rest[1..],
        ),
        0x82 => {
            let (two, rest) = rest.split_first_chunk()?;
            let length = usize::from(u16::from_be_bytes(*two));
            (Some(length).filter(|length| *length >= 0x100)?, rest)
        }
        _ => return None,
    };
    (found == tag).then_some(rest)?.split_at_checked(length)
}

/// An INTEGER that is not negative, in the fewest bytes.
fn unsigned(bytes: &[u8]) -> Option<(BigUint, &[u8])> {
    let (content, rest) = element(bytes, 2)?;
    let minimal = match content {
        [] => false,
        [0, second, ..] => *second >= 0x80,
        [first, ..] => *first < 0x80,
    };
    minimal.then(|| (BigUint::from_bytes_be(content), rest))
}

/// The content of a SEQUENCE that nothing follows.
fn sequence(bytes: &[u8]) -> Option<&[u8]> {
    let (content, rest) = element(bytes, 0x30)?;
    rest.is_empty().then_some(content)
}

fn signature_der(bytes: &[u8]) -> Option<(BigUint, BigUint)> {
    let (r, rest) = unsigned(sequence(bytes)?)?;
    let (s, rest) = unsigned(rest)?;
    rest.is_empty().then_some((r, s))
}

fn signature_raw(bytes: &[u8]) -> Option<(BigUint, BigUint)> {
    let (r, s) = bytes.split_at_checked(32).filter(|(_, s)| s.len() == 32)?;
    Some((BigUint::from_bytes_be(r), BigUint::from_bytes_be(s)))
}

#[test]
fn signatures() {
    // Two files hold the same signatures in two forms.
    let mut known = HashMap::new();
    let mut verify = |public: Vec<u8>, e: [u8; 32], (r, s): (BigUint, BigUint)| {
        let verify = || sm2::verify(&point(&public).unwrap(), &e, &r, &s);
        *known
            .entry((public.clone(), e, r.clone(), s.clone()))
            .or_insert_with(verify)
    };
    let mut of_message = |group: &Value, test: &Value, signature: Option<_>| {
        let public = bytes(&group["publicKey"], "uncompressed");
        let key = point(&public).unwrap();
        let e = sm2::message_digest(&bytes(group, "id"), &key, &bytes(test, "msg"));
        e.is_ok_and(|e| signature.is_some_and(|signature| verify(public, e, signature)))
    };
    judge("sm2_verify_test.json", |group, test| {
        of_message(group, test, signature_der(&bytes(test, "sig")))
    });
    judge("sm2_verify_p1363_test.json", |group, test| {
        of_message(group, test, signature_raw(&bytes(test, "sig")))
    });
    judge("sm2_verify_digest_test.json", |group, test| {
        let e = bytes(test, "digest").try_into().unwrap();
        let signature = signature_raw(&bytes(test, "sig")).unwrap();
        verify(bytes(&group["publicKey"], "uncompressed"), e, signature)
    });
}

fn ciphertext_der(bytes: &[u8]) -> Option<Ciphertext> {
    let (x, rest) = unsigned(sequence(bytes)?)?;
    let (y, rest) = unsigned(rest)?;
    let (c3, rest) = element(rest, 4)?;
    let (c2, rest) = element(rest, 4)?;
    rest.is_empty().then_some(())?;
    Some(Ciphertext {
        c1: Point::new(x, y),
        c3: c3.try_into().ok()?,
        c2: c2.to_vec(),
    })
}

fn ciphertext_raw(bytes: &[u8], c3_first: bool) -> Option<Ciphertext> {
    let (c1, rest) = bytes.split_at_checked(65)?;
    let (c3, c2) = if c3_first {
        rest.split_first_chunk()?
    } else {
        let (c2, c3) = rest.split_last_chunk()?;
        (c3, c2)
    };
    Some(Ciphertext {
        c1: point(c1)?,
        c3: *c3,
        c2: c2.to_vec(),
    })
}

#[test]
fn ciphertexts() {
    judge("sm2_decrypt_test.json", |group, test| {
        let bytes_of_test = bytes(test, "ct");
        let ciphertext = match text(group, "encoding") {
            "der" => ciphertext_der(&bytes_of_test),
            "c1c3c2" => ciphertext_raw(&bytes_of_test, true),
            "c1c2c3" => ciphertext_raw(&bytes_of_test, false),
            other => panic!("no encoding {other}"),
        };
        let d = number(group, "privateKey");
        let opened = ciphertext.and_then(|ciphertext| sm2::decrypt(&d, &ciphertext).ok());
        opened.is_some_and(|message| {
            assert_eq!(message, bytes(test, "msg"));
            true
        })
    });
}

#[test]
fn key_agreements() {
    judge("sm2_key_agreement_test.json", |group, test| {
        let (private, ephemeral) = (
            number(group, "privateKey"),
            number(group, "ephemeralPrivateKey"),
        );
        let (id, peer_id) = (bytes(group, "id"), bytes(test, "peerId"));
        let own = Own {
            private: &private,
            ephemeral: &ephemeral,
            id: &id,
        };
        let points = ["peerPublicKey", "peerEphemeralPublicKey"];
        let [Some(public), Some(ephemeral)] = points.map(|name| point(&bytes(test, name))) else {
            return false;
        };
        let peer = Peer {
            public: &public,
            ephemeral: &ephemeral,
            id: &peer_id,
        };
        let length = test["keyLength"].as_u64().unwrap().try_into().unwrap();
        let initiator = text(group, "role") == "initiator";
        let shared = if initiator {
            sm2::exchange_initiator(&own, &peer, length)
        } else {
            sm2::exchange_responder(&own, &peer, length)
        };
        let Ok(shared) = shared else { return false };
        let (mine, theirs) = if initiator {
            (shared.s_a, shared.s_b)
        } else {
            (shared.s_b, shared.s_a)
        };
        let confirmed = bytes(test, "peerConfirmation") == theirs;
        if confirmed {
            assert_eq!(bytes(test, "shared"), shared.key);
            assert_eq!(bytes(test, "confirmation"), mine);
        }
        confirmed
    });
}

#[test]
fn public_keys() {
    // SEQUENCE { SEQUENCE { id-ecPublicKey, SM2 }, BIT STRING (66 bytes, none unused) }, up to the point.
    const HEAD: &[u8] = &[
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08,
        0x2a, 0x81, 0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d, 0x03, 0x42, 0x00,
    ];
    judge("sm2_public_key_test.json", |group, test| {
        let encoded = bytes(test, "encoded");
        let encoded = match text(group, "encoding") {
            "ecpoint" => Some(&encoded[..]),
            _ => encoded.strip_prefix(HEAD),
        };
        let read = encoded.and_then(point).filter(Point::is_on_curve);
        read.is_some_and(|read| {
            assert_eq!(read, Point::new(number(test, "wx"), number(test, "wy")));
            true
        })
    });
}
