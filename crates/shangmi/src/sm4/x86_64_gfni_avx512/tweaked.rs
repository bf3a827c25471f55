//! XTS for 64 blocks at a time, the tweaks computed in vectors.
//!
//! A vector holds the tweaks T, T x, T x^2 and T x^3 of four blocks, the coefficient of x^i being bit i of its 128. The
//! next vector is this one times x^4: a shift by four bits, where what leaves the lower half goes to the upper
//! one, and the four bits v that leave the upper return as v (1 + x + x^2 + x^7).
use super::{
    Direction, Keys, enter, leave, matrices, result, round_wide, rounds_wide, slice, turn,
};
use crate::{
    cpu,
    sm4::{GROUP_LEN, Group, gfni::ROUND},
};
use core::arch::{asm, x86_64::*};
use zeroize::Zeroize;

/// Turns the bits of each byte round: row i of the matrix, which makes bit i, is byte 7 - i.
const REVERSE: i64 =
    i64::from_le_bytes([1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7]);

/// The tweaks of a group as they are added.
type Tweaks = [[u8; 64]; GROUP_LEN / 64];

/// Adds tweaks, puts `groups` through the rounds, adds them again, and returns the tweak for the next block.
pub(in crate::sm4) fn crypt<const REVERSED: bool>(
    _: cpu::GfniAvx512,
    keys: &Keys,
    order: Direction,
    tweak: u128,
    groups: &mut [Group],
) -> u128 {
    let mut added = [[0; 64]; GROUP_LEN / 64];
    // SAFETY: the token proves GFNI, AVX-512F and AVX-512BW.
    let next = unsafe { crypt_groups::<REVERSED>(keys, order, tweak, groups, &mut added) };
    added.as_flattened_mut().zeroize();
    next
}

#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn crypt_groups<const REVERSED: bool>(
    keys: &Keys,
    order: Direction,
    tweak: u128,
    groups: &mut [Group],
    added: &mut Tweaks,
) -> u128 {
    let mut tweaks = four(tweak);
    for group in groups {
        let (rows, _) = group.as_chunks_mut::<64>();
        let mut x = [_mm512_setzero_si512(); 16];
        for ((x, row), added) in x.iter_mut().zip(&*rows).zip(&mut *added) {
            let tweak = if REVERSED {
                _mm512_gf2p8affine_epi64_epi8::<0>(tweaks, _mm512_set1_epi64(REVERSE))
            } else {
                tweaks
            };
            store(added, tweak);
            *x = enter(_mm512_xor_si512(load(row), tweak));
            tweaks = next(tweaks);
        }
        let mut x = turn(slice(x));
        rounds_wide!(keys, order, x, _row => {});
        for ((x, row), added) in result(x).into_iter().zip(rows).zip(&*added) {
            store(row, _mm512_xor_si512(leave(x), load(added)));
        }
    }
    let low = _mm512_castsi512_si128(tweaks);
    let halves = [low, _mm_unpackhi_epi64(low, low)]
        .map(|half| u128::from(_mm_cvtsi128_si64(half).cast_unsigned()));
    halves[1] << 64 | halves[0]
}

/// `tweak` times 1, x, x^2 and x^3.
#[inline]
#[target_feature(enable = "avx512f")]
fn four(tweak: u128) -> __m512i {
    let mut words = [0; 8];
    let mut tweak = tweak;
    for word in words.as_chunks_mut::<2>().0 {
        *word = [tweak as i64, (tweak >> 64) as i64];
        tweak = tweak << 1 ^ (tweak >> 127).wrapping_neg() & 0x87;
    }
    let [a, b, c, d, e, f, g, h] = words;
    _mm512_setr_epi64(a, b, c, d, e, f, g, h)
}

/// Times x^4.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn next(tweaks: __m512i) -> __m512i {
    let left = _mm512_shuffle_epi32::<0b01_00_11_10>(_mm512_srli_epi64::<60>(tweaks));
    // v (1 + x + x^2) in the lower halves, where no byte has a carry; what goes to the upper halves stays.
    let low = _mm512_gf2p8mul_epi8(left, _mm512_set4_epi64(1, 7, 1, 7));
    let high = _mm512_maskz_slli_epi64::<7>(0b0101_0101, left);
    let shifted = _mm512_slli_epi64::<4>(tweaks);
    _mm512_xor_si512(_mm512_xor_si512(shifted, low), high)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(row: &[u8; 64]) -> __m512i {
    // SAFETY: reads the 64 bytes; no alignment is needed.
    unsafe { _mm512_loadu_si512(row.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(row: &mut [u8; 64], x: __m512i) {
    // SAFETY: writes the 64 bytes; no alignment is needed.
    unsafe { _mm512_storeu_si512(row.as_mut_ptr().cast(), x) }
}
