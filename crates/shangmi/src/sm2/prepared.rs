//! s·G + t·P with a table of multiples of P, for keys that verify often.
//!
//! t is cut into odd digits of five bits, like a secret scalar. The table has a row for every fourth window, so that t·P takes
//! 15 doublings and an addition for each window, and s·G the 37 additions of the table of G. 52 windows hold a scalar: 13 rows.
//! In vectors (`sm2/many/one.rs`) one verification adds eight rows at a time, and takes 16 rows to fill the lanes. Variable-time:
//! for public points and scalars only.
use super::basepoint;
use super::mul::{double_times, odd_multiples};
use super::point::{Affine, Jacobian};
use super::recoding::OddDigits;
use super::scalar::Scalar;

pub(super) mod sums;
#[cfg(test)]
mod tests;

/// Bits of a window.
pub(super) const WIDTH: usize = 5;
/// Windows from row to row.
pub(super) const SPACING: usize = 4;
/// Two for each lane.
pub(super) const ROWS: usize = 16;
/// Bits of the scalar recoded for all rows, the most that there can be.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) const BITS: usize = WIDTH * SPACING * ROWS;
/// The lowest rows, which are enough for a scalar.
pub(super) const LOW_ROWS: usize = 257usize.div_ceil(WIDTH * SPACING);
/// Bits of the scalar recoded for those.
pub(super) const LOW_BITS: usize = WIDTH * SPACING * LOW_ROWS;
/// Odd multiples in a row: 1 to 31.
pub(super) const ENTRIES: usize = 16;

/// A row; vectors look a word up with one permutation.
pub(super) type Row = basepoint::Words<ENTRIES>;

/// 2^(20·i)·(2j + 1)·P in row i, entry j: 16 KiB.
#[derive(Clone, Debug)]
#[repr(align(64))]
pub(super) struct KeyTable(pub(super) [Row; ROWS]);

impl KeyTable {
    /// The table's lowest `rows`, of which [`double_multiply_vartime`](Self::double_multiply_vartime) needs [`LOW_ROWS`].
    pub(super) fn new(point: &Affine, rows: usize) -> Self {
        let mut table = Self([[[0; ENTRIES]; 8]; ROWS]);
        let mut base = Jacobian::from(*point);
        for row in &mut table.0[..rows] {
            let entries: [_; ENTRIES] = Jacobian::to_affine_array(odd_multiples(&base))
                .expect("small multiples of a point of prime order n are not infinity");
            write_row(row, &entries);
            base = double_times(&base, WIDTH * SPACING);
        }
        table
    }

    /// P.
    pub(super) fn point(&self) -> Affine {
        self.entry(0, 0)
    }

    fn entry(&self, row: usize, index: usize) -> Affine {
        basepoint::point(&self.0[row], |words| words[index])
    }

    /// In a round, the digit for a row times the row's first entry, with the sign of the scalar. Variable-time.
    #[inline]
    pub(super) fn term_vartime(&self, t: &OddDigits, row: usize, round: usize) -> Affine {
        let (index, negative) = t.digit(window_start(row, round), WIDTH);
        self.entry(row, index as usize)
            .negate_if(negative ^ t.negate_mask())
    }

    /// s·G + t·P for s and t in [1, n-1]. Variable-time: for verification only.
    pub(super) fn double_multiply_vartime(&self, s: &Scalar, t: &Scalar) -> Jacobian {
        let t = OddDigits::over(t, LOW_BITS);
        let mut acc = Jacobian::INFINITY;
        for round in (0..SPACING).rev() {
            acc = double_times(&acc, WIDTH);
            for row in 0..LOW_ROWS {
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

/// The lowest bit of the window that a row takes in a round.
pub(super) const fn window_start(row: usize, round: usize) -> usize {
    WIDTH * (SPACING * row + round)
}

/// Takes the points apart into words.
pub(super) fn write_row(row: &mut Row, points: &[Affine; ENTRIES]) {
    for (j, Affine { x, y }) in points.iter().enumerate() {
        for (words, word) in row.iter_mut().zip(x.0.iter().chain(&y.0)) {
            words[j] = *word;
        }
    }
}
