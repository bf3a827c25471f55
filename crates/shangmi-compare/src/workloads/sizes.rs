//! Sizes of keys, signatures and ciphertexts.

use super::public_key::{KEY_LEN, PublicKeySubjects};
use crate::known_answer::{encoded_keys, pattern};
use crate::result::{Side, SizeRow};
use crate::subjects::{Candidate, Subject};

/// Lengths of a raw private key and an uncompressed point.
type RawKeys = Option<(u64, u64)>;

/// Algorithm, side, strength, raw keys; RSA has no raw form of common use.
const ALGORITHMS: [(&str, Side, u32, RawKeys); 4] = [
    ("SM2", Side::Sm, 128, Some((32, 65))),
    ("P-256", Side::International, 128, Some((32, 65))),
    ("RSA-2048", Side::International, 112, None),
    ("RSA-3072", Side::International, 128, None),
];

/// Keys from stored examples, signatures and ciphertexts as the subjects make them now.
pub(crate) fn rows(subjects: &PublicKeySubjects) -> Vec<SizeRow> {
    let mut rows = Vec::new();
    for (algorithm, side, security_bits, raw) in ALGORITHMS {
        let mut push = |what: &str, encoding: &str, bytes: u64| {
            let (what, encoding) = (what.to_owned(), encoding.to_owned());
            rows.push(SizeRow {
                algorithm: algorithm.to_owned(),
                side,
                what,
                encoding,
                bytes,
                security_bits,
            });
        };
        if let Some((private, public)) = raw {
            push("private-key", "raw", private);
            push("public-key", "uncompressed point", public);
            push("public-key", "compressed point", public.div_ceil(2));
        }
        if let Some((public, private)) = encoded_keys(algorithm) {
            push("public-key", "DER SPKI", public.len() as u64);
            if !private.is_empty() {
                push("private-key", "DER PKCS#8", private.len() as u64);
            }
        }
    }
    rows.extend(signature_rows(subjects));
    rows.extend(ciphertext_rows(subjects));
    rows
}

fn signature_rows(subjects: &PublicKeySubjects) -> Vec<SizeRow> {
    let size = |candidate: &Candidate<std::rc::Rc<dyn crate::subjects::Signatures>>| {
        let mut signature = [0; 512];
        // A DER signature varies by a byte or two: the longest of a few is the usual upper length.
        let lengths =
            (0..8).filter_map(|i| candidate.object.sign(&pattern(32 + i), &mut signature));
        Some(made_row(&candidate.subject, "signature", lengths.max()?))
    };
    distinct(subjects.signatures.iter().filter_map(size).collect())
}

fn ciphertext_rows(subjects: &PublicKeySubjects) -> Vec<SizeRow> {
    let size = |candidate: &Candidate<std::rc::Rc<dyn crate::subjects::Encryption>>| {
        let mut ciphertext = [0; 512];
        let lengths =
            (0..8).filter_map(|_| candidate.object.encrypt(&pattern(KEY_LEN), &mut ciphertext));
        Some(made_row(
            &candidate.subject,
            "ciphertext-of-32-bytes",
            lengths.max()?,
        ))
    };
    distinct(subjects.encryption.iter().filter_map(size).collect())
}

fn made_row(subject: &Subject, what: &str, bytes: usize) -> SizeRow {
    SizeRow {
        algorithm: subject.algorithm.clone(),
        side: subject.side,
        what: what.to_owned(),
        encoding: encoding(subject, what).to_owned(),
        bytes: bytes as u64,
        security_bits: subject.security_bits,
    }
}

/// What the subject's output looks like.
fn encoding(subject: &Subject, what: &str) -> &'static str {
    let own = subject.library == crate::subjects::shangmi::NAME;
    match (subject.algorithm.as_str(), what) {
        ("SM2", "signature") if own => "r || s",
        ("SM2", _) if own => "C1 || C3 || C2",
        ("SM2", _) | ("P-256", "signature") => "DER",
        ("P-256", _) => "point || AES-GCM",
        _ => "as long as the modulus",
    }
}

/// Two libraries make the same encoding: one row is enough.
fn distinct(rows: Vec<SizeRow>) -> Vec<SizeRow> {
    let mut kept: Vec<SizeRow> = Vec::new();
    for row in rows {
        let same = |other: &&mut SizeRow| {
            other.algorithm == row.algorithm && other.encoding == row.encoding
        };
        match kept.iter_mut().find(same) {
            Some(other) => other.bytes = other.bytes.max(row.bytes),
            None => kept.push(row),
        }
    }
    kept
}
