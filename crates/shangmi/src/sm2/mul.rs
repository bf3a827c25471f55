//! Multiples of a point: constant-time, and variable-time for verification.
use super::basepoint;
use super::limbs::{self, Limbs};
use super::point::{Affine, Jacobian};
use super::scalar::Scalar;

#[cfg(test)]
pub(super) mod tests;

/// Bits of a window of the constant-time multiplication, and the number of windows that hold 256
/// bits and the carry of the recoding.
const WIDTH: usize = 5;
const WINDOWS: usize = 52;
/// 1·P to 16·P.
const MULTIPLES: usize = 1 << (WIDTH - 1);

/// Booth's digit of window `i`: in [-2^(width-1), 2^(width-1)], so that
/// k = sum of digit_i·2^(width·i). Constant-time.
///
/// Returns the absolute value and the sign as a mask.
#[inline(always)]
pub(super) fn booth_digit(k: &Limbs, width: usize, i: usize) -> (u64, u64) {
    // Bits width·i - 1 to width·i + width - 1, with a zero below bit 0 and above bit 255.
    let low = (width * i).wrapping_sub(1);
    let bits = if i == 0 { k[0] << 1 } else { bits_from(k, low) } & ((1 << (width + 1)) - 1);
    let negative = limbs::opaque((bits >> width).wrapping_neg());
    let magnitude = (bits + 1) >> 1;
    let whole = 1 << width;
    (
        magnitude ^ (negative & (magnitude ^ (whole - magnitude))),
        negative,
    )
}

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

/// k·P for k in [1, n-1]; constant-time.
///
/// Q = 32·Q + d·P from the top window down, with d·P scanned from 1·P to 16·P. With Q = q·P, the
/// plain addition is wrong only when Q is infinity or 32q = ±d modulo n. Infinity is selected away.
/// For q > 0, |32q| >= 32 > 16 >= |d|, so that 32q = ±d could hold only after wrapping modulo n:
/// 32q >= n - 16, which is only in reach of the last window; there the complete addition is used.
pub(super) fn multiply(k: &Scalar, point: &Affine) -> Jacobian {
    let table = multiples(point);
    let k = k.limbs();
    let mut acc = digit_times(&table, k, WINDOWS - 1);
    for i in (1..WINDOWS - 1).rev() {
        acc = double_times(&acc, WIDTH);
        let term = digit_times(&table, k, i);
        let sum = acc.add(&term);
        let sum = sum.select(&acc, term.z.is_zero_mask());
        acc = sum.select(&term, acc.z.is_zero_mask());
    }
    double_times(&acc, WIDTH).add_complete(&digit_times(&table, k, 0))
}

fn double_times(point: &Jacobian, n: usize) -> Jacobian {
    let mut out = *point;
    for _ in 0..n {
        out = out.double();
    }
    out
}

/// 1·P, 2·P, ..., 16·P. Doubles and sums of unequal multiples, so no addition is exceptional.
fn multiples(point: &Affine) -> [Jacobian; MULTIPLES] {
    let mut out = [Jacobian::from(*point); MULTIPLES];
    out[1] = out[0].double();
    for i in 2..MULTIPLES {
        out[i] = if i % 2 == 1 {
            out[i / 2].double()
        } else {
            out[i - 1].add_affine(point)
        };
    }
    out
}

/// The digit of window `i` times P: every entry of the table is read.
fn digit_times(table: &[Jacobian; MULTIPLES], k: &Limbs, i: usize) -> Jacobian {
    let (magnitude, negative) = booth_digit(k, WIDTH, i);
    let mut out = Jacobian::INFINITY;
    for (j, entry) in (1..).zip(table) {
        out = out.select(entry, limbs::zero_mask(magnitude ^ j));
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
        let double = Jacobian::from(*point).double();
        let mut multiples = [Jacobian::from(*point); 8];
        for i in 1..8 {
            multiples[i] = multiples[i - 1].add(&double);
        }
        let affine = Jacobian::to_affine_array(multiples)
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
        // w is at most 9, so the digit fits with room to spare.
        out[i] = window as i16 - ((carry as i16) << w);
        i += w;
    }
    out
}
