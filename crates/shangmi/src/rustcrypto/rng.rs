//! Generators of random bytes, both ways between this crate and `rand_core`.
use crate::rng::Rng;
use crate::{Error, Result};
use signature::rand_core::TryCryptoRng;

/// A generator of `rand_core` 0.10, for the functions of this crate.
///
/// The other way round, `rng::OsRng` implements the traits of `rand_core`.
///
/// # Example
/// ```
/// use shangmi::{rustcrypto::RandCore, sm2::PrivateKey};
/// use signature::rand_core::TryCryptoRng;
///
/// fn generate(rng: &mut impl TryCryptoRng) -> shangmi::Result<PrivateKey> {
///     PrivateKey::generate(&mut RandCore(rng))
/// }
/// # #[cfg(feature = "os-rng")]
/// generate(&mut shangmi::rng::OsRng)?;
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RandCore<R>(pub R);

impl<R: TryCryptoRng> Rng for RandCore<R> {
    fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        self.0.try_fill_bytes(out).map_err(|_| Error::RandomSource)
    }
}

#[cfg(feature = "os-rng")]
mod os {
    use super::{Error, Result, Rng, TryCryptoRng};
    use crate::rng::{OsRng, random};
    use signature::rand_core::TryRng;

    impl TryRng for OsRng {
        type Error = Error;

        fn try_next_u32(&mut self) -> Result<u32> {
            random(self).map(u32::from_ne_bytes)
        }

        fn try_next_u64(&mut self) -> Result<u64> {
            random(self).map(u64::from_ne_bytes)
        }

        fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<()> {
            self.fill(out)
        }
    }

    impl TryCryptoRng for OsRng {}
}
