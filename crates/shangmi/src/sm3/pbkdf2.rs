//! PBKDF2-HMAC-SM3: keys from a password.
use zeroize::Zeroize;

use super::hmac::{HmacKey, TAG_LEN, Tag, chained_block};
use crate::{Error, Result};

/// Derives a key from a password.
///
/// DK = T(1) ‖ T(2) ‖ ..., T(i) = U(1) ⊕ ... ⊕ U(c), U(1) = HMAC(P, S ‖ i), U(j) = HMAC(P, U(j-1)).
/// After U(1) an iteration is exactly two compressions; P is prepared once.
///
/// - `password`: P, any length, bytes
/// - `salt`: S, any length, bytes; 16 random ones are usual
/// - `iterations`: c, the work factor
/// - `out`: DK, 1 to (2^32 - 1) · 32 bytes; each 32 bytes cost c iterations
///
/// # Errors
/// - [`Error::OutOfRange`]: `iterations` is 0
/// - [`Error::LengthOutOfRange`]: `out` is empty or too long
///
/// `out` is untouched then.
///
/// # Timing
/// Depends on the three lengths and `iterations` only.
///
/// # Standard
/// GM/T 0091-2020; RFC 8018, 5.2, with HMAC-SM3
///
/// # Example
/// ```
/// let mut key = [0; 16];
/// shangmi::sm3::pbkdf2::derive(b"correct horse", b"16 random bytes!", 10_000, &mut key)?;
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn derive(password: &[u8], salt: &[u8], iterations: u32, out: &mut [u8]) -> Result<()> {
    if iterations == 0 {
        return Err(Error::OutOfRange {
            what: "iterations of PBKDF2 (at least 1)",
        });
    }
    check_len(out.len())?;
    let key = HmacKey::new(password);
    for (i, chunk) in (1..=u32::MAX).zip(out.chunks_mut(TAG_LEN)) {
        let mut t = block_of_output(&key, salt, iterations, i);
        chunk.copy_from_slice(&t[..chunk.len()]);
        t.as_mut_slice().zeroize();
    }
    Ok(())
}

/// T(i).
fn block_of_output(key: &HmacKey, salt: &[u8], iterations: u32, i: u32) -> Tag {
    let mut mac = key.start();
    mac.update(salt);
    mac.update(&i.to_be_bytes());
    let mut t = mac.finalize();
    let mut block = chained_block(&t);
    for _ in 1..iterations {
        key.chain(&mut block);
        for (t, u) in t.iter_mut().zip(block) {
            *t ^= u;
        }
    }
    block.as_mut_slice().zeroize();
    t
}

/// Refuses an output that is empty or would need a counter beyond 32 bits.
fn check_len(found: usize) -> Result<()> {
    const MAX: u64 = u32::MAX as u64 * TAG_LEN as u64;
    if found == 0 || found as u64 > MAX {
        let max = usize::try_from(MAX).unwrap_or(usize::MAX);
        return Err(Error::LengthOutOfRange {
            what: "output of PBKDF2",
            min: 1,
            max,
            found,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_len;

    #[test]
    fn output_length_is_bounded() {
        assert!(check_len(0).is_err());
        assert!(check_len(1).is_ok());
        #[cfg(target_pointer_width = "64")]
        {
            assert!(check_len(0xffff_ffff * 32).is_ok());
            assert!(check_len(0xffff_ffff * 32 + 1).is_err());
        }
    }
}
