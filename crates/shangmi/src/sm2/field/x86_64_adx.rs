//! Montgomery products modulo p in scalar registers, on x86-64 with BMI2 and ADX.
//!
//! The method is that of `portable.rs`: a product of eight words, then four steps, each of which clears the lowest word m and leaves
//! m·(2^192 - 2^160 - 2^32 + 1) one word further down. `mulx` leaves the flags alone, so that two carry chains, `adcx` and `adox`, run
//! through a row beside each other. It is assembly because LLVM keeps one chain, and moves words to and fro: it needs about 200
//! instructions for a product, this 122.
//!
//! a and b are in memory and may be the same; the result is in registers. No branch and no address depends on a value.
#![expect(
    unsafe_code,
    reason = "assembly behind the token that it needs, reading two arrays"
)]
use super::super::limbs::Limbs;
use crate::cpu;
use core::arch::asm;

/// One step, on the words $l0 to $l3 from below: m = $l0, and what is left stands in $l1, $l2, $l3, $l0.
#[rustfmt::skip]
macro_rules! fold {
    ($l0:literal, $l1:literal, $l2:literal, $l3:literal) => { concat!(
        "mov {t}, ", $l0, "\n shl {t}, 32\n",
        "mov {h}, ", $l0, "\n shr {h}, 32\n",
        "add ", $l1, ", ", $l0, "\n",
        "adc ", $l2, ", 0\n",
        "adc ", $l3, ", 0\n",
        "adc ", $l0, ", 0\n",
        "sub ", $l1, ", {t}\n",
        "sbb ", $l2, ", {h}\n",
        "sbb ", $l3, ", {t}\n",
        "sbb ", $l0, ", {h}\n",
    ) };
}

/// Words r8 to r15 to r8 to r11: four steps, and p once less where it is to be.
#[rustfmt::skip]
macro_rules! reduce {
    () => { concat!(
        fold!("r8", "r9", "r10", "r11"),
        fold!("r9", "r10", "r11", "r8"),
        fold!("r10", "r11", "r8", "r9"),
        fold!("r11", "r8", "r9", "r10"),
        "add r12, r8\n adc r13, r9\n adc r14, r10\n adc r15, r11\n",
        "sbb rdx, rdx\n",
        "mov r8, r12\n mov r9, r13\n mov r10, r14\n mov r11, r15\n",
        "mov {t}, 0xffffffff00000000\n mov {h}, 0xfffffffeffffffff\n",
        "sub r8, -1\n sbb r9, {t}\n sbb r10, -1\n sbb r11, {h}\n",
        // A borrow and no carry to pay for it: below p.
        "sbb rdx, 0\n",
        "cmovc r8, r12\n cmovc r9, r13\n cmovc r10, r14\n cmovc r11, r15\n",
    ) };
}

/// A row of the product: a times a word of b on top of four words, and one more word.
#[rustfmt::skip]
macro_rules! row {
    ($offset:literal, $l0:literal, $l1:literal, $l2:literal, $l3:literal, $l4:literal) => { concat!(
        "mov rdx, [{b} + ", $offset, "]\n",
        "xor ", $l4, ", ", $l4, "\n",
        "mulx {h}, {t}, [{a}]\n adcx ", $l0, ", {t}\n adox ", $l1, ", {h}\n",
        "mulx {h}, {t}, [{a} + 8]\n adcx ", $l1, ", {t}\n adox ", $l2, ", {h}\n",
        "mulx {h}, {t}, [{a} + 16]\n adcx ", $l2, ", {t}\n adox ", $l3, ", {h}\n",
        "mulx {h}, {t}, [{a} + 24]\n adcx ", $l3, ", {t}\n adox ", $l4, ", {h}\n",
        "adc ", $l4, ", 0\n",
    ) };
}

/// Two words doubled, plus the square of a word of a.
#[rustfmt::skip]
macro_rules! diagonal {
    ($offset:literal, $low:literal, $high:literal) => { concat!(
        "mov rdx, [{a} + ", $offset, "]\n",
        "mulx {h}, {t}, rdx\n",
        "adcx ", $low, ", ", $low, "\n adox ", $low, ", {t}\n",
        "adcx ", $high, ", ", $high, "\n adox ", $high, ", {h}\n",
    ) };
}

/// The product of a and b, in r8 to r15.
#[rustfmt::skip]
macro_rules! product {
    () => { concat!(
        "mov rdx, [{b}]\n",
        "mulx r9, r8, [{a}]\n",
        "mulx r10, {t}, [{a} + 8]\n add r9, {t}\n",
        "mulx r11, {t}, [{a} + 16]\n adc r10, {t}\n",
        "mulx r12, {t}, [{a} + 24]\n adc r11, {t}\n",
        "adc r12, 0\n",
        row!("8", "r9", "r10", "r11", "r12", "r13"),
        row!("16", "r10", "r11", "r12", "r13", "r14"),
        row!("24", "r11", "r12", "r13", "r14", "r15"),
    ) };
}

/// The square of a, in r8 to r15: products of unequal words once, then all of them doubled beside the sum of the squares of words, on
/// two chains.
#[rustfmt::skip]
macro_rules! square {
    () => { concat!(
        "mov rdx, [{a}]\n",
        "mulx r10, r9, [{a} + 8]\n",
        "mulx r11, {t}, [{a} + 16]\n add r10, {t}\n",
        "mulx r12, {t}, [{a} + 24]\n adc r11, {t}\n",
        "adc r12, 0\n",
        "mov rdx, [{a} + 8]\n xor r13, r13\n",
        "mulx {h}, {t}, [{a} + 16]\n adcx r11, {t}\n adox r12, {h}\n",
        "mulx {h}, {t}, [{a} + 24]\n adcx r12, {t}\n adox r13, {h}\n",
        "adc r13, 0\n",
        "mov rdx, [{a} + 16]\n",
        "mulx r14, {t}, [{a} + 24]\n add r13, {t}\n adc r14, 0\n",
        "mov rdx, [{a}]\n xor r15, r15\n",
        "mulx {h}, r8, rdx\n adcx r9, r9\n adox r9, {h}\n",
        diagonal!("8", "r10", "r11"),
        diagonal!("16", "r12", "r13"),
        diagonal!("24", "r14", "r15"),
    ) };
}

/// Runs what leaves eight words in r8 to r15, and reduces them.
macro_rules! reduced {
    ($words:ident, $($operand:ident = $from:expr),+) => {{
        let (r0, r1, r2, r3);
        // SAFETY: the token proves BMI2 and ADX; 32 bytes are read from arrays of as many.
        unsafe {
            asm!(
                $words!(),
                reduce!(),
                $($operand = in(reg) $from.as_ptr(),)+
                t = out(reg) _,
                h = out(reg) _,
                out("rdx") _,
                out("r8") r0,
                out("r9") r1,
                out("r10") r2,
                out("r11") r3,
                out("r12") _,
                out("r13") _,
                out("r14") _,
                out("r15") _,
                options(pure, readonly, nostack),
            );
        }
        [r0, r1, r2, r3]
    }};
}

/// a·b·2^-256 mod p, for a, b < p.
#[inline(always)]
pub(super) fn mul(_: cpu::Adx, a: &Limbs, b: &Limbs) -> Limbs {
    reduced!(product, a = a, b = b)
}

/// a²·2^-256 mod p, for a < p.
#[inline(always)]
pub(super) fn square(_: cpu::Adx, a: &Limbs) -> Limbs {
    reduced!(square, a = a)
}
