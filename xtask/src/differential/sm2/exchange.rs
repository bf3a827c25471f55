//! Key exchange with confirmation, both roles.

use anyhow::{Result, ensure};
use shangmi::sm2::PublicKey;
use shangmi::sm2::exchange::{Confirmation, Initiator, Responder};
use shangmi::sm2::hazmat::{initiator_with_ephemeral, responder_with_ephemeral};
use shangmi::sm3::Digest;

use super::case::Case;
use super::check::{Check, Kind, fields, flip};
use super::peer::{Peer, Request};
use crate::differential::Random;

pub(super) fn checks<'a>(case: &'a Case, peer: &Peer, random: &mut Random) -> Vec<Check<'a>> {
    if !peer.exchange {
        return Vec::new();
    }
    let r_a = case.ephemeral.public_key().to_uncompressed();
    let bad = flip(&r_a, 1, random.next());
    let bad = begin("respond", "bad point", case).bytes(&bad);
    vec![
        they_initiate(case, Step::Good, random.next()),
        they_initiate(case, Step::ChangedPoint, random.next()),
        they_initiate(case, Step::ChangedConfirmation, random.next()),
        they_respond(case, Step::Good, random.next()),
        they_respond(case, Step::ChangedConfirmation, random.next()),
        Check::refuses(case, Kind::ChangedExchange, bad),
    ]
}

/// What we send in the second step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Good,
    ChangedPoint,
    ChangedConfirmation,
}

/// They are A: `R_A` from them, `R_B` and `S_B` from us, `S_A` from them.
fn they_initiate<'a>(case: &'a Case, step: Step, which: u64) -> Check<'a> {
    let name = format!("a{}{step:?}", case.number);
    let request = begin("initiate", &name, case);
    Check::new(case, Kind::TheyInitiate, request, move |answer, _| {
        let [r_a] = fields(answer)?;
        let changed = PublicKey::from_sec1(&flip(r_a, 1, which));
        ensure!(changed.is_err(), "we take their R_A with a changed bit");
        let mut shared = vec![0; case.shared_len.into()];
        let (s_b, confirmation) = ours_responds(case, &PublicKey::from_sec1(r_a)?, &mut shared)?;
        let r_b = case.ephemeral.public_key().to_uncompressed();
        let finish = Request::new("finish").word(&name);
        Ok(vec![match step {
            Step::Good => they_finish(
                case,
                finish.bytes(&r_b).bytes(&s_b),
                shared,
                confirmation,
                which,
            ),
            Step::ChangedPoint => {
                let request = finish.bytes(&flip(&r_b, 1, which)).bytes(&s_b);
                Check::refuses(case, Kind::ChangedExchange, request)
            }
            Step::ChangedConfirmation => {
                let request = finish.bytes(&r_b).bytes(&flip(&s_b, 0, which));
                Check::refuses(case, Kind::ChangedExchange, request)
            }
        }])
    })
}

fn they_finish(
    case: &Case,
    request: Request,
    shared: Vec<u8>,
    confirmation: Confirmation,
    which: u64,
) -> Check<'_> {
    Check::new(case, Kind::TheyInitiate, request, move |answer, _| {
        let [found, s_a] = fields(answer)?;
        ensure!(*found == shared, "another shared key");
        confirmation.check(&digest(s_a)?)?;
        let changed = confirmation.check(&digest(&flip(s_a, 0, which))?);
        ensure!(changed.is_err(), "we take their S_A with a changed bit");
        Ok(Vec::new())
    })
}

fn ours_responds(
    case: &Case,
    r_a: &PublicKey,
    shared: &mut [u8],
) -> Result<(Digest, Confirmation)> {
    let responder: Responder<'_> =
        responder_with_ephemeral(&case.own, &case.own_id, case.ephemeral.clone())?;
    Ok(responder.finish(case.key.public_key(), &case.id, r_a, shared)?)
}

/// They are B: `R_A` from us, `R_B` and `S_B` from them, `S_A` from us.
fn they_respond<'a>(case: &'a Case, step: Step, which: u64) -> Check<'a> {
    let name = format!("b{}{step:?}", case.number);
    let r_a = case.ephemeral.public_key().to_uncompressed();
    let request = begin("respond", &name, case).bytes(&r_a);
    Check::new(case, Kind::TheyRespond, request, move |answer, _| {
        let [r_b, s_b] = fields(answer)?;
        let r_b = PublicKey::from_sec1(r_b)?;
        let mut shared = vec![0; case.shared_len.into()];
        let s_a = ours_finishes(case, &r_b, s_b, &mut shared)?;
        let changed = ours_finishes(case, &r_b, &flip(s_b, 0, which), &mut shared.clone());
        ensure!(changed.is_err(), "we take their S_B with a changed bit");
        let confirm = Request::new("confirm").word(&name);
        Ok(vec![if step == Step::Good {
            Check::gives(case, Kind::TheyRespond, confirm.bytes(&s_a), shared)
        } else {
            let request = confirm.bytes(&flip(&s_a, 0, which));
            Check::refuses(case, Kind::ChangedExchange, request)
        }])
    })
}

fn ours_finishes(case: &Case, r_b: &PublicKey, s_b: &[u8], shared: &mut [u8]) -> Result<Digest> {
    let initiator: Initiator<'_> =
        initiator_with_ephemeral(&case.own, &case.own_id, case.ephemeral.clone())?;
    let (key, s_b) = (case.key.public_key(), digest(s_b)?);
    Ok(initiator.finish_confirmed(key, &case.id, r_b, &s_b, shared)?)
}

/// What both roles of theirs begin with.
fn begin(operation: &str, name: &str, case: &Case) -> Request {
    Request::new(operation)
        .word(&name.replace(' ', "-"))
        .bytes(&[case.shared_len])
        .bytes(&*case.key.to_bytes())
        .bytes(&case.id)
        .bytes(&case.own.public_key().to_uncompressed())
        .bytes(&case.own_id)
}

fn digest(bytes: &[u8]) -> Result<Digest> {
    let digest = bytes.try_into();
    Ok(digest?)
}
