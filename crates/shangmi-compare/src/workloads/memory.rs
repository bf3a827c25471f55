//! Working memory: the stack that one operation writes to, and the state that lives between calls.

mod window;

use std::hint::black_box;
use std::rc::Rc;

use shangmi::sm2::{PublicKey, Signer};
use shangmi::sm3::hmac::HmacKey;
use shangmi::sm3::{Sm3, digest_compact};
use shangmi::sm4::Sm4;

use crate::hardware::Hardware;
use crate::known_answer::pattern;
use crate::result::{MemoryMeasure, MemoryRow, Side};
use crate::stack_probe;
use crate::subjects::{
    Candidate, CipherOperation, Ciphers, DigestFn, Hash, Hashes, SignatureSchemes, Subject, aws_lc,
    libcrypto, shangmi as own, stages,
};

/// Message of the measured digest: one block and its padding.
const MESSAGE_LEN: usize = 64;

/// Stack of one digest, one encryption and one signature by every subject, and the sizes of our states.
pub(crate) fn rows(hardware: &Hardware) -> Vec<MemoryRow> {
    let mut rows = digest_rows(hardware);
    rows.extend(compact_row());
    rows.extend(window_rows());
    rows.extend(cipher_rows(hardware));
    rows.extend(signature_rows(hardware));
    rows.extend(state_rows());
    rows
}

fn all_hashes(hardware: &Hardware) -> Hashes {
    let mut hashes = own::hashes();
    hashes.extend(stages::hashes());
    hashes.extend(aws_lc::hashes(hardware));
    hashes.extend(libcrypto::hashes(hardware));
    hashes
}

fn digest_rows(hardware: &Hardware) -> Vec<MemoryRow> {
    rows_of(
        all_hashes,
        hardware,
        "stack that one digest of 64 bytes wrote to",
        |hash: Rc<dyn Hash>| {
            let message = pattern(MESSAGE_LEN);
            Some(move || {
                black_box(hash.digest(&message));
            })
        },
    )
}

/// Bytes of stack that one digest by `candidate` wrote to, for the candidate of that number in `gather`'s list.
fn rows_of<T, F: FnMut()>(
    gather: fn(&Hardware) -> Vec<Candidate<T>>,
    hardware: &Hardware,
    note: &str,
    prepare: impl Fn(T) -> Option<F> + Sync,
) -> Vec<MemoryRow> {
    let subjects: Vec<Subject> = gather(hardware)
        .into_iter()
        .map(|candidate| candidate.subject)
        .collect();
    let row = |(number, subject): (usize, &Subject)| {
        // The objects do not cross threads: the probe's thread gathers its own.
        let bytes =
            stack_probe::high_water(|| prepare(gather(hardware).into_iter().nth(number)?.object))?;
        Some(memory_row(
            subject,
            MemoryMeasure::StackHighWater,
            bytes,
            note,
        ))
    };
    subjects.iter().enumerate().filter_map(row).collect()
}

fn memory_row(subject: &Subject, measure: MemoryMeasure, bytes: u64, note: &str) -> MemoryRow {
    MemoryRow {
        algorithm: subject.algorithm.clone(),
        subject: subject.library.clone(),
        variant: subject.variant.clone(),
        side: subject.side,
        measure,
        bytes,
        note: note.to_owned(),
    }
}

fn all_ciphers(hardware: &Hardware) -> Ciphers {
    let mut ciphers = own::ciphers();
    ciphers.extend(aws_lc::ciphers(hardware));
    ciphers.extend(libcrypto::ciphers(hardware));
    ciphers
}

fn cipher_rows(hardware: &Hardware) -> Vec<MemoryRow> {
    rows_of(
        all_ciphers,
        hardware,
        "stack that CTR over 1024 bytes wrote to, key schedule included",
        |cipher| {
            let mut data = pattern(1024);
            Some(move || {
                if let Some(mut mode) = cipher.transform(CipherOperation::Ctr, &[1; 16], &[2; 16]) {
                    black_box(mode.apply(&mut data));
                }
            })
        },
    )
}

