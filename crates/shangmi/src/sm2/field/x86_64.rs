//! Arithmetic modulo p on x86-64: sums and differences, and the choice of the code for products.
//!
//! Sums are assembly because LLVM, which knows p, takes the subtraction of it apart into comparisons: about 30 instructions where a carry
//! chain and four conditional moves are 18. No branch depends on a value.
#![expect(unsafe_code, reason = "assembly of plain instructions, without memory")]
use super::super::limbs::Limbs;
use super::{P, portable, x86_64_adx};
use crate::cpu;
use core::arch::asm;

/// The name of the code that multiplies.
pub(in crate::sm2) fn backend() -> &'static str {
    match cpu::Adx::detect() {
        Some(_) => "adx",
        None => portable::BACKEND,
    }
}

/// a·b·2^-256 mod p, for a, b < p.
#[inline(always)]
pub(super) fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    match cpu::Adx::detect() {
        Some(token) => x86_64_adx::mul(token, a, b),
        None => mul_called(a, b),
    }
}

/// a²·2^-256 mod p, for a < p.
#[inline(always)]
pub(super) fn square(a: &Limbs) -> Limbs {
    match cpu::Adx::detect() {
        Some(token) => x86_64_adx::square(token, a),
        None => square_called(a),
    }
}

/// [`portable::mul`] as a call, so that the other code does not grow by it.
#[cold]
#[inline(never)]
fn mul_called(a: &Limbs, b: &Limbs) -> Limbs {
    portable::mul(a, b)
}

/// The same for [`portable::square`].
#[cold]
#[inline(never)]
fn square_called(a: &Limbs) -> Limbs {
    portable::square(a)
}

/// a + b mod p, for a, b < p.
#[inline(always)]
pub(super) fn add(a: &Limbs, b: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: registers only; the first and the third word of p are -1.
    unsafe {
        asm!(
            "add {a0}, {b0}",
            "adc {a1}, {b1}",
            "adc {a2}, {b2}",
            "adc {a3}, {b3}",
            "sbb {c}, {c}",
            "mov {b0}, {a0}",
            "mov {b1}, {a1}",
            "mov {b2}, {a2}",
            "mov {b3}, {a3}",
            "sub {a0}, -1",
            "sbb {a1}, {p1}",
            "sbb {a2}, -1",
            "sbb {a3}, {p3}",
            // A borrow and no carry to pay for it: the sum is below p.
            "sbb {c}, 0",
            "cmovc {a0}, {b0}",
            "cmovc {a1}, {b1}",
            "cmovc {a2}, {b2}",
            "cmovc {a3}, {b3}",
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = inout(reg) b[0] => _,
            b1 = inout(reg) b[1] => _,
            b2 = inout(reg) b[2] => _,
            b3 = inout(reg) b[3] => _,
            p1 = in(reg) P[1],
            p3 = in(reg) P[3],
            c = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}

/// a - b mod p, for a, b < p.
#[inline(always)]
pub(super) fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    let [mut a0, mut a1, mut a2, mut a3] = *a;
    // SAFETY: registers only; the first and the third word of p are -1.
    unsafe {
        asm!(
            "sub {a0}, {b0}",
            "sbb {a1}, {b1}",
            "sbb {a2}, {b2}",
            "sbb {a3}, {b3}",
            // p where that went below zero.
            "sbb {c}, {c}",
            "and {p1}, {c}",
            "and {p3}, {c}",
            "add {a0}, {c}",
            "adc {a1}, {p1}",
            "adc {a2}, {c}",
            "adc {a3}, {p3}",
            a0 = inout(reg) a0,
            a1 = inout(reg) a1,
            a2 = inout(reg) a2,
            a3 = inout(reg) a3,
            b0 = in(reg) b[0],
            b1 = in(reg) b[1],
            b2 = in(reg) b[2],
            b3 = in(reg) b[3],
            p1 = inout(reg) P[1] => _,
            p3 = inout(reg) P[3] => _,
            c = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    [a0, a1, a2, a3]
}
