//! `testdata/sm2`: every case with its encoding, through every reader that takes it.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::schema::{
    EncodedKey, Encrypted, Group, KeyHead, RecipientHead, SignedMessage, SignerHead, Tally, Test,
    Verdict, load,
};
use shangmi::sm2::{self, PrivateKey, PublicKey, Signature, Verifier};
use shangmi_pki::{
    CiphertextFormat, Key, KeyFormat, SignatureFormat, ciphertext, key, signature, spki,
};

macro_rules! vectors {
    ($name:literal) => {
        load(include_str!(concat!("../../../testdata/sm2/", $name)))
    };
}

/// The key of a group, which is the same in all its forms.
fn public(head: &SignerHead) -> PublicKey {
    let key = PublicKey::from_sec1(&head.public_key.uncompressed.0).unwrap();
    assert_eq!(spki::read(&head.public_key_der.0).unwrap(), key);
    let (read, form) = key::read_public_key(head.public_key_pem.as_bytes()).unwrap();
    assert_eq!((read, form), (key, KeyFormat::SpkiPem));
    key
}

/// Reads in each way, verifies what was read, and writes it again.
fn judge_signatures(
    groups: &[Group<SignerHead, SignedMessage>],
    form: SignatureFormat,
    read_one: fn(&[u8]) -> shangmi_pki::Result<Signature>,
) {
    let mut tally = Tally::default();
    for Group { head, tests } in groups {
        let key = public(head);
        let id = &head.id.as_ref().unwrap().0;
        let verifier = match id.as_slice() {
            [] => Verifier::with_empty_id(&key),
            id => Verifier::new(&key, id),
        };
        for test in tests {
            let SignedMessage { msg, sig } = &test.body;
            let verifies = |signature: &Signature| {
                let verifier = verifier.as_ref();
                verifier.is_ok_and(|verifier| verifier.verify(&msg.0, signature).is_ok())
            };
            let read = read_one(&sig.0);
            if let Ok(signature) = &read {
                assert_eq!(
                    signature::write(signature, form),
                    sig.0,
                    "test {}",
                    test.tc_id
                );
            }
            tally.judge("one form", test, read.as_ref().is_ok_and(verifies));
            let any = signature::read(&sig.0).ok();
            let of_other_form = any.filter(|(_, found)| *found != form);
            assert!(
                of_other_form.is_none() || test.has_flag("OtherForm"),
                "test {}",
                test.tc_id
            );
            let of_form = any.filter(|(_, found)| *found == form);
            tally.judge(
                "any form",
                test,
                of_form.is_some_and(|(signature, _)| verifies(&signature)),
            );
        }
    }
    tally.finish(2, groups);
}

#[test]
fn signatures() {
    let der = vectors!("sm2_verify_test.json");
    judge_signatures(&der, SignatureFormat::Der, signature::read_der);
    let raw = vectors!("sm2_verify_p1363_test.json");
    judge_signatures(&raw, SignatureFormat::Raw, signature::read_raw);
}

fn format(encoding: &str) -> CiphertextFormat {
    match encoding {
        "der" => CiphertextFormat::Der,
        "c1c3c2" => CiphertextFormat::C1C3C2,
        "c1c2c3" => CiphertextFormat::C1C2C3,
        other => panic!("no encoding {other}"),
    }
}

/// The private key of a group, which is the same in all its forms.
fn private(head: &RecipientHead) -> PrivateKey {
    let private = PrivateKey::from_slice(&head.private_key.0).unwrap();
    for file in [
        &head.private_key_pkcs8.0[..],
        head.private_key_pem.as_bytes(),
    ] {
        let (read, _) = key::read_private_key(file).unwrap();
        assert_eq!(read.to_bytes(), private.to_bytes());
    }
    assert_eq!(
        private.public_key().to_uncompressed(),
        *head.public_key.uncompressed.0
    );
    private
}

/// Reads, then decrypts.
fn in_two_steps(bytes: &[u8], form: CiphertextFormat, key: &PrivateKey) -> Option<Vec<u8>> {
    let read = ciphertext::read(bytes, form).ok()?;
    assert_eq!(
        ciphertext::write(&read.as_ciphertext(), form).unwrap(),
        bytes
    );
    let mut out = vec![0; read.c2.len()];
    sm2::decrypt(key, &read.as_ciphertext(), &mut out).ok()?;
    Some(out)
}

#[test]
fn ciphertexts() {
    let groups: Vec<Group<RecipientHead, Encrypted>> = vectors!("sm2_decrypt_test.json");
    let mut tally = Tally::default();
    for Group { head, tests } in &groups {
        let (key, form) = (private(head), format(&head.encoding));
        for test in tests {
            let Encrypted { msg, ct } = &test.body;
            let is_message = |opened: Option<&[u8]>| {
                opened.is_some_and(|opened| {
                    assert_eq!(opened, msg.0, "test {}", test.tc_id);
                    true
                })
            };
            let opened = ciphertext::decrypt(&ct.0, form, &key).ok();
            tally.judge(
                "decrypt",
                test,
                is_message(opened.as_ref().map(|out| &out[..])),
            );
            let opened = in_two_steps(&ct.0, form, &key);
            tally.judge("read", test, is_message(opened.as_deref()));
            let any = ciphertext::decrypt_auto(&ct.0, &key).ok();
            let of_form = any.as_ref().filter(|(_, found)| *found == form);
            assert!(
                any.is_none() || of_form.is_some() || of_another_form(test),
                "{}",
                test.tc_id
            );
            tally.judge(
                "decrypt_auto",
                test,
                is_message(of_form.map(|(out, _)| &out[..])),
            );
        }
    }
    tally.finish(3, &groups);
}

/// Right, but not in the form of its group.
fn of_another_form(test: &Test<Encrypted>) -> bool {
    ["OtherForm", "OtherOrder", "MissingPrefix"]
        .iter()
        .any(|flag| test.has_flag(flag))
}

#[test]
fn public_keys() {
    let groups: Vec<Group<KeyHead, EncodedKey>> = vectors!("sm2_public_key_test.json");
    let mut tally = Tally::default();
    for Group { head, tests } in &groups {
        for test in tests {
            let encoded = &test.body.encoded.0[..];
            let is_key = |key: PublicKey| {
                assert_eq!(
                    Some(key.to_uncompressed()),
                    test.body.uncompressed(),
                    "{}",
                    test.tc_id
                );
                true
            };
            let one = match head.encoding.as_str() {
                "asn" => spki::read(encoded).ok(),
                _ => PublicKey::from_sec1(encoded).ok(),
            };
            if let Some(key) =
                one.filter(|_| test.result == Verdict::Valid && head.encoding == "asn")
            {
                assert_eq!(spki::write(&key), encoded);
            }
            tally.judge("one form", test, one.is_some_and(is_key));
            // x || y without 04 is a form of its own among files.
            let any = key::read_public_key(encoded)
                .ok()
                .filter(|(_, form)| *form != KeyFormat::RawXy);
            tally.judge(
                "read_public_key",
                test,
                any.is_some_and(|(key, _)| is_key(key)),
            );
            // So are 32 bytes: a private key.
            let any = match key::read_key(encoded) {
                Ok((Key::Public(key), form)) if form != KeyFormat::RawXy => Some(key),
                _ => None,
            };
            tally.judge("read_key", test, any.is_some_and(is_key));
        }
    }
    tally.finish(3, &groups);
}
