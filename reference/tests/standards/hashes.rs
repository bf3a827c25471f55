//! SM3 with its MAC and key derivation, and SHA-256, on the values of the standards,
//! of OpenSSL, and of public failures.

use crate::data::{Hex, cases};
use reference::hash::Stage;
use reference::{hmac, sha256, sm2, sm3};
use serde::Deserialize;

#[derive(Deserialize)]
struct Digest {
    message: Hex,
    #[serde(default = "once")]
    repeat: usize,
    digest: Hex,
}

fn once() -> usize {
    1
}

#[test]
fn sm3_examples_of_the_standard() {
    for case in cases::<Digest>(include_str!("../../../testdata/gbt/sm3_digest.json")) {
        for stage in Stage::ALL {
            assert_eq!(
                sm3::digest_by(stage, &case.message.0)[..],
                case.digest.0,
                "{stage:?}"
            );
        }
    }
}

#[test]
fn sm3_public_failures() {
    for case in cases::<Digest>(include_str!("../../../testdata/interop/sm3_digest.json")) {
        let message = case.message.0.repeat(case.repeat);
        assert_eq!(sm3::digest_by(Stage::Unrolled, &message)[..], case.digest.0);
    }
}

#[test]
fn sha256_examples_of_the_standard() {
    for case in cases::<Digest>(include_str!("../../../testdata/fips/sha256_digest.json")) {
        let message = case.message.0.repeat(case.repeat);
        for stage in Stage::ALL {
            assert_eq!(
                sha256::digest_by(stage, &message)[..],
                case.digest.0,
                "{stage:?}"
            );
        }
    }
}

#[derive(Deserialize)]
struct Painted {
    length: usize,
    digest: Hex,
}

#[test]
fn sm3_at_every_length_as_openssl() {
    let rows: Vec<Painted> =
        serde_json::from_str(include_str!("../../../testdata/openssl/sm3_digest.json")).unwrap();
    for row in rows {
        let message: Vec<u8> = (0..row.length).map(|i| (i % 251) as u8).collect();
        assert_eq!(
            sm3::digest(&message)[..],
            row.digest.0,
            "{} bytes",
            row.length
        );
    }
}

#[derive(Deserialize)]
struct Mac {
    key: Hex,
    message: Hex,
    tag: Hex,
}

#[test]
fn hmac_as_openssl() {
    let mut rows: Vec<Mac> =
        serde_json::from_str(include_str!("../../../testdata/openssl/sm3_hmac.json")).unwrap();
    rows.extend(cases::<Mac>(include_str!(
        "../../../testdata/interop/sm3_hmac.json"
    )));
    for row in rows {
        assert_eq!(hmac::hmac(&row.key.0, &row.message.0)[..], row.tag.0);
    }
}

#[derive(Deserialize)]
struct Hkdf {
    ikm: Hex,
    salt: Hex,
    info: Hex,
    okm: Hex,
}

#[test]
fn hkdf_as_openssl() {
    let rows: Vec<Hkdf> =
        serde_json::from_str(include_str!("../../../testdata/openssl/sm3_hkdf.json")).unwrap();
    for row in rows {
        let prk = hmac::hkdf_extract(&row.salt.0, &row.ikm.0);
        assert_eq!(
            hmac::hkdf_expand(&prk, &row.info.0, row.okm.0.len()),
            Some(row.okm.0)
        );
    }
}

#[derive(Deserialize)]
struct Pbkdf2 {
    password: Hex,
    salt: Hex,
    iterations: u32,
    key: Hex,
}

#[test]
fn pbkdf2_as_openssl() {
    let rows: Vec<Pbkdf2> =
        serde_json::from_str(include_str!("../../../testdata/openssl/sm3_pbkdf2.json")).unwrap();
    for row in rows {
        let key = hmac::pbkdf2(
            &row.password.0,
            &row.salt.0,
            row.iterations,
            row.key.0.len(),
        );
        assert_eq!(key, Some(row.key.0));
    }
}

#[derive(Deserialize)]
struct Kdf {
    z: Hex,
    output: Hex,
}

#[test]
fn kdf_as_openssl() {
    let rows: Vec<Kdf> =
        serde_json::from_str(include_str!("../../../testdata/openssl/sm3_kdf.json")).unwrap();
    for row in rows {
        assert_eq!(sm2::kdf(&row.z.0, row.output.0.len()), row.output.0);
    }
}
