//! `testdata/sm2` put to the system's `openssl`: another implementation agrees with what the files say, but for what is named here.
//!
//! Not `sm2_key_agreement_test.json`: OpenSSL 3 has no SM2 key exchange (`pkeyutl -derive` with an SM2 key ends with "operation not
//! supported for this keytype"). `cargo xtask differential sm2` puts that file to Bouncy Castle.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::collections::BTreeSet;

use common::{
    hex,
    openssl::OpenSsl,
    schema::{
        EncodedKey, Encrypted, Group, KeyHead, RecipientHead, SignedDigest, SignedMessage,
        SignerHead, Test, Verdict, load,
    },
};
use shangmi_pki::{SignatureFormat, signature};

macro_rules! vectors {
    ($name:literal) => {
        load(include_str!(concat!("../../../testdata/sm2/", $name)))
    };
}

/// Valid ones that OpenSSL refuses: its longest identifier has 8190 bytes.
const REFUSED_SIGNATURES: [&str; 1] = ["8191 bytes, the longest"];

/// Ciphertexts that OpenSSL 3.0 decrypts although they are invalid.
///
/// It lets an empty plaintext pass, reduces coordinates modulo p, reads BER, ignores what follows, and takes every INTEGER
/// for unsigned.
const ACCEPTED_CIPHERTEXTS: [&str; 28] = [
    "nothing was encrypted",
    "x + p",
    "p for x = 0",
    "y + p",
    "indefinite length",
    "a length in the long form, 1 byte",
    "a length in the long form, 2 bytes",
    "a length in the long form, 4 bytes",
    "a length in the long form, 9 bytes",
    "SEQUENCE in the form for high tags",
    "a byte 00 after the SEQUENCE",
    "two bytes 00 after the SEQUENCE",
    "NULL after the SEQUENCE",
    "the whole twice",
    "x without its 00",
    "x: a length in the long form",
    "x: a length with a leading 00",
    "x: a leading 00 too many",
    "x: 300 leading 00 too many",
    "y without its 00",
    "y: a length in the long form",
    "y: a length with a leading 00",
    "y: a leading 00 too many",
    "y: 300 leading 00 too many",
    "C3 in two parts",
    "C2 in two parts",
    "C3 with a length in the long form",
    "C2 with a length in the long form",
];

/// Public keys that OpenSSL 3.0 takes although they are invalid.
///
/// It takes any curve that is given by its parameters, so also one that is SM2's but for the generator, and does not look at
/// their version and cofactor. It reads BER, and ignores what follows and the count of unused bits.
const ACCEPTED_KEYS: [&str; 16] = [
    "the curve by its parameters, the generator is the public key: d = 1",
    "the curve by its parameters, the generator is 2G",
    "the curve by its parameters, the generator is -G",
    "the curve by its parameters, cofactor 2",
    "the curve by its parameters, cofactor 0",
    "the curve by its parameters, version 0",
    "indefinite length",
    "a length in the long form, 1 byte",
    "a length in the long form, 2 bytes",
    "a length in the long form, 4 bytes",
    "SEQUENCE in the form for high tags",
    "a byte 00 after the SEQUENCE",
    "two bytes 00 after the SEQUENCE",
    "NULL after the SEQUENCE",
    "the whole twice",
    "a BIT STRING with one unused bit",
];

/// What OpenSSL answered otherwise than a file says.
#[derive(Default)]
struct Deviations {
    seen: BTreeSet<String>,
    asked: usize,
}

impl Deviations {
    fn note<B>(&mut self, test: &Test<B>, accepted: bool) {
        self.asked += 1;
        let expected = test.result == Verdict::Valid;
        if test.result != Verdict::Acceptable && accepted != expected {
            self.seen.insert(test.comment.clone());
        }
    }

    /// Every test was put to it, and it deviated in nothing but `known`. Other versions may do so in less.
    fn finish<H, B>(&self, groups: &[Group<H, B>], known: &[&str]) {
        let tests = || groups.iter().flat_map(|group| &group.tests);
        assert_eq!(self.asked, tests().count());
        for name in known {
            assert!(tests().any(|test| test.comment == *name), "no test {name}");
        }
        let new: Vec<_> = self
            .seen
            .iter()
            .filter(|seen| !known.contains(&seen.as_str()))
            .collect();
        assert!(new.is_empty(), "OpenSSL deviates in {new:?}");
    }
}

#[test]
fn signatures_of_messages() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let groups: Vec<Group<SignerHead, SignedMessage>> = vectors!("sm2_verify_test.json");
    let mut deviations = Deviations::default();
    for Group { head, tests } in &groups {
        openssl.write("pub.pem", &head.public_key_pem);
        let id: String = head
            .id
            .as_ref()
            .unwrap()
            .0
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        // It does not take no digits for the empty identifier.
        let option = if id.is_empty() {
            "distid:".to_owned()
        } else {
            format!("hexdistid:{id}")
        };
        for test in tests {
            openssl.write("message", &test.body.msg.0);
            openssl.write("signature", &test.body.sig.0);
            let verified = openssl.try_run(&format!(
                "dgst -sm3 -verify pub.pem -sigopt {option} -signature signature message"
            ));
            deviations.note(test, verified.status.success());
        }
    }
    deviations.finish(&groups, &REFUSED_SIGNATURES);
}

