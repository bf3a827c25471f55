//! SM2, GB/T 32918-2016 (also ISO/IEC 14888-3:2018, GM/T 0003-2012), on the
//! recommended curve of GB/T 32918.5-2017.
//!
//! This file holds the field, the curve, Z and the key derivation function; the
//! three schemes follow the three parts of the standard:
//! [signature](sign) (32918.2), [key exchange](exchange_initiator) (32918.3) and
//! [encryption](encrypt) (32918.4).

mod encryption;
mod exchange;
mod signature;

pub use encryption::{Ciphertext, decrypt, encrypt};
pub use exchange::{Own, Peer, Shared, exchange_initiator, exchange_responder};
pub use signature::{sign, verify};

use std::sync::LazyLock;

use num_bigint::BigUint;

use crate::sm3;

/// Why a computation has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A private key is not in [1, n-2], or k not in [1, n-1].
    ScalarOutOfRange,
    /// A point is infinity or not on the curve.
    BadPoint,
    /// The identifier has more than 8191 bytes.
    IdTooLong,
    /// This k leads to r = 0, r + k = n, s = 0 or a key stream of zeros: take another.
    UnusableNonce,
    /// The ciphertext is empty, its key stream is zero, or C3 does not match.
    DecryptFailed,
    /// The shared point is infinity.
    ExchangeFailed,
}

/// The result of a scheme of SM2.
pub type Result<T> = std::result::Result<T, Error>;

/// The default user identifier of GM/T 0009.
pub const DEFAULT_ID: &[u8] = b"1234567812345678";

/// The parameters of the curve y^2 = x^3 + ax + b over `F_p` (GB/T 32918.5-2017, 2).
#[derive(Debug)]
pub struct Curve {
    /// The prime of the field.
    pub p: BigUint,
    /// The coefficient a = p - 3.
    pub a: BigUint,
    /// The coefficient b.
    pub b: BigUint,
    /// The base point G.
    pub g: Point,
    /// The prime order of G; the cofactor h is 1.
    pub n: BigUint,
}

static CURVE: LazyLock<Curve> = LazyLock::new(|| {
    let p = hex("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF00000000FFFFFFFFFFFFFFFF");
    Curve {
        a: &p - 3u32,
        p,
        b: hex("28E9FA9E9D9F5E344D5A9E4BCF6509A7F39789F515AB8F92DDBCBD414D940E93"),
        g: Point::Affine {
            x: hex("32C4AE2C1F1981195F9904466A39C9948FE30BBFF2660BE1715A4589334C74C7"),
            y: hex("BC3736A2F4F6779C59BDCEE36B692153D0A9877CC62A474002DF32E52139F0A0"),
        },
        n: hex("FFFFFFFEFFFFFFFFFFFFFFFFFFFFFFFF7203DF6B21C6052B53BBF40939D54123"),
    }
});

fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("constants are written in hexadecimal")
}

/// The recommended curve.
pub fn curve() -> &'static Curve {
    &CURVE
}

/// The base point G.
pub fn generator() -> &'static Point {
    &CURVE.g
}

/// A point of the elliptic curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Point {
    /// The point at infinity O, the neutral element.
    Infinity,
    /// A point with coordinates in `F_p`.
    Affine {
        /// The coordinate x.
        x: BigUint,
        /// The coordinate y.
        y: BigUint,
    },
}

/// x - y mod p, for x and y below p.
fn subtract(x: &BigUint, y: &BigUint) -> BigUint {
    (x + &CURVE.p - y) % &CURVE.p
}

/// x / y mod p, for y not divisible by p.
fn divide(x: &BigUint, y: &BigUint) -> BigUint {
    let inverse = y
        .modinv(&CURVE.p)
        .expect("p is prime and does not divide y");
    x * inverse % &CURVE.p
}

impl Point {
    /// The point (x, y), which may be off the curve.
    pub const fn new(x: BigUint, y: BigUint) -> Self {
        Self::Affine { x, y }
    }

    /// The two coordinates as 32 bytes each, big-endian.
    ///
    /// # Errors
    /// [`Error::BadPoint`] for infinity, or a coordinate above 32 bytes.
    pub fn coordinates(&self) -> Result<([u8; 32], [u8; 32])> {
        match self {
            Self::Infinity => Err(Error::BadPoint),
            Self::Affine { x, y } => Ok((bytes(x)?, bytes(y)?)),
        }
    }

