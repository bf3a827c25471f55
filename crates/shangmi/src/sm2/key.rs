//! Private and public keys.
use core::fmt;

use super::field::Field;
use super::many::Engine;
use super::point::{Affine, Jacobian};
use super::scalar::Scalar;
use crate::error::exact_len;
use crate::rng::Rng;
use crate::{Error, PointError, Result};
use zeroize::{Zeroize, Zeroizing};

/// A private key d in [1, n-2], with its public key d·G.
///
/// Wiped on drop; `Debug` shows the public key only. n-1 is refused because a signature divides by
/// 1 + d.
///
/// # Standard
/// GB/T 32918.1-2016, 6.1
///
/// # Example
/// ```
/// # #[cfg(feature = "os-rng")] {
/// use shangmi::{rng::OsRng, sm2::PrivateKey};
///
/// let key = PrivateKey::generate(&mut OsRng)?;
/// let same = PrivateKey::from_bytes(&key.to_bytes())?;
/// assert_eq!(same.public_key(), key.public_key());
/// # }
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone)]
pub struct PrivateKey {
    d: Scalar,
    public: PublicKey,
}

impl PrivateKey {
    /// Draws a private key uniformly from [1, n-2].
    ///
    /// # Errors
    /// [`Error::RandomSource`] when `rng` fails or keeps giving unusable values.
    ///
    /// # Timing
    /// Constant; a draw out of range (once in 2^32) is drawn again.
    pub fn generate(rng: &mut (impl Rng + ?Sized)) -> Result<Self> {
        let d = Zeroizing::new(Scalar::random(rng)?);
        // n-1 comes up once in 2^256 draws of a sound source.
        Self::from_scalar(&d).map_err(|_| Error::RandomSource)
    }

    /// The private key with these 32 big-endian bytes.
    ///
    /// # Errors
    /// [`Error::InvalidPrivateKey`] when the number is 0, n-1 or more.
    ///
    /// # Timing
    /// Constant for every valid key.
    pub fn from_bytes(d: &[u8; 32]) -> Result<Self> {
        let d = Zeroizing::new(Scalar::from_be_bytes(d).ok_or(Error::InvalidPrivateKey)?);
        Self::from_scalar(&d)
    }

    /// As [`from_bytes`](Self::from_bytes), from a slice of exactly 32 bytes.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] for another length, [`Error::InvalidPrivateKey`] for 0, n-1 or more.
    pub fn from_slice(d: &[u8]) -> Result<Self> {
        exact_len("private key", 32, d.len())?;
        let mut bytes = Zeroizing::new([0; 32]);
        bytes.copy_from_slice(d);
        Self::from_bytes(&bytes)
    }

    fn from_scalar(d: &Scalar) -> Result<Self> {
        let multiply = || {
            Engine::detect()
                .multiply_base_one(d)
                .to_affine()
                .expect("d·G is not infinity for d in [1, n-1]: G has order n")
        };
        Self::from_parts(d, multiply)
    }

    /// The private key d with the public key that `multiply` gives: d·G, wanted only when d is in range.
    pub(super) fn from_parts(d: &Scalar, multiply: impl FnOnce() -> Affine) -> Result<Self> {
        let plus_one = Zeroizing::new(d.add(&Scalar::ONE));
        if d.is_zero() || plus_one.is_zero() {
            return Err(Error::InvalidPrivateKey);
        }
        Ok(Self {
            d: d.clone(),
            public: PublicKey(multiply()),
        })
    }

