//! Division steps on packed words, on x86-64: conditional moves in place of branches.
//!
//! Each step waits for the one before, so that what counts is the longest way through a step. LLVM, left to choose, makes masks
//! of the conditions, which takes 6.7 cycles a step; with conditional moves, and both outcomes made before it is known
//! which one is wanted, it takes 4.8 (Emerald Rapids): an inversion takes 4,700 cycles in place of 5,500.
#![expect(unsafe_code, reason = "assembly of plain instructions, without memory")]
use super::RUN;
use core::arch::asm;

/// Steps in the body of the loop.
const UNROLLED: u32 = 4;
const _: () = assert!(RUN.is_multiple_of(UNROLLED));

/// ζ, f and g after [`RUN`] steps.
#[inline(always)]
pub(super) fn run(mut zeta: i64, mut f: i64, mut g: i64) -> (i64, i64, i64) {
    // SAFETY: registers only.
    unsafe {
        asm!(
            "2:",
            ".rept {unrolled}",
            // g + f, or g - f where ζ is negative.
            "mov {sum}, {f}",
            "neg {sum}",
            "test {zeta}, {zeta}",
            "cmovns {sum}, {f}",
            "add {sum}, {g}",
            // -ζ - 2 and ζ - 1; whether ζ is negative, as a bit.
            "mov {opposite}, -2",
            "sub {opposite}, {zeta}",
            "mov {negative}, {zeta}",
            "shr {negative}, 63",
            "dec {zeta}",
            // Where ζ is negative and g is odd, f becomes g.
            "test {g}, {negative}",
            "cmovnz {zeta}, {opposite}",
            "cmovnz {f}, {g}",
            // Where g is odd, g becomes the sum.
            "test {g:e}, 1",
            "cmovnz {g}, {sum}",
            "sar {g}, 1",
            ".endr",
            "dec {count:e}",
            "jnz 2b",
            unrolled = const UNROLLED,
            count = inout(reg) RUN / UNROLLED => _,
            zeta = inout(reg) zeta,
            f = inout(reg) f,
            g = inout(reg) g,
            sum = out(reg) _,
            opposite = out(reg) _,
            negative = out(reg) _,
            options(pure, nomem, nostack),
        );
    }
    (zeta, f, g)
}
