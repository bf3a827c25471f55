//! HKDF-SM3: keys from one key that has enough entropy.
//!
//! PRK = HMAC(salt, IKM); OKM = T(1) ‖ T(2) ‖ ..., T(i) = HMAC(PRK, T(i-1) ‖ info ‖ i), T(0) empty.
//! Not for passwords: see [`pbkdf2`](super::pbkdf2).
use zeroize::Zeroize;

use super::hmac::{HmacKey, TAG_LEN, hmac};
use crate::{Error, Result};

/// Bytes of a pseudorandom key.
pub const PRK_LEN: usize = TAG_LEN;

/// Most bytes that one PRK and one `info` give: i is a single byte.
pub const MAX_OUTPUT_LEN: usize = 255 * TAG_LEN;

/// Extracts a pseudorandom key: PRK = HMAC(salt, IKM).
///
/// - `salt`: any length, bytes; not secret; empty is the same as 32 zeros
/// - `ikm`: the input key material, any length, bytes
/// - returns: 32 bytes, secret: the caller wipes them
///
/// # Timing
/// Depends on the two lengths only.
///
/// # Standard
/// RFC 5869, 2.2, with SM3
///
/// # Example
/// ```
/// use shangmi::sm3::hkdf;
///
/// assert_eq!(hkdf::extract(b"", b"shared secret"), hkdf::extract(&[0; 32], b"shared secret"));
/// ```
#[must_use]
pub fn extract(salt: &[u8], ikm: &[u8]) -> [u8; PRK_LEN] {
    hmac(salt, ikm)
}

/// Expands a pseudorandom key: OKM = T(1) ‖ T(2) ‖ ..., T(i) = HMAC(PRK, T(i-1) ‖ info ‖ i).
///
/// - `prk`: at least 32 uniformly random bytes, such as [`extract`] returns
/// - `info`: what the output is for; any length, bytes
/// - `okm`: the output, up to 8160 bytes
///
/// # Errors
/// - [`Error::OutOfRange`]: `prk` has fewer than 32 bytes
/// - [`Error::LengthOutOfRange`]: `okm` has more than 8160 bytes
///
/// `okm` is untouched then.
///
/// # Timing
/// Depends on the three lengths only.
///
/// # Standard
/// RFC 5869, 2.3, with SM3
///
/// # Example
/// ```
/// use shangmi::sm3::hkdf;
///
/// let prk = hkdf::extract(b"salt", b"shared secret");
/// let (mut key, mut iv) = ([0; 16], [0; 12]);
/// hkdf::expand(&prk, b"key", &mut key)?;
/// hkdf::expand(&prk, b"iv", &mut iv)?;
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn expand(prk: &[u8], info: &[u8], okm: &mut [u8]) -> Result<()> {
    if prk.len() < PRK_LEN {
        return Err(Error::OutOfRange {
            what: "pseudorandom key of HKDF (at least 32 bytes)",
        });
    }
    if okm.len() > MAX_OUTPUT_LEN {
        let (what, found) = ("output of HKDF", okm.len());
        return Err(Error::LengthOutOfRange {
            what,
            min: 0,
            max: MAX_OUTPUT_LEN,
            found,
        });
    }
    let key = HmacKey::new(prk);
    let mut t = [0; TAG_LEN];
    for (i, chunk) in (1..=u8::MAX).zip(okm.chunks_mut(TAG_LEN)) {
        let mut mac = key.start();
        if i > 1 {
            mac.update(&t);
        }
        mac.update(info);
        mac.update(&[i]);
        t = mac.finalize();
        chunk.copy_from_slice(&t[..chunk.len()]);
    }
    t.as_mut_slice().zeroize();
    Ok(())
}

/// Extracts, then expands: fills `okm` from `ikm` in one call.
///
/// - `salt`, `ikm`: as in [`extract`]
/// - `info`, `okm`: as in [`expand`]
///
/// # Errors
/// [`Error::LengthOutOfRange`]: `okm` has more than 8160 bytes
///
/// # Timing
/// Depends on the four lengths only.
///
/// # Standard
/// RFC 5869, 2, with SM3
///
/// # Example
/// ```
/// let mut key = [0; 16];
/// shangmi::sm3::hkdf::derive(b"salt", b"shared secret", b"file encryption", &mut key)?;
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn derive(salt: &[u8], ikm: &[u8], info: &[u8], okm: &mut [u8]) -> Result<()> {
    let mut prk = extract(salt, ikm);
    let result = expand(&prk, info, okm);
    prk.as_mut_slice().zeroize();
    result
}
