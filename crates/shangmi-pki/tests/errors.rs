//! What errors say: of the thing that the file most nearly is, and once.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use std::error::Error as _;
use std::io;

use common::{TestRng, hex, standard_key};
use shangmi::sm2::PublicKey;
use shangmi_pki::{CiphertextFormat, Error, KeyFormat, ciphertext, key, pem, signature};

/// The first bytes of a certificate.
const CERTIFICATE: &str = "308201c030820166a003020102021401";

fn public_key(format: KeyFormat) -> Vec<u8> {
    key::write_public_key(standard_key().public_key(), format).unwrap()
}

fn private_key(format: KeyFormat) -> Vec<u8> {
    let key = standard_key();
    match format {
        KeyFormat::EncryptedPkcs8Der => {
            key::write_encrypted_private_key(&key, b"p", format, &mut TestRng::default()).unwrap()
        }
        _ => key::write_private_key(&key, format).unwrap().to_vec(),
    }
}

/// The message of `key show`.
fn said_of(file: &[u8]) -> String {
    key::read_key(file).unwrap_err().to_string()
}

#[test]
fn a_message_is_whole_and_has_no_source_to_repeat() {
    let not_on_curve = hex(&format!("04{:064x}{:064x}", 1, 1));
    let unfinished = b"-----BEGIN PUBLIC KEY-----\nAAAA";
    for error in [
        signature::read(b"text").unwrap_err(),
        pem::blocks(unfinished).err().unwrap(),
        key::read_public_key(&not_on_curve).unwrap_err(),
        Error::from(io::Error::other("the disk")),
        Error::from(io::Error::other(of_a_point())),
    ] {
        assert!(error.source().is_none(), "{error}: {:?}", error.source());
    }
}

fn of_a_point() -> shangmi::Error {
    PublicKey::from_sec1(&[5; 65]).unwrap_err()
}

#[test]
fn a_damaged_key_is_called_what_it_most_nearly_is() {
    for (file, says) in [
        (public_key(KeyFormat::SpkiDer), "SubjectPublicKeyInfo"),
        (private_key(KeyFormat::Pkcs8Der), "PrivateKeyInfo"),
        (private_key(KeyFormat::Sec1Der), "ECPrivateKey"),
        (
            private_key(KeyFormat::EncryptedPkcs8Der),
            "EncryptedPrivateKeyInfo",
        ),
    ] {
        let malformed = format!("malformed {says} at byte ");
        let longer = [&file[..], b"\n"].concat();
        for damaged in [&file[..file.len() / 2], &longer] {
            let said = said_of(damaged);
            assert!(said.starts_with(&malformed), "{said}");
        }
    }
}

#[test]
fn a_key_for_the_other_purpose_is_told_although_it_is_damaged() {
    for format in [
        KeyFormat::Pkcs8Der,
        KeyFormat::Sec1Der,
        KeyFormat::EncryptedPkcs8Der,
    ] {
        let file = private_key(format);
        let error = key::read_public_key(&file[..file.len() - 1]).unwrap_err();
        assert!(matches!(error, Error::PrivateKeyGiven), "{format}: {error}");
    }
    let file = public_key(KeyFormat::SpkiDer);
    let error = key::read_private_key(&file[..file.len() - 1]).expect_err("is public");
    assert!(matches!(error, Error::PublicKeyGiven), "{error}");
}

#[test]
fn a_faulty_point_is_the_fault_in_every_form() {
    for format in [
        KeyFormat::SpkiDer,
        KeyFormat::Raw,
        KeyFormat::RawXy,
        KeyFormat::Hex,
        KeyFormat::HexXy,
    ] {
        let mut file = public_key(format);
        let last = file.len() - 2;
        file[last] = if file[last] == b'1' { b'2' } else { b'1' };
        let said = said_of(&file);
        assert_eq!(
            said, "invalid point: it is not on the SM2 curve",
            "{format}"
        );
    }
}

#[test]
fn certificates_and_other_files_are_told() {
    let needed = "this is a certificate, a key is needed";
    let certificate = hex(CERTIFICATE);
    assert_eq!(said_of(&certificate), needed);
    let text = pem::encode("CERTIFICATE", &certificate).unwrap();
    assert_eq!(said_of(text.as_bytes()), needed);
    let error = key::read_private_key(text.as_bytes()).expect_err("holds no key");
    assert_eq!(error.to_string(), needed);
    let error = key::read_public_key(text.as_bytes()).unwrap_err();
    assert_eq!(error.to_string(), needed);

    let ciphertext = ciphertext::encrypt(
        standard_key().public_key(),
        b"k",
        CiphertextFormat::Der,
        &mut TestRng::default(),
    );
    for other in [ciphertext.unwrap(), b"some text".to_vec()] {
        assert_eq!(said_of(&other), "not recognised as a key");
    }
    assert_eq!(
        said_of(b"0123"),
        "hex key must have 64 (private), or 66, 128 or 130 (public) digits, found 4"
    );
}
