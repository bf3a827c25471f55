//! Ciphertexts to be decrypted: DER, C1C3C2 and C1C2C3.

mod cases;
mod encodings;
mod points;
mod sealed;

use anyhow::Result;
use serde::Serialize;

use super::format::{self, Group, Hex, Title, Verdict};
use super::keys::{EcPublicKey, KeyPair, bytes32, pem, pkcs8};
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

pub(super) fn file() -> Result<String> {
    let key = recipient();
    let mut cases = cases::valid(&key);
    cases.extend(cases::key_streams(&key));
    cases.extend(cases::changed(&key));
    cases.extend(points::cases(&key));
    let mut groups = Vec::new();
    for (encoding, write) in [
        ("der", Sealed::der as fn(&Sealed) -> Vec<u8>),
        ("c1c3c2", Sealed::c1c3c2),
        ("c1c2c3", Sealed::c1c2c3),
    ] {
        let mut group = Tests::new("Sm2Decrypt", Head::new(&key, encoding));
        for Case {
            result,
            flag,
            comment,
            sealed,
        } in &cases
        {
            let both = (&sealed.message[..], write(sealed));
            push(&mut group, *result, flag, comment, both);
        }
        encodings::add(&mut group, encoding, &key);
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
