//! Many keys, signatures and decryptions at once.
use super::encrypt::{self, Ciphertext};
use super::key::PrivateKey;
use super::many::{CHUNK, Engine};
#[cfg(feature = "alloc")]
use super::point::Affine;
use super::point::G;
use super::scalar::Scalar;
use super::sign::{self, NONCE_MESSAGE_LEN, Signature, Signer};
use crate::error::exact_len;
use crate::rng::Rng;
use crate::sm3::{DIGEST_LEN, Digest};
use crate::{Error, Result};
use zeroize::Zeroizing;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

/// The name of the code path for many operations: `"ifma x 8"` (eight at a time in vectors), or that of single ones.
#[must_use]
pub fn many_backend() -> &'static str {
    Engine::detect().name()
}

/// Draws `count` private keys uniformly from [1, n-2].
///
/// Takes random bytes in the order of [`PrivateKey::generate`], for up to 64 keys in one call.
///
/// # Errors
/// [`Error::RandomSource`] when `rng` fails or keeps giving unusable values.
///
/// # Timing
/// Constant; a draw out of range (once in 2^32) is drawn again.
///
/// # Standard
/// GB/T 32918.1-2016, 6.1
///
/// # Example
/// ```
/// # #[cfg(feature = "os-rng")] {
/// use shangmi::{rng::OsRng, sm2};
///
/// let keys = sm2::generate_many(100, &mut OsRng)?;
/// assert_eq!(keys.len(), 100);
/// # }
/// # Ok::<(), shangmi::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn generate_many(count: usize, rng: &mut (impl Rng + ?Sized)) -> Result<Vec<PrivateKey>> {
    let engine = Engine::detect();
    let mut keys = Vec::with_capacity(count);
    while keys.len() < count {
        let drawn = CHUNK.min(count - keys.len());
        let scalars = draw(drawn, rng)?;
        let mut points = [G; CHUNK];
        engine.multiply_base(&scalars[..drawn], &mut points[..drawn]);
        for (d, point) in scalars[..drawn].iter().zip(points) {
            keys.push(key_of(d, point)?);
        }
    }
    Ok(keys)
}

/// Draws up to [`CHUNK`] scalars in [1, n-1]; what is above their number is 1.
#[cfg(feature = "alloc")]
pub(super) fn draw(
    count: usize,
    rng: &mut (impl Rng + ?Sized),
) -> Result<Zeroizing<[Scalar; CHUNK]>> {
    let mut random = Zeroizing::new([[0; 32]; CHUNK]);
    rng.fill(random[..count].as_flattened_mut())?;
    let mut scalars = ones();
    for (d, bytes) in scalars.iter_mut().zip(&random[..count]) {
        *d = match in_range(bytes) {
            Some(d) => d,
            None => Scalar::random(rng)?,
        };
    }
    Ok(scalars)
}

/// The private key of a scalar drawn from [1, n-1] with its point. n-1 comes up once in 2^256 draws of a sound source.
#[cfg(feature = "alloc")]
pub(super) fn key_of(d: &Scalar, point: Affine) -> Result<PrivateKey> {
    PrivateKey::from_parts(d, || point).map_err(|_| Error::RandomSource)
}

/// Signs many digests e = SM3(Z_A ‖ M) with one key: `out[i]` is the signature of `digests[i]`.
///
/// Nonces are hedged as in [`Signer::sign_digest`]. The signatures are those that it gives for the same random bytes, which are
/// taken for up to 64 signatures in one call.
///
/// - `digests`: 32 bytes each, big-endian
/// - `out`: one result for each digest
///
/// # Errors
/// [`Error::InvalidLength`] when `out` has not as many results as there are digests; `out` is then untouched.
/// [`Error::RandomSource`] when `rng` fails; every signature that was not made says so too.
///
/// # Timing
/// Constant in the private key and the nonces.
///
/// # Standard
/// GB/T 32918.2-2016, 6.1
///
/// # Example
/// ```
/// # #[cfg(feature = "os-rng")] {
/// use shangmi::{Error, rng::OsRng, sm2::{self, DEFAULT_ID, PrivateKey, Signer}};
///
/// let key = PrivateKey::generate(&mut OsRng)?;
/// let signer = Signer::new(&key, DEFAULT_ID)?;
/// let digests = [b"one".as_slice(), b"two"].map(|message| {
///     let mut hasher = signer.hasher();
///     hasher.update(message);
///     hasher.finalize()
/// });
/// let mut signatures = [Err(Error::RandomSource); 2];
/// sm2::sign_many(&signer, &digests, &mut signatures, &mut OsRng)?;
/// assert!(signatures.iter().all(Result::is_ok));
/// # }
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn sign_many(
    signer: &Signer,
    digests: &[Digest],
    out: &mut [Result<Signature>],
    rng: &mut (impl Rng + ?Sized),
) -> Result<()> {
    exact_len("results for the digests", digests.len(), out.len())?;
    out.fill(Err(Error::RandomSource));
    let engine = Engine::detect();
    let mut random = Zeroizing::new([[0; 32]; CHUNK]);
    for (digests, out) in digests.chunks(CHUNK).zip(out.chunks_mut(CHUNK)) {
        let fresh = &mut random[..digests.len()];
        rng.fill(fresh.as_flattened_mut())?;
        sign_chunk(engine, signer, digests, fresh, out)?;
    }
    Ok(())
}

