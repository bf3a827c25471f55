//! Signatures to be verified: DER, r || s, and for a given digest.

mod asn;
mod common;
mod digest;
mod hashing;
mod identifiers;
mod p1363;
mod signer;

use std::sync::LazyLock;

use anyhow::Result;
use num_bigint::BigInt;
use reference::sm2::Point;
use serde::Serialize;

use super::format::{self, Group, Hex, Title, Verdict};
use super::keys::{EcPublicKey, pem, spki};

pub(super) use digest::file as digest;

/// What the tests of a group share.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    public_key: EcPublicKey,
    public_key_der: Hex,
    public_key_pem: String,
    sha: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Hex>,
}

impl Head {
    fn new(public: &Point, id: Option<&[u8]>) -> Self {
        let der = spki(public);
        Self {
            public_key: EcPublicKey::new(public),
            public_key_pem: pem("PUBLIC KEY", &der),
            public_key_der: Hex(der),
            sha: "SM3",
            id: id.map(|id| Hex(id.to_vec())),
        }
    }
}

#[derive(Serialize)]
struct Body {
    msg: Hex,
    sig: Hex,
}

type Tests = Group<Head, Body>;

/// A signature as numbers, which each file writes in its form.
struct Case {
    result: Verdict,
    flag: &'static str,
    comment: String,
    message: Vec<u8>,
    r: BigInt,
    s: BigInt,
}

/// Cases for one key and one identifier.
struct Cases {
    public: Point,
    id: Vec<u8>,
    cases: Vec<Case>,
}

impl Cases {
    fn new(public: &Point, id: &[u8]) -> Self {
        Self {
            public: public.clone(),
            id: id.to_vec(),
            cases: Vec::new(),
        }
    }

    fn push(
        &mut self,
        result: Verdict,
        flag: &'static str,
        comment: impl Into<String>,
        message: &[u8],
        (r, s): (impl Into<BigInt>, impl Into<BigInt>),
    ) {
        self.cases.push(Case {
            result,
            flag,
            comment: comment.into(),
            message: message.to_vec(),
            r: r.into(),
            s: s.into(),
        });
    }
}

/// The groups, with each case in the form that `encode` gives it, if it has one.
fn groups(kind: &'static str, encode: impl Fn(&Case) -> Option<Vec<u8>>) -> Vec<Tests> {
    static COMMON: LazyLock<Vec<Cases>> = LazyLock::new(common::all);
    let mut groups = Vec::new();
    for Cases { public, id, cases } in &*COMMON {
        let mut group = Tests::new(kind, Head::new(public, Some(id)));
        for case in cases {
            if let Some(sig) = encode(case) {
                let (msg, sig) = (Hex(case.message.clone()), Hex(sig));
                group.push(case.result, case.flag, &case.comment, Body { msg, sig });
            }
        }
        groups.push(group);
    }
    groups
}

/// Signatures in DER.
pub(super) fn asn() -> Result<String> {
    let mut groups = groups("Sm2Verify", |case| Some(asn::encode(&case.r, &case.s)));
    asn::add_encodings(&mut groups[0]);
    let title = Title {
        algorithm: "SM2",
        schema: "sm2_verify_schema.json",
        header: &[
            "Test vectors of type Sm2Verify are meant for the verification",
            "of DER encoded SM2 signatures (GB/T 32918.2, GM/T 0009)",
            "under the identifier of the group.",
        ],
    };
    format::write(&title, groups)
}

/// Signatures as r || s.
pub(super) fn p1363() -> Result<String> {
    let mut groups = groups("Sm2P1363Verify", |case| p1363::encode(&case.r, &case.s));
    p1363::add_encodings(&mut groups[0]);
    let title = Title {
        algorithm: "SM2",
        schema: "sm2_p1363_verify_schema.json",
        header: &[
            "Test vectors of type Sm2P1363Verify are meant for the verification",
            "of SM2 signatures (GB/T 32918.2) in the form r || s, 64 bytes,",
            "under the identifier of the group.",
        ],
    };
    format::write(&title, groups)
}
