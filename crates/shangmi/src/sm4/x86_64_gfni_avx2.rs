//! SM4 with GFNI on vectors of 256 bits: chains of eight blocks, several in flight.
//!
//! A round of a chain is 13 instructions and waits for the round before; other chains fill the time. No
//! branch and no address depends on data.
#![expect(
    unsafe_code,
    reason = "a round in assembly; calls of functions that need processor features, each behind its token"
)]
use super::{
    Block,
    gfni::{Direction, ENTER, Keys, LEAVE, ROUND},
    x86_64_gfni,
    x86_64_pairs::{ROW, load_row, store_row},
};
use crate::cpu;
use core::arch::{asm, x86_64::*};

pub(super) const NAME: &str = "gfni-avx2";

/// Blocks of a chain.
const LANES: usize = 8;
/// Chains in flight.
const CHAINS: usize = 3;

/// Puts blocks through the rounds with `keys`.
pub(super) fn crypt(token: cpu::GfniAvx2, keys: &Keys, order: Direction, blocks: &mut [Block]) {
    for group in blocks.chunks_mut(CHAINS * LANES) {
        if group.len() <= x86_64_gfni::BLOCKS {
            return x86_64_gfni::crypt(token, keys, order, group);
        }
        // SAFETY: the token proves GFNI and AVX2.
        unsafe {
            match group.len().div_ceil(LANES) {
                1 => crypt_chains::<1>(keys, order, group),
                2 => crypt_chains::<2>(keys, order, group),
                _ => crypt_chains::<CHAINS>(keys, order, group),
            }
        }
    }
}

/// One round of each chain. Written out, so that the words stay in registers.
macro_rules! rounds {
    ($words:expr, $i:literal, $($argument:expr),*) => {
        if let Some(words) = $words.get_mut(0) {
            round(words, $i, $($argument),*);
        }
        if let Some(words) = $words.get_mut(1) {
            round(words, $i, $($argument),*);
        }
        if let Some(words) = $words.get_mut(2) {
            round(words, $i, $($argument),*);
        }
    };
}

/// Words 0 to 3 of a chain's blocks.
type Words = [__m256i; 4];

/// At most `N` chains; lanes without a block are zero at first and stored nowhere.
#[target_feature(enable = "avx2,gfni")]
fn crypt_chains<const N: usize>(keys: &Keys, order: Direction, blocks: &mut [Block]) {
    let mut words = [[_mm256_setzero_si256(); 4]; N];
    for (words, chain) in words.iter_mut().zip(blocks.chunks(LANES)) {
        *words = load(chain);
    }
    let matrix = |a: usize| _mm256_set1_epi64x(ROUND.matrices[a].cast_signed());
    let tables = [
        matrix(0),
        matrix(1),
        matrix(3),
        rotation(1),
        rotation(2),
        rotation(3),
    ];
    for i in (0..32).step_by(4) {
        let key = |j: usize| &keys.words[order.index(i + j)];
        rounds!(words, 0, key(0), &tables);
        rounds!(words, 1, key(1), &tables);
        rounds!(words, 2, key(2), &tables);
        rounds!(words, 3, key(3), &tables);
    }
    for (words, chain) in words.into_iter().zip(blocks.chunks_mut(LANES)) {
        store(chain, words);
    }
}

/// X_{i+4} in the place of X_i.
///
/// Assembly, since LLVM would mix the chains' instructions until the registers do not suffice.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn round(x: &mut Words, i: usize, key: &u32, tables: &[__m256i; 6]) {
    // SAFETY: reads `key` and `tables` and writes no memory; the features are enabled.
    unsafe {
        asm!(
            "vpbroadcastd {t}, dword ptr [{key}]",
            "vpxor {p}, {x1}, {x2}",
            "vpxor {t}, {t}, {p}",
            "vpxor {t}, {t}, {x3}",
            "vgf2p8affineinvqb {q}, {t}, ymmword ptr [{tables} + 32], 0",
            "vgf2p8affineinvqb {p}, {t}, ymmword ptr [{tables}], {constant}",
            "vgf2p8affineinvqb {t}, {t}, ymmword ptr [{tables} + 64], 0",
            "vpxor {x0}, {x0}, {p}",
            "vpshufb {p}, {q}, ymmword ptr [{tables} + 96]",
            "vpshufb {q}, {q}, ymmword ptr [{tables} + 128]",
            "vpshufb {t}, {t}, ymmword ptr [{tables} + 160]",
            "vpxor {x0}, {x0}, {p}",
            "vpxor {q}, {q}, {t}",
            "vpxor {x0}, {x0}, {q}",
            x0 = inout(ymm_reg) x[i],
            x1 = in(ymm_reg) x[(i + 1) % 4],
            x2 = in(ymm_reg) x[(i + 2) % 4],
            x3 = in(ymm_reg) x[(i + 3) % 4],
            t = out(ymm_reg) _,
            p = out(ymm_reg) _,
            q = out(ymm_reg) _,
            key = in(reg) key,
            tables = in(reg) tables,
            constant = const ROUND.constant,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
}

/// For `vpshufb`: rotates words left by `bytes` bytes, the first byte in memory being the most
/// significant.
#[inline]
#[target_feature(enable = "avx2")]
fn rotation(bytes: usize) -> __m256i {
    let word = u32::from_le_bytes([0, 1, 2, 3]).rotate_right(8 * bytes as u32);
    let at = |i: u32| (word + 0x0404_0404 * i).cast_signed();
    _mm256_broadcastsi128_si256(_mm_setr_epi32(at(0), at(1), at(2), at(3)))
}

/// Exchanges blocks and words in each half: element i of vector j is element j of vector i.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose([a, b, c, d]: Words) -> Words {
    let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
    [
        _mm256_unpacklo_epi64(ab, cd),
        _mm256_unpackhi_epi64(ab, cd),
        _mm256_unpacklo_epi64(ab_high, cd_high),
        _mm256_unpackhi_epi64(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn load(blocks: &[Block]) -> Words {
    let row = |i: usize| {
        let x = load_row(blocks.get(i * ROW..).unwrap_or_default());
        _mm256_gf2p8affine_epi64_epi8::<0>(x, _mm256_set1_epi64x(ENTER.cast_signed()))
    };
    transpose([row(0), row(1), row(2), row(3)])
}

/// Stores X_32 to X_35, the last word first.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn store(blocks: &mut [Block], [x32, x33, x34, x35]: Words) {
    let rows = transpose([x35, x34, x33, x32]);
    for (blocks, y) in blocks.chunks_mut(ROW).zip(rows) {
        let x = _mm256_gf2p8affine_epi64_epi8::<0>(y, _mm256_set1_epi64x(LEAVE.cast_signed()));
        store_row(blocks, x);
    }
}