    /// The point with this x and with y odd or even.
    ///
    /// # Errors
    /// [`Error::BadPoint`] when the curve has none.
    pub fn decompress(x: &BigUint, y_is_odd: bool) -> Result<Self> {
        let Curve { p, a, b, .. } = curve();
        let square = (x.pow(3) + a * x + b) % p;
        // p = 3 mod 4.
        let root = square.modpow(&((p + 1u32) / 4u32), p);
        let y = if root.bit(0) == y_is_odd {
            root
        } else {
            (p - root) % p
        };
        let point = Self::new(x.clone(), y);
        if point.is_on_curve() {
            Ok(point)
        } else {
            Err(Error::BadPoint)
        }
    }

    /// Whether this is an affine point, its coordinates are below p, and
    /// y^2 = x^3 + ax + b.
    pub fn is_on_curve(&self) -> bool {
        let Curve { p, a, b, .. } = curve();
        match self {
            Self::Infinity => false,
            Self::Affine { x, y } => x < p && y < p && (y * y) % p == (x.pow(3) + a * x + b) % p,
        }
    }

    /// -P = (x, -y).
    #[must_use]
    pub fn negate(&self) -> Self {
        match self {
            Self::Infinity => Self::Infinity,
            Self::Affine { x, y } => Self::new(x.clone(), (&CURVE.p - y) % &CURVE.p),
        }
    }

    /// P + Q (GB/T 32918.1-2016, 3.2.3.1).
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let (Self::Affine { x: x1, y: y1 }, Self::Affine { x: x2, y: y2 }) = (self, other) else {
            return if *self == Self::Infinity {
                other.clone()
            } else {
                self.clone()
            };
        };
        if x1 != x2 {
            let lambda = divide(&subtract(y2, y1), &subtract(x2, x1));
            third_point(&lambda, x1, y1, x2)
        } else if y1 == y2 {
            self.double()
        } else {
            Self::Infinity
        }
    }

    /// 2P.
    #[must_use]
    pub fn double(&self) -> Self {
        match self {
            Self::Affine { x, y } if *y != BigUint::ZERO => {
                let lambda = divide(&(x * x * 3u32 + &CURVE.a), &(y * 2u32 % &CURVE.p));
                third_point(&lambda, x, y, x)
            }
            _ => Self::Infinity,
        }
    }
}

/// x3 = lambda^2 - x1 - x2, y3 = lambda (x1 - x3) - y1.
fn third_point(lambda: &BigUint, x1: &BigUint, y1: &BigUint, x2: &BigUint) -> Point {
    let p = &CURVE.p;
    let x3 = subtract(&(lambda * lambda % p), &((x1 + x2) % p));
    let y3 = subtract(&(lambda * subtract(x1, &x3) % p), y1);
    Point::new(x3, y3)
}

/// \[k\]P by double and add (GB/T 32918.1-2016, A.3.2).
pub fn multiply(k: &BigUint, point: &Point) -> Point {
    let mut q = Point::Infinity;
    for i in (0..k.bits()).rev() {
        q = q.double();
        if k.bit(i) {
            q = q.add(point);
        }
    }
    q
}

/// P = \[d\]G (GB/T 32918.1-2016, 6.1).
///
/// # Errors
/// [`Error::ScalarOutOfRange`] unless 1 <= d <= n - 2.
pub fn public_key(d: &BigUint) -> Result<Point> {
    check_private_key(d)?;
    Ok(multiply(d, generator()))
}

/// The public key is on the curve and \[n\]P = O (GB/T 32918.1-2016, 6.2.1).
///
/// # Errors
/// [`Error::BadPoint`] otherwise.
pub fn check_public_key(public: &Point) -> Result<()> {
    if public.is_on_curve() && multiply(&CURVE.n, public) == Point::Infinity {
        Ok(())
    } else {
        Err(Error::BadPoint)
    }
}

fn check_private_key(d: &BigUint) -> Result<()> {
    in_range(d, &(&CURVE.n - 1u32))
}

/// k in [1, n-1].
fn check_nonce(k: &BigUint) -> Result<()> {
    in_range(k, &CURVE.n)
}

