//! One register of AVX-512: the instructions that the field needs, as safe functions behind the token.
//!
//! Inlined into the functions that enable the features, like all that is built on it.
#![expect(
    unsafe_code,
    reason = "vector instructions behind the token that they need, loads and stores"
)]
use core::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_and_si512, _mm512_cmpeq_epi64_mask, _mm512_cmplt_epi64_mask,
    _mm512_i64gather_epi64, _mm512_loadu_epi64, _mm512_madd52hi_epu64, _mm512_madd52lo_epu64,
    _mm512_mask_add_epi64, _mm512_mask_blend_epi64, _mm512_mask_sub_epi64, _mm512_or_si512,
    _mm512_permutex2var_epi64, _mm512_permutexvar_epi64, _mm512_set1_epi64, _mm512_slli_epi64,
    _mm512_sllv_epi64, _mm512_srai_epi64, _mm512_srli_epi64, _mm512_srlv_epi64,
    _mm512_storeu_epi64, _mm512_sub_epi64, _mm512_test_epi64_mask, _mm512_xor_si512,
};

use crate::cpu;

/// Elements side by side.
pub(in crate::sm2) const LANES: usize = 8;

/// A set of lanes, one bit each.
pub(in crate::sm2) type Mask = u8;

/// 64-bit words of eight elements. That there is one proves the processor's features.
#[derive(Clone, Copy)]
pub(in crate::sm2) struct Vector(__m512i, cpu::Ifma);

impl Vector {
    /// The proof that it carries.
    #[inline(always)]
    pub(super) fn token(self) -> cpu::Ifma {
        self.1
    }

