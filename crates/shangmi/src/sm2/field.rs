//! The field modulo p in Montgomery form (R = 2^256): the coordinates of points.
//!
//! Every value is fully reduced (below p), so that equality is equality of words. Constant-time.
use super::divsteps::Modulus;
use super::limbs::{self, Limbs};
use crate::{PointError, Result, ct};

mod portable;
#[cfg(test)]
pub(super) mod tests;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_adx;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) mod x86_64_ifma;

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
use portable as arithmetic;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use x86_64 as arithmetic;

pub(super) use arithmetic::backend;

/// p = 2^256 - 2^224 - 2^96 + 2^64 - 1.
pub(super) const P: Limbs = [
    0xffff_ffff_ffff_ffff,
    0xffff_ffff_0000_0000,
    0xffff_ffff_ffff_ffff,
    0xffff_fffe_ffff_ffff,
];

/// 2^512 mod p, which takes a value into Montgomery form. Found by doubling 1.
const R2: Limbs = {
    let mut x = [1, 0, 0, 0];
    let mut i = 0;
    while i < 512 {
        x = limbs::add_mod(&x, &x, &P);
        i += 1;
    }
    x
};

/// 2^768 mod p.
const R3: Limbs = portable::mul(&R2, &R2);

const MODULUS: Modulus = Modulus::new(&P);

/// A field element x, kept as x·2^256 mod p.
#[derive(Clone, Copy, Debug, PartialEq, Eq, zeroize::Zeroize)]
pub(super) struct Field(pub(super) Limbs);

impl Field {
    pub(super) const ZERO: Self = Self([0; 4]);
    pub(super) const ONE: Self = Self::from_limbs(&[1, 0, 0, 0]);

    /// The element x < p.
    pub(super) const fn from_limbs(x: &Limbs) -> Self {
        Self(portable::mul(x, &R2))
    }

    /// The element's value below p, out of Montgomery form.
    pub(super) const fn to_limbs(self) -> Limbs {
        let x = self.0;
        portable::reduce(&[x[0], x[1], x[2], x[3], 0, 0, 0, 0])
    }

    /// Reads a coordinate; one of p or more is refused.
    pub(super) fn from_be_bytes(bytes: &[u8; 32]) -> Result<Self> {
        let x = limbs::from_be_bytes(bytes);
        if limbs::less_mask(&x, &P) == 0 {
            return Err(PointError::CoordinateOutOfRange.into());
        }
        Ok(Self::from_limbs(&x))
    }

    pub(super) fn to_be_bytes(self) -> [u8; 32] {
        limbs::to_be_bytes(&self.to_limbs())
    }

    #[inline(always)]
    pub(super) fn add(&self, other: &Self) -> Self {
        Self(arithmetic::add(&self.0, &other.0))
    }

    #[inline(always)]
    pub(super) fn sub(&self, other: &Self) -> Self {
        Self(arithmetic::sub(&self.0, &other.0))
    }

    #[inline(always)]
    pub(super) fn double(&self) -> Self {
        self.add(self)
    }

    /// self/2.
    #[inline(always)]
    pub(super) const fn halve(&self) -> Self {
        // An odd integer is taken as itself plus p.
        let odd = (self.0[0] & 1).wrapping_neg();
        let p = [P[0] & odd, P[1] & odd, P[2] & odd, P[3] & odd];
        let ([a, b, c, d], carry) = limbs::add(&self.0, &p);
        Self([
            a >> 1 | b << 63,
            b >> 1 | c << 63,
            c >> 1 | d << 63,
            d >> 1 | carry << 63,
        ])
    }

    #[inline(always)]
    pub(super) fn neg(&self) -> Self {
        Self::ZERO.sub(self)
    }

    #[inline(always)]
    pub(super) fn mul(&self, other: &Self) -> Self {
        Self(arithmetic::mul(&self.0, &other.0))
    }

    #[inline(always)]
    pub(super) fn square(&self) -> Self {
        Self(arithmetic::square(&self.0))
    }

    /// self·other at compile time.
    #[cfg(any(test, all(target_arch = "x86_64", target_feature = "sse2")))]
    pub(super) const fn const_mul(&self, other: &Self) -> Self {
        Self(portable::mul(&self.0, &other.0))
    }

    /// `other` where `mask` is all ones, `self` where it is zero.
    #[inline(always)]
    pub(super) const fn select(&self, other: &Self, mask: u64) -> Self {
        Self(limbs::select(&self.0, &other.0, mask))
    }

    /// All ones when the element is zero, else zero.
    #[inline(always)]
    pub(super) const fn is_zero_mask(&self) -> u64 {
        limbs::is_zero_mask(&self.0)
    }

    /// Whether the value is odd.
    pub(super) fn is_odd(self) -> bool {
        self.to_limbs()[0] & 1 == 1
    }

    /// self^(2^n).
    fn square_times(&self, n: usize) -> Self {
        let mut x = *self;
        for _ in 0..n {
            x = x.square();
        }
        x
    }

    /// 1/self; zero gives zero.
    pub(super) fn invert(&self) -> Self {
        // The words hold x·R, so their inverse lacks two factors R, and the product takes one more.
        Self(portable::mul(&MODULUS.invert(&self.0), &R3))
    }

    /// Replaces all elements by their inverses, with one inversion; `false`, and nonsense in their place, when one is
    /// zero. Whether one is zero is not kept secret.
    pub(super) fn invert_all<const N: usize>(elements: &mut [Self; N]) -> bool {
        // Products from the left: before[i] = x_0 ... x_(i-1).
        let mut before = [Self::ONE; N];
        let mut product = Self::ONE;
        for (slot, x) in before.iter_mut().zip(&*elements) {
            *slot = product;
            product = product.mul(x);
        }
        let mut inverse = product.invert();
        for (x, before) in elements.iter_mut().zip(before).rev() {
            (*x, inverse) = (inverse.mul(&before), inverse.mul(x));
        }
        ct::public(product.is_zero_mask() == 0)
    }

    /// A square root, when there is one: self^((p+1)/4), since p = 3 mod 4.
    ///
    /// (p + 1)/4 in bits: 31 ones, a zero, 128 ones, 31 zeros, a one, 62 zeros.
    pub(super) fn sqrt(&self) -> Option<Self> {
        let x2 = self.square().mul(self);
        let x4 = x2.square_times(2).mul(&x2);
        let x6 = x4.square_times(2).mul(&x2);
        let x12 = x6.square_times(6).mul(&x6);
        let x24 = x12.square_times(12).mul(&x12);
        let x30 = x24.square_times(6).mul(&x6);
        let x31 = x30.square().mul(self);
        let x32 = x31.square().mul(self);
        let mut x = x31.square_times(33).mul(&x32);
        for _ in 0..3 {
            x = x.square_times(32).mul(&x32);
        }
        let root = x.square_times(32).mul(self).square_times(62);
        (root.square() == *self).then_some(root)
    }
}
