//! Digital signature, GB/T 32918.2-2016.

use num_bigint::BigUint;

use super::{Error, Point, Result, check_nonce, check_private_key, curve, generator, multiply};

/// Signs the digest e with the private key d and the nonce k; returns (r, s) (6.1).
///
/// (x1, y1) = \[k\]G, r = e + x1, s = (1 + d)^-1 (k - r d) mod n.
///
/// # Errors
/// [`Error::ScalarOutOfRange`]; [`Error::UnusableNonce`] when r = 0, r + k = n or s = 0.
pub fn sign(d: &BigUint, e: &[u8; 32], k: &BigUint) -> Result<(BigUint, BigUint)> {
    check_private_key(d)?;
    check_nonce(k)?;
    let n = &curve().n;
    let (x1, _) = multiply(k, generator()).coordinates()?;
    let r = (BigUint::from_bytes_be(e) + BigUint::from_bytes_be(&x1)) % n;
    if r == BigUint::ZERO || &r + k == *n {
        return Err(Error::UnusableNonce);
    }
    let inverse = (d + 1u32).modinv(n).ok_or(Error::ScalarOutOfRange)?;
    let s = inverse * (k + n - &r * d % n) % n;
    if s == BigUint::ZERO {
        return Err(Error::UnusableNonce);
    }
    Ok((r, s))
}

/// Whether (r, s) signs the digest e for the public key P (7.1).
///
/// t = r + s, (x1, y1) = \[s\]G + \[t\]P, R = e + x1 mod n; accepted when R = r.
pub fn verify(public: &Point, e: &[u8; 32], r: &BigUint, s: &BigUint) -> bool {
    let n = &curve().n;
    if !public.is_on_curve() || check_nonce(r).is_err() || check_nonce(s).is_err() {
        return false;
    }
    let t = (r + s) % n;
    if t == BigUint::ZERO {
        return false;
    }
    match multiply(s, generator()).add(&multiply(&t, public)) {
        Point::Infinity => false,
        Point::Affine { x, .. } => (BigUint::from_bytes_be(e) + x) % n == *r,
    }
}

#[cfg(test)]
mod tests {
    use super::super::public_key;
    use super::*;

    #[test]
    fn a_signature_verifies_and_no_other() {
        let (d, k) = (BigUint::from(0x1234_5678u32), BigUint::from(0x9abc_def0u32));
        let public = public_key(&d).unwrap();
        let (r, s) = sign(&d, &[7; 32], &k).unwrap();
        assert!(verify(&public, &[7; 32], &r, &s));
        assert!(!verify(&public, &[8; 32], &r, &s));
        assert!(!verify(&public, &[7; 32], &(&r + &curve().n), &s));
        assert!(!verify(&public, &[7; 32], &r, &(&curve().n - &r)));
        assert!(!verify(&public, &[7; 32], &BigUint::ZERO, &s));
        assert!(!verify(&public, &[7; 32], &r, &BigUint::ZERO));
        assert!(!verify(&public.negate(), &[7; 32], &r, &s));
        assert!(!verify(&Point::Infinity, &[7; 32], &r, &s));
    }

    #[test]
    fn a_nonce_with_r_zero_is_refused() {
        let k = BigUint::from(5u32);
        let (x1, _) = multiply(&k, generator()).coordinates().unwrap();
        let n = &curve().n;
        let e = (n - BigUint::from_bytes_be(&x1) % n).to_bytes_be();
        let mut digest = [0; 32];
        digest[32 - e.len()..].copy_from_slice(&e);
        assert_eq!(sign(&2u32.into(), &digest, &k), Err(Error::UnusableNonce));
        assert_eq!(sign(&2u32.into(), &digest, n), Err(Error::ScalarOutOfRange));
    }
}
