//! HMAC of short messages, with the key state kept and with a new key each time.

use std::hint::black_box;
use std::rc::Rc;

use super::{Batch, Context, Lane, Offsets, SLACK, Work, one_time_nanoseconds};
use crate::known_answer::pattern;
use crate::result::Group;
use crate::runner::local;
use crate::subjects::{Candidate, Macs, MakeMac};

const LENGTHS: [u64; 3] = [32, 64, 256];

/// Key state kept.
pub(crate) const KEPT: &str = "mac";
/// Key state made for each message.
pub(crate) const NEW_KEY: &str = "mac-new-key";

/// A batch for each operation and length.
pub(crate) fn plan<'a>(context: &'a Context<'_>, macs: &'a Macs) -> Vec<Batch<'a>> {
    let works = [KEPT, NEW_KEY]
        .into_iter()
        .flat_map(|operation| LENGTHS.map(|bytes| Work::new(Group::Mac, operation, Some(bytes))));
    let batch = |work: Work| Batch {
        work: work.clone(),
        weight: 1.0,
        is_long: false,
        lane_count: macs.len() + context.masked_count("HMAC-SHA256"),
        lanes: Box::new(move || {
            let own = macs.iter().filter_map(|candidate| lane(candidate, &work));
            own.chain(context.masked_lanes(&work, "HMAC-SHA256"))
                .collect()
        }),
    };
    works.map(batch).collect()
}

/// A lane of this process for `work`.
pub(crate) fn lane(candidate: &Candidate<MakeMac>, work: &Work) -> Option<Lane> {
    let key: [u8; 32] = std::array::from_fn(|i| i as u8);
    let mut mac = (candidate.object)(&key)?;
    let bytes = usize::try_from(work.bytes?).ok()?;
    let (data, offsets) = (pattern(bytes + SLACK), Offsets::new());
    let new_key = work.operation == NEW_KEY;
    let bench = local(move |iteration| {
        let start = offsets.at(iteration);
        let message = &data[start..start + bytes];
        black_box(if new_key {
            mac.mac_with_key(black_box(&key), message)
        } else {
            mac.mac(message)
        });
        true
    });
    let make = Rc::clone(&candidate.object);
    let one_time_nanoseconds = if new_key {
        None
    } else {
        one_time_nanoseconds(move || make(&key))
    };
    Some(Lane {
        subject: candidate.subject.clone(),
        bench,
        one_time_nanoseconds,
    })
}
