//! Eight multiplications at once with AVX-512 IFMA.
//!
//! The windows, the digits and the arguments that no addition is exceptional are those of `sm2/basepoint.rs` and
//! `sm2/mul.rs`: all lanes do the same additions, each with its own digits. A row of the table of G lies word by word,
//! so that a permutation of registers takes from it what each lane needs: 32 permutations and 24 selections, where reading
//! row after row would take 512. The multiples of P, which every lane has for itself, are selected with masks; verification, which
//! has no secrets, gathers them, and beside them odd multiples of G from a table of 64 KiB, between the same doublings.
#![expect(unsafe_code, reason = "calls behind the token that they need")]
use super::super::basepoint::{self, ODD_WIDTH, OddTable, Row, Words};
use super::super::basepoint_table::{ODD_MULTIPLES, TABLE};
use super::super::field::Field;
use super::super::field::x86_64_ifma::{LANES, Lanes, Mask, Vector};
use super::super::mul::{self, BITS, LOWEST, WIDTH, WINDOWS};
use super::super::point::{Affine, G, Jacobian};
use super::super::prepared::{KeyTable, ROWS};
use super::super::scalar::Scalar;
use super::affine::{GROUPS, invert, write_affine};
use super::digits::Digits;
use super::multiples::Multiples;
use super::points::{Points, Terms};
use super::{Equation, FEW_OF_PREPARED, TOGETHER, key_table, ladder, one, same_key};
use crate::cpu;
use core::array;

/// Groups of verifications for which there is one inversion.
const PAIR: usize = TOGETHER / LANES;

/// Bits of a scalar in whole digits of a verification's multiple of G. The last of them lies below P's first one.
const ODD_BITS: usize = 257usize.next_multiple_of(ODD_WIDTH);
const _: () = assert!(ODD_BITS - ODD_WIDTH < LOWEST + WIDTH * (WINDOWS - 1));

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
    base.add_complete(&multiply_one(token, t, ladder::BITS, point))
}

/// k·P for k in [1, n-1], and infinity for 0; k has at most `bits` bits.
pub(super) fn multiply_one(token: cpu::Ifma, k: &Scalar, bits: usize, point: &Affine) -> Jacobian {
    if point.x == Field::ZERO {
        return mul::multiply(k, point);
    }
    // SAFETY: the token proves the features.
    unsafe { ladder::multiply(token, k, bits, point) }
}

/// The table of a prepared key.
pub(super) fn key_table(token: cpu::Ifma, point: &Affine) -> KeyTable {
    if point.x == Field::ZERO {
        return KeyTable::new(point, ROWS);
    }
    // SAFETY: the token proves the features.
    unsafe { key_table::key_table(token, point) }
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

/// k·G, affine, for up to [`CHUNK`](super::CHUNK) scalars k in [1, n-1].
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

/// k·P, affine, for k in [1, n-1] and up to [`CHUNK`](super::CHUNK) points.
pub(super) fn multiply(token: cpu::Ifma, k: &Scalar, points: &[Affine], out: &mut [Affine]) {
    let mut products = [None; GROUPS];
    for (slot, group) in products.iter_mut().zip(points.chunks(LANES)) {
        let points = array::from_fn(|lane| *group.get(lane).unwrap_or(&G));
        // SAFETY: the token proves the features.
        *slot = Some(unsafe { multiply_lanes(token, k, &points) });
    }
    // SAFETY: the token proves the features.
    unsafe { write_affine(token, &products, out) };
}

/// Whether s·G + t·P has the x coordinate u; `None` where there is no equation, or a sum on the way was exceptional.
pub(super) fn hold_vartime(
    token: cpu::Ifma,
    equations: &[Option<Equation>; TOGETHER],
) -> [Option<bool>; TOGETHER] {
    let count = equations
        .iter()
        .rposition(Option::is_some)
        .map_or(0, |last| last + 1);
    // SAFETY: the token proves the features.
    let answers = unsafe {
        if count <= LANES {
            hold_groups_vartime::<1>(token, equations)
        } else {
            hold_groups_vartime::<PAIR>(token, equations)
        }
    };
    decide(equations, &answers)
}

/// The same for equations under the key of `table`.
pub(super) fn hold_prepared_vartime(
    token: cpu::Ifma,
    table: &KeyTable,
    equations: &[Option<Equation>; TOGETHER],
) -> [Option<bool>; TOGETHER] {
    let filler = filler();
    let mut answers = [(0, 0); PAIR];
    for (g, answer) in answers.iter_mut().enumerate() {
        let start = g * LANES;
        if equations[start..][..LANES].iter().flatten().count() > FEW_OF_PREPARED {
            let group = group(equations, &filler, g);
            // SAFETY: the token proves the features.
            *answer = unsafe { same_key::hold_vartime(token, table, group) };
        }
    }
    decide(equations, &answers)
}

/// What lanes without an equation compute.
const fn filler() -> Equation {
    Equation {
        s: Scalar::ONE,
        t: Scalar::ONE,
        point: G,
        u: G.x,
    }
}

/// The equations of a group of lanes.
fn group<'a>(
    equations: &'a [Option<Equation>; TOGETHER],
    filler: &'a Equation,
    g: usize,
) -> [&'a Equation; LANES] {
    array::from_fn(|lane| equations[g * LANES + lane].as_ref().unwrap_or(filler))
}

