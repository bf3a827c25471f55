//! Signing.
use core::fmt;

use super::field::Field;
use super::key::{PrivateKey, PublicKey};
use super::many::Engine;
use super::scalar::Scalar;
use super::verify::Verifier;
use super::za;
use crate::error::exact_len;
use crate::rng::Rng;
use crate::sm3::{
    Digest, Sm3,
    hmac::{HmacKey, Tag},
};
use crate::{Error, Result};
use zeroize::{Zeroize, Zeroizing};

/// A signature (r, s), both in [1, n-1].
///
/// SM2 has no low-s rule: (r, s) has no twin that also verifies.
///
/// # Standard
/// GB/T 32918.2-2016, 6.1
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    r: [u8; 32],
    s: [u8; 32],
}

impl Signature {
    /// The signature with these numbers, 32 bytes each, big-endian.
    ///
    /// # Errors
    /// [`Error::SignatureOutOfRange`] when one is 0, n or more.
    pub fn from_scalars(r: &[u8; 32], s: &[u8; 32]) -> Result<Self> {
        for bytes in [r, s] {
            let scalar = Scalar::from_be_bytes(bytes).ok_or(Error::SignatureOutOfRange)?;
            if scalar.is_zero() {
                return Err(Error::SignatureOutOfRange);
            }
        }
        Ok(Self { r: *r, s: *s })
    }

    /// Reads r ‖ s, 64 bytes, big-endian.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] for another length, [`Error::SignatureOutOfRange`] when r or s is 0, n
    /// or more.
    pub fn from_slice(bytes: &[u8]) -> Result<Self> {
        exact_len("signature", 64, bytes.len())?;
        let (mut r, mut s) = ([0; 32], [0; 32]);
        r.copy_from_slice(&bytes[..32]);
        s.copy_from_slice(&bytes[32..]);
        Self::from_scalars(&r, &s)
    }

    /// r ‖ s, big-endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; 64] {
        let mut out = [0; 64];
        out[..32].copy_from_slice(&self.r);
        out[32..].copy_from_slice(&self.s);
        out
    }

    /// r, big-endian.
    #[must_use]
    pub const fn r(&self) -> &[u8; 32] {
        &self.r
    }

    /// s, big-endian.
    #[must_use]
    pub const fn s(&self) -> &[u8; 32] {
        &self.s
    }
}

/// Separates the nonce's key from every other use of d.
const NONCE_LABEL: &[u8] = b"shangmi SM2 nonce";

/// Nonces tried before giving up: a sound source needs a second one about once in 2^32.
const MAX_ATTEMPTS: u8 = 16;

/// Fresh random bytes, e, and the number of the attempt.
pub(super) const NONCE_MESSAGE_LEN: usize = 32 + 32 + 1;

/// Signs with one private key and one ID: keeps Z_A, (1 + d)^-1 and the key of the nonces.
///
/// Nonces are hedged: k is HMAC-SM3 under a key derived from d, over e and fresh random bytes. Equal
/// random bytes with different messages give different k, so a stuck generator does not leak d; and
/// fresh random bytes change k even for the same message. Wiped on drop.
///
/// # Example
/// ```
/// # #[cfg(feature = "os-rng")] {
/// use shangmi::{rng::OsRng, sm2::{DEFAULT_ID, PrivateKey, Signer, Verifier}};
///
/// let key = PrivateKey::generate(&mut OsRng)?;
/// let signature = Signer::new(&key, DEFAULT_ID)?.sign(b"message", &mut OsRng)?;
/// Verifier::new(key.public_key(), DEFAULT_ID)?.verify(b"message", &signature)?;
/// # }
/// # Ok::<(), shangmi::Error>(())
/// ```
pub struct Signer {
    inverse: Scalar,
    nonce_key: HmacKey,
    public: PublicKey,
    hasher: Sm3,
    engine: Engine,
}

