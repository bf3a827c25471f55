//! SM3 against SHA-256 over many independent messages: lanes side by side, or one message after the other.

use std::hint::black_box;
use std::rc::Rc;

use super::{Batch, Context, Lane, Offsets, SLACK, Work};
use crate::Error;
use crate::clock::Stopwatch;
use crate::known_answer::pattern;
use crate::options::Profile;
use crate::result::Group;
use crate::runner::Bench;
use crate::subjects::{Candidate, Digest, Hash, HashMany, ManyHashes};

/// The operation in [`Row::operation`](crate::result::Row::operation).
const OPERATION: &str = "digest-many";

/// The variant of code that takes many messages at once.
pub(crate) const MANY_LANES: &str = "many lanes";
/// The variant of code that takes one message after the other.
pub(crate) const ONE_STREAM: &str = "one stream";

/// Messages of one operation: enough to fill two chains of 16 lanes twice.
pub(crate) const MESSAGES: u64 = 64;

const LENGTHS: [u64; 4] = [64, 256, 1 << 10, 1 << 13];
const SMOKE_LENGTHS: [u64; 2] = [64, 1 << 10];

/// One batch a length of message.
pub(crate) fn plan<'a>(context: &'a Context<'_>, hashes: &'a ManyHashes) -> Vec<Batch<'a>> {
    let lengths: &[u64] = if context.profile == Profile::Smoke {
        &SMOKE_LENGTHS
    } else {
        &LENGTHS
    };
    let batch = |&length: &u64| {
        let work = Work::on_many(Group::HashMany, OPERATION, length);
        Batch {
            work: work.clone(),
            weight: 1.0,
            is_long: false,
            lane_count: hashes.len() + context.masked_count("SHA-256"),
            lanes: Box::new(move || lanes(context, &work, hashes)),
        }
    };
    lengths.iter().map(batch).collect()
}

fn lanes(context: &Context<'_>, work: &Work, hashes: &ManyHashes) -> Vec<Lane> {
    let own = hashes.iter().filter_map(|candidate| lane(candidate, work));
    let masked = context.masked_lanes(work, "SHA-256").into_iter();
    let masked = masked.map(|mut lane| {
        lane.subject.variant = Some(ONE_STREAM.to_owned());
        lane
    });
    own.chain(masked).collect()
}

/// The same function, one message after the other.
pub(crate) fn one_stream(candidate: &Candidate<Rc<dyn Hash>>) -> Candidate<Rc<dyn HashMany>> {
    let mut subject = candidate.subject.clone();
    subject.variant = Some(ONE_STREAM.to_owned());
    Candidate {
        subject,
        object: Rc::new(OneStream(Rc::clone(&candidate.object))),
    }
}

struct OneStream(Rc<dyn Hash>);

impl HashMany for OneStream {
    fn digest_many(&self, messages: &[&[u8]], out: &mut [Digest]) -> bool {
        for (message, digest) in messages.iter().zip(out) {
            *digest = self.0.digest(message);
        }
        true
    }
}

/// A lane of this process for `work`.
pub(crate) fn lane(candidate: &Candidate<Rc<dyn HashMany>>, work: &Work) -> Option<Lane> {
    let hash = Rc::clone(&candidate.object);
    Some(Lane {
        subject: candidate.subject.clone(),
        bench: bench(work, move |messages, out| hash.digest_many(messages, out))?,
        one_time_nanoseconds: None,
    })
}

/// Takes the time of `step` over all messages of `work`.
pub(crate) fn bench(
    work: &Work,
    step: impl FnMut(&[&[u8]], &mut [Digest]) -> bool + 'static,
) -> Option<Box<dyn Bench>> {
    let (messages, length) = work.shape()?;
    Some(Box::new(ManyBench {
        step,
        data: pattern(messages * (length + GAP) + SLACK),
        length,
        digests: vec![[0; 32]; messages],
        offsets: Offsets::new(),
        runs: 0,
    }))
}

/// Bytes between messages. At multiples of a page they would fight for the same lines of the cache.
pub(crate) const GAP: usize = 80;

/// Takes messages that lie one behind the other; each run starts at another place.
struct ManyBench<F> {
    step: F,
    data: Vec<u8>,
    length: usize,
    digests: Vec<Digest>,
    offsets: Offsets,
    runs: u64,
}

impl<F: FnMut(&[&[u8]], &mut [Digest]) -> bool> Bench for ManyBench<F> {
    fn run(&mut self, iterations: u64) -> Result<u64, Error> {
        let data = &self.data[self.offsets.at(self.runs)..];
        self.runs += 1;
        let messages: Vec<&[u8]> = data
            .chunks_exact(self.length + GAP)
            .take(self.digests.len())
            .map(|chunk| &chunk[..self.length])
            .collect();
        let mut succeeded = true;
        let start = Stopwatch::start();
        for _ in 0..iterations {
            succeeded &= (self.step)(black_box(&messages), &mut self.digests);
            black_box(&self.digests);
        }
        let nanoseconds = start.nanoseconds();
        if succeeded {
            Ok(nanoseconds)
        } else {
            Err(Error::Operation)
        }
    }
}
