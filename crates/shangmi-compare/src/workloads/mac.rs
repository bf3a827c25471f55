//! HMAC and CMAC: one message with the key state kept, or with a new key each time, and many messages.

use std::hint::black_box;
use std::rc::Rc;

use super::many::{self, MANY_LANES, ONE_STREAM};
use super::{Batch, Context, Lane, Offsets, SLACK, Work, one_time_nanoseconds};
use crate::known_answer::pattern;
use crate::result::Group;
use crate::runner::{Bench, local};
use crate::subjects::{Candidate, Mac, Macs, MakeMac};

/// Key state kept.
pub(crate) const KEPT: &str = "mac";
/// Key state made for each message.
pub(crate) const NEW_KEY: &str = "mac-new-key";
/// Many messages under one key.
const MANY: &str = "mac-many";
const CMAC_KEPT: &str = "cmac";
const CMAC_MANY: &str = "cmac-many";

/// HMAC serves short messages; CMAC longer ones as well.
const HMAC_LENGTHS: [u64; 3] = [32, 64, 256];
const CMAC_LENGTHS: [u64; 3] = [64, 1 << 10, 1 << 14];
const CMAC_MANY_LENGTHS: [u64; 2] = [64, 1 << 10];

/// A batch for each operation and length.
pub(crate) fn plan<'a>(context: &'a Context<'_>, macs: &'a Macs) -> Vec<Batch<'a>> {
    let one = |operation: &'static str, lengths: &'static [u64]| {
        let work = move |&length| Work::new(Group::Mac, operation, Some(length));
        lengths.iter().map(work)
    };
    let many = |operation: &'static str, lengths: &'static [u64]| {
        let work = move |&length| Work::on_many(Group::Mac, operation, length);
        lengths.iter().map(work)
    };
    one(KEPT, &HMAC_LENGTHS)
        .chain(one(NEW_KEY, &HMAC_LENGTHS))
        .chain(many(MANY, &HMAC_LENGTHS))
        .chain(one(CMAC_KEPT, &CMAC_LENGTHS))
        .chain(many(CMAC_MANY, &CMAC_MANY_LENGTHS))
        .map(|work| batch(context, macs, work))
        .collect()
}

fn batch<'a>(context: &'a Context<'_>, macs: &'a Macs, work: Work) -> Batch<'a> {
    let international = international(&work);
    let own = move |work: &Work| -> Vec<Lane> {
        macs.iter()
            .filter_map(|candidate| lane(candidate, work))
            .collect()
    };
    Batch {
        work: work.clone(),
        weight: 1.0,
        is_long: false,
        lane_count: macs.len() / 2 + context.masked_count(international),
        lanes: Box::new(move || {
            let masked = context.masked_lanes(&work, international).into_iter();
            let masked = masked.map(|mut lane| {
                lane.subject.variant = work.items.map(|_| ONE_STREAM.to_owned());
                lane
            });
            own(&work).into_iter().chain(masked).collect()
        }),
    }
}

fn is_cmac(name: &str) -> bool {
    name.to_ascii_lowercase().starts_with("cmac")
}

/// The algorithm that the masked process has a row of.
fn international(work: &Work) -> &'static str {
    if is_cmac(&work.operation) {
        "CMAC-AES-128"
    } else {
        "HMAC-SHA256"
    }
}

/// A lane of this process for `work`; `None` where it is the other kind of MAC.
pub(crate) fn lane(candidate: &Candidate<MakeMac>, work: &Work) -> Option<Lane> {
    let is_cmac = is_cmac(&work.operation);
    if is_cmac != self::is_cmac(&candidate.subject.algorithm) {
        return None;
    }
    let key: [u8; 32] = std::array::from_fn(|i| i as u8);
    let key = if is_cmac { &key[..16] } else { &key[..] };
    let make = Rc::clone(&candidate.object);
    let mut mac = make(key)?;
    let mut subject = candidate.subject.clone();
    let bench = if work.items.is_some() {
        let lanes = mac.many_backend();
        let variant = if lanes.is_some() {
            MANY_LANES
        } else {
            ONE_STREAM
        };
        subject.variant = Some(variant.to_owned());
        subject.backend = lanes.map_or(subject.backend, str::to_owned);
        many::bench(work, move |messages, tags| mac.mac_many(messages, tags))?
    } else {
        one_message(mac, key.to_vec(), work)?
    };
    let one_time = || one_time_nanoseconds(|| make(key));
    Some(Lane {
        subject,
        bench,
        one_time_nanoseconds: (work.operation != NEW_KEY).then(one_time).flatten(),
    })
}

fn one_message(mut mac: Box<dyn Mac>, key: Vec<u8>, work: &Work) -> Option<Box<dyn Bench>> {
    let bytes = usize::try_from(work.bytes?).ok()?;
    let (data, offsets) = (pattern(bytes + SLACK), Offsets::new());
    let new_key = work.operation == NEW_KEY;
    Some(local(move |iteration| {
        let start = offsets.at(iteration);
        let message = &data[start..start + bytes];
        black_box(if new_key {
            mac.mac_with_key(black_box(&key), message)
        } else {
            mac.mac(message)
        });
        true
    }))
}
