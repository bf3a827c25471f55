//! 4 or 8 messages at once with NEON: one register holds a word of 4 lanes.
//!
//! A rotation is two instructions, a shift and one that shifts into the gap, or one where it is by 8
//! (a shuffle of bytes). FF and GG are bit selections. Two chains, taken in turns instruction by
//! instruction, fill the time in which one would wait for its own results. Results are tested under
//! emulation, and the speed was not measured: not run on silicon.
#![expect(
    unsafe_code,
    reason = "loads, stores, and calls behind the token that they need"
)]
use core::arch::aarch64::{
    uint32x4_t, vaddq_u32, vbslq_u32, vdupq_n_u32, veorq_u32, vld1q_u8, vld1q_u32, vqtbl1q_u8,
    vreinterpretq_u8_u32, vreinterpretq_u32_u8, vreinterpretq_u32_u64, vreinterpretq_u64_u32,
    vrev32q_u8, vshlq_n_u32, vsriq_n_u32, vst1q_u32, vtrn1q_u32, vtrn1q_u64, vtrn2q_u32,
    vtrn2q_u64,
};

use super::chains::{chain, two_chains};
use super::rounds::{expand, round, rounds};
use super::{Blocks, Kernel, States, Words};
use crate::cpu;
use crate::sm3::Block;
use crate::sm3::consts::t;

/// Lanes of a chain.
const LANES: usize = 4;

/// A word of all lanes.
type Vector = uint32x4_t;

impl Kernel<LANES> for cpu::Neon {
    // Two chains fill the latencies; their 16 words of state leave half of the registers for the rest.
    const CHAINS: usize = 2;

    // From the count of instructions, not measured: a block of one chain takes less time than three blocks of the
    // code for one stream, with or without instructions for SM3.
    const FEW: usize = 2;

    fn compress(self, states: &mut [States<LANES>], blocks: &[Blocks<'_, LANES>], count: usize) {
        // SAFETY: the token proves NEON.
        unsafe { compress_pair(states, blocks, count) }
    }

    fn compress_words(self, states: &mut [States<LANES>], words: &[Words<LANES>]) {
        // SAFETY: the token proves NEON.
        unsafe { compress_words_pair(states, words) }
    }
}

chain!("neon");
two_chains!("neon");

#[inline]
#[target_feature(enable = "neon")]
fn load(word: &[u32; LANES]) -> uint32x4_t {
    // SAFETY: 4 words are the 16 bytes that are read.
    unsafe { vld1q_u32(word.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(word: &mut [u32; LANES], v: Vector) {
    // SAFETY: 4 words are the 16 bytes that are written.
    unsafe { vst1q_u32(word.as_mut_ptr(), v) }
}

/// Words `4 * part` to `4 * part + 3` of a block.
#[inline]
#[target_feature(enable = "neon")]
fn load_part(block: &Block, part: usize) -> uint32x4_t {
    let part = &block.as_chunks::<16>().0[part];
    // SAFETY: a quarter of a block is the 16 bytes that are read.
    let bytes = unsafe { vld1q_u8(part.as_ptr()) };
    vreinterpretq_u32_u8(vrev32q_u8(bytes))
}

/// The words of block `i` of every lane, lane by lane in each.
#[inline]
#[target_feature(enable = "neon")]
fn transpose(blocks: &Blocks<'_, LANES>, i: usize) -> [uint32x4_t; 16] {
    let mut words = [vdupq_n_u32(0); 16];
    for (part, words) in words.as_chunks_mut::<4>().0.iter_mut().enumerate() {
        let [r0, r1, r2, r3] = blocks.map(|blocks| load_part(&blocks[i], part));
        let (even01, odd01) = (vtrn1q_u32(r0, r1), vtrn2q_u32(r0, r1));
        let (even23, odd23) = (vtrn1q_u32(r2, r3), vtrn2q_u32(r2, r3));
        *words = [
            low_halves(even01, even23),
            low_halves(odd01, odd23),
            high_halves(even01, even23),
            high_halves(odd01, odd23),
        ];
    }
    words
}

#[inline]
#[target_feature(enable = "neon")]
fn low_halves(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
    vreinterpretq_u32_u64(vtrn1q_u64(
        vreinterpretq_u64_u32(a),
        vreinterpretq_u64_u32(b),
    ))
}

#[inline]
#[target_feature(enable = "neon")]
fn high_halves(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
    vreinterpretq_u32_u64(vtrn2q_u64(
        vreinterpretq_u64_u32(a),
        vreinterpretq_u64_u32(b),
    ))
}

#[inline]
#[target_feature(enable = "neon")]
fn splat(x: u32) -> Vector {
    vdupq_n_u32(x)
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: Vector, b: Vector) -> Vector {
    vaddq_u32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn xor(a: Vector, b: Vector) -> Vector {
    veorq_u32(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn rol<const N: i32>(a: Vector) -> Vector {
    let left = vshlq_n_u32::<N>(a);
    // The count of the second shift is 32 - N; the match is over constants.
    match N {
        7 => vsriq_n_u32::<25>(left, a),
        9 => vsriq_n_u32::<23>(left, a),
        12 => vsriq_n_u32::<20>(left, a),
        15 => vsriq_n_u32::<17>(left, a),
        _ => {
            const { assert!(matches!(N, 7 | 9 | 12 | 15 | 19)) }
            vsriq_n_u32::<13>(left, a)
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn rol8(a: Vector) -> Vector {
    let bytes = load(&[0x0201_0003, 0x0605_0407, 0x0a09_080b, 0x0e0d_0c0f]);
    let rotated = vqtbl1q_u8(vreinterpretq_u8_u32(a), vreinterpretq_u8_u32(bytes));
    vreinterpretq_u32_u8(rotated)
}

/// The bits of `b` where `a` is 1, of `c` elsewhere.
#[inline]
#[target_feature(enable = "neon")]
fn choose(a: Vector, b: Vector, c: Vector) -> Vector {
    vbslq_u32(a, b, c)
}

/// Where `a` and `b` differ, `c` decides.
#[inline]
#[target_feature(enable = "neon")]
fn majority(a: Vector, b: Vector, c: Vector) -> Vector {
    choose(xor(a, b), c, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
    xor(xor(a, b), c)
}

#[inline]
#[target_feature(enable = "neon")]
fn p0(x: Vector) -> Vector {
    let rotated = rol::<9>(x);
    xor3(x, rotated, rol8(rotated))
}

#[inline]
#[target_feature(enable = "neon")]
fn p1(x: Vector) -> Vector {
    let rotated = rol::<15>(x);
    xor3(x, rotated, rol8(rotated))
}
