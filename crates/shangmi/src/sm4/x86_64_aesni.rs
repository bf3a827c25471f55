//! SM4 with the instructions for AES, for processors without GFNI: vectors of 256 bits with AVX2, of 128 without.
//!
//! `AESENCLAST` is the S-box but for maps that `PSHUFB` looks up: see [`aes`](super::aes). A round of a chain is 25
//! instructions for eight blocks (two of them take the halves of a vector apart and together, since `AESENCLAST` has
//! 128 bits) or 22 for four. It waits for the round before; other chains fill the time.
//! On a Xeon (Emerald Rapids) 512 blocks take 3.1 cycles a byte with AVX2 and 4.7 without, where bit slicing takes 6.5.
//!
//! The [rounds](super::aes::rounds) are one text, compiled for each width and each set of features. No branch and no address depends on
//! data.
#![expect(
    unsafe_code,
    reason = "loads and stores; calls of functions that need processor features, each behind its token"
)]
use super::{
    Block,
    aes::{
        ENTER, Keys, LEAVE, Nibbles, ROTATIONS, ROUND, SCHEDULE,
        rounds::{expand, rounds},
    },
    algebra::{CK_BYTES, FK_BYTES, INNER},
    key_schedule::Direction,
};
use crate::cpu;
use core::arch::x86_64::*;

pub(super) const NAME_AVX2: &str = "aesni-avx2";
pub(super) const NAME_SSSE3: &str = "aesni-ssse3";

/// Blocks of a chain of 128 bits, and of 256.
const NARROW: usize = 4;
const WIDE: usize = 8;

/// The round keys of `key`.
pub(super) fn expand_ssse3(_: cpu::AesSsse3, key: &[u8; 16]) -> Keys {
    // SAFETY: the token proves AES and SSSE3.
    unsafe { ssse3::expand(key) }
}

/// The round keys of `key`.
pub(super) fn expand_avx2(_: cpu::AesAvx2, key: &[u8; 16]) -> Keys {
    // SAFETY: the token proves AES and AVX2.
    unsafe { avx::expand(key) }
}

/// Puts blocks through the rounds with `keys`.
pub(super) fn crypt_ssse3(_: cpu::AesSsse3, keys: &Keys, order: Direction, blocks: &mut [Block]) {
    for group in blocks.chunks_mut(4 * NARROW) {
        // SAFETY: the token proves AES and SSSE3.
        unsafe {
            match group.len().div_ceil(NARROW) {
                1 => ssse3::crypt::<1>(keys, order, group),
                2 => ssse3::crypt::<2>(keys, order, group),
                _ => ssse3::crypt::<4>(keys, order, group),
            }
        }
    }
}

/// Puts blocks through the rounds with `keys`.
pub(super) fn crypt_avx2(_: cpu::AesAvx2, keys: &Keys, order: Direction, blocks: &mut [Block]) {
    for group in blocks.chunks_mut(3 * WIDE) {
        // SAFETY: the token proves AES and AVX2.
        unsafe {
            match group.len() {
                0..=NARROW => avx::crypt::<1>(keys, order, group),
                5..=8 => avx2::crypt::<1>(keys, order, group),
                9..=16 => avx2::crypt::<2>(keys, order, group),
                _ => avx2::crypt::<3>(keys, order, group),
            }
        }
    }
}

/// The kernel for vectors of 128 bits.
macro_rules! kernel_128 {
    ($features:literal) => {
        use super::*;
        use core::arch::x86_64::{
            __m128i as Vector, _mm_and_si128 as and, _mm_set1_epi32 as broadcast,
            _mm_setzero_si128 as zero, _mm_shuffle_epi8 as shuffle, _mm_srli_epi16 as shift_right,
            _mm_unpackhi_epi32 as unpack_high, _mm_unpackhi_epi64 as unpack_high_64,
            _mm_unpacklo_epi32 as unpack_low, _mm_unpacklo_epi64 as unpack_low_64,
            _mm_xor_si128 as xor,
        };

        rounds!($features);
        expand!($features);

        /// Blocks of a vector.
        const ROW: usize = 1;

        #[inline]
        #[target_feature(enable = $features)]
        fn sub_bytes(x: Vector, key: Vector) -> Vector {
            _mm_aesenclast_si128(xor(x, key), zero())
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn table(bytes: &[u8; 16]) -> Vector {
            // SAFETY: the 16 bytes are read; no alignment is needed.
            unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load_row(blocks: &[Block]) -> Vector {
            blocks.first().map_or(zero(), |block| table(block))
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn store_row(blocks: &mut [Block], x: Vector) {
            if let Some(block) = blocks.first_mut() {
                // SAFETY: a block has the 16 bytes; no alignment is needed.
                unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), x) }
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn first_word(x: Vector) -> u32 {
            _mm_cvtsi128_si32(x).cast_unsigned()
        }
    };
}

/// Without AVX.
mod ssse3 {
    kernel_128!("aes,ssse3");
}

/// With AVX's forms of the instructions, for a few blocks.
mod avx {
    kernel_128!("aes,avx2");
}

/// Vectors of 256 bits.
mod avx2 {
    use super::super::x86_64_pairs::{ROW, load_row, store_row};
    use super::*;
    use core::arch::x86_64::{
        __m256i as Vector, _mm256_and_si256 as and, _mm256_set1_epi32 as broadcast,
        _mm256_setzero_si256 as zero, _mm256_shuffle_epi8 as shuffle,
        _mm256_srli_epi16 as shift_right, _mm256_unpackhi_epi32 as unpack_high,
        _mm256_unpackhi_epi64 as unpack_high_64, _mm256_unpacklo_epi32 as unpack_low,
        _mm256_unpacklo_epi64 as unpack_low_64, _mm256_xor_si256 as xor,
    };

    rounds!("aes,avx2");

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn sub_bytes(x: Vector, key: Vector) -> Vector {
        let x = xor(x, key);
        let low = _mm_aesenclast_si128(_mm256_castsi256_si128(x), _mm_setzero_si128());
        let high = _mm_aesenclast_si128(_mm256_extracti128_si256::<1>(x), _mm_setzero_si128());
        _mm256_set_m128i(high, low)
    }

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn table(bytes: &[u8; 16]) -> Vector {
        // SAFETY: the 16 bytes are read; no alignment is needed.
        _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }
}
