//! Signing without a random generator: the nonce of RFC 6979.
use super::key::PrivateKey;
use super::many::Engine;
use super::scalar::Scalar;
use super::sign::{self, Signature, inverse_of, nonce};
use super::za;
use crate::sm3::hmac::{HmacKey, HmacSm3};
use crate::sm3::{DIGEST_LEN, Digest};
use crate::{Error, Result};
use zeroize::Zeroizing;

/// Nonces tried before giving up: a second one is needed once in 2^32.
const MAX_ATTEMPTS: usize = 16;

/// Signs a message with the deterministic nonce of RFC 6979: the same key, ID and message give the same signature.
///
/// e = SM3(Z_A ‖ M); k from HMAC-SM3 over d and e as in RFC 6979, 3.2; r and s as in
/// [`Signer::sign`](super::Signer::sign).
///
/// For tests that compare bytes, and where there is no generator. Elsewhere take [`Signer`](super::Signer): its nonces depend on the
/// key and the message too, and on fresh random bytes as well, which hinders attacks that make the same computation
/// fail in different ways.
///
/// - `id`: 1 to 8191 bytes; [`DEFAULT_ID`](super::DEFAULT_ID) where nothing else was agreed
/// - `message`: any length, the empty message included
///
/// # Errors
/// [`Error::EmptyId`] when `id` is empty, [`Error::LengthOutOfRange`] when it is too long.
///
/// # Timing
/// Constant in the private key and the nonce; depends on the length of the message.
///
/// # Standard
/// RFC 6979, 3.2, with HMAC-SM3; GB/T 32918.2-2016, 6.1
///
/// # Example
/// ```
/// use shangmi::sm2::{self, DEFAULT_ID, PrivateKey, Verifier};
///
/// let key = PrivateKey::from_bytes(&[7; 32])?;
/// let signature = sm2::sign_deterministic(&key, DEFAULT_ID, b"message")?;
/// assert_eq!(signature, sm2::sign_deterministic(&key, DEFAULT_ID, b"message")?);
/// Verifier::new(key.public_key(), DEFAULT_ID)?.verify(b"message", &signature)?;
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn sign_deterministic(key: &PrivateKey, id: &[u8], message: &[u8]) -> Result<Signature> {
    let mut hasher = za::hasher(id, key.public_key())?;
    hasher.update(message);
    sign_digest_deterministic(key, &hasher.finalize())
}

/// [`sign_deterministic`] of the digest e = SM3(Z_A ‖ M), big-endian.
///
/// # Errors
/// [`Error::RandomSource`] when 16 nonces in a row are out of range or unusable, which no input is known to bring about.
///
/// # Timing
/// Constant in the private key and the nonce.
pub fn sign_digest_deterministic(key: &PrivateKey, e: &Digest) -> Result<Signature> {
    let inverse = Zeroizing::new(inverse_of(key));
    let engine = Engine::detect();
    Nonces::new(key, e)
        .take(MAX_ATTEMPTS)
        .flatten()
        .find_map(|k| sign::sign_with(engine, &inverse, e, &k))
        .ok_or(Error::RandomSource)
}

/// HMAC_DRBG as RFC 6979 runs it: one candidate for k after the other, `None` where it is out of range.
struct Nonces {
    key: HmacKey,
    value: Zeroizing<Digest>,
}

impl Nonces {
    /// Steps b to g.
    fn new(key: &PrivateKey, e: &Digest) -> Self {
        let seeds = [
            key.to_bytes(),
            Zeroizing::new(Scalar::reduce_be_bytes(e).to_be_bytes()),
        ];
        let mut nonces = Self {
            key: HmacKey::new(&[0; DIGEST_LEN]),
            value: Zeroizing::new([1; DIGEST_LEN]),
        };
        for separator in [0, 1] {
            nonces.change_key(separator, &seeds);
        }
        nonces
    }

    /// K = HMAC_K(V ‖ separator ‖ seeds), V = HMAC_K(V).
    fn change_key(&mut self, separator: u8, seeds: &[Zeroizing<[u8; 32]>]) {
        let mut hmac: HmacSm3 = self.key.start();
        hmac.update(&*self.value);
        hmac.update(&[separator]);
        for seed in seeds {
            hmac.update(&**seed);
        }
        self.key = HmacKey::new(&*Zeroizing::new(hmac.finalize()));
        self.step();
    }

    /// V = HMAC_K(V).
    fn step(&mut self) {
        self.value = Zeroizing::new(self.key.mac(&*self.value));
    }
}

impl Iterator for Nonces {
    type Item = Option<Zeroizing<Scalar>>;

    /// Step h.
    fn next(&mut self) -> Option<Self::Item> {
        self.step();
        let candidate = nonce(self.value.clone());
        // For whoever asks again: this candidate was not used.
        self.change_key(0, &[]);
        Some(candidate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sm2::limbs;

    fn from_hex(hex: &str) -> [u8; 32] {
        core::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex"))
    }

    /// e and k for the private key of GB/T 32918.5, from a program that gives RFC 6979's own k for its example of
    /// P-256 with SHA-256 (A.2.5, "sample").
    const NONCES: [(&str, &str); 4] = [
        (
            "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640",
            "f7d1eea09846e85224fe81ca11453a10827c315a97b924765c3a1e96d9611628",
        ),
        (
            "0000000000000000000000000000000000000000000000000000000000000000",
            "d300c28e1e52e37908845ecf10aa769bc1e26ae3f1312e6dae8337d6dc643837",
        ),
        (
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "19e73e87c2b80a2f7e5cf4e19340e6d0571fba723b32e4e91257cc85cc3cc5dd",
        ),
        (
            "fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54122",
            "b5c5fa8f9ce563dcb8271fb7ab7609596c4c7b7266cebbe0cf56f5ddedb916cf",
        ),
    ];

    #[test]
    fn nonces_are_those_of_rfc_6979() {
        let d = from_hex("3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8");
        let key = PrivateKey::from_bytes(&d).expect("in range");
        for (e, k) in NONCES.map(|(e, k)| (from_hex(e), from_hex(k))) {
            let first = Nonces::new(&key, &e).next().flatten().expect("in range");
            assert_eq!(limbs::to_be_bytes(first.limbs()), k);
            assert_eq!(
                sign_digest_deterministic(&key, &e),
                crate::sm2::hazmat::sign_with_nonce(&key, &e, &k)
            );
        }
    }

    #[test]
    fn a_nonce_that_is_not_taken_is_followed_by_another() {
        let key = PrivateKey::from_bytes(&[7; 32]).expect("in range");
        let mut nonces = Nonces::new(&key, &[5; 32]).flatten();
        let (first, second) = (nonces.next().expect("k"), nonces.next().expect("k"));
        assert!(*first != *second);
    }
}
