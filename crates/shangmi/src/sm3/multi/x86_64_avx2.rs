//! 8 messages at once with AVX2: one register holds a word of 8 lanes.
//!
//! A rotation is two shifts and an OR, or one byte shuffle where it is by 8: P0 and P1 get their second rotation
//! from the first that way.
#![expect(
    unsafe_code,
    reason = "loads, stores, and calls behind the token that they need"
)]
use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_and_si256, _mm256_loadu_si256, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_shuffle_epi8,
    _mm256_slli_epi32, _mm256_srlv_epi32, _mm256_storeu_si256, _mm256_unpackhi_epi32,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_si256,
};

use super::chains::chain;
use super::rounds::{expand, round, rounds};
use super::{Blocks, Kernel, States, Words};
use crate::cpu;
use crate::sm3::Block;
use crate::sm3::consts::t;

/// Lanes of a chain.
const LANES: usize = 8;

/// A word of all lanes.
type Vector = __m256i;

impl Kernel<LANES> for cpu::Avx2 {
    // Two chains do not fit the 16 registers: 2.98 instead of 2.36 c/B on Golden Cove.
    const CHAINS: usize = 1;

    // A block of one chain takes as long as two blocks of the code for one stream.
    const FEW: usize = 2;

    fn compress(self, states: &mut [States<LANES>], blocks: &[Blocks<'_, LANES>], count: usize) {
        // SAFETY: the token proves AVX2.
        unsafe { compress_each(states, blocks, count) }
    }

    fn compress_words(self, states: &mut [States<LANES>], words: &[Words<LANES>]) {
        // SAFETY: the token proves AVX2.
        unsafe { compress_words_each(states, words) }
    }
}

chain!("avx2");

#[inline]
#[target_feature(enable = "avx2")]
fn load(word: &[u32; LANES]) -> __m256i {
    // SAFETY: 8 words are the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(word.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(word: &mut [u32; LANES], v: Vector) {
    // SAFETY: 8 words are the 32 bytes that are written.
    unsafe { _mm256_storeu_si256(word.as_mut_ptr().cast(), v) }
}

/// Words 8 to 15 of a block if `half` is 1, else words 0 to 7.
#[inline]
#[target_feature(enable = "avx2")]
fn load_half(block: &Block, half: usize) -> __m256i {
    let half = &block.as_chunks::<32>().0[half];
    // SAFETY: half a block is the 32 bytes that are read.
    unsafe { _mm256_loadu_si256(half.as_ptr().cast()) }
}

/// The words of block `i` of every lane, lane by lane in each.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose(blocks: &Blocks<'_, LANES>, i: usize) -> [__m256i; 16] {
    let mut words = [_mm256_set1_epi32(0); 16];
    for (half, words) in words.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let mut rows = [_mm256_set1_epi32(0); 8];
        for (row, blocks) in rows.iter_mut().zip(blocks) {
            *row = swap_bytes(load_half(&blocks[i], half));
        }
        *words = transpose_half(rows);
    }
    words
}

/// Turns 8 rows of 8 words.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_half(rows: [__m256i; 8]) -> [__m256i; 8] {
    // quads[4k + m]: in its 128-bit part q, word 4q + m of lanes 4k to 4k + 3.
    let mut quads = [_mm256_set1_epi32(0); 8];
    for (quad, row) in quads
        .as_chunks_mut::<4>()
        .0
        .iter_mut()
        .zip(rows.as_chunks::<4>().0)
    {
        let (low01, high01) = (
            _mm256_unpacklo_epi32(row[0], row[1]),
            _mm256_unpackhi_epi32(row[0], row[1]),
        );
        let (low23, high23) = (
            _mm256_unpacklo_epi32(row[2], row[3]),
            _mm256_unpackhi_epi32(row[2], row[3]),
        );
        *quad = [
            _mm256_unpacklo_epi64(low01, low23),
            _mm256_unpackhi_epi64(low01, low23),
            _mm256_unpacklo_epi64(high01, high23),
            _mm256_unpackhi_epi64(high01, high23),
        ];
    }
    let mut words = quads;
    for m in 0..4 {
        words[m] = _mm256_permute2x128_si256::<0x20>(quads[m], quads[4 + m]);
        words[4 + m] = _mm256_permute2x128_si256::<0x31>(quads[m], quads[4 + m]);
    }
    words
}

#[inline]
#[target_feature(enable = "avx2")]
fn swap_bytes(x: __m256i) -> __m256i {
    let (a, b, c, d) = (0x0001_0203, 0x0405_0607, 0x0809_0a0b, 0x0c0d_0e0f);
    _mm256_shuffle_epi8(x, _mm256_setr_epi32(a, b, c, d, a, b, c, d))
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(x: u32) -> Vector {
    _mm256_set1_epi32(x.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn add(a: Vector, b: Vector) -> Vector {
    _mm256_add_epi32(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor(a: Vector, b: Vector) -> Vector {
    _mm256_xor_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn rol<const N: i32>(a: Vector) -> Vector {
    // The compiler makes shifts by a constant of it.
    let right = _mm256_srlv_epi32(a, _mm256_set1_epi32(32 - N));
    _mm256_or_si256(_mm256_slli_epi32::<N>(a), right)
}

#[inline]
#[target_feature(enable = "avx2")]
fn rol8(a: Vector) -> Vector {
    let (x, y, z, w) = (0x0201_0003, 0x0605_0407, 0x0a09_080b, 0x0e0d_0c0f);
    _mm256_shuffle_epi8(a, _mm256_setr_epi32(x, y, z, w, x, y, z, w))
}

#[inline]
#[target_feature(enable = "avx2")]
fn and(a: Vector, b: Vector) -> Vector {
    _mm256_and_si256(a, b)
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor3(a: Vector, b: Vector, c: Vector) -> Vector {
    xor(xor(a, b), c)
}

#[inline]
#[target_feature(enable = "avx2")]
fn majority(a: Vector, b: Vector, c: Vector) -> Vector {
    xor(and(a, xor(b, c)), and(b, c))
}

/// The bits of `b` where `a` is 1, of `c` elsewhere.
#[inline]
#[target_feature(enable = "avx2")]
fn choose(a: Vector, b: Vector, c: Vector) -> Vector {
    xor(and(xor(b, c), a), c)
}

#[inline]
#[target_feature(enable = "avx2")]
fn p0(x: Vector) -> Vector {
    let rotated = rol::<9>(x);
    xor3(x, rotated, rol8(rotated))
}

#[inline]
#[target_feature(enable = "avx2")]
fn p1(x: Vector) -> Vector {
    let rotated = rol::<15>(x);
    xor3(x, rotated, rol8(rotated))
}
