//! SM2 beside other implementations, each way: public keys, signatures, encryption, key exchange.
//!
//! A peer answers requests ([`peer`]). A case has keys and texts, some with values that random input reaches seldom
//! ([`case`]); what is asked about it, and what must come of it, are checks ([`check`]). In each case a changed bit
//! must be refused, by both sides.

mod case;
mod check;
mod encryption;
mod exchange;
mod peer;
mod signature;

use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};

use super::{Options, Progress, Random, without_peer};
use crate::checkout;
use case::Case;
use check::{Check, Tally};
use peer::{PEERS, Peer, Port};

/// Cases that are asked about together.
const BATCH: usize = 20;

/// A peer that runs.
struct Opened {
    peer: &'static Peer,
    version: String,
    port: Box<dyn Port>,
}

#[expect(clippy::print_stdout, reason = "the user is told what was compared")]
pub(super) fn run(options: &Options) -> Result<()> {
    let opened = open_all()?;
    let seed = options.seed();
    let count = usize::try_from(options.count)?;
    let total = options.count * opened.len() as u64;
    let progress = Mutex::new(Progress::new(total));
    let results = thread::scope(|scope| {
        let start = |opened: Opened| {
            let progress = &progress;
            scope.spawn(move || (opened.name(), compare(opened, seed, count, progress)))
        };
        let running: Vec<_> = opened.into_iter().map(start).collect();
        let results = running.into_iter().map(|it| it.join());
        results.collect::<Vec<_>>()
    });
    for result in results {
        let (name, result) = result.map_err(|_| anyhow!("a comparison panicked"))?;
        println!(
            "{}",
            result.with_context(|| format!("{name} (--seed {seed})"))?
        );
    }
    Ok(())
}

/// Those that are there; the user is told of the others.
fn open_all() -> Result<Vec<Opened>> {
    let root = checkout::root()?;
    let mut all = Vec::new();
    for peer in &PEERS {
        let opened = (peer.open)(&root).and_then(|mut port| {
            let version = peer::version(&mut *port)?;
            Ok(Opened {
                peer,
                version,
                port,
            })
        });
        match opened {
            Ok(opened) => all.push(opened),
            Err(error) => without_peer(&format!("{}: {error:#}", peer.name), peer.install)?,
        }
    }
    Ok(all)
}

impl Opened {
    fn name(&self) -> String {
        format!("{} {}", self.peer.name, self.version)
    }

    fn ask(&mut self, tally: &mut Tally, checks: Vec<Check<'_>>) -> Result<()> {
        tally.run(self.peer, &mut *self.port, checks)
    }
}

/// Runs all cases; what there is to say about them.
fn compare(
    mut opened: Opened,
    seed: u64,
    count: usize,
    progress: &Mutex<Progress>,
) -> Result<String> {
    let began = std::time::Instant::now();
    let mut random = Random(seed);
    let mut tally = Tally::new(opened.peer);
    for first in (0..count).step_by(BATCH) {
        let numbers = first..count.min(first + BATCH);
        let draw = |number| Case::draw(number, &mut random);
        let cases = numbers.map(draw).collect::<Result<Vec<_>>>()?;
        let mut checks = Vec::new();
        for case in &cases {
            checks.extend(signature::checks(case, opened.peer, &mut random)?);
            checks.extend(encryption::checks(case, opened.peer, &mut random)?);
            checks.extend(exchange::checks(case, opened.peer, &mut random));
        }
        opened.ask(&mut tally, checks)?;
        let mut progress = progress.lock().expect("nobody panics while holding it");
        progress.advance(cases.len());
    }
    look_for_zeros(&mut opened, &mut tally, &mut random)?;
    Ok(report(
        &opened,
        &tally,
        count,
        began.elapsed().as_secs_f64(),
    ))
}

/// Asks until each of the peer's r, s and coordinates of C1 began with a zero byte once. We cannot force them.
fn look_for_zeros(opened: &mut Opened, tally: &mut Tally, random: &mut Random) -> Result<()> {
    let case = Case::draw(0, random)?;
    let (signatures, ciphertexts) = (opened.peer.signatures, opened.peer.ciphertexts);
    // Without one in so many: once in 10^13 runs.
    for turn in 0..8192 / BATCH {
        let mut checks = Vec::new();
        let (form, other) = (
            signatures[turn % signatures.len()],
            ciphertexts[turn % ciphertexts.len()],
        );
        for _ in 0..BATCH {
            if tally.zeros.r == 0 || tally.zeros.s == 0 {
                checks.push(signature::theirs(&case, form, random)?);
            }
            if tally.zeros.x == 0 || tally.zeros.y == 0 {
                checks.push(encryption::theirs(&case, other, random));
            }
        }
        if checks.is_empty() {
            return Ok(());
        }
        opened.ask(tally, checks)?;
    }
    ensure!(
        false,
        "its values never begin with a zero byte: {:?}",
        tally.zeros
    );
    Ok(())
}

fn report(opened: &Opened, tally: &Tally, count: usize, seconds: f64) -> String {
    let (name, answers, zeros) = (opened.name(), tally.answers, &tally.zeros);
    let mut text = format!(
        "{name}: {count} cases, {answers} answers, no unknown difference, {seconds:.1} s; \
         a zero byte began its r {} times, s {}, x of C1 {}, y {}",
        zeros.r, zeros.s, zeros.x, zeros.y
    );
    for (fault, times) in &tally.faults {
        text += &format!("\n    known fault, {times} times: {fault}");
    }
    text
}
