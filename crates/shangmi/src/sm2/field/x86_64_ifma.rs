//! Eight field elements at once with AVX-512 IFMA: one register holds a limb of eight elements.
//!
//! Radix 2^52, five limbs, Montgomery form with R = 2^260. `vpmadd52` multiplies two limbs and adds the lower
//! or the upper half of the product to a column of 64 bits. Since
//! p = -1 + 2^52·(2^12 - 2^44) + 2^208·(2^48 - 2^16) is -1 modulo 2^52, the factor of a Montgomery step is the
//! lowest limb itself, and a step costs four multiplications instead of ten: 70 for a product, 50 for a square.
//!
//! The four bits between 2^256 and 2^260 make final subtractions needless: values are kept below a small
//! multiple of p that is part of the type, and the compiler refuses a sum of bounds that does not fit. The instruction
//! multiplies the low 52 bits of a limb, so sums are carried before (`lazy.rs`); a sum that ends an expression is brought near p on
//! the way, with the bits above 2^256 times 2^224 + 2^96 - 2^64 + 1.
//!
//! A fixed sequence of instructions without branches, and no memory address depends on a value: constant-time.
//!
//! Every function is inlined into the ones that enable the features; a call would pass ten registers through
//! memory.
use super::Field;
use crate::cpu;
use crate::sm2::limbs::{self, Limbs};

mod latency;
pub(in crate::sm2) mod lazy;
#[cfg(test)]
mod tests;
mod vector;

pub(in crate::sm2) use vector::{LANES, Mask, Vector};

const RADIX: u32 = 52;
const LOW: u64 = (1 << RADIX) - 1;

/// p is -1 - 2^52·K + 2^208·P4.
const K: u64 = (1 << 44) - (1 << 12);
const P4: u64 = (1 << 48) - (1 << 16);

/// p in limbs.
const P: [u64; 5] = to_radix(&super::P);

/// 2^256 mod p in limbs.
const R256: [u64; 5] = to_radix(&Field::ONE.0);

/// 2^260 mod p in limbs.
const R260: [u64; 5] = {
    let mut x = Field::ONE.0;
    let mut i = 0;
    while i < 4 {
        x = limbs::add_mod(&x, &x, &super::P);
        i += 1;
    }
    to_radix(&x)
};

/// Eight elements x as x·2^260 modulo p: integers of at most B·p <= 16·p, limbs below 2^52.
#[derive(Clone, Copy)]
pub(in crate::sm2) struct Lanes<const B: u64>([Vector; 5]);

/// A multiple of p that fits into five limbs.
const MOST: u64 = 16;

impl<const B: u64> Lanes<B> {
    #[inline(always)]
    fn new(limbs: [Vector; 5]) -> Self {
        const { assert!(B <= MOST) };
        debug_assert!(at_most(&limbs, B), "limbs of 52 bits, at most {B}·p");
        Self(limbs)
    }

    /// a·b: less than (1 + A·B·p/2^260)·p, as the multiple of p that is added is below 2^260.
    #[inline(always)]
    pub(in crate::sm2) fn mul<const D: u64, const C: u64>(&self, other: &Lanes<D>) -> Lanes<C> {
        self.factor().mul(&other.factor()).carry().lanes()
    }

    /// In lane i what lane i ^ `distance` has; the distance is public.
    #[inline(always)]
    pub(in crate::sm2) fn exchanged(&self, distance: usize) -> Self {
        Self(exchanged(&self.0, distance))
    }

    /// `other` in the lanes of `mask`, `self` in the others.
    #[inline(always)]
    pub(in crate::sm2) fn select(&self, other: &Self, mask: Mask) -> Self {
        Self(select(&self.0, &other.0, mask))
    }

    /// The lanes that are zero modulo p.
    #[inline(always)]
    pub(in crate::sm2) fn is_zero(&self) -> Mask {
        let x = self.canonical();
        let any = x[0].or(x[1]).or(x[2]).or(x[3]).or(x[4]);
        any.equal(any.same(0))
    }

    /// The elements x as x·2^256 mod p, as integers below p in limbs.
    #[inline(always)]
    fn canonical(&self) -> [Vector; 5] {
        const { assert!(B <= MOST) };
        let factor = Lanes::<1>(splat(self.0[0].token(), &R256));
        let x: Lanes<2> = self.mul(&factor);
        let p = splat(self.0[0].token(), &P);
        let below = carry(subtract(&x.0, &p));
        let mut out = below;
        for (limb, x) in out.iter_mut().zip(x.0) {
            *limb = limb.select(x, below[4].negative());
        }
        out
    }

