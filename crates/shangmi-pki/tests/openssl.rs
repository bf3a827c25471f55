//! Both ways with the system's `openssl` (3.0 or later): keys, signatures, ciphertexts.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::{TestRng, openssl::OpenSsl, standard_key};
use shangmi::{
    rng::OsRng,
    sm2::{DEFAULT_ID, PrivateKey, Signer, Verifier},
};
use shangmi_pki::{CiphertextFormat, KeyFormat, SignatureFormat, ciphertext, key, signature, spki};

#[test]
fn keys_that_openssl_writes() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    for _ in 0..5 {
        let private = openssl.new_key();
        openssl.run("ec -in key.pem -out sec1.pem");
        openssl.run("ec -in key.pem -outform DER -out sec1.der");
        openssl.run("ec -in key.pem -param_enc explicit -out explicit.pem");
        openssl.run("pkcs8 -topk8 -in key.pem -nocrypt -outform DER -out topk8.der");
        for (file, form) in [
            ("key.pem", KeyFormat::Pkcs8Pem),
            ("sec1.pem", KeyFormat::Sec1Pem),
            ("sec1.der", KeyFormat::Sec1Der),
            ("explicit.pem", KeyFormat::Sec1Pem),
            ("topk8.der", KeyFormat::Pkcs8Der),
        ] {
            let (read, found) = key::read_private_key(&openssl.read(file)).unwrap();
            assert_eq!(
                (read.to_bytes(), found),
                (private.to_bytes(), form),
                "{file}"
            );
        }
        openssl.run("pkey -in key.pem -pubout -outform DER -out pub.der");
        openssl.run("ec -in key.pem -pubout -conv_form compressed -out compressed.pem");
        for file in ["pub.pem", "pub.der", "compressed.pem"] {
            let (read, _) = key::read_public_key(&openssl.read(file)).unwrap();
            assert_eq!(read, *private.public_key(), "{file}");
        }
    }
}

#[test]
fn keys_that_openssl_reads() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let mut rng = TestRng::default();
    for private in [standard_key(), PrivateKey::generate(&mut rng).unwrap()] {
        let expected = spki::write(private.public_key());
        for (form, arguments) in [
            (KeyFormat::Pkcs8Pem, "pkey -in file"),
            (KeyFormat::Pkcs8Der, "pkey -inform DER -in file"),
            (KeyFormat::Sec1Pem, "pkey -in file"),
            (KeyFormat::Sec1Der, "pkey -inform DER -in file"),
        ] {
            openssl.write("file", key::write_private_key(&private, form).unwrap());
            openssl.run(&format!("{arguments} -check -noout"));
            openssl.run(&format!("{arguments} -pubout -outform DER -out back"));
            assert_eq!(openssl.read("back"), expected, "{form}");
        }
        for (form, arguments) in [
            (KeyFormat::SpkiPem, "pkey -pubin -in file"),
            (KeyFormat::SpkiDer, "pkey -pubin -inform DER -in file"),
        ] {
            openssl.write(
                "file",
                key::write_public_key(private.public_key(), form).unwrap(),
            );
            openssl.run(&format!("{arguments} -pubout -outform DER -out back"));
            assert_eq!(openssl.read("back"), expected, "{form}");
        }
    }
}

#[test]
fn encrypted_keys_that_openssl_writes() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let private = openssl.new_key();
    openssl.run("pkcs8 -topk8 -in key.pem -v2 sm4-cbc -passout pass:secret -out enc.pem");
    let (read, form) = key::read_private_key_with(&openssl.read("enc.pem"), b"secret").unwrap();
    assert_eq!(
        (read.to_bytes(), form),
        (private.to_bytes(), KeyFormat::EncryptedPkcs8Pem)
    );
    openssl.run("pkcs8 -topk8 -in key.pem -v2 aes-256-cbc -passout pass:secret -out aes.pem");
    let error = key::read_private_key_with(&openssl.read("aes.pem"), b"secret").err();
    assert_eq!(
        error.expect("AES is not read").to_string(),
        "unsupported encryption of the private key: AES-256-CBC (2.16.840.1.101.3.4.1.42)"
    );
}

#[test]
fn signatures_both_ways() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let private = openssl.new_key();
    for (id, message) in [
        (DEFAULT_ID, &b"message digest"[..]),
        (b"Alice", b""),
        (b"B", &[7; 5000]),
    ] {
        let distid = format!("-sigopt distid:{}", str::from_utf8(id).unwrap());
        openssl.write("message", message);
        openssl.run(&format!(
            "dgst -sm3 -sign key.pem {distid} -out theirs message"
        ));
        let (theirs, form) = signature::read(&openssl.read("theirs")).unwrap();
        assert_eq!(form, SignatureFormat::Der);
        let verifier = Verifier::new(private.public_key(), id).unwrap();
        verifier.verify(message, &theirs).unwrap();

        let ours = Signer::new(&private, id)
            .unwrap()
            .sign(message, &mut OsRng)
            .unwrap();
        openssl.write("ours", signature::write(&ours, SignatureFormat::Der));
        openssl.run(&format!(
            "dgst -sm3 -verify pub.pem {distid} -signature ours message"
        ));
        openssl.write("message", [message, b"x"].concat());
        let changed = format!("dgst -sm3 -verify pub.pem {distid} -signature ours message");
        assert!(!openssl.try_run(&changed).status.success());
    }
}

#[test]
fn ciphertexts_both_ways() {
    let Some(openssl) = OpenSsl::find() else {
        return;
    };
    let private = openssl.new_key();
    for len in [1, 16, 32, 33, 200, 3000] {
        let plaintext: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        openssl.write("plain", &plaintext);
        openssl.run("pkeyutl -encrypt -pubin -inkey pub.pem -in plain -out theirs");
        let (opened, form) = ciphertext::decrypt_auto(&openssl.read("theirs"), &private).unwrap();
        assert_eq!((&opened[..], form), (&plaintext[..], CiphertextFormat::Der));

        let public = private.public_key();
        let ours = ciphertext::encrypt(public, &plaintext, CiphertextFormat::Der, &mut OsRng);
        openssl.write("ours", ours.unwrap());
        openssl.run("pkeyutl -decrypt -inkey key.pem -in ours -out back");
        assert_eq!(openssl.read("back"), plaintext);
    }
}
