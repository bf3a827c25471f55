//! The file key under a passphrase.
use core::fmt;

use shangmi::{
    rng::{Rng, random},
    sm3::{hkdf, hmac::HmacKey, pbkdf2},
};
use zeroize::Zeroizing;

use super::recipient::{FILE_KEY_LEN, FileKey};
use crate::{Error, Result};

/// Fewest PBKDF2 iterations that are written: less is no obstacle to anybody.
pub const MIN_ITERATIONS: u32 = 1_000;
/// PBKDF2 iterations of a [`Passphrase`] unless it says otherwise.
pub const ITERATIONS: u32 = 1_000_000;
/// Most PBKDF2 iterations that are written, or done for a file: more would let a file stop its reader.
pub const MAX_ITERATIONS: u32 = 10_000_000;

const LABEL: &[u8] = b"shangmi sealed file 1 passphrase";
const SALT_LEN: usize = 16;
const COST_LEN: usize = 4;
const CHECK_LEN: usize = 32;
const CHECK_AT: usize = SALT_LEN + COST_LEN + FILE_KEY_LEN;
/// Salt, iterations, the masked file key, the check.
pub(super) const BODY_LEN: usize = CHECK_AT + CHECK_LEN;

/// A passphrase to seal a file with, and the work that each guess at it shall cost.
#[derive(Clone)]
pub struct Passphrase {
    bytes: Zeroizing<Vec<u8>>,
    iterations: u32,
}

impl Passphrase {
    /// A passphrase with [`ITERATIONS`].
    ///
    /// - `bytes`: text in UTF-8, or any bytes; one or more
    /// # Errors
    /// [`Error::EmptyPassphrase`].
    pub fn new(bytes: &[u8]) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::EmptyPassphrase);
        }
        Ok(Self {
            bytes: Zeroizing::new(bytes.to_vec()),
            iterations: ITERATIONS,
        })
    }

    /// The same passphrase at another cost.
    ///
    /// - `iterations`: of PBKDF2, [`MIN_ITERATIONS`] to [`MAX_ITERATIONS`]
    /// # Errors
    /// [`Error::Limit`].
    pub fn with_iterations(self, iterations: u32) -> Result<Self> {
        if !(MIN_ITERATIONS..=MAX_ITERATIONS).contains(&iterations) {
            return Err(Error::Limit {
                what: "PBKDF2 iterations of a sealed file",
                min: MIN_ITERATIONS.into(),
                max: MAX_ITERATIONS.into(),
            });
        }
        Ok(Self { iterations, ..self })
    }

    /// The body of a stanza: salt || iterations || file key XOR mask || HMAC-SM3(check key, all before)
    pub(super) fn wrap(
        &self,
        file_key: &FileKey,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<Vec<u8>> {
        let salt: [u8; SALT_LEN] = random(rng)?;
        let keys = Keys::derive(&self.bytes, &salt, self.iterations)?;
        let mut body = Vec::with_capacity(BODY_LEN);
        body.extend(salt);
        body.extend(self.iterations.to_be_bytes());
        body.extend_from_slice(&keys.masked(&file_key[..])[..]);
        let check = keys.check.mac(&body);
        body.extend(check);
        Ok(body)
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Passphrase")
            .field("iterations", &self.iterations)
            .finish_non_exhaustive()
    }
}

/// The file key from the body of a stanza.
pub(super) fn unwrap(body: &[u8], passphrase: &[u8]) -> Result<FileKey> {
    let (authenticated, check) = body.split_at(CHECK_AT);
    let (salt, rest) = authenticated.split_at(SALT_LEN);
    let (cost, masked) = rest.split_at(COST_LEN);
    let iterations = u32::from_be_bytes(cost.try_into().expect("split at 4 bytes"));
    if iterations == 0 {
        return Err(Error::Malformed {
            what: "a passphrase stanza without iterations",
        });
    }
    if iterations > MAX_ITERATIONS {
        return Err(Error::TooManyIterations {
            found: iterations.into(),
            limit: MAX_ITERATIONS.into(),
        });
    }
    let keys = Keys::derive(passphrase, salt, iterations)?;
    keys.check
        .verify(authenticated, check)
        .map_err(|_| Error::WrongPassphrase)?;
    Ok(keys.masked(masked))
}

/// What a passphrase gives with one salt: used for one file key and never again.
struct Keys {
    mask: Zeroizing<[u8; FILE_KEY_LEN]>,
    check: HmacKey,
}

impl Keys {
    /// mask || check key = HKDF-Expand(PBKDF2(passphrase, label || salt, iterations), label)
    fn derive(passphrase: &[u8], salt: &[u8], iterations: u32) -> Result<Self> {
        let mut prk = Zeroizing::new([0; 32]);
        let salt = [LABEL, salt].concat();
        pbkdf2::derive(passphrase, &salt, iterations, &mut prk[..])?;
        let mut okm = Zeroizing::new([0; FILE_KEY_LEN + CHECK_LEN]);
        hkdf::expand(&prk[..], LABEL, &mut okm[..])?;
        let (mask, check) = okm.split_first_chunk().expect("32 of 64 bytes");
        Ok(Self {
            mask: Zeroizing::new(*mask),
            check: HmacKey::new(check),
        })
    }

    /// `bytes` XOR mask
    fn masked(&self, bytes: &[u8]) -> FileKey {
        let mut masked = self.mask.clone();
        for (out, byte) in masked.iter_mut().zip(bytes) {
            *out ^= byte;
        }
        masked
    }
}

#[cfg(test)]
mod tests {
    use shangmi::rng::OsRng;

    use super::*;

    #[test]
    fn a_passphrase_hides_in_debug() {
        let passphrase = Passphrase::new(b"tell nobody").unwrap();
        let text = format!("{passphrase:?}");
        assert!(text.contains("1000000") && !text.contains("tell"), "{text}");
        assert!(!text.contains("116"), "{text}");
    }

    #[test]
    fn the_same_file_key_never_looks_the_same() {
        let passphrase = Passphrase::new(b"p").unwrap();
        let passphrase = passphrase.with_iterations(MIN_ITERATIONS).unwrap();
        let key = FileKey::new([7; FILE_KEY_LEN]);
        let (one, two) = (
            passphrase.wrap(&key, &mut OsRng).unwrap(),
            passphrase.wrap(&key, &mut OsRng).unwrap(),
        );
        assert_ne!(one[SALT_LEN + COST_LEN..], two[SALT_LEN + COST_LEN..]);
        assert_eq!(unwrap(&one, b"p").unwrap(), key);
        assert!(matches!(unwrap(&one, b"P"), Err(Error::WrongPassphrase)));
    }

    #[test]
    fn the_work_is_limited_on_both_sides() {
        let passphrase = || Passphrase::new(b"p").unwrap();
        for iterations in [0, MIN_ITERATIONS - 1, MAX_ITERATIONS + 1, u32::MAX] {
            let made = passphrase().with_iterations(iterations);
            assert!(matches!(made, Err(Error::Limit { .. })), "{iterations}");
        }
        let mut body = vec![0; BODY_LEN];
        assert!(matches!(unwrap(&body, b"p"), Err(Error::Malformed { .. })));
        body[SALT_LEN..][..COST_LEN].copy_from_slice(&(MAX_ITERATIONS + 1).to_be_bytes());
        let error = unwrap(&body, b"p").unwrap_err();
        assert!(matches!(
            error,
            Error::TooManyIterations {
                found: 10_000_001,
                ..
            }
        ));
    }
}
