//! GHASH with VPCLMULQDQ on vectors of 512 bits: up to 64 blocks, four in a vector, then one reduction.
//!
//! Groups of fewer than four blocks, and what is left of longer ones, go through vectors of 128 bits: a short message
//! touches no register of 512. No branch and no address depends on data.
#![expect(
    unsafe_code,
    reason = "loads and stores; calls of functions that need processor features, each behind its token"
)]
use super::{
    clmul::{POLYNOMIAL, Powers, products},
    divide_by_x,
    x86_64_clmul::{self as narrow, number, vector},
};
use crate::{
    cpu,
    sm4::{BLOCK_LEN, Block},
};
use core::arch::x86_64::*;

pub(super) const NAME: &str = "vpclmul-avx512";

/// Powers kept, and blocks taken together.
pub(super) const POWERS: usize = 64;
/// Blocks in a vector.
const LANES: usize = 4;
/// The bytes of a vector.
type Row = [u8; LANES * BLOCK_LEN];
/// The bytes of as many blocks as there are powers.
type Group = [u8; POWERS * BLOCK_LEN];

/// The powers of `h`.
pub(super) fn powers(_: cpu::VpclmulAvx512, h: u128) -> Powers<POWERS> {
    let mut powers = Powers([divide_by_x(h); POWERS]);
    // SAFETY: the token proves the features.
    unsafe { fill(&mut powers.0) }
    powers
}

/// A hash in progress, for kernels that add it to other work. It exists where
/// the token does, so its owner may use the features.
pub(crate) struct Wide<'a> {
    powers: &'a Powers<POWERS>,
    y: &'a mut u128,
}

impl<'a> Wide<'a> {
    #[inline]
    pub(super) fn new(_: cpu::VpclmulAvx512, powers: &'a Powers<POWERS>, y: &'a mut u128) -> Self {
        Self { powers, y }
    }

    /// Y = (Y + X) H for each block of `blocks` and `end`.
    pub(crate) fn update(&mut self, blocks: &[Block], end: &[Block]) {
        self.powers.in_groups(blocks, end, |powers, blocks, end| {
            // SAFETY: the token proves the features.
            *self.y = unsafe { update_group(powers, *self.y, blocks, end) };
        });
    }

    /// Hashes vector number `step` of `groups`, if there is one. Products of a group that is not at
    /// its end are in `products`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,pclmulqdq,vpclmulqdq")]
    pub(crate) fn step(&mut self, products: &mut Products, groups: &[Group], step: usize) {
        let (rows, _) = groups.as_flattened().as_chunks();
        let (powers, _) = self.powers.0.as_chunks();
        let Some(row) = rows.get(step) else {
            return;
        };
        let mut x = load(row);
        if step.is_multiple_of(powers.len()) {
            x = _mm512_xor_si512(x, _mm512_zextsi128_si512(vector(*self.y)));
        }
        products.add(x, load_powers(&powers[step % powers.len()]));
        if (step + 1).is_multiple_of(powers.len()) {
            // Lanes reduced first: that is less work, though it takes longer.
            let sum = core::mem::replace(products, Products::zero()).reduce();
            *self.y = number(fold(sum));
        }
    }
}

products! {
    "avx512f,vpclmulqdq", __m512i, _mm512_setzero_si512, _mm512_set1_epi64, _mm512_xor_si512,
    _mm512_clmulepi64_epi128, _mm512_shuffle_epi32
}

impl Products {
    /// The sum of the four lanes.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn fold(self) -> narrow::Products {
        narrow::Products::new(fold(self.high), fold(self.middle), fold(self.low))
    }
}

/// The sum of the four lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn fold(x: __m512i) -> __m128i {
    let half = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64::<1>(x));
    _mm_xor_si128(
        _mm256_castsi256_si128(half),
        _mm256_extracti128_si256::<1>(half),
    )
}

#[target_feature(enable = "avx512f,avx512bw,pclmulqdq,vpclmulqdq")]
fn update_group(powers: &[u128], mut y: u128, blocks: &[Block], end: &[Block]) -> u128 {
    let (rows, rest) = blocks.as_chunks::<LANES>();
    let (powers, last_powers) = powers.split_at(LANES * rows.len());
    let mut products = narrow::Products::zero();
    if !rows.is_empty() {
        let rows = rows.as_flattened().as_flattened().as_chunks().0;
        products = multiply(powers.as_chunks().0, core::mem::take(&mut y), rows).fold();
    }
    products.add_group(last_powers, y, rest, end);
    products.finish()
}

/// The products of `rows` and `powers`, `y` being added to the first block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,vpclmulqdq")]
fn multiply(powers: &[[u128; LANES]], y: u128, rows: &[Row]) -> Products {
    let mut products = Products::zero();
    let mut y = _mm512_zextsi128_si512(vector(y));
    for (powers, row) in powers.iter().zip(rows) {
        products.add(_mm512_xor_si512(load(row), y), load_powers(powers));
        y = _mm512_setzero_si512();
    }
    products
}

#[target_feature(enable = "avx512f,pclmulqdq,vpclmulqdq")]
fn fill(powers: &mut [u128; POWERS]) {
    narrow::fill(&mut powers[POWERS - LANES..], 1);
    let (vectors, _) = powers.as_chunks_mut::<LANES>();
    let mut known = 1;
    while known < vectors.len() {
        let (new, old) = vectors.split_at_mut(vectors.len() - known);
        let factor = _mm512_broadcast_i32x4(vector(old[0][0]));
        for (new, old) in new.iter_mut().rev().zip(old.iter().rev()) {
            let mut products = Products::zero();
            products.add(load_powers(old), factor);
            // SAFETY: four powers have the 64 bytes; no alignment is needed.
            unsafe { _mm512_storeu_si512(new.as_mut_ptr().cast(), products.reduce()) }
        }
        known *= 2;
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load_powers(powers: &[u128; LANES]) -> __m512i {
    // SAFETY: four powers have the 64 bytes; no alignment is needed.
    unsafe { _mm512_loadu_si512(powers.as_ptr().cast()) }
}

/// Four blocks as big-endian numbers.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(row: &Row) -> __m512i {
    // SAFETY: reads the 64 bytes; no alignment is needed.
    let x = unsafe { _mm512_loadu_si512(row.as_ptr().cast()) };
    let reverse = _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    _mm512_shuffle_epi8(x, _mm512_broadcast_i32x4(reverse))
}
