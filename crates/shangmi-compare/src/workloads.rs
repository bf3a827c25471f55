//! What is measured: each group as a list of batches of lanes.

pub(crate) mod cipher;
pub(crate) mod counts;
pub(crate) mod files;
pub(crate) mod hash;
pub(crate) mod load;
pub(crate) mod mac;
pub(crate) mod many;
pub(crate) mod memory;
pub(crate) mod public_key;
pub(crate) mod sizes;
pub(crate) mod tree;

use serde::{Deserialize, Serialize};

use crate::child::{Masked, MaskedLane};
use crate::options::Profile;
use crate::result::Group;
use crate::runner::Bench;
use crate::subjects::Subject;

/// One subject, ready to run one operation.
pub(crate) struct Lane {
    pub(crate) subject: Subject,
    pub(crate) bench: Box<dyn Bench>,
    pub(crate) one_time_nanoseconds: Option<f64>,
}

/// What the lanes of a batch have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Work {
    pub(crate) group: Group,
    pub(crate) operation: String,
    pub(crate) bytes: Option<u64>,
    /// Messages or files of one operation, where it takes several.
    pub(crate) items: Option<u64>,
}

impl Work {
    /// Work on one message, file or buffer.
    pub(crate) fn new(group: Group, operation: &str, bytes: Option<u64>) -> Self {
        Self {
            group,
            operation: operation.to_owned(),
            bytes,
            items: None,
        }
    }

    /// Work on many messages of one length.
    pub(crate) fn on_many(group: Group, operation: &str, length: u64) -> Self {
        Self {
            items: Some(many::MESSAGES),
            ..Self::new(group, operation, Some(many::MESSAGES * length))
        }
    }

    /// How many messages, and how long each is; `None` of nothing.
    pub(crate) fn shape(&self) -> Option<(usize, usize)> {
        let (bytes, messages) = (self.bytes?, self.items?);
        let length = usize::try_from(bytes.checked_div(messages)?).ok()?;
        (length > 0).then_some((usize::try_from(messages).ok()?, length))
    }
}

/// Lanes that do the same work and are measured in turns.
pub(crate) struct Batch<'a> {
    pub(crate) work: Work,
    /// Share of the time for each lane; 1 is the usual one.
    pub(crate) weight: f64,
    /// Whether three samples are enough: an operation that takes long varies little.
    pub(crate) is_long: bool,
    /// Lanes that `lanes` will make, for the plan of the time.
    pub(crate) lane_count: usize,
    /// Makes the lanes; late, so that no more buffers live than needed.
    pub(crate) lanes: Box<dyn FnOnce() -> Vec<Lane> + 'a>,
}

/// What a plan may use.
pub(crate) struct Context<'a> {
    pub(crate) profile: Profile,
    /// The process whose libraries run without the special instructions.
    pub(crate) masked: Option<&'a Masked>,
}

impl Context<'_> {
    /// The lanes of the masked process for `work`, of every algorithm of that name.
    pub(crate) fn masked_lanes(&self, work: &Work, algorithm: &str) -> Vec<Lane> {
        let Some(masked) = self.masked else {
            return Vec::new();
        };
        masked
            .subjects(algorithm)
            .into_iter()
            .filter_map(|subject| masked_lane(masked, work, &subject))
            .collect()
    }

    /// How many those are.
    pub(crate) fn masked_count(&self, algorithm: &str) -> usize {
        self.masked
            .map_or(0, |masked| masked.subjects(algorithm).len())
    }
}

fn masked_lane(masked: &Masked, work: &Work, subject: &Subject) -> Option<Lane> {
    let MaskedLane {
        bench,
        one_time_nanoseconds,
    } = masked.lane(work, subject)?;
    Some(Lane {
        subject: subject.clone(),
        bench,
        one_time_nanoseconds,
    })
}

/// Places in a buffer at which operations start: any alignment, no order that a prefetcher could learn.
pub(crate) struct Offsets([usize; 64]);

/// Bytes that a buffer needs beyond the length of one operation.
pub(crate) const SLACK: usize = 4096;

impl Offsets {
    /// The same places in every run, so that runs can be compared.
    pub(crate) fn new() -> Self {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        Self(std::array::from_fn(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % SLACK as u64) as usize
        }))
    }

    /// The place for an iteration.
    pub(crate) fn at(&self, iteration: u64) -> usize {
        self.0[(iteration % 64) as usize]
    }
}

/// Middle of a few runs of `make`, whose result is dropped outside the clock.
pub(crate) fn one_time_nanoseconds<T>(make: impl Fn() -> T) -> Option<f64> {
    const RUNS: usize = 15;
    let mut samples = [0.0; RUNS];
    for sample in &mut samples {
        let start = std::time::Instant::now();
        let made = make();
        *sample = start.elapsed().as_nanos() as f64;
        drop(std::hint::black_box(made));
    }
    crate::statistics::median(&samples)
}
