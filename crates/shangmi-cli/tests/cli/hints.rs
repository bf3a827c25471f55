//! Every hint leads on from the error that it stands under.

use crate::support::{KEY_HEX, Sandbox, have_peer, pattern};

const SM4_KEY: &str = "0123456789abcdeffedcba9876543210";
const IV: &str = "000102030405060708090a0b0c0d0e0f";

#[test]
fn of_key_files() {
    let sandbox = Sandbox::with_keys();
    let der = sandbox
        .run(&["key", "convert", "--to", "spki-der", "pub.pem"])
        .ok()
        .stdout;
    sandbox.write("cut.der", &der[..der.len() - 1]);
    let mut off_curve = der;
    *off_curve.last_mut().unwrap() ^= 1;
    sandbox.write("off.der", off_curve);
    sandbox.write("zeros", &KEY_HEX[2..]);
    sandbox.write("cut.pem", &sandbox.read("pub.pem")[..100]);
    sandbox.write(
        "cert.der",
        [0x30, 0x82, 1, 0xc0, 0x30, 0x82, 1, 0x66, 0xa0, 3, 2, 1, 2],
    );
    sandbox.write(
        "old.pem",
        "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAEC\n-----END EC PRIVATE KEY-----",
    );
    for (file, error, hint) in [
        (
            "cut.der",
            "malformed SubjectPublicKeyInfo at byte",
            "is it the right file, and whole?",
        ),
        (
            "off.der",
            "invalid point: it is not on the SM2 curve\n",
            "damaged or belongs to another curve",
        ),
        ("zeros", "found 62", "zeros in front"),
        (
            "cut.pem",
            "malformed PEM block 1",
            "from the BEGIN line to the END line",
        ),
        (
            "cert.der",
            "this is a certificate",
            "openssl x509 -in CERT -noout -pubkey",
        ),
        (
            "old.pem",
            "the encryption of old OpenSSL",
            "openssl pkcs8 -topk8 -v2 sm4-cbc",
        ),
    ] {
        let run = sandbox.run(&["key", "show", file]).fails(2);
        run.says(error).says(hint);
    }
}

#[test]
fn of_signatures() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    sandbox.write("zero", "0".repeat(128));
    sandbox.write("negative", "30060201ff020101");
    for (signature, error, hint) in [
        ("zero", "not in [1, n-1]", "the signature is damaged"),
        ("negative", "negative INTEGER", "the program that wrote it"),
    ] {
        let args = [
            "verify",
            "--public",
            "pub.pem",
            "--signature",
            signature,
            "f",
        ];
        sandbox.run(&args).fails(2).says(error).says(hint);
    }
}

#[test]
fn of_sm4() {
    let sandbox = Sandbox::new();
    sandbox.write("f", pattern(70_001));
    let run = |args: &[&str]| {
        let args = [&["sm4"], args, &["--key-env", "K", "f", "-o", "out"]].concat();
        sandbox.run_with_env(&[("K", SM4_KEY)], &args)
    };
    let padding = ["encrypt", "--mode", "ecb", "--padding", "none"];
    run(&padding).fails(2).says("leave --padding out");
    let nonce = &IV[..26];
    let ccm = ["encrypt", "--mode", "ccm", "--iv-hex", nonce];
    run(&ccm)
        .fails(2)
        .says("0 to 65535 bytes")
        .says("a shorter nonce");
    let gcm = ["decrypt", "--mode", "gcm", "--iv-hex", IV];
    run(&gcm)
        .fails(1)
        .says("the key, the IV, the mode or the additional data");
    assert!(!sandbox.exists("out"));
}

#[test]
fn of_sealed_files() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", pattern(1000));
    sandbox
        .run(&["encrypt", "--armor", "--to", "pub.pem", "f", "-o", "armor"])
        .ok();
    let text = String::from_utf8(sandbox.read("armor")).unwrap();
    sandbox.write("cut", text.lines().take(5).collect::<Vec<_>>().join("\n"));
    let decrypt = |options: &[&str], file| {
        sandbox.run(
            &[
                &["decrypt", "--key", "key.pem"],
                options,
                &[file, "-o", "out"],
            ]
            .concat(),
        )
    };
    for part in [&[][..], &["--offset", "10"]] {
        decrypt(part, "cut")
            .fails(2)
            .says("from the BEGIN line to the END line");
    }
    let past = decrypt(&["--offset", "1001"], "armor").fails(2);
    past.says("content has 1000 bytes")
        .says("--offset counts from 0");
    let recipients = ["--to", "pub.pem"].repeat(65);
    let args = [&["encrypt"], &recipients[..], &["f", "-o", "out"]].concat();
    sandbox
        .run(&args)
        .fails(2)
        .says("1 to 64")
        .says("make several");
    assert!(!sandbox.exists("out"));
}

#[test]
fn of_places() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "");
    sandbox.write("d/x", "");
    for (place, hint) in [
        ("f/x", "a part of the name is a file"),
        (
            "d",
            "'shangmi hash' and 'shangmi manifest' take directories",
        ),
        ("missing", "check the name"),
    ] {
        sandbox.run(&["key", "show", place]).fails(2).says(hint);
    }
}

/// Runs the commands that the hints name.
#[test]
fn commands_for_openssl() {
    let probe = ["genpkey", "-algorithm", "SM2", "-out", "/dev/null"];
    if !have_peer(
        "openssl",
        &probe,
        "install OpenSSL 3 (apt-get install openssl)",
    ) {
        return;
    }
    let sandbox = Sandbox::with_keys();
    let openssl = |args: &[&str]| sandbox.run_peer("openssl", args);
    let pass = ["-passout", "pass:secret", "-out", "KEY"];
    let topk8 = ["pkcs8", "-topk8", "-in", "key.pem"];
    for writer in [
        &[&topk8[..], &["-v2", "aes-256-cbc"]].concat()[..],
        &[&topk8[..], &["-v2", "sm4-cbc", "-v2prf", "hmacWithSHA1"]].concat(),
        &[&topk8[..], &["-v2", "sm4-cbc", "-scrypt"]].concat(),
        &["ec", "-aes128", "-in", "key.pem"],
    ] {
        openssl(&[writer, &pass].concat());
        // Before anybody is asked for the passphrase.
        let run = sandbox.run(&["key", "show", "KEY"]).fails(2);
        let run = run
            .says("unsupported")
            .says("openssl pkcs8 -topk8 -v2 sm4-cbc -in KEY -out NEW");
        assert!(!run.stderr.contains("passphrase"), "{}", run.stderr);
        let hint = [
            "pkcs8", "-topk8", "-v2", "sm4-cbc", "-in", "KEY", "-out", "NEW",
        ];
        let secrets = ["-passin", "pass:secret", "-passout", "pass:secret"];
        openssl(&[&hint[..], &secrets].concat());
        let args = ["key", "show", "--passphrase-env", "P", "NEW"];
        sandbox.run_with_env(&[("P", "secret")], &args).ok();
    }
    openssl(&[
        "req", "-x509", "-new", "-key", "key.pem", "-subj", "/CN=x", "-sm3", "-out", "CERT",
    ]);
    sandbox
        .run(&["encrypt", "--to", "CERT", "key.pem", "-o", "out"])
        .fails(2)
        .says("certificate");
    sandbox.write(
        "pub",
        openssl(&["x509", "-in", "CERT", "-noout", "-pubkey"]),
    );
    assert_eq!(sandbox.read("pub"), sandbox.read("pub.pem"));
}
