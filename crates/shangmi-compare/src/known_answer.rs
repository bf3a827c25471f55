//! The door to the clock: a subject that does not compute its algorithm is refused, with the reason.

mod cipher;
mod public_key;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use crate::result::{Group, RefusedSubject, Side};
use crate::subjects::{Candidate, Digest, Hash, HashMany, Mac, MakeMac, Subject};

pub(crate) use cipher::cipher;
pub(crate) use public_key::{
    agreement, encoded_keys, encryption, many as many_public_keys, signatures,
};

/// Keeps the candidates that pass `check`; the others are put on the list of the refused.
pub(crate) fn admit<T>(
    group: Group,
    candidates: Vec<Candidate<T>>,
    refused: &mut Vec<RefusedSubject>,
    check: impl Fn(&Candidate<T>) -> Result<(), String>,
) -> Vec<Candidate<T>> {
    let mut admitted = Vec::new();
    for candidate in candidates {
        match check(&candidate) {
            Ok(()) => admitted.push(candidate),
            Err(reason) => refused.push(refusal(group, &candidate.subject, reason)),
        }
    }
    admitted
}

fn refusal(group: Group, subject: &Subject, reason: String) -> RefusedSubject {
    let variant = subject
        .variant
        .as_deref()
        .map(|variant| format!(" ({variant})"))
        .unwrap_or_default();
    RefusedSubject {
        group,
        subject: subject.library.clone(),
        operation: format!("{}{variant}", subject.algorithm),
        reason,
    }
}

/// Bytes that repeat with the prime period 251: no block equals another.
pub(crate) fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn unhex<const N: usize>(text: &str) -> [u8; N] {
    std::array::from_fn(|i| {
        text.get(2 * i..2 * i + 2)
            .and_then(|pair| u8::from_str_radix(pair, 16).ok())
            .unwrap_or(0)
    })
}

fn expect(what: &str, expected: &str, found: &[u8]) -> Result<(), String> {
    let found = hex(found);
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected}, got {found}"))
    }
}

fn expect_true(what: &str, holds: bool) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(format!("{what}: failed"))
    }
}

fn unknown(subject: &Subject) -> String {
    format!("no known answer for {}", subject.algorithm)
}

/// Digests of `abc` and of three times the 64-byte pattern.
const HASH_ANSWERS: [(&str, &str, &str); 2] = [
    (
        "SM3",
        "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0",
        "6ef4a9641093bbd99f79ca14801b4aed392ec2a3023497821f0ece3453e885ef",
    ),
    (
        "SHA-256",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "4bdaf0c2d351114b2ba055d7c3941383c20f5aa4c6b62fc47e0472d4c2f5eb0d",
    ),
];

/// GB/T 32905's and FIPS 180's first example, three blocks, and both again in parts.
pub(crate) fn hash(subject: &Subject, object: &dyn Hash) -> Result<(), String> {
    let answers = HASH_ANSWERS
        .iter()
        .find(|(algorithm, ..)| *algorithm == subject.algorithm);
    let (_, short, long) = answers.ok_or_else(|| unknown(subject))?;
    let message = pattern(64).repeat(3);
    expect("digest of abc", short, &object.digest(b"abc"))?;
    expect("digest of 192 bytes", long, &object.digest(&message))?;
    let Some(mut stream) = object.stream() else {
        return Ok(());
    };
    for _ in 0..2 {
        for part in message.chunks(37) {
            stream.update(part);
        }
        expect("digest of 192 bytes in parts", long, &stream.finish())?;
    }
    Ok(())
}

/// The same answers from every place among many messages of two lengths, and then from messages that all differ.
pub(crate) fn many_hashes(subject: &Subject, object: &dyn HashMany) -> Result<(), String> {
    let answers = HASH_ANSWERS
        .iter()
        .find(|(algorithm, ..)| *algorithm == subject.algorithm);
    let (_, short, long) = answers.ok_or_else(|| unknown(subject))?;
    let message = pattern(64).repeat(3);
    for first_is_long in [true, false] {
        let is_long = |place: usize| place.is_multiple_of(2) == first_is_long;
        let messages: [&[u8]; MANY] =
            std::array::from_fn(|place| if is_long(place) { &message[..] } else { b"abc" });
        for (place, digest) in digest_many(object, &messages)?.iter().enumerate() {
            let expected = if is_long(place) { long } else { short };
            expect(&format!("digest of message {place}"), expected, digest)?;
        }
    }
    let define = match subject.side {
        Side::Sm => reference::sm3::digest,
        Side::International => reference::sha256::digest,
    };
    let bytes = pattern(MANY + 200);
    let messages: [&[u8]; MANY] = std::array::from_fn(|place| &bytes[place..][..200]);
    let digests = digest_many(object, &messages)?;
    for (place, (digest, message)) in digests.iter().zip(messages).enumerate() {
        let expected = hex(&define(message));
        expect(&format!("digest of message {place}"), &expected, digest)?;
    }
    Ok(())
}