    /// The elements out of the lanes.
    #[inline(always)]
    pub(in crate::sm2) fn to_fields(self) -> [Field; LANES] {
        let x = self.canonical();
        let words = [
            x[0].or(x[1].left::<52>()).store(),
            x[1].right::<12>().or(x[2].left::<40>()).store(),
            x[2].right::<24>().or(x[3].left::<28>()).store(),
            x[3].right::<36>().or(x[4].left::<16>()).store(),
        ];
        let mut out = [Field::ZERO; LANES];
        for (i, field) in out.iter_mut().enumerate() {
            field.0 = [words[0][i], words[1][i], words[2][i], words[3][i]];
        }
        out
    }
}

impl Lanes<16> {
    /// Elements x from the four words of x·2^256 mod p: times 16, which makes five limbs without a rest.
    #[inline(always)]
    pub(in crate::sm2) fn from_words(w: [Vector; 4]) -> Self {
        let low = w[0].same(LOW);
        Self::new([
            w[0].left::<4>().and(low),
            w[0].right::<48>().or(w[1].left::<16>()).and(low),
            w[1].right::<36>().or(w[2].left::<28>()).and(low),
            w[2].right::<24>().or(w[3].left::<40>()).and(low),
            w[3].right::<12>(),
        ])
    }
}

impl Lanes<2> {
    /// One element for each lane.
    pub(in crate::sm2) fn from_fields(token: cpu::Ifma, x: [Field; LANES]) -> Self {
        let mut words = [[0; LANES]; 4];
        for (i, field) in x.iter().enumerate() {
            for (row, word) in words.iter_mut().zip(field.0) {
                row[i] = word;
            }
        }
        let [a, b, c, d] = &words;
        let words = [
            Vector::load(token, a),
            Vector::load(token, b),
            Vector::load(token, c),
            Vector::load(token, d),
        ];
        Lanes::from_words(words).columns().reduce()
    }

    /// 1 in all lanes.
    #[inline(always)]
    pub(in crate::sm2) fn one(token: cpu::Ifma) -> Self {
        Self::new(splat(token, &R260))
    }

    /// The same element in all lanes.
    pub(in crate::sm2) fn splat(token: cpu::Ifma, x: &Field) -> Self {
        Self::from_fields(token, [*x; LANES])
    }
}

#[inline(always)]
fn select(a: &[Vector; 5], b: &[Vector; 5], mask: Mask) -> [Vector; 5] {
    [
        a[0].select(b[0], mask),
        a[1].select(b[1], mask),
        a[2].select(b[2], mask),
        a[3].select(b[3], mask),
        a[4].select(b[4], mask),
    ]
}

#[inline(always)]
fn permuted(a: &[Vector; 5], order: Vector) -> [Vector; 5] {
    [
        a[0].permuted(order),
        a[1].permuted(order),
        a[2].permuted(order),
        a[3].permuted(order),
        a[4].permuted(order),
    ]
}

/// In lane i what lane i ^ `distance` has.
#[inline(always)]
fn exchanged(a: &[Vector; 5], distance: usize) -> [Vector; 5] {
    let order = core::array::from_fn(|lane| (lane ^ distance) as u64);
    permuted(a, Vector::load(a[0].token(), &order))
}

/// bound·p = -bound - 2^52·K·bound + 2^208·P4·bound, as the limbs 0, 1 and 4; the others are zero.
#[inline(always)]
fn bias(token: cpu::Ifma, bound: u64) -> [Vector; 3] {
    [
        Vector::splat(token, bound.wrapping_neg()),
        Vector::splat(token, (bound * K).wrapping_neg()),
        Vector::splat(token, bound * P4),
    ]
}

#[inline(always)]
fn subtract(a: &[Vector; 5], b: &[Vector; 5]) -> [Vector; 5] {
    [
        a[0].sub(b[0]),
        a[1].sub(b[1]),
        a[2].sub(b[2]),
        a[3].sub(b[3]),
        a[4].sub(b[4]),
    ]
}

/// Brings all limbs but the top one into [0, 2^52).
#[inline(always)]
fn carry(x: [Vector; 5]) -> [Vector; 5] {
    let low = x[0].same(LOW);
    let [a, b, c, d, e] = ripple(x);
    [a.and(low), b.and(low), c.and(low), d.and(low), e]
}

