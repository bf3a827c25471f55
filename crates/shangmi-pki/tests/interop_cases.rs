//! Files that other programs failed on, or should have: `testdata/interop/pki_*.json`.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::{cases, file, hex, private_key};
use serde::Deserialize;
use shangmi::sm2::Verifier;
use shangmi_pki::{CiphertextFormat, Error, SignatureFormat, ciphertext, key, signature};

fn format(name: &str) -> CiphertextFormat {
    match name {
        "Der" => CiphertextFormat::Der,
        "C1C3C2" => CiphertextFormat::C1C3C2,
        "C1C2C3" => CiphertextFormat::C1C2C3,
        "BareC1C3C2" => CiphertextFormat::BareC1C3C2,
        "BareC1C2C3" => CiphertextFormat::BareC1C2C3,
        other => panic!("no such format: {other}"),
    }
}

/// The names that the case files use for errors without a fixed message.
fn kind(error: &Error) -> &'static str {
    match error {
        Error::Der { .. } => "Der",
        Error::NegativeInteger { .. } => "NegativeInteger",
        Error::Length { .. } => "Length",
        Error::Crypto(shangmi::Error::DecryptFailed) => "DecryptFailed",
        Error::Crypto(shangmi::Error::SignatureOutOfRange) => "SignatureOutOfRange",
        _ => "another",
    }
}

#[derive(Deserialize)]
struct CiphertextCase {
    source: String,
    private_key: String,
    format: String,
    ciphertext: String,
    plaintext: Option<String>,
    error: Option<String>,
}

#[test]
fn ciphertexts() {
    for case in cases::<CiphertextCase>(include_str!(
        "../../../testdata/interop/pki_ciphertexts.json"
    )) {
        let (bytes, form) = (hex(&case.ciphertext), format(&case.format));
        let key = private_key(&case.private_key);
        let expected = hex(case.plaintext.as_ref().unwrap());
        assert_eq!(
            ciphertext::decrypt(&bytes, form, &key).unwrap()[..],
            expected,
            "{}",
            case.source
        );
        let (plaintext, found) = ciphertext::decrypt_auto(&bytes, &key).unwrap();
        assert_eq!(
            (&plaintext[..], found),
            (&expected[..], form),
            "{}",
            case.source
        );
        let parsed = ciphertext::read(&bytes, form).unwrap();
        let written = ciphertext::write(&parsed.as_ciphertext(), form).unwrap();
        assert_eq!(written, bytes, "{}", case.source);
    }
}

#[test]
fn refused_ciphertexts() {
    let json = include_str!("../../../testdata/interop/pki_ciphertexts_refused.json");
    for case in cases::<CiphertextCase>(json) {
        let key = private_key(&case.private_key);
        let error = ciphertext::decrypt(&hex(&case.ciphertext), format(&case.format), &key);
        assert_eq!(
            kind(&error.unwrap_err()),
            case.error.unwrap(),
            "{}",
            case.source
        );
    }
}

#[derive(Deserialize)]
struct SignatureCase {
    source: String,
    der: String,
    r: Option<String>,
    s: Option<String>,
    public_key: Option<String>,
    message: Option<String>,
    id: Option<String>,
    why: Option<String>,
    error: Option<String>,
}

#[test]
fn signatures() {
    for case in cases::<SignatureCase>(include_str!(
        "../../../testdata/interop/pki_signatures.json"
    )) {
        let der = hex(&case.der);
        let raw = hex(&(case.r.unwrap() + &case.s.unwrap()));
        let (signature, form) = signature::read(&der).unwrap();
        assert_eq!(form, SignatureFormat::Der, "{}", case.source);
        assert_eq!(
            signature::read(&raw).unwrap(),
            (signature, SignatureFormat::Raw)
        );
        assert_eq!(
            signature::write(&signature, SignatureFormat::Der),
            der,
            "{}",
            case.source
        );
        assert_eq!(
            signature::write(&signature, SignatureFormat::Raw),
            raw,
            "{}",
            case.source
        );
        if let (Some(key), Some(message), Some(id)) = (case.public_key, case.message, case.id) {
            let (key, _) = key::read_public_key(key.as_bytes()).unwrap();
            let verifier = Verifier::new(&key, id.as_bytes()).unwrap();
            verifier.verify(message.as_bytes(), &signature).unwrap();
        }
    }
}

