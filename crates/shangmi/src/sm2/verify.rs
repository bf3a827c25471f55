//! Verification.
use core::iter;

use super::field::{self, Field};
use super::key::PublicKey;
use super::limbs;
use super::many::Engine;
use super::mul::OddMultiples;
use super::point::{Affine, Jacobian};
use super::prepared::KeyTable;
use super::scalar::{N, Scalar};
use super::sign::Signature;
use super::{verify_many, za};
use crate::error::exact_len;
use crate::sm3::{Digest, Sm3};
use crate::{Error, Result};

/// Verifies with one public key and one ID: keeps Z_A, and where it helps eight multiples of the key (512 bytes).
///
/// # Timing
/// Variable: key, message and signature are public.
///
/// # Standard
/// GB/T 32918.2-2016, 7.1
#[derive(Clone, Debug)]
pub struct Verifier {
    point: Affine,
    multiples: Option<OddMultiples>,
    hasher: Sm3,
    engine: Engine,
}

impl Verifier {
    /// Prepares verification with `key` under `id`.
    ///
    /// - `id`: 1 to 8191 bytes; [`DEFAULT_ID`](super::DEFAULT_ID) where nothing else was agreed
    ///
    /// # Errors
    /// [`Error::EmptyId`] when `id` is empty, [`Error::LengthOutOfRange`] when it is too long.
    pub fn new(key: &PublicKey, id: &[u8]) -> Result<Self> {
        Ok(Self::with_hasher(key, za::hasher(id, key)?))
    }

    /// Prepares verification with `key` under the empty ID, which OpenSSL before 4.0 takes unless
    /// told another.
    ///
    /// # Errors
    /// None today.
    pub fn with_empty_id(key: &PublicKey) -> Result<Self> {
        Ok(Self::with_hasher(key, za::hasher_any_id(b"", key)?))
    }

    pub(super) fn with_hasher(key: &PublicKey, hasher: Sm3) -> Self {
        let engine = Engine::detect();
        Self {
            point: key.0,
            multiples: engine.odd_multiples(&key.0),
            hasher,
            engine,
        }
    }

    /// The public key that signatures are verified with.
    #[must_use]
    pub const fn public_key(&self) -> PublicKey {
        PublicKey(self.point)
    }

    /// Verifies the signature of the digest e = SM3(Z_A ‖ M).
    ///
    /// t = r + s mod n must not be 0, and (x₁, y₁) = s·G + t·P must give r = e + x₁ mod n.
    ///
    /// # Errors
    /// [`Error::BadSignature`] when one of them does not hold.
    pub fn verify_digest(&self, e: &Digest, signature: &Signature) -> Result<()> {
        let terms = Terms::new(e, signature).ok_or(Error::BadSignature)?;
        let Terms { s, t, .. } = &terms;
        let multiples = self.multiples.as_ref();
        let point = self
            .engine
            .double_multiply_vartime(&self.point, multiples, s, t);
        terms.decide_vartime(&point)
    }
}

/// Verifies with one public key and one ID, often: keeps Z_A and 256 multiples of the key (16 KiB).
///
/// Several times as fast as a [`Verifier`]; made in the time that one takes for about three signatures. Best kept in a
/// `Box` or an `Arc`, for its size.
///
/// # Timing
/// Variable: key, message and signature are public.
///
/// # Standard
/// GB/T 32918.2-2016, 7.1
///
/// # Example
/// ```
/// # #[cfg(feature = "os-rng")] {
/// use shangmi::{rng::OsRng, sm2::{DEFAULT_ID, PreparedVerifier, PrivateKey, Signer, Verifier}};
///
/// let key = PrivateKey::generate(&mut OsRng)?;
/// let signature = Signer::new(&key, DEFAULT_ID)?.sign(b"message", &mut OsRng)?;
/// let verifier = PreparedVerifier::new(&Verifier::new(key.public_key(), DEFAULT_ID)?);
/// verifier.verify(b"message", &signature)?;
/// # }
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PreparedVerifier {
    table: KeyTable,
    hasher: Sm3,
    engine: Engine,
}

impl PreparedVerifier {
    /// Prepares the key and the ID of `verifier` further.
    #[must_use]
    pub fn new(verifier: &Verifier) -> Self {
        Self {
            table: verifier.engine.key_table(&verifier.point),
            hasher: verifier.hasher(),
            engine: verifier.engine,
        }
    }

