//! SM3 in memory: one message, many messages, HMAC.

use std::hint::black_box;

use crate::measure::{Effort, Work, in_turns, timed};
use crate::output::{Output, Row, Subject};
use crate::peer::{Digest, Hash, Mac, Peer};
use crate::work::{PLACES, STEP, data, subject};

const SIZES: [usize; 5] = [64, 1 << 10, 8 << 10, 64 << 10, 1 << 20];

/// Counts of messages, and their sizes.
const MANY: [(usize, usize); 6] = [
    (32, 64),
    (32, 1 << 10),
    (64, 64),
    (64, 1 << 10),
    (64, 8 << 10),
    (64, 64 << 10),
];

pub(crate) fn measure(peers: &mut [Peer], effort: Effort, output: &mut Output) {
    let data = data(1 << 20);
    for size in SIZES {
        eprintln!("one message of {size} bytes");
        output.rows.push(one(peers, &data, size, effort));
    }
    for (count, size) in MANY {
        eprintln!("{count} messages of {size} bytes");
        output.rows.push(many(peers, &data, count, size, effort));
    }
    for fresh in [false, true] {
        eprintln!("HMAC");
        output.rows.push(hmac(peers, &data, fresh, effort));
    }
}

/// The lanes of all peers that have a hash.
fn hash_lanes<'a>(
    peers: &'a mut [Peer],
    code_path: fn(&dyn Hash) -> String,
    work: impl Fn(&'a mut dyn Hash) -> Work<'a>,
) -> Vec<(Subject, Work<'a>)> {
    let mut lanes = Vec::new();
    for peer in peers {
        let Some(hash) = &peer.hash else { continue };
        let subject = subject(
            peer.name,
            &peer.version,
            hash.algorithm(),
            code_path(&**hash),
        );
        lanes.extend(peer.hash.as_mut().map(|hash| (subject, work(&mut **hash))));
    }
    lanes
}

fn one(peers: &mut [Peer], data: &[u8], size: usize, effort: Effort) -> Row {
    let lanes = hash_lanes(
        peers,
        |hash| hash.code_path(),
        |hash| {
            timed(move |iterations| {
                for iteration in 0..iterations as usize {
                    let message = &data[iteration * STEP % PLACES..][..size];
                    black_box(hash.digest(black_box(message)));
                }
            })
        },
    );
    Row {
        group: "one message",
        operation: "digest".to_owned(),
        bytes: size as u64,
        messages: 1,
        lanes: in_turns(lanes, effort),
    }
}

fn many(peers: &mut [Peer], data: &[u8], count: usize, size: usize, effort: Effort) -> Row {
    let room = data.len() - size;
    let messages: Vec<&[u8]> = (0..count)
        .map(|i| &data[i * (size + STEP) % room..][..size])
        .collect();
    let messages = messages.as_slice();
    let lanes = hash_lanes(
        peers,
        |hash| hash.many_code_path(),
        |hash| {
            let mut out = vec![Digest::default(); count];
            timed(move |iterations| {
                for _ in 0..iterations {
                    hash.digest_many(black_box(messages), &mut out);
                    black_box(&out);
                }
            })
        },
    );
    Row {
        group: "many messages",
        operation: format!("{count} digests"),
        bytes: (count * size) as u64,
        messages: count as u64,
        lanes: in_turns(lanes, effort),
    }
}

fn hmac(peers: &mut [Peer], data: &[u8], fresh: bool, effort: Effort) -> Row {
    let mut lanes = Vec::new();
    for peer in peers {
        let Some(mac) = &peer.mac else { continue };
        let subject = subject(peer.name, &peer.version, "HMAC-SM3", mac.code_path());
        let work = |mac| hmac_work(mac, data, fresh);
        lanes.extend(peer.mac.as_deref_mut().map(|mac| (subject, work(mac))));
    }
    let operation = if fresh { "new key" } else { "key prepared" };
    Row {
        group: "HMAC",
        operation: operation.to_owned(),
        bytes: 32,
        messages: 1,
        lanes: in_turns(lanes, effort),
    }
}

fn hmac_work<'a>(mac: &'a mut dyn Mac, data: &'a [u8], fresh: bool) -> Work<'a> {
    mac.set_key(&data[..32]);
    timed(move |iterations| {
        for iteration in 0..iterations as usize {
            let place = iteration * STEP % PLACES;
            if fresh {
                mac.set_key(black_box(&data[place + 1..][..32]));
            }
            black_box(mac.tag(black_box(&data[place..][..32])));
        }
    })
}
