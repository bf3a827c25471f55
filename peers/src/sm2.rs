//! SM2: keys, signatures, encryption and key exchange, alone and many at once, beside ECDSA over P-256.

use std::hint::black_box;

use crate::known_answer;
use crate::measure::{Effort, Work, in_turns, timed};
use crate::output::{Output, Row};
use crate::peer::{Curve, Operation, Peer};
use crate::work::subject;

/// As many digests, signatures and ciphertexts are taken in turn, or at once.
const POOL: usize = 64;

/// What is done many times at once.
const MANY: [Operation; 5] = [
    Operation::Generate,
    Operation::Sign,
    Operation::Verify,
    Operation::VerifyNewKey,
    Operation::Decrypt,
];

pub(crate) fn measure(peers: &mut [Peer], effort: Effort, output: &mut Output) {
    for operation in Operation::ALL {
        eprintln!("SM2: {}", operation.name());
        output.rows.push(row(peers, operation, false, effort));
    }
    for operation in MANY {
        eprintln!("SM2: {}, {POOL} at once", operation.name());
        output.rows.push(row(peers, operation, true, effort));
    }
}

fn row(peers: &mut [Peer], operation: Operation, many: bool, effort: Effort) -> Row {
    let mut lanes = Vec::new();
    for peer in peers {
        let Some(curve) = peer.curve.as_deref_mut().filter(|c| c.has(operation)) else {
            continue;
        };
        curve.set_key(&known_answer::key_pair(curve.algorithm()));
        let code_path = match many {
            true => curve.many_code_path(operation),
            false => curve.code_path(operation),
        };
        let subject = subject(peer.name, &peer.version, curve.algorithm(), code_path);
        lanes.push((subject, work(curve, operation, many)));
    }
    Row {
        group: if many { "SM2, many at once" } else { "SM2" },
        operation: operation.name().to_owned(),
        // No rate of bytes says anything here.
        bytes: 0,
        messages: if many { POOL as u64 } else { 1 },
        lanes: in_turns(lanes, effort),
    }
}

fn work(curve: &mut dyn Curve, operation: Operation, many: bool) -> Work<'_> {
    let public = known_answer::public_for(curve.algorithm(), operation);
    let pool = known_answer::pool(curve, operation, POOL);
    let each = if many { POOL as u64 } else { 1 };
    if curve.elsewhere(operation, &pool, 1).is_some() {
        return Box::new(move |iterations| {
            let spent = curve.elsewhere(operation, &pool, each * iterations);
            spent.expect("the process answered the first time")
        });
    }
    let (keys, pool) = match (operation, many, curve.algorithm()) {
        (Operation::VerifyNewKey, true, "SM2") => known_answer::pool_of_keys(curve, POOL),
        _ => (vec![public; POOL], pool),
    };
    timed(move |iterations| {
        for iteration in 0..iterations as usize {
            let item = black_box(&pool[iteration % POOL]);
            let done = match many {
                true => curve.many(operation, &keys, black_box(&pool)),
                false => vec![curve.one(operation, &public, item)],
            };
            let failed = black_box(done).iter().any(Vec::is_empty);
            assert!(
                !failed,
                "{} failed after its known answer",
                operation.name()
            );
        }
    })
}
