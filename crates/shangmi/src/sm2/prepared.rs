//! s·G + t·P with a table of multiples of P, for keys that verify often.
//!
//! t is cut into odd digits of five bits, like a secret scalar, over 320 bits. The table has a row for every fourth of the
//! 64 windows, so that t·P takes 15 doublings and 64 additions, and s·G the 37 additions of the table of G. Variable-time:
//! for public points and scalars only. In vectors (`sm2/many/one.rs`), eight rows are added at a time.
use super::basepoint;
use super::mul::{double_times, odd_multiples};
use super::point::{Affine, Jacobian};
use super::recoding::OddDigits;
use super::scalar::Scalar;

#[cfg(test)]
mod tests;

/// Bits of a window.
pub(super) const WIDTH: usize = 5;
/// Windows from row to row.
pub(super) const SPACING: usize = 4;
/// Two for each lane.
pub(super) const ROWS: usize = 16;
/// Bits of the recoded scalar, the most that there can be. (52 windows would do, but not fill the lanes.)
pub(super) const BITS: usize = WIDTH * SPACING * ROWS;
/// Odd multiples in a row: 1 to 31.
pub(super) const ENTRIES: usize = 16;

/// 2^(20·i)·(2j + 1)·P in row i, entry j: 16 KiB.
#[derive(Clone, Debug)]
#[cfg_attr(test, derive(PartialEq))]
pub(super) struct KeyTable(pub(super) [[Affine; ENTRIES]; ROWS]);

impl KeyTable {
    pub(super) fn new(point: &Affine) -> Self {
        let mut rows = [[*point; ENTRIES]; ROWS];
        let mut base = Jacobian::from(*point);
        for row in &mut rows {
            *row = Jacobian::to_affine_array(odd_multiples(&base))
                .expect("small multiples of a point of prime order n are not infinity");
            base = double_times(&base, WIDTH * SPACING);
        }
        Self(rows)
    }

    /// In a round, the digit for a row times the row's first entry, with the sign of the scalar. Variable-time.
    #[inline]
    pub(super) fn term_vartime(&self, t: &OddDigits, row: usize, round: usize) -> Affine {
        let (index, negative) = t.digit(WIDTH * (SPACING * row + round), WIDTH);
        self.0[row][index as usize].negate_if(negative ^ t.negate_mask())
    }

    /// s·G + t·P for s and t in [1, n-1]. Variable-time: for verification only.
    pub(super) fn double_multiply_vartime(&self, s: &Scalar, t: &Scalar) -> Jacobian {
        let t = OddDigits::over(t, BITS);
        let mut acc = Jacobian::INFINITY;
        for round in (0..SPACING).rev() {
            acc = double_times(&acc, WIDTH);
            for row in 0..ROWS {
                acc = acc.add_affine_vartime(&self.term_vartime(&t, row, round));
            }
        }
        let s = OddDigits::over(s, basepoint::BITS);
        for i in 0..basepoint::WINDOWS {
            acc = acc.add_affine_vartime(&basepoint::term_vartime(&s, i));
        }
        acc
    }
}