    /// As [`Verifier::verify_digest`].
    ///
    /// # Errors
    /// [`Error::BadSignature`] when the signature is not valid for this digest and key.
    pub fn verify_digest(&self, e: &Digest, signature: &Signature) -> Result<()> {
        let terms = Terms::new(e, signature).ok_or(Error::BadSignature)?;
        let point = self
            .engine
            .double_multiply_prepared_vartime(&self.table, &terms.s, &terms.t);
        terms.decide_vartime(&point)
    }

    /// Verifies the signatures of many digests: `out[i]` says whether `signatures[i]` is valid for `digests[i]`.
    ///
    /// Each has its own answer, that of [`verify_digest`](Self::verify_digest); none bears on another's. Several times as
    /// fast where the processor has vectors for it ([`many_backend`](super::many_backend)).
    ///
    /// - `digests`: e = SM3(Z_A ‖ M), 32 bytes each, big-endian
    /// - `out`: one result for each digest: `Ok`, or [`Error::BadSignature`]
    ///
    /// # Errors
    /// [`Error::InvalidLength`] when there are not as many signatures or results as digests; `out` is then untouched.
    ///
    /// # Example
    /// ```
    /// # #[cfg(feature = "os-rng")] {
    /// use shangmi::{Error, rng::OsRng, sm2::{DEFAULT_ID, PreparedVerifier, PrivateKey, Signer, Verifier}};
    ///
    /// let key = PrivateKey::generate(&mut OsRng)?;
    /// let signature = Signer::new(&key, DEFAULT_ID)?.sign_digest(&[7; 32], &mut OsRng)?;
    /// let verifier = PreparedVerifier::new(&Verifier::new(key.public_key(), DEFAULT_ID)?);
    /// let mut results = [Ok(()); 2];
    /// verifier.verify_many(&[[7; 32], [8; 32]], &[signature; 2], &mut results)?;
    /// assert_eq!(results, [Ok(()), Err(Error::BadSignature)]);
    /// # }
    /// # Ok::<(), shangmi::Error>(())
    /// ```
    pub fn verify_many(
        &self,
        digests: &[Digest],
        signatures: &[Signature],
        out: &mut [Result<()>],
    ) -> Result<()> {
        exact_len("signatures of the digests", digests.len(), signatures.len())?;
        exact_len("results for the digests", digests.len(), out.len())?;
        out.fill(Err(Error::BadSignature));
        let items = digests.iter().zip(signatures);
        verify_many::verify_prepared(self.engine, &self.table, items, out);
        Ok(())
    }
}

/// The methods that do not depend on what is kept of the key.
macro_rules! methods_of_verifier {
    ($name:ident) => {
        impl $name {
            /// The name of the code path that verifies: `"ifma"`, `"adx"` or `"portable"`.
            #[must_use]
            pub fn backend(&self) -> &'static str {
                self.engine.name_of_one()
            }

            /// SM3 that has absorbed Z_A: feed it the message in pieces, and give the digest to
            /// [`verify_digest`](Self::verify_digest).
            #[must_use]
            pub fn hasher(&self) -> Sm3 {
                self.hasher.clone()
            }

            /// Verifies the signature of a message.
            ///
            /// # Errors
            /// [`Error::BadSignature`] when it is not valid for this message, ID and key.
            pub fn verify(&self, message: &[u8], signature: &Signature) -> Result<()> {
                let mut hasher = self.hasher();
                hasher.update(message);
                self.verify_digest(&hasher.finalize(), signature)
            }
        }
    };
}
methods_of_verifier!(Verifier);
methods_of_verifier!(PreparedVerifier);

/// What a verification computes with: s·G + t·P must have an x coordinate that is u modulo n.
pub(super) struct Terms {
    pub(super) s: Scalar,
    pub(super) t: Scalar,
    pub(super) u: Scalar,
}

impl Terms {
    /// t = r + s and u = r - e, or `None` when t is 0.
    pub(super) fn new(e: &Digest, signature: &Signature) -> Option<Self> {
        let r = Scalar::reduce_be_bytes(signature.r());
        let s = Scalar::reduce_be_bytes(signature.s());
        let t = r.add(&s);
        let u = r.sub(&Scalar::reduce_be_bytes(e));
        (!t.is_zero()).then_some(Self { s, t, u })
    }

