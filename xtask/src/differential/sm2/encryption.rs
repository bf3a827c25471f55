//! Encryption, in every form that the peer has.

use anyhow::{Result, ensure};
use shangmi_pki::{CiphertextFormat, ciphertext};

use super::case::Case;
use super::check::{Check, Kind, Zeros, fields, flip};
use super::peer::{Peer, Request};
use crate::differential::Random;

pub(super) fn checks<'a>(
    case: &'a Case,
    peer: &Peer,
    random: &mut Random,
) -> Result<Vec<Check<'a>>> {
    let mut checks = Vec::new();
    for form in peer.ciphertexts {
        let ours = ciphertext::write(&case.ciphertext.as_ciphertext(), *form)?;
        // The first byte of a raw one says the form of C1: with 06 and 07 the same point is meant.
        let from = usize::from(*form != CiphertextFormat::Der);
        let changed = flip(&ours, from, random.next());
        ensure!(
            ciphertext::decrypt(&changed, *form, &case.key).is_err(),
            "we take our ciphertext with a changed bit, case {}",
            case.number
        );
        checks.extend([
            theirs(case, *form, random),
            Check::gives(
                case,
                Kind::OurCiphertext,
                decrypt(*form, case, &ours),
                case.plaintext.clone(),
            ),
            Check::refuses(
                case,
                Kind::ChangedCiphertext,
                decrypt(*form, case, &changed),
            ),
        ]);
        if let Some(leaking) = case.leaking()? {
            let leaking = ciphertext::write(&leaking.as_ciphertext(), *form)?;
            ensure!(
                ciphertext::decrypt(&leaking, *form, &case.key).is_err(),
                "we take a ciphertext whose key stream is zero, case {}",
                case.number
            );
            let request = decrypt(*form, case, &leaking);
            checks.push(Check::refuses(case, Kind::ZeroKeyStream, request));
        }
    }
    let bad = flip(&case.key.public_key().to_uncompressed(), 1, random.next());
    let to_bad = encrypt(peer.ciphertexts[0], &bad, &case.plaintext);
    checks.push(Check::refuses(case, Kind::ChangedKey, to_bad));
    Ok(checks)
}

/// A ciphertext of the peer's, which we must decrypt, and not when a bit is changed.
pub(super) fn theirs<'a>(case: &'a Case, form: CiphertextFormat, random: &mut Random) -> Check<'a> {
    let public = case.key.public_key().to_uncompressed();
    let request = encrypt(form, &public, &case.plaintext);
    let which = random.next();
    let judge = move |answer: &_, zeros: &mut Zeros| {
        let [bytes] = fields(answer)?;
        let opened = ciphertext::decrypt(bytes, form, &case.key)?;
        ensure!(*opened == case.plaintext, "we decrypt it to other bytes");
        let c1 = ciphertext::read(bytes, form)?.c1;
        zeros.x += u64::from(c1.x()[0] == 0);
        zeros.y += u64::from(c1.y()[0] == 0);
        let changed = ciphertext::decrypt(&flip(bytes, 0, which), form, &case.key);
        ensure!(
            changed.is_err(),
            "we take their ciphertext with a changed bit"
        );
        Ok(Vec::new())
    };
    Check::new(case, Kind::TheirCiphertext, request, judge)
}

fn encrypt(form: CiphertextFormat, public: &[u8], plaintext: &[u8]) -> Request {
    Request::new("encrypt")
        .word(word(form))
        .bytes(public)
        .bytes(plaintext)
}

fn decrypt(form: CiphertextFormat, case: &Case, ciphertext: &[u8]) -> Request {
    Request::new("decrypt")
        .word(word(form))
        .bytes(&*case.key.to_bytes())
        .bytes(ciphertext)
}

const fn word(form: CiphertextFormat) -> &'static str {
    match form {
        CiphertextFormat::C1C3C2 => "c1c3c2",
        CiphertextFormat::C1C2C3 => "c1c2c3",
        _ => "der",
    }
}
