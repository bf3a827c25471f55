//! `shangmi encrypt` and `shangmi decrypt`.

use crate::support::{Sandbox, pattern};

#[test]
fn what_is_sealed_opens() {
    let sandbox = Sandbox::with_keys();
    for length in [0, 1, 65_535, 65_536, 65_537, 200_000] {
        sandbox.write("f", pattern(length));
        sandbox
            .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
            .ok();
        sandbox
            .run(&["decrypt", "--key", "key.pem", "sealed", "-o", "opened"])
            .ok();
        assert_eq!(sandbox.read("opened"), pattern(length));
        let piped = sandbox
            .run_with_input(pattern(length), &["encrypt", "--to", "pub.pem", "-"])
            .ok();
        let opened = sandbox
            .run_with_input(piped.stdout, &["decrypt", "--key", "key.pem", "-"])
            .ok();
        assert_eq!(opened.stdout, pattern(length));
    }
}

#[test]
fn every_recipient_can_open() {
    let sandbox = Sandbox::with_keys();
    for name in ["a", "b", "c"] {
        let public = format!("{name}.pub");
        sandbox
            .run(&[
                "key",
                "generate",
                "--no-passphrase",
                "-o",
                name,
                "--public",
                &public,
            ])
            .ok();
    }
    sandbox.write("f", "content");
    let args = [
        "encrypt", "--json", "--to", "a.pub", "--to", "b.pub", "f", "-o", "sealed",
    ];
    assert_eq!(sandbox.run(&args).ok().json()["recipients"], 2);
    for name in ["a", "b"] {
        sandbox
            .run(&["decrypt", "--key", name, "sealed"])
            .ok()
            .prints("content");
    }
    sandbox
        .run(&["decrypt", "--key", "c", "sealed"])
        .fails(1)
        .says("not sealed for this key");
}

#[test]
fn every_change_is_noticed_and_nothing_is_written() {
    let sandbox = Sandbox::with_keys();
    let content = pattern(70_000);
    sandbox.write("f", &content);
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
        .ok();
    let sealed = sandbox.read("sealed");
    let check = |changed: &[u8], codes: &[i32]| {
        sandbox.write("changed", changed);
        let run = sandbox.run(&["decrypt", "--key", "key.pem", "changed", "-o", "out"]);
        let code = run.code.unwrap();
        assert!(codes.contains(&code), "{code}: {}", run.stderr);
        run.fails(code);
        assert!(!sandbox.exists("out"));
        // On a pipe, what came through before the fault is a part of the content.
        let piped = sandbox
            .run(&["decrypt", "--key", "key.pem", "changed"])
            .fails(code)
            .stdout;
        assert!(content.starts_with(&piped) && piped.len() < content.len());
    };
    for at in (0..sealed.len()).step_by(sealed.len() / 40) {
        let mut changed = sealed.clone();
        changed[at] ^= 0x10;
        check(&changed, if at < 200 { &[1, 2] } else { &[1] });
        check(&sealed[..at], if at < 300 { &[1, 2] } else { &[1] });
    }
    check(&[&sealed[..], b"x"].concat(), &[1]);
    check(&[], &[2]);
}

#[test]
fn bare_ciphertexts_of_every_form() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "a key of 16 byte");
    for form in ["der", "c1c3c2", "c1c2c3"] {
        sandbox
            .run(&["encrypt", "--raw", form, "--to", "pub.pem", "f", "-o", "c"])
            .ok();
        for read_as in ["auto", form] {
            let run = sandbox.run(&["decrypt", "--raw", read_as, "--key", "key.pem", "c"]);
            run.ok().prints("a key of 16 byte");
        }
        let run = sandbox.run(&["decrypt", "--key", "key.pem", "c"]).fails(2);
        run.says("not a sealed file").says("--raw auto");
        let mut changed = sandbox.read("c");
        *changed.last_mut().unwrap() ^= 1;
        sandbox.write("changed", changed);
        let args = [
            "decrypt", "--raw", "auto", "--key", "key.pem", "changed", "-o", "out",
        ];
        sandbox.run(&args).fails(1);
        assert!(!sandbox.exists("out"));
    }
    sandbox
        .run(&[
            "encrypt", "--raw", "c1c3c2", "--to", "pub.pem", "f", "-o", "c",
        ])
        .ok();
    let without_04 = sandbox.read("c")[1..].to_vec();
    sandbox.write("c", without_04);
    for form in ["auto", "bare-c1c3c2"] {
        sandbox
            .run(&["decrypt", "--raw", form, "--key", "key.pem", "c"])
            .ok()
            .prints("a key of 16 byte");
    }
}

