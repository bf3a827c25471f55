//! Montgomery products modulo p in plain 64-bit arithmetic.
//!
//! p = 2^256 - 2^224 - 2^96 + 2^64 - 1 is -1 modulo 2^64, so the factor of each Montgomery step is
//! the lowest word m itself, and adding m·p clears that word without a multiplication: what is left,
//! one word further down, is m·(2^192 - 2^160 - 2^32 + 1), four words made of shifts of m.
use super::super::limbs::{self, Limbs, adc, sbb};
use super::P;

/// The name under which reports show it.
pub(super) const BACKEND: &str = "portable";

/// The name of the code that multiplies.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(in crate::sm2) const fn backend() -> &'static str {
    BACKEND
}

/// a + b mod p, for a, b < p.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
#[inline(always)]
pub(super) const fn add(a: &Limbs, b: &Limbs) -> Limbs {
    limbs::add_mod(a, b, &P)
}

/// a - b mod p, for a, b < p.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
#[inline(always)]
pub(super) const fn sub(a: &Limbs, b: &Limbs) -> Limbs {
    limbs::sub_mod(a, b, &P)
}

/// a·b·2^-256 mod p, for a, b < p.
#[inline(always)]
pub(super) const fn mul(a: &Limbs, b: &Limbs) -> Limbs {
    reduce(&limbs::mul_wide(a, b))
}

/// a²·2^-256 mod p, for a < p.
#[inline(always)]
pub(super) const fn square(a: &Limbs) -> Limbs {
    reduce(&limbs::square_wide(a))
}

/// t·2^-256 mod p, for t < p·2^256.
#[inline(always)]
pub(super) const fn reduce(t: &[u64; 8]) -> Limbs {
    let low = fold(fold(fold(fold([t[0], t[1], t[2], t[3]]))));
    let (sum, carry) = limbs::add(&low, &[t[4], t[5], t[6], t[7]]);
    limbs::reduce_once(&sum, carry, &P)
}

/// (l + m·p)/2^64 with m = l mod 2^64.
///
/// Stays in four words: l < 2^256 gives at most 2^192 + p < 2^256.
#[inline(always)]
const fn fold(l: Limbs) -> Limbs {
    let m = l[0];
    let (low, high) = (m << 32, m >> 32);
    let (d0, b) = sbb(m, low, 0);
    let (d1, b) = sbb(0, high, b);
    let (d2, b) = sbb(0, low, b);
    let (d3, _) = sbb(m, high, b);
    let (r0, c) = adc(l[1], d0, 0);
    let (r1, c) = adc(l[2], d1, c);
    let (r2, c) = adc(l[3], d2, c);
    let (r3, _) = adc(0, d3, c);
    [r0, r1, r2, r3]
}