/// Messages of the trial: more than there are lanes.
const MANY: usize = 66;

fn digest_many(object: &dyn HashMany, messages: &[&[u8]; MANY]) -> Result<[Digest; MANY], String> {
    let mut digests = [[0; 32]; MANY];
    expect_true(
        "digests of many messages",
        object.digest_many(messages, &mut digests),
    )?;
    Ok(digests)
}

/// A MAC's known answer.
struct MacAnswer {
    algorithm: &'static str,
    key: &'static [u8],
    message: &'static [u8],
    tag: &'static str,
}

/// RFC 4231's second case for HMAC; GB/T 15852.1-2020, annex B; SP 800-38B's third case.
const MAC_ANSWERS: [MacAnswer; 4] = [
    MacAnswer {
        algorithm: "HMAC-SM3",
        key: b"Jefe",
        message: b"what do ya want for nothing?",
        tag: "2e87f1d16862e6d964b50a5200bf2b10b764faa9680a296a2405f24bec39f882",
    },
    MacAnswer {
        algorithm: "HMAC-SHA256",
        key: b"Jefe",
        message: b"what do ya want for nothing?",
        tag: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    },
    MacAnswer {
        algorithm: "CMAC-SM4",
        key: &0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes(),
        message: b"This is the test message for mac",
        tag: "692c437100f3b5ee2b8abcef373d990c00000000000000000000000000000000",
    },
    MacAnswer {
        algorithm: "CMAC-AES-128",
        key: &0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes(),
        message: b"\x6b\xc1\xbe\xe2\x2e\x40\x9f\x96\xe9\x3d\x7e\x11\x73\x93\x17\x2a\
            \xae\x2d\x8a\x57\x1e\x03\xac\x9c\x9e\xb7\x6f\xac\x45\xaf\x8e\x51\
            \x30\xc8\x1c\x46\xa3\x5c\xe4\x11",
        tag: "dfa66747de9ae63030ca32611497c82700000000000000000000000000000000",
    },
];

/// Makes the MAC and checks it: one message, with a new key, and many messages.
pub(crate) fn mac(subject: &Subject, make: &MakeMac) -> Result<(), String> {
    let answer = MAC_ANSWERS
        .iter()
        .find(|answer| answer.algorithm == subject.algorithm)
        .ok_or_else(|| unknown(subject))?;
    let mut object = make(answer.key).ok_or("the key was not accepted")?;
    mac_object(answer, object.as_mut())
}

fn mac_object(answer: &MacAnswer, object: &mut dyn Mac) -> Result<(), String> {
    for _ in 0..2 {
        expect("tag", answer.tag, &object.mac(answer.message))?;
    }
    let with_new_key = object.mac_with_key(answer.key, answer.message);
    expect("tag with a new key", answer.tag, &with_new_key)?;
    expect_true(
        "the tag depends on the key",
        hex(&object.mac_with_key(b"another key, 16.", answer.message)) != answer.tag,
    )?;
    // `mac_with_key` may have changed the key that is kept.
    let _ = object.mac_with_key(answer.key, answer.message);
    let other = pattern(200);
    let messages: [&[u8]; MANY] = std::array::from_fn(|place| {
        if place.is_multiple_of(2) {
            answer.message
        } else {
            &other[place..]
        }
    });
    let mut tags = [[0; 32]; MANY];
    expect_true(
        "tags of many messages",
        object.mac_many(&messages, &mut tags),
    )?;
    for (place, (message, tag)) in messages.iter().zip(tags).enumerate() {
        let expected = hex(&object.mac(message));
        expect(&format!("tag of message {place}"), &expected, &tag)?;
    }
    Ok(())
}
