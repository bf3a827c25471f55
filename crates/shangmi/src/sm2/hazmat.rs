//! Raw scalars, for tests against published examples and for protocols that make their own nonce.
//!
//! A nonce that is used twice, known or only biased gives the private key away (for a signature) or
//! the plaintext (for encryption). Nothing here can check that.
use super::basepoint;
use super::encrypt::{self, Ciphertext};
use super::exchange::{Initiator, Responder};
use super::field::{Field, P};
use super::key::{PrivateKey, PublicKey, public_point};
use super::limbs::{self, Limbs};
use super::many::Engine;
use super::mul::OddMultiples;
use super::point::Affine;
use super::scalar::{N, Scalar};
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

/// The public keys under which a signature of e is valid: at most four, the signer's among them.
///
/// R = (x₁, ±y₁) with x₁ = r - e mod n, or that plus n; P = (r + s)⁻¹·(R - s·G).
///
/// Which of them signed does not follow from the signature. Z_A in e binds a key: compute e anew for each candidate, and see which one
/// verifies. An e that was computed without a key fits all of them, so never take a recovered key for a proof of
/// who signed.
///
/// - `e`: SM3(Z_A ‖ M), big-endian
/// - returns: at 0 and 1 the keys for x₁ below n, y₁ even and odd; at 2 and 3 those for x₁ of n and more, which
///   occur once in 2^32; `None` where there is no such point
///
/// # Timing
/// Variable: everything in it is public.
///
/// # Standard
/// SEC 1, 4.1.6, with the equations of GB/T 32918.2-2016, 7.1
#[must_use]
pub fn recover_public_keys_vartime(e: &Digest, signature: &Signature) -> [Option<PublicKey>; 4] {
    let r = Scalar::reduce_be_bytes(signature.r());
    let s = Scalar::reduce_be_bytes(signature.s());
    let t = r.add(&s);
    if t.is_zero() {
        return [None; 4];
    }
    let t_inverse = t.invert();
    let minus_s_g = basepoint::multiply(&Scalar::ZERO.sub(&s));
    let recover = |x: &Limbs, y_is_odd| {
        let r_point = Affine::decompress(Field::from_limbs(x), y_is_odd).ok()?;
        let difference = public_point(minus_s_g.add_affine_vartime(&r_point))?;
        public_point(OddMultiples::new(&difference.0).multiply_vartime(&t_inverse))
    };
    let x = r.sub(&Scalar::reduce_be_bytes(e));
    let (wrapped, carry) = limbs::add(x.limbs(), &N);
    let wraps = carry == 0 && limbs::less_mask(&wrapped, &P) != 0;
    let if_wrapped = |y_is_odd| wraps.then(|| recover(&wrapped, y_is_odd)).flatten();
    [
        recover(x.limbs(), false),
        recover(x.limbs(), true),
        if_wrapped(false),
        if_wrapped(true),
    ]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm2::{DEFAULT_ID, Verifier, sign_digest_deterministic};

    fn verifies(key: &PublicKey, e: &Digest, signature: &Signature) -> bool {
        let verifier = Verifier::new(key, DEFAULT_ID).expect("a good ID");
        verifier.verify_digest(e, signature).is_ok()
    }

    #[test]
    fn the_signers_key_is_among_the_recovered_ones_and_all_of_them_verify() {
        for i in 1..40 {
            let key = PrivateKey::from_bytes(&[i; 32]).expect("in range");
            let e = [i ^ 0x5a; 32];
            let signature = sign_digest_deterministic(&key, &e).expect("signed");
            let keys = recover_public_keys_vartime(&e, &signature);
            assert!(keys.contains(&Some(*key.public_key())), "key {i}");
            assert!(
                keys.iter()
                    .flatten()
                    .all(|key| verifies(key, &e, &signature))
            );
        }
    }

    /// x₁ of n and more does not come up by chance: r is chosen, and e = r - (x₁ - n).
    #[test]
    fn an_x_between_n_and_p_is_recovered() {
        let small = (0..)
            .map(|i| [i, 0, 0, 0])
            .find(|small| {
                let x = limbs::add(&N, small).0;
                Affine::decompress(Field::from_limbs(&x), false).is_ok()
            })
            .expect("about every second x is on the curve");
        let r = Scalar::reduce_be_bytes(&[0x33; 32]);
        let e = r.sub(&Scalar::reduce(&small)).to_be_bytes();
        let signature = Signature::from_scalars(&r.to_be_bytes(), &[0x44; 32]).expect("in range");
        let keys = recover_public_keys_vartime(&e, &signature);
        for key in &keys[2..] {
            let key = key.as_ref().expect("the point exists");
            assert!(verifies(key, &e, &signature));
        }
    }

    #[test]
    fn nothing_is_recovered_where_no_key_verifies() {
        let s = Scalar::reduce_be_bytes(&[0x11; 32]);
        let r = Scalar::ZERO.sub(&s);
        let signature =
            Signature::from_scalars(&r.to_be_bytes(), &s.to_be_bytes()).expect("in range");
        assert_eq!(recover_public_keys_vartime(&[7; 32], &signature), [None; 4]);
    }
}
