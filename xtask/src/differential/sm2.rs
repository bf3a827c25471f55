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
mod vectors;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow, bail};

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

pub(super) fn run(options: &Options) -> Result<()> {
    let opened = open_all()?;
    let seed = options.seed();
    let run = Run {
        seed,
        count: usize::try_from(options.count)?,
        progress: Mutex::new(Progress::new(options.count * opened.len() as u64)),
        failed: AtomicBool::new(false),
    };
    thread::scope(|scope| {
        let start = |opened| scope.spawn(|| run.compare(opened));
        let running: Vec<_> = opened.into_iter().map(start).collect();
        let results = running.into_iter().map(|it| it.join());
        let results = results.map(|it| it.map_err(|_| anyhow!("a comparison panicked"))?);
        // All of them end before the first failure is told.
        results.collect::<Vec<_>>().into_iter().collect()
    })
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

/// What the comparisons, which run beside each other, share.
struct Run {
    seed: u64,
    count: usize,
    progress: Mutex<Progress>,
    /// That one of them failed: the others need not go on.
    failed: AtomicBool,
}

impl Run {
    /// Compares with one peer, and says how it went.
    #[expect(clippy::print_stdout, reason = "the user is told what was compared")]
    fn compare(&self, mut opened: Opened) -> Result<()> {
        let began = Instant::now();
        let mut tally = Tally::new(opened.peer);
        if let Err(error) = self.ask_everything(&mut opened, &mut tally) {
            self.failed.store(true, Ordering::Relaxed);
            return Err(error.context(format!("{} (--seed {})", opened.name(), self.seed)));
        }
        if !self.failed.load(Ordering::Relaxed) {
            let seconds = began.elapsed().as_secs_f64();
            println!("{}", report(&opened, &tally, self.count, seconds));
        }
        Ok(())
    }

    fn ask_everything(&self, opened: &mut Opened, tally: &mut Tally) -> Result<()> {
        // Apart, so that a case is the same for all of them.
        if opened.peer.agrees {
            tally.agreements = vectors::ask(&mut *opened.port)?;
        }
        let (mut inputs, mut random) = (Random(self.seed), Random(!self.seed));
        for first in (0..self.count).step_by(BATCH) {
            if self.failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            let numbers = first..self.count.min(first + BATCH);
            let draw = |number| Case::draw(number, &mut inputs);
            let cases = numbers.map(draw).collect::<Result<Vec<_>>>()?;
            let mut checks = Vec::new();
            for case in &cases {
                checks.extend(signature::checks(case, opened.peer, &mut random)?);
                checks.extend(encryption::checks(case, opened.peer, &mut random)?);
                checks.extend(exchange::checks(case, opened.peer, &mut random));
            }
            opened.ask(tally, checks)?;
            let progress = self.progress.lock();
            let mut progress = progress.expect("nobody panics while holding it");
            progress.advance(cases.len());
        }
        look_for_zeros(opened, tally, &mut random)
    }
}

/// Asks until each of the peer's r, s and coordinates of C1 began with a zero byte once. We cannot force them.
fn look_for_zeros(opened: &mut Opened, tally: &mut Tally, random: &mut Random) -> Result<()> {
    let (signatures, ciphertexts) = (opened.peer.signatures, opened.peer.ciphertexts);
    // Without one in so many: once in 10^13 runs.
    for turn in 0..8192 / BATCH {
        // With an even number: a plain one.
        let case = Case::draw(2 * turn, random)?;
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
    bail!("its values never begin with a zero byte: {:?}", tally.zeros)
}

fn report(opened: &Opened, tally: &Tally, count: usize, seconds: f64) -> String {
    let (name, answers, zeros) = (opened.name(), tally.answers, &tally.zeros);
    let mut text = format!(
        "{name}: {count} cases, {answers} answers, no unknown difference, {seconds:.1} s; \
         a zero byte began its r {} times, s {}, x of C1 {}, y {}",
        zeros.r, zeros.s, zeros.x, zeros.y
    );
    if tally.agreements != 0 {
        text += &format!("\n    {} key agreements of testdata/sm2", tally.agreements);
    }
    for (fault, times) in &tally.faults {
        text += &format!("\n    known fault, {times} times: {fault}");
    }
    text
}
