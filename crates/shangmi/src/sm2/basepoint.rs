//! Multiples of the base point G from precomputed tables.
use super::basepoint_table::{ODD_MULTIPLES, TABLE};
use super::field::Field;
use super::limbs::{self, Limbs};
use super::mul::booth_digit;
use super::point::{Affine, Jacobian};
use super::scalar::Scalar;

#[cfg(test)]
mod tests;

/// Bits of a window: row i of the table holds j·2^(7i)·G for j = 1..=64.
const WIDTH: usize = 7;

/// Window of the non-adjacent form of the multiple of G in a verification: digits up to 255.
pub(super) const NAF_WIDTH: usize = 9;

/// k·G for k in [1, n-1]; constant-time: 37 mixed additions and no doubling.
///
/// The sum grows from the lowest window up. Before window i it is s·G with |s| <= 2^(7i-1), and
/// what is added is d·2^(7i)·G with |d| >= 1 (d = 0 is selected away, and so is the first addition
/// to infinity), so that neither s = d·2^(7i) nor s = -d·2^(7i) holds over the integers. Modulo n
/// they could only differ from that in the top window, where d >= 0 and s + d·2^252 = k: then
/// s = d·2^252 - n would give k = n + 2s, and |s| <= 2^251 leaves no such k with d·2^252 <= 2^256
/// below n; s = -d·2^252 + n would give k = n. Neither is in [1, n-1].
pub(super) fn multiply(k: &Scalar) -> Jacobian {
    let mut acc = Jacobian::INFINITY;
    for (i, row) in TABLE.iter().enumerate() {
        let (magnitude, negative) = booth_digit(k.limbs(), WIDTH, i);
        let term = scan(row, magnitude).negate_if(negative);
        let sum = acc.add_affine(&term);
        let sum = sum.select(&term.into(), acc.z.is_zero_mask());
        acc = sum.select(&acc, limbs::zero_mask(magnitude));
    }
    acc
}

/// Entry number `index` (from 1) of the row, reading all of it; zeros for index 0.
#[inline(always)]
fn scan(row: &[[Limbs; 2]; 64], index: u64) -> Affine {
    let mut x = [0; 4];
    let mut y = [0; 4];
    for (j, [entry_x, entry_y]) in (1..).zip(row) {
        let mask = limbs::zero_mask(index ^ j);
        for (out, word) in x.iter_mut().zip(entry_x).chain(y.iter_mut().zip(entry_y)) {
            *out |= word & mask;
        }
    }
    Affine {
        x: Field(x),
        y: Field(y),
    }
}

/// (2i + 1)·G for i < 128; a plain look-up, for public digits.
pub(super) fn odd_multiple_vartime(i: usize) -> Affine {
    let [x, y] = ODD_MULTIPLES[i];
    Affine {
        x: Field(x),
        y: Field(y),
    }
}