    #[inline(always)]
    pub(in crate::sm2) fn splat(token: cpu::Ifma, x: u64) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_set1_epi64(x.cast_signed()) }, token)
    }

    #[inline(always)]
    pub(in crate::sm2) fn load(token: cpu::Ifma, words: &[u64; LANES]) -> Self {
        // SAFETY: 64 bytes are read from an array of as many; the token proves AVX-512F.
        Self(unsafe { _mm512_loadu_epi64(words.as_ptr().cast()) }, token)
    }

    /// The same as [`load`](Self::load), with the proof that this vector carries.
    #[inline(always)]
    pub(in crate::sm2) fn load_too(self, words: &[u64; LANES]) -> Self {
        Self::load(self.1, words)
    }

    #[inline(always)]
    pub(in crate::sm2) fn store(self) -> [u64; LANES] {
        let mut words = [0; LANES];
        // SAFETY: 64 bytes are written to an array of as many; the token proves AVX-512F.
        unsafe { _mm512_storeu_epi64(words.as_mut_ptr().cast(), self.0) };
        words
    }

    /// x in all lanes.
    #[inline(always)]
    pub(in crate::sm2) fn same(self, x: u64) -> Self {
        Self::splat(self.1, x)
    }

    #[inline(always)]
    pub(in crate::sm2) fn add(self, other: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_add_epi64(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    pub(in crate::sm2) fn sub(self, other: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_sub_epi64(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    pub(in crate::sm2) fn and(self, other: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_and_si512(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    pub(in crate::sm2) fn or(self, other: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_or_si512(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    pub(super) fn not(self) -> Self {
        self.xor(self.same(u64::MAX))
    }

    #[inline(always)]
    pub(in crate::sm2) fn xor(self, other: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_xor_si512(self.0, other.0) }, self.1)
    }

    #[inline(always)]
    pub(in crate::sm2) fn left<const N: u32>(self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_slli_epi64::<N>(self.0) }, self.1)
    }

    #[inline(always)]
    pub(in crate::sm2) fn right<const N: u32>(self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_srli_epi64::<N>(self.0) }, self.1)
    }

    /// In every lane a left shift by the number in `count`; 0 for a count of 64.
    #[inline(always)]
    pub(super) fn left_by(self, count: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_sllv_epi64(self.0, count.0) }, self.1)
    }

    /// self + other in the lanes of `mask`, self in the others.
    #[inline(always)]
    pub(super) fn add_where(self, mask: Mask, other: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        let sum = unsafe { _mm512_mask_add_epi64(self.0, mask, self.0, other.0) };
        Self(sum, self.1)
    }

    /// other - self in the lanes of `mask`, self in the others.
    #[inline(always)]
    pub(super) fn subtracted_where(self, mask: Mask, other: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        let difference = unsafe { _mm512_mask_sub_epi64(self.0, mask, other.0, self.0) };
        Self(difference, self.1)
    }

    /// In every lane what the lane of that number in `order` has.
    #[inline(always)]
    pub(super) fn permuted(self, order: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_permutexvar_epi64(order.0, self.0) }, self.1)
    }

    /// In every lane what the lane of that number in `order` has, from 8 on in `other`.
    #[inline(always)]
    pub(super) fn permuted_with(self, other: Self, order: Self) -> Self {
        // SAFETY: the token proves AVX-512F.
        let chosen = unsafe { _mm512_permutex2var_epi64(self.0, order.0, other.0) };
        Self(chosen, self.1)
    }

    /// The bits from `start` on of a long integer whose words are `self` and `next`; start is at most 63.
    #[inline(always)]
    pub(in crate::sm2) fn window(self, next: Self, start: u64) -> Self {
        let (right, left) = (self.same(start), self.same(64 - start));
        // SAFETY: the token proves AVX-512F. A shift by 64 gives zero.
        let (low, high) = unsafe {
            (
                _mm512_srlv_epi64(self.0, right.0),
                _mm512_sllv_epi64(next.0, left.0),
            )
        };
        Self(low, self.1).or(Self(high, self.1))
    }

    /// A right shift that keeps the sign.
    #[inline(always)]
    pub(super) fn right_signed<const N: u32>(self) -> Self {
        // SAFETY: the token proves AVX-512F.
        Self(unsafe { _mm512_srai_epi64::<N>(self.0) }, self.1)
    }

    /// self + the low 52 bits of a·b, where only the low 52 bits of a and b count.
    #[inline(always)]
    pub(super) fn add_low(self, a: Self, b: Self) -> Self {
        // SAFETY: the token proves AVX-512 IFMA.
        let sum = unsafe { _mm512_madd52lo_epu64(self.0, a.0, b.0) };
        Self(sum, self.1)
    }

    /// self + the bits of a·b from 52 on, where only the low 52 bits of a and b count.
    #[inline(always)]
    pub(super) fn add_high(self, a: Self, b: Self) -> Self {
        // SAFETY: the token proves AVX-512 IFMA.
        let sum = unsafe { _mm512_madd52hi_epu64(self.0, a.0, b.0) };
        Self(sum, self.1)
    }

    /// `other` in the lanes of `mask`, `self` in the others.
    #[inline(always)]
    pub(in crate::sm2) fn select(self, other: Self, mask: Mask) -> Self {
        // SAFETY: the token proves AVX-512F.
        let chosen = unsafe { _mm512_mask_blend_epi64(mask, self.0, other.0) };
        Self(chosen, self.1)
    }

    /// The lanes where both are equal.
    #[inline(always)]
    pub(in crate::sm2) fn equal(self, other: Self) -> Mask {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_cmpeq_epi64_mask(self.0, other.0) }
    }

    /// The lanes that are negative.
    #[inline(always)]
    pub(in crate::sm2) fn negative(self) -> Mask {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_cmplt_epi64_mask(self.0, self.same(0).0) }
    }

    /// The lanes that have one of the `bits`.
    #[inline(always)]
    pub(in crate::sm2) fn has(self, bits: u64) -> Mask {
        // SAFETY: the token proves AVX-512F.
        unsafe { _mm512_test_epi64_mask(self.0, self.same(bits).0) }
    }

    /// table\[self mod N\] in every lane, for 16, 32 or 64 words. All of the table is read, and selected from in registers.
    #[inline(always)]
    pub(in crate::sm2) fn look_up<const N: usize>(self, table: &[u64; N]) -> Self {
        const { assert!(N == 16 || N == 32 || N == 64) };
        let (rows, _) = table.as_chunks::<LANES>();
        let row = |i: usize| Self::load(self.1, &rows[i]);
        let sixteen = |i: usize| row(2 * i).permuted_with(row(2 * i + 1), self);
        if N == 16 {
            return sixteen(0);
        }
        let (bit4, bit5) = (self.has(16), self.has(32));
        let low = sixteen(0).select(sixteen(1), bit4);
        if N == 32 {
            return low;
        }
        let high = sixteen(2).select(sixteen(3), bit4);
        low.select(high, bit5)
    }

    /// table\[self mod 16\] in every lane, each from its own column. Variable-time: what is read depends on self.
    #[inline(always)]
    pub(in crate::sm2) fn gather_vartime(self, table: &[[u64; LANES]; 16]) -> Self {
        let lanes = Self::load(self.1, &[0, 1, 2, 3, 4, 5, 6, 7]);
        let places = self.and(self.same(15)).left::<3>().or(lanes);
        // SAFETY: the places are below 16·8, the words of the table; the token proves AVX-512F.
        let words = unsafe { _mm512_i64gather_epi64::<8>(places.0, table.as_ptr().cast()) };
        Self(words, self.1)
    }

    /// Word `word` of table\[self mod M\] in every lane. Variable-time: what is read depends on self.
    #[inline(always)]
    pub(in crate::sm2) fn gather_word_vartime<const M: usize>(
        self,
        table: &[[[u64; 4]; 2]; M],
        word: usize,
    ) -> Self {
        const { assert!(M.is_power_of_two()) };
        let entry = self.and(self.same(M as u64 - 1));
        let places = entry.left::<3>().or(self.same(word as u64 % 8));
        // SAFETY: the places are below 8·M, the words of the table; the token proves AVX-512F.
        let words = unsafe { _mm512_i64gather_epi64::<8>(places.0, table.as_ptr().cast()) };
        Self(words, self.1)
    }
}
