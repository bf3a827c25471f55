//! Round trips of every form, and what the tolerant readers say to the wrong thing.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::{TestRng, private_key, standard_key};
use shangmi::sm2::{DEFAULT_ID, PrivateKey, Signer};
use shangmi_pki::{
    CiphertextFormat, Error, Key, KeyFormat, SignatureFormat, ciphertext, key, pbes2, pem, pkcs8,
    sec1, signature, spki,
};

const PRIVATE: [KeyFormat; 6] = [
    KeyFormat::Pkcs8Pem,
    KeyFormat::Pkcs8Der,
    KeyFormat::Sec1Pem,
    KeyFormat::Sec1Der,
    KeyFormat::Raw,
    KeyFormat::Hex,
];
const PUBLIC: [KeyFormat; 8] = [
    KeyFormat::SpkiPem,
    KeyFormat::SpkiDer,
    KeyFormat::Raw,
    KeyFormat::RawXy,
    KeyFormat::RawCompressed,
    KeyFormat::Hex,
    KeyFormat::HexXy,
    KeyFormat::HexCompressed,
];
const CIPHERTEXT: [CiphertextFormat; 5] = [
    CiphertextFormat::Der,
    CiphertextFormat::C1C3C2,
    CiphertextFormat::C1C2C3,
    CiphertextFormat::BareC1C3C2,
    CiphertextFormat::BareC1C2C3,
];

/// Keys with short numbers, too: small d, and d that begins with zero bytes.
fn keys() -> Vec<PrivateKey> {
    let mut rng = TestRng::default();
    let mut keys: Vec<_> = (0..20)
        .map(|_| PrivateKey::generate(&mut rng).unwrap())
        .collect();
    keys.push(private_key(&format!("{:064x}", 1)));
    keys.push(private_key(&format!("{:064x}", 0x1234_5678_9abc_u64)));
    keys.push(standard_key());
    keys
}

#[test]
fn private_keys_of_every_form() {
    for private in keys() {
        for form in PRIVATE {
            let file = key::write_private_key(&private, form).unwrap();
            let (back, found) = key::read_private_key(&file).unwrap();
            assert_eq!((back.to_bytes(), found), (private.to_bytes(), form));
            let error = key::read_public_key(&file).unwrap_err();
            assert!(matches!(error, Error::PrivateKeyGiven), "{form}: {error}");
            assert!(matches!(key::read_key(&file).unwrap().0, Key::Private(_)));
        }
    }
}

#[test]
fn public_keys_of_every_form() {
    for private in keys() {
        for form in PUBLIC {
            let public = private.public_key();
            let file = key::write_public_key(public, form).unwrap();
            assert_eq!(key::read_public_key(&file).unwrap(), (*public, form));
            let error = key::read_private_key(&file).expect_err("is public");
            assert!(matches!(error, Error::PublicKeyGiven), "{form}: {error}");
            assert!(matches!(key::read_key(&file).unwrap(), (Key::Public(k), _) if k == *public));
        }
    }
}

#[test]
fn forms_of_the_other_kind_are_refused() {
    let private = standard_key();
    for form in [
        KeyFormat::SpkiPem,
        KeyFormat::EncryptedPkcs8Pem,
        KeyFormat::HexSigned,
    ] {
        let error = key::write_private_key(&private, form).unwrap_err();
        assert!(matches!(error, Error::FormatMismatch { .. }));
    }
    let error = key::write_public_key(private.public_key(), KeyFormat::Sec1Der).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a public key cannot be written as SEC 1 DER"
    );
}

#[test]
fn sizes_are_those_that_the_documentation_says() {
    let key = standard_key();
    assert_eq!(spki::write(key.public_key()).len(), 91);
    assert_eq!(sec1::write(&key).len(), 121);
    assert_eq!(pkcs8::write(&key).len(), 138);
}

#[test]
fn nothing_may_trail_der() {
    let key = standard_key();
    for der in [
        &**pkcs8::write(&key),
        &**sec1::write(&key),
        &spki::write(key.public_key()),
    ] {
        let longer = [der, b"\n"].concat();
        assert!(key::read_key(&longer).is_err());
        // Any 32 bytes are a raw private key, so these cannot be told from one.
        for len in (0..der.len()).filter(|&len| len != 32) {
            assert!(key::read_key(&der[..len]).is_err(), "{len}");
        }
    }
}

#[test]
fn a_pem_file_may_hold_more_than_the_key() {
    let (one, two) = (standard_key(), private_key(&format!("{:064x}", 7)));
    let private = |k, form| String::from_utf8(key::write_private_key(k, form).unwrap().to_vec());
    let public = key::write_public_key(two.public_key(), KeyFormat::SpkiPem).unwrap();
    let public = String::from_utf8(public).unwrap();
    let private_one = private(&one, KeyFormat::Pkcs8Pem).unwrap();
    let both = format!("Bag Attributes\r\n{public}{private_one}trailing text");
    assert_eq!(
        key::read_private_key(both.as_bytes()).unwrap().0.to_bytes(),
        one.to_bytes()
    );
    assert_eq!(
        key::read_public_key(both.as_bytes()).unwrap().0,
        *two.public_key()
    );
    let several = private_one + &private(&two, KeyFormat::Sec1Pem).unwrap();
    let error = key::read_private_key(several.as_bytes()).expect_err("two keys");
    assert!(
        matches!(error, Error::Ambiguous { count: 2, .. }),
        "{error}"
    );
}

