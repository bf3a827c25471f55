//! Many verifications under one prepared key beside each other, in affine coordinates.
//!
//! An affine addition takes an inversion, two products and a square. Where there are many to do that do not wait for each other, an
//! inversion for all of them and three products for each replace the many: six products, where an addition in Jacobian coordinates
//! takes eleven. So the terms of a verification are first added up in seven sums: one for each round of the key's table, and
//! the windows of the table of G in three. All sums of all verifications take a step at a time.
//!
//! No addition to a sum is exceptional. In a sum every term is an odd multiple of 2^k·P (or of 2^k·G), below 2^(k+w) for windows of w bits,
//! and k grows by w or more from step to step. So over the integers a sum is neither a term that comes later nor its negative. Their sum
//! and difference could still be multiples of n, where they reach it: that is in the top sum of G only, in which all are multiples of
//! 2^182. But n is odd, and its multiples by that are out of reach.
use super::super::basepoint;
use super::super::field::Field;
use super::super::many::TOGETHER;
use super::super::mul::double_times;
use super::super::point::{Affine, G, Jacobian};
use super::super::recoding::OddDigits;
use super::super::scalar::Scalar;
use super::{KeyTable, LOW_BITS, LOW_ROWS, SPACING, WIDTH};
use core::array;

/// Sums of the windows of G.
const BASE_SUMS: usize = basepoint::WINDOWS.div_ceil(LOW_ROWS);
/// Sums of a verification, in each of which are [`LOW_ROWS`] terms or fewer.
const SUMS: usize = SPACING + BASE_SUMS;

/// The scalars of a verification in digits.
struct Digits {
    s: OddDigits,
    t: OddDigits,
}

impl Digits {
    fn new((s, t): (&Scalar, &Scalar)) -> Self {
        Self {
            s: OddDigits::over(s, basepoint::BITS),
            t: OddDigits::over(t, LOW_BITS),
        }
    }

    /// The term that a sum takes in a step. Variable-time.
    fn term_vartime(&self, table: &KeyTable, sum: usize, step: usize) -> Option<Affine> {
        if sum < SPACING {
            return Some(table.term_vartime(&self.t, step, sum));
        }
        let window = LOW_ROWS * (sum - SPACING) + step;
        (window < basepoint::WINDOWS).then(|| basepoint::term_vartime(&self.s, window))
    }
}

/// For every pair (s, t) of scalars in [1, n-1] the point s·G + t·P. Variable-time.
pub(in crate::sm2) fn double_multiply_many_vartime(
    table: &KeyTable,
    scalars: [Option<(&Scalar, &Scalar)>; TOGETHER],
) -> [Option<Jacobian>; TOGETHER] {
    let digits = scalars.map(|pair| pair.map(Digits::new));
    let mut sums = [[G; SUMS]; TOGETHER];
    for (sums, digits) in sums.iter_mut().zip(&digits) {
        if let Some(digits) = digits {
            *sums = array::from_fn(|sum| digits.term_vartime(table, sum, 0).unwrap_or(G));
        }
    }
    for step in 1..LOW_ROWS {
        add_vartime(&mut sums, &digits, table, step);
    }
    array::from_fn(|i| digits[i].is_some().then(|| join_vartime(&sums[i])))
}

/// Adds to every sum its term of a step, where there is one.
fn add_vartime(
    all: &mut [[Affine; SUMS]; TOGETHER],
    digits: &[Option<Digits>; TOGETHER],
    table: &KeyTable,
    step: usize,
) {
    // One chain of products for each of the seven sums, so that they need not wait for each other.
    let mut products = [Field::ONE; SUMS];
    let mut before = [products; TOGETHER];
    let mut terms = [[None; SUMS]; TOGETHER];
    let items = all.iter().zip(digits).zip(&mut before).zip(&mut terms);
    for (((sums, digits), before), terms) in items {
        let Some(digits) = digits else { continue };
        *before = products;
        *terms = array::from_fn(|sum| digits.term_vartime(table, sum, step));
        for ((product, sum), term) in products.iter_mut().zip(sums).zip(terms) {
            if let Some(term) = term {
                *product = product.mul(&term.x.sub(&sum.x));
            }
        }
    }
    let sound = Field::invert_all(&mut products);
    debug_assert!(sound, "no sum has the x coordinate of its next term");
    for ((sums, before), terms) in all.iter_mut().zip(&before).zip(&terms).rev() {
        let chains = products.iter_mut().zip(before);
        for ((sum, (inverse, before)), term) in sums.iter_mut().zip(chains).zip(terms) {
            if let Some(term) = term {
                let difference = term.x.sub(&sum.x);
                *sum = chord(sum, term, &inverse.mul(before));
                *inverse = inverse.mul(&difference);
            }
        }
    }
}

/// The sum of two points, given the inverse of the difference of their x coordinates.
fn chord(a: &Affine, b: &Affine, inverse: &Field) -> Affine {
    let slope = b.y.sub(&a.y).mul(inverse);
    let x = slope.square().sub(&a.x).sub(&b.x);
    let y = slope.mul(&a.x.sub(&x)).sub(&a.y);
    Affine { x, y }
}

/// All sums of a verification together, those of the rounds times 2^(5·round).
fn join_vartime(sums: &[Affine; SUMS]) -> Jacobian {
    let (rounds, of_base) = sums.split_at(SPACING);
    let mut acc = Jacobian::INFINITY;
    for sum in rounds.iter().rev() {
        acc = double_times(&acc, WIDTH).add_affine_vartime(sum);
    }
    of_base
        .iter()
        .fold(acc, |acc, sum| acc.add_affine_vartime(sum))
}
