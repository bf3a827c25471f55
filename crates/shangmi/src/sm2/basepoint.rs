//! Multiples of the base point G from precomputed tables.
use core::hint::black_box;

use super::basepoint_table::{ODD_MULTIPLES, TABLE};
use super::field::Field;
use super::limbs;
use super::point::{Affine, Jacobian};
use super::recoding::OddDigits;
use super::scalar::Scalar;

#[cfg(test)]
mod tests;

/// Bits of a window.
pub(super) const WIDTH: usize = 7;
/// Windows that hold all of a scalar: exactly [`BITS`].
pub(super) const WINDOWS: usize = 37;
/// Bits of the recoded scalar.
pub(super) const BITS: usize = WIDTH * WINDOWS;
/// Odd multiples of 2^(7i)·G in row i: 1 to 127.
const ENTRIES: usize = 64;

/// Eight words of a row of points, each word of all points together: x, then y.
pub(super) type Row = [[u64; ENTRIES]; 8];

/// The multiples, 148 KiB. Vector code reads a cache line, or a register of it, at a time.
#[repr(align(64))]
pub(super) struct Table(pub(super) [Row; WINDOWS]);

/// Bits of the odd digits of the multiple of G in a verification: up to 2047.
pub(super) const ODD_WIDTH: usize = 11;

/// Window of its non-adjacent form, for the same digits.
pub(super) const NAF_WIDTH: usize = ODD_WIDTH + 1;

/// (2i + 1)·G, 64 KiB.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) type OddTable = [[[u64; 4]; 2]; 1 << (ODD_WIDTH - 1)];

/// k·G for k in [1, n-1]; constant-time: 36 mixed additions and no doubling.
///
/// The sum grows from the top window down, with odd digits. Before window i it is s·G with s a positive odd multiple
/// of 2^(7i+7), and what is added is d·2^(7i)·G with |d| <= 127, so that s = ±d·2^(7i) does not hold over the
/// integers. Modulo n it could only hold as s ± d·2^(7i) = n, since s < 2^256 + 2^252; n is odd, so that
/// leaves window 0. There s + d = k, which is not n; and s - d = n asks for d = 128 - n modulo 256, that is
/// d = 93, and k = s + d = n + 186, which is not below n. So no addition is exceptional.
pub(super) fn multiply(k: &Scalar) -> Jacobian {
    let digits = OddDigits::over(k, BITS);
    let mut acc = Jacobian::from(term(&digits, WINDOWS - 1));
    for i in (0..WINDOWS - 1).rev() {
        acc = acc.add_affine(&term(&digits, i));
    }
    acc.negate_if(digits.negate_mask())
}

/// The digit of window i times 2^(7i)·G.
#[inline(always)]
fn term(digits: &OddDigits, i: usize) -> Affine {
    let (index, negative) = digits.digit(WIDTH * i, WIDTH);
    scan(&TABLE.0[i], index).negate_if(negative)
}

/// The digit of window i times 2^(7i)·G, with the sign of the scalar. Variable-time: a plain look-up, for public digits.
pub(super) fn term_vartime(digits: &OddDigits, i: usize) -> Affine {
    let (index, negative) = digits.digit(WIDTH * i, WIDTH);
    let word = |words: &[u64; ENTRIES]| words[index as usize];
    let [x0, x1, x2, x3, y0, y1, y2, y3] = TABLE.0[i].each_ref().map(word);
    let point = Affine {
        x: Field([x0, x1, x2, x3]),
        y: Field([y0, y1, y2, y3]),
    };
    point.negate_if(negative ^ digits.negate_mask())
}

/// Entry number `index` of the row, reading all of it.
#[inline(always)]
fn scan(row: &Row, index: u64) -> Affine {
    let mut masks = [0; ENTRIES];
    for (j, mask) in (0..).zip(&mut masks) {
        *mask = limbs::zero_mask(index ^ j);
    }
    // A compiler that knows what a mask is may skip the entries whose mask is zero.
    let masks = black_box(&masks);
    let word = |words: &[u64; ENTRIES]| {
        let pairs = words.iter().zip(masks);
        pairs.fold(0, |out, (word, mask)| out | word & mask)
    };
    let [x0, x1, x2, x3, y0, y1, y2, y3] = row.each_ref().map(word);
    Affine {
        x: Field([x0, x1, x2, x3]),
        y: Field([y0, y1, y2, y3]),
    }
}

/// (2i + 1)·G for i < 1024; a plain look-up, for public digits.
pub(super) fn odd_multiple_vartime(i: usize) -> Affine {
    let [x, y] = ODD_MULTIPLES[i];
    Affine {
        x: Field(x),
        y: Field(y),
    }
}