#[test]
fn hex_of_every_wrong_length_is_named() {
    for len in (1..200).filter(|len| ![64, 66, 128, 130].contains(len)) {
        let digits = "1".repeat(len);
        let error = key::read_private_key(digits.as_bytes()).expect_err("wrong length");
        assert!(
            matches!(error, Error::HexLength { found, .. } if found == len),
            "{error}"
        );
    }
    let odd = b"  3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5B8\r\n";
    assert_eq!(
        key::read_private_key(odd).unwrap().0.to_bytes(),
        standard_key().to_bytes()
    );
    let bad = b"3945208F7B2144B13F36E38AC6D39F95889393692860B51A42FB81EF4DF7C5BG";
    assert!(matches!(
        key::read_private_key(bad),
        Err(Error::NotRecognised { .. })
    ));
}

#[test]
fn ciphertexts_of_every_form_are_told_apart() {
    let (key, mut rng) = (standard_key(), TestRng::default());
    for len in [1, 2, 31, 32, 33, 100, 5000] {
        let plaintext: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        for form in CIPHERTEXT {
            let sealed = ciphertext::encrypt(key.public_key(), &plaintext, form, &mut rng).unwrap();
            assert_eq!(
                ciphertext::decrypt(&sealed, form, &key).unwrap()[..],
                plaintext
            );
            let (opened, found) = ciphertext::decrypt_auto(&sealed, &key).unwrap();
            assert_eq!((&opened[..], found), (&plaintext[..], form));
        }
    }
}

#[test]
fn ciphertexts_for_another_key_and_rubbish_are_told_apart() {
    let (key, other) = (standard_key(), private_key(&format!("{:064x}", 7)));
    for form in CIPHERTEXT {
        let mut rng = TestRng::default();
        let sealed = ciphertext::encrypt(key.public_key(), b"secret", form, &mut rng).unwrap();
        let error = ciphertext::decrypt_auto(&sealed, &other).unwrap_err();
        assert!(error.is_negative(), "{form:?}: {error}");
    }
    for rubbish in [&b""[..], b"\x04", &[0x30; 200], &[0x04; 200], &[0; 97]] {
        let error = ciphertext::decrypt_auto(rubbish, &key).unwrap_err();
        assert!(matches!(error, Error::NotRecognised { .. }), "{error}");
    }
    let mut rng = TestRng::default();
    assert!(ciphertext::encrypt(key.public_key(), b"", CiphertextFormat::Der, &mut rng).is_err());
}

#[test]
fn signatures_of_every_form() {
    let key = standard_key();
    let signer = Signer::new(&key, DEFAULT_ID).unwrap();
    let mut rng = TestRng::default();
    for n in 0..300_u32 {
        let signature = signer.sign(&n.to_be_bytes(), &mut rng).unwrap();
        for form in [SignatureFormat::Der, SignatureFormat::Raw] {
            let bytes = signature::write(&signature, form);
            assert_eq!(signature::read(&bytes).unwrap(), (signature, form));
            // 64 bytes of a longer signature are a raw one, if the numbers are in range.
            for len in (0..bytes.len()).filter(|&len| len != 64) {
                assert!(signature::read(&bytes[..len]).is_err());
            }
        }
    }
}

#[test]
fn a_passphrase_protects_a_private_key() {
    let key = standard_key();
    for form in [KeyFormat::EncryptedPkcs8Der, KeyFormat::EncryptedPkcs8Pem] {
        let mut rng = TestRng::default();
        let file =
            key::write_encrypted_private_key(&key, "口令".as_bytes(), form, &mut rng).unwrap();
        let (back, found) = key::read_private_key_with(&file, "口令".as_bytes()).unwrap();
        assert_eq!((back.to_bytes(), found), (key.to_bytes(), form));
        assert!(matches!(
            key::read_private_key(&file),
            Err(Error::PassphraseNeeded)
        ));
        assert!(matches!(key::read_key(&file), Err(Error::PassphraseNeeded)));
        assert!(matches!(
            key::read_public_key(&file),
            Err(Error::PrivateKeyGiven)
        ));
        for wrong in ["", "x", "口", "口令 "] {
            let error = key::read_private_key_with(&file, wrong.as_bytes()).expect_err("wrong");
            assert!(matches!(error, Error::WrongPassphrase), "{error}");
            assert!(error.is_negative());
        }
    }
    let none = pbes2::encrypt(&pkcs8::write(&key), b"", &mut TestRng::default());
    assert!(matches!(none, Err(Error::EmptyPassphrase)));
    assert!(pem::is_pem(b"-----BEGIN "));
}

#[test]
fn public_types_are_send_and_sync() {
    fn check<T: Send + Sync>() {}
    check::<Key>();
    check::<Error>();
    check::<shangmi_pki::CiphertextBuf>();
    check::<shangmi_pki::container::Header>();
    check::<shangmi_pki::container::Payload>();
    check::<shangmi_pki::container::Recipient>();
    check::<shangmi_pki::container::Passphrase>();
    check::<shangmi_pki::container::Identity<'_>>();
}
