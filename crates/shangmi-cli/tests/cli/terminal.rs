//! On a terminal, which `script` provides: prompts, refusals and colours.

use std::process::{Command, Stdio};

use crate::support::{Sandbox, have_peer};

/// Runs the program on a terminal on which somebody types `typed`; returns what the screen shows.
fn on_terminal(sandbox: &Sandbox, args: &[&str], typed: &str) -> Option<(i32, String)> {
    if !have_peer(
        "script",
        &["--version"],
        "install util-linux (apt-get install bsdutils)",
    ) {
        return None;
    }
    let program = assert_cmd::cargo::cargo_bin!("shangmi");
    let command = format!("'{}' {}", program.display(), args.join(" "));
    let mut script = Command::new("script");
    script
        .args(["-q", "-e", "-c", &command, "/dev/null"])
        .current_dir(sandbox.path("."));
    script
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .stdin(Stdio::piped());
    let output = assert_cmd::Command::from_std(script)
        .write_stdin(typed)
        .output()
        .unwrap();
    Some((
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
    ))
}

#[test]
fn a_new_passphrase_is_asked_for_twice() {
    let sandbox = Sandbox::new();
    let args = ["key", "generate", "-o", "key.pem"];
    let Some((code, screen)) = on_terminal(&sandbox, &args, "secret\nsecret\n") else {
        return;
    };
    assert_eq!(code, 0, "{screen}");
    let show = ["key", "show", "--passphrase-env", "P", "key.pem"];
    sandbox.run_with_env(&[("P", "secret")], &show).ok();
    let (code, screen) = on_terminal(&sandbox, &["key", "show", "key.pem"], "secret\n").unwrap();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("Passphrase of 'key.pem'"), "{screen}");
    let (code, screen) = on_terminal(&sandbox, &["key", "show", "key.pem"], "Secret\n").unwrap();
    assert_eq!(code, 1, "{screen}");
}

#[test]
fn passphrases_that_differ_or_are_empty_make_no_key() {
    let sandbox = Sandbox::new();
    for (typed, says) in [("one\ntwo\n", "differ"), ("\n", "is empty")] {
        let args = ["key", "generate", "-o", "key.pem"];
        let Some((code, screen)) = on_terminal(&sandbox, &args, typed) else {
            return;
        };
        assert_eq!(code, 2, "{screen}");
        assert!(screen.contains(says), "{screen}");
        assert!(!sandbox.exists("key.pem"));
    }
}

#[test]
fn a_file_is_sealed_and_opened_with_what_was_typed() {
    let sandbox = Sandbox::new();
    sandbox.write("f", "content");
    let args = ["encrypt", "--iterations", "1000", "f", "-o", "sealed"];
    let Some((code, screen)) = on_terminal(&sandbox, &args, "secret\nsecret\n") else {
        return;
    };
    assert_eq!(code, 0, "{screen}");
    let open = ["decrypt", "sealed", "-o", "opened"];
    let (code, screen) = on_terminal(&sandbox, &open, "secret\n").unwrap();
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("Passphrase of 'sealed'"), "{screen}");
    assert_eq!(sandbox.read("opened"), b"content");
    let (code, screen) = on_terminal(&sandbox, &open, "Secret\n").unwrap();
    assert_eq!(code, 1, "{screen}");
}

#[test]
fn binary_data_is_not_written_to_a_terminal() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
        .ok();
    for args in [
        &["sign", "--key", "key.pem", "f"][..],
        &["encrypt", "--to", "pub.pem", "f"],
        &["decrypt", "--key", "key.pem", "sealed"],
        &["key", "convert", "--to", "raw", "key.pem"],
        &[
            "sm4",
            "encrypt",
            "--mode",
            "ecb",
            "--key-hex",
            "00112233445566778899aabbccddeeff",
            "f",
        ],
    ] {
        let Some((code, screen)) = on_terminal(&sandbox, args, "") else {
            return;
        };
        assert_eq!(code, 2, "{screen}");
        assert!(
            screen.contains("refusing to write binary data to a terminal"),
            "{screen}"
        );
    }
    let (code, screen) = on_terminal(&sandbox, &["key", "show", "pub.pem"], "").unwrap();
    assert_eq!(code, 0, "{screen}");
}

#[test]
fn colour_is_for_terminals_only() {
    let sandbox = Sandbox::new();
    let Some((_, screen)) = on_terminal(&sandbox, &["hash", "missing"], "") else {
        return;
    };
    assert!(screen.contains("\u{1b}["), "{screen}");
    assert!(!sandbox.run(&["hash", "missing"]).stderr.contains('\u{1b}'));
}

#[test]
fn what_is_typed_ends_with_one_key() {
    let sandbox = Sandbox::new();
    let Some((code, screen)) = on_terminal(&sandbox, &["hash"], "abc\n") else {
        return;
    };
    assert_eq!(code, 0, "{screen}");
    // `script` types the end once, after what was typed.
    let expected = sandbox.run_with_input("abc\n", &["hash"]).ok().text();
    assert!(screen.contains(expected.trim_end()), "{screen}");
}
