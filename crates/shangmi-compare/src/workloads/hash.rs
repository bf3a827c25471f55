//! SM3 against SHA-256 by length, and both in their stages.

use std::hint::black_box;
use std::rc::Rc;

use super::{Batch, Context, Lane, Offsets, SLACK, Work};
use crate::known_answer::pattern;
use crate::options::Profile;
use crate::result::Group;
use crate::runner::{Bench, local};
use crate::subjects::{Candidate, Hash, Hashes};

/// The operation in [`Row::operation`](crate::result::Row::operation).
pub(crate) const OPERATION: &str = "digest";

const LENGTHS: [u64; 12] = [
    8,
    16,
    64,
    256,
    1 << 10,
    1 << 12,
    1 << 13,
    1 << 14,
    1 << 16,
    1 << 18,
    1 << 19,
    1 << 20,
];
const STAGE_LENGTHS: [u64; 7] = [8, 64, 256, 1 << 10, 1 << 12, 1 << 19, 1 << 20];
const SMOKE_LENGTHS: [u64; 2] = [64, 1 << 14];

fn lengths(profile: Profile, usual: &'static [u64]) -> &'static [u64] {
    if profile == Profile::Smoke {
        &SMOKE_LENGTHS
    } else {
        usual
    }
}

/// One batch a length; the software rows of SHA-256 come from the masked process.
pub(crate) fn plan<'a>(
    context: &'a Context<'_>,
    group: Group,
    hashes: &'a Hashes,
) -> Vec<Batch<'a>> {
    let usual: &[u64] = if group == Group::HashStage {
        &STAGE_LENGTHS
    } else {
        &LENGTHS
    };
    let batch = |&bytes: &u64| {
        let work = Work::new(group, OPERATION, Some(bytes));
        let planned = work.clone();
        Batch {
            work,
            weight: 1.0,
            is_long: false,
            lane_count: hashes.len() + context.masked_count("SHA-256"),
            lanes: Box::new(move || lanes(context, &planned, hashes)),
        }
    };
    lengths(context.profile, usual).iter().map(batch).collect()
}

fn lanes(context: &Context<'_>, work: &Work, hashes: &Hashes) -> Vec<Lane> {
    let bytes = work.bytes.unwrap_or_default() as usize;
    let data: Rc<[u8]> = pattern(bytes + SLACK).into();
    let own = hashes.iter().map(|candidate| lane(candidate, &data, bytes));
    own.chain(context.masked_lanes(work, "SHA-256")).collect()
}

fn lane(candidate: &Candidate<Rc<dyn Hash>>, data: &Rc<[u8]>, bytes: usize) -> Lane {
    let bench = bench(Rc::clone(&candidate.object), Rc::clone(data), bytes);
    Lane {
        subject: candidate.subject.clone(),
        bench,
        one_time_nanoseconds: None,
    }
}

/// Hashes `bytes` bytes of `data` from changing places.
pub(crate) fn bench(hash: Rc<dyn Hash>, data: Rc<[u8]>, bytes: usize) -> Box<dyn Bench> {
    let offsets = Offsets::new();
    local(move |iteration| {
        let start = offsets.at(iteration);
        black_box(hash.digest(&data[start..start + bytes]));
        true
    })
}
