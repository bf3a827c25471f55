//! Products whose carries are left to what is done with them next: fewest instructions, for formulas with many products.
//!
//! [`Columns`] can be added and are not carried: what the columns of a product hold. A [`Factor`] can be multiplied: the
//! instruction drops what lies above 52 bits, so carried limbs need no masks. [`Lanes`], which have them, are both. A product is
//! 86 instructions this way, of which 70 multiply, and 8 more make a factor of it; the parent's are 102.
use super::{
    LOW, Lanes, MOST, Mask, P4, RADIX, Vector, add_product, at_most, carry, exchanged, select,
    square_columns, subtract,
};

/// At most B·p, in limbs between -B·2^56 and B·2^56.
#[derive(Clone, Copy)]
pub(in crate::sm2) struct Columns<const B: u64>([Vector; 5]);

/// At most B·p <= 16·p: the low 52 bits of the limbs.
#[derive(Clone, Copy)]
pub(in crate::sm2) struct Factor<const B: u64>([Vector; 5]);

impl<const B: u64> Lanes<B> {
    #[inline(always)]
    pub(in crate::sm2) fn columns(&self) -> Columns<B> {
        Columns(self.0)
    }

    #[inline(always)]
    pub(in crate::sm2) fn factor(&self) -> Factor<B> {
        Factor(self.0)
    }

    /// The limbs, to be kept.
    #[inline(always)]
    pub(in crate::sm2) fn to_limbs(self) -> [Vector; 5] {
        self.0
    }

    /// What [`to_limbs`](Self::to_limbs) gave, of values within the bound.
    #[inline(always)]
    pub(in crate::sm2) fn from_limbs(limbs: [Vector; 5]) -> Self {
        Self::new(limbs)
    }
}

impl<const B: u64> Factor<B> {
    /// The same under a wider bound.
    #[inline(always)]
    pub(in crate::sm2) fn bounded_by<const D: u64>(self) -> Factor<D> {
        const { assert!(B <= D && D <= MOST) };
        Factor(self.0)
    }

    /// a·b: the bound is that of [`Lanes::mul`], and a column is below 12·2^52.
    #[inline(always)]
    pub(in crate::sm2) fn mul<const D: u64, const E: u64>(&self, other: &Factor<D>) -> Columns<E> {
        const { assert!(B * D <= 16 * (E - 1)) };
        let mut columns = [self.0[0].same(0); 10];
        add_product(&mut columns, &self.0, &other.0);
        Columns(reduce_columns(columns))
    }

    #[inline(always)]
    pub(in crate::sm2) fn square<const E: u64>(&self) -> Columns<E> {
        const { assert!(B * B <= 16 * (E - 1)) };
        Columns(reduce_columns(square_columns(&self.0)))
    }

    /// self·a + b² with one reduction.
    #[inline(always)]
    pub(in crate::sm2) fn mul_add_square<const A: u64, const D: u64, const E: u64>(
        &self,
        a: &Factor<A>,
        b: &Factor<D>,
    ) -> Columns<E> {
        const { assert!(B * A + D * D <= 16 * (E - 1)) };
        let mut columns = square_columns(&b.0);
        add_product(&mut columns, &self.0, &a.0);
        Columns(reduce_columns(columns))
    }

    /// self·a + b·c with one reduction.
    #[inline(always)]
    pub(in crate::sm2) fn mul_add<const A: u64, const D: u64, const F: u64, const E: u64>(
        &self,
        a: &Factor<A>,
        b: &Factor<D>,
        c: &Factor<F>,
    ) -> Columns<E> {
        const { assert!(B * A + D * F <= 16 * (E - 1)) };
        let mut columns = [self.0[0].same(0); 10];
        add_product(&mut columns, &self.0, &a.0);
        add_product(&mut columns, &b.0, &c.0);
        Columns(reduce_columns(columns))
    }

    #[inline(always)]
    pub(in crate::sm2) fn lanes(&self) -> Lanes<B> {
        let low = self.0[0].same(LOW);
        let [a, b, c, d, e] = self.0;
        Lanes::new([a.and(low), b.and(low), c.and(low), d.and(low), e.and(low)])
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
}

impl<const B: u64> Columns<B> {
    /// The same value as a factor.
    #[inline(always)]
    pub(in crate::sm2) fn carry(&self) -> Factor<B> {
        const { assert!(B <= MOST) };
        debug_assert!(at_most(&carry(self.0), B), "at most {B}·p");
        let [x0, x1, x2, x3, x4] = self.0;
        let x1 = x1.add(x0.right_signed::<RADIX>());
        let x2 = x2.add(x1.right_signed::<RADIX>());
        let x3 = x3.add(x2.right_signed::<RADIX>());
        let x4 = x4.add(x3.right_signed::<RADIX>());
        Factor([x0, x1, x2, x3, x4])
    }