#[test]
fn refused_signatures() {
    let json = include_str!("../../../testdata/interop/pki_signatures_refused.json");
    for case in cases::<SignatureCase>(json) {
        let error = signature::read(&hex(&case.der)).unwrap_err();
        assert_eq!(kind(&error), case.error.unwrap(), "{}", case.why.unwrap());
    }
}

#[derive(Deserialize)]
struct KeyCase {
    source: String,
    kind: String,
    file: String,
    format: Option<String>,
    private_key: Option<String>,
    public_key: Option<String>,
    error: Option<String>,
}

impl KeyCase {
    fn bytes(&self) -> Vec<u8> {
        file(&self.kind, &self.file)
    }
}

#[test]
fn private_keys() {
    for case in cases::<KeyCase>(include_str!(
        "../../../testdata/interop/pki_private_keys.json"
    )) {
        let (key, form) = key::read_private_key(&case.bytes()).unwrap();
        assert_eq!(format!("{form:?}"), case.format.unwrap(), "{}", case.source);
        assert_eq!(
            key.to_bytes()[..],
            hex(&case.private_key.unwrap()),
            "{}",
            case.source
        );
        if let Some(public) = case.public_key {
            assert_eq!(
                key.public_key().to_uncompressed()[..],
                hex(&public),
                "{}",
                case.source
            );
        }
    }
}

#[test]
fn refused_private_keys() {
    let json = include_str!("../../../testdata/interop/pki_private_keys_refused.json");
    for case in cases::<KeyCase>(json) {
        let error = key::read_private_key(&case.bytes()).expect_err(&case.source);
        assert_eq!(error.to_string(), case.error.unwrap(), "{}", case.source);
    }
}

#[test]
fn public_keys() {
    for case in cases::<KeyCase>(include_str!(
        "../../../testdata/interop/pki_public_keys.json"
    )) {
        let (key, form) = key::read_public_key(&case.bytes()).unwrap();
        assert_eq!(format!("{form:?}"), case.format.unwrap(), "{}", case.source);
        assert_eq!(
            key.to_uncompressed()[..],
            hex(&case.public_key.unwrap()),
            "{}",
            case.source
        );
    }
}

#[test]
fn refused_public_keys() {
    let json = include_str!("../../../testdata/interop/pki_public_keys_refused.json");
    for case in cases::<KeyCase>(json) {
        let error = key::read_public_key(&case.bytes()).expect_err(&case.source);
        assert_eq!(error.to_string(), case.error.unwrap(), "{}", case.source);
    }
}

#[derive(Deserialize)]
struct EncryptedCase {
    source: String,
    file: String,
    passphrase: String,
    private_key: String,
    public_key: String,
}

#[test]
fn encrypted_keys() {
    let json = include_str!("../../../testdata/interop/pki_encrypted_keys.json");
    for case in cases::<EncryptedCase>(json) {
        let der = hex(&case.file);
        let (key, form) = key::read_private_key_with(&der, case.passphrase.as_bytes()).unwrap();
        assert_eq!(form, key::KeyFormat::EncryptedPkcs8Der, "{}", case.source);
        assert_eq!(
            key.to_bytes()[..],
            hex(&case.private_key),
            "{}",
            case.source
        );
        assert_eq!(
            key.public_key().to_uncompressed()[..],
            hex(&case.public_key)
        );
        let error = key::read_private_key_with(&der, b"12345").expect_err("must fail");
        assert!(matches!(error, Error::WrongPassphrase), "{error}");
    }
}
