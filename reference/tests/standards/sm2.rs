//! SM2 on the examples of the standard and on public failures.

use crate::data::{Hex, cases};
use reference::sm2::{self, Ciphertext, Error, Own, Peer};
use serde::Deserialize;

#[derive(Deserialize)]
struct Sign {
    id: Hex,
    private_key: Hex,
    public_key: Hex,
    message: Hex,
    za: Hex,
    e: Hex,
    k: Hex,
    r: Hex,
    s: Hex,
}

#[test]
fn signature_of_the_standard() {
    for case in cases::<Sign>(include_str!("../../../testdata/gbt/sm2_sign.json")) {
        let public = sm2::public_key(&case.private_key.number()).unwrap();
        assert_eq!(public, case.public_key.point());
        assert_eq!(sm2::za(&case.id.0, &public).unwrap()[..], case.za.0);
        let e = sm2::message_digest(&case.id.0, &public, &case.message.0).unwrap();
        assert_eq!(e[..], case.e.0);
        let (r, s) = (case.r.number(), case.s.number());
        let signed = sm2::sign(&case.private_key.number(), &e, &case.k.number());
        assert_eq!(signed, Ok((r.clone(), s.clone())));
        assert!(sm2::verify(&public, &e, &r, &s));
    }
}

#[derive(Deserialize)]
struct Encrypt {
    private_key: Hex,
    public_key: Hex,
    message: Hex,
    k: Hex,
    c1: Hex,
    c3: Hex,
    c2: Hex,
}

#[test]
fn encryption_of_the_standard() {
    for case in cases::<Encrypt>(include_str!("../../../testdata/gbt/sm2_encrypt.json")) {
        let expected = Ciphertext {
            c1: case.c1.point(),
            c3: case.c3.array(),
            c2: case.c2.0,
        };
        let public = case.public_key.point();
        let ciphertext = sm2::encrypt(&public, &case.message.0, &case.k.number());
        assert_eq!(ciphertext.as_ref(), Ok(&expected));
        let message = sm2::decrypt(&case.private_key.number(), &expected);
        assert_eq!(message, Ok(case.message.0));
    }
}

#[derive(Deserialize)]
struct Exchange {
    id_a: Hex,
    private_key_a: Hex,
    public_key_a: Hex,
    ephemeral_private_a: Hex,
    ephemeral_public_a: Hex,
    za: Hex,
    id_b: Hex,
    private_key_b: Hex,
    public_key_b: Hex,
    ephemeral_private_b: Hex,
    ephemeral_public_b: Hex,
    zb: Hex,
    key: Hex,
    s_b: Hex,
    s_a: Hex,
}

#[test]
fn key_exchange_of_the_standard() {
    for case in cases::<Exchange>(include_str!("../../../testdata/gbt/sm2_exchange.json")) {
        let a = Own {
            private: &case.private_key_a.number(),
            ephemeral: &case.ephemeral_private_a.number(),
            id: &case.id_a.0,
        };
        let b = Own {
            private: &case.private_key_b.number(),
            ephemeral: &case.ephemeral_private_b.number(),
            id: &case.id_b.0,
        };
        let to_a = Peer {
            public: &case.public_key_a.point(),
            ephemeral: &case.ephemeral_public_a.point(),
            id: &case.id_a.0,
        };
        let to_b = Peer {
            public: &case.public_key_b.point(),
            ephemeral: &case.ephemeral_public_b.point(),
            id: &case.id_b.0,
        };
        assert_eq!(sm2::za(to_a.id, to_a.public).unwrap()[..], case.za.0);
        assert_eq!(sm2::za(to_b.id, to_b.public).unwrap()[..], case.zb.0);
        let shared = sm2::exchange_initiator(&a, &to_b, case.key.0.len()).unwrap();
        assert_eq!(shared.key, case.key.0);
        assert_eq!(shared.s_b[..], case.s_b.0);
        assert_eq!(shared.s_a[..], case.s_a.0);
        assert_eq!(
            sm2::exchange_responder(&b, &to_a, case.key.0.len()),
            Ok(shared)
        );
    }
}

#[derive(Deserialize)]
struct KeyPair {
    private_key: Hex,
    public_key: Hex,
}

#[test]
fn public_keys() {
    for case in cases::<KeyPair>(include_str!(
        "../../../testdata/interop/sm2_public_key.json"
    )) {
        let public = sm2::public_key(&case.private_key.number());
        assert_eq!(public, Ok(case.public_key.point()));
    }
}

