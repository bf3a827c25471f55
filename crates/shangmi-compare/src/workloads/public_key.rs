//! SM2 against RSA and P-256.

use std::hint::black_box;
use std::rc::Rc;

use super::{Batch, Context, Lane, Offsets, SLACK, Work};
use crate::known_answer::pattern;
use crate::options::Profile;
use crate::result::Group;
use crate::runner::{Bench, local};
use crate::subjects::{
    Agreement, Agreements, Candidate, Encryption, EncryptionSchemes, SignatureSchemes, Signatures,
};

/// Lengths of signed messages.
const MESSAGE_LENGTHS: [u64; 2] = [32, 16 << 10];

/// Length of the key that is encrypted.
pub(crate) const KEY_LEN: usize = 32;

/// Room for the longest signature or ciphertext.
const OUTPUT_LEN: usize = 512;

/// The search for primes takes its time and varies: it needs more of it than the rest.
const KEY_GENERATION_WEIGHT: f64 = 12.0;

/// Every public-key subject.
pub(crate) struct PublicKeySubjects {
    pub(crate) signatures: SignatureSchemes,
    pub(crate) encryption: EncryptionSchemes,
    pub(crate) agreements: Agreements,
}

/// A batch for each operation.
pub(crate) fn plan<'a>(context: &Context<'_>, subjects: &'a PublicKeySubjects) -> Vec<Batch<'a>> {
    let key_weight = if context.profile == Profile::Smoke {
        1.0
    } else {
        KEY_GENERATION_WEIGHT
    };
    let mut batches = vec![batch(
        "generate-key",
        None,
        key_weight,
        &subjects.signatures,
        |object, _| Some(local(move |_| object.generate_key())),
    )];
    for bytes in MESSAGE_LENGTHS {
        batches.push(batch(
            "sign",
            Some(bytes),
            1.5,
            &subjects.signatures,
            |object, bytes| Some(sign(object, bytes)),
        ));
        batches.push(batch(
            "verify",
            Some(bytes),
            1.5,
            &subjects.signatures,
            verify,
        ));
    }
    let key_len = Some(KEY_LEN as u64);
    batches.push(batch(
        "encrypt",
        key_len,
        1.5,
        &subjects.encryption,
        |object, bytes| Some(encrypt(object, bytes)),
    ));
    batches.push(batch(
        "decrypt",
        key_len,
        1.5,
        &subjects.encryption,
        decrypt,
    ));
    batches.push(batch(
        "agree",
        None,
        1.5,
        &subjects.agreements,
        |object: Rc<dyn Agreement>, _| Some(local(move |_| black_box(object.agree()).is_some())),
    ));
    batches
}

fn batch<'a, T: ?Sized>(
    operation: &str,
    bytes: Option<u64>,
    weight: f64,
    candidates: &'a [Candidate<Rc<T>>],
    bench: impl Fn(Rc<T>, usize) -> Option<Box<dyn Bench>> + 'a,
) -> Batch<'a> {
    Batch {
        work: Work::new(Group::PublicKey, operation, bytes),
        weight,
        is_long: false,
        lane_count: candidates.len(),
        lanes: Box::new(move || {
            let lane = |candidate: &Candidate<Rc<T>>| {
                let bench = bench(
                    Rc::clone(&candidate.object),
                    bytes.unwrap_or_default() as usize,
                )?;
                Some(Lane {
                    subject: candidate.subject.clone(),
                    bench,
                    one_time_nanoseconds: None,
                })
            };
            candidates.iter().filter_map(lane).collect()
        }),
    }
}

fn sign(object: Rc<dyn Signatures>, bytes: usize) -> Box<dyn Bench> {
    let (data, offsets) = (pattern(bytes + SLACK), Offsets::new());
    let mut signature = [0; OUTPUT_LEN];
    local(move |iteration| {
        let start = offsets.at(iteration);
        black_box(object.sign(&data[start..start + bytes], &mut signature)).is_some()
    })
}

/// Messages, signatures or ciphertexts prepared outside the clock.
const PREPARED: u64 = 4;

fn verify(object: Rc<dyn Signatures>, bytes: usize) -> Option<Box<dyn Bench>> {
    let (data, offsets) = (pattern(bytes + SLACK), Offsets::new());
    let mut prepared = Vec::new();
    for i in 0..PREPARED {
        let (start, mut signature) = (offsets.at(i), vec![0; OUTPUT_LEN]);
        let length = object.sign(&data[start..start + bytes], &mut signature)?;
        signature.truncate(length);
        prepared.push((start, signature));
    }
    Some(local(move |iteration| {
        let (start, signature) = &prepared[(iteration % PREPARED) as usize];
        object.verify(&data[*start..*start + bytes], signature)
    }))
}

fn encrypt(object: Rc<dyn Encryption>, bytes: usize) -> Box<dyn Bench> {
    let (data, offsets) = (pattern(bytes + SLACK), Offsets::new());
    let mut ciphertext = [0; OUTPUT_LEN];
    local(move |iteration| {
        let start = offsets.at(iteration);
        black_box(object.encrypt(&data[start..start + bytes], &mut ciphertext)).is_some()
    })
}

fn decrypt(object: Rc<dyn Encryption>, bytes: usize) -> Option<Box<dyn Bench>> {
    let mut prepared = Vec::new();
    for i in 0..PREPARED as usize {
        let mut ciphertext = vec![0; OUTPUT_LEN];
        let length = object.encrypt(&pattern(bytes + i)[i..], &mut ciphertext)?;
        ciphertext.truncate(length);
        prepared.push(ciphertext);
    }
    let mut plaintext = [0; OUTPUT_LEN];
    Some(local(move |iteration| {
        let ciphertext = &prepared[(iteration % PREPARED) as usize];
        black_box(object.decrypt(ciphertext, &mut plaintext)) == Some(bytes)
    }))
}
