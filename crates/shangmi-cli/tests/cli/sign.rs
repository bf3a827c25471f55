//! `shangmi sign` and `shangmi verify`.

use crate::support::{KEY_HEX, Sandbox, pattern};

#[test]
fn what_is_signed_verifies() {
    let sandbox = Sandbox::with_keys();
    for length in [0, 1, 131_072, 131_073] {
        sandbox.write("f", pattern(length));
        for form in ["der", "raw"] {
            sandbox
                .run(&[
                    "sign", "--key", "key.pem", "--format", form, "f", "-o", "sig",
                ])
                .ok();
            let run = sandbox.run(&["verify", "--public", "pub.pem", "--signature", "sig", "f"]);
            run.ok()
                .prints("OK: good signature of 'f' (ID '1234567812345678')\n");
            let args = ["verify", "--public", "pub.pem", "--signature", "sig", "-"];
            sandbox.run_with_input(pattern(length), &args).ok();
        }
    }
}

#[test]
fn a_bad_signature_is_a_negative_answer() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    sandbox.write("g", "Content");
    sandbox
        .run(&[
            "sign", "--key", "key.pem", "--format", "raw", "f", "-o", "sig",
        ])
        .ok();
    let verify = |id: &[&str], file: &str| {
        let args = [
            &["verify", "--public", "pub.pem", "--signature", "sig"],
            id,
            &[file],
        ]
        .concat();
        sandbox.run(&args)
    };
    verify(&[], "f").ok();
    verify(&[], "g").fails(1).says("bad signature of 'g'");
    verify(&["--id", "alice"], "f")
        .fails(1)
        .says("good under the default ID");
    verify(&["--empty-id"], "f")
        .fails(1)
        .says("good under the default ID");
    let run = sandbox.run(&[
        "verify",
        "--json",
        "--public",
        "pub.pem",
        "--signature",
        "sig",
        "g",
    ]);
    assert_eq!(run.fails(1).json()["valid"], false);
    for i in 0..64 {
        let mut changed = sandbox.read("sig");
        changed[i] ^= 1;
        sandbox.write("changed", changed);
        let run = sandbox.run(&[
            "verify",
            "--public",
            "pub.pem",
            "--signature",
            "changed",
            "f",
        ]);
        run.fails(1);
    }
}

#[test]
fn ids() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    for (id, described) in [
        (&["--id", "爱丽丝"][..], "ID '爱丽丝'"),
        (&["--id-hex", "00ff"], "ID 00ff (hex)"),
        (&["--empty-id"], "the empty ID"),
    ] {
        sandbox
            .run(&[&["sign", "--key", "key.pem", "f", "-o", "sig"], id].concat())
            .ok();
        let args = [
            &["verify", "--public", "pub.pem", "--signature", "sig", "f"],
            id,
        ]
        .concat();
        sandbox
            .run(&args)
            .ok()
            .prints(&format!("OK: good signature of 'f' ({described})\n"));
        sandbox
            .run(&["verify", "--public", "pub.pem", "--signature", "sig", "f"])
            .fails(1);
    }
    // The last signature was made under the empty ID; a pipe gets the same hint as a file.
    let args = ["verify", "--public", "pub.pem", "--signature", "sig", "-"];
    sandbox
        .run_with_input("content", &args)
        .fails(1)
        .says("--empty-id");
    for bad in [&["--id", ""][..], &["--id-hex", ""]] {
        let args = [&["sign", "--key", "key.pem", "f", "-o", "no"], bad].concat();
        sandbox.run(&args).fails(2).says("--empty-id");
    }
    sandbox
        .run(&["sign", "--key", "key.pem", "--id-hex", "0", "f", "-o", "no"])
        .fails(2);
    sandbox.write("long", "x");
    let long = "x".repeat(8192);
    sandbox
        .run(&["sign", "--key", "key.pem", "--id", &long, "f", "-o", "no"])
        .fails(2)
        .says("8191");
    assert!(!sandbox.exists("no"));
}

#[test]
fn a_digest_can_be_signed_and_verified() {
    let sandbox = Sandbox::new();
    sandbox.write("k", KEY_HEX);
    sandbox
        .run(&["key", "convert", "--to", "hex", "--public", "k", "-o", "p"])
        .ok();
    // e of GB/T 32918.2-2016, example A.2: "message digest" under the default ID.
    let e = "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640";
    sandbox.write("e", format!("{e}\n"));
    sandbox.write("message", "message digest");
    sandbox
        .run(&["sign", "--key", "k", "--digest", "e", "-o", "sig"])
        .ok();
    sandbox
        .run(&["verify", "--public", "p", "--signature", "sig", "message"])
        .ok();
    sandbox
        .run(&["sign", "--key", "k", "message", "-o", "sig"])
        .ok();
    sandbox
        .run(&[
            "verify",
            "--public",
            "p",
            "--signature",
            "sig",
            "--digest",
            "e",
        ])
        .ok();
    sandbox.write("short", &e[..62]);
    sandbox
        .run(&["sign", "--key", "k", "--digest", "short", "-o", "no"])
        .fails(2)
        .says("is no digest");
    sandbox
        .run(&[
            "sign", "--key", "k", "--digest", "--id", "a", "e", "-o", "no",
        ])
        .fails(2);
}

#[test]
fn the_standards_signature_verifies() {
    let sandbox = Sandbox::new();
    sandbox.write("k", KEY_HEX);
    sandbox
        .run(&["key", "convert", "--to", "hex", "--public", "k", "-o", "p"])
        .ok();
    sandbox.write(
        "sig",
        "f5a03b0648d2c4630eeac513e1bb81a15944da3827d5b74143ac7eaceee720b3\
         b1b6aa29df212fd8763182bc0d421ca1bb9038fd1f7f42d4840b69c485bbc1aa\n",
    );
    sandbox.write("message", "message digest");
    sandbox
        .run(&["verify", "--public", "p", "--signature", "sig", "message"])
        .ok();
}

#[test]
fn a_signature_without_za_is_recognised() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    let digest = sandbox.run(&["hash", "f"]).ok().text();
    sandbox.write("digest", &digest[..64]);
    sandbox
        .run(&[
            "sign", "--key", "key.pem", "--digest", "digest", "-o", "sig",
        ])
        .ok();
    let run = sandbox.run(&["verify", "--public", "pub.pem", "--signature", "sig", "f"]);
    run.fails(1).says("without Z_A");
}

#[test]
fn signing_is_randomised_and_json_carries_the_signature() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    let sign = || {
        sandbox
            .run(&["sign", "--json", "--key", "key.pem", "f", "-o", "sig"])
            .ok()
            .json()
    };
    let (one, two) = (sign(), sign());
    assert_ne!(one["signature"], two["signature"]);
    assert_eq!(one["id_hex"], "31323334353637383132333435363738");
    assert_eq!(one["default_id"], true);
}

#[test]
fn an_encrypted_key_signs() {
    let sandbox = Sandbox::new();
    let pass = [("PASS", "p")];
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
    sandbox.write("f", "content");
    let args = [
        "sign",
        "--key",
        "k",
        "--passphrase-env",
        "PASS",
        "f",
        "-o",
        "sig",
    ];
    sandbox.run_with_env(&pass, &args).ok();
    sandbox
        .run(&["verify", "--public", "p", "--signature", "sig", "f"])
        .ok();
    sandbox
        .run_with_env(&[("PASS", "q")], &args)
        .fails(1)
        .says("wrong passphrase");
    sandbox
        .run(&["sign", "--key", "k", "f", "-o", "sig"])
        .fails(2)
        .says("is encrypted");
}
