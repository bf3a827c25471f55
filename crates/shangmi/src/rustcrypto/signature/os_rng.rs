//! Signing where no generator is passed: with the operating system's.
use super::{digest_of, parts, sign};
use crate::rng::OsRng;
use crate::sm2::{self, Signature};
use crate::sm3::Sm3;
use signature::{DigestSigner, MultipartSigner, Result, Signer, hazmat::PrehashSigner};

impl Signer<Signature> for sm2::Signer {
    fn try_sign(&self, message: &[u8]) -> Result<Signature> {
        sign(self, &mut OsRng, parts(&[message]))
    }
}

impl MultipartSigner<Signature> for sm2::Signer {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature> {
        sign(self, &mut OsRng, parts(message))
    }
}

impl DigestSigner<Sm3, Signature> for sm2::Signer {
    fn try_sign_digest<F: Fn(&mut Sm3) -> Result<()>>(&self, absorb: F) -> Result<Signature> {
        sign(self, &mut OsRng, absorb)
    }
}

impl PrehashSigner<Signature> for sm2::Signer {
    fn sign_prehash(&self, prehash: &[u8]) -> Result<Signature> {
        Ok(self.sign_digest(digest_of(prehash)?, &mut OsRng)?)
    }
}
