//! SM2 signatures for the crate `signature`.
//!
//! A prehash is e = SM3(Z_A ‖ M), 32 bytes, and not the digest of the message alone. The hasher that a `DigestSigner` or a
//! `DigestVerifier` hands out has absorbed Z_A.
use super::RandCore;
use crate::rng::Rng;
use crate::sm2::{self, PreparedVerifier, Signature};
use crate::sm3::{Digest, Sm3};
use signature::{
    DigestVerifier, Error, Keypair, MultipartVerifier, RandomizedDigestSigner,
    RandomizedMultipartSigner, RandomizedSigner, Result, SignatureEncoding, Verifier,
    hazmat::{PrehashVerifier, RandomizedPrehashSigner},
    rand_core::TryCryptoRng,
};

#[cfg(feature = "os-rng")]
mod os_rng;

/// Says that it failed, and no more.
impl From<crate::Error> for Error {
    fn from(_: crate::Error) -> Self {
        Self::new()
    }
}

impl TryFrom<&[u8]> for Signature {
    type Error = crate::Error;

    fn try_from(bytes: &[u8]) -> crate::Result<Self> {
        Self::from_slice(bytes)
    }
}

impl From<Signature> for [u8; 64] {
    fn from(signature: Signature) -> Self {
        signature.to_bytes()
    }
}

/// r ‖ s, 64 bytes.
impl SignatureEncoding for Signature {
    type Repr = [u8; 64];
}

/// Whoever verifies what this signer signs: the same key, the same ID.
impl Keypair for sm2::Signer {
    type VerifyingKey = sm2::Verifier;

    fn verifying_key(&self) -> sm2::Verifier {
        self.verifier()
    }
}

/// e as a prehash.
fn digest_of(prehash: &[u8]) -> Result<&Digest> {
    prehash.try_into().map_err(|_| Error::new())
}

/// Makes what hashes a message of several parts.
fn parts<'a>(message: &'a [&[u8]]) -> impl Fn(&mut Sm3) -> Result<()> + 'a {
    |hasher| {
        message.iter().for_each(|part| hasher.update(part));
        Ok(())
    }
}

/// Signs what `absorb` gives to the hasher.
fn sign<F: Fn(&mut Sm3) -> Result<()>>(
    signer: &sm2::Signer,
    rng: &mut impl Rng,
    absorb: F,
) -> Result<Signature> {
    let mut hasher = signer.hasher();
    absorb(&mut hasher)?;
    Ok(signer.sign_digest(&hasher.finalize(), rng)?)
}

impl RandomizedSigner<Signature> for sm2::Signer {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[u8],
    ) -> Result<Signature> {
        sign(self, &mut RandCore(rng), parts(&[message]))
    }
}

impl RandomizedMultipartSigner<Signature> for sm2::Signer {
    fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        message: &[&[u8]],
    ) -> Result<Signature> {
        sign(self, &mut RandCore(rng), parts(message))
    }
}

impl RandomizedDigestSigner<Sm3, Signature> for sm2::Signer {
    fn try_sign_digest_with_rng<R: TryCryptoRng + ?Sized, F: Fn(&mut Sm3) -> Result<()>>(
        &self,
        rng: &mut R,
        absorb: F,
    ) -> Result<Signature> {
        sign(self, &mut RandCore(rng), absorb)
    }
}

impl RandomizedPrehashSigner<Signature> for sm2::Signer {
    fn sign_prehash_with_rng<R: TryCryptoRng + ?Sized>(
        &self,
        rng: &mut R,
        prehash: &[u8],
    ) -> Result<Signature> {
        Ok(self.sign_digest(digest_of(prehash)?, &mut RandCore(rng))?)
    }
}

macro_rules! verifier {
    ($($name:ty),*) => {$(
        impl Verifier<Signature> for $name {
            fn verify(&self, message: &[u8], signature: &Signature) -> Result<()> {
                Ok(Self::verify(self, message, signature)?)
            }
        }

        impl MultipartVerifier<Signature> for $name {
            fn multipart_verify(&self, message: &[&[u8]], signature: &Signature) -> Result<()> {
                DigestVerifier::verify_digest(self, parts(message), signature)
            }
        }

        impl DigestVerifier<Sm3, Signature> for $name {
            fn verify_digest<F: Fn(&mut Sm3) -> Result<()>>(
                &self,
                absorb: F,
                signature: &Signature,
            ) -> Result<()> {
                let mut hasher = self.hasher();
                absorb(&mut hasher)?;
                Ok(Self::verify_digest(self, &hasher.finalize(), signature)?)
            }
        }

        impl PrehashVerifier<Signature> for $name {
            fn verify_prehash(&self, prehash: &[u8], signature: &Signature) -> Result<()> {
                Ok(Self::verify_digest(self, digest_of(prehash)?, signature)?)
            }
        }
    )*};
}
verifier!(sm2::Verifier, PreparedVerifier);