impl Signer {
    /// Prepares signing with `key` under `id`.
    ///
    /// - `id`: 1 to 8191 bytes; [`DEFAULT_ID`](super::DEFAULT_ID) where nothing else was agreed
    ///
    /// # Errors
    /// [`Error::EmptyId`] when `id` is empty, [`Error::LengthOutOfRange`] when it is too long.
    ///
    /// # Timing
    /// Constant in the private key.
    pub fn new(key: &PrivateKey, id: &[u8]) -> Result<Self> {
        Ok(Self::with_hasher(key, za::hasher(id, key.public_key())?))
    }

    /// Prepares signing with `key` under the empty ID, which OpenSSL before 4.0 takes unless told
    /// another.
    ///
    /// # Errors
    /// None today.
    pub fn with_empty_id(key: &PrivateKey) -> Result<Self> {
        Ok(Self::with_hasher(
            key,
            za::hasher_any_id(b"", key.public_key())?,
        ))
    }

    fn with_hasher(key: &PrivateKey, hasher: Sm3) -> Self {
        let mut nonce_secret = Zeroizing::new([0; NONCE_LABEL.len() + 32]);
        nonce_secret[..NONCE_LABEL.len()].copy_from_slice(NONCE_LABEL);
        nonce_secret[NONCE_LABEL.len()..].copy_from_slice(&*key.to_bytes());
        Self {
            inverse: inverse_of(key),
            nonce_key: HmacKey::new(&*nonce_secret),
            public: *key.public_key(),
            hasher,
            engine: Engine::detect(),
        }
    }

    /// The name of the code path that signs: `"ifma"`, `"adx"` or `"portable"`.
    #[must_use]
    pub fn backend(&self) -> &'static str {
        self.engine.name_of_one()
    }

    /// The verifier of what this signer signs: the same key, the same ID.
    #[must_use]
    pub fn verifier(&self) -> Verifier {
        Verifier::with_hasher(&self.public, self.hasher())
    }

    /// SM3 that has absorbed Z_A: feed it the message in pieces, and give the digest to
    /// [`sign_digest`](Self::sign_digest).
    #[must_use]
    pub fn hasher(&self) -> Sm3 {
        self.hasher.clone()
    }

    /// Signs a message.
    ///
    /// e = SM3(Z_A ‖ M); r = e + x₁ mod n with (x₁, y₁) = k·G; s = (1 + d)⁻¹·(k - r·d) mod n.
    ///
    /// - `message`: any length, the empty message included
    ///
    /// # Errors
    /// [`Error::RandomSource`] when `rng` fails.
    ///
    /// # Timing
    /// Constant in the private key and the nonce; depends on the length of the message.
    ///
    /// # Standard
    /// GB/T 32918.2-2016, 6.1
    pub fn sign(&self, message: &[u8], rng: &mut (impl Rng + ?Sized)) -> Result<Signature> {
        let mut hasher = self.hasher();
        hasher.update(message);
        self.sign_digest(&hasher.finalize(), rng)
    }

    /// Signs the digest e = SM3(Z_A ‖ M), big-endian.
    ///
    /// # Errors
    /// [`Error::RandomSource`] when `rng` fails.
    ///
    /// # Timing
    /// Constant in the private key and the nonce.
    pub fn sign_digest(&self, e: &Digest, rng: &mut (impl Rng + ?Sized)) -> Result<Signature> {
        let mut fresh = Zeroizing::new([0; 32]);
        rng.fill(&mut *fresh)?;
        self.sign_with_fresh(e, &fresh)
    }

    /// Signs e with these fresh random bytes.
    pub(super) fn sign_with_fresh(&self, e: &Digest, fresh: &[u8; 32]) -> Result<Signature> {
        (0..MAX_ATTEMPTS)
            .filter_map(|attempt| {
                let message = nonce_message(e, fresh, attempt);
                nonce(Zeroizing::new(self.nonce_key.mac(&*message)))
            })
            .find_map(|k| sign_with(self.engine, &self.inverse, e, &k))
            .ok_or(Error::RandomSource)
    }

    /// The key of the nonces, and (1 + d)^-1.
    pub(super) const fn secrets(&self) -> (&HmacKey, &Scalar) {
        (&self.nonce_key, &self.inverse)
    }
}

