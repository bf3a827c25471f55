//! SM4's stages, and the modes of SM4 against those of AES-128.

use std::rc::Rc;

use super::many::{GAP, MANY_LANES, ONE_STREAM};
use super::{Batch, Context, Lane, Offsets, SLACK, Work, one_time_nanoseconds};
use crate::Error;
use crate::clock::Stopwatch;
use crate::known_answer::pattern;
use crate::options::Profile;
use crate::result::Group;
use crate::runner::{Bench, local};
use crate::subjects::{
    Aead, Candidate, Cipher, CipherOperation, Ciphers, Subject, Transform, TransformMany, aws_lc,
};

const MODE_LENGTHS: [u64; 6] = [64, 256, 1 << 10, 1 << 13, 1 << 16, 1 << 20];
const STAGE_LENGTHS: [u64; 4] = [64, 1 << 10, 1 << 14, 1 << 20];
const SMOKE_LENGTHS: [u64; 1] = [1 << 10];

/// CBC encryption of many messages; each goes block by block, so only many can go side by side.
const CBC_MANY: &str = "cbc-encrypt-many";
const CBC_MANY_LENGTHS: [u64; 2] = [1 << 10, 1 << 13];

const KEY: [u8; 16] = *b"benchmark key 16";
const IV: [u8; 16] = *b"benchmark iv  16";
const NONCE: [u8; 12] = *b"benchmark 12";

/// Modes: a batch for each operation and length.
pub(crate) fn plan_modes<'a>(context: &'a Context<'_>, ciphers: &'a Ciphers) -> Vec<Batch<'a>> {
    let lengths: &[u64] = if context.profile == Profile::Smoke {
        &SMOKE_LENGTHS
    } else {
        &MODE_LENGTHS
    };
    let one = move |operation| batches(context, ciphers, Group::CipherMode, operation, lengths);
    let many = CBC_MANY_LENGTHS.map(|length| {
        let work = Work::on_many(Group::CipherMode, CBC_MANY, length);
        batch(context, ciphers, work)
    });
    let operations = CipherOperation::ALL.into_iter();
    operations.flat_map(one).chain(many).collect()
}

/// Whether a library encrypts many blocks in one call of ECB; that of aws-lc-rs takes one block at a time.
pub(crate) fn has_whole_ecb(subject: &Subject) -> bool {
    subject.library != aws_lc::NAME
}

/// Stages of SM4: whole blocks encrypted one after another, which shows the cipher itself.
pub(crate) fn plan_stages<'a>(context: &'a Context<'_>, ciphers: &'a Ciphers) -> Vec<Batch<'a>> {
    let lengths: &[u64] = if context.profile == Profile::Smoke {
        &SMOKE_LENGTHS
    } else {
        &STAGE_LENGTHS
    };
    batches(
        context,
        ciphers,
        Group::CipherStage,
        CipherOperation::EcbEncrypt,
        lengths,
    )
    .collect()
}

fn batches<'a>(
    context: &'a Context<'_>,
    ciphers: &'a Ciphers,
    group: Group,
    operation: CipherOperation,
    lengths: &'a [u64],
) -> impl Iterator<Item = Batch<'a>> {
    lengths.iter().map(move |&bytes| {
        batch(
            context,
            ciphers,
            Work::new(group, operation.name(), Some(bytes)),
        )
    })
}

fn batch<'a>(context: &'a Context<'_>, ciphers: &'a Ciphers, work: Work) -> Batch<'a> {
    Batch {
        work: work.clone(),
        weight: 1.0,
        is_long: false,
        lane_count: ciphers.len() + context.masked_count("AES-128"),
        lanes: Box::new(move || {
            let masked = context.masked_lanes(&work, "AES-128").into_iter();
            let takes_part =
                |lane: &Lane| work.group != Group::CipherStage || has_whole_ecb(&lane.subject);
            let masked = masked.filter(takes_part).map(|mut lane| {
                lane.subject.variant = work.items.map(|_| ONE_STREAM.to_owned());
                lane
            });
            let own = ciphers.iter().filter_map(|one| lane(one, &work));
            own.chain(masked).collect()
        }),
    }
}

/// A lane of this process for `work`; `None` where the library lacks the mode.
pub(crate) fn lane(candidate: &Candidate<Rc<dyn Cipher>>, work: &Work) -> Option<Lane> {
    if work.operation == CBC_MANY {
        return many_lane(candidate, work);
    }
    let operation = CipherOperation::from_name(&work.operation)?;
    let bytes = usize::try_from(work.bytes?).ok()?;
    let cipher = &candidate.object;
    let mut subject = candidate.subject.clone();
    let mut aead = || {
        let aead = cipher.aead(&KEY, &NONCE)?;
        if let Some(backend) = aead.backend() {
            subject.backend = backend;
        }
        Some(aead)
    };
    let bench = match operation {
        CipherOperation::GcmEncrypt => seal(aead()?, bytes),
        CipherOperation::GcmDecrypt => open(aead()?, bytes)?,
        _ => transform(cipher.transform(operation, &KEY, &IV)?, bytes),
    };
    let one_time_nanoseconds = if operation.is_authenticated() {
        one_time_nanoseconds(|| cipher.aead(&KEY, &NONCE))
    } else {
        one_time_nanoseconds(|| cipher.transform(operation, &KEY, &IV))
    };
    Some(Lane {
        subject,
        bench,
        one_time_nanoseconds,
    })
}

