//! Public keys and signatures.

use anyhow::{Result, ensure};
use shangmi::sm2::{PublicKey, Signature, Verifier};
use shangmi_pki::{SignatureFormat, signature};

use super::case::Case;
use super::check::{Check, Kind, Zeros, fields, flip};
use super::peer::{Peer, Request};
use crate::differential::Random;

/// The checks of a case, in one of the peer's forms in turn.
pub(super) fn checks<'a>(
    case: &'a Case,
    peer: &Peer,
    random: &mut Random,
) -> Result<Vec<Check<'a>>> {
    let form = peer.signatures[case.number % peer.signatures.len()];
    let public = case.key.public_key().to_uncompressed();
    let ours = signature::write(&case.signature, form);
    let (mut message, mut changed) = (case.message.clone(), ours.clone());
    if case.message.is_empty() || random.below(4) > 0 {
        changed = flip(&ours, 0, random.next());
    } else {
        message = flip(&message, 0, random.next());
    }
    let bad = flip(&public, 1, random.next());
    let verifier = Verifier::new(case.key.public_key(), &case.id)?;
    ensure!(
        PublicKey::from_sec1(&bad).is_err() && !takes(&verifier, &message, &changed, form),
        "we take our key or signature with a changed bit, case {}",
        case.number
    );
    let derive = Request::new("public").bytes(&*case.key.to_bytes());
    Ok(vec![
        Check::gives(case, Kind::PublicKey, derive, public.to_vec()),
        theirs(case, form, random)?,
        Check::accepts(
            case,
            Kind::OurSignature,
            verify(form, case, &public, &case.message, &ours),
        ),
        Check::refuses(
            case,
            Kind::ChangedSignature,
            verify(form, case, &public, &message, &changed),
        ),
        Check::refuses(
            case,
            Kind::ChangedKey,
            verify(form, case, &bad, &case.message, &ours),
        ),
    ])
}

/// A signature of the peer's, which must be valid, and not when a bit is changed.
pub(super) fn theirs<'a>(
    case: &'a Case,
    form: SignatureFormat,
    random: &mut Random,
) -> Result<Check<'a>> {
    let request = Request::new("sign")
        .word(word(form))
        .bytes(&*case.key.to_bytes())
        .bytes(&case.id)
        .bytes(&case.message);
    let verifier = Verifier::new(case.key.public_key(), &case.id)?;
    let which = random.next();
    let judge = move |answer: &_, zeros: &mut Zeros| {
        let [bytes] = fields(answer)?;
        let signature = read(bytes, form)?;
        verifier.verify(&case.message, &signature)?;
        zeros.r += u64::from(signature.r()[0] == 0);
        zeros.s += u64::from(signature.s()[0] == 0);
        let changed = flip(bytes, 0, which);
        let taken = takes(&verifier, &case.message, &changed, form);
        ensure!(!taken, "we take their signature with a changed bit");
        Ok(Vec::new())
    };
    Ok(Check::new(case, Kind::TheirSignature, request, judge))
}

/// Whether we take the bytes for a signature of the message.
fn takes(verifier: &Verifier, message: &[u8], bytes: &[u8], form: SignatureFormat) -> bool {
    read(bytes, form).is_ok_and(|signature| verifier.verify(message, &signature).is_ok())
}

fn read(bytes: &[u8], form: SignatureFormat) -> shangmi_pki::Result<Signature> {
    match form {
        SignatureFormat::Raw => signature::read_raw(bytes),
        _ => signature::read_der(bytes),
    }
}

fn verify(
    form: SignatureFormat,
    case: &Case,
    public: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Request {
    Request::new("verify")
        .word(word(form))
        .bytes(public)
        .bytes(&case.id)
        .bytes(message)
        .bytes(signature)
}

const fn word(form: SignatureFormat) -> &'static str {
    match form {
        SignatureFormat::Raw => "raw",
        _ => "der",
    }
}
