//! One multiplication in all lanes: k·G as eight sums at once, and s·G + t·P with a prepared key.
//!
//! Of the 43 windows of `sm2/basepoint.rs` for a secret scalar, lanes 0 to 3 take 0 to 19 and lanes 4 to 7 take 20 to 42: six rounds of one
//! term for each lane, then the sum of the lanes. Of the 37 windows for a public one, they take 0 to 16 and 17 to 36, in five rounds.
//!
//! No addition of k·G is exceptional for a secret k. Two partial sums have odd digits in different windows, so that neither their sum nor
//! their difference is zero over the integers: divided by the lowest power of 2^6, it is odd. Modulo n it could only be ±n. In the
//! lower lanes all sums are below 2^120; in the upper ones they are multiples of 2^120, and n is odd. That leaves the last
//! addition, a + b with |a| < 2^120 and b > 0 an odd multiple of 2^120. a + b is k (or n - k), which is not n; and a - b = -n
//! asks for b = n + a. Then b is n without its low 120 bits, which is an even multiple of 2^120 as bit 120 of n is zero;
//! or the next multiple, and a + b = n + 2a is above n. The same holds for 2^7 and 2^119.
use super::super::basepoint::{
    self, NARROW_BITS, NARROW_WIDTH, NARROW_WINDOWS, NarrowRow, WINDOWS,
};
use super::super::basepoint_table::NARROW;
use super::super::field::x86_64_ifma::{LANES, Lanes, Mask, Vector};
use super::super::point::{Affine, Jacobian};
use super::super::prepared::{self, KeyTable, ROWS, SPACING};
use super::super::recoding::OddDigits;
use super::super::scalar::Scalar;
use super::fold::fold;
use super::points::{Points, Terms};
use crate::cpu;
use core::array;
use zeroize::Zeroizing;

/// Which windows the lanes take.
struct Plan {
    /// The first window of every lane; the next is [`STEP`](Self::STEP) windows on.
    first: [usize; LANES],
    rounds: usize,
    /// The lanes that have a term in the last round; the others would go beyond their half.
    last: Mask,
}

/// For the 43 windows of a secret scalar.
const SECRET: Plan = Plan {
    first: [0, 1, 2, 3, 20, 21, 22, 23],
    rounds: 6,
    last: 0b0111_0000,
};

/// For the 37 windows of a public scalar.
const PUBLIC: Plan = Plan {
    first: [0, 1, 2, 3, 17, 18, 19, 20],
    rounds: 5,
    last: 0b1111_0001,
};

impl Plan {
    const STEP: usize = 4;

    /// The window of a lane in a round, where it [`has`](Self::has) one.
    const fn window(&self, lane: usize, round: usize) -> usize {
        self.first[lane] + Self::STEP * round
    }

    /// Whether the lane has a term in the round.
    const fn has(&self, lane: usize, round: usize) -> bool {
        round + 1 < self.rounds || self.last >> lane & 1 == 1
    }

    /// Whether each of `windows` windows is taken once.
    const fn takes(&self, windows: usize) -> bool {
        let mut seen: u64 = 0;
        let mut round = 0;
        while round < self.rounds {
            let mut lane = 0;
            while lane < LANES {
                if self.has(lane, round) {
                    let window = 1 << self.window(lane, round);
                    if seen & window != 0 {
                        return false;
                    }
                    seen |= window;
                }
                lane += 1;
            }
            round += 1;
        }
        seen == (1 << windows) - 1
    }

    /// `acc` and the terms of the rounds from `first` on.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn add_rounds(&self, acc: Points, terms: impl Fn(usize) -> Terms, first: usize) -> Points {
        let mut acc = acc;
        for round in first..self.rounds - 1 {
            acc.add_terms(&terms(round));
        }
        let before = acc.settled();
        acc.add_terms(&terms(self.rounds - 1));
        before.select(&acc.settled(), self.last)
    }
}

const _: () = assert!(SECRET.takes(NARROW_WINDOWS) && PUBLIC.takes(WINDOWS));