/// The answers for the equations, from the lanes of each group where they hold and those where that is known.
fn decide(
    equations: &[Option<Equation>; TOGETHER],
    answers: &[(Mask, Mask); PAIR],
) -> [Option<bool>; TOGETHER] {
    array::from_fn(|i| {
        let (equal, known) = answers[i / LANES];
        let has = |mask: Mask| mask >> (i % LANES) & 1 == 1;
        (has(known) && equations[i].is_some()).then_some(has(equal))
    })
}

/// For each of the first M groups the lanes where the equation holds, and those where that is known.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn hold_groups_vartime<const M: usize>(
    token: cpu::Ifma,
    equations: &[Option<Equation>; TOGETHER],
) -> [(Mask, Mask); PAIR] {
    let filler = filler();
    let group = |g| group(equations, &filler, g);
    let points = |g: usize| group(g).map(|equation| equation.point);
    let mut tables: [Multiples; M] = array::from_fn(|g| Multiples::new(token, &points(g)));
    let inverses = invert(token, &tables.each_ref().map(|table| table.z));
    let mut answers = [(0, 0); PAIR];
    for (g, (table, inverse)) in tables.iter_mut().zip(&inverses).enumerate() {
        table.make_affine(token, inverse);
        answers[g] = hold_lanes_vartime(token, table, group(g));
    }
    answers
}

#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn hold_lanes_vartime(
    token: cpu::Ifma,
    table: &Multiples,
    equations: [&Equation; LANES],
) -> (Mask, Mask) {
    let t = Digits::over(token, equations.map(|equation| &equation.t), BITS);
    let s = Digits::over(token, equations.map(|equation| &equation.s), ODD_BITS);
    let top = LOWEST + WIDTH * (WINDOWS - 1);
    let mut sum = Points::from_terms(token, &table.terms_vartime(t.signed(top, WIDTH)));
    for bit in (0..top).rev() {
        sum = sum.double();
        if bit.is_multiple_of(ODD_WIDTH) {
            sum.add_terms(&odd_terms_vartime(&s, bit));
        }
        if bit == 0 {
            sum.add_terms(&table.terms_vartime(t.signed(0, LOWEST)));
        } else if bit >= LOWEST && (bit - LOWEST).is_multiple_of(WIDTH) {
            sum.add_terms(&table.terms_vartime(t.signed(bit, WIDTH)));
        }
    }
    sum.have_x(token, equations.map(|equation| equation.u))
}

/// k·G in all lanes: see `sm2/basepoint.rs`.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn base_lanes(token: cpu::Ifma, scalars: [&Scalar; LANES]) -> Points {
    let digits = Digits::over(token, scalars, basepoint::BITS);
    let last = basepoint::WINDOWS - 1;
    let mut acc = Points::from_terms(token, &base_terms(&digits, last));
    for i in (0..last).rev() {
        acc.add_terms(&base_terms(&digits, i));
    }
    acc
}

/// The digits of window i times 2^(7i)·G, with the signs of the scalars.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn base_terms(digits: &Digits, i: usize) -> Terms {
    let row: &Row = &TABLE.0[i];
    row_terms(row, digits.signed(basepoint::WIDTH * i, basepoint::WIDTH))
}

/// Of a row the entry for each lane's digit. All of the row is read.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn row_terms<const ENTRIES: usize>(
    row: &Words<ENTRIES>,
    (index, negated): (Vector, Mask),
) -> Terms {
    let [x0, x1, x2, x3, y0, y1, y2, y3] = row;
    let word = |words| index.look_up(words);
    Terms {
        x: Lanes::from_words([word(x0), word(x1), word(x2), word(x3)]),
        y: Lanes::from_words([word(y0), word(y1), word(y2), word(y3)]),
        negated,
    }
}

/// The digits from bit `start` on times G, with the signs of the scalars. Variable-time: a plain look-up, for public digits.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn odd_terms_vartime(digits: &Digits, start: usize) -> Terms {
    let (index, negated) = digits.signed(start, ODD_WIDTH);
    let table: &OddTable = &ODD_MULTIPLES;
    let word = |i: usize| index.gather_word_vartime(table, i);
    Terms {
        x: Lanes::from_words([word(0), word(1), word(2), word(3)]),
        y: Lanes::from_words([word(4), word(5), word(6), word(7)]),
        negated,
    }
}

/// k·P in all lanes: see `sm2/mul.rs`.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn multiply_lanes(token: cpu::Ifma, k: &Scalar, points: &[Affine; LANES]) -> Points {
    let mut table = Multiples::new(token, points);
    let [inverse] = invert(token, &[table.z]);
    table.make_affine(token, &inverse);
    let digits = Digits::over(token, [k; LANES], BITS);
    let start = |i: usize| LOWEST + WIDTH * i;
    let top = table.terms(digits.signed(start(WINDOWS - 1), WIDTH));
    let mut acc = Points::from_terms(token, &top);
    for i in (0..WINDOWS - 1).rev() {
        acc = acc.double_times(WIDTH);
        acc.add_terms(&table.terms(digits.signed(start(i), WIDTH)));
    }
    acc = acc.double_times(LOWEST);
    acc.add_terms(&table.terms(digits.signed(0, LOWEST)));
    acc
}
