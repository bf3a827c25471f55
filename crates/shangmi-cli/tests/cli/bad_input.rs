//! Every command against every kind of bad input: one error, one hint, nothing half-written.

use std::fs;

use crate::support::{Sandbox, pattern};

/// A command line; `@` stands for the input that is bad. Whether it takes a directory, and an
/// empty file.
struct Case {
    name: &'static str,
    args: &'static [&'static str],
    takes: Takes,
}

#[derive(PartialEq, Eq)]
enum Takes {
    /// Any file, the empty one included.
    AnyFile,
    /// A file of a certain form.
    Form,
}

const CASES: [Case; 23] = [
    Case {
        name: "hmac file",
        args: &["hmac", "--key-env", "K", "@"],
        takes: Takes::AnyFile,
    },
    Case {
        name: "hmac key",
        args: &["hmac", "--key-file", "@", "good"],
        takes: Takes::Form,
    },
    Case {
        name: "key show",
        args: &["key", "show", "@"],
        takes: Takes::Form,
    },
    Case {
        name: "key convert",
        args: &["key", "convert", "--to", "hex", "@", "-o", "out"],
        takes: Takes::Form,
    },
    Case {
        name: "key passphrase",
        args: &["key", "generate", "--passphrase-file", "@", "-o", "out"],
        takes: Takes::Form,
    },
    Case {
        name: "sign file",
        args: &["sign", "--key", "key.pem", "@", "-o", "out"],
        takes: Takes::AnyFile,
    },
    Case {
        name: "sign key",
        args: &["sign", "--key", "@", "good", "-o", "out"],
        takes: Takes::Form,
    },
    Case {
        name: "sign digest",
        args: &["sign", "--key", "key.pem", "--digest", "@", "-o", "out"],
        takes: Takes::Form,
    },
    Case {
        name: "verify public",
        args: &["verify", "--public", "@", "--signature", "sig", "good"],
        takes: Takes::Form,
    },
    Case {
        name: "verify signature",
        args: &["verify", "--public", "pub.pem", "--signature", "@", "good"],
        takes: Takes::Form,
    },
    Case {
        name: "encrypt file",
        args: &["encrypt", "--to", "pub.pem", "@", "-o", "out"],
        takes: Takes::AnyFile,
    },
    Case {
        name: "encrypt to",
        args: &["encrypt", "--to", "@", "good", "-o", "out"],
        takes: Takes::Form,
    },
    Case {
        name: "encrypt to text",
        args: &["encrypt", "--armor", "--to", "pub.pem", "@", "-o", "out"],
        takes: Takes::AnyFile,
    },
    Case {
        name: "encrypt passphrase",
        args: &[
            "encrypt",
            "--iterations",
            "1000",
            "--passphrase-file",
            "@",
            "good",
            "-o",
            "out",
        ],
        takes: Takes::Form,
    },
    Case {
        name: "decrypt part",
        args: &[
            "decrypt", "--key", "key.pem", "--offset", "1", "@", "-o", "out",
        ],
        takes: Takes::Form,
    },
    Case {
        name: "sm4 decrypt gcm",
        args: &[
            "sm4",
            "decrypt",
            "--mode",
            "gcm",
            "--key-env",
            "K",
            "--prepend-iv",
            "@",
            "-o",
            "out",
        ],
        takes: Takes::Form,
    },
    Case {
        name: "decrypt file",
        args: &["decrypt", "--key", "key.pem", "@", "-o", "out"],
        takes: Takes::Form,
    },
    Case {
        name: "decrypt key",
        args: &["decrypt", "--key", "@", "sealed", "-o", "out"],
        takes: Takes::Form,
    },
    Case {
        name: "decrypt raw auto",
        args: &[
            "decrypt", "--raw", "auto", "--key", "key.pem", "@", "-o", "out",
        ],
        takes: Takes::Form,
    },
    Case {
        name: "decrypt raw der",
        args: &[
            "decrypt", "--raw", "der", "--key", "key.pem", "@", "-o", "out",
        ],
        takes: Takes::Form,
    },
    Case {
        name: "sm4 encrypt",
        args: &[
            "sm4",
            "encrypt",
            "--mode",
            "ctr",
            "--key-env",
            "K",
            "--prepend-iv",
            "@",
            "-o",
            "out",
        ],
        takes: Takes::AnyFile,
    },
    Case {
        name: "sm4 decrypt",
        args: &[
            "sm4",
            "decrypt",
            "--mode",
            "cbc",
            "--key-env",
            "K",
            "--prepend-iv",
            "@",
            "-o",
            "out",
        ],
        takes: Takes::Form,
    },
    Case {
        name: "sm4 key",
        args: &[
            "sm4",
            "encrypt",
            "--mode",
            "ecb",
            "--key-file",
            "@",
            "good",
            "-o",
            "out",
        ],
        takes: Takes::Form,
    },
];

