//! Both ways with the system's OpenSSL 3, and with coreutils.

use crate::support::{KEY_HEX, Sandbox, have_peer, pattern};

const DISTID: &str = "distid:1234567812345678";
const KEY: &str = "0123456789abcdeffedcba9876543210";
const IV: &str = "000102030405060708090a0b0c0d0e0f";

fn have_openssl() -> bool {
    have_peer(
        "openssl",
        &["genpkey", "-algorithm", "SM2", "-out", "/dev/null"],
        "install OpenSSL 3 (apt-get install openssl)",
    )
}

#[test]
fn digests() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("f", pattern(100_000));
    sandbox.write("SUMS", sandbox.run_peer("openssl", &["dgst", "-sm3", "f"]));
    sandbox
        .run(&["hash", "--check", "--strict", "SUMS"])
        .ok()
        .prints("f: OK\n");
    sandbox.write(
        "SUMS",
        sandbox.run_peer("openssl", &["dgst", "-sha256", "f"]),
    );
    sandbox
        .run(&["hash", "--check", "--strict", "SUMS"])
        .ok()
        .prints("f: OK\n");
}

#[test]
fn hmac() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::new();
    for (key, length) in [("00", 0), ("4a656665", 1000), (&"ab".repeat(200), 70_000)] {
        sandbox.write("f", pattern(length));
        let option = format!("hexkey:{key}");
        let theirs = sandbox.run_peer(
            "openssl",
            &[
                "mac", "-digest", "SM3", "-macopt", &option, "-in", "f", "HMAC",
            ],
        );
        let theirs = String::from_utf8(theirs).unwrap().trim().to_owned();
        sandbox
            .run_with_env(
                &[("K", key)],
                &["hmac", "--key-env", "K", "--verify", &theirs, "f"],
            )
            .ok();
    }
}

#[test]
fn sm4_modes() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::new();
    for mode in ["ecb", "cbc", "ctr", "cfb", "ofb"] {
        for length in [0, 1, 15, 16, 17, 131_072, 131_089] {
            sandbox.write("f", pattern(length));
            let cipher = format!("-sm4-{mode}");
            let (their_iv, our_iv): (&[_], &[_]) = if mode == "ecb" {
                (&[], &[])
            } else {
                (&["-iv", IV], &["--iv-hex", IV])
            };
            let theirs = ["enc", &cipher, "-K", KEY, "-in", "f", "-out", "theirs"];
            sandbox.run_peer("openssl", &[&theirs[..], their_iv].concat());
            let ours = |direction, from, to| {
                let args = [
                    "sm4",
                    direction,
                    "--mode",
                    mode,
                    "--key-env",
                    "K",
                    from,
                    "-o",
                    to,
                ];
                sandbox
                    .run_with_env(&[("K", KEY)], &[&args[..], our_iv].concat())
                    .ok();
            };
            ours("encrypt", "f", "ours");
            assert_eq!(
                sandbox.read("ours"),
                sandbox.read("theirs"),
                "{mode} {length}"
            );
            ours("decrypt", "theirs", "back");
            assert_eq!(sandbox.read("back"), pattern(length), "{mode} {length}");
        }
    }
}

#[test]
fn our_signatures() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", pattern(10_000));
    for (ours, theirs) in [
        (&[][..], &["-sigopt", DISTID][..]),
        (&["--id", "alice"], &["-sigopt", "distid:alice"]),
        (&["--empty-id"], &[]),
    ] {
        sandbox
            .run(&[&["sign", "--key", "key.pem", "f", "-o", "sig"], ours].concat())
            .ok();
        let args = ["dgst", "-sm3", "-verify", "pub.pem", "-signature", "sig"];
        sandbox.run_peer("openssl", &[&args[..], theirs, &["f"]].concat());
    }
}

#[test]
fn their_signatures() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", pattern(10_000));
    let sign = |options: &[&str]| {
        let args = ["dgst", "-sm3", "-sign", "key.pem", "-out", "sig"];
        sandbox.run_peer("openssl", &[&args[..], options, &["f"]].concat());
    };
    let verify = |options: &[&str]| {
        let args = ["verify", "--public", "pub.pem", "--signature", "sig", "f"];
        sandbox.run(&[&args[..], options].concat())
    };
    sign(&["-sigopt", DISTID]);
    verify(&[]).ok();
    sign(&["-sigopt", "distid:alice"]);
    verify(&["--id", "alice"]).ok();
    verify(&[]).fails(1);
    // Without distid, OpenSSL before 4.0 signs under the empty ID; newer ones under the default.
    sign(&[]);
    let run = verify(&[]);
    if run.code != Some(0) {
        run.fails(1)
            .says("it is good under the empty ID")
            .says("--empty-id");
        verify(&["--empty-id"]).ok();
    }
}