#[test]
fn signatures_of_digests() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let groups: Vec<Group<SignerHead, SignedDigest>> = vectors!("sm2_verify_digest_test.json");
    let mut deviations = Deviations::default();
    for Group { head, tests } in &groups {
        openssl.write("pub.pem", &head.public_key_pem);
        for test in tests {
            openssl.write("digest", &test.body.digest.0);
            openssl.write("signature", der(&test.body.sig.0));
            let verified = openssl
                .try_run("pkeyutl -verify -pubin -inkey pub.pem -in digest -sigfile signature");
            deviations.note(test, verified.status.success());
        }
    }
    deviations.finish(&groups, &[]);
}

/// r || s as DER, also for numbers that `signature` does not write.
fn der(raw: &[u8]) -> Vec<u8> {
    if let Ok(signature) = signature::read_raw(raw) {
        return signature::write(&signature, SignatureFormat::Der);
    }
    let mut content = Vec::new();
    for half in raw.chunks(32) {
        let zeros = half.iter().take_while(|byte| **byte == 0).count().min(31);
        let sign: &[u8] = if half[zeros] < 0x80 { &[] } else { &[0] };
        let bytes = [sign, &half[zeros..]].concat();
        content.extend([2, short(bytes.len())]);
        content.extend(bytes);
    }
    [&[0x30, short(content.len())], &content[..]].concat()
}

/// A length of DER that has one byte.
fn short(length: usize) -> u8 {
    assert!(length < 0x80);
    u8::try_from(length).unwrap()
}

#[test]
fn ciphertexts() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let mut groups: Vec<Group<RecipientHead, Encrypted>> = vectors!("sm2_decrypt_test.json");
    groups.retain(|group| group.head.encoding == "der");
    let mut deviations = Deviations::default();
    for Group { head, tests } in &groups {
        openssl.write("key.pem", &head.private_key_pem);
        for test in tests {
            openssl.write("ciphertext", &test.body.ct.0);
            let opened = openssl.try_run("pkeyutl -decrypt -inkey key.pem -in ciphertext");
            let accepted = opened.status.success();
            if accepted {
                assert_eq!(opened.stdout, test.body.msg.0, "{}", test.comment);
            }
            deviations.note(test, accepted);
        }
    }
    deviations.finish(&groups, &ACCEPTED_CIPHERTEXTS);
}

#[test]
fn public_keys() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let groups: Vec<Group<KeyHead, EncodedKey>> = vectors!("sm2_public_key_test.json");
    let mut deviations = Deviations::default();
    for Group { head, tests } in &groups {
        for test in tests {
            let encoded = &test.body.encoded.0;
            let key = match head.encoding.as_str() {
                "asn" => encoded.clone(),
                _ => with_head(encoded),
            };
            openssl.write("key.der", key);
            let read =
                openssl.try_run("pkey -pubin -inform DER -in key.der -pubcheck -text_pub -noout");
            let text = String::from_utf8(read.stdout).unwrap();
            // A key on P-256 is one, and no SM2 key. Where parameters give the curve, it has no name.
            let another = text.contains("ASN1 OID: ") && !text.contains("ASN1 OID: SM2");
            let accepted = read.status.success() && text.contains("Key is valid") && !another;
            if let Some(point) = test.body.uncompressed().filter(|_| accepted) {
                let shown = shown_point(&text);
                assert!(shown.len() >= 33, "{}", test.comment);
                assert!(point[1..].starts_with(&shown[1..]), "{}", test.comment);
            }
            deviations.note(test, accepted);
        }
    }
    deviations.finish(&groups, &ACCEPTED_KEYS);
}

/// `SubjectPublicKeyInfo` of a point, also of one that has no business there.
fn with_head(point: &[u8]) -> Vec<u8> {
    // SEQUENCE { id-ecPublicKey, SM2 }
    const ALGORITHM: [u8; 21] = [
        0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x81,
        0x1c, 0xcf, 0x55, 0x01, 0x82, 0x2d,
    ];
    let bits = [&[3, short(1 + point.len()), 0], point].concat();
    let content = [&ALGORITHM[..], &bits].concat();
    [&[0x30, short(content.len())], &content[..]].concat()
}

/// The bytes of the point in the text of a key: the lines that are set in after `pub:`.
fn shown_point(text: &str) -> Vec<u8> {
    let (_, after) = text.split_once("pub:\n").unwrap();
    let lines = after.lines().take_while(|line| line.starts_with(' '));
    let digits: String = lines.collect::<String>().replace([' ', ':'], "");
    hex(&digits)
}
