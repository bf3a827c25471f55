//! Eight points at once, in Jacobian coordinates over the lanes.
//!
//! Points are (X : W : Z) with x = X/Z² and y = W/2Z³: with W = 2Y in place of Y, a doubling is four products and four squares
//! with hardly a small multiple between them. The formulas are those of `sm2/point.rs` otherwise, but give -(P + Q) and -2·P: the sign
//! makes the last coordinate a sum of two products instead of a difference, and such a sum needs one reduction, not
//! two. Each point says in which lanes it is to be read negated. The numbers in the types are bounds in multiples of p, which the
//! compiler checks.
use super::super::field::Field;
use super::super::field::x86_64_ifma::lazy::{Columns, Factor};
use super::super::field::x86_64_ifma::{LANES, Lanes, Mask};
use crate::cpu;

/// Eight points, none of them infinity: (X/Z², W/2Z³), or (X/Z², -W/2Z³) in the lanes of `negated`.
#[derive(Clone, Copy)]
pub(super) struct Points {
    pub(super) x: Lanes<2>,
    pub(super) w: Columns<4>,
    pub(super) z: Factor<3>,
    pub(super) negated: Mask,
}

/// Eight affine points from a table, negated in the lanes of `negated`.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub(super) x: Lanes<16>,
    pub(super) y: Lanes<16>,
    pub(super) negated: Mask,
}

impl Points {
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn from_terms(token: cpu::Ifma, terms: &Terms) -> Self {
        let [x, y] = [terms.x, terms.y].map(|lanes| lanes.columns().reduce());
        Self {
            x,
            w: y.columns().double(),
            z: Lanes::one(token).factor().bounded_by(),
            negated: terms.negated,
        }
    }

    /// 2^n·self, without a way through memory between the doublings.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn double_times(mut self, n: usize) -> Self {
        for _ in 0..n {
            self = self.double();
        }
        self
    }

    /// 2·self: 3 products, 4 squares, and a product and a square with one reduction.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn double(&self) -> Self {
        let Self { x, z, .. } = self;
        let w = self.w.carry();
        let delta: Columns<2> = z.square();
        let z3: Columns<2> = w.mul(z);
        // 3(X - Z²)(X + Z²)
        let left: Columns<4> = x.columns().sub(&delta);
        let left: Columns<12> = left.double::<8>().add(&left);
        let right: Columns<4> = x.columns().add(&delta);
        let alpha: Factor<4> = left.carry().mul(&right.carry()).carry();
        // 4Y², 4XY²
        let gamma: Factor<2> = w.square().carry();
        let beta: Columns<2> = x.factor().mul(&gamma);
        let x3 = alpha.square::<2>().sub::<4, 6>(&beta.double()).reduce();
        let rest: Columns<4> = x3.columns().sub(&beta);
        Self {
            x: x3,
            w: alpha.mul_add_square(&rest.double::<8>().carry(), &gamma),
            z: z3.carry().bounded_by(),
            negated: !self.negated,
        }
    }

    /// Adds the terms: 6 products, 3 squares, and two products with one reduction. In place: a result would be copied.
    ///
    /// Where both are equal or opposite, Z becomes zero modulo p, and stays so in whatever is computed from the result.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn add_terms(&mut self, terms: &Terms) {
        let zz: Factor<2> = self.z.square().carry();
        let zzz: Factor<2> = zz.mul(&self.z).carry();
        let u2: Columns<3> = terms.x.factor().mul(&zz);
        let s2: Columns<3> = terms.y.factor().mul(&zzz);
        let s2: Columns<6> = s2.double().negate_if(terms.negated ^ self.negated);
        let (h, r) = (u2.sub(&self.x.columns()), s2.sub(&self.w));
        *self = finish_addition(&self.x, &self.w, &h, &r, &self.z, !self.negated);
    }

    /// The lanes where the point's x coordinate is that of `x`, and those where that is known: where no addition was exceptional.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn have_x(&self, token: cpu::Ifma, x: [Field; LANES]) -> (Mask, Mask) {
        let x = Lanes::from_fields(token, x);
        let zz: Factor<2> = self.z.square().carry();
        let expected: Columns<2> = x.factor().mul(&zz);
        let difference: Columns<4> = expected.sub(&self.x.columns());
        (difference.reduce().is_zero(), !self.z.lanes().is_zero())
    }

    /// The same points with no lane to be read negated.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn settled(&self) -> Self {
        Self {
            w: self.w.negate_if(self.negated),
            negated: 0,
            ..*self
        }
    }

    /// The opposite points.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn negated(&self) -> Self {
        Self {
            negated: !self.negated,
            ..*self
        }
    }

    /// 2Z, 4X and ±4W, which are Jacobian coordinates over (X/Z², Y/Z³).
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn double_z(&self) -> Lanes<2> {
        self.z.lanes().columns().double::<6>().reduce()
    }

    /// 4X and ±4W, which with 2Z are Jacobian coordinates in the common sense.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn xy(&self) -> (Lanes<2>, Lanes<2>) {
        let x = self.x.columns().double::<4>().double::<8>();
        let w = self.w.negate_if(self.negated);
        (x.reduce(), w.double::<8>().double::<16>().reduce())
    }

    /// `other` in the lanes of `mask`, `self` in the others; both settled.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn select(&self, other: &Self, mask: Mask) -> Self {
        Self {
            x: self.x.select(&other.x, mask),
            w: self.w.select(&other.w, mask),
            z: self.z.select(&other.z, mask),
            negated: self.negated,
        }
    }
}

/// The common end of both additions, over a common denominator: the first point is (u1, w1/2), the second
/// (u1 + h, (w1 + r)/2). Gives the negated sum.
#[inline(always)]
fn finish_addition(
    u1: &Lanes<2>,
    w1: &Columns<4>,
    h: &Columns<5>,
    r: &Columns<10>,
    z: &Factor<3>,
    negated: Mask,
) -> Points {
    let (h2, h, r) = (h.double::<10>().carry(), h.carry(), r.carry());
    let hh: Factor<8> = h2.square().carry();
    let hhh: Columns<4> = h.mul(&hh);
    let v: Columns<2> = u1.factor().mul(&hh);
    let most: Columns<8> = v.double::<4>().add(&hhh);
    let x = r.square::<8>().sub::<8, 16>(&most).reduce();
    let rest: Columns<4> = x.columns().sub(&v);
    let y: Columns<5> = r.mul_add(&rest.carry(), &w1.carry(), &hhh.carry());
    Points {
        x,
        w: y.double::<10>().reduce().columns().bounded_by(),
        z: z.mul(&h2).carry(),
        negated,
    }
}