/// CBC encryption of many messages under one key.
fn many_lane(candidate: &Candidate<Rc<dyn Cipher>>, work: &Work) -> Option<Lane> {
    let (messages, length) = work.shape()?;
    let mode = candidate.object.cbc_encrypt_many(&KEY, &IV)?;
    let mut subject = candidate.subject.clone();
    let variant = if mode.is_at_once() {
        MANY_LANES
    } else {
        ONE_STREAM
    };
    subject.variant = Some(variant.to_owned());
    Some(Lane {
        subject,
        bench: Box::new(CbcMany {
            mode,
            data: pattern(messages * (length + GAP) + SLACK),
            length,
            messages,
            offsets: Offsets::new(),
            runs: 0,
        }),
        one_time_nanoseconds: None,
    })
}

/// Messages that lie one behind the other; each run starts at another place.
struct CbcMany {
    mode: Box<dyn TransformMany>,
    data: Vec<u8>,
    length: usize,
    messages: usize,
    offsets: Offsets,
    runs: u64,
}

impl Bench for CbcMany {
    fn run(&mut self, iterations: u64) -> Result<u64, Error> {
        let data = &mut self.data[self.offsets.at(self.runs)..];
        self.runs += 1;
        let chunks = data.chunks_exact_mut(self.length + GAP).take(self.messages);
        let mut messages: Vec<&mut [u8]> = chunks.map(|chunk| &mut chunk[..self.length]).collect();
        let mut succeeded = true;
        let start = Stopwatch::start();
        for _ in 0..iterations {
            succeeded &= self.mode.apply(&mut messages);
        }
        let nanoseconds = start.nanoseconds();
        if succeeded {
            Ok(nanoseconds)
        } else {
            Err(Error::Operation)
        }
    }
}

fn transform(mut mode: Box<dyn Transform>, bytes: usize) -> Box<dyn Bench> {
    let (mut data, offsets) = (pattern(bytes + SLACK), Offsets::new());
    local(move |iteration| {
        let start = offsets.at(iteration);
        mode.apply(&mut data[start..start + bytes])
    })
}

fn seal(mut mode: Box<dyn Aead>, bytes: usize) -> Box<dyn Bench> {
    let (mut data, offsets) = (pattern(bytes + SLACK), Offsets::new());
    local(move |iteration| {
        let start = offsets.at(iteration);
        mode.seal(&[], &mut data[start..start + bytes]).is_some()
    })
}

/// A buffer that opens again and again without being copied.
///
/// Under one nonce GCM adds one key stream: opening C gives P, and P taken as a ciphertext gives C. So each
/// text has a tag of its own, and each opening leaves the ciphertext of the next.
struct Seesaw {
    data: Vec<u8>,
    start: usize,
    tags: [[u8; 16]; 2],
    turn: usize,
}

impl Seesaw {
    fn new(mode: &mut dyn Aead, start: usize, bytes: usize) -> Option<Self> {
        let mut data = pattern(start + bytes);
        // After two sealings the text is what it was; the tags belong to the texts that came out.
        let of_ciphertext = mode.seal(&[], &mut data[start..])?;
        let of_plaintext = mode.seal(&[], &mut data[start..])?;
        Some(Self {
            data,
            start,
            tags: [of_plaintext, of_ciphertext],
            turn: 0,
        })
    }

    fn open(&mut self, mode: &mut dyn Aead) -> bool {
        let tag = self.tags[self.turn];
        self.turn ^= 1;
        mode.open(&[], &mut self.data[self.start..], &tag)
    }
}

fn open(mut mode: Box<dyn Aead>, bytes: usize) -> Option<Box<dyn Bench>> {
    let offsets = Offsets::new();
    // As many places as fit into 64 KiB, so that large texts do not leave the cache more than their peers.
    let count = (65_536 / bytes.max(1)).clamp(1, 16);
    let slots = (0..count).map(|slot| Seesaw::new(mode.as_mut(), offsets.at(slot as u64), bytes));
    let mut slots = slots.collect::<Option<Vec<_>>>()?;
    Some(local(move |iteration| {
        slots[(iteration % count as u64) as usize].open(mode.as_mut())
    }))
}