/// k·G for k in [1, n-1].
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn multiply_base(token: cpu::Ifma, k: &Scalar) -> Jacobian {
    let digits = OddDigits::over(k, NARROW_BITS);
    let terms = |round| base_terms(token, &digits, round);
    let acc = Points::from_terms(token, &terms(0));
    fold(token, &SECRET.add_rounds(acc, terms, 1))
}

/// The same with plain look-ups. Variable-time.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn multiply_base_vartime(token: cpu::Ifma, k: &Scalar) -> Jacobian {
    let digits = OddDigits::over(k, basepoint::BITS);
    let terms = |round| base_terms_vartime(token, &digits, round);
    let acc = Points::from_terms(token, &terms(0));
    fold(token, &PUBLIC.add_rounds(acc, terms, 1))
}

/// s·G + t·P for s and t in [1, n-1]; Z is zero where an addition was exceptional. Variable-time.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn double_multiply_vartime(
    token: cpu::Ifma,
    table: &KeyTable,
    s: &Scalar,
    t: &Scalar,
) -> Jacobian {
    let t = OddDigits::over(t, prepared::BITS);
    let terms = |round: usize, start: usize| {
        let entries = array::from_fn(|lane| table.term_vartime(&t, start + lane, round));
        affine_terms(token, &entries)
    };
    let mut acc = Points::from_terms(token, &terms(SPACING - 1, 0));
    acc.add_terms(&terms(SPACING - 1, LANES));
    for round in (0..SPACING - 1).rev() {
        acc.double_times(prepared::WIDTH);
        for start in (0..ROWS).step_by(LANES) {
            acc.add_terms(&terms(round, start));
        }
    }
    let s = OddDigits::over(s, basepoint::BITS);
    let terms = |round| base_terms_vartime(token, &s, round);
    fold(token, &PUBLIC.add_rounds(acc, terms, 0))
}

/// The terms of a round: of each lane's row, where it has one, the entry for its digit. Every entry is read.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn base_terms(token: cpu::Ifma, digits: &OddDigits, round: usize) -> Terms {
    let mut indices = Zeroizing::new([0; LANES]);
    let mut negated = 0;
    for (lane, index) in indices.iter_mut().enumerate() {
        let (magnitude, negative) =
            digits.digit(NARROW_WIDTH * SECRET.window(lane, round), NARROW_WIDTH);
        *index = magnitude;
        negated |= ((negative ^ digits.negate_mask()) as Mask & 1) << lane;
    }
    let index = Vector::load(token, &indices);
    let mut words = [index; 8];
    for lane in (0..LANES).filter(|&lane| SECRET.has(lane, round)) {
        let row: &NarrowRow = &NARROW.0[SECRET.window(lane, round)];
        for (word, entries) in words.iter_mut().zip(row) {
            *word = word.select(index.look_up(entries), 1 << lane);
        }
    }
    let [x0, x1, x2, x3, y0, y1, y2, y3] = words;
    Terms {
        x: Lanes::from_words([x0, x1, x2, x3]),
        y: Lanes::from_words([y0, y1, y2, y3]),
        negated,
    }
}

/// The terms of a round for public digits. Variable-time.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn base_terms_vartime(token: cpu::Ifma, digits: &OddDigits, round: usize) -> Terms {
    let entries =
        array::from_fn(|lane| basepoint::term_vartime(digits, PUBLIC.window(lane, round)));
    affine_terms(token, &entries)
}

/// Public points in lanes.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn affine_terms(token: cpu::Ifma, points: &[Affine; LANES]) -> Terms {
    let mut words = [[0; LANES]; 8];
    for (lane, Affine { x, y }) in points.iter().enumerate() {
        for (row, word) in words.iter_mut().zip(x.0.iter().chain(&y.0)) {
            row[lane] = *word;
        }
    }
    let [x0, x1, x2, x3, y0, y1, y2, y3] = words.map(|row| Vector::load(token, &row));
    Terms {
        x: Lanes::from_words([x0, x1, x2, x3]),
        y: Lanes::from_words([y0, y1, y2, y3]),
        negated: 0,
    }
}