/// Our SM2 and AWS-LC's P-256: RSA's keys would take seconds to make for each.
fn signature_rows(hardware: &Hardware) -> Vec<MemoryRow> {
    let gather = |hardware: &Hardware| -> SignatureSchemes {
        let mut schemes = own::signature_schemes();
        schemes.extend(aws_lc::p256_signatures(hardware));
        schemes
    };
    rows_of(
        gather,
        hardware,
        "stack that one signature of 32 bytes wrote to",
        |scheme| {
            let message = pattern(32);
            Some(move || {
                black_box(scheme.sign(&message, &mut [0; 128]));
            })
        },
    )
}

fn state_rows() -> Vec<MemoryRow> {
    let states = [
        (
            "SM3",
            size_of::<Sm3>(),
            "the hasher between two parts of a message",
        ),
        ("HMAC-SM3", size_of::<HmacKey>(), "the key state"),
        ("SM4", size_of::<Sm4>(), "the key schedule"),
        (
            "SM2",
            size_of::<Signer>(),
            "the signer with its cached values",
        ),
        ("SM2", size_of::<PublicKey>(), "the public key"),
    ];
    let row = |(algorithm, bytes, note): (&str, usize, &str)| MemoryRow {
        algorithm: algorithm.to_owned(),
        subject: own::NAME.to_owned(),
        variant: None,
        side: Side::Sm,
        measure: MemoryMeasure::State,
        bytes: bytes as u64,
        note: note.to_owned(),
    };
    states.map(row).to_vec()
}

/// Our SM3 on the code path that needs least.
fn compact_row() -> Option<MemoryRow> {
    Some(MemoryRow {
        algorithm: "SM3".to_owned(),
        subject: own::NAME.to_owned(),
        variant: Some("compact".to_owned()),
        side: Side::Sm,
        measure: MemoryMeasure::StackHighWater,
        bytes: digest_stack(digest_compact)?,
        note: "portable code, window of 16 words".to_owned(),
    })
}

/// The same code with a window of 16 and of 68 words: the measure must rise with the window.
fn window_rows() -> Vec<MemoryRow> {
    let windows: [(&str, DigestFn); 2] = [
        ("16-word window", window::digest::<16>),
        ("68-word window", window::digest::<68>),
    ];
    let row = |(variant, function): (&str, DigestFn)| {
        Some(MemoryRow {
            algorithm: "SM3".to_owned(),
            subject: stages::NAME.to_owned(),
            variant: Some(variant.to_owned()),
            side: Side::Sm,
            measure: MemoryMeasure::StackHighWater,
            bytes: digest_stack(function)?,
            note: "the same code but for the window".to_owned(),
        })
    };
    windows.into_iter().filter_map(row).collect()
}

fn digest_stack(function: DigestFn) -> Option<u64> {
    stack_probe::high_water(|| {
        let message = pattern(MESSAGE_LEN);
        Some(move || {
            black_box(function(black_box(&message)));
        })
    })
}

#[cfg(test)]
mod tests {
    use reference::hash::Stage;

    use super::*;

    #[test]
    fn a_wider_window_needs_more() {
        let narrow = digest_stack(window::digest::<16>).unwrap();
        let wide = digest_stack(window::digest::<68>).unwrap();
        let difference = wide.saturating_sub(narrow);
        assert!(
            (4 * (68 - 16) - 64..=4 * (68 - 16) + 64).contains(&difference),
            "{narrow} {wide}"
        );
    }

    #[test]
    fn our_compact_digest_stays_below_the_textbook() {
        let ours = digest_stack(digest_compact).unwrap();
        let textbook =
            digest_stack(|message| reference::sm3::digest_by(Stage::Textbook, message)).unwrap();
        assert!(ours < 560, "{ours}");
        assert!(textbook > ours + 4 * (132 - 16), "{ours} {textbook}");
    }
}
