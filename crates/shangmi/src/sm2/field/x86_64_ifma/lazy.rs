//! Products whose carries are left to what is done with them next: fewest instructions, for formulas with many products.
//!
//! [`Columns`] can be added and are not carried: what the columns of a product hold. A [`Factor`] can be multiplied: the
//! instruction drops what lies above 52 bits, so carried limbs need no masks. [`Lanes`], which have them, are both. A product is
//! 85 instructions this way, of which 70 multiply, and 8 more make a factor of it; the parent's are 97.
use super::{
    K, LOW, Lanes, MOST, Mask, Vector, add_product, at_most, bias, carry, reduced_columns, ripple,
    select, square_columns, start, subtract,
};

/// At most B·p, in limbs between -B·2^56 and B·2^56.
#[derive(Clone, Copy)]
pub(in crate::sm2) struct Columns<const B: u64>(pub(super) [Vector; 5]);

/// At most B·p <= 16·p: the low 52 bits of the limbs.
#[derive(Clone, Copy)]
pub(in crate::sm2) struct Factor<const B: u64>(pub(super) [Vector; 5]);

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
        let mut columns = start(self.0[0].token());
        add_product(&mut columns, &self.0, &other.0);
        Columns(reduced_columns(columns))
    }

    #[inline(always)]
    pub(in crate::sm2) fn square<const E: u64>(&self) -> Columns<E> {
        const { assert!(B * B <= 16 * (E - 1)) };
        Columns(reduced_columns(square_columns(&self.0)))
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
        Columns(reduced_columns(columns))
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
        let mut columns = start(self.0[0].token());
        add_product(&mut columns, &self.0, &a.0);
        add_product(&mut columns, &b.0, &c.0);
        Columns(reduced_columns(columns))
    }

    #[inline(always)]
    pub(in crate::sm2) fn lanes(&self) -> Lanes<B> {
        let low = self.0[0].same(LOW);
        let [a, b, c, d, e] = self.0;
        Lanes::new([a.and(low), b.and(low), c.and(low), d.and(low), e.and(low)])
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
        Factor(ripple(self.0))
    }

    /// A value of at most 16·p, brought below 2·p.
    #[inline(always)]
    pub(in crate::sm2) fn reduce(&self) -> Lanes<2> {
        self.reduce_to_factor().lanes()
    }

    /// [`reduce`](Self::reduce) to be multiplied only.
    ///
    /// With q = the bits of the top limb from 2^256 on, x - q·p = x - q·2^256 + q·(2^224 + 2^96 - 2^64 + 1). The other limbs,
    /// within 2^60, move x by less than 2^217 when they are carried. So x - q·2^256 lies between -2^217 and 2^256 + 2^217; for q > 0 the
    /// 2^224 makes it positive, for q = 0 it is x itself, for q = -1 (x near 0) it is x + p. All are below
    /// 2^256 + 2^229 < 2·p. What is multiplied is q + 1, as products are unsigned.
    #[inline(always)]
    pub(in crate::sm2) fn reduce_to_factor(&self) -> Factor<2> {
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
        let x1 = x1.sub(q.same(K)).add_low(q, q.same(K));
        Columns::<2>([x0, x1, x2, x3, top]).carry()
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
        let zero = self.0[0].same(0);
        let p = add_p::<B>([zero; 5]);
        let mut out = self.0;
        for (limb, p) in out.iter_mut().zip(p) {
            *limb = limb.subtracted_where(mask, p);
        }
        Self(out)
    }

    /// `other` in the lanes of `mask`, `self` in the others.
    #[inline(always)]
    pub(in crate::sm2) fn select(&self, other: &Self, mask: Mask) -> Self {
        Self(select(&self.0, &other.0, mask))
    }
}

/// x + B·p.
#[inline(always)]
fn add_p<const B: u64>(mut x: [Vector; 5]) -> [Vector; 5] {
    let [a, b, e] = bias(x[0].token(), B);
    x[0] = x[0].add(a);
    x[1] = x[1].add(b);
    x[4] = x[4].add(e);
    x
}
