//! `cargo xtask differential`: long runs of random input, ours beside another implementation.
//!
//! An algorithm is a file: it draws input from [`Random`], compares, and counts in [`Progress`]. What differs is
//! reported with the seed, which makes the same run again.

mod libcrypto;
mod sm2;
mod sm3;
mod sm4;

use std::env;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use clap::{Args, Subcommand};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    algorithm: Algorithm,
}

#[derive(Subcommand)]
enum Algorithm {
    /// SM2 each way, beside OpenSSL, gmsm, Bouncy Castle and Python's gmssl
    #[command(mut_arg("count", |count| count.default_value("1000").help("Cases beside each of them")))]
    Sm2(Options),
    /// SM3 and HMAC-SM3 on every way into the library, beside OpenSSL's
    Sm3(Options),
    /// SM4 in every mode, both ways, beside OpenSSL's and libgcrypt's
    Sm4(Options),
}

#[derive(Args)]
struct Options {
    /// Messages
    #[arg(long, default_value_t = 10_000_000)]
    count: u64,
    /// Where the random input begins; without it, somewhere new each time
    #[arg(long)]
    seed: Option<u64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.algorithm {
        Algorithm::Sm2(options) => sm2::run(options),
        Algorithm::Sm3(options) => sm3::run(options),
        Algorithm::Sm4(options) => sm4::run(options),
    }
}

impl Options {
    /// The seed, which the user is told before anything can go wrong.
    #[expect(clippy::print_stdout, reason = "the user is told the seed")]
    fn seed(&self) -> u64 {
        let now = || SystemTime::now().duration_since(UNIX_EPOCH);
        let drawn = || now().map_or(0, |now| u64::from(now.subsec_nanos()) ^ now.as_secs());
        let seed = self.seed.unwrap_or_else(drawn);
        println!("seed {seed}");
        seed
    }
}

/// What to do without the other implementation: locally there is nothing to compare with, on a build server
/// that is a failure.
#[expect(clippy::print_stdout, reason = "the user is told what was skipped")]
fn without_peer(reason: &str, install: &str) -> Result<()> {
    if env::var_os("CI").is_some() {
        bail!("{reason}; install it with: {install}");
    }
    println!("skipped: {reason}; install it with: {install}");
    Ok(())
}

/// Numbers from a seed, the same on every machine: SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is small.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.fill(&mut bytes);
        bytes
    }

    /// Cuts a piece off `rest`: often one of a length around a block of 64 bytes, sometimes empty.
    fn cut<'a>(&mut self, rest: &mut &'a [u8]) -> &'a [u8] {
        let length = match self.below(4) {
            0 => [0, 1, 63, 64, 65][self.below(5)],
            1 => self.below(200),
            _ => self.below(rest.len() + 1),
        };
        let (piece, later) = rest.split_at(length.min(rest.len()));
        *rest = later;
        piece
    }
}

/// Says on a terminal how far the run is.
struct Progress {
    total: u64,
    done: u64,
    began: Instant,
    /// When to speak again; never where nobody watches.
    next: Option<Instant>,
}

impl Progress {
    fn new(total: u64) -> Self {
        let began = Instant::now();
        Self {
            total,
            done: 0,
            began,
            next: io::stderr().is_terminal().then_some(began),
        }
    }

    fn is_done(&self) -> bool {
        self.done >= self.total
    }

    fn advance(&mut self, count: usize) {
        self.done += count as u64;
        let now = Instant::now();
        if self.next.is_some_and(|next| now >= next) {
            self.next = Some(now + Duration::from_millis(200));
            self.say();
        }
    }

    /// A line over the one before. That nobody can read it is no reason to stop.
    fn say(&self) {
        let (done, total) = (self.done.min(self.total), self.total);
        let seconds = self.began.elapsed().as_secs();
        let _ = write!(io::stderr(), "\r{done} of {total}, {seconds} s");
    }

    /// Ends the line; returns the seconds that it took.
    fn end(&self) -> f64 {
        if self.next.is_some() {
            self.say();
            let _ = writeln!(io::stderr());
        }
        self.began.elapsed().as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_up_the_whole() {
        let mut random = Random(1);
        let mut bytes = [0; 1001];
        random.fill(&mut bytes);
        let (mut rest, mut found) = (&bytes[..], Vec::new());
        while !rest.is_empty() {
            found.extend_from_slice(random.cut(&mut rest));
        }
        assert_eq!(found, bytes);
        assert!(bytes.iter().any(|byte| *byte != bytes[0]));
    }
}
