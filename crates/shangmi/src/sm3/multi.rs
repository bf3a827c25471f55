//! Many messages at once: n messages over the lanes of a vector kernel.
//!
//! A lane hashes one message: its whole blocks where they lie, then one or two blocks of padding from
//! the lane's own buffer. When it ends, the lane takes the next message, so that unequal lengths keep
//! all lanes busy; the longest begin first, so that they do not end alone. A step runs all lanes as
//! many blocks as the one that needs fewest has left. At the end lanes run dry: the last messages move
//! together into one chain, and the last few of all go to the code for one stream.
//!
//! Nothing is allocated.
use zeroize::Zeroize;

use super::compress::Backend;
use super::{BLOCK_LEN, Block, LENGTH_AT, State};
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
use crate::cpu;

#[cfg(target_arch = "aarch64")]
mod aarch64_neon;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
mod chains;
pub(super) mod incremental;
pub(super) mod iterate;
pub(super) mod messages;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
mod rounds;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
mod schedule;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_avx512;

/// The chaining values of a chain of `L` lanes: of every word, all lanes.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct States<const L: usize>(pub(super) [[u32; L]; 8]);

/// A block of every lane: of every word, all lanes.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Words<const L: usize>(pub(super) [[u32; L]; 16]);

/// The blocks of every lane of a chain.
type Blocks<'a, const L: usize> = [&'a [Block]; L];

/// The compression function over one or two chains of `L` lanes. The value is the proof that the
/// processor can run it.
pub(super) trait Kernel<const L: usize>: Copy {
    /// Chains that are faster together than one after the other: 1 or 2.
    const CHAINS: usize;

    /// From this number of messages down, the code for one stream is faster than a chain.
    const FEW: usize;

    /// CF over the first `count` blocks of every lane of one or two chains.
    fn compress(self, states: &mut [States<L>], blocks: &[Blocks<'_, L>], count: usize);

    /// CF over one block of every lane of one or two chains.
    fn compress_words(self, states: &mut [States<L>], words: &[Words<L>]);
}

/// The padding of a message behind what is left of its last block: one block or two.
pub(super) type Tail = [Block; 2];

/// A message for a lane.
pub(super) struct Job<'a> {
    /// What `Jobs::done` gets with the result.
    pub(super) id: usize,
    /// The state that the first block meets.
    pub(super) state: State,
    /// Whole blocks, where they lie.
    pub(super) body: &'a [Block],
    /// The blocks of the tail in use.
    pub(super) tail_len: usize,
}

/// A supply of messages, and what becomes of their final states.
pub(super) trait Jobs<'a> {
    /// How many messages there are in all.
    fn count(&self) -> usize;

    /// The next message, its end written to `tail`.
    fn next(&mut self, tail: &mut Tail) -> Option<Job<'a>>;

    /// Takes the final state of the message `id`.
    fn done(&mut self, id: usize, state: &State);
}

/// A code path for many messages.
#[derive(Clone, Copy, Debug)]
enum Lanes {
    /// None: one message after the other.
    One,
    /// 8 lanes.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx2(cpu::Avx2),
    /// 16 lanes, or 32 in two chains.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Avx512(cpu::Avx512),
    /// 4 lanes, or 8 in two chains.
    #[cfg(target_arch = "aarch64")]
    Neon(cpu::Neon),
}

/// The code paths for many messages and for the few that are left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Engine {
    lanes: Lanes,
    one: Backend,
}

impl Engine {
    /// The fastest code paths of this machine.
    pub(super) fn detect() -> Self {
        let one = Backend::detect();
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        {
            if let Some(token) = cpu::Avx512::detect() {
                let lanes = Lanes::Avx512(token);
                return Self { lanes, one };
            }
            if let Some(token) = cpu::Avx2::detect() {
                let lanes = Lanes::Avx2(token);
                return Self { lanes, one };
            }
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(token) = cpu::Neon::detect() {
            let lanes = Lanes::Neon(token);
            return Self { lanes, one };
        }
        let lanes = Lanes::One;
        Self { lanes, one }
    }

    /// Every code path of this machine.
    #[cfg(test)]
    pub(super) fn all() -> std::vec::Vec<Self> {
        let mut lanes = std::vec![Lanes::One];
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        {
            lanes.extend(cpu::Avx2::detect().map(Lanes::Avx2));
            lanes.extend(cpu::Avx512::detect().map(Lanes::Avx512));
        }
        #[cfg(target_arch = "aarch64")]
        lanes.extend(cpu::Neon::detect().map(Lanes::Neon));
        let one = Backend::detect();
        lanes.into_iter().map(|lanes| Self { lanes, one }).collect()
    }

    /// The name under which reports show the code path.
    pub(super) fn name(self) -> &'static str {
        match self.lanes {
            Lanes::One => self.one.name(),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Lanes::Avx2(_) => "avx2 x 8",
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Lanes::Avx512(_) => "avx512 x 32",
            #[cfg(target_arch = "aarch64")]
            Lanes::Neon(_) => "neon x 8",
        }
    }

    /// Hashes all of `jobs`.
    pub(super) fn run<'a>(self, jobs: &mut impl Jobs<'a>) {
        match self.lanes {
            Lanes::One => one_by_one(self.one, jobs),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Lanes::Avx2(kernel) => many(kernel, self.one, jobs),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Lanes::Avx512(kernel) => many(kernel, self.one, jobs),
            #[cfg(target_arch = "aarch64")]
            Lanes::Neon(kernel) => many(kernel, self.one, jobs),
        }
    }
}

/// All messages over the lanes, or one after the other if a chain would not pay.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
fn many<'a, const L: usize, K: Kernel<L>>(kernel: K, one: Backend, jobs: &mut impl Jobs<'a>) {
    if jobs.count() <= K::FEW {
        one_by_one(one, jobs);
    } else {
        schedule::run(kernel, one, jobs);
    }
}

/// One message after the other.
fn one_by_one<'a>(backend: Backend, jobs: &mut impl Jobs<'a>) {
    let mut tail = [[0; BLOCK_LEN]; 2];
    while let Some(job) = jobs.next(&mut tail) {
        let mut state = job.state;
        backend.compress(&mut state, job.body);
        backend.compress(&mut state, &tail[..job.tail_len]);
        jobs.done(job.id, &state);
    }
    tail.as_flattened_mut().zeroize();
}

/// Writes the end of a message of `length` bytes to `tail`: `rest`, less than a block, and the
/// padding (5.2). Returns the number of blocks.
pub(super) fn pad(tail: &mut Tail, rest: &[u8], length: u64) -> usize {
    let blocks = if rest.len() < LENGTH_AT { 1 } else { 2 };
    let bytes = tail.as_flattened_mut();
    bytes.fill(0);
    bytes[..rest.len()].copy_from_slice(rest);
    bytes[rest.len()] = 0x80;
    tail[blocks - 1][LENGTH_AT..].copy_from_slice(&length.wrapping_mul(8).to_be_bytes());
    blocks
}

#[cfg(test)]
mod tests;
