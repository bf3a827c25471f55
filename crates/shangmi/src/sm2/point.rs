//! Points of y² = x³ - 3x + b over the field modulo p.
//!
//! [`Affine`] is a point that is on the curve and not infinity; [`Jacobian`] (X, Y, Z) stands for
//! (X/Z², Y/Z³), infinity when Z = 0. The curve has prime order n, so every affine point has order n.
use super::field::Field;
use crate::{PointError, Result};

#[cfg(test)]
mod tests;

/// The curve's b.
pub(super) const B: Field = Field::from_limbs(&[
    0xddbc_bd41_4d94_0e93,
    0xf397_89f5_15ab_8f92,
    0x4d5a_9e4b_cf65_09a7,
    0x28e9_fa9e_9d9f_5e34,
]);

/// The base point G.
pub(super) const G: Affine = Affine {
    x: Field::from_limbs(&[
        0x715a_4589_334c_74c7,
        0x8fe3_0bbf_f266_0be1,
        0x5f99_0446_6a39_c994,
        0x32c4_ae2c_1f19_8119,
    ]),
    y: Field::from_limbs(&[
        0x02df_32e5_2139_f0a0,
        0xd0a9_877c_c62a_4740,
        0x59bd_cee3_6b69_2153,
        0xbc37_36a2_f4f6_779c,
    ]),
};

/// A point on the curve that is not infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, zeroize::Zeroize)]
pub(super) struct Affine {
    pub(super) x: Field,
    pub(super) y: Field,
}

/// A point in Jacobian coordinates.
#[derive(Clone, Copy, Debug, zeroize::Zeroize)]
pub(super) struct Jacobian {
    pub(super) x: Field,
    pub(super) y: Field,
    pub(super) z: Field,
}

impl Affine {
    /// Checks that (x, y) lies on the curve.
    pub(super) fn new(x: Field, y: Field) -> Result<Self> {
        if y.square() != right_side(&x) {
            return Err(PointError::NotOnCurve.into());
        }
        Ok(Self { x, y })
    }

    /// The point with this x whose y is odd or even.
    pub(super) fn decompress(x: Field, y_is_odd: bool) -> Result<Self> {
        let y = right_side(&x).sqrt().ok_or(PointError::NotOnCurve)?;
        // y = 0 does not occur: a point of order two would divide the prime n.
        let y = if y.is_odd() == y_is_odd { y } else { y.neg() };
        Ok(Self { x, y })
    }

    /// -self where `mask` is all ones, self where it is zero.
    #[inline(always)]
    pub(super) fn negate_if(&self, mask: u64) -> Self {
        Self {
            x: self.x,
            y: self.y.select(&self.y.neg(), mask),
        }
    }
}

/// x³ - 3x + b.
fn right_side(x: &Field) -> Field {
    let three_x = x.double().add(x);
    x.square().mul(x).sub(&three_x).add(&B)
}

impl From<Affine> for Jacobian {
    #[inline(always)]
    fn from(point: Affine) -> Self {
        Self {
            x: point.x,
            y: point.y,
            z: Field::ONE,
        }
    }
}

impl Jacobian {
    pub(super) const INFINITY: Self = Self {
        x: Field::ONE,
        y: Field::ONE,
        z: Field::ZERO,
    };

    /// 2·self: 4 products and 4 squares, right for every point, infinity included.
    pub(super) fn double(&self) -> Self {
        let w = self.y.double();
        let z = w.mul(&self.z);
        let delta = self.z.square();
        let slope = self.x.sub(&delta).mul(&self.x.add(&delta));
        let alpha = slope.double().add(&slope);
        let gamma4 = w.square();
        let beta4 = self.x.mul(&gamma4);
        let x = alpha.square().sub(&beta4.double());
        let gamma2_8 = gamma4.square().halve();
        let y = alpha.mul(&beta4.sub(&x)).sub(&gamma2_8);
        Self { x, y, z }
    }

    /// self + other, 8 products and 3 squares.
    ///
    /// Right unless self is infinity or self = ±other; self = -other gives infinity (Z = 0) as it
    /// should, the other cases are the caller's to exclude or to select away.
    #[inline(always)]
    pub(super) fn add_affine(&self, other: &Affine) -> Self {
        let zz = self.z.square();
        let h = other.x.mul(&zz).sub(&self.x);
        let r = other.y.mul(&zz.mul(&self.z)).sub(&self.y);
        self.finish_addition(&self.x, &self.y, &h, &r, &self.z)
    }

