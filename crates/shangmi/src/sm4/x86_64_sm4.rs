//! SM4 with its instructions on x86-64, up to 16 blocks in flight.
//!
//! `VSM4RNDS4` makes four rounds of the blocks in a vector, `VSM4KEY4` four steps of the key schedule.
//!
//! No machine was at hand that has them: not run on silicon. The kernel is a text that is compiled twice,
//! for the instructions and, in tests, for a software model of them; its speed was not measured. No branch and no address
//! depends on data.
#![expect(
    unsafe_code,
    reason = "loads and stores, and calls behind the tokens that they need"
)]
use super::{
    Block,
    consts::{CK, FK},
    key_schedule::{Direction, RoundKeys},
    x86_64_pairs::{ROW, load_row, store_row},
};
use crate::cpu;
use core::arch::x86_64::*;

#[cfg(test)]
mod model;

pub(super) const NAME: &str = "sm4";
#[cfg(test)]
pub(super) const NAME_MODEL: &str = "sm4, software model";

/// Blocks in flight at most.
const BLOCKS: usize = 16;

/// The round keys of `key`.
pub(super) fn expand(_: cpu::Sm4, key: &[u8; 16]) -> RoundKeys {
    // SAFETY: the token proves AVX2 and the instructions for SM4.
    unsafe { hardware::expand(key) }
}

/// Puts blocks through the rounds with `keys`.
pub(super) fn crypt(_: cpu::Sm4, keys: &RoundKeys, order: Direction, blocks: &mut [Block]) {
    // SAFETY: the token proves AVX2 and the instructions for SM4.
    unsafe { hardware::crypt_blocks(keys, order, blocks) }
}

/// The same with the software model in place of the instructions.
#[cfg(test)]
pub(super) fn expand_on_model(_: cpu::Avx2, key: &[u8; 16]) -> RoundKeys {
    // SAFETY: the token proves AVX2.
    unsafe { modelled::expand(key) }
}

/// The same with the software model in place of the instructions.
#[cfg(test)]
pub(super) fn crypt_on_model(
    _: cpu::Avx2,
    keys: &RoundKeys,
    order: Direction,
    blocks: &mut [Block],
) {
    // SAFETY: the token proves AVX2.
    unsafe { modelled::crypt_blocks(keys, order, blocks) }
}

/// The kernel, for `$features`. In scope: `_mm_sm4key4_epi32` and `_mm256_sm4rnds4_epi32`.
macro_rules! kernel {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn expand(key: &[u8; 16]) -> RoundKeys {
            let mut keys = RoundKeys([0; 32]);
            let (fk, reverse) = (load_words(&FK), _mm256_castsi256_si128(swap(false)));
            let mut k = _mm_xor_si128(_mm_shuffle_epi8(load(key), reverse), fk);
            for (four, ck) in keys.0.as_chunks_mut().0.iter_mut().zip(CK.as_chunks().0) {
                k = _mm_sm4key4_epi32(k, load_words(ck));
                let four: &mut [u32; 4] = four;
                // SAFETY: four words are the 16 bytes that are written.
                unsafe { _mm_storeu_si128(four.as_mut_ptr().cast(), k) }
            }
            keys
        }

        #[target_feature(enable = $features)]
        pub(super) fn crypt_blocks(keys: &RoundKeys, order: Direction, blocks: &mut [Block]) {
            for group in blocks.chunks_mut(BLOCKS) {
                match group.len() {
                    0..=2 => crypt::<1>(keys, order, group),
                    3..=8 => crypt::<4>(keys, order, group),
                    _ => crypt::<8>(keys, order, group),
                }
            }
        }

        /// At most `N` vectors of blocks.
        #[target_feature(enable = $features)]
        fn crypt<const N: usize>(keys: &RoundKeys, order: Direction, blocks: &mut [Block]) {
            let mut x = [_mm256_setzero_si256(); N];
            for (x, row) in x.iter_mut().zip(blocks.chunks(ROW)) {
                *x = _mm256_shuffle_epi8(load_row(row), swap(false));
            }
            let (fours, _) = keys.0.as_chunks();
            for i in 0..8 {
                let key = match order {
                    Direction::Encrypt => load_words(&fours[i]),
                    Direction::Decrypt => {
                        _mm_shuffle_epi32::<0b00_01_10_11>(load_words(&fours[7 - i]))
                    }
                };
                let key = _mm256_broadcastsi128_si256(key);
                for x in &mut x {
                    *x = _mm256_sm4rnds4_epi32(*x, key);
                }
            }
            for (row, x) in blocks.chunks_mut(ROW).zip(x) {
                store_row(row, _mm256_shuffle_epi8(x, swap(true)));
            }
        }
    };
}

mod hardware {
    use super::*;

    kernel!("avx2,sm4");
}

#[cfg(test)]
mod modelled {
    use super::model::{_mm_sm4key4_epi32, _mm256_sm4rnds4_epi32};
    use super::*;

    kernel!("avx2");
}

/// For `vpshufb`: words big-endian, and the last first if `reverse`.
#[inline]
#[target_feature(enable = "avx2")]
fn swap(reverse: bool) -> __m256i {
    let x = if reverse {
        _mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
    } else {
        _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
    };
    _mm256_broadcastsi128_si256(x)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &Block) -> __m128i {
    // SAFETY: a block has the 16 bytes; no alignment is needed.
    unsafe { _mm_loadu_si128(block.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_words(words: &[u32; 4]) -> __m128i {
    // SAFETY: four words are the 16 bytes that are read; no alignment is needed.
    unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
}