#[test]
fn ciphertexts() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::with_keys();
    for length in [1, 16, 31, 32, 33, 200] {
        sandbox.write("f", pattern(length));
        sandbox
            .run(&[
                "encrypt", "--raw", "der", "--to", "pub.pem", "f", "-o", "ours",
            ])
            .ok();
        let args = ["pkeyutl", "-decrypt", "-inkey", "key.pem", "-in", "ours"];
        assert_eq!(sandbox.run_peer("openssl", &args), pattern(length));
        let args = [
            "pkeyutl", "-encrypt", "-pubin", "-inkey", "pub.pem", "-in", "f", "-out", "theirs",
        ];
        sandbox.run_peer("openssl", &args);
        for form in ["auto", "der"] {
            let run = sandbox
                .run(&["decrypt", "--raw", form, "--key", "key.pem", "theirs"])
                .ok();
            assert_eq!(run.stdout, pattern(length), "{length}");
        }
    }
}

#[test]
fn their_keys() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.run_peer("openssl", &["genpkey", "-algorithm", "SM2", "-out", "k"]);
    sandbox.run_peer("openssl", &["pkey", "-in", "k", "-pubout", "-out", "p"]);
    sandbox.run_peer(
        "openssl",
        &["pkey", "-in", "k", "-outform", "DER", "-out", "k.der"],
    );
    sandbox.run_peer("openssl", &["ec", "-in", "k", "-out", "k.sec1"]);
    sandbox.run_peer(
        "openssl",
        &[
            "ecparam",
            "-name",
            "SM2",
            "-genkey",
            "-out",
            "with-parameters",
        ],
    );
    let fingerprint = |file: &str| {
        sandbox.run(&["key", "show", "--json", file]).ok().json()["fingerprint"].clone()
    };
    for file in ["p", "k.der", "k.sec1"] {
        assert_eq!(fingerprint(file), fingerprint("k"), "{file}");
    }
    sandbox.run(&["key", "show", "with-parameters"]).ok();
}

#[test]
fn their_encrypted_keys() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.run_peer("openssl", &["genpkey", "-algorithm", "SM2", "-out", "k"]);
    let encrypt = [
        "pkcs8",
        "-topk8",
        "-in",
        "k",
        "-passout",
        "pass:secret",
        "-out",
        "encrypted",
    ];
    for cipher in [
        &["-v2", "aes-256-cbc"][..],
        &["-v2", "sm4-cbc"],
        &["-v2", "sm4-cbc", "-v2prf", "hmacWithSHA256"],
    ] {
        sandbox.run_peer("openssl", &[&encrypt[..], cipher].concat());
        let args = ["key", "show", "--passphrase-env", "P", "encrypted"];
        let run = sandbox.run_with_env(&[("P", "secret")], &args);
        if cipher.contains(&"sm4-cbc") {
            run.ok();
            sandbox
                .run_with_env(&[("P", "Secret")], &args)
                .fails(1)
                .says("wrong passphrase");
        } else {
            // Another cipher is named, not taken for a wrong passphrase.
            assert!(
                run.code == Some(0) || run.stderr.contains("unsupported"),
                "{}",
                run.stderr
            );
        }
    }
}

#[test]
fn our_keys() {
    if !have_openssl() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("hex", KEY_HEX);
    for format in ["pkcs8-pem", "pkcs8-der", "sec1-pem", "sec1-der"] {
        sandbox
            .run(&["key", "convert", "--to", format, "hex", "-o", format])
            .ok();
        let form = if format.ends_with("der") {
            "DER"
        } else {
            "PEM"
        };
        let args = [
            "pkey", "-inform", form, "-in", format, "-pubout", "-outform", "DER",
        ];
        let theirs = sandbox.run_peer("openssl", &args);
        let ours = sandbox
            .run(&["key", "convert", "--to", "spki-der", format])
            .ok()
            .stdout;
        assert_eq!(ours, theirs, "{format}");
    }
}
