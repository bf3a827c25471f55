//! Eight multiplications at once with AVX-512 IFMA.
//!
//! The windows, the digits and the arguments that no addition is exceptional are those of `sm2/basepoint.rs` and
//! `sm2/mul.rs`: all lanes do the same additions, each with its own digits. A row of the table of G lies word by word,
//! so that a permutation of registers takes from it what each lane needs: 32 permutations and 24 selections, where reading
//! row after row would take 512. The multiples of P, which every lane has for itself, are selected with masks.
#![expect(unsafe_code, reason = "calls behind the token that they need")]
use super::super::basepoint::{self, Row};
use super::super::basepoint_table::TABLE;
use super::super::field::Field;
use super::super::field::x86_64_ifma::{LANES, Lanes, Mask, Vector, sub};
use super::super::mul::{self, BITS, LOWEST, MULTIPLES, WIDTH, WINDOWS};
use super::super::point::{Affine, G, Jacobian};
use super::super::prepared::KeyTable;
use super::super::recoding::OddDigits;
use super::super::scalar::{self, Scalar};
use super::points::{Points, Terms};
use super::{CHUNK, Equation, ladder, one};
use crate::cpu;
use core::{array, hint::black_box};
use zeroize::Zeroizing;

/// Groups of eight in a chunk.
const GROUPS: usize = CHUNK / LANES;

/// The digits of eight scalars: of every word, all lanes. Wiped on drop.
struct Digits {
    words: [Vector; 5],
    negate: Mask,
}

impl Digits {
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn over(token: cpu::Ifma, scalars: [&Scalar; LANES], bits: usize) -> Self {
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
}

impl Drop for Digits {
    fn drop(&mut self) {
        self.words = [self.words[0].same(0); 5];
        // So that the zeros are written.
        black_box(&mut self.words);
    }
}

/// k·G for k in [1, n-1].
pub(super) fn multiply_base_one(token: cpu::Ifma, k: &Scalar) -> Jacobian {
    // SAFETY: the token proves the features.
    unsafe { one::multiply_base(token, k) }
}

/// s·G + t·P for s and t in [1, n-1]. Variable-time.
pub(super) fn double_multiply_one_vartime(
    token: cpu::Ifma,
    point: &Affine,
    s: &Scalar,
    t: &Scalar,
) -> Jacobian {
    // SAFETY: the token proves the features.
    let base = unsafe { one::multiply_base_vartime(token, s) };
    base.add_complete(&multiply_one(token, t, scalar::BITS, point))
}

/// k·P for k in [1, n-1], and infinity for 0; k has at most `bits` bits.
pub(super) fn multiply_one(token: cpu::Ifma, k: &Scalar, bits: usize, point: &Affine) -> Jacobian {
    if point.x == Field::ZERO {
        return mul::multiply(k, point);
    }
    // SAFETY: the token proves the features.
    unsafe { ladder::multiply(token, k, bits, point) }
}

/// s·G + t·P for s and t in [1, n-1]. Variable-time.
pub(super) fn double_multiply_vartime(
    token: cpu::Ifma,
    table: &KeyTable,
    s: &Scalar,
    t: &Scalar,
) -> Jacobian {
    // SAFETY: the token proves the features.
    let point = unsafe { one::double_multiply_vartime(token, table, s, t) };
    if point.z == Field::ZERO {
        return table.double_multiply_vartime(s, t);
    }
    point
}

/// k·G, affine, for up to [`CHUNK`] scalars k in [1, n-1].
pub(super) fn multiply_base(token: cpu::Ifma, scalars: &[Scalar], out: &mut [Affine]) {
    let one = Scalar::ONE;
    let mut points = [None; GROUPS];
    for (slot, group) in points.iter_mut().zip(scalars.chunks(LANES)) {
        let scalars = array::from_fn(|lane| group.get(lane).unwrap_or(&one));
        // SAFETY: the token proves the features.
        *slot = Some(unsafe { base_lanes(token, scalars) });
    }
    // SAFETY: the token proves the features.
    unsafe { write_affine(token, &points, out) };
}

/// k·P, affine, for k in [1, n-1] and up to [`CHUNK`] points.
pub(super) fn multiply(token: cpu::Ifma, k: &Scalar, points: &[Affine], out: &mut [Affine]) {
    let mut products = [None; GROUPS];
    for (slot, group) in products.iter_mut().zip(points.chunks(LANES)) {
        let points = array::from_fn(|lane| *group.get(lane).unwrap_or(&G));
        // SAFETY: the token proves the features.
        *slot = Some(unsafe { multiply_lanes(token, [k; LANES], &points) });
    }
    // SAFETY: the token proves the features.
    unsafe { write_affine(token, &products, out) };
}

/// Whether s·G + t·P has the x coordinate u; `None` where there is no equation, or s·G = ±t·P.
pub(super) fn hold(
    token: cpu::Ifma,
    equations: &[Option<Equation>; LANES],
) -> [Option<bool>; LANES] {
    // SAFETY: the token proves the features.
    let (equal, known) = unsafe { hold_lanes(token, equations) };
    array::from_fn(|lane| {
        let known = known >> lane & 1 == 1 && equations[lane].is_some();
        known.then_some(equal >> lane & 1 == 1)
    })
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn hold_lanes(token: cpu::Ifma, equations: &[Option<Equation>; LANES]) -> (Mask, Mask) {
    let filler = Equation {
        s: Scalar::ONE,
        t: Scalar::ONE,
        point: G,
        u: G.x,
    };
    let equations = equations
        .each_ref()
        .map(|equation| equation.as_ref().unwrap_or(&filler));
    let base = base_lanes(token, equations.map(|equation| &equation.s));
    let points = equations.map(|equation| equation.point);
    let sum = multiply_lanes(token, equations.map(|equation| &equation.t), &points).add(&base);
    let u = Lanes::from_fields(token, equations.map(|equation| equation.u));
    let expected: Lanes<2> = u.mul(&sum.z.square::<2>());
    let equal = sub::<_, _, 4>(&expected, &sum.x).is_zero();
    (equal, !sum.z.is_zero())
}

/// k·G in all lanes: see `sm2/basepoint.rs`.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn base_lanes(token: cpu::Ifma, scalars: [&Scalar; LANES]) -> Points {
    let digits = Digits::over(token, scalars, basepoint::BITS);
    let last = basepoint::WINDOWS - 1;
    let mut acc = Points::from_terms(token, &base_terms(&digits, last));
    for i in (0..last).rev() {
        acc = acc.add_terms(&base_terms(&digits, i));
    }
    acc.negated ^= digits.negate;
    acc
}

/// The digits of window i times 2^(7i)·G.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn base_terms(digits: &Digits, i: usize) -> Terms {
    let (index, negated) = digits.digit(basepoint::WIDTH * i, basepoint::WIDTH);
    let [x0, x1, x2, x3, y0, y1, y2, y3]: &Row = &TABLE.0[i];
    let word = |words| index.look_up(words);
    Terms {
        x: Lanes::from_words([word(x0), word(x1), word(x2), word(x3)]),
        y: Lanes::from_words([word(y0), word(y1), word(y2), word(y3)]),
        negated,
    }
}

