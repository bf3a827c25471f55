//! Help, mistakes on the command line, completions and manual pages.

use crate::support::Sandbox;

const COMMANDS: [&[&str]; 21] = [
    &["hash"],
    &["hmac"],
    &["key"],
    &["key", "generate"],
    &["key", "show"],
    &["key", "convert"],
    &["sign"],
    &["verify"],
    &["encrypt"],
    &["decrypt"],
    &["sm4"],
    &["sm4", "encrypt"],
    &["sm4", "decrypt"],
    &["manifest"],
    &["manifest", "make"],
    &["manifest", "check"],
    &["manifest", "compare"],
    &["manifest", "duplicates"],
    &["compare"],
    &["completions"],
    &["man"],
];

#[test]
fn help_of_every_command_has_examples() {
    let sandbox = Sandbox::new();
    for command in COMMANDS {
        let help = sandbox.run(&[command, &["--help"]].concat()).ok().text();
        assert!(help.contains("Examples:\n  "), "{command:?}");
        assert!(
            help.contains(&format!("shangmi {}", command.join(" "))),
            "{command:?}"
        );
    }
    assert!(sandbox.run(&["--help"]).ok().text().contains("Exit status"));
    assert!(
        sandbox
            .run(&["--version"])
            .ok()
            .text()
            .starts_with("shangmi ")
    );
}

#[test]
fn mistakes_are_two_lines() {
    let sandbox = Sandbox::new();
    for args in [
        &["hsah"][..],
        &["hash", "--no-such-option"],
        &["hash", "-a", "md5", "f"],
        &["hash", "--quiet", "f"],
        &["hash", "--check", "--tag", "f"],
        &["hash", "--check", "-a", "sm3,sha256"],
        &["hmac", "f"],
        &["hmac", "--key-env", "A", "--key-hex", "00", "f"],
        &["hmac", "--key-hex", "00", "--verify", "00", "a", "b"],
        &["key", "convert", "f"],
        &[
            "key",
            "generate",
            "--no-passphrase",
            "--passphrase-env",
            "A",
        ],
        &["sign", "f"],
        &["sign", "--key", "-", "-"],
        &["sign", "--key", "k", "--id", "a", "--empty-id", "f"],
        &["verify", "--public", "p", "f"],
        &["verify", "--public", "-", "--signature", "-", "f"],
        &["encrypt", "f"],
        &["encrypt", "--to", "-", "-"],
        &["encrypt", "--raw", "c3", "--to", "p", "f"],
        &["encrypt", "--to", "p", "--iterations", "10", "f"],
        &[
            "encrypt",
            "--passphrase-env",
            "A",
            "--passphrase-fd",
            "3",
            "f",
        ],
        &["decrypt", "f"],
        &["sm4", "encrypt", "--mode", "xts", "--key-hex", "00", "f"],
        &["completions", "tcl"],
        &["man", "no-such-command"],
    ] {
        let run = sandbox.run(args).fails(2);
        assert_eq!(run.stdout, b"", "{args:?}");
    }
    sandbox
        .run(&["hsah"])
        .fails(2)
        .says("hint: a similar subcommand exists: 'hash'");
}

#[test]
fn json_needs_a_place_for_the_result() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    for args in [
        &["sign", "--key", "key.pem", "f"][..],
        &["encrypt", "--to", "pub.pem", "f"],
        &["key", "generate", "--no-passphrase"],
        &["key", "convert", "--to", "hex", "key.pem"],
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
        sandbox
            .run(&[&["--json"], args].concat())
            .fails(2)
            .says("-o FILE");
    }
}

#[test]
fn completions_and_manual_pages() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(
            sandbox
                .run(&["completions", shell])
                .ok()
                .text()
                .contains("shangmi"),
            "{shell}"
        );
    }
    assert!(sandbox.run(&["man"]).ok().text().contains(".TH shangmi 1"));
    assert!(
        sandbox
            .run(&["man", "key", "generate"])
            .ok()
            .text()
            .contains("passphrase")
    );
    sandbox.run(&["man", "--out", "man1"]).ok();
    for command in COMMANDS {
        let page = format!("man1/shangmi-{}.1", command.join("-"));
        assert!(!sandbox.read(&page).is_empty());
    }
}