#[test]
fn bare_ciphertexts_have_one_recipient_and_some_content() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("empty", "");
    sandbox.write("f", "x");
    let args = [
        "encrypt", "--raw", "der", "--to", "pub.pem", "empty", "-o", "out",
    ];
    sandbox.run(&args).fails(2).says("is empty");
    let args = [
        "encrypt", "--raw", "der", "--to", "pub.pem", "--to", "pub.pem", "f", "-o", "out",
    ];
    sandbox.run(&args).fails(2).says("one recipient, found 2");
    assert!(!sandbox.exists("out"));
}

#[test]
fn a_private_key_is_no_recipient() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "x");
    let run = sandbox.run(&["encrypt", "--to", "key.pem", "f", "-o", "out"]);
    run.fails(2).says("private key").says("key convert");
}

#[test]
fn a_passphrase_opens_what_it_sealed() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    sandbox.write("pass", "correct horse\n");
    let env = [
        ("P", "correct horse"),
        ("WRONG", "Correct horse"),
        ("NONE", ""),
    ];
    let run = |args: &[&str]| sandbox.run_with_env(&env, args);
    let sealed = ["--iterations", "1000", "f", "-o", "sealed"];
    run(&[&["encrypt", "--passphrase-env", "P"], &sealed[..]].concat()).ok();
    for given in [["--passphrase-env", "P"], ["--passphrase-file", "pass"]] {
        run(&[&["decrypt"], &given[..], &["sealed"]].concat())
            .ok()
            .prints("content");
    }
    let out = ["sealed", "-o", "out"];
    run(&[&["decrypt", "--passphrase-env", "WRONG"], &out[..]].concat())
        .fails(1)
        .says("wrong passphrase")
        .says("try again");
    run(&[&["decrypt", "--passphrase-env", "NONE"], &out[..]].concat())
        .fails(2)
        .says("the passphrase is empty");
    run(&[&["decrypt"], &out[..]].concat())
        .fails(2)
        .says("no passphrase was given")
        .says("--passphrase-env");
    run(&[&["decrypt", "--key", "key.pem"], &out[..]].concat())
        .fails(1)
        .says("not sealed for this key")
        .says("passphrase");
    assert!(!sandbox.exists("out"));
}

#[test]
fn a_passphrase_beside_keys() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    let env = [("P", "correct horse")];
    let run = |args: &[&str]| sandbox.run_with_env(&env, args);
    let args = [
        "encrypt",
        "--json",
        "--to",
        "pub.pem",
        "--passphrase-env",
        "P",
        "--iterations",
        "1000",
        "f",
        "-o",
        "sealed",
    ];
    assert_eq!(run(&args).ok().json()["recipients"], 2);
    run(&["decrypt", "--key", "key.pem", "sealed"])
        .ok()
        .prints("content");
    run(&["decrypt", "--passphrase-env", "P", "sealed"])
        .ok()
        .prints("content");

    run(&["encrypt", "--to", "pub.pem", "f", "-o", "for-key"]).ok();
    run(&["decrypt", "--passphrase-env", "P", "for-key"])
        .fails(1)
        .says("not sealed with a passphrase")
        .says("--key");
}

#[test]
fn passphrases_out_of_place() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    let run = |args: &[&str]| {
        let run = sandbox.run_with_env(&[("P", "x")], &[args, &["f", "-o", "out"]].concat());
        let run = run.fails(2);
        assert!(!sandbox.exists("out"));
        run
    };
    run(&["encrypt"])
        .says("nobody could open the file")
        .says("--to");
    run(&["encrypt", "--to", "pub.pem", "--iterations", "1000"]).says("for a passphrase");
    for iterations in ["0", "999", "10000001", "many"] {
        run(&[
            "encrypt",
            "--passphrase-env",
            "P",
            "--iterations",
            iterations,
        ])
        .says("--iterations");
    }
    run(&["encrypt", "--raw", "der", "--passphrase-env", "P"]).says("found a passphrase");
    run(&["decrypt", "--raw", "auto", "--passphrase-env", "P"]).says("--key");
}
