//! A scalar as odd digits: no digit is zero, so that no addition has to be selected away.
//!
//! For odd k below 2^256, let c = (k - 1)/2 + 2^258. With all 259 bits b_j of c, the sum of (2·b_j - 1)·2^j is
//! 2·c - (2^259 - 1) = k; the same holds for any other number of bits above 256. So a window of w bits of c with the
//! value u is the digit 2·u - (2^w - 1), an odd number from -(2^w - 1) to 2^w - 1. The last digit of all is positive. For even k, -k = n - k is odd.
use super::limbs::{self, Limbs};
use super::scalar::{N, Scalar};
use zeroize::{Zeroize, ZeroizeOnDrop};

#[cfg(test)]
mod tests;

/// A scalar ready to be cut into digits; wiped on drop.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(super) struct OddDigits {
    c: [u64; 5],
    negate: u64,
}

impl OddDigits {
    /// For k in [1, n-1] and c of `bits` bits, 257 to 320; constant-time in k.
    pub(super) fn over(k: &Scalar, bits: usize) -> Self {
        let k = k.limbs();
        let negate = limbs::opaque((k[0] & 1).wrapping_sub(1));
        let odd = limbs::select(k, &limbs::sub(&N, k).0, negate);
        let [a, b, c, d]: Limbs = odd;
        Self {
            c: [
                a >> 1 | b << 63,
                b >> 1 | c << 63,
                c >> 1 | d << 63,
                d >> 1,
                1 << (bits - 1 - 256),
            ],
            negate,
        }
    }

    /// The digit of the `width` bits from bit `start` on, both public: (|digit| - 1)/2, and all ones when it is
    /// negative.
    #[inline(always)]
    pub(super) fn digit(&self, start: usize, width: usize) -> (u64, u64) {
        let (word, shift) = (start / 64, start % 64);
        let next = self
            .c
            .get(word + 1)
            .map_or(0, |next| next << 1 << (63 - shift));
        let bits = self.c[word] >> shift | next;
        let negative = limbs::opaque((bits >> (width - 1) & 1).wrapping_sub(1));
        ((bits ^ negative) & ((1 << (width - 1)) - 1), negative)
    }

    /// All ones when the digits are those of -k.
    pub(super) const fn negate_mask(&self) -> u64 {
        self.negate
    }

    /// The words of c, for code that cuts digits itself.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    pub(super) const fn words(&self) -> &[u64; 5] {
        &self.c
    }
}