    /// The answer to the verification, for s·G + t·P. Variable-time.
    fn decide_vartime(&self, point: &Jacobian) -> Result<()> {
        candidates_vartime(&self.u)
            .any(|x| point.has_x_vartime(&x))
            .then_some(())
            .ok_or(Error::BadSignature)
    }
}

/// The field elements that are u modulo n: u, and u + n where that is below p. Variable-time.
pub(super) fn candidates_vartime(u: &Scalar) -> impl Iterator<Item = Field> + use<> {
    let (wrapped, carry) = limbs::add(u.limbs(), &N);
    let below = carry == 0 && limbs::less_mask(&wrapped, &field::P) != 0;
    let second = below.then(|| Field::from_limbs(&wrapped));
    iter::once(Field::from_limbs(u.limbs())).chain(second)
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::sm2::point::{Affine, G};
    use crate::sm2::{DEFAULT_ID, Verification, basepoint, mul, verify_many::verify_many};
    use std::vec;

    /// A signature whose x₁ lies in [n, p), so that r - e must be taken as u + n.
    ///
    /// Such an x₁ comes up once in 2^32 signatures, so it is built backwards: choose the point R with
    /// that x₁, s and t; then P = t⁻¹·(R - s·G), r = t - s and e = r - x₁.
    #[test]
    fn x_between_n_and_p_is_accepted() {
        let (x1, point) = (0..)
            .find_map(|i| {
                let x1 = limbs::add(&N, &[i, 0, 0, 0]).0;
                let point = Affine::decompress(Field::from_limbs(&x1), false).ok()?;
                Some((Scalar::reduce(&x1), point))
            })
            .expect("about every second x is on the curve");
        let s = Scalar::reduce_be_bytes(&[0x11; 32]);
        let t = Scalar::reduce_be_bytes(&[0x77; 32]);
        let minus_s = Scalar::reduce(&[0; 4]).sub(&s);
        let difference = basepoint::multiply(&minus_s).add_affine(&point);
        let difference = difference.to_affine().expect("R is not s·G");
        let key = mul::multiply(&t.invert(), &difference)
            .to_affine()
            .expect("t is not 0");
        let r = t.sub(&s);
        let e = r.sub(&x1).to_be_bytes();
        let signature =
            Signature::from_scalars(&r.to_be_bytes(), &s.to_be_bytes()).expect("in range");
        let verifier = Verifier::new(&PublicKey(key), DEFAULT_ID).expect("good ID");
        assert_eq!(verifier.verify_digest(&e, &signature), Ok(()));
        let prepared = PreparedVerifier::new(&verifier);
        assert_eq!(prepared.verify_digest(&e, &signature), Ok(()));
        let item = Verification {
            key: &PublicKey(key),
            digest: e,
            signature,
        };
        // One at a time, side by side, and with a table.
        for count in [1, 2, 40] {
            let mut results = vec![Err(Error::BadSignature); count];
            verify_many(&vec![item; count], &mut results).expect("as many");
            assert_eq!(results, vec![Ok(()); count]);
            let (digests, signatures) = (vec![e; count], vec![signature; count]);
            let mut results = vec![Err(Error::BadSignature); count];
            let done = prepared.verify_many(&digests, &signatures, &mut results);
            assert_eq!((done, results), (Ok(()), vec![Ok(()); count]));
        }
        let mut other = e;
        other[0] ^= 1;
        assert_eq!(
            verifier.verify_digest(&other, &signature),
            Err(Error::BadSignature)
        );
        assert_eq!(
            prepared.verify_digest(&other, &signature),
            Err(Error::BadSignature)
        );
    }

    #[test]
    fn t_zero_is_refused() {
        let verifier = Verifier::new(&PublicKey(G), DEFAULT_ID).expect("good ID");
        let s = Scalar::reduce_be_bytes(&[0x11; 32]);
        let r = Scalar::reduce(&[0; 4]).sub(&s);
        let signature =
            Signature::from_scalars(&r.to_be_bytes(), &s.to_be_bytes()).expect("in range");
        // s·G + 0·P = s·G: without the check, e = r - x(s·G) would verify under every key.
        let x = Scalar::reduce(&basepoint::multiply(&s).affine_x().to_limbs());
        let e = r.sub(&x).to_be_bytes();
        assert_eq!(
            verifier.verify_digest(&e, &signature),
            Err(Error::BadSignature)
        );
    }
}