impl Case {
    fn run(&self, sandbox: &Sandbox, input: &str) -> crate::support::Run {
        let args: Vec<_> = self
            .args
            .iter()
            .map(|&arg| if arg == "@" { input } else { arg })
            .collect();
        sandbox.run_with_env(&[("K", "0123456789abcdeffedcba9876543210")], &args)
    }
}

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with_keys();
    sandbox.write("good", "content");
    sandbox.write("directory/x", "");
    sandbox
        .run(&["sign", "--key", "key.pem", "good", "-o", "sig"])
        .ok();
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "good", "-o", "sealed"])
        .ok();
    sandbox
}

#[test]
fn inputs_that_no_command_takes() {
    let sandbox = sandbox();
    for case in &CASES {
        for (input, says) in [
            ("missing", "No such file or directory"),
            ("directory", "irectory"),
            ("good/below", "Not a directory"),
        ] {
            let run = case.run(&sandbox, input);
            assert_eq!(run.code, Some(2), "{} {input}: {}", case.name, run.stderr);
            run.fails(2).says(says);
            assert!(!sandbox.exists("out"), "{} {input}", case.name);
        }
    }
}

#[test]
fn unreadable_files() {
    let sandbox = sandbox();
    // Even the superuser cannot read a process's memory at address 0.
    for case in &CASES {
        let run = case.run(&sandbox, "/proc/self/mem");
        assert_eq!(run.code, Some(2), "{}: {}", case.name, run.stderr);
        run.fails(2);
        assert!(!sandbox.exists("out"), "{}", case.name);
    }
}

#[test]
fn empty_files_where_bytes_are_needed() {
    let sandbox = sandbox();
    sandbox.write("empty", "");
    for case in &CASES {
        let run = case.run(&sandbox, "empty");
        if case.takes == Takes::AnyFile {
            run.ok();
            // The next cases look at it.
            let _ = fs::remove_file(sandbox.path("out"));
        } else {
            assert_eq!(run.code, Some(2), "{}: {}", case.name, run.stderr);
            run.fails(2);
        }
        assert!(!sandbox.exists("out"), "{}", case.name);
    }
}

#[test]
fn wrong_types_truncated_and_oversized() {
    let sandbox = sandbox();
    sandbox.write("text", "This is not a key, a signature or a ciphertext.\n");
    sandbox.write("binary", pattern(1000));
    sandbox.write("zeros", vec![0; 4096]);
    sandbox.write("der", [0x30, 0x82, 0xff, 0xff, 0x02, 0x01, 0x00]);
    sandbox.write(
        "pem",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    );
    sandbox.write("huge", vec![b'0'; 2 << 20]);
    for name in ["key.pem", "pub.pem", "sig", "sealed"] {
        let whole = sandbox.read(name);
        sandbox.write(&format!("cut-{name}"), &whole[..whole.len() / 2]);
    }
    let inputs = [
        "text",
        "binary",
        "zeros",
        "der",
        "pem",
        "huge",
        "cut-key.pem",
        "cut-pub.pem",
        "cut-sig",
        "cut-sealed",
    ];
    for case in CASES.iter().filter(|case| case.takes == Takes::Form) {
        for input in inputs {
            // A passphrase and a MAC key may be any bytes, if there are not too many.
            let any_bytes =
                ["key passphrase", "encrypt passphrase", "hmac key"].contains(&case.name);
            if any_bytes && input != "huge" {
                continue;
            }
            let run = case.run(&sandbox, input);
            let cut = case.name == "decrypt file" && input == "cut-sealed";
            let code = run.code;
            // A ciphertext of the right length can only fail its check: that is an answer.
            let answers = cut || (case.name.starts_with("sm4 decrypt") && code == Some(1));
            assert!(
                code == Some(2) || answers && code == Some(1),
                "{} {input}: {code:?} {}",
                case.name,
                run.stderr
            );
            run.fails(code.unwrap());
            assert!(!sandbox.exists("out"), "{} {input}", case.name);
        }
    }
}

#[test]
fn keys_of_another_curve_are_named() {
    let sandbox = sandbox();
    // SubjectPublicKeyInfo: id-ecPublicKey, prime256v1, and the curve's base point.
    let mut der = vec![
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01,
    ];
    der.extend([
        0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
    ]);
    der.extend([1; 64]);
    sandbox.write("p256", der);
    let run = sandbox.run(&["encrypt", "--to", "p256", "good", "-o", "out"]);
    run.fails(2).says("P-256").says("only SM2 keys");
}

#[test]
fn outputs_that_cannot_be() {
    let sandbox = sandbox();
    for (output, says) in [
        ("directory", "is a directory"),
        ("missing/out", "No such file or directory"),
        ("good/out", "Not a directory"),
    ] {
        for args in [
            &["key", "generate", "--no-passphrase"][..],
            &["key", "convert", "--to", "hex", "key.pem"],
            &["sign", "--key", "key.pem", "good"],
            &["encrypt", "--to", "pub.pem", "good"],
            &["decrypt", "--key", "key.pem", "sealed"],
            &[
                "sm4",
                "encrypt",
                "--mode",
                "ecb",
                "--key-hex",
                "0123456789abcdeffedcba9876543210",
                "good",
            ],
        ] {
            let run = sandbox.run(&[args, &["-o", output]].concat());
            run.fails(2).says(says);
        }
    }
}
