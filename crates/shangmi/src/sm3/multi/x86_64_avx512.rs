//! 16 or 32 messages at once with AVX-512: one register holds a word of 16 lanes.
//!
//! A round is 26 instructions for 16 lanes: every rotation is one (`vprold`), so are FF, GG and each XOR of
//! three (`vpternlogd`). The blocks of 16 lanes are loaded whole and transposed (64 shuffles). One
//! chain of 16 lanes waits for its own results where an instruction takes two cycles (Zen 5); two chains, taken
//! in turns instruction by instruction, fill the gaps. Three would not fit the 32 registers.
#![expect(
    unsafe_code,
    reason = "loads, stores, and calls behind the token that they need"
)]
use core::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_loadu_si512, _mm512_rol_epi32, _mm512_set1_epi32,
    _mm512_set4_epi32, _mm512_shuffle_epi8, _mm512_shuffle_i32x4, _mm512_storeu_si512,
    _mm512_ternarylogic_epi32, _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32,
    _mm512_unpacklo_epi64, _mm512_xor_si512,
};

use super::chains::{chain, two_chains};
use super::rounds::{expand, round, rounds};
use super::{Blocks, Kernel, States, Words};
use crate::cpu;
use crate::sm3::Block;
use crate::sm3::consts::t;

/// Lanes of a chain.
const LANES: usize = 16;

/// A word of all lanes.
type Vector = __m512i;

impl Kernel<LANES> for cpu::Avx512 {
    const CHAINS: usize = 2;

    // A block of one chain takes as long as two blocks of the code for one stream.
    const FEW: usize = 2;

    fn compress(self, states: &mut [States<LANES>], blocks: &[Blocks<'_, LANES>], count: usize) {
        // SAFETY: the token proves AVX-512F and AVX-512BW.
        unsafe { compress_pair(states, blocks, count) }
    }

    fn compress_words(self, states: &mut [States<LANES>], words: &[Words<LANES>]) {
        // SAFETY: the token proves AVX-512F and AVX-512BW.
        unsafe { compress_words_pair(states, words) }
    }
}

chain!("avx512f,avx512bw");
two_chains!("avx512f,avx512bw");

#[inline]
#[target_feature(enable = "avx512f")]
fn load(word: &[u32; LANES]) -> __m512i {
    // SAFETY: 16 words are the 64 bytes that are read.
    unsafe { _mm512_loadu_si512(word.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(word: &mut [u32; LANES], v: Vector) {
    // SAFETY: 16 words are the 64 bytes that are written.
    unsafe { _mm512_storeu_si512(word.as_mut_ptr().cast(), v) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_block(block: &Block) -> __m512i {
    // SAFETY: a block is the 64 bytes that are read.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

/// The words of block `i` of every lane, lane by lane in each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose(blocks: &Blocks<'_, LANES>, i: usize) -> [__m512i; 16] {
    let swap = _mm512_set4_epi32(0x0c0d_0e0f, 0x0809_0a0b, 0x0405_0607, 0x0001_0203);
    let mut rows = [_mm512_set1_epi32(0); 16];
    for (row, blocks) in rows.iter_mut().zip(blocks) {
        *row = _mm512_shuffle_epi8(load_block(&blocks[i]), swap);
    }
    // quads[4k + m]: in its 128-bit part q, word 4q + m of lanes 4k to 4k + 3.
    let mut quads = [_mm512_set1_epi32(0); 16];
    for (quad, row) in quads
        .as_chunks_mut::<4>()
        .0
        .iter_mut()
        .zip(rows.as_chunks::<4>().0)
    {
        let (low01, high01) = (
            _mm512_unpacklo_epi32(row[0], row[1]),
            _mm512_unpackhi_epi32(row[0], row[1]),
        );
        let (low23, high23) = (
            _mm512_unpacklo_epi32(row[2], row[3]),
            _mm512_unpackhi_epi32(row[2], row[3]),
        );
        *quad = [
            _mm512_unpacklo_epi64(low01, low23),
            _mm512_unpackhi_epi64(low01, low23),
            _mm512_unpacklo_epi64(high01, high23),
            _mm512_unpackhi_epi64(high01, high23),
        ];
    }
    let mut words = [_mm512_set1_epi32(0); 16];
    for m in 0..4 {
        let [q0, q1, q2, q3] = [quads[m], quads[4 + m], quads[8 + m], quads[12 + m]];
        let (low01, high01) = (
            _mm512_shuffle_i32x4::<0x44>(q0, q1),
            _mm512_shuffle_i32x4::<0xee>(q0, q1),
        );
        let (low23, high23) = (
            _mm512_shuffle_i32x4::<0x44>(q2, q3),
            _mm512_shuffle_i32x4::<0xee>(q2, q3),
        );
        words[m] = _mm512_shuffle_i32x4::<0x88>(low01, low23);
        words[4 + m] = _mm512_shuffle_i32x4::<0xdd>(low01, low23);
        words[8 + m] = _mm512_shuffle_i32x4::<0x88>(high01, high23);
        words[12 + m] = _mm512_shuffle_i32x4::<0xdd>(high01, high23);
    }
    words
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(x: u32) -> Vector {
    _mm512_set1_epi32(x.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512f")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm512_add_epi32(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor(a: Vector, b: Vector) -> Vector {
    _mm512_xor_si512(a, b)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn rol<const N: i32>(a: Vector) -> Vector {
    _mm512_rol_epi32::<N>(a)
}

/// The function of three bits with the truth table `TABLE`.
#[inline]
#[target_feature(enable = "avx512f")]
fn ternary<const TABLE: i32>(a: Vector, b: Vector, c: Vector) -> Vector {
    _mm512_ternarylogic_epi32::<TABLE>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
    ternary::<0x96>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn majority(a: Vector, b: Vector, c: Vector) -> Vector {
    ternary::<0xe8>(a, b, c)
}

/// The bits of `b` where `a` is 1, of `c` elsewhere.
#[inline]
#[target_feature(enable = "avx512f")]
fn choose(a: Vector, b: Vector, c: Vector) -> Vector {
    ternary::<0xca>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn p0(x: Vector) -> Vector {
    xor3(x, rol::<9>(x), rol::<17>(x))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn p1(x: Vector) -> Vector {
    xor3(x, rol::<15>(x), rol::<23>(x))
}
