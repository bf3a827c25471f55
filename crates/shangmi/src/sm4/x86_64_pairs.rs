//! Blocks in vectors of 256 bits, two in each; the last may be alone, or missing.
#![expect(unsafe_code, reason = "loads and stores")]
use super::Block;
use core::arch::x86_64::*;

/// Blocks of a vector.
pub(super) const ROW: usize = 2;

/// The first blocks; zero where there is none.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_row(blocks: &[Block]) -> __m256i {
    if let Some(pair) = blocks.first_chunk::<ROW>() {
        // SAFETY: two blocks have the 32 bytes; no alignment is needed.
        return unsafe { _mm256_loadu_si256(pair.as_ptr().cast()) };
    }
    let Some(block) = blocks.first() else {
        return _mm256_setzero_si256();
    };
    // SAFETY: a block has the 16 bytes; no alignment is needed.
    _mm256_zextsi128_si256(unsafe { _mm_loadu_si128(block.as_ptr().cast()) })
}

/// Stores as many blocks as there are, at most two.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_row(blocks: &mut [Block], x: __m256i) {
    if let Some(pair) = blocks.first_chunk_mut::<ROW>() {
        // SAFETY: two blocks have the 32 bytes; no alignment is needed.
        unsafe { _mm256_storeu_si256(pair.as_mut_ptr().cast(), x) }
    } else if let Some(block) = blocks.first_mut() {
        // SAFETY: a block has the 16 bytes; no alignment is needed.
        unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), _mm256_castsi256_si128(x)) }
    }
}
