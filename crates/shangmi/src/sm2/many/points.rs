//! Eight points at once, in Jacobian coordinates over the lanes.
//!
//! The formulas are those of `sm2/point.rs`, with one change: they give -(P + Q) and -2·P. The sign makes the last
//! coordinate a sum of two products instead of a difference, and such a sum needs one reduction, not two. Each point
//! says in which lanes it is to be read negated. The number before a line's result is its bound in
//! multiples of p, which the compiler checks.
use super::super::field::Field;
use super::super::field::x86_64_ifma::{LANES, Lanes, Mask, Sum, add, reduce, sub, sub_reduced};
use super::super::point::{Affine, Jacobian};
use crate::cpu;

/// Eight points, none of them infinity: (X/Z², Y/Z³), or (X/Z², -Y/Z³) in the lanes of `negated`.
#[derive(Clone, Copy)]
pub(super) struct Points {
    pub(super) x: Lanes<2>,
    pub(super) y: Lanes<3>,
    pub(super) z: Lanes<2>,
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
    pub(super) fn from_affine(token: cpu::Ifma, points: &[Affine; LANES]) -> Self {
        Self {
            x: Lanes::from_fields(token, points.each_ref().map(|point| point.x)),
            y: widen(&Lanes::from_fields(
                token,
                points.each_ref().map(|point| point.y),
            )),
            z: Lanes::splat(token, &Field::ONE),
            negated: 0,
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn from_terms(token: cpu::Ifma, terms: &Terms) -> Self {
        Self {
            x: reduce(&terms.x),
            y: widen(&reduce(&terms.y)),
            z: Lanes::splat(token, &Field::ONE),
            negated: terms.negated,
        }
    }

    /// 2·self: 5 products, 2 squares and a sum of two products.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn double(&self) -> Self {
        let Self { x, y, z, .. } = self;
        let delta: Lanes<2> = z.square();
        let y2: Lanes<6> = add(y, y).carry();
        let z3 = y2.mul(z);
        // 2Y², and from it 8Y⁴ as a product.
        let gamma2: Lanes<3> = y2.mul(y);
        let gamma4: Lanes<6> = add(&gamma2, &gamma2).carry();
        // 2XY²
        let beta2: Lanes<2> = x.mul(&gamma2);
        let slope: Lanes<2> = sub::<_, _, 4>(x, &delta).mul(&add::<_, _, 4>(x, &delta).carry());
        let slope2: Sum<4> = add(&slope, &slope);
        let alpha: Lanes<2> = reduce(&add::<_, _, 6>(&slope2, &slope));
        let beta4: Sum<4> = add(&beta2, &beta2);
        let x3 = sub_reduced(&alpha.square::<2>(), &add::<_, _, 8>(&beta4, &beta4));
        let y3 = alpha.mul_add(&sub::<_, _, 6>(&x3, &beta4), &gamma2, &gamma4);
        Self {
            x: x3,
            y: y3,
            z: z3,
            negated: !self.negated,
        }
    }

    /// self + terms: 7 products, 3 squares and a sum of two products.
    ///
    /// Where both are equal or opposite, Z becomes zero modulo p, and stays so in whatever is computed from the result.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn add_terms(&self, terms: &Terms) -> Self {
        let zz: Lanes<2> = self.z.square();
        let u2: Lanes<3> = terms.x.mul(&zz);
        let s2: Lanes<3> = terms.y.mul(&zz.mul::<2, 2>(&self.z));
        let h: Lanes<5> = sub(&u2, &self.x);
        let r: Lanes<6> = sub(&s2.negate_if(terms.negated ^ self.negated), &self.y);
        finish_addition(&self.x, &self.y, &h, &r, &self.z, !self.negated)
    }

    /// self + other: 11 products, 4 squares and a sum of two products; exceptions as for
    /// [`add_terms`](Self::add_terms).
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn add(&self, other: &Self) -> Self {
        let zz1: Lanes<2> = self.z.square();
        let zz2: Lanes<2> = other.z.square();
        let u1: Lanes<2> = self.x.mul(&zz2);
        let s1: Lanes<2> = self.y.mul(&zz2.mul::<2, 2>(&other.z));
        let u2: Lanes<2> = other.x.mul(&zz1);
        let s2: Lanes<2> = other.y.mul(&zz1.mul::<2, 2>(&self.z));
        let h: Lanes<5> = sub(&u2, &u1);
        let r: Lanes<6> = sub(&s2.negate_if(other.negated ^ self.negated), &s1);
        let z = self.z.mul(&other.z);
        finish_addition(&u1, &widen(&s1), &h, &r, &z, !self.negated)
    }

    /// The same points with no lane to be read negated.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn settled(&self) -> Self {
        Self {
            y: self.y.negate_if(self.negated).carry(),
            negated: 0,
            ..*self
        }
    }

    /// In lane i the point of lane i ^ `distance`; settled.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn exchanged(&self, distance: usize) -> Self {
        Self {
            x: self.x.exchanged(distance),
            y: self.y.exchanged(distance),
            z: self.z.exchanged(distance),
            negated: self.negated,
        }
    }

    /// The point of the first lane; settled.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn first(&self) -> Jacobian {
        Jacobian {
            x: self.x.to_fields()[0],
            y: self.y.to_fields()[0],
            z: self.z.to_fields()[0],
        }
    }

    /// `other` in the lanes of `mask`, `self` in the others; both settled.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn select(&self, other: &Self, mask: Mask) -> Self {
        Self {
            x: self.x.select(&other.x, mask),
            y: self.y.select(&other.y, mask),
            z: self.z.select(&other.z, mask),
            negated: self.negated,
        }
    }
}

/// The common end of both additions, as in `sm2/point.rs`: the first point is (u1, s1), the second
/// (u1 + h, s1 + r), over a common denominator. Gives the negated sum.
#[inline(always)]
fn finish_addition(
    u1: &Lanes<2>,
    s1: &Lanes<3>,
    h: &Lanes<5>,
    r: &Lanes<6>,
    z: &Lanes<2>,
    negated: Mask,
) -> Points {
    let hh: Lanes<3> = h.square();
    let hhh: Lanes<2> = hh.mul(h);
    let v: Lanes<2> = u1.mul(&hh);
    let v2: Sum<4> = add(&v, &v);
    let x = sub_reduced(&r.square::<4>(), &add::<_, _, 6>(&v2, &hhh));
    let y = r.mul_add(&sub::<_, _, 4>(&x, &v), s1, &hhh);
    Points {
        x,
        y,
        z: z.mul(h),
        negated,
    }
}

/// The same value under a wider bound.
#[inline(always)]
fn widen(x: &Lanes<2>) -> Lanes<3> {
    x.bounded_by()
}
