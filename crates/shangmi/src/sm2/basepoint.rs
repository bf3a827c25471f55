//! Multiples of the base point G from precomputed tables.
use core::hint::black_box;

use super::basepoint_table::{NARROW, ODD_MULTIPLES, TABLE};
use super::field::Field;
use super::limbs;
use super::point::{Affine, Jacobian};
use super::recoding::OddDigits;
use super::scalar::Scalar;

#[cfg(test)]
mod tests;

/// Bits of a window where many scalars, or a public one, are multiplied.
pub(super) const WIDTH: usize = 7;
/// Windows that hold all of a scalar: exactly [`BITS`].
pub(super) const WINDOWS: usize = 37;
/// Bits of the recoded scalar.
pub(super) const BITS: usize = WIDTH * WINDOWS;
/// Odd multiples of 2^(7i)·G in row i: 1 to 127.
const ENTRIES: usize = 1 << (WIDTH - 1);

/// The same for one secret scalar, for which all of a table is read: that takes as long as the additions, and six more of these pay
/// for half the reading.
pub(super) const NARROW_WIDTH: usize = 6;
pub(super) const NARROW_WINDOWS: usize = 43;
pub(super) const NARROW_BITS: usize = NARROW_WIDTH * NARROW_WINDOWS;
const NARROW_ENTRIES: usize = 1 << (NARROW_WIDTH - 1);

/// Eight words of a row of points, each word of all points together: x, then y.
pub(super) type Words<const ENTRIES: usize> = [[u64; ENTRIES]; 8];

/// The multiples for each window, 148 KiB or 86. Vector code reads a cache line, or a register of it, at a time.
#[repr(align(64))]
pub(super) struct Table<const ENTRIES: usize, const WINDOWS: usize>(
    pub(super) [Words<ENTRIES>; WINDOWS],
);

pub(super) type Row = Words<ENTRIES>;
pub(super) type NarrowRow = Words<NARROW_ENTRIES>;

/// Bits of the odd digits of the multiple of G in a verification: up to 2047.
pub(super) const ODD_WIDTH: usize = 11;

/// Window of its non-adjacent form, for the same digits.
pub(super) const NAF_WIDTH: usize = ODD_WIDTH + 1;

/// (2i + 1)·G, 64 KiB.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) type OddTable = [[[u64; 4]; 2]; 1 << (ODD_WIDTH - 1)];

/// k·G for k in [1, n-1]; constant-time: 42 mixed additions and no doubling.
///
/// The sum grows from the top window down, with odd digits. Before window i it is s·G with s a positive odd multiple
/// of 2^(6i+6), and what is added is d·2^(6i)·G with |d| <= 63, so that s = ±d·2^(6i) does not hold over the
/// integers. Modulo n it could only hold as s ± d·2^(6i) = n, since s < 2^256 + 2^252; n is odd, so that
/// leaves window 0. There s + d = k, which is not n; and s - d = n asks for d = 64 - n modulo 128, that is
/// d = 29, and k = s + d = n + 58, which is not below n. So no addition is exceptional.
pub(super) fn multiply(k: &Scalar) -> Jacobian {
    let digits = OddDigits::over(k, NARROW_BITS);
    let mut acc = Jacobian::from(term(&digits, NARROW_WINDOWS - 1));
    for i in (0..NARROW_WINDOWS - 1).rev() {
        acc = acc.add_affine(&term(&digits, i));
    }
    acc.negate_if(digits.negate_mask())
}

/// The digit of window i times 2^(6i)·G.
#[inline(always)]
fn term(digits: &OddDigits, i: usize) -> Affine {
    let (index, negative) = digits.digit(NARROW_WIDTH * i, NARROW_WIDTH);
    scan(&NARROW.0[i], index).negate_if(negative)
}

/// The digit of window i times 2^(7i)·G, with the sign of the scalar. Variable-time: a plain look-up, for public digits.
pub(super) fn term_vartime(digits: &OddDigits, i: usize) -> Affine {
    let (index, negative) = digits.digit(WIDTH * i, WIDTH);
    let row: &Row = &TABLE.0[i];
    point(row, |words| words[index as usize]).negate_if(negative ^ digits.negate_mask())
}

/// Entry number `index` of the row, reading all of it.
#[inline(always)]
fn scan(row: &NarrowRow, index: u64) -> Affine {
    let mut masks = [0; NARROW_ENTRIES];
    for (j, mask) in (0..).zip(&mut masks) {
        *mask = limbs::zero_mask(index ^ j);
    }
    // A compiler that knows what a mask is may skip the entries whose mask is zero.
    let masks = black_box(&masks);
    point(row, |words| {
        let pairs = words.iter().zip(masks);
        pairs.fold(0, |out, (word, mask)| out | word & mask)
    })
}

/// The point of a row with the words that `choose` takes.
#[inline(always)]
pub(super) fn point<const ENTRIES: usize>(
    row: &Words<ENTRIES>,
    choose: impl Fn(&[u64; ENTRIES]) -> u64,
) -> Affine {
    let [x0, x1, x2, x3, y0, y1, y2, y3] = row.each_ref().map(choose);
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
