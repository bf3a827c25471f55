//! SM2 against RSA and P-256.

mod many;

use std::hint::black_box;
use std::rc::Rc;

use super::{Batch, Context, Lane, Offsets, SLACK, Work};
use crate::known_answer::pattern;
use crate::options::Profile;
use crate::result::Group;
use crate::runner::{Bench, local};
use crate::subjects::{
    Agreement, Agreements, Candidate, Encryption, EncryptionSchemes, ManyPublicKeys,
    SignatureSchemes, Signatures,
};

/// The variant that verifies with a table of the key's own.
pub(crate) const KEY_PREPARED: &str = "key prepared";
/// The variant that takes many messages at once.
pub(crate) const MANY_AT_ONCE: &str = "many at once";
/// The same for messages under one key, where that makes a difference.
pub(crate) const MANY_UNDER_ONE_KEY: &str = "many at once, one key";

/// Length of the short message that is signed.
pub(crate) const SHORT_MESSAGE: u64 = 32;

/// Lengths of signed messages.
const MESSAGE_LENGTHS: [u64; 2] = [SHORT_MESSAGE, 16 << 10];

/// Length of the key that is encrypted.
pub(crate) const KEY_LEN: usize = 32;

/// Room for the longest signature or ciphertext.
const OUTPUT_LEN: usize = 512;

/// The search for primes takes its time and varies: it needs more of it than the rest.
const KEY_GENERATION_WEIGHT: f64 = 12.0;

/// Every public-key subject.
#[derive(Default)]
pub(crate) struct PublicKeySubjects {
    pub(crate) signatures: SignatureSchemes,
    /// Those that verify with a prepared key.
    pub(crate) prepared: SignatureSchemes,
    pub(crate) many: ManyPublicKeys,
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
            verify_with_cost,
        ));
    }
    batches.push(batch(
        "verify-prepared",
        Some(SHORT_MESSAGE),
        1.5,
        &subjects.prepared,
        verify_with_cost,
    ));
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
    batches.extend(many::plan(&subjects.many));
    batches
}

/// A bench, and what had to be paid once before.
struct Made {
    bench: Box<dyn Bench>,
    one_time_nanoseconds: Option<f64>,
}

impl From<Box<dyn Bench>> for Made {
    fn from(bench: Box<dyn Bench>) -> Self {
        Self {
            bench,
            one_time_nanoseconds: None,
        }
    }
}

fn batch<'a, T: ?Sized, M: Into<Made>>(
    operation: &str,
    bytes: Option<u64>,
    weight: f64,
    candidates: &'a [Candidate<Rc<T>>],
    make: impl Fn(Rc<T>, usize) -> Option<M> + 'a,
) -> Batch<'a> {
    Batch {
        work: Work::new(Group::PublicKey, operation, bytes),
        weight,
        is_long: false,
        lane_count: candidates.len(),
        lanes: Box::new(move || {
            let lane = |candidate: &Candidate<Rc<T>>| {
                let object = Rc::clone(&candidate.object);
                let made = make(object, bytes.unwrap_or_default() as usize)?.into();
                Some(Lane {
                    subject: candidate.subject.clone(),
                    bench: made.bench,
                    one_time_nanoseconds: made.one_time_nanoseconds,
                })
            };
            candidates.iter().filter_map(lane).collect()
        }),
    }
}

/// Signs messages of `bytes` bytes.
pub(crate) fn sign(object: Rc<dyn Signatures>, bytes: usize) -> Box<dyn Bench> {
    let (data, offsets) = (pattern(bytes + SLACK), Offsets::new());
    let mut signature = [0; OUTPUT_LEN];
    local(move |iteration| {
        let start = offsets.at(iteration);
        black_box(object.sign(&data[start..start + bytes], &mut signature)).is_some()
    })
}

/// Messages, signatures or ciphertexts prepared outside the clock.
const PREPARED: u64 = 4;

fn verify_with_cost(object: Rc<dyn Signatures>, bytes: usize) -> Option<Made> {
    Some(Made {
        one_time_nanoseconds: object.preparation_nanoseconds(),
        bench: verify(object, bytes)?,
    })
}

/// Verifies signatures of messages of `bytes` bytes.
pub(crate) fn verify(object: Rc<dyn Signatures>, bytes: usize) -> Option<Box<dyn Bench>> {
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
