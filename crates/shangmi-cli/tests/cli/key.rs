//! `shangmi key`.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use crate::support::{KEY_HEX, Sandbox};

/// The public key of [`KEY_HEX`]: 04, x, y.
const PUBLIC_HEX: &str = "0409f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020\
    ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13";

#[test]
fn generate_protects_the_private_key() {
    let sandbox = Sandbox::new();
    let pass = [("PASS", "correct horse")];
    let args = [
        "key",
        "generate",
        "--passphrase-env",
        "PASS",
        "-o",
        "k",
        "--public",
        "p",
    ];
    sandbox.run_with_env(&pass, &args).ok();
    let mode = fs::metadata(sandbox.path("k"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(
        sandbox
            .read("k")
            .starts_with(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    );
    assert!(sandbox.read("p").starts_with(b"-----BEGIN PUBLIC KEY-----"));

    let shown = sandbox.run_with_env(
        &pass,
        &["key", "show", "--json", "--passphrase-env", "PASS", "k"],
    );
    let public = sandbox.run(&["key", "show", "--json", "p"]).ok().json();
    let shown = shown.ok().json();
    assert_eq!(shown["kind"], "private key");
    assert_eq!(shown["fingerprint"], public["fingerprint"]);
    assert!(shown.get("private_key").is_none());

    sandbox.write("pass", "correct horse\n");
    sandbox
        .run(&["key", "show", "--passphrase-file", "pass", "k"])
        .ok();
    let wrong = [("PASS", "wrong horse")];
    let run = sandbox.run_with_env(&wrong, &["key", "show", "--passphrase-env", "PASS", "k"]);
    run.fails(1).says("wrong passphrase");
    sandbox
        .run(&["key", "show", "k"])
        .fails(2)
        .says("is encrypted")
        .says("--passphrase-env");
}

#[test]
fn generate_asks_for_a_decision_about_the_passphrase() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["key", "generate", "-o", "k"])
        .fails(2)
        .says("--no-passphrase");
    assert!(!sandbox.exists("k"));
    let args = ["key", "generate", "--passphrase-env", "PASS", "-o", "k"];
    sandbox
        .run_with_env(&[("PASS", "")], &args)
        .fails(2)
        .says("passphrase is empty");
    assert!(!sandbox.exists("k"));
}

#[test]
fn generate_replaces_nothing_unasked() {
    let sandbox = Sandbox::with_keys();
    let (key, public) = (sandbox.read("key.pem"), sandbox.read("pub.pem"));
    let args = ["key", "generate", "--no-passphrase", "-o", "key.pem"];
    sandbox
        .run(&args)
        .fails(2)
        .says("exists already")
        .says("--force");
    let args = [
        "key",
        "generate",
        "--no-passphrase",
        "-o",
        "new",
        "--public",
        "pub.pem",
    ];
    sandbox.run(&args).fails(2).says("exists already");
    assert!(!sandbox.exists("new"));
    assert_eq!(
        (sandbox.read("key.pem"), sandbox.read("pub.pem")),
        (key.clone(), public)
    );
    sandbox
        .run(&[
            "key",
            "generate",
            "--no-passphrase",
            "--force",
            "-o",
            "key.pem",
        ])
        .ok();
    assert_ne!(sandbox.read("key.pem"), key);
    let args = [
        "key",
        "generate",
        "--no-passphrase",
        "-o",
        "same",
        "--public",
        "./same",
    ];
    sandbox.run(&args).fails(2).says("two outputs");
    assert!(!sandbox.exists("same"));
}

#[test]
fn generate_prints_without_a_file() {
    let sandbox = Sandbox::new();
    let one = sandbox.run(&["key", "generate", "--no-passphrase"]).ok();
    let two = sandbox.run(&["key", "generate", "--no-passphrase"]).ok();
    assert!(one.text().starts_with("-----BEGIN PRIVATE KEY-----"));
    assert_ne!(one.stdout, two.stdout);
    sandbox
        .run_with_input(&one.stdout, &["key", "show", "-"])
        .ok();
}

#[test]
fn show_hides_the_private_key_unless_asked() {
    let sandbox = Sandbox::new();
    sandbox.write("k", KEY_HEX);
    let shown = sandbox.run(&["key", "show", "k"]).ok().text();
    assert!(
        shown.contains(PUBLIC_HEX) && !shown.contains(KEY_HEX),
        "{shown}"
    );
    assert!(
        sandbox
            .run(&["key", "show", "--private", "k"])
            .ok()
            .text()
            .contains(KEY_HEX)
    );
    sandbox.write("p", PUBLIC_HEX);
    sandbox
        .run(&["key", "show", "--private", "p"])
        .fails(2)
        .says("holds no private key");
}

#[test]
fn convert_goes_round_every_private_format() {
    let sandbox = Sandbox::new();
    sandbox.write("from", KEY_HEX);
    for format in [
        "pkcs8-pem",
        "pkcs8-der",
        "sec1-pem",
        "sec1-der",
        "raw",
        "hex",
    ] {
        sandbox
            .run(&["key", "convert", "--to", format, "from", "-o", format])
            .ok();
        let mode = fs::metadata(sandbox.path(format))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{format}");
        let json = sandbox
            .run(&["key", "show", "--private", "--json", format])
            .ok()
            .json();
        assert_eq!(json["private_key"], KEY_HEX, "{format}");
    }
    let pass = [("NEW", "secret")];
    for format in ["encrypted-pem", "encrypted-der"] {
        let args = [
            "key",
            "convert",
            "--to",
            format,
            "--new-passphrase-env",
            "NEW",
            "from",
            "-o",
            format,
        ];
        sandbox.run_with_env(&pass, &args).ok();
        let args = [
            "key",
            "convert",
            "--to",
            "hex",
            "--passphrase-env",
            "NEW",
            format,
        ];
        sandbox
            .run_with_env(&pass, &args)
            .ok()
            .prints(&format!("{KEY_HEX}\n"));
    }
}

#[test]
fn convert_goes_round_every_public_format() {
    let sandbox = Sandbox::new();
    sandbox.write("private", KEY_HEX);
    for format in [
        "spki-pem",
        "spki-der",
        "raw-xy",
        "raw-compressed",
        "hex-xy",
        "hex-compressed",
    ] {
        sandbox
            .run(&["key", "convert", "--to", format, "private", "-o", format])
            .ok();
        let run = sandbox.run(&["key", "convert", "--to", "hex", format]).ok();
        run.prints(&format!("{PUBLIC_HEX}\n"));
    }
    let run = sandbox
        .run(&["key", "convert", "--to", "hex", "--public", "private"])
        .ok();
    run.prints(&format!("{PUBLIC_HEX}\n"));
}

#[test]
fn convert_refuses_what_cannot_be() {
    let sandbox = Sandbox::with_keys();
    let run = sandbox.run(&[
        "key",
        "convert",
        "--to",
        "pkcs8-pem",
        "pub.pem",
        "-o",
        "out",
    ]);
    run.fails(2).says("cannot be written as PKCS#8 PEM");
    let run = sandbox.run(&[
        "key",
        "convert",
        "--to",
        "encrypted-pem",
        "key.pem",
        "-o",
        "out",
    ]);
    run.fails(2).says("--new-passphrase-env");
    let args = [
        "key",
        "convert",
        "--to",
        "pkcs8-pem",
        "--new-passphrase-env",
        "P",
        "key.pem",
        "-o",
        "out",
    ];
    sandbox
        .run_with_env(&[("P", "x")], &args)
        .fails(2)
        .says("has no passphrase");
    assert!(!sandbox.exists("out"));
}
