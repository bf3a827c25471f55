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

use super::rounds::{expand, round, rounds};
use super::{Blocks, Kernel, States, Words};
use crate::cpu;
use crate::sm3::Block;
use crate::sm3::consts::t;

/// Lanes of a chain.
const LANES: usize = 4;

/// A word of the lanes of `C` chains.
type Vector<const C: usize> = [uint32x4_t; C];

impl Kernel<LANES> for cpu::Neon {
    // Two chains fill the latencies; their 16 words of state leave half of the registers for the rest.
    const CHAINS: usize = 2;

    // From the count of instructions, not measured: a block of one chain takes less time than three blocks of the
    // code for one stream, with or without instructions for SM3.
    const FEW: usize = 2;

    fn compress<const C: usize>(
        self,
        states: &mut [States<LANES>; C],
        blocks: &[Blocks<'_, LANES>; C],
        count: usize,
    ) {
        // SAFETY: the token proves NEON.
        unsafe { compress(states, blocks, count) }
    }

    fn compress_words<const C: usize>(
        self,
        states: &mut [States<LANES>; C],
        words: &[Words<LANES>; C],
    ) {
        // SAFETY: the token proves NEON.
        unsafe { compress_words(states, words) }
    }
}

/// CF over `count` blocks of every lane.
#[target_feature(enable = "neon")]
fn compress<const C: usize>(
    states: &mut [States<LANES>; C],
    blocks: &[Blocks<'_, LANES>; C],
    count: usize,
) {
    let mut v = load_states(states);
    for i in 0..count {
        let mut w = [splat(0); 16];
        for (chain, blocks) in blocks.iter().enumerate() {
            let words = transpose(blocks, i);
            for (w, word) in w.iter_mut().zip(words) {
                w[chain] = word;
            }
        }
        v = cf(v, w);
    }
    store_states(states, &v);
}

/// CF over one block of every lane, given as words.
#[target_feature(enable = "neon")]
fn compress_words<const C: usize>(states: &mut [States<LANES>; C], words: &[Words<LANES>; C]) {
    let v = load_states(states);
    let mut w = [splat(0); 16];
    for (chain, words) in words.iter().enumerate() {
        for (w, word) in w.iter_mut().zip(&words.0) {
            w[chain] = load(word);
        }
    }
    store_states(states, &cf(v, w));
}

/// CF: V(i+1) from V(i) and the words of the block.
#[inline]
#[target_feature(enable = "neon")]
fn cf<const C: usize>(v: [Vector<C>; 8], mut w: [Vector<C>; 16]) -> [Vector<C>; 8] {
    let mut s = v;
    rounds!(s w);
    for (s, v) in s.iter_mut().zip(v) {
        *s = xor(*s, v);
    }
    s
}

#[inline]
#[target_feature(enable = "neon")]
fn load_states<const C: usize>(states: &[States<LANES>; C]) -> [Vector<C>; 8] {
    let mut v = [splat(0); 8];
    for (chain, state) in states.iter().enumerate() {
        for (v, word) in v.iter_mut().zip(&state.0) {
            v[chain] = load(word);
        }
    }
    v
}

#[inline]
#[target_feature(enable = "neon")]
fn store_states<const C: usize>(states: &mut [States<LANES>; C], v: &[Vector<C>; 8]) {
    for (chain, state) in states.iter_mut().enumerate() {
        for (word, v) in state.0.iter_mut().zip(v) {
            // SAFETY: 4 words are the 16 bytes that are written.
            unsafe { vst1q_u32(word.as_mut_ptr(), v[chain]) }
        }
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn load(word: &[u32; LANES]) -> uint32x4_t {
    // SAFETY: 4 words are the 16 bytes that are read.
    unsafe { vld1q_u32(word.as_ptr()) }
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
fn splat<const C: usize>(x: u32) -> Vector<C> {
    [vdupq_n_u32(x); C]
}

#[inline]
#[target_feature(enable = "neon")]
fn add<const C: usize>(mut a: Vector<C>, b: Vector<C>) -> Vector<C> {
    for (a, b) in a.iter_mut().zip(b) {
        *a = vaddq_u32(*a, b);
    }
    a
}

#[inline]
#[target_feature(enable = "neon")]
fn xor<const C: usize>(mut a: Vector<C>, b: Vector<C>) -> Vector<C> {
    for (a, b) in a.iter_mut().zip(b) {
        *a = veorq_u32(*a, b);
    }
    a
}

#[inline]
#[target_feature(enable = "neon")]
fn rol<const N: i32, const C: usize>(mut a: Vector<C>) -> Vector<C> {
    for a in &mut a {
        let left = vshlq_n_u32::<N>(*a);
        // The count of the second shift is 32 - N; the match is over constants.
        *a = match N {
            7 => vsriq_n_u32::<25>(left, *a),
            9 => vsriq_n_u32::<23>(left, *a),
            12 => vsriq_n_u32::<20>(left, *a),
            15 => vsriq_n_u32::<17>(left, *a),
            _ => {
                const { assert!(matches!(N, 7 | 9 | 12 | 15 | 19)) }
                vsriq_n_u32::<13>(left, *a)
            }
        };
    }
    a
}

#[inline]
#[target_feature(enable = "neon")]
fn rol8<const C: usize>(mut a: Vector<C>) -> Vector<C> {
    let bytes = load(&[0x0201_0003, 0x0605_0407, 0x0a09_080b, 0x0e0d_0c0f]);
    for a in &mut a {
        let rotated = vqtbl1q_u8(vreinterpretq_u8_u32(*a), vreinterpretq_u8_u32(bytes));
        *a = vreinterpretq_u32_u8(rotated);
    }
    a
}

/// The bits of `b` where `a` is 1, of `c` elsewhere.
#[inline]
#[target_feature(enable = "neon")]
fn choose<const C: usize>(mut a: Vector<C>, b: Vector<C>, c: Vector<C>) -> Vector<C> {
    for (a, (b, c)) in a.iter_mut().zip(b.into_iter().zip(c)) {
        *a = vbslq_u32(*a, b, c);
    }
    a
}

/// Where `a` and `b` differ, `c` decides.
#[inline]
#[target_feature(enable = "neon")]
fn majority<const C: usize>(a: Vector<C>, b: Vector<C>, c: Vector<C>) -> Vector<C> {
    choose(xor(a, b), c, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn xor3<const C: usize>(a: Vector<C>, b: Vector<C>, c: Vector<C>) -> Vector<C> {
    xor(xor(a, b), c)
}

#[inline]
#[target_feature(enable = "neon")]
fn p0<const C: usize>(x: Vector<C>) -> Vector<C> {
    let rotated = rol::<9, C>(x);
    xor3(x, rotated, rol8(rotated))
}

#[inline]
#[target_feature(enable = "neon")]
fn p1<const C: usize>(x: Vector<C>) -> Vector<C> {
    let rotated = rol::<15, C>(x);
    xor3(x, rotated, rol8(rotated))
}
