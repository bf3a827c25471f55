//! The digits of eight scalars, in lanes.
use super::super::field::x86_64_ifma::{LANES, Mask, Vector};
use super::super::recoding::OddDigits;
use super::super::scalar::Scalar;
use crate::cpu;
use core::hint::black_box;
use zeroize::Zeroizing;

/// The digits of eight scalars: of every word, all lanes. Wiped on drop.
pub(super) struct Digits {
    words: [Vector; 5],
    negate: Mask,
}

impl Digits {
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn over(token: cpu::Ifma, scalars: [&Scalar; LANES], bits: usize) -> Self {
        let mut words = Zeroizing::new([[0; LANES]; 5]);
        let mut negate = 0;
        for (lane, k) in scalars.into_iter().enumerate() {
            let digits = OddDigits::over(k, bits);
            for (row, word) in words.iter_mut().zip(digits.words()) {
                row[lane] = *word;
            }
            negate |= (digits.negate_mask() as Mask & 1) << lane;
        }
        let [a, b, c, d, e] = &*words;
        let words = [
            Vector::load(token, a),
            Vector::load(token, b),
            Vector::load(token, c),
            Vector::load(token, d),
            Vector::load(token, e),
        ];
        Self { words, negate }
    }

    /// The digits of a window, as [`OddDigits::digit`] gives them.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn digit(&self, start: usize, width: usize) -> (Vector, Mask) {
        let (word, shift) = (start / 64, start as u64 % 64);
        let low = self.words[word];
        let next = if word < 4 {
            self.words[word + 1]
        } else {
            low.same(0)
        };
        let bits = low.window(next, shift);
        let top = 1 << (width - 1);
        let negative = !bits.has(top);
        let ones = bits.same(top - 1);
        let bits = bits.and(ones);
        (bits.select(bits.xor(ones), negative), negative)
    }

    /// The same with the sign of the scalar.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn signed(&self, start: usize, width: usize) -> (Vector, Mask) {
        let (index, negative) = self.digit(start, width);
        (index, negative ^ self.negate)
    }
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.words = [self.words[0].same(0); 5];
        // So that the zeros are written.
        black_box(&mut self.words);
    }
}