/// Signs up to [`CHUNK`] digests with as many fresh random bytes.
pub(super) fn sign_chunk(
    engine: Engine,
    signer: &Signer,
    digests: &[Digest],
    fresh: &[[u8; 32]],
    out: &mut [Result<Signature>],
) -> Result<()> {
    let count = digests.len();
    let (nonce_key, inverse) = signer.secrets();
    let mut messages = Zeroizing::new([[0; NONCE_MESSAGE_LEN]; CHUNK]);
    for ((message, e), fresh) in messages.iter_mut().zip(digests).zip(fresh) {
        *message = *sign::nonce_message(e, fresh, 0);
    }
    let messages: [&[u8]; CHUNK] = messages.each_ref().map(|message| message.as_slice());
    let mut tags = Zeroizing::new([[0; DIGEST_LEN]; CHUNK]);
    nonce_key.mac_many(&messages[..count], &mut tags[..count])?;

    // A tag out of range (once in 2^32) leaves 1, and the signature is made alone.
    let mut usable = [false; CHUNK];
    let mut nonces = ones();
    for ((k, usable), tag) in nonces.iter_mut().zip(&mut usable).zip(&tags[..count]) {
        if let Some(nonce) = in_range(tag) {
            (*k, *usable) = (nonce, true);
        }
    }
    let mut points = [G; CHUNK];
    engine.multiply_base(&nonces[..count], &mut points[..count]);
    let inputs = digests.iter().zip(fresh).zip(nonces.iter().zip(points));
    for ((out, usable), ((e, fresh), (k, point))) in out.iter_mut().zip(usable).zip(inputs) {
        let signature = if usable {
            sign::finish(inverse, e, k, &point.x)
        } else {
            None
        };
        *out = signature.map_or_else(|| signer.sign_with_fresh(e, fresh), Ok);
    }
    Ok(())
}

/// Decrypts many ciphertexts with one key: `out[i]` receives the plaintext of `ciphertexts[i]`, `results[i]` says whether it
/// is valid.
///
/// Each item has its own answer, that of [`decrypt`](super::decrypt()); no item bears on another's.
///
/// - `out`: for each ciphertext a buffer exactly as long as its C₂; all zeros where the decryption fails
/// - `results`: one for each ciphertext, with the errors of [`decrypt`](super::decrypt())
///
/// # Errors
/// [`Error::InvalidLength`] when there are not as many buffers or results as ciphertexts; nothing is then written.
///
/// # Timing
/// Constant in the private key and the plaintexts' content; depends on their lengths.
///
/// # Standard
/// GB/T 32918.4-2016, 7.1
///
/// # Example
/// ```
/// # #[cfg(feature = "os-rng")] {
/// use shangmi::{rng::OsRng, sm2};
///
/// let key = sm2::PrivateKey::generate(&mut OsRng)?;
/// let (mut a, mut b) = ([0; 3], [0; 5]);
/// let ciphertexts = [
///     sm2::encrypt(key.public_key(), b"one", &mut a, &mut OsRng)?,
///     sm2::encrypt(key.public_key(), b"three", &mut b, &mut OsRng)?,
/// ];
/// let (mut one, mut three) = ([0; 3], [0; 5]);
/// let mut results = [Ok(()); 2];
/// sm2::decrypt_many(&key, &ciphertexts, &mut [&mut one, &mut three], &mut results)?;
/// assert_eq!(results, [Ok(()), Ok(())]);
/// assert_eq!((&one, &three), (b"one", b"three"));
/// # }
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn decrypt_many(
    key: &PrivateKey,
    ciphertexts: &[Ciphertext<'_>],
    out: &mut [&mut [u8]],
    results: &mut [Result<()>],
) -> Result<()> {
    exact_len("buffers for the plaintexts", ciphertexts.len(), out.len())?;
    exact_len(
        "results for the ciphertexts",
        ciphertexts.len(),
        results.len(),
    )?;
    let engine = Engine::detect();
    let chunks = ciphertexts.chunks(CHUNK).zip(out.chunks_mut(CHUNK));
    for ((ciphertexts, out), results) in chunks.zip(results.chunks_mut(CHUNK)) {
        let mut points = [G; CHUNK];
        for (point, ciphertext) in points.iter_mut().zip(ciphertexts) {
            *point = ciphertext.c1.0;
        }
        let mut shared = Zeroizing::new([G; CHUNK]);
        let count = ciphertexts.len();
        engine.multiply(key.scalar(), &points[..count], &mut shared[..count]);
        let items = ciphertexts.iter().zip(out).zip(&*shared);
        for (((ciphertext, out), shared), result) in items.zip(results) {
            *result = encrypt::check_lengths(ciphertext.c2.len(), out.len())
                .and_then(|()| encrypt::decrypt_with(shared, ciphertext, out));
        }
    }
    Ok(())
}

/// Room for secret scalars; wiped on drop.
fn ones() -> Zeroizing<[Scalar; CHUNK]> {
    Zeroizing::new([const { Scalar::ONE }; CHUNK])
}

/// The scalar in [1, n-1] with these bytes, if there is one.
fn in_range(bytes: &[u8; 32]) -> Option<Scalar> {
    Scalar::from_be_bytes(bytes).filter(|scalar| !scalar.is_zero())
}
