//! XTS for 64 blocks at a time, the tweaks computed in vectors.
//!
//! A vector holds the tweaks T, T x, T x^2 and T x^3 of four blocks, the coefficient of x^i being bit i of its 128. The
//! next vector is this one times x^4: a shift by four bits, where what leaves the lower half goes to the upper
//! one, and the four bits v that leave the upper return as v (1 + x + x^2 + x^7).
use super::{
    Bytes, Direction, Keys, Newest, enter, leave, matrices, result, round_wide, rounds_wide, slice,
    turn, wipe, xor3,
};
use crate::{
    cpu,
    sm4::{
        gfni::ROUND,
        groups::{GROUP_LEN, Group},
    },
};
use core::arch::{asm, x86_64::*};
use zeroize::Zeroize;

/// Turns the bits of each byte round: row i of the matrix, which makes bit i, is byte 7 - i.
const REVERSE: i64 =
    i64::from_le_bytes([1, 1 << 1, 1 << 2, 1 << 3, 1 << 4, 1 << 5, 1 << 6, 1 << 7]);

/// Exchanges the halves of each 128 bits.
const SWAP: i32 = 0b01_00_11_10;

/// The tweaks of a group as they are added.
#[repr(align(64))]
#[derive(Clone, Copy)]
struct Tweaks([[u8; 64]; GROUP_LEN / 64]);

/// Adds tweaks, puts `groups` through the rounds, adds them again, and returns the tweak for the next block.
pub(in crate::sm4) fn crypt<const REVERSED: bool>(
    _: cpu::GfniAvx512,
    keys: &Keys,
    order: Direction,
    tweak: u128,
    groups: &mut [Group],
) -> u128 {
    let mut added = [Tweaks([[0; 64]; GROUP_LEN / 64]); 2];
    // SAFETY: the token proves GFNI, AVX-512F and AVX-512BW.
    let next = unsafe { crypt_groups::<REVERSED>(keys, order, tweak, groups, &mut added) };
    for tweaks in &mut added {
        tweaks.0.as_flattened_mut().zeroize();
    }
    next
}

#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn crypt_groups<const REVERSED: bool>(
    keys: &Keys,
    order: Direction,
    tweak: u128,
    groups: &mut [Group],
    added: &mut [Tweaks; 2],
) -> u128 {
    let mut tweaks = four(tweak);
    let [mut x, mut y] = [[_mm512_setzero_si512(); 16]; 2];
    let (pairs, single) = groups.as_chunks_mut::<2>();
    let [added, more_added] = added;
    for [group, other] in pairs {
        x = add_tweaks::<REVERSED>(&mut tweaks, group, added);
        y = add_tweaks::<REVERSED>(&mut tweaks, other, more_added);
        rounds_wide!(keys, order, [x newest, y newer], _round => {});
        store(group, &x, added);
        store(other, &y, more_added);
    }
    for group in single {
        x = add_tweaks::<REVERSED>(&mut tweaks, group, added);
        rounds_wide!(keys, order, [x newest], _round => {});
        store(group, &x, added);
    }
    wipe(&mut x);
    wipe(&mut y);
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

/// Times x^64, at once, so that groups need not wait for each other.
#[inline]
#[target_feature(enable = "avx512f")]
fn times_x64(tweaks: __m512i) -> __m512i {
    const LOW: u8 = 0b0101_0101;
    // The upper half goes to the lower one times 1 + x + x^2 + x^7; what that pushes out is upper again.
    let swapped = _mm512_shuffle_epi32::<SWAP>(tweaks);
    let one = _mm512_maskz_slli_epi64::<1>(LOW, swapped);
    let two = _mm512_maskz_slli_epi64::<2>(LOW, swapped);
    let seven = _mm512_maskz_slli_epi64::<7>(LOW, swapped);
    let one = _mm512_mask_srli_epi64::<63>(one, !LOW, tweaks);
    let two = _mm512_mask_srli_epi64::<62>(two, !LOW, tweaks);
    let seven = _mm512_mask_srli_epi64::<57>(seven, !LOW, tweaks);
    _mm512_xor_si512(swapped, xor3(one, two, seven))
}

/// Times x^4.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn times_x4(tweaks: __m512i) -> __m512i {
    let left = _mm512_shuffle_epi32::<SWAP>(_mm512_srli_epi64::<60>(tweaks));
    // v (1 + x + x^2) in the lower halves, where no byte has a carry; what goes to the upper halves stays.
    let low = _mm512_gf2p8mul_epi8(left, _mm512_set4_epi64(1, 7, 1, 7));
    let high = _mm512_maskz_slli_epi64::<7>(0b0101_0101, left);
    let shifted = _mm512_slli_epi64::<4>(tweaks);
    xor3(shifted, low, high)
}

/// A group with tweaks added, ready for the rounds. Leaves the tweaks in `added`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn add_tweaks<const REVERSED: bool>(
    tweaks: &mut __m512i,
    group: &Group,
    added: &mut Tweaks,
) -> Bytes {
    let (mut x, mut row_tweaks) = ([_mm512_setzero_si512(); 16], *tweaks);
    let rows = group.as_chunks::<64>().0;
    for ((x, row), added) in x.iter_mut().zip(rows).zip(&mut added.0) {
        let tweak = if REVERSED {
            _mm512_gf2p8affine_epi64_epi8::<0>(row_tweaks, _mm512_set1_epi64(REVERSE))
        } else {
            row_tweaks
        };
        // SAFETY: reads and writes the 64 bytes; no alignment is needed.
        unsafe {
            _mm512_storeu_si512(added.as_mut_ptr().cast(), tweak);
            let data = _mm512_loadu_si512(row.as_ptr().cast());
            *x = enter(_mm512_xor_si512(data, tweak));
        }
        row_tweaks = times_x4(row_tweaks);
    }
    *tweaks = times_x64(*tweaks);
    turn(slice(x))
}

/// Stores what the rounds have left, with the tweaks added once more.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn store(group: &mut Group, x: &Bytes, added: &Tweaks) {
    let rows = group.as_chunks_mut::<64>().0;
    for ((x, row), added) in result(x).into_iter().zip(rows).zip(&added.0) {
        // SAFETY: reads and writes the 64 bytes; no alignment is needed.
        unsafe {
            let tweak = _mm512_loadu_si512(added.as_ptr().cast());
            _mm512_storeu_si512(row.as_mut_ptr().cast(), _mm512_xor_si512(leave(x), tweak));
        }
    }
}
