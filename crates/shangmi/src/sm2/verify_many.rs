//! Many verifications at once: with a table for keys under which there are enough in a row, the others beside each other.
use super::key::PublicKey;
use super::many::{Engine, Equation, TOGETHER};
use super::point::Affine;
use super::prepared::KeyTable;
use super::sign::Signature;
use super::verify::{Terms, candidates_vartime};
use crate::error::exact_len;
use crate::sm3::Digest;
use crate::{Error, Result};
use core::array;

/// A signature to verify.
#[derive(Clone, Copy, Debug)]
pub struct Verification<'a> {
    /// The signer's public key.
    pub key: &'a PublicKey,
    /// e = SM3(Z_A ‖ M), 32 bytes, big-endian.
    pub digest: Digest,
    /// The signature.
    pub signature: Signature,
}

/// Verifies many signatures, under one key or many: `out[i]` says whether `items[i]` is valid.
///
/// Each item has its own answer, that of [`Verifier::verify_digest`](super::Verifier::verify_digest); no item bears on another's.
///
/// Where 16 items or more under one key stand next to each other (5 where the processor has no vectors for it), they are verified
/// with a table made for the key on the way: at 64 items in half the time, or a third without vectors. So put items under one key together.
/// Making the table takes up to 160 KiB of stack. Where a key comes again, a [`PreparedVerifier`](super::PreparedVerifier) keeps the
/// table.
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
/// # #[cfg(feature = "os-rng")] {
/// use shangmi::{Error, rng::OsRng, sm2::{self, DEFAULT_ID, PrivateKey, Signer, Verification}};
///
/// let key = PrivateKey::generate(&mut OsRng)?;
/// let signature = Signer::new(&key, DEFAULT_ID)?.sign_digest(&[7; 32], &mut OsRng)?;
/// let good = Verification { key: key.public_key(), digest: [7; 32], signature };
/// let bad = Verification { digest: [8; 32], ..good };
/// let mut results = [Ok(()); 2];
/// sm2::verify_many(&[good, bad], &mut results)?;
/// assert_eq!(results, [Ok(()), Err(Error::BadSignature)]);
/// # }
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn verify_many(items: &[Verification<'_>], out: &mut [Result<()>]) -> Result<()> {
    exact_len("results for the signatures", items.len(), out.len())?;
    out.fill(Err(Error::BadSignature));
    let engine = Engine::detect();
    let pays = |run: &[Verification<'_>]| run.len() >= engine.run_for_table();
    for (start, run) in runs(items).filter(|(_, run)| pays(run)) {
        verify_run(engine, run, &mut out[start..][..run.len()]);
    }
    let others = runs(items).filter(|(_, run)| !pays(run));
    verify_any(
        engine,
        others.flat_map(|(start, run)| (start..).zip(run)),
        out,
    );
    Ok(())
}

/// The longest stretches of items under one key, each with the place of its first item.
pub(super) fn runs<'a, 'k>(
    items: &'a [Verification<'k>],
) -> impl Iterator<Item = (usize, &'a [Verification<'k>])> {
    let mut end = 0;
    items
        .chunk_by(|one, next| one.key == next.key)
        .map(move |run| {
            end += run.len();
            (end - run.len(), run)
        })
}

/// Verifies items under one key, with a table made for it. Not inlined, so that the table takes no stack where there is none.
#[inline(never)]
fn verify_run(engine: Engine, run: &[Verification<'_>], out: &mut [Result<()>]) {
    if let [first, ..] = run {
        let table = engine.key_table(&first.key.0);
        verify_prepared(
            engine,
            &table,
            run.iter().map(|item| (&item.digest, &item.signature)),
            out,
        );
    }
}

/// Verifies signatures under the key of `table`.
pub(super) fn verify_prepared<'a>(
    engine: Engine,
    table: &KeyTable,
    items: impl Iterator<Item = (&'a Digest, &'a Signature)>,
    out: &mut [Result<()>],
) {
    let point = table.point();
    let equations = items.enumerate().flat_map(|(place, (digest, signature))| {
        equations_vartime(point, digest, signature).map(move |equation| (place, equation))
    });
    settle_vartime(equations, out, |equations| {
        engine.hold_prepared_vartime(table, equations)
    });
}

/// Verifies items under any keys, each with the place of its result.
pub(super) fn verify_any<'a>(
    engine: Engine,
    items: impl Iterator<Item = (usize, &'a Verification<'a>)>,
    out: &mut [Result<()>],
) {
    let equations = items.flat_map(|(place, item)| {
        equations_vartime(item.key.0, &item.digest, &item.signature)
            .map(move |equation| (place, equation))
    });
    settle_vartime(equations, out, |equations| engine.hold_vartime(equations));
}

/// Writes `Ok` at the places for which an equation holds.
fn settle_vartime(
    equations: impl Iterator<Item = (usize, Equation)>,
    out: &mut [Result<()>],
    hold: impl Fn(&[Option<Equation>; TOGETHER]) -> [bool; TOGETHER],
) {
    let mut equations = equations.fuse();
    loop {
        let mut places = [0; TOGETHER];
        let mut count = 0;
        let some = array::from_fn::<_, TOGETHER, _>(|_| {
            let (place, equation) = equations.next()?;
            places[count] = place;
            count += 1;
            Some(equation)
        });
        if count == 0 {
            return;
        }
        for (place, _) in places.iter().zip(hold(&some)).filter(|(_, holds)| *holds) {
            out[*place] = Ok(());
        }
    }
}

/// The equations of which one must hold: none when t = 0, two when u + n is below p (once in 2^128 unless contrived), else one.
fn equations_vartime(
    point: Affine,
    digest: &Digest,
    signature: &Signature,
) -> impl Iterator<Item = Equation> + use<> {
    let terms = Terms::new(digest, signature);
    terms.into_iter().flat_map(move |Terms { s, t, u }| {
        candidates_vartime(&u).map(move |u| Equation {
            s: s.clone(),
            t: t.clone(),
            point,
            u,
        })
    })
}
