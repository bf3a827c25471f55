//! SM2: keys, signatures and encryption, one at a time, beside ECDSA over P-256.

use std::hint::black_box;

use crate::known_answer;
use crate::measure::{Effort, Work, in_turns, timed};
use crate::output::{Output, Row};
use crate::peer::{Curve, Digest, Operation, Peer};
use crate::work::subject;

/// As many digests, signatures and ciphertexts are taken in turn.
const POOL: usize = 16;

pub(crate) fn measure(peers: &mut [Peer], effort: Effort, output: &mut Output) {
    for operation in Operation::ALL {
        eprintln!("SM2: {}", operation.name());
        output.rows.push(row(peers, operation, effort));
    }
}

fn row(peers: &mut [Peer], operation: Operation, effort: Effort) -> Row {
    let mut lanes = Vec::new();
    for peer in peers {
        let Some(curve) = peer.curve.as_deref_mut().filter(|c| c.has(operation)) else {
            continue;
        };
        curve.set_key(&known_answer::key_pair(curve.algorithm()));
        let code_path = curve.code_path(operation);
        let subject = subject(peer.name, &peer.version, curve.algorithm(), code_path);
        lanes.push((subject, work(curve, operation)));
    }
    Row {
        group: "SM2",
        operation: operation.name().to_owned(),
        // No rate of bytes says anything here.
        bytes: 0,
        messages: 1,
        lanes: in_turns(lanes, effort),
    }
}

fn work(curve: &mut dyn Curve, operation: Operation) -> Work<'_> {
    let public = known_answer::key_pair(curve.algorithm()).public;
    let pool = digests().map(|e| {
        let made = match operation {
            Operation::Verify | Operation::VerifyNewKey => curve.sign(&e),
            Operation::Decrypt => curve.encrypt(&e),
            _ => Vec::new(),
        };
        (e, made)
    });
    if curve.elsewhere(operation, &pool, 1).is_some() {
        return Box::new(move |iterations| {
            let spent = curve.elsewhere(operation, &pool, iterations);
            spent.expect("the process answered the first time")
        });
    }
    timed(move |iterations| {
        for iteration in 0..iterations as usize {
            let (e, made) = black_box(&pool[iteration % POOL]);
            match operation {
                Operation::Generate => drop(black_box(curve.generate())),
                Operation::Sign => drop(black_box(curve.sign(e))),
                Operation::Verify => assert!(curve.verify(e, made)),
                Operation::VerifyNewKey => assert!(curve.verify_new_key(&public, e, made)),
                Operation::Encrypt => drop(black_box(curve.encrypt(e))),
                Operation::Decrypt => drop(black_box(curve.decrypt(made))),
            }
        }
    })
}

/// SM3 of the numbers from 0 on: also the plaintexts.
fn digests() -> [Digest; POOL] {
    std::array::from_fn(|i| reference::sm3::digest(&i.to_le_bytes()))
}