    /// A value of at most 16·p, brought below 2·p, as the parent's `reduce` does.
    ///
    /// With q = the bits of the top limb from 2^256 on, x - q·p = x - q·2^256 + q·(2^224 + 2^96 - 2^64 + 1). The other limbs,
    /// within 2^60, move x by less than 2^217 when they are carried. So x - q·2^256 lies between -2^217 and 2^256 + 2^217; for q > 0 the
    /// 2^224 makes it positive, for q = 0 it is x itself, for q = -1 (x near 0) it is x + p. All are below
    /// 2^256 + 2^229 < 2·p. What is multiplied is q + 1, as products are unsigned.
    #[inline(always)]
    pub(in crate::sm2) fn reduce(&self) -> Lanes<2> {
        const { assert!(B <= MOST) };
        const TOP: u64 = 1 << 48;
        let [x0, x1, x2, x3, x4] = self.0;
        let x4 = x4.add(x4.same(TOP));
        let q = x4.right::<48>();
        let top = x4
            .and(q.same(TOP - 1))
            .sub(q.same(1 << 16))
            .add(q.left::<16>());
        let x0 = x0.sub(q.same(1)).add(q);
        let x1 = x1.sub(q.same(C)).add_low(q, q.same(C));
        Lanes::new(carry([x0, x1, x2, x3, top]))
    }

    /// The same under a wider bound.
    #[inline(always)]
    pub(in crate::sm2) fn bounded_by<const D: u64>(self) -> Columns<D> {
        const { assert!(B <= D) };
        Columns(self.0)
    }

    #[inline(always)]
    pub(in crate::sm2) fn add<const D: u64, const E: u64>(&self, other: &Columns<D>) -> Columns<E> {
        const { assert!(B + D <= E) };
        let (a, b) = (&self.0, &other.0);
        Columns([
            a[0].add(b[0]),
            a[1].add(b[1]),
            a[2].add(b[2]),
            a[3].add(b[3]),
            a[4].add(b[4]),
        ])
    }

    #[inline(always)]
    pub(in crate::sm2) fn double<const D: u64>(&self) -> Columns<D> {
        self.add(self)
    }

    /// a - b, as a - b + (b's bound)·p.
    #[inline(always)]
    pub(in crate::sm2) fn sub<const D: u64, const E: u64>(&self, other: &Columns<D>) -> Columns<E> {
        const { assert!(B + D <= E) };
        Columns(add_p::<D>(subtract(&self.0, &other.0)))
    }

    /// -self in the lanes of `mask`, as B·p - self.
    #[inline(always)]
    pub(in crate::sm2) fn negate_if(&self, mask: Mask) -> Self {
        let negative = add_p::<B>(subtract(&[self.0[0].same(0); 5], &self.0));
        Self(select(&self.0, &negative, mask))
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
}

/// p is -1 - 2^52·C + 2^208·P4.
const C: u64 = (1 << 44) - (1 << 12);

/// x + B·p, which touches three limbs only.
#[inline(always)]
fn add_p<const B: u64>(mut x: [Vector; 5]) -> [Vector; 5] {
    x[0] = x[0].sub(x[0].same(B));
    x[1] = x[1].sub(x[1].same(B * C));
    x[4] = x[4].add(x[4].same(B * P4));
    x
}

/// (t + m·p)/2^260 for the m below 2^260 that makes it whole, with t in columns of at most 2^57.
///
/// The step for column i: with m_i its low 52 bits, column - m_i is the carry to the next, and the rest of m_i·p is -m_i·C in
/// column i + 1 and m_i·P4 in column i + 4. What is negative has columns of its own, which are subtracted when a
/// column is next.
#[inline(always)]
fn reduce_columns(mut t: [Vector; 10]) -> [Vector; 5] {
    let (c, p4) = (t[0].same(C), t[0].same(P4));
    let mut negative = [t[0].same(0); 7];
    for i in 0..5 {
        let m = t[i].sub(negative[i]);
        t[i + 1] = t[i + 1].add(m.right_signed::<RADIX>());
        negative[i + 1] = negative[i + 1].add_low(m, c);
        negative[i + 2] = negative[i + 2].add_high(m, c);
        t[i + 4] = t[i + 4].add_low(m, p4);
        t[i + 5] = t[i + 5].add_high(m, p4);
    }
    let (t5, t6) = (t[5].sub(negative[5]), t[6].sub(negative[6]));
    [t5, t6, t[7], t[8], t[9]]
}
