//! SM4 with GFNI on vectors of 128 bits: the key schedule, and up to four blocks with the least delay.
//!
//! A round waits for the one before, so its depth counts: after the inversion a rotation and two XORs. The
//! kernel carries the sum t of the S-box's input from round to round, not the newest word. With
//! pre = X_{i+2} + X_{i+3} + rk_{i+1}, which is ready early,
//!
//! ```text
//! t' = (X_i + pre + M_0) + (M_1 <<< 8) + (M_2 <<< 16) + (M_3 <<< 24)        X_{i+4} = t' + pre
//! ```
//!
//! and the first bracket is added up while the rotations run. It is assembly because LLVM would add up in another
//! order. No branch and no address depends on data.
#![expect(
    unsafe_code,
    reason = "a round in assembly; calls of functions that need processor features, each behind its token"
)]
use super::{
    Block,
    algebra::{CK_BYTES, FK_BYTES, INNER},
    gfni::{Direction, ENTER, Keys, LEAVE, ROUND, SCHEDULE, Transform},
    lanes::Lane,
};
use crate::cpu;
use core::arch::{asm, x86_64::*};

pub(super) mod one;

/// The most blocks that [`crypt`] takes.
pub(super) const BLOCKS: usize = 4;

/// The round keys of `key`.
#[inline]
pub(super) fn expand(_: cpu::GfniAvx2, key: &[u8; 16]) -> Keys {
    let mut keys = Keys {
        words: [0; 32],
        bytes: [0; 32],
    };
    // SAFETY: the token proves GFNI and AVX2.
    unsafe { expand_gfni(key, &mut keys) }
    keys
}

/// Puts up to four blocks through the rounds with `keys`; more are left alone.
pub(super) fn crypt(_: cpu::GfniAvx2, keys: &Keys, order: Direction, blocks: &mut [Block]) {
    // SAFETY: the token proves GFNI and AVX2.
    unsafe {
        match blocks {
            [] => {}
            [block] => one::avx2::crypt(keys, order, block),
            _ => crypt_few(keys, order, blocks),
        }
    }
}

/// Takes a chain through the first `count` blocks of its lane. The value stays in registers.
pub(super) fn encrypt_lane(
    _: cpu::GfniAvx2,
    keys: &Keys,
    value: &mut Block,
    lane: &mut impl Lane,
    count: usize,
) {
    // SAFETY: the token proves GFNI and AVX2.
    unsafe { one::avx2::encrypt_lane(keys, value, lane, count) }
}

/// Four words of up to four blocks.
type Words = [__m128i; 4];

/// The rounds' state: four words of up to four blocks, and the input of the next inversion.
struct State {
    words: Words,
    sum: __m128i,
}

impl State {
    #[inline]
    #[target_feature(enable = "avx2,gfni")]
    fn new(words: Words, key: u32) -> Self {
        let key = _mm_set1_epi32(key.cast_signed());
        let newest = _mm_xor_si128(words[3], key);
        let sum = _mm_xor_si128(_mm_xor_si128(words[1], words[2]), newest);
        Self { words, sum }
    }

