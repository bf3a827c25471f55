//! Many operations on all cores, with the threads of `rayon`.
//!
//! Each function does what the one of the same name in [`sm2`](super) does, chunk by chunk, on the threads of rayon's current
//! pool. Results are the same, item by item. Random bytes are drawn before the threads start, in the order of the function on
//! one core: the same bytes give the same keys and signatures, and the generator need not be shared.
use super::batch;
use super::encrypt::Ciphertext;
use super::key::PrivateKey;
use super::many::{CHUNK, Engine, TOGETHER};
use super::point::G;
use super::sign::{Signature, Signer};
use super::verify::PreparedVerifier;
use super::verify_many::{self, Verification};
use crate::error::exact_len;
use crate::rng::Rng;
use crate::sm3::Digest;
use crate::{Error, Result};
use alloc::{boxed::Box, vec, vec::Vec};
use core::mem;
use rayon::prelude::*;
use zeroize::Zeroizing;

/// [`sm2::generate_many`](super::generate_many) on all cores.
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
/// use shangmi::{rng::OsRng, sm2};
///
/// let keys = sm2::parallel::generate_many(1000, &mut OsRng)?;
/// assert_eq!(keys.len(), 1000);
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn generate_many(count: usize, rng: &mut (impl Rng + ?Sized)) -> Result<Vec<PrivateKey>> {
    let engine = Engine::detect();
    let mut scalars = Zeroizing::new(Vec::with_capacity(count));
    while scalars.len() < count {
        let drawn = CHUNK.min(count - scalars.len());
        scalars.extend_from_slice(&batch::draw(drawn, rng)?[..drawn]);
    }
    // The points are public; the keys are then written once, where they stay.
    let mut points = vec![G; count];
    let chunks = points.par_chunks_mut(CHUNK).zip(scalars.par_chunks(CHUNK));
    chunks.for_each(|(points, scalars)| engine.multiply_base(scalars, points));
    let mut keys = Vec::with_capacity(count);
    for (d, point) in scalars.iter().zip(points) {
        keys.push(batch::key_of(d, point)?);
    }
    Ok(keys)
}

/// [`sm2::sign_many`](super::sign_many) on all cores.
///
/// - `digests`: e = SM3(Z_A ‖ M), 32 bytes each, big-endian
/// - `out`: one result for each digest
///
/// # Errors
/// [`Error::InvalidLength`] when `out` has not as many results as there are digests; `out` is then untouched.
/// [`Error::RandomSource`] when `rng` fails; no signature is then made, and every result says so too.
///
/// # Timing
/// Constant in the private key and the nonces.
///
/// # Standard
/// GB/T 32918.2-2016, 6.1
///
/// # Example
/// ```
/// use shangmi::{Error, rng::OsRng, sm2::{self, DEFAULT_ID, PrivateKey, Signer}};
///
/// let key = PrivateKey::generate(&mut OsRng)?;
/// let signer = Signer::new(&key, DEFAULT_ID)?;
/// let mut signatures = vec![Err(Error::RandomSource); 1000];
/// sm2::parallel::sign_many(&signer, &vec![[7; 32]; 1000], &mut signatures, &mut OsRng)?;
/// assert!(signatures.iter().all(Result::is_ok));
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
    let mut random = Zeroizing::new(vec![[0; 32]; digests.len()]);
    for fresh in random.chunks_mut(CHUNK) {
        rng.fill(fresh.as_flattened_mut())?;
    }
    let inputs = digests.par_chunks(CHUNK).zip(random.par_chunks(CHUNK));
    let chunks = inputs.zip(out.par_chunks_mut(CHUNK));
    chunks.try_for_each(|((digests, fresh), out)| {
        batch::sign_chunk(engine, signer, digests, fresh, out)
    })
}