    /// self + other, 12 products and 4 squares; exceptions as in [`add_affine`](Self::add_affine),
    /// and other must not be infinity.
    pub(super) fn add(&self, other: &Self) -> Self {
        let zz1 = self.z.square();
        let zz2 = other.z.square();
        let u1 = self.x.mul(&zz2);
        let s1 = self.y.mul(&zz2.mul(&other.z));
        let h = other.x.mul(&zz1).sub(&u1);
        let r = other.y.mul(&zz1.mul(&self.z)).sub(&s1);
        self.finish_addition(&u1, &s1, &h, &r, &self.z.mul(&other.z))
    }

    /// The common end of both additions, over a common denominator: the first point is (u1, s1),
    /// the second (u1 + h, s1 + r).
    #[inline(always)]
    fn finish_addition(&self, u1: &Field, s1: &Field, h: &Field, r: &Field, z: &Field) -> Self {
        let hh = h.square();
        let hhh = hh.mul(h);
        let v = u1.mul(&hh);
        let x = r.square().sub(&hhh).sub(&v.double());
        let y = r.mul(&v.sub(&x)).sub(&s1.mul(&hhh));
        Self { x, y, z: z.mul(h) }
    }

    /// self + other for any two points, in constant time: an addition, a doubling and selects.
    #[cfg(any(test, all(target_arch = "x86_64", target_feature = "sse2")))]
    pub(super) fn add_complete(&self, other: &Self) -> Self {
        let sum = self.add(other);
        let same = self.equal_mask(other);
        let sum = sum.select(&self.double(), same);
        let sum = sum.select(self, other.z.is_zero_mask());
        sum.select(other, self.z.is_zero_mask())
    }

    /// self + other for any point self; variable-time, for public points.
    pub(super) fn add_affine_vartime(&self, other: &Affine) -> Self {
        if self.z == Field::ZERO {
            return (*other).into();
        }
        let zz = self.z.square();
        let h = other.x.mul(&zz).sub(&self.x);
        let r = other.y.mul(&zz.mul(&self.z)).sub(&self.y);
        if h == Field::ZERO && r == Field::ZERO {
            return self.double();
        }
        self.finish_addition(&self.x, &self.y, &h, &r, &self.z)
    }

    /// All ones when both stand for the same point and neither is infinity, else zero.
    #[cfg(any(test, all(target_arch = "x86_64", target_feature = "sse2")))]
    fn equal_mask(&self, other: &Self) -> u64 {
        let zz1 = self.z.square();
        let zz2 = other.z.square();
        let dx = self.x.mul(&zz2).sub(&other.x.mul(&zz1));
        let dy = self
            .y
            .mul(&zz2.mul(&other.z))
            .sub(&other.y.mul(&zz1.mul(&self.z)));
        let infinite = self.z.is_zero_mask() | other.z.is_zero_mask();
        dx.is_zero_mask() & dy.is_zero_mask() & !infinite
    }

    /// `other` where `mask` is all ones, `self` where it is zero.
    #[inline(always)]
    pub(super) fn select(&self, other: &Self, mask: u64) -> Self {
        Self {
            x: self.x.select(&other.x, mask),
            y: self.y.select(&other.y, mask),
            z: self.z.select(&other.z, mask),
        }
    }

    /// -self where `mask` is all ones, self where it is zero.
    #[inline(always)]
    pub(super) fn negate_if(&self, mask: u64) -> Self {
        Self {
            x: self.x,
            y: self.y.select(&self.y.neg(), mask),
            z: self.z,
        }
    }

    /// The affine point, or `None` for infinity: one inversion.
    pub(super) fn to_affine(self) -> Option<Affine> {
        let [point] = Self::to_affine_array([self])?;
        Some(point)
    }

    /// The affine x coordinate: one inversion. Zero for infinity.
    pub(super) fn affine_x(&self) -> Field {
        self.x.mul(&self.z.invert().square())
    }

    /// The affine points for one inversion in all, or `None` when one of them is infinity.
    ///
    /// Whether one is infinity is not kept secret.
    pub(super) fn to_affine_array<const N: usize>(points: [Self; N]) -> Option<[Affine; N]> {
        let mut inverses = points.each_ref().map(|point| point.z);
        if !Field::invert_all(&mut inverses) {
            return None;
        }
        let mut out = [G; N];
        for ((out, point), z_inverse) in out.iter_mut().zip(points).zip(inverses) {
            let zz = z_inverse.square();
            out.x = point.x.mul(&zz);
            out.y = point.y.mul(&zz.mul(&z_inverse));
        }
        Some(out)
    }

    /// Whether the point's x coordinate is `x`; variable-time, without an inversion.
    pub(super) fn has_x_vartime(&self, x: &Field) -> bool {
        self.z != Field::ZERO && x.mul(&self.z.square()) == self.x
    }
}