/// k·P in all lanes: see `sm2/mul.rs`.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn multiply_lanes(token: cpu::Ifma, scalars: [&Scalar; LANES], points: &[Affine; LANES]) -> Points {
    let table = multiples(&Points::from_affine(token, points));
    let digits = Digits::over(token, scalars, BITS);
    let start = |i: usize| LOWEST + WIDTH * i;
    let mut acc = digit_times(&table, digits.digit(start(WINDOWS - 1), WIDTH));
    for i in (0..WINDOWS - 1).rev() {
        for _ in 0..WIDTH {
            acc = acc.double();
        }
        acc = acc.add(&digit_times(&table, digits.digit(start(i), WIDTH)));
    }
    for _ in 0..LOWEST {
        acc = acc.double();
    }
    acc = acc.add(&digit_times(&table, digits.digit(0, LOWEST)));
    acc.negated ^= digits.negate;
    acc
}

/// P, 3P, ..., 31P, settled.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn multiples(points: &Points) -> [Points; MULTIPLES] {
    let double = points.double();
    let mut out = [*points; MULTIPLES];
    for i in 1..MULTIPLES {
        out[i] = out[i - 1].add(&double).settled();
    }
    out
}

/// In every lane the digit times P: every entry is read.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn digit_times(table: &[Points; MULTIPLES], (index, negative): (Vector, Mask)) -> Points {
    let mut out = table[0];
    for (j, entry) in (0..).zip(table) {
        out = out.select(entry, index.equal(index.same(j)));
    }
    out.negated = negative;
    out
}

/// Writes the points in affine coordinates, with one inversion for all; none may be infinity.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn write_affine(token: cpu::Ifma, points: &[Option<Points>; GROUPS], out: &mut [Affine]) {
    // Products of the Z from the left, lane by lane.
    let mut product = Lanes::splat(token, &Field::ONE);
    let mut before = [product; GROUPS];
    for (slot, point) in before.iter_mut().zip(points.iter().flatten()) {
        *slot = product;
        product = product.mul(&point.z);
    }
    let mut inverses = product.to_fields();
    let finite = Field::invert_all(&mut inverses);
    debug_assert!(finite);
    let mut inverse: Lanes<2> = Lanes::from_fields(token, inverses);
    let groups = out.chunks_mut(LANES).zip(before).zip(points);
    for ((out, before), point) in groups.rev() {
        let Some(point) = point else { continue };
        let z_inverse: Lanes<2> = inverse.mul(&before);
        inverse = inverse.mul(&point.z);
        let zz: Lanes<2> = z_inverse.square();
        let x: Lanes<2> = point.x.mul(&zz);
        let y: Lanes<2> = point.settled().y.mul(&zz.mul::<2, 2>(&z_inverse));
        for ((out, x), y) in out.iter_mut().zip(x.to_fields()).zip(y.to_fields()) {
            *out = Affine { x, y };
        }
    }
}
