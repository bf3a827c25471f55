//! Multiples of a point: constant-time, and variable-time for verification.
use super::basepoint;
use super::limbs::{self, Limbs};
use super::point::{Affine, Jacobian};
use super::recoding::OddDigits;
use super::scalar::Scalar;

#[cfg(test)]
pub(super) mod tests;

/// Bits of a window of the constant-time multiplication, and of the lowest one.
pub(super) const WIDTH: usize = 5;
pub(super) const LOWEST: usize = 4;
/// Bits of the recoded scalar.
pub(super) const BITS: usize = 259;
/// Windows above the lowest one.
pub(super) const WINDOWS: usize = (BITS - LOWEST) / WIDTH;
/// 1·P, 3·P, ..., 31·P.
pub(super) const MULTIPLES: usize = 1 << (WIDTH - 1);

/// At least 58 bits of k from bit `start` on; the position is public.
#[inline(always)]
fn bits_from(k: &Limbs, start: usize) -> u64 {
    let (word, shift) = (start / 64, start % 64);
    let low = k[word] >> shift;
    if shift == 0 || word == 3 {
        low
    } else {
        low | k[word + 1] << (64 - shift)
    }
}

/// k·P for k in [1, n-1], and infinity for 0; constant-time: 255 doublings and 51 additions.
///
/// Q = 32·Q + d·P from the top window down, with odd digits. With Q = q·P, q is odd and positive, so that
/// |32q| >= 32 > 31 >= |d|: 32q = ±d does not hold over the integers. Modulo n it could only hold as 32q ± d = n,
/// which is out of reach before the lowest window. That one has four bits: 16q + d = k is not n, and
/// 16q - d = n asks for d = 16 - n modulo 32, that is d = 13, and k = 16q + d = n + 26, which is not below n. (With
/// five bits, d = -3 and k = n - 6 would be an exception.) So no addition is exceptional. (0 is taken as n,
/// and the last addition as that of opposite points.)
pub(super) fn multiply(k: &Scalar, point: &Affine) -> Jacobian {
    let table = odd_multiples(&(*point).into());
    let digits = OddDigits::over(k, BITS);
    let start = |i: usize| LOWEST + WIDTH * i;
    let mut acc = digit_times(&table, digits.digit(start(WINDOWS - 1), WIDTH));
    for i in (0..WINDOWS - 1).rev() {
        acc = double_times(&acc, WIDTH);
        acc = acc.add(&digit_times(&table, digits.digit(start(i), WIDTH)));
    }
    acc = double_times(&acc, LOWEST);
    acc = acc.add(&digit_times(&table, digits.digit(0, LOWEST)));
    acc.negate_if(digits.negate_mask())
}

/// 2^n·P.
pub(super) fn double_times(point: &Jacobian, n: usize) -> Jacobian {
    let mut out = *point;
    for _ in 0..n {
        out = out.double();
    }
    out
}

/// 1·P, 3·P, 5·P, ...: sums of unequal multiples, so no addition is exceptional.
pub(super) fn odd_multiples<const M: usize>(point: &Jacobian) -> [Jacobian; M] {
    let double = point.double();
    let mut out = [*point; M];
    for i in 1..M {
        out[i] = out[i - 1].add(&double);
    }
    out
}

/// The digit times P, given as [`OddDigits::digit`] does: every entry of the table is read.
fn digit_times(table: &[Jacobian; MULTIPLES], (index, negative): (u64, u64)) -> Jacobian {
    let mut out = table[0];
    for (j, entry) in (0..).zip(table) {
        out = out.select(entry, limbs::opaque(limbs::zero_mask(index ^ j)));
    }
    out.negate_if(negative)
}

/// Odd multiples P, 3P, ..., 15P of a public point, affine.
#[derive(Clone, Debug)]
pub(super) struct OddMultiples([Affine; 8]);

/// Window of the non-adjacent form for an arbitrary point: digits up to 15.
const NAF_WIDTH: usize = 5;
/// Longest non-adjacent form of a scalar: one digit more than its bits.
const NAF_LEN: usize = 257;

impl OddMultiples {
    pub(super) fn new(point: &Affine) -> Self {
        let affine = Jacobian::to_affine_array(odd_multiples(&(*point).into()))
            .expect("small multiples of a point of prime order n are not infinity");
        Self(affine)
    }

    /// t·P. Variable-time: for public scalars only.
    pub(super) fn multiply_vartime(&self, t: &Scalar) -> Jacobian {
        self.double_multiply_vartime(&Scalar::ZERO, t)
    }

    /// s·G + t·P by interleaving two non-adjacent forms. Variable-time: for verification only.
    pub(super) fn double_multiply_vartime(&self, s: &Scalar, t: &Scalar) -> Jacobian {
        let s_naf = wnaf_vartime(s, basepoint::NAF_WIDTH);
        let t_naf = wnaf_vartime(t, NAF_WIDTH);
        let mut acc = Jacobian::INFINITY;
        let digits = s_naf.iter().zip(&t_naf).rev();
        for (&s_digit, &t_digit) in digits.skip_while(|&(&s, &t)| s == 0 && t == 0) {
            acc = acc.double();
            if s_digit != 0 {
                let entry =
                    basepoint::odd_multiple_vartime(usize::from(s_digit.unsigned_abs() / 2));
                acc = acc.add_affine_vartime(&entry.negate_if(sign_mask(s_digit)));
            }
            if t_digit != 0 {
                let entry = &self.0[usize::from(t_digit.unsigned_abs() / 2)];
                acc = acc.add_affine_vartime(&entry.negate_if(sign_mask(t_digit)));
            }
        }
        acc
    }
}

fn sign_mask(digit: i16) -> u64 {
    u64::from(digit < 0).wrapping_neg()
}

/// The width-`w` non-adjacent form of k, least significant digit first: zero or odd digits below
/// 2^(w-1) in absolute value, any two at least w places apart.
fn wnaf_vartime(k: &Scalar, w: usize) -> [i16; NAF_LEN] {
    let mut out = [0; NAF_LEN];
    let mut carry = 0;
    let mut i = 0;
    while i < NAF_LEN {
        let bits = if i < 256 { bits_from(k.limbs(), i) } else { 0 };
        if bits & 1 == carry {
            i += 1;
            continue;
        }
        let window = (bits & ((1 << w) - 1)) + carry;
        carry = window >> (w - 1) & 1;
        // w is at most 12, so the digit fits with room to spare.
        out[i] = window as i16 - ((carry as i16) << w);
        i += w;
    }
    out
}