/// What the nonce's tag is taken of.
pub(super) fn nonce_message(
    e: &Digest,
    fresh: &[u8; 32],
    attempt: u8,
) -> Zeroizing<[u8; NONCE_MESSAGE_LEN]> {
    let mut message = Zeroizing::new([attempt; NONCE_MESSAGE_LEN]);
    message[..32].copy_from_slice(fresh);
    message[32..64].copy_from_slice(e);
    message
}

/// The hedged nonce from its tag, or `None` when that falls outside [1, n-1] (once in 2^32).
pub(super) fn nonce(tag: Zeroizing<Tag>) -> Option<Zeroizing<Scalar>> {
    Scalar::from_be_bytes(&tag)
        .filter(|k| !k.is_zero())
        .map(Zeroizing::new)
}

impl Drop for Signer {
    fn drop(&mut self) {
        // The HMAC key wipes itself; the public key and the hasher hold public data only.
        self.inverse.zeroize();
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").finish_non_exhaustive()
    }
}

/// (1 + d)^-1 mod n.
pub(super) fn inverse_of(key: &PrivateKey) -> Scalar {
    Zeroizing::new(key.scalar().add(&Scalar::ONE)).invert()
}

/// The signature of e with the nonce k in [1, n-1], or `None` when the standard asks for another k.
pub(super) fn sign_with(
    engine: Engine,
    inverse: &Scalar,
    e: &Digest,
    k: &Scalar,
) -> Option<Signature> {
    finish(inverse, e, k, &engine.multiply_base_one(k).affine_x())
}

/// The same with x₁, the x coordinate of k·G.
///
/// s = (1 + d)⁻¹·(k - r·d) is computed as (1 + d)⁻¹·(k + r) - r, which needs no d.
pub(super) fn finish(inverse: &Scalar, e: &Digest, k: &Scalar, x1: &Field) -> Option<Signature> {
    let r = Scalar::reduce_be_bytes(e).add(&Scalar::reduce(&x1.to_limbs()));
    #[cfg(feature = "__ct-leaks")]
    crate::ct::leaks::signing(k.limbs()[0]);
    let sum = Zeroizing::new(k.add(&r));
    if r.is_zero() || sum.is_zero() {
        return None;
    }
    let s = inverse.mul(&sum).sub(&r);
    if s.is_zero() {
        return None;
    }
    Some(Signature {
        r: r.to_be_bytes(),
        s: s.to_be_bytes(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Once in 2^32 a tag is no nonce; the next attempt must then ask for another tag.
    #[test]
    fn a_tag_out_of_range_is_not_asked_for_again() {
        for tag in [[0; 32], [0xff; 32]] {
            assert!(nonce(Zeroizing::new(tag)).is_none(), "hedged nonce");
        }
        let message = |attempt| nonce_message(&[1; 32], &[2; 32], attempt);
        for later in 1..MAX_ATTEMPTS {
            for earlier in 0..later {
                let same = *message(earlier) == *message(later);
                assert!(!same, "hedged nonce: attempts {earlier} and {later}");
            }
        }
    }

    /// Every bit of k is set about half the time: a million draws, within five standard deviations. (n is so close to
    /// 2^256 that the top bits of a uniform k in [1, n-1] are off by 2^-32.)
    #[test]
    fn each_bit_of_a_million_nonces_is_balanced() {
        const DRAWS: u32 = 1_000_000;
        let key = PrivateKey::from_bytes(&[0x39; 32]).expect("in range");
        let signer = Signer::with_empty_id(&key).expect("an ID");
        let (nonce_key, _) = signer.secrets();
        let mut ones = [0_u32; 256];
        for i in 0..DRAWS {
            let mut e = [0; 32];
            e[..4].copy_from_slice(&i.to_be_bytes());
            let message = nonce_message(&e, &[0; 32], 0);
            let k = nonce(Zeroizing::new(nonce_key.mac(&*message))).expect("in range");
            for (bit, count) in ones.iter_mut().enumerate() {
                *count += (k.limbs()[bit / 64] >> (bit % 64) & 1) as u32;
            }
        }
        for (bit, count) in ones.iter().enumerate() {
            assert!(
                count.abs_diff(DRAWS / 2) < 2500,
                "bit {bit}: {count} ones in {DRAWS}"
            );
        }
    }
}
