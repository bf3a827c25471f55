//! SM4 in memory: every mode, and the setting up of a key.

use std::hint::black_box;

use crate::measure::{Effort, Work, in_turns, timed};
use crate::output::{Output, Row, Subject};
use crate::peer::{Block, Cipher, Mode, Peer};
use crate::work::{PLACES, STEP, data, subject};

const SIZES: [usize; 4] = [64, 1 << 10, 8 << 10, 64 << 10];

/// Counts of messages, and their sizes, for CBC encryption: each message is a chain, so that only many of them
/// can be computed side by side.
const MANY: [(usize, usize); 4] = [(16, 1 << 10), (32, 1 << 10), (64, 1 << 10), (64, 8 << 10)];

/// What a key is set up for: the bare cipher, and the mode that derives more from it.
const KEYS: [Mode; 2] = [Mode::EcbEncrypt, Mode::GcmSeal];

pub(crate) fn measure(peers: &mut [Peer], effort: Effort, output: &mut Output) {
    for mode in Mode::ALL {
        for size in SIZES {
            eprintln!("SM4 {}: {size} bytes", mode.name());
            output.rows.push(message(peers, mode, size, effort));
        }
    }
    for (count, size) in MANY {
        eprintln!("SM4 CBC encrypt: {count} messages of {size} bytes");
        output.rows.push(many(peers, count, size, effort));
    }
    for mode in KEYS {
        eprintln!("SM4 {}: a new key", mode.name());
        output.rows.push(new_key(peers, mode, effort));
    }
}

/// The lanes of all ciphers in that mode, each under a key.
fn lanes<'a>(
    peers: &'a mut [Peer],
    mode: Mode,
    code_path: fn(&dyn Cipher) -> String,
    work: impl Fn(&'a mut dyn Cipher) -> Work<'a>,
) -> Vec<(Subject, Work<'a>)> {
    let mut lanes = Vec::new();
    for peer in peers {
        let (name, version) = (peer.name, peer.version.clone());
        for cipher in peer.ciphers.iter_mut().filter(|c| c.mode() == mode) {
            cipher.set_key(&data(0)[1..=mode.key_len()]);
            let subject = subject(name, &version, cipher.algorithm(), code_path(&**cipher));
            lanes.push((subject, work(&mut **cipher)));
        }
    }
    lanes
}

fn message(peers: &mut [Peer], mode: Mode, size: usize, effort: Effort) -> Row {
    let lanes = lanes(
        peers,
        mode,
        |cipher| cipher.code_path(),
        |cipher| {
            let mut data = data(size);
            let mut iv = Block::default();
            timed(move |iterations| {
                for iteration in 0..iterations {
                    iv[..8].copy_from_slice(&iteration.to_le_bytes());
                    let message = &mut data[iteration as usize * STEP % PLACES..][..size];
                    black_box(cipher.crypt(black_box(&iv), &[], black_box(message)));
                }
            })
        },
    );
    Row {
        group: "SM4",
        operation: mode.name().to_owned(),
        bytes: size as u64,
        messages: 1,
        lanes: in_turns(lanes, effort),
    }
}

fn many(peers: &mut [Peer], count: usize, size: usize, effort: Effort) -> Row {
    let code_path = |cipher: &dyn Cipher| cipher.many_code_path();
    let lanes = lanes(peers, Mode::CbcEncrypt, code_path, |cipher| {
        let mut data = data(count * size);
        let ivs: Vec<Block> = (0..count).map(|i| [i as u8; 16]).collect();
        timed(move |iterations| {
            for iteration in 0..iterations as usize {
                let place = iteration * STEP % PLACES;
                let messages = data[place..].chunks_exact_mut(size).take(count);
                let mut messages: Vec<&mut [u8]> = messages.collect();
                cipher.crypt_many(black_box(&ivs), black_box(&mut messages));
            }
        })
    });
    Row {
        group: "SM4, many messages",
        operation: Mode::CbcEncrypt.name().to_owned(),
        bytes: (count * size) as u64,
        messages: count as u64,
        lanes: in_turns(lanes, effort),
    }
}

fn new_key(peers: &mut [Peer], mode: Mode, effort: Effort) -> Row {
    let lanes = lanes(
        peers,
        mode,
        |cipher| cipher.code_path(),
        |cipher| {
            let keys = data(mode.key_len());
            timed(move |iterations| {
                for iteration in 0..iterations as usize {
                    let key = &keys[iteration * STEP % PLACES..][..mode.key_len()];
                    cipher.set_key(black_box(key));
                }
            })
        },
    );
    Row {
        group: "SM4, new key",
        operation: mode.name().to_owned(),
        // No rate of bytes says anything here.
        bytes: 0,
        messages: 1,
        lanes: in_turns(lanes, effort),
    }
}
