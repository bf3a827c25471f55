//! Many public-key operations at once; the message of each is as long as that of a single one.

use std::hint::black_box;
use std::rc::Rc;

use super::{Batch, KEY_LEN, Lane, MANY_UNDER_ONE_KEY, SHORT_MESSAGE, Work};
use crate::known_answer::pattern;
use crate::result::Group;
use crate::runner::{Bench, local};
use crate::subjects::{Candidate, ManyPublicKeys, PublicKeyMany, RawSignature};
use crate::workloads::many::MESSAGES;

const COUNT: usize = MESSAGES as usize;
const LENGTH: usize = SHORT_MESSAGE as usize;

type Object = Rc<dyn PublicKeyMany>;
type Make = fn(Object) -> Option<Box<dyn Bench>>;

/// Verification under one key.
const ONE_KEY: &str = "verify-many-one-key";

/// A batch for each operation that can be done to many at once.
pub(super) fn plan(candidates: &ManyPublicKeys) -> Vec<Batch<'_>> {
    let operations: [(&'static str, Option<u64>, Make); 5] = [
        ("generate-key-many", None, |object| {
            Some(local(move |_| object.generate_keys(COUNT)))
        }),
        ("sign-many", Some(SHORT_MESSAGE), |object| {
            Some(sign(object))
        }),
        ("verify-many", Some(SHORT_MESSAGE), |object| {
            verify(object, Keys::Each)
        }),
        (ONE_KEY, Some(SHORT_MESSAGE), |object| {
            verify(object, Keys::One)
        }),
        ("decrypt-many", Some(KEY_LEN as u64), decrypt),
    ];
    let batch = |(operation, length, make): (&'static str, Option<u64>, Make)| Batch {
        work: Work {
            items: Some(MESSAGES),
            ..Work::new(
                Group::PublicKey,
                operation,
                length.map(|one| one * MESSAGES),
            )
        },
        weight: 1.5,
        is_long: false,
        lane_count: candidates.len(),
        lanes: Box::new(move || {
            let lane = |candidate: &Candidate<Object>| {
                let mut subject = candidate.subject.clone();
                if operation == ONE_KEY {
                    subject.variant = Some(MANY_UNDER_ONE_KEY.to_owned());
                }
                Some(Lane {
                    subject,
                    bench: make(Rc::clone(&candidate.object))?,
                    one_time_nanoseconds: None,
                })
            };
            candidates.iter().filter_map(lane).collect()
        }),
    };
    operations.map(batch).into()
}

/// Different messages that overlap in memory.
struct Messages(Vec<u8>);

impl Messages {
    fn new() -> Self {
        Self(pattern(COUNT + LENGTH))
    }

    fn all(&self) -> [&[u8]; COUNT] {
        std::array::from_fn(|i| &self.0[i..i + LENGTH])
    }
}

fn sign(object: Object) -> Box<dyn Bench> {
    let messages = Messages::new();
    let mut signatures: [RawSignature; COUNT] = [[0; 64]; COUNT];
    local(move |_| {
        let done = object.sign(black_box(&messages.all()), &mut signatures);
        black_box(&signatures);
        done
    })
}

/// Whose signatures are verified together.
#[derive(Clone, Copy)]
enum Keys {
    One,
    /// A key for each message.
    Each,
}

fn verify(object: Object, keys: Keys) -> Option<Box<dyn Bench>> {
    let messages = Messages::new();
    let mut signatures: [RawSignature; COUNT] = [[0; 64]; COUNT];
    let signed = match keys {
        Keys::One => object.sign(&messages.all(), &mut signatures),
        Keys::Each => object.sign_each(&messages.all(), &mut signatures),
    };
    if !signed {
        return None;
    }
    let mut valid = [false; COUNT];
    Some(local(move |_| {
        let messages = black_box(messages.all());
        let done = match keys {
            Keys::One => object.verify(&messages, &signatures, &mut valid),
            Keys::Each => object.verify_each(&messages, &signatures, &mut valid),
        };
        done && valid == [true; COUNT]
    }))
}

fn decrypt(object: Object) -> Option<Box<dyn Bench>> {
    let messages = Messages::new();
    let encrypted = messages
        .all()
        .map(|message| object.encrypt(&message[..KEY_LEN]));
    let encrypted: Vec<Vec<u8>> = encrypted.into_iter().collect::<Option<_>>()?;
    let (mut plaintexts, mut valid) = ([[0; KEY_LEN]; COUNT], [false; COUNT]);
    Some(local(move |_| {
        let ciphertexts: [&[u8]; COUNT] = std::array::from_fn(|i| encrypted[i].as_slice());
        let mut buffers = plaintexts
            .each_mut()
            .map(|plaintext| plaintext.as_mut_slice());
        let done = object.decrypt(black_box(&ciphertexts), &mut buffers, &mut valid);
        done && valid == [true; COUNT]
    }))
}
