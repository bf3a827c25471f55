//! Key exchange with confirmation, seen from either side.

mod cases;
mod exchange;

use anyhow::Result;
use serde::Serialize;

use super::format::{self, Group, Hex, Title, Verdict};
use super::keys::{DEFAULT_ID, EcPublicKey, KeyPair, bytes32, scalar, xy};
use exchange::{Answer, Offer, Side, reduced_x};

/// What the tests of a group share: one side with all that it knows of itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    role: &'static str,
    id: Hex,
    public_key: EcPublicKey,
    private_key: Hex,
    ephemeral_private_key: Hex,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    peer_id: Hex,
    peer_public_key: Hex,
    peer_ephemeral_public_key: Hex,
    peer_confirmation: Hex,
    key_length: usize,
    confirmation: Hex,
    shared: Hex,
}

type Tests = Group<Head, Body>;

fn group(side: &Side) -> Tests {
    let head = Head {
        role: side.role.name(),
        id: Hex(side.id.clone()),
        public_key: EcPublicKey::new(&side.key.public),
        private_key: Hex(bytes32(&side.key.d).to_vec()),
        ephemeral_private_key: Hex(bytes32(&side.ephemeral.d).to_vec()),
    };
    Tests::new("Sm2KeyAgreement", head)
}

fn push(
    group: &mut Tests,
    result: Verdict,
    flag: &'static str,
    comment: impl Into<String>,
    (offer, answer): (Offer, &Answer),
) {
    let refused = result == Verdict::Invalid;
    let known = |bytes: &[u8]| Hex(if refused { Vec::new() } else { bytes.to_vec() });
    let body = Body {
        peer_id: Hex(offer.id),
        peer_public_key: Hex(offer.public),
        peer_ephemeral_public_key: Hex(offer.ephemeral),
        peer_confirmation: Hex(offer.confirmation),
        key_length: answer.key.len(),
        confirmation: known(&answer.own_confirmation),
        shared: known(&answer.key),
    };
    group.push(result, flag, comment, body);
}

pub(super) fn file() -> Result<String> {
    let mut groups = Vec::new();
    for role in exchange::ROLES {
        let side = Side {
            role,
            id: b"Alice".to_vec(),
            key: KeyPair::named("key of this side"),
            ephemeral: KeyPair::named("ephemeral key of this side"),
        };
        let mut tests = group(&side);
        cases::add(&mut tests, &side);
        groups.push(tests);
        groups.push(without_key(role));
    }
    let title = Title {
        algorithm: "SM2",
        schema: "sm2_key_agreement_schema.json",
        header: &[
            "Test vectors of type Sm2KeyAgreement are meant for the SM2 key exchange (GB/T 32918.3)",
            "with confirmation. A group is one side, a test what comes from the other side: its",
            "identifier, public key, ephemeral public key and confirmation (S_B for the initiator, S_A",
            "for the responder). shared is the key, confirmation what this side sends.",
        ],
    };
    format::write(&title, groups)
}

/// d = -xbar r, so that this side's t = d + xbar r is 0 and the common point infinity, whoever the other side is.
fn without_key(role: exchange::Role) -> Tests {
    let n = &reference::sm2::curve().n;
    let ephemeral = KeyPair::named("ephemeral key of a side without a key");
    let product = reduced_x(&xy(&ephemeral.public).0) * &ephemeral.d % n;
    let side = Side {
        role,
        id: DEFAULT_ID.to_vec(),
        key: KeyPair::new(n - product),
        ephemeral,
    };
    let mut tests = group(&side);
    let peer = cases::peer_points("a side without a key");
    let answer = side.answer(b"Bob", &peer.0, &peer.1, 16);
    let offer = Offer::new(b"Bob", &peer, &answer);
    let comment = "t = 0: the keys of this side cancel each other";
    push(
        &mut tests,
        Verdict::Invalid,
        "SharedPointInfinity",
        comment,
        (offer, &answer),
    );
    tests
}

/// A number that is not 0, for what must be wrong.
fn other(label: &str) -> Vec<u8> {
    bytes32(&scalar(label)).to_vec()
}
