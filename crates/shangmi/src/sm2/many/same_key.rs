//! Eight verifications under one prepared key side by side, each with its own digits.
//!
//! All lanes do the same 88 additions and 15 doublings: t·P from the rows of the key's table, s·G from those of the table of G. An
//! entry is taken from a row by permutations of registers, which are faster than to gather it from memory.
//!
//! Digits are public, and may be chosen so that a sum meets the next term or its negative. Z is then zero to the end (see
//! `sm2/many/points.rs`), and the lane is said to be unknown.
use super::super::basepoint;
use super::super::field::x86_64_ifma::{LANES, Mask};
use super::super::prepared::{KeyTable, LOW_BITS, LOW_ROWS, SPACING, WIDTH, window_start};
use super::Equation;
use super::digits::Digits;
use super::points::Points;
use super::x86_64_ifma::{base_terms, row_terms};
use crate::cpu;

/// The lanes where s·G + t·P has the x coordinate u, and those where that is known.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn hold_vartime(
    token: cpu::Ifma,
    table: &KeyTable,
    equations: [&Equation; LANES],
) -> (Mask, Mask) {
    let t = Digits::over(token, equations.map(|equation| &equation.t), LOW_BITS);
    let s = Digits::over(
        token,
        equations.map(|equation| &equation.s),
        basepoint::BITS,
    );
    let mut sum = multiply(token, table, &t);
    for i in 0..basepoint::WINDOWS {
        sum.add_terms(&base_terms(&s, i));
    }
    sum.have_x(token, equations.map(|equation| equation.u))
}

/// t·P in all lanes.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn multiply(token: cpu::Ifma, table: &KeyTable, t: &Digits) -> Points {
    let terms = |row: usize, round| {
        let digit = t.signed(window_start(row, round), WIDTH);
        row_terms(&table.0[row], digit)
    };
    let mut sum = Points::from_terms(token, &terms(0, SPACING - 1));
    for row in 1..LOW_ROWS {
        sum.add_terms(&terms(row, SPACING - 1));
    }
    for round in (0..SPACING - 1).rev() {
        sum = sum.double_times(WIDTH);
        for row in 0..LOW_ROWS {
            sum.add_terms(&terms(row, round));
        }
    }
    sum
}