/// Carries, and leaves above the 52 bits of a limb what was carried.
#[inline(always)]
fn ripple(x: [Vector; 5]) -> [Vector; 5] {
    let x1 = x[1].add(x[0].right_signed::<RADIX>());
    let x2 = x[2].add(x1.right_signed::<RADIX>());
    let x3 = x[3].add(x2.right_signed::<RADIX>());
    let x4 = x[4].add(x3.right_signed::<RADIX>());
    [x[0], x1, x2, x3, x4]
}

/// Adds the columns of a·b: at most 9·2^52 to one.
#[inline(always)]
fn add_product(columns: &mut [Vector; 10], a: &[Vector; 5], b: &[Vector; 5]) {
    for i in 0..5 {
        for j in 0..5 {
            columns[i + j] = columns[i + j].add_low(a[j], b[i]);
            columns[i + j + 1] = columns[i + j + 1].add_high(a[j], b[i]);
        }
    }
}

/// What all columns start with: see [`reduced_columns`].
#[inline(always)]
fn start(token: cpu::Ifma) -> [Vector; 10] {
    let mut columns = [Vector::splat(token, 0); 10];
    columns[1] = Vector::splat(token, K);
    columns[6] = Vector::splat(token, K.wrapping_neg());
    columns
}

/// The columns of a², on top of [`start`]: products of unequal limbs once, doubled in the columns.
#[inline(always)]
fn square_columns(a: &[Vector; 5]) -> [Vector; 10] {
    let mut columns = [a[0].same(0); 10];
    columns[1] = columns[1].same(K / 2);
    columns[6] = columns[6].same((K / 2).wrapping_neg());
    for i in 0..5 {
        for j in i + 1..5 {
            columns[i + j] = columns[i + j].add_low(a[j], a[i]);
            columns[i + j + 1] = columns[i + j + 1].add_high(a[j], a[i]);
        }
    }
    for column in &mut columns[1..9] {
        *column = column.add(*column);
    }
    for i in 0..5 {
        columns[2 * i] = columns[2 * i].add_low(a[i], a[i]);
        columns[2 * i + 1] = columns[2 * i + 1].add_high(a[i], a[i]);
    }
    columns
}

/// (t + m·p)/2^260 for the m below 2^260 that makes it whole, with t in columns of at most 2^57, on top of [`start`].
///
/// The step for column i: with m_i its low 52 bits, column - m_i is the carry to the next, and the rest of
/// m_i·p is -m_i·K in column i + 1 and m_i·P4 in column i + 4. There is no instruction that subtracts a product, so with
/// m'_i = 2^52 - 1 - m_i, -m_i·K is m'_i·K + K - 2^52·K. The last two cancel from step to step; what is left of them, K in
/// column 1 and -K in column 6, is there from the start.
#[inline(always)]
fn reduced_columns(mut t: [Vector; 10]) -> [Vector; 5] {
    let (k, p4) = (t[0].same(K), t[0].same(P4));
    for i in 0..5 {
        let m = t[i];
        let other = m.not();
        t[i + 1] = t[i + 1].add_low(other, k).add(m.right_signed::<RADIX>());
        t[i + 2] = t[i + 2].add_high(other, k);
        t[i + 4] = t[i + 4].add_low(m, p4);
        t[i + 5] = t[i + 5].add_high(m, p4);
    }
    [t[5], t[6], t[7], t[8], t[9]]
}

#[inline(always)]
fn splat(token: cpu::Ifma, x: &[u64; 5]) -> [Vector; 5] {
    [
        Vector::splat(token, x[0]),
        Vector::splat(token, x[1]),
        Vector::splat(token, x[2]),
        Vector::splat(token, x[3]),
        Vector::splat(token, x[4]),
    ]
}

/// Four words as five limbs of 52 bits.
const fn to_radix(x: &Limbs) -> [u64; 5] {
    [
        x[0] & LOW,
        (x[0] >> 52 | x[1] << 12) & LOW,
        (x[1] >> 40 | x[2] << 24) & LOW,
        (x[2] >> 28 | x[3] << 36) & LOW,
        x[3] >> 16,
    ]
}

/// Whether in every lane all limbs are below 2^52 and the value is at most bound·p.
fn at_most(x: &[Vector; 5], bound: u64) -> bool {
    let x = [
        x[0].store(),
        x[1].store(),
        x[2].store(),
        x[3].store(),
        x[4].store(),
    ];
    (0..LANES).all(|lane| {
        let mut borrow = 0;
        let mut in_range = true;
        for (limb, p) in x.iter().zip(P) {
            in_range &= limb[lane] <= LOW;
            let difference = i128::from(p) * i128::from(bound) - i128::from(limb[lane]) + borrow;
            borrow = difference >> RADIX;
        }
        in_range && borrow >= 0
    })
}
