//! Integers modulo n, the order of the base point: private keys, nonces and signatures.
//!
//! Values are kept as plain integers below n; a product goes through Montgomery form. Constant-time
//! unless the name says `_vartime`.
use super::divsteps::Modulus;
use super::limbs::{self, Limbs, mac};
use crate::{Error, Result, ct, rng::Rng};
use zeroize::{Zeroize, Zeroizing};

#[cfg(test)]
mod tests;

/// n, the order of the base point.
pub(super) const N: Limbs = [
    0x53bb_f409_39d5_4123,
    0x7203_df6b_21c6_052b,
    0xffff_ffff_ffff_ffff,
    0xffff_fffe_ffff_ffff,
];

/// -1/n mod 2^64, by Newton's iteration: each step doubles the number of right bits.
const N_INVERSE: u64 = {
    let mut x: u64 = 1;
    let mut i = 0;
    while i < 6 {
        x = x.wrapping_mul(2u64.wrapping_sub(N[0].wrapping_mul(x)));
        i += 1;
    }
    x.wrapping_neg()
};

/// 2^512 mod n, which takes a value into Montgomery form. Found by doubling 1.
const R2: Limbs = {
    let mut x = [1, 0, 0, 0];
    let mut i = 0;
    while i < 512 {
        x = limbs::add_mod(&x, &x, &N);
        i += 1;
    }
    x
};

const MODULUS: Modulus = Modulus::new(&N);

/// Draws of a random scalar before giving up: a sound source is refused once in 2^32, so that a
/// second refusal already means a broken one.
const MAX_DRAWS: usize = 16;

/// An integer below n.
#[derive(Clone, PartialEq, Eq, Zeroize)]
pub(super) struct Scalar(Limbs);

impl Scalar {
    pub(super) const ZERO: Self = Self([0; 4]);
    pub(super) const ONE: Self = Self([1, 0, 0, 0]);

    /// Reads a big-endian integer; one of n or more is `None`, and that it is, is not kept secret.
    pub(super) fn from_be_bytes(bytes: &[u8; 32]) -> Option<Self> {
        let x = limbs::from_be_bytes(bytes);
        ct::public(limbs::less_mask(&x, &N) != 0).then_some(Self(x))
    }

    /// Reads a big-endian integer and takes it modulo n.
    pub(super) fn reduce_be_bytes(bytes: &[u8; 32]) -> Self {
        // 2^256 < 2n, so one subtraction is enough.
        Self(limbs::reduce_once(&limbs::from_be_bytes(bytes), 0, &N))
    }

    /// Takes an integer below 2^256 modulo n.
    pub(super) fn reduce(x: &Limbs) -> Self {
        Self(limbs::reduce_once(x, 0, &N))
    }

    /// A uniform scalar in [1, n-1] by rejection.
    ///
    /// # Errors
    /// [`Error::RandomSource`] when the source fails, or keeps giving values out of range.
    pub(super) fn random(rng: &mut (impl Rng + ?Sized)) -> Result<Self> {
        let mut bytes = Zeroizing::new([0; 32]);
        for _ in 0..MAX_DRAWS {
            rng.fill(&mut *bytes)?;
            if let Some(scalar) = Self::from_be_bytes(&bytes).filter(|s| !s.is_zero()) {
                return Ok(scalar);
            }
        }
        Err(Error::RandomSource)
    }

    pub(super) fn to_be_bytes(&self) -> [u8; 32] {
        limbs::to_be_bytes(&self.0)
    }

    pub(super) const fn limbs(&self) -> &Limbs {
        &self.0
    }

    /// Whether the scalar is zero, which is not kept secret: a protocol starts again or gives up.
    pub(super) fn is_zero(&self) -> bool {
        ct::public(limbs::is_zero_mask(&self.0) != 0)
    }

    pub(super) const fn add(&self, other: &Self) -> Self {
        Self(limbs::add_mod(&self.0, &other.0, &N))
    }

    pub(super) const fn sub(&self, other: &Self) -> Self {
        Self(limbs::sub_mod(&self.0, &other.0, &N))
    }

    pub(super) const fn mul(&self, other: &Self) -> Self {
        Self(montgomery_mul(&montgomery_mul(&self.0, &R2), &other.0))
    }

    /// 1/self; zero gives zero.
    pub(super) fn invert(&self) -> Self {
        Self(MODULUS.invert(&self.0))
    }
}

/// a·b·2^-256 mod n, for a, b < n.
const fn montgomery_mul(a: &Limbs, b: &Limbs) -> Limbs {
    let mut t = limbs::mul_wide(a, b);
    let mut top = 0;
    let mut i = 0;
    while i < 4 {
        let m = t[i].wrapping_mul(N_INVERSE);
        let (_, c) = mac(t[i], m, N[0], 0);
        let (r1, c) = mac(t[i + 1], m, N[1], c);
        let (r2, c) = mac(t[i + 2], m, N[2], c);
        let (r3, c) = mac(t[i + 3], m, N[3], c);
        (t[i + 1], t[i + 2], t[i + 3]) = (r1, r2, r3);
        (t[i + 4], top) = limbs::adc(t[i + 4], c, top);
        i += 1;
    }
    limbs::reduce_once(&[t[4], t[5], t[6], t[7]], top, &N)
}
