//! 256-bit integers as four little-endian words: what the field and the scalars share.
//!
//! Everything here runs in constant time.
use core::hint::black_box;

/// 256 bits, least significant word first.
pub(super) type Limbs = [u64; 4];

/// a + b + carry, and the carry out (0 or 1).
#[inline(always)]
pub(super) const fn adc(a: u64, b: u64, carry: u64) -> (u64, u64) {
    // Written so that the compiler sees a carry chain; a 128-bit sum costs three times as much.
    let (t, c1) = a.overflowing_add(b);
    let (t, c2) = t.overflowing_add(carry);
    (t, (c1 | c2) as u64)
}

/// a - b - borrow, and the borrow out (0 or 1).
#[inline(always)]
pub(super) const fn sbb(a: u64, b: u64, borrow: u64) -> (u64, u64) {
    let (t, b1) = a.overflowing_sub(b);
    let (t, b2) = t.overflowing_sub(borrow);
    (t, (b1 | b2) as u64)
}

/// acc + a·b + carry as (low word, high word): never overflows.
#[inline(always)]
pub(super) const fn mac(acc: u64, a: u64, b: u64, carry: u64) -> (u64, u64) {
    let t = acc as u128 + a as u128 * b as u128 + carry as u128;
    (t as u64, (t >> 64) as u64)
}

/// a + b modulo 2^256, and the carry out.
#[inline(always)]
pub(super) const fn add(a: &Limbs, b: &Limbs) -> (Limbs, u64) {
    let (r0, c) = adc(a[0], b[0], 0);
    let (r1, c) = adc(a[1], b[1], c);
    let (r2, c) = adc(a[2], b[2], c);
    let (r3, c) = adc(a[3], b[3], c);
    ([r0, r1, r2, r3], c)
}

/// a - b modulo 2^256, and the borrow out.
#[inline(always)]
pub(super) const fn sub(a: &Limbs, b: &Limbs) -> (Limbs, u64) {
    let (r0, c) = sbb(a[0], b[0], 0);
    let (r1, c) = sbb(a[1], b[1], c);
    let (r2, c) = sbb(a[2], b[2], c);
    let (r3, c) = sbb(a[3], b[3], c);
    ([r0, r1, r2, r3], c)
}

/// `b` where `mask` is all ones, `a` where it is zero.
#[inline(always)]
pub(super) const fn select(a: &Limbs, b: &Limbs, mask: u64) -> Limbs {
    [
        a[0] ^ (mask & (a[0] ^ b[0])),
        a[1] ^ (mask & (a[1] ^ b[1])),
        a[2] ^ (mask & (a[2] ^ b[2])),
        a[3] ^ (mask & (a[3] ^ b[3])),
    ]
}

/// `mask`, of which the compiler no longer knows that it is all zeros or all ones.
///
/// Where a mask selects something large, a compiler that knows makes a branch of it, or selects between two
/// addresses; both show in the time.
#[inline(always)]
pub(super) const fn opaque(mask: u64) -> u64 {
    black_box(mask)
}

/// All ones when `x` is zero, else zero.
#[inline(always)]
pub(super) const fn zero_mask(x: u64) -> u64 {
    ((!x & x.wrapping_sub(1)) >> 63).wrapping_neg()
}

/// All ones when `a` is zero, else zero.
#[inline(always)]
pub(super) const fn is_zero_mask(a: &Limbs) -> u64 {
    opaque(zero_mask(a[0] | a[1] | a[2] | a[3]))
}

/// All ones when a < b, else zero.
#[inline(always)]
pub(super) const fn less_mask(a: &Limbs, b: &Limbs) -> u64 {
    sub(a, b).1.wrapping_neg()
}

/// (carry·2^256 + a) mod m, for carry·2^256 + a < 2m.
#[inline(always)]
pub(super) const fn reduce_once(a: &Limbs, carry: u64, m: &Limbs) -> Limbs {
    let (d, borrow) = sub(a, m);
    // Keep a only when the subtraction went below zero: borrow out and no carry to pay for it.
    select(&d, a, (borrow & !carry & 1).wrapping_neg())
}

