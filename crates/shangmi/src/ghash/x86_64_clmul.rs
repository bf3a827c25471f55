//! GHASH with PCLMULQDQ: eight blocks, then one reduction.
//!
//! No branch and no address depends on data.
#![expect(
    unsafe_code,
    reason = "loads; calls of functions that need processor features, each behind its token"
)]
use super::{
    clmul::{POLYNOMIAL, Powers, products},
    divide_by_x,
};
use crate::{cpu, sm4::Block};
use core::arch::x86_64::*;

pub(super) const NAME: &str = "clmul";

/// Powers kept, and blocks taken together.
pub(super) const POWERS: usize = 8;

/// The powers of `h`.
pub(super) fn powers(_: cpu::Clmul, h: u128) -> Powers<POWERS> {
    let mut powers = Powers([divide_by_x(h); POWERS]);
    // SAFETY: the token proves PCLMULQDQ and SSSE3.
    unsafe { fill(&mut powers.0, 1) }
    powers
}

/// Y = (Y + X) H for each block of `blocks` and `end`.
pub(super) fn update(
    _: cpu::Clmul,
    powers: &Powers<POWERS>,
    y: &mut u128,
    blocks: &[Block],
    end: &[Block],
) {
    powers.in_groups(blocks, end, |powers, blocks, end| {
        // SAFETY: the token proves PCLMULQDQ and SSSE3.
        *y = unsafe { update_group(powers, *y, blocks, end) };
    });
}

products! {
    "pclmulqdq,ssse3", __m128i, _mm_setzero_si128, _mm_set1_epi64x, _mm_xor_si128, _mm_clmulepi64_si128,
    _mm_shuffle_epi32
}

impl Products {
    /// The sum of high, middle and low parts.
    #[inline]
    pub(super) fn new(high: __m128i, middle: __m128i, low: __m128i) -> Self {
        Self { high, middle, low }
    }

    /// Adds the products of `blocks`, then `end`, and `powers`, `y` being added to the first block.
    #[inline]
    #[target_feature(enable = "pclmulqdq,ssse3")]
    pub(super) fn add_group(&mut self, powers: &[u128], y: u128, blocks: &[Block], end: &[Block]) {
        let mut y = vector(y);
        for (power, block) in powers.iter().zip(blocks.iter().chain(end)) {
            self.add(_mm_xor_si128(load(block), y), vector(*power));
            y = _mm_setzero_si128();
        }
    }

    #[inline]
    #[target_feature(enable = "pclmulqdq,ssse3")]
    pub(super) fn finish(self) -> u128 {
        number(self.reduce())
    }
}

#[target_feature(enable = "pclmulqdq,ssse3")]
fn update_group(powers: &[u128], y: u128, blocks: &[Block], end: &[Block]) -> u128 {
    let mut products = Products::zero();
    products.add_group(powers, y, blocks, end);
    products.finish()
}

/// Computes all powers, of which the last `known` are there, a power of two.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
pub(super) fn fill(powers: &mut [u128], mut known: usize) {
    while known < powers.len() {
        let (new, old) = powers.split_at_mut(powers.len() - known);
        let factor = vector(old[0]);
        for (new, old) in new.iter_mut().rev().zip(old.iter().rev()) {
            let mut products = Products::zero();
            products.add(vector(*old), factor);
            *new = products.finish();
        }
        known *= 2;
    }
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn vector(x: u128) -> __m128i {
    _mm_set_epi64x((x >> 64) as i64, x as i64)
}

#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn number(x: __m128i) -> u128 {
    let halves = [x, _mm_unpackhi_epi64(x, x)].map(|half| _mm_cvtsi128_si64(half).cast_unsigned());
    u128::from(halves[1]) << 64 | u128::from(halves[0])
}

/// A block as a big-endian number.
#[inline]
#[target_feature(enable = "ssse3")]
fn load(block: &Block) -> __m128i {
    // SAFETY: a block has the 16 bytes; no alignment is needed.
    let x = unsafe { _mm_loadu_si128(block.as_ptr().cast()) };
    let reverse = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    _mm_shuffle_epi8(x, reverse)
}