    /// The private key as 32 big-endian bytes, wiped when dropped.
    #[must_use]
    pub fn to_bytes(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.d.to_be_bytes())
    }

    /// The public key d·G.
    #[must_use]
    pub const fn public_key(&self) -> &PublicKey {
        &self.public
    }

    /// The x coordinate of d·`peer`: plain elliptic-curve Diffie-Hellman.
    ///
    /// The value is not uniform: derive keys from it (`sm3::hkdf`). It says nothing about
    /// who the peer is; [`exchange`](super::exchange) does.
    ///
    /// - returns: 32 bytes, big-endian
    ///
    /// # Timing
    /// Constant in the private key.
    #[must_use]
    pub fn diffie_hellman(&self, peer: &PublicKey) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.multiply(peer).x.to_be_bytes())
    }

    /// The name of the code path that computes with this key: `"ifma"`, `"adx"` or `"portable"`.
    #[must_use]
    pub fn backend(&self) -> &'static str {
        Engine::detect().name_of_one()
    }

    /// d·`point`.
    pub(super) fn multiply(&self, point: &PublicKey) -> Affine {
        Engine::detect()
            .multiply_one(&self.d, &point.0)
            .to_affine()
            .expect("d·P is not infinity for d in [1, n-1]: P has order n")
    }

    pub(super) const fn scalar(&self) -> &Scalar {
        &self.d
    }
}

impl Drop for PrivateKey {
    fn drop(&mut self) {
        self.d.zeroize();
    }
}

impl fmt::Debug for PrivateKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateKey")
            .field("public", &self.public)
            .finish_non_exhaustive()
    }
}

/// How a point is written as bytes (SEC 1, 2.3.3; GB/T 32918.1-2016, 4.2.9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointForm {
    /// 04 ‖ x ‖ y, 65 bytes.
    Uncompressed,
    /// 02 or 03 ‖ x, 33 bytes: the last bit says whether y is odd.
    Compressed,
}

/// A public key: a point that is on the curve and not infinity, checked when it is made.
///
/// # Standard
/// GB/T 32918.1-2016, 6.2
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(pub(super) Affine);

impl PublicKey {
    /// Reads 04 ‖ x ‖ y (65 bytes) or 02/03 ‖ x (33 bytes).
    ///
    /// # Errors
    /// - [`Error::InvalidPoint`] with [`PointError::UnknownForm`] when the first byte is another one,
    ///   [`PointError::Infinity`] for the single byte 00, and
    ///   [`PointError::CoordinateOutOfRange`] or [`PointError::NotOnCurve`]
    /// - [`Error::InvalidLength`] when the length does not fit the first byte
    ///
    /// # Timing
    /// Variable: the point is public.
    pub fn from_sec1(bytes: &[u8]) -> Result<Self> {
        let (form, rest) = bytes.split_first().ok_or(Error::InvalidLength {
            what: "encoded point",
            expected: 65,
            found: 0,
        })?;
        match form {
            0x04 => {
                exact_len("uncompressed point", 65, bytes.len())?;
                let (x, y) = rest.split_at(32);
                Self::from_coordinates(&to_array(x), &to_array(y))
            }
            0x02 | 0x03 => {
                exact_len("compressed point", 33, bytes.len())?;
                let x = Field::from_be_bytes(&to_array(rest))?;
                Affine::decompress(x, form & 1 == 1).map(Self)
            }
            0x00 if rest.is_empty() => Err(PointError::Infinity.into()),
            _ => Err(PointError::UnknownForm.into()),
        }
    }

    /// The point (x, y), big-endian.
    ///
    /// # Errors
    /// [`Error::InvalidPoint`] with [`PointError::CoordinateOutOfRange`] when a coordinate is p or
    /// more, with [`PointError::NotOnCurve`] when the equation does not hold.
    pub fn from_coordinates(x: &[u8; 32], y: &[u8; 32]) -> Result<Self> {
        Affine::new(Field::from_be_bytes(x)?, Field::from_be_bytes(y)?).map(Self)
    }

    /// 04 ‖ x ‖ y.
    #[must_use]
    pub fn to_uncompressed(&self) -> [u8; 65] {
        let mut out = [0x04; 65];
        out[1..33].copy_from_slice(&self.x());
        out[33..].copy_from_slice(&self.y());
        out
    }

