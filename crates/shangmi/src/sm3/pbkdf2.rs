//! PBKDF2-HMAC-SM3: keys from a password.
use zeroize::Zeroize;

use super::hmac::{HmacKey, TAG_LEN};
use super::multi::Engine;
use super::multi::iterate::Iterated;
use super::{from_bytes, to_bytes};
use crate::error::exact_len;
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
    derive_many(&[(password, salt)], iterations, &mut [out])
}

/// Derives keys from many passwords: `out[i]` from the password and the salt of `inputs[i]`.
///
/// DK as in [`derive()`], for each. The blocks T(i) of all keys run side by side: from some three blocks on
/// that is faster than one after the other, never slower.
///
/// - `inputs`: pairs (P, S) of a password and a salt, any lengths, bytes
/// - `iterations`: c, the work factor, the same for all
/// - `out`: DK for each pair, each 1 to (2^32 - 1) · 32 bytes, of any lengths
///
/// # Errors
/// - [`Error::OutOfRange`]: `iterations` is 0
/// - [`Error::InvalidLength`]: `out` has not as many keys as there are pairs
/// - [`Error::LengthOutOfRange`]: an element of `out` is empty or too long
///
/// `out` is untouched then.
///
/// # Timing
/// Depends on the lengths and `iterations` only.
///
/// # Standard
/// GM/T 0091-2020; RFC 8018, 5.2, with HMAC-SM3
///
/// # Example
/// ```
/// use shangmi::sm3::pbkdf2;
///
/// let inputs: [(&[u8], &[u8]); 2] = [(b"one", b"salt of one"), (b"another", b"salt of another")];
/// let (mut one, mut another) = ([0; 16], [0; 32]);
/// pbkdf2::derive_many(&inputs, 1000, &mut [&mut one, &mut another])?;
///
/// let mut alone = [0; 32];
/// pbkdf2::derive(b"another", b"salt of another", 1000, &mut alone)?;
/// assert_eq!(another, alone);
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn derive_many(
    inputs: &[(&[u8], &[u8])],
    iterations: u32,
    out: &mut [&mut [u8]],
) -> Result<()> {
    if iterations == 0 {
        return Err(Error::OutOfRange {
            what: "iterations of PBKDF2 (at least 1)",
        });
    }
    exact_len("number of keys", inputs.len(), out.len())?;
    out.iter().try_for_each(|out| check_len(out.len()))?;
    let mut batch = Batch::new(iterations);
    for ((password, salt), out) in inputs.iter().zip(out) {
        let key = HmacKey::new(password);
        for (i, chunk) in (1..=u32::MAX).zip(out.chunks_mut(TAG_LEN)) {
            batch.push(&key, salt, i, chunk);
        }
    }
    batch.flush();
    Ok(())
}

/// Blocks that a batch takes: all lanes of the widest code.
const BATCH: usize = 32;

/// Blocks T(i) that are computed together.
struct Batch<'o> {
    engine: Engine,
    iterations: u32,
    filled: usize,
    chains: [Iterated; BATCH],
    out: [&'o mut [u8]; BATCH],
}

impl<'o> Batch<'o> {
    fn new(iterations: u32) -> Self {
        Self {
            engine: Engine::detect(),
            iterations,
            filled: 0,
            chains: [Iterated::IDLE; BATCH],
            out: [(); BATCH].map(|()| [].as_mut_slice()),
        }
    }

    /// Takes in T(`i`), which goes to `out`: computes U(1).
    fn push(&mut self, key: &HmacKey, salt: &[u8], i: u32, out: &'o mut [u8]) {
        let mut mac = key.start();
        mac.update(salt);
        mac.update(&i.to_be_bytes());
        let mut u1 = mac.finalize();
        let [inner, outer] = key.states();
        let t = from_bytes(&u1);
        u1.as_mut_slice().zeroize();
        self.chains[self.filled] = Iterated { inner, outer, t };
        self.out[self.filled] = out;
        self.filled += 1;
        if self.filled == BATCH {
            self.flush();
        }
    }

    /// Computes what was taken in.
    fn flush(&mut self) {
        let chains = &mut self.chains[..self.filled];
        self.engine.iterate(chains, self.iterations);
        for (chain, out) in chains.iter_mut().zip(&mut self.out) {
            let mut t = to_bytes(&chain.t);
            out.copy_from_slice(&t[..out.len()]);
            t.as_mut_slice().zeroize();
            chain.wipe();
        }
        self.filled = 0;
    }
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