#[derive(Deserialize)]
struct BadKey {
    private_key: Hex,
    why: String,
}

#[test]
fn private_keys_out_of_range() {
    let json = include_str!("../../../testdata/interop/sm2_private_key_refused.json");
    for case in cases::<BadKey>(json) {
        let public = sm2::public_key(&case.private_key.number());
        assert_eq!(public, Err(Error::ScalarOutOfRange), "{}", case.why);
    }
}

#[derive(Deserialize)]
struct Za {
    id: Hex,
    public_key: Hex,
    za: Hex,
}

#[test]
fn identifiers_are_bytes() {
    for case in cases::<Za>(include_str!("../../../testdata/interop/sm2_za.json")) {
        let za = sm2::za(&case.id.0, &case.public_key.point()).unwrap();
        assert_eq!(za[..], case.za.0);
    }
}

#[derive(Deserialize)]
struct Verify {
    #[serde(default)]
    why: String,
    public_key: Hex,
    id: Hex,
    message: Hex,
    r: Hex,
    s: Hex,
}

impl Verify {
    fn verify(&self) -> bool {
        let public = self.public_key.point();
        let e = sm2::message_digest(&self.id.0, &public, &self.message.0)
            .expect("the test data has short identifiers and affine points");
        sm2::verify(&public, &e, &self.r.number(), &self.s.number())
    }
}

#[test]
fn signatures_that_are_right() {
    for case in cases::<Verify>(include_str!("../../../testdata/interop/sm2_verify.json")) {
        assert!(case.verify());
    }
}

#[test]
fn signatures_that_are_refused() {
    for case in cases::<Verify>(include_str!(
        "../../../testdata/interop/sm2_verify_refused.json"
    )) {
        assert!(!case.verify(), "{}", case.why);
    }
}

#[derive(Deserialize)]
struct VerifyDigest {
    public_key: Hex,
    e: Hex,
    r: Hex,
    s: Hex,
}

#[test]
fn signatures_of_a_digest() {
    let json = include_str!("../../../testdata/interop/sm2_verify_digest.json");
    for case in cases::<VerifyDigest>(json) {
        let (r, s) = (case.r.number(), case.s.number());
        assert!(sm2::verify(
            &case.public_key.point(),
            &case.e.array(),
            &r,
            &s
        ));
    }
}

#[test]
fn signatures_of_a_digest_that_are_refused() {
    let json = include_str!("../../../testdata/interop/sm2_verify_digest_refused.json");
    for case in cases::<VerifyDigest>(json) {
        let (r, s) = (case.r.number(), case.s.number());
        assert!(!sm2::verify(
            &case.public_key.point(),
            &case.e.array(),
            &r,
            &s
        ));
    }
}

#[derive(Deserialize)]
struct Decrypt {
    private_key: Hex,
    c1: Hex,
    c3: Hex,
    c2: Hex,
    plaintext: Option<Hex>,
}

impl Decrypt {
    fn decrypt(&self) -> sm2::Result<Vec<u8>> {
        let ciphertext = Ciphertext {
            c1: self.c1.point(),
            c3: self.c3.array(),
            c2: self.c2.0.clone(),
        };
        sm2::decrypt(&self.private_key.number(), &ciphertext)
    }
}

#[test]
fn ciphertexts_that_are_right() {
    for case in cases::<Decrypt>(include_str!("../../../testdata/interop/sm2_decrypt.json")) {
        assert_eq!(
            case.decrypt().ok(),
            case.plaintext.map(|plaintext| plaintext.0)
        );
    }
}

#[test]
fn ciphertexts_that_are_refused() {
    for case in cases::<Decrypt>(include_str!(
        "../../../testdata/interop/sm2_decrypt_refused.json"
    )) {
        assert_eq!(case.decrypt(), Err(Error::DecryptFailed));
    }
}

#[derive(Deserialize)]
struct BadNonce {
    public_key: Hex,
    message: Hex,
    k: Hex,
}

#[test]
fn nonces_with_a_zero_key_stream() {
    for case in cases::<BadNonce>(include_str!(
        "../../../testdata/interop/sm2_encrypt_refused.json"
    )) {
        let result = sm2::encrypt(&case.public_key.point(), &case.message.0, &case.k.number());
        assert_eq!(result, Err(Error::UnusableNonce));
    }
}