    /// 02 or 03 ‖ x.
    #[must_use]
    pub fn to_compressed(&self) -> [u8; 33] {
        let mut out = [0x02 | u8::from(self.0.y.is_odd()); 33];
        out[1..].copy_from_slice(&self.x());
        out
    }

    /// The x coordinate, big-endian.
    #[must_use]
    pub fn x(&self) -> [u8; 32] {
        self.0.x.to_be_bytes()
    }

    /// The y coordinate, big-endian.
    #[must_use]
    pub fn y(&self) -> [u8; 32] {
        self.0.y.to_be_bytes()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PublicKey(")?;
        for byte in self.to_uncompressed() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str(")")
    }
}

/// Copies a slice whose length the caller has just fixed.
fn to_array(bytes: &[u8]) -> [u8; 32] {
    let mut out = [0; 32];
    out.copy_from_slice(bytes);
    out
}

/// The point of a Jacobian result that becomes public, as in C1 or R_A.
pub(super) fn public_point(point: Jacobian) -> Option<PublicKey> {
    point.to_affine().map(PublicKey)
}

#[cfg(test)]
mod tests {
    use super::{PrivateKey, PublicKey};
    use crate::sm2::{limbs, scalar::N};
    use crate::{Error, PointError};

    #[test]
    fn private_keys_are_in_one_to_n_minus_two() {
        let from = |limbs| PrivateKey::from_bytes(&limbs::to_be_bytes(&limbs)).err();
        assert_eq!(from([0; 4]), Some(Error::InvalidPrivateKey));
        assert_eq!(from([1, 0, 0, 0]), None);
        assert_eq!(from(limbs::sub(&N, &[2, 0, 0, 0]).0), None);
        for k in [0, 1] {
            assert_eq!(
                from(limbs::sub(&N, &[k, 0, 0, 0]).0),
                Some(Error::InvalidPrivateKey)
            );
        }
        assert_eq!(
            from(limbs::add(&N, &[1, 0, 0, 0]).0),
            Some(Error::InvalidPrivateKey)
        );
        assert_eq!(from([u64::MAX; 4]), Some(Error::InvalidPrivateKey));
    }

    #[test]
    fn encoded_points_are_checked() {
        let key = *PrivateKey::from_bytes(&[7; 32])
            .expect("in range")
            .public_key();
        let good = key.to_uncompressed();
        assert_eq!(PublicKey::from_sec1(&good), Ok(key));
        assert_eq!(PublicKey::from_sec1(&key.to_compressed()), Ok(key));
        for len in 0..good.len() {
            assert!(PublicKey::from_sec1(&good[..len]).is_err(), "{len} bytes");
        }
        let mut long = [0x04; 66];
        long[..65].copy_from_slice(&good);
        assert!(PublicKey::from_sec1(&long).is_err());
        for bit in 8..65 * 8 {
            let mut bad = good;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(PublicKey::from_sec1(&bad).is_err(), "bit {bit}");
        }
        for form in (0..=255).filter(|form| ![2, 3, 4].contains(form)) {
            let mut bad = good;
            bad[0] = form;
            assert_eq!(
                PublicKey::from_sec1(&bad),
                Err(PointError::UnknownForm.into())
            );
        }
        assert_eq!(PublicKey::from_sec1(&[0]), Err(PointError::Infinity.into()));
        assert_eq!(
            PublicKey::from_coordinates(&[0xff; 32], &key.y()),
            Err(PointError::CoordinateOutOfRange.into())
        );
        assert_eq!(
            PublicKey::from_coordinates(&[0; 32], &[0; 32]),
            Err(PointError::NotOnCurve.into())
        );
    }

    #[test]
    fn debug_does_not_show_the_private_key() {
        extern crate std;
        let shown = std::format!(
            "{:?}",
            PrivateKey::from_bytes(&[0x5a; 32]).expect("in range")
        );
        assert!(shown.contains("PublicKey(04"));
        assert!(!shown.contains("5a5a5a5a"));
    }
}
