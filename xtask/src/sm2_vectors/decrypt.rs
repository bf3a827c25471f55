//! Ciphertexts to be decrypted: DER, C1C3C2 and C1C2C3.

mod asn;
mod cases;
mod points;
mod raw;
mod sealed;

use anyhow::Result;
use serde::Serialize;

use super::broken::{Bad, Broken};
use super::format::{self, Group, Hex, Title, Verdict};
use super::keys::{EcPublicKey, KeyPair, bytes32, pem, pkcs8};
use raw::Order;
use sealed::{Sealed, recipient};

/// What the tests of a group share.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    public_key: EcPublicKey,
    private_key: Hex,
    private_key_pkcs8: Hex,
    private_key_pem: String,
    encoding: &'static str,
}

impl Head {
    fn new(key: &KeyPair, encoding: &'static str) -> Self {
        let der = pkcs8(key);
        Self {
            public_key: EcPublicKey::new(&key.public),
            private_key: Hex(bytes32(&key.d).to_vec()),
            private_key_pem: pem("PRIVATE KEY", &der),
            private_key_pkcs8: Hex(der),
            encoding,
        }
    }
}

#[derive(Serialize)]
struct Body {
    msg: Hex,
    ct: Hex,
}

type Tests = Group<Head, Body>;

/// A ciphertext in its parts, which each group writes in its form.
struct Case {
    result: Verdict,
    flag: &'static str,
    comment: String,
    sealed: Sealed,
}

impl Case {
    fn new(
        result: Verdict,
        flag: &'static str,
        comment: impl Into<String>,
        sealed: Sealed,
    ) -> Self {
        Self {
            result,
            flag,
            comment: comment.into(),
            sealed,
        }
    }
}

fn push(
    group: &mut Tests,
    result: Verdict,
    flag: &'static str,
    comment: impl Into<String>,
    (message, ciphertext): (&[u8], Vec<u8>),
) {
    let (msg, ct) = (Hex(message.to_vec()), Hex(ciphertext));
    group.push(result, flag, comment, Body { msg, ct });
}

/// A ciphertext whose two INTEGERs need a 00 in front.
fn with_high_coordinates(key: &KeyPair, message: &[u8]) -> Sealed {
    (0u32..)
        .map(|i| Sealed::new(key, message, &format!("encodings {i}")))
        .find(|sealed| sealed.x.bit(255) && sealed.y.bit(255))
        .expect("one ciphertext of four")
}

/// A group of all cases that do not depend on the form.
fn group(
    key: &KeyPair,
    encoding: &'static str,
    cases: &[Case],
    write: fn(&Sealed) -> Vec<u8>,
) -> Tests {
    let mut group = Tests::new("Sm2Decrypt", Head::new(key, encoding));
    for case in cases {
        let both = (&case.sealed.message[..], write(&case.sealed));
        push(&mut group, case.result, case.flag, &case.comment, both);
    }
    group
}

fn add_broken(group: &mut Tests, good: &Sealed, broken: Broken) {
    for Bad {
        flag,
        comment,
        bytes,
    } in broken.0
    {
        push(
            group,
            Verdict::Invalid,
            flag,
            comment,
            (&good.message, bytes),
        );
    }
}

pub(super) fn file() -> Result<String> {
    let key = recipient();
    let mut cases = cases::valid(&key);
    cases.extend(cases::key_streams(&key));
    cases.extend(cases::changed(&key));
    cases.extend(points::cases(&key));
    let good = with_high_coordinates(&key, b"written in many ways");
    let mut group = group(&key, "der", &cases, Sealed::der);
    add_broken(&mut group, &good, asn::broken(&good));
    let mut groups = vec![group];
    for (order, encoding, write) in [
        (Order::C1C3C2, "c1c3c2", Sealed::c1c3c2 as fn(&Sealed) -> _),
        (Order::C1C2C3, "c1c2c3", Sealed::c1c2c3),
    ] {
        let mut group = self::group(&key, encoding, &cases, write);
        add_broken(&mut group, &good, raw::broken(&good, order));
        raw::add_point_forms(&mut group, &good, order);
        groups.push(group);
    }
    let title = Title {
        algorithm: "SM2",
        schema: "sm2_decrypt_schema.json",
        header: &[
            "Test vectors of type Sm2Decrypt are meant for SM2 decryption (GB/T 32918.4).",
            "The ciphertexts of a group have the form that its encoding says: der is the SM2Cipher",
            "of GM/T 0009, c1c3c2 and c1c2c3 are the parts one after the other, C1 with its 04.",
            "The msg of an invalid case is what a faulty program may give out.",
        ],
    };
    format::write(&title, groups)
}
