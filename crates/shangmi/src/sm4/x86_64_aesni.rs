//! SM4 with the instructions for AES, for processors without GFNI: vectors of 256 bits with AVX2, of 128 without.
//!
//! `AESENCLAST` is the S-box but for maps that `PSHUFB` looks up: see [`aes`](super::aes). A round of a chain is 25
//! instructions for eight blocks (two of them take the halves of a vector apart and together, since `AESENCLAST` has
//! 128 bits) or 22 for four. It waits for the round before; other chains fill the time.
//!
//! The kernel is one text, compiled for each width and each set of features. No branch and no address depends on
//! data.
#![expect(
    unsafe_code,
    reason = "loads and stores; calls of functions that need processor features, each behind its token"
)]
use super::{
    Block,
    aes::{ENTER, Keys, LEAVE, Nibbles, ROTATIONS, ROUND, SCHEDULE},
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
    for group in blocks.chunks_mut(2 * NARROW) {
        // SAFETY: the token proves AES and SSSE3.
        unsafe {
            match group.len().div_ceil(NARROW) {
                1 => ssse3::crypt::<1>(keys, order, group),
                _ => ssse3::crypt::<2>(keys, order, group),
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

/// The kernel, for `$features`. In scope: the type of a vector, its instructions under short names, and [`row`] and
/// [`store_row`] for the blocks of a vector.
macro_rules! kernel {
    ($features:literal) => {
        /// Words 0 to 3 of a chain's blocks.
        type Words = [Vector; 4];

        /// At most `N` chains; lanes without a block are zero at first and stored nowhere.
        #[target_feature(enable = $features)]
        pub(super) fn crypt<const N: usize>(keys: &Keys, order: Direction, blocks: &mut [Block]) {
            let mut words = [[zero(); 4]; N];
            for (words, blocks) in words.iter_mut().zip(blocks.chunks(4 * ROW)) {
                *words = load(blocks);
            }
            for i in (0..32).step_by(4) {
                for j in 0..4 {
                    let key = broadcast(keys.round(order, i + j).cast_signed());
                    for x in &mut words {
                        let t = xor(
                            xor(x[(j + 1) % 4], x[(j + 2) % 4]),
                            xor(x[(j + 3) % 4], key),
                        );
                        x[j] = xor(x[j], linear(sub_bytes(t)));
                    }
                }
            }
            for (words, blocks) in words.into_iter().zip(blocks.chunks_mut(4 * ROW)) {
                store(blocks, words);
            }
        }

        /// L, after [`sub_bytes`].
        #[inline]
        #[target_feature(enable = $features)]
        fn linear(z: Vector) -> Vector {
            let z = split(z);
            let (p, q) = (look_up(&ROUND[0], z), look_up(&ROUND[1], z));
            let r = xor(p, q);
            xor(
                xor(rotate(p, 0), rotate(q, 1)),
                xor(rotate(q, 2), rotate(r, 3)),
            )
        }

        /// The low and the high nibbles.
        #[inline]
        #[target_feature(enable = $features)]
        fn split(x: Vector) -> [Vector; 2] {
            let mask = broadcast(0x0f0f_0f0f);
            [and(x, mask), and(shift_right::<4>(x), mask)]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn look_up(map: &Nibbles, [low, high]: [Vector; 2]) -> Vector {
            xor(
                shuffle(table(&map.low), low),
                shuffle(table(&map.high), high),
            )
        }

        /// Undoes ShiftRows and rotates words by `a` bytes.
        #[inline]
        #[target_feature(enable = $features)]
        fn rotate(x: Vector, a: usize) -> Vector {
            shuffle(x, table(&ROTATIONS[a]))
        }

        /// Exchanges blocks and words in 128 bits each: element i of vector j is element j of vector i.
        #[inline]
        #[target_feature(enable = $features)]
        fn transpose([a, b, c, d]: Words) -> Words {
            let (ab, cd) = (unpack_low(a, b), unpack_low(c, d));
            let (ab_high, cd_high) = (unpack_high(a, b), unpack_high(c, d));
            [
                unpack_low_64(ab, cd),
                unpack_high_64(ab, cd),
                unpack_low_64(ab_high, cd_high),
                unpack_high_64(ab_high, cd_high),
            ]
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn load(blocks: &[Block]) -> Words {
            let row = |i: usize| {
                let x = load_row(blocks.get(i * ROW..).unwrap_or_default());
                look_up(&ENTER, split(x))
            };
            transpose([row(0), row(1), row(2), row(3)])
        }

        /// Stores X_32 to X_35, the last word first.
        #[inline]
        #[target_feature(enable = $features)]
        fn store(blocks: &mut [Block], [x32, x33, x34, x35]: Words) {
            let rows = transpose([x35, x34, x33, x32]);
            for (blocks, y) in blocks.chunks_mut(ROW).zip(rows) {
                store_row(blocks, look_up(&LEAVE, split(y)));
            }
        }
    };
}

/// The same for vectors of 128 bits.
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

        kernel!($features);

        /// Blocks of a vector.
        const ROW: usize = 1;

        #[inline]
        #[target_feature(enable = $features)]
        fn sub_bytes(x: Vector) -> Vector {
            _mm_aesenclast_si128(x, zero())
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

        #[target_feature(enable = $features)]
        pub(super) fn expand(key: &[u8; 16]) -> Keys {
            let fk = FK_BYTES.map(u32::cast_signed);
            let key = xor(table(key), _mm_setr_epi32(fk[0], fk[1], fk[2], fk[3]));
            let key = look_up(&ENTER, split(key));
            let mut x = [
                key,
                _mm_shuffle_epi32::<1>(key),
                _mm_shuffle_epi32::<2>(key),
                _mm_shuffle_epi32::<3>(key),
            ];
            let mut keys = Keys([0; 32]);
            for (rk, ck) in keys.0.iter_mut().zip(&CK_BYTES) {
                let ck = _mm_cvtsi32_si128(ck.cast_signed());
                let z = split(sub_bytes(xor(xor(xor(x[1], x[2]), ck), x[3])));
                let part = |a: usize| rotate(look_up(&SCHEDULE[a], z), a);
                let sum = xor(xor(part(0), part(1)), xor(part(2), part(3)));
                x = [x[1], x[2], x[3], xor(x[0], sum)];
                let key = xor(x[3], _mm_set1_epi8(INNER.cast_signed()));
                *rk = _mm_cvtsi128_si32(key).cast_unsigned();
            }
            keys
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
    use super::*;
    use core::arch::x86_64::{
        __m256i as Vector, _mm256_and_si256 as and, _mm256_set1_epi32 as broadcast,
        _mm256_setzero_si256 as zero, _mm256_shuffle_epi8 as shuffle,
        _mm256_srli_epi16 as shift_right, _mm256_unpackhi_epi32 as unpack_high,
        _mm256_unpackhi_epi64 as unpack_high_64, _mm256_unpacklo_epi32 as unpack_low,
        _mm256_unpacklo_epi64 as unpack_low_64, _mm256_xor_si256 as xor,
    };

    kernel!("aes,avx2");

    /// Blocks of a vector.
    const ROW: usize = 2;

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn sub_bytes(x: Vector) -> Vector {
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

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn load_row(blocks: &[Block]) -> Vector {
        if let Some(pair) = blocks.first_chunk::<2>() {
            // SAFETY: two blocks have the 32 bytes; no alignment is needed.
            return unsafe { _mm256_loadu_si256(pair.as_ptr().cast()) };
        }
        let Some(block) = blocks.first() else {
            return zero();
        };
        // SAFETY: a block has the 16 bytes; no alignment is needed.
        _mm256_zextsi128_si256(unsafe { _mm_loadu_si128(block.as_ptr().cast()) })
    }

    #[inline]
    #[target_feature(enable = "aes,avx2")]
    fn store_row(blocks: &mut [Block], x: Vector) {
        if let Some(pair) = blocks.first_chunk_mut::<2>() {
            // SAFETY: two blocks have the 32 bytes; no alignment is needed.
            unsafe { _mm256_storeu_si256(pair.as_mut_ptr().cast(), x) }
        } else if let Some(block) = blocks.first_mut() {
            // SAFETY: a block has the 16 bytes; no alignment is needed.
            unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), _mm256_castsi256_si128(x)) }
        }
    }
}