/// (a + b) mod m, for a, b < m.
#[inline(always)]
pub(super) const fn add_mod(a: &Limbs, b: &Limbs, m: &Limbs) -> Limbs {
    let (sum, carry) = add(a, b);
    reduce_once(&sum, carry, m)
}

/// (a - b) mod m, for a, b < m.
#[inline(always)]
pub(super) const fn sub_mod(a: &Limbs, b: &Limbs, m: &Limbs) -> Limbs {
    let (d, borrow) = sub(a, b);
    let mask = borrow.wrapping_neg();
    add(&d, &[m[0] & mask, m[1] & mask, m[2] & mask, m[3] & mask]).0
}

/// a·b in eight words.
#[inline(always)]
pub(super) const fn mul_wide(a: &Limbs, b: &Limbs) -> [u64; 8] {
    let (t0, c) = mac(0, a[0], b[0], 0);
    let (t1, c) = mac(0, a[0], b[1], c);
    let (t2, c) = mac(0, a[0], b[2], c);
    let (t3, t4) = mac(0, a[0], b[3], c);

    let (t1, c) = mac(t1, a[1], b[0], 0);
    let (t2, c) = mac(t2, a[1], b[1], c);
    let (t3, c) = mac(t3, a[1], b[2], c);
    let (t4, t5) = mac(t4, a[1], b[3], c);

    let (t2, c) = mac(t2, a[2], b[0], 0);
    let (t3, c) = mac(t3, a[2], b[1], c);
    let (t4, c) = mac(t4, a[2], b[2], c);
    let (t5, t6) = mac(t5, a[2], b[3], c);

    let (t3, c) = mac(t3, a[3], b[0], 0);
    let (t4, c) = mac(t4, a[3], b[1], c);
    let (t5, c) = mac(t5, a[3], b[2], c);
    let (t6, t7) = mac(t6, a[3], b[3], c);
    [t0, t1, t2, t3, t4, t5, t6, t7]
}

/// a² in eight words: ten products instead of sixteen.
#[inline(always)]
pub(super) const fn square_wide(a: &Limbs) -> [u64; 8] {
    let (t1, c) = mac(0, a[0], a[1], 0);
    let (t2, c) = mac(0, a[0], a[2], c);
    let (t3, t4) = mac(0, a[0], a[3], c);
    let (t3, c) = mac(t3, a[1], a[2], 0);
    let (t4, t5) = mac(t4, a[1], a[3], c);
    let (t5, t6) = mac(t5, a[2], a[3], 0);

    let t7 = t6 >> 63;
    let t6 = t6 << 1 | t5 >> 63;
    let t5 = t5 << 1 | t4 >> 63;
    let t4 = t4 << 1 | t3 >> 63;
    let t3 = t3 << 1 | t2 >> 63;
    let t2 = t2 << 1 | t1 >> 63;
    let t1 = t1 << 1;

    let (t0, c) = mac(0, a[0], a[0], 0);
    let (t1, c) = adc(t1, 0, c);
    let (t2, c) = mac(t2, a[1], a[1], c);
    let (t3, c) = adc(t3, 0, c);
    let (t4, c) = mac(t4, a[2], a[2], c);
    let (t5, c) = adc(t5, 0, c);
    let (t6, c) = mac(t6, a[3], a[3], c);
    let (t7, _) = adc(t7, 0, c);
    [t0, t1, t2, t3, t4, t5, t6, t7]
}

/// Big-endian bytes to words.
pub(super) const fn from_be_bytes(bytes: &[u8; 32]) -> Limbs {
    let mut out = [0; 4];
    let mut i = 0;
    while i < 32 {
        out[3 - i / 8] = out[3 - i / 8] << 8 | bytes[i] as u64;
        i += 1;
    }
    out
}

/// Words to big-endian bytes.
pub(super) fn to_be_bytes(a: &Limbs) -> [u8; 32] {
    let mut out = [0; 32];
    for (chunk, word) in out.chunks_exact_mut(8).zip(a.iter().rev()) {
        chunk.copy_from_slice(&word.to_be_bytes());
    }
    out
}
