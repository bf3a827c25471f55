//! Where random bytes come from.
use crate::Result;

/// A source of random bytes fit for keys and nonces.
pub trait Rng {
    /// Fills `out` with random bytes.
    ///
    /// # Errors
    /// [`Error::RandomSource`](crate::Error::RandomSource) when the source cannot deliver; `out` is
    /// then not to be used.
    fn fill(&mut self, out: &mut [u8]) -> Result<()>;
}

impl<R: Rng + ?Sized> Rng for &mut R {
    fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        (**self).fill(out)
    }
}

/// The operating system's generator (`getrandom` on Linux).
#[cfg(feature = "os-rng")]
#[derive(Clone, Copy, Debug, Default)]
pub struct OsRng;

#[cfg(feature = "os-rng")]
impl Rng for OsRng {
    fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        getrandom::fill(out).map_err(|_| crate::Error::RandomSource)
    }
}

/// `N` random bytes: a key, an IV, a nonce or a salt.
///
/// # Errors
/// [`Error::RandomSource`](crate::Error::RandomSource) when the source fails.
pub fn random<const N: usize>(rng: &mut (impl Rng + ?Sized)) -> Result<[u8; N]> {
    let mut out = [0; N];
    rng.fill(&mut out)?;
    Ok(out)
}
