//! Raw scalars, for tests against published examples and for protocols that make their own nonce.
//!
//! A nonce that is used twice, known or only biased gives the private key away (for a signature) or
//! the plaintext (for encryption). Nothing here can check that.
use super::encrypt::{self, Ciphertext};
use super::exchange::{Initiator, Responder};
use super::key::{PrivateKey, PublicKey};
use super::many::Engine;
use super::scalar::Scalar;
use super::sign::{self, Signature};
use crate::sm3::Digest;
use crate::{Error, Result};
use zeroize::Zeroizing;

/// Signs e with the nonce k.
///
/// - `e`: SM3(Z_A ‖ M), big-endian
/// - `k`: in [1, n-1], big-endian
///
/// # Errors
/// [`Error::OutOfRange`] when k is not in range, or one of those that the standard tells to replace
/// (r = 0, r + k = n or s = 0).
///
/// # Timing
/// Constant in key and nonce.
///
/// # Standard
/// GB/T 32918.2-2016, 6.1
pub fn sign_with_nonce(key: &PrivateKey, e: &Digest, k: &[u8; 32]) -> Result<Signature> {
    let inverse = Zeroizing::new(sign::inverse_of(key));
    sign::sign_with(Engine::detect(), &inverse, e, &*nonce(k)?).ok_or(UNUSABLE)
}

/// Encrypts with the nonce k; as [`encrypt`](super::encrypt()) otherwise.
///
/// - `k`: in [1, n-1], big-endian
///
/// # Errors
/// [`Error::OutOfRange`] when k is not in range, or gives an all-zero key stream; errors of lengths as
/// for [`encrypt`](super::encrypt()).
///
/// # Timing
/// Constant in the nonce and the plaintext's content.
///
/// # Standard
/// GB/T 32918.4-2016, 6.1
pub fn encrypt_with_nonce<'a>(
    key: &PublicKey,
    plaintext: &[u8],
    c2: &'a mut [u8],
    k: &[u8; 32],
) -> Result<Ciphertext<'a>> {
    encrypt::check_lengths(plaintext.len(), c2.len())?;
    let (c1, c3) = encrypt::encrypt_with(key, plaintext, c2, &*nonce(k)?)?.ok_or(UNUSABLE)?;
    Ok(Ciphertext { c1, c3, c2 })
}

/// The initiator of a key exchange with a given ephemeral key, which must not be used again.
///
/// # Errors
/// As for [`Initiator::new`], without its random source.
pub fn initiator_with_ephemeral<'a>(
    key: &'a PrivateKey,
    id: &[u8],
    ephemeral: PrivateKey,
) -> Result<Initiator<'a>> {
    Initiator::with_ephemeral(key, id, ephemeral)
}

/// The responder of a key exchange with a given ephemeral key, which must not be used again.
///
/// # Errors
/// As for [`Responder::new`], without its random source.
pub fn responder_with_ephemeral<'a>(
    key: &'a PrivateKey,
    id: &[u8],
    ephemeral: PrivateKey,
) -> Result<Responder<'a>> {
    Responder::with_ephemeral(key, id, ephemeral)
}

const UNUSABLE: Error = Error::OutOfRange {
    what: "nonce, which must be in [1, n-1] and usable",
};

fn nonce(k: &[u8; 32]) -> Result<Zeroizing<Scalar>> {
    let k = Scalar::from_be_bytes(k)
        .filter(|k| !k.is_zero())
        .ok_or(UNUSABLE)?;
    Ok(Zeroizing::new(k))
}
