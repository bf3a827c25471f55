//! Public key encryption, GB/T 32918.4-2016.

use num_bigint::BigUint;

use super::{Error, Point, Result, check_nonce, check_private_key, generator, kdf, multiply};
use crate::sm3;

/// A ciphertext in its parts; today's order of writing them is C1, C3, C2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ciphertext {
    /// C1 = \[k\]G.
    pub c1: Point,
    /// C3 = SM3(x2 || M || y2).
    pub c3: [u8; 32],
    /// C2 = M xor t, as long as the message.
    pub c2: Vec<u8>,
}

/// Encrypts `message` (not empty) for the public key P with the nonce k (6.1).
///
/// (x2, y2) = \[k\]P, t = KDF(x2 || y2, klen).
///
/// # Errors
/// [`Error::ScalarOutOfRange`]; [`Error::BadPoint`]; [`Error::UnusableNonce`] when t
/// is all zero, which an empty message would always meet.
pub fn encrypt(public: &Point, message: &[u8], k: &BigUint) -> Result<Ciphertext> {
    check_nonce(k)?;
    if !public.is_on_curve() {
        return Err(Error::BadPoint);
    }
    let (x2, y2) = multiply(k, public).coordinates()?;
    let c2 = xor_key_stream(message, &x2, &y2).ok_or(Error::UnusableNonce)?;
    Ok(Ciphertext {
        c1: multiply(k, generator()),
        c3: sm3::digest(&[&x2[..], message, &y2].concat()),
        c2,
    })
}

/// Decrypts with the private key d (7.1).
///
/// (x2, y2) = \[d\]C1, M = C2 xor KDF(x2 || y2, klen), C3 = SM3(x2 || M || y2).
///
/// # Errors
/// [`Error::ScalarOutOfRange`]; [`Error::BadPoint`]; [`Error::DecryptFailed`].
pub fn decrypt(d: &BigUint, ciphertext: &Ciphertext) -> Result<Vec<u8>> {
    check_private_key(d)?;
    if !ciphertext.c1.is_on_curve() {
        return Err(Error::BadPoint);
    }
    let (x2, y2) = multiply(d, &ciphertext.c1).coordinates()?;
    let message = xor_key_stream(&ciphertext.c2, &x2, &y2).ok_or(Error::DecryptFailed)?;
    if sm3::digest(&[&x2[..], &message, &y2].concat()) != ciphertext.c3 {
        return Err(Error::DecryptFailed);
    }
    Ok(message)
}

/// `data` xor t with t = KDF(x2 || y2, length of `data`); `None` when t is all zero.
fn xor_key_stream(data: &[u8], x2: &[u8; 32], y2: &[u8; 32]) -> Option<Vec<u8>> {
    let t = kdf(&[&x2[..], y2].concat(), data.len());
    if t.iter().all(|&byte| byte == 0) {
        return None;
    }
    Some(data.iter().zip(t).map(|(byte, t)| byte ^ t).collect())
}

#[cfg(test)]
mod tests {
    use super::super::public_key;
    use super::*;

    #[test]
    fn round_trip_and_refusals() {
        let d = BigUint::from(0x1234_5678u32);
        let public = public_key(&d).unwrap();
        for length in [1, 2, 31, 32, 33, 64, 65, 4096] {
            let message = vec![0x5a; length];
            let k = BigUint::from(977 + length);
            let ciphertext = encrypt(&public, &message, &k).unwrap();
            assert_eq!(decrypt(&d, &ciphertext), Ok(message));
            let mut bad = ciphertext.clone();
            bad.c2[length - 1] ^= 1;
            assert_eq!(decrypt(&d, &bad), Err(Error::DecryptFailed));
            bad = ciphertext.clone();
            bad.c3[0] ^= 1;
            assert_eq!(decrypt(&d, &bad), Err(Error::DecryptFailed));
            bad.c1 = Point::Infinity;
            assert_eq!(decrypt(&d, &bad), Err(Error::BadPoint));
        }
        assert_eq!(
            encrypt(&public, b"", &7u32.into()),
            Err(Error::UnusableNonce)
        );
        assert_eq!(
            encrypt(&Point::Infinity, b"x", &7u32.into()),
            Err(Error::BadPoint)
        );
    }
}