fn in_range(scalar: &BigUint, end: &BigUint) -> Result<()> {
    if *scalar != BigUint::ZERO && scalar < end {
        Ok(())
    } else {
        Err(Error::ScalarOutOfRange)
    }
}

/// An integer as 32 bytes, big-endian (GB/T 32918.1-2016, 4.2.2).
fn bytes(value: &BigUint) -> Result<[u8; 32]> {
    let digits = value.to_bytes_be();
    let zeros = 32usize.checked_sub(digits.len()).ok_or(Error::BadPoint)?;
    let mut out = [0; 32];
    out[zeros..].copy_from_slice(&digits);
    Ok(out)
}

/// Z = SM3(ENTL || ID || a || b || Gx || Gy || x || y), with ENTL the bits of ID in
/// two bytes (GB/T 32918.2-2016, 5.5).
///
/// # Errors
/// [`Error::IdTooLong`]; [`Error::BadPoint`] for infinity.
pub fn za(id: &[u8], public: &Point) -> Result<[u8; 32]> {
    let entl = id
        .len()
        .checked_mul(8)
        .and_then(|bits| u16::try_from(bits).ok());
    let mut input = entl.ok_or(Error::IdTooLong)?.to_be_bytes().to_vec();
    input.extend_from_slice(id);
    for coefficient in [&CURVE.a, &CURVE.b] {
        input.extend_from_slice(&bytes(coefficient)?);
    }
    for point in [generator(), public] {
        let (x, y) = point.coordinates()?;
        input.extend_from_slice(&x);
        input.extend_from_slice(&y);
    }
    Ok(sm3::digest(&input))
}

/// The digest e = SM3(Z || M) that is signed (GB/T 32918.2-2016, 6.1, A1 and A2).
///
/// # Errors
/// As [`za`].
pub fn message_digest(id: &[u8], public: &Point, message: &[u8]) -> Result<[u8; 32]> {
    Ok(sm3::digest(&[&za(id, public)?[..], message].concat()))
}

/// KDF(Z, klen): the first `length` bytes of SM3(Z || 1) || SM3(Z || 2) || ..., the
/// counter in four bytes (GB/T 32918.4-2016, 5.4.3).
pub fn kdf(z: &[u8], length: usize) -> Vec<u8> {
    (1u32..)
        .flat_map(|ct| sm3::digest(&[z, &ct.to_be_bytes()].concat()))
        .take(length)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_has_order_n() {
        assert!(generator().is_on_curve());
        assert_eq!(multiply(&CURVE.n, generator()), Point::Infinity);
        let minus_one = multiply(&(&CURVE.n - 1u32), generator());
        assert_eq!(minus_one, generator().negate());
        assert_eq!(minus_one.add(generator()), Point::Infinity);
    }

    #[test]
    fn addition_is_repeated() {
        let mut sum = Point::Infinity;
        for k in 0u32..20 {
            assert_eq!(multiply(&k.into(), generator()), sum);
            sum = sum.add(generator());
        }
    }

    #[test]
    fn decompression_finds_both_points() {
        let Point::Affine { x, y } = generator() else {
            panic!("G is affine")
        };
        assert_eq!(Point::decompress(x, y.bit(0)), Ok(generator().clone()));
        assert_eq!(Point::decompress(x, !y.bit(0)), Ok(generator().negate()));
        let misses = (0u32..40).filter(|&x| Point::decompress(&x.into(), false).is_err());
        assert!((5..35).contains(&misses.count()));
    }

    #[test]
    fn keys_out_of_range_are_refused() {
        for d in [
            BigUint::ZERO,
            &CURVE.n - 1u32,
            CURVE.n.clone(),
            &CURVE.n + 1u32,
        ] {
            assert_eq!(public_key(&d), Err(Error::ScalarOutOfRange));
        }
        assert!(public_key(&(&CURVE.n - 2u32)).is_ok());
        assert_eq!(check_public_key(&Point::Infinity), Err(Error::BadPoint));
        assert_eq!(
            check_public_key(&Point::new(1u32.into(), 1u32.into())),
            Err(Error::BadPoint)
        );
        assert_eq!(check_public_key(generator()), Ok(()));
    }

    #[test]
    fn identifiers_have_at_most_8191_bytes() {
        assert!(za(&[0; 8191], generator()).is_ok());
        assert_eq!(za(&[0; 8192], generator()), Err(Error::IdTooLong));
    }
}
