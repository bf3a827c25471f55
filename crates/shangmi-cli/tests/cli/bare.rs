//! Bare SM2 ciphertexts and signatures: every form, as bytes and as text, and what is said when one does not fit.

use crate::support::{Run, Sandbox};

const FORMS: [&str; 5] = ["der", "c1c3c2", "c1c2c3", "bare-c1c3c2", "bare-c1c2c3"];
const PLAINTEXT: &str = "a key of 16 byte";

/// A sandbox with a ciphertext of every form, under its name.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", PLAINTEXT);
    for form in FORMS {
        let args = ["encrypt", "--raw", form, "--to", "pub.pem", "f", "-o", form];
        sandbox.run(&args).ok();
    }
    sandbox
}

fn decrypt(sandbox: &Sandbox, options: &[&str], file: &str) -> Run {
    let args = [
        &["decrypt", "--key", "key.pem"],
        options,
        &[file, "-o", "out"],
    ]
    .concat();
    let run = sandbox.run(&args);
    if run.code == Some(0) {
        assert_eq!(sandbox.read("out"), PLAINTEXT.as_bytes());
        std::fs::remove_file(sandbox.path("out")).unwrap();
    }
    assert!(!sandbox.exists("out"), "{}", run.stderr);
    let shown = String::from_utf8_lossy(&run.stdout).into_owned() + &run.stderr;
    assert!(!shown.contains(PLAINTEXT), "{shown}");
    run
}

#[test]
fn another_form_is_named_and_opens_nothing() {
    let sandbox = sandbox();
    for written in FORMS {
        for read_as in FORMS {
            let run = decrypt(&sandbox, &["--raw", read_as], written);
            if read_as == written {
                run.ok();
                continue;
            }
            let code = run.code.unwrap();
            assert!(code == 1 || code == 2, "{written} as {read_as}: {code}");
            let hint = format!("it opens with --raw {written}\n");
            run.fails(code).says(&hint);
            decrypt(&sandbox, &["--raw", "auto"], written).ok();
        }
    }
}

#[test]
fn another_key_and_changed_bytes_are_the_likely_causes() {
    let sandbox = sandbox();
    let args = ["key", "generate", "--no-passphrase", "-o", "other.pem"];
    sandbox.run(&args).ok();
    for form in FORMS {
        let args = ["decrypt", "--raw", form, "--key", "other.pem", form];
        let run = sandbox.run(&args).fails(1);
        run.says("no form of --raw opens it: it is for another key, or its bytes were changed");
        let mut changed = sandbox.read(form);
        *changed.last_mut().unwrap() ^= 1;
        sandbox.write("changed", changed);
        for read_as in ["auto", form] {
            let run = decrypt(&sandbox, &["--raw", read_as], "changed").fails(1);
            run.says("it is for another key, or its bytes were changed");
        }
    }
}

#[test]
fn what_is_no_ciphertext_is_told() {
    let sandbox = sandbox();
    sandbox.write("text", "no ciphertext at all");
    let args = ["encrypt", "--to", "pub.pem", "f", "-o", "sealed"];
    sandbox.run(&args).ok();
    let args = ["encrypt", "--armor", "--to", "pub.pem", "f", "-o", "armor"];
    sandbox.run(&args).ok();
    for form in ["auto", "der", "c1c3c2"] {
        for (file, hint) in [
            ("text", "is it the right file, and whole?"),
            ("sealed", "it is a sealed file: leave --raw out"),
            ("armor", "it is a sealed file: leave --raw out"),
        ] {
            decrypt(&sandbox, &["--raw", form], file)
                .fails(2)
                .says(hint);
        }
    }
    let run = sandbox.run(&["decrypt", "--key", "key.pem", "der", "-o", "out"]);
    run.fails(2).says("--raw auto").says("--encoding");
    let args = ["decrypt", "--key", "key.pem", "--encoding", "hex", "der"];
    sandbox.run(&args).fails(2).says("--raw");
}

#[test]
fn ciphertexts_as_text() {
    let sandbox = sandbox();
    for form in FORMS {
        for encoding in ["hex", "base64"] {
            let args = [
                "encrypt",
                "--raw",
                form,
                "--encoding",
                encoding,
                "--to",
                "pub.pem",
            ];
            let text = sandbox.run(&[&args[..], &["f"]].concat()).ok().text();
            assert!(text.ends_with('\n') && text.lines().count() == 1, "{text}");
            sandbox.write("text", &text);
            for read_as in ["auto", form] {
                let options = ["--raw", read_as, "--encoding", encoding];
                decrypt(&sandbox, &options, "text").ok();
            }
            let hint = format!("it is text: add --encoding {encoding}\n");
            let run = decrypt(&sandbox, &["--raw", "auto"], "text").fails(2);
            run.says("not recognised as an SM2 ciphertext").says(&hint);
        }
    }
    // Either case, and lines broken anywhere.
    let digits: String = sandbox
        .read("c1c3c2")
        .iter()
        .map(|b| format!("{b:02X}\r\n"))
        .collect();
    sandbox.write("text", digits);
    decrypt(&sandbox, &["--raw", "c1c3c2", "--encoding", "hex"], "text").ok();
    for encoding in ["hex", "base64"] {
        let options = ["--raw", "der", "--encoding", encoding];
        let run = decrypt(&sandbox, &options, "der").fails(2);
        run.says("the ciphertext").says("leave --encoding out");
    }
    sandbox.write("text", "MDEC");
    let options = ["--raw", "auto", "--encoding", "hex"];
    decrypt(&sandbox, &options, "text")
        .fails(2)
        .says("try --encoding base64");
    sandbox.write("text", "00ff");
    let run = decrypt(&sandbox, &options, "text").fails(2);
    run.says("in this encoding?");
}

#[test]
fn signatures_as_text() {
    let sandbox = sandbox();
    for format in ["der", "raw"] {
        for encoding in ["hex", "base64"] {
            let args = [
                "sign",
                "--key",
                "key.pem",
                "--format",
                format,
                "--encoding",
                encoding,
                "f",
            ];
            let text = sandbox.run(&args).ok().text();
            assert!(text.ends_with('\n') && text.lines().count() == 1, "{text}");
            sandbox.write("sig", &text);
            let verify = ["verify", "--public", "pub.pem", "--signature", "sig", "f"];
            sandbox.run(&verify).ok();
            sandbox.write("sig", &text[4..]);
            sandbox
                .run(&verify)
                .fails(2)
                .says("cannot read signature 'sig'");
        }
    }
}