/// [`sm2::verify_many`](super::verify_many) on all cores.
///
/// Items under one key next to each other share a table as there, made by one thread for all.
///
/// - `out`: one result for each item: `Ok`, or [`Error::BadSignature`]
///
/// # Errors
/// [`Error::InvalidLength`] when `out` has not as many results as there are items; `out` is then untouched.
///
/// # Timing
/// Variable: keys, digests and signatures are public.
///
/// # Standard
/// GB/T 32918.2-2016, 7.1
///
/// # Example
/// ```
/// use shangmi::{Error, rng::OsRng, sm2::{self, DEFAULT_ID, PrivateKey, Signer, Verification}};
///
/// let key = PrivateKey::generate(&mut OsRng)?;
/// let signature = Signer::new(&key, DEFAULT_ID)?.sign_digest(&[7; 32], &mut OsRng)?;
/// let good = Verification { key: key.public_key(), digest: [7; 32], signature };
/// let mut items = vec![good; 100];
/// items[50].digest = [8; 32];
/// let mut results = vec![Ok(()); 100];
/// sm2::parallel::verify_many(&items, &mut results)?;
/// assert_eq!(results[50], Err(Error::BadSignature));
/// assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 99);
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn verify_many(items: &[Verification<'_>], out: &mut [Result<()>]) -> Result<()> {
    exact_len("results for the signatures", items.len(), out.len())?;
    out.fill(Err(Error::BadSignature));
    let engine = Engine::detect();
    let (mut long_runs, mut others) = (Vec::new(), Vec::new());
    let mut out = out;
    for (_, run) in verify_many::runs(items) {
        let (results, rest) = mem::take(&mut out).split_at_mut(run.len());
        out = rest;
        if run.len() < engine.run_for_table() {
            others.extend(run.iter().zip(results));
        } else {
            long_runs.push((run, results));
        }
    }
    let of_runs = || {
        let runs = long_runs.into_par_iter();
        runs.for_each(|(run, out)| verify_run(engine, run, out));
    };
    let of_others = || {
        let chunks = others.par_chunks_mut(TOGETHER);
        chunks.for_each(|pairs| verify_pairs(engine, pairs));
    };
    rayon::join(of_runs, of_others);
    Ok(())
}

/// Verifies items under one key, with a table made for it.
fn verify_run(engine: Engine, run: &[Verification<'_>], out: &mut [Result<()>]) {
    // Not on the stack: a thread that waits may take up another run.
    let table = Box::new(engine.key_table(&run[0].key.0));
    let chunks = run.par_chunks(TOGETHER).zip(out.par_chunks_mut(TOGETHER));
    chunks.for_each(|(run, out)| {
        let items = run.iter().map(|item| (&item.digest, &item.signature));
        verify_many::verify_prepared(engine, &table, items, out);
    });
}

/// Verifies up to [`TOGETHER`] items under any keys.
fn verify_pairs(engine: Engine, pairs: &mut [(&Verification<'_>, &mut Result<()>)]) {
    let mut results = [Err(Error::BadSignature); TOGETHER];
    let items = pairs.iter().map(|(item, _)| *item).enumerate();
    verify_many::verify_any(engine, items, &mut results);
    for ((_, out), result) in pairs.iter_mut().zip(results) {
        **out = result;
    }
}

/// [`PreparedVerifier::verify_many`] on all cores.
///
/// - `digests`: e = SM3(Z_A ‖ M), 32 bytes each, big-endian
/// - `out`: one result for each digest: `Ok`, or [`Error::BadSignature`]
///
/// # Errors
/// [`Error::InvalidLength`] when there are not as many signatures or results as digests; `out` is then untouched.
///
/// # Timing
/// Variable: key, digests and signatures are public.
///
/// # Standard
/// GB/T 32918.2-2016, 7.1
///
/// # Example
/// ```
/// use shangmi::{rng::OsRng, sm2::{self, DEFAULT_ID, PreparedVerifier, PrivateKey, Signer, Verifier}};
///
/// let key = PrivateKey::generate(&mut OsRng)?;
/// let signature = Signer::new(&key, DEFAULT_ID)?.sign_digest(&[7; 32], &mut OsRng)?;
/// let verifier = PreparedVerifier::new(&Verifier::new(key.public_key(), DEFAULT_ID)?);
/// let mut results = vec![Ok(()); 1000];
/// sm2::parallel::verify_many_prepared(&verifier, &vec![[7; 32]; 1000], &vec![signature; 1000], &mut results)?;
/// assert!(results.iter().all(Result::is_ok));
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn verify_many_prepared(
    verifier: &PreparedVerifier,
    digests: &[Digest],
    signatures: &[Signature],
    out: &mut [Result<()>],
) -> Result<()> {
    exact_len("signatures of the digests", digests.len(), signatures.len())?;
    exact_len("results for the digests", digests.len(), out.len())?;
    let inputs = digests
        .par_chunks(TOGETHER)
        .zip(signatures.par_chunks(TOGETHER));
    let chunks = inputs.zip(out.par_chunks_mut(TOGETHER));
    chunks
        .try_for_each(|((digests, signatures), out)| verifier.verify_many(digests, signatures, out))
}

/// [`sm2::decrypt_many`](super::decrypt_many) on all cores.
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
/// use shangmi::{rng::OsRng, sm2};
///
/// let key = sm2::PrivateKey::generate(&mut OsRng)?;
/// let mut c2 = [0; 3];
/// let ciphertext = sm2::encrypt(key.public_key(), b"one", &mut c2, &mut OsRng)?;
/// let (mut a, mut b) = ([0; 3], [0; 3]);
/// let mut results = [Ok(()); 2];
/// let mut out: [&mut [u8]; 2] = [&mut a, &mut b];
/// sm2::parallel::decrypt_many(&key, &[ciphertext; 2], &mut out, &mut results)?;
/// assert_eq!(results, [Ok(()), Ok(())]);
/// assert_eq!((&a, &b), (b"one", b"one"));
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn decrypt_many(
    key: &PrivateKey,
    ciphertexts: &[Ciphertext<'_>],
    out: &mut [&mut [u8]],
    results: &mut [Result<()>],
) -> Result<()> {
    let count = ciphertexts.len();
    exact_len("buffers for the plaintexts", count, out.len())?;
    exact_len("results for the ciphertexts", count, results.len())?;
    let inputs = ciphertexts.par_chunks(CHUNK).zip(out.par_chunks_mut(CHUNK));
    let chunks = inputs.zip(results.par_chunks_mut(CHUNK));
    chunks.try_for_each(|((ciphertexts, out), results)| {
        super::decrypt_many(key, ciphertexts, out, results)
    })
}
