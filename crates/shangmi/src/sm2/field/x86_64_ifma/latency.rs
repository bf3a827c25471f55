//! Products that the code has to wait for, because one makes the operands of the next.
//!
//! Lower and upper halves of products are added up apart, and the steps of the reduction stand between the columns,
//! each as soon as its column is there: behind all of the columns they would wait for products that nobody
//! needs yet. What is only multiplied is not masked, and sums are taken before the carry, so that one carry does. Where
//! there is other work to do, all this gains nothing (64 multiples of G: 4 % slower).
use super::lazy::{Columns, Factor};
use super::{K, MOST, Mask, P4, RADIX, Vector, permuted, start};

impl<const B: u64> Factor<B> {
    /// a·b: less than (1 + A·B·p/2^260)·p. The same sums as in [`mul`](Self::mul) in another order.
    #[inline(always)]
    pub(in crate::sm2) fn mul_awaited<const D: u64, const C: u64>(
        &self,
        other: &Factor<D>,
    ) -> Columns<C> {
        const { assert!(B * D <= 16 * (C - 1)) };
        let (a, b) = (&self.0, &other.0);
        let mut low = start(a[0].token());
        let mut high = [a[0].same(0); 10];
        let (low, high) = (&mut low, &mut high);
        add_column::<0>(low, high, a, b);
        add_column::<1>(low, high, a, b);
        add_column::<2>(low, high, a, b);
        add_column::<3>(low, high, a, b);
        fold_split_column::<0>(low, high);
        add_column::<4>(low, high, a, b);
        fold_split_column::<1>(low, high);
        add_column::<5>(low, high, a, b);
        fold_split_column::<2>(low, high);
        add_column::<6>(low, high, a, b);
        fold_split_column::<3>(low, high);
        add_column::<7>(low, high, a, b);
        fold_split_column::<4>(low, high);
        add_column::<8>(low, high, a, b);
        add_column::<9>(low, high, a, b);
        Columns([
            low[5],
            low[6].add(high[6]),
            low[7].add(high[7]),
            low[8].add(high[8]),
            low[9].add(high[9]),
        ])
    }

    /// In every lane what the lane of that number in `order` has.
    #[inline(always)]
    pub(in crate::sm2) fn permuted(&self, order: Vector) -> Self {
        Self(permuted(&self.0, order))
    }

    /// The same, of self and, from 8 on, of `other`.
    #[inline(always)]
    pub(in crate::sm2) fn permuted_with(&self, other: &Self, order: Vector) -> Self {
        let mut out = self.0;
        for (limb, other) in out.iter_mut().zip(other.0) {
            *limb = limb.permuted_with(other, order);
        }
        Self(out)
    }
}

impl<const B: u64> Columns<B> {
    /// In every lane what the lane of that number in `order` has.
    #[inline(always)]
    pub(in crate::sm2) fn permuted(&self, order: Vector) -> Self {
        Self(permuted(&self.0, order))
    }

    /// In every lane the product by 2 to the number in `powers`, which is at most log2(C/B); or 0, where that is 64.
    #[inline(always)]
    pub(in crate::sm2) fn times_powers<const C: u64>(&self, powers: Vector) -> Columns<C> {
        const { assert!(C <= MOST) };
        debug_assert!(powers.store().iter().all(|&n| n == 64 || B << n <= C));
        let [a, b, c, d, e] = self.0;
        Columns([
            a.left_by(powers),
            b.left_by(powers),
            c.left_by(powers),
            d.left_by(powers),
            e.left_by(powers),
        ])
    }

    /// self - other in the lanes of `mask`, self in the others.
    #[inline(always)]
    pub(in crate::sm2) fn sub_where<const D: u64, const C: u64>(
        &self,
        mask: Mask,
        other: &Columns<D>,
    ) -> Columns<C> {
        let difference: Columns<C> = self.sub(other);
        self.bounded_by().select(&difference, mask)
    }

    /// self + other in the lanes of `mask`, self in the others.
    #[inline(always)]
    pub(in crate::sm2) fn add_where<const D: u64, const C: u64>(
        &self,
        mask: Mask,
        other: &Columns<D>,
    ) -> Columns<C> {
        const { assert!(B + D <= C && C <= MOST) };
        let mut out = self.0;
        for (limb, other) in out.iter_mut().zip(other.0) {
            *limb = limb.add_where(mask, other);
        }
        Columns(out)
    }
}

/// Column C of a·b: the lower halves of the products that have them there, and the upper halves of those one below.
#[inline(always)]
fn add_column<const C: usize>(
    low: &mut [Vector; 10],
    high: &mut [Vector; 10],
    a: &[Vector; 5],
    b: &[Vector; 5],
) {
    for i in 0..5 {
        if i <= C && C - i < 5 {
            low[C] = low[C].add_low(a[C - i], b[i]);
        }
        if i < C && C - 1 - i < 5 {
            high[C] = high[C].add_high(a[C - 1 - i], b[i]);
        }
    }
}

/// A step of [`reduce_columns`] where columns are in two parts. `low[C]` is complete, and makes `low[C + 1]` so.
#[inline(always)]
fn fold_split_column<const C: usize>(low: &mut [Vector; 10], high: &mut [Vector; 10]) {
    let m = low[C];
    let (other, k, p4) = (m.not(), m.same(K), m.same(P4));
    low[C + 1] = low[C + 1]
        .add(high[C + 1])
        .add_low(other, k)
        .add(m.right_signed::<RADIX>());
    high[C + 2] = high[C + 2].add_high(other, k);
    high[C + 4] = high[C + 4].add_low(m, p4);
    high[C + 5] = high[C + 5].add_high(m, p4);
}