    /// One round; `key` is that of the round after it. Returns the new word.
    #[inline]
    #[target_feature(enable = "avx2,gfni")]
    fn round<const CONSTANT: i32>(&mut self, transform: &Transform, key: u32) -> __m128i {
        let matrix = |a: usize| _mm_set1_epi64x(transform.matrices[a].cast_signed());
        let [x0, x1, x2, x3] = self.words;
        let key = _mm_set1_epi32(key.cast_signed());
        let pre = _mm_xor_si128(_mm_xor_si128(x2, key), x3);
        let early = _mm_xor_si128(x0, pre);
        // SAFETY: touches no memory; the features are enabled.
        unsafe {
            asm!(
                "vgf2p8affineinvqb {b}, {t}, {m1}, 0",
                "vgf2p8affineinvqb {c}, {t}, {m2}, 0",
                "vgf2p8affineinvqb {d}, {t}, {m3}, 0",
                "vgf2p8affineinvqb {t}, {t}, {m0}, {constant}",
                "vpshufb {b}, {b}, {r1}",
                "vpshufb {c}, {c}, {r2}",
                "vpshufb {d}, {d}, {r3}",
                "vpxor {t}, {t}, {early}",
                "vpxor {b}, {b}, {c}",
                "vpxor {t}, {t}, {d}",
                "vpxor {t}, {t}, {b}",
                t = inout(xmm_reg) self.sum,
                early = in(xmm_reg) early,
                m0 = in(xmm_reg) matrix(0),
                m1 = in(xmm_reg) matrix(1),
                m2 = in(xmm_reg) matrix(2),
                m3 = in(xmm_reg) matrix(3),
                r1 = in(xmm_reg) rotation(1),
                r2 = in(xmm_reg) rotation(2),
                r3 = in(xmm_reg) rotation(3),
                b = out(xmm_reg) _,
                c = out(xmm_reg) _,
                d = out(xmm_reg) _,
                constant = const CONSTANT,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        let new = _mm_xor_si128(self.sum, pre);
        self.words = [x1, x2, x3, new];
        new
    }

    /// All rounds; returns the words of the result.
    #[inline]
    #[target_feature(enable = "avx2,gfni")]
    fn encrypt(words: Words, keys: &Keys, order: Direction) -> Words {
        let mut state = Self::new(words, keys.words[order.index(0)]);
        for i in 1..32 {
            state.round::<{ ROUND.constant as i32 }>(&ROUND, keys.words[order.index(i)]);
        }
        state.round::<{ ROUND.constant as i32 }>(&ROUND, 0);
        let [x32, x33, x34, x35] = state.words;
        [x35, x34, x33, x32]
    }
}

/// For `vpshufb`: rotates words left by `bytes` bytes, the first byte in memory being the most
/// significant.
#[inline]
#[target_feature(enable = "avx2")]
fn rotation(bytes: usize) -> __m128i {
    let word = u32::from_le_bytes([0, 1, 2, 3]).rotate_right(8 * bytes as u32);
    let at = |i: u32| (word + 0x0404_0404 * i).cast_signed();
    _mm_setr_epi32(at(0), at(1), at(2), at(3))
}

/// Exchanges blocks and words: element i of vector j is element j of vector i.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose([a, b, c, d]: Words) -> Words {
    let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
    [
        _mm_unpacklo_epi64(ab, cd),
        _mm_unpackhi_epi64(ab, cd),
        _mm_unpacklo_epi64(ab_high, cd_high),
        _mm_unpackhi_epi64(ab_high, cd_high),
    ]
}

/// The words of one block, each in all elements.
#[inline]
#[target_feature(enable = "avx2")]
fn split(x: __m128i) -> Words {
    [
        _mm_shuffle_epi32::<0b00_00_00_00>(x),
        _mm_shuffle_epi32::<0b01_01_01_01>(x),
        _mm_shuffle_epi32::<0b10_10_10_10>(x),
        _mm_shuffle_epi32::<0b11_11_11_11>(x),
    ]
}

/// The opposite.
#[inline]
#[target_feature(enable = "avx2")]
fn join([a, b, c, d]: Words) -> __m128i {
    let (ab, cd) = (
        _mm_blend_epi32::<0b0010>(a, b),
        _mm_blend_epi32::<0b1000>(c, d),
    );
    _mm_blend_epi32::<0b1100>(ab, cd)
}

/// A block, its words in the rounds' basis.
#[inline]
#[target_feature(enable = "avx2,gfni")]
fn load(block: &Block) -> __m128i {
    // SAFETY: a block has the 16 bytes; no alignment is needed.
    let x = unsafe { _mm_loadu_si128(block.as_ptr().cast()) };
    enter(x)
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn enter(x: __m128i) -> __m128i {
    _mm_gf2p8affine_epi64_epi8::<0>(x, _mm_set1_epi64x(ENTER.cast_signed()))
}

#[inline]
#[target_feature(enable = "avx2,gfni")]
fn store(block: &mut Block, y: __m128i) {
    let x = _mm_gf2p8affine_epi64_epi8::<0>(y, _mm_set1_epi64x(LEAVE.cast_signed()));
    // SAFETY: a block has the 16 bytes; no alignment is needed.
    unsafe { _mm_storeu_si128(block.as_mut_ptr().cast(), x) }
}

#[target_feature(enable = "avx2,gfni")]
fn crypt_few(keys: &Keys, order: Direction, blocks: &mut [Block]) {
    let mut words = [_mm_setzero_si128(); BLOCKS];
    for (word, block) in words.iter_mut().zip(&*blocks) {
        *word = load(block);
    }
    let words = transpose(State::encrypt(transpose(words), keys, order));
    for (word, block) in words.into_iter().zip(blocks) {
        store(block, word);
    }
}

#[target_feature(enable = "avx2,gfni")]
fn expand_gfni(key: &[u8; 16], keys: &mut Keys) {
    let fk = FK_BYTES.map(u32::cast_signed);
    // SAFETY: the key has the 16 bytes; no alignment is needed.
    let key = unsafe { _mm_loadu_si128(key.as_ptr().cast()) };
    let key = _mm_xor_si128(enter(key), _mm_setr_epi32(fk[0], fk[1], fk[2], fk[3]));
    let mut state = State::new(split(key), CK_BYTES[0]);
    let inner = _mm_set1_epi8(INNER.cast_signed());
    let spread = _mm_setr_epi32(0, 0x0101_0101, 0x0202_0202, 0x0303_0303);
    for i in 0..32 {
        let next = if i < 31 { CK_BYTES[i + 1] } else { 0 };
        let new = state.round::<{ SCHEDULE.constant as i32 }>(&SCHEDULE, next);
        let key = _mm_xor_si128(new, inner);
        keys.words[i] = _mm_cvtsi128_si32(key).cast_unsigned();
        let bytes = _mm_shuffle_epi8(key, spread);
        // SAFETY: the element has the 16 bytes; no alignment is needed.
        unsafe { _mm_storeu_si128((&raw mut keys.bytes[i]).cast(), bytes) }
    }
}
