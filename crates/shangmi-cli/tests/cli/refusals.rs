//! What `encrypt`, `decrypt` and `sm4` refuse, and what they leave behind when they are stopped.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Run, Sandbox, pattern};

const IV: &str = "000102030405060708090a0b0c0d0e0f";

/// A sandbox with a file `sealed` for a key and a passphrase, whose content is `content`.
fn sealed(content: &[u8]) -> (Sandbox, Vec<u8>) {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", content);
    sandbox.seal("secret", "sealed", &[]);
    let sealed = sandbox.read("sealed");
    (sandbox, sealed)
}

fn opened(sandbox: &Sandbox, file: &[u8], by: &[&str]) -> Run {
    sandbox.write("changed", file);
    let args = [&["decrypt"], by, &["changed", "-o", "out"]].concat();
    let run = sandbox.run_with_env(&[("P", "secret")], &args);
    assert!(!sandbox.exists("out"), "{}", run.stderr);
    run
}

#[test]
fn every_field_of_the_header_is_guarded() {
    let (sandbox, file) = sealed(b"content");
    let key_stanza = 10;
    let passphrase = key_stanza + 4 + 137;
    let salt = passphrase + 4 + 84;
    let chunk = salt + 64;
    assert_eq!(file.len(), chunk + 7 + 16);
    let fields: [(&str, usize, i32, i32); 17] = [
        // Name, first byte, exit with the key, exit with the passphrase.
        ("magic", 0, 2, 2),
        ("last byte of the magic", 7, 2, 2),
        ("version", 8, 2, 2),
        ("count", 9, 2, 2),
        ("type of the key's stanza", key_stanza + 1, 1, 1),
        ("length of the key's stanza", key_stanza + 3, 2, 2),
        ("key id", key_stanza + 4, 1, 1),
        ("C1", key_stanza + 4 + 8 + 1, 1, 1),
        ("C3", key_stanza + 4 + 8 + 65, 1, 1),
        ("C2", key_stanza + 4 + 8 + 97, 1, 1),
        ("length of the passphrase's stanza", passphrase + 3, 2, 2),
        ("salt of the passphrase", passphrase + 4, 1, 1),
        ("iterations", passphrase + 4 + 19, 1, 1),
        ("masked file key", passphrase + 4 + 20, 1, 1),
        ("check", passphrase + 4 + 52, 1, 1),
        ("salt", salt, 1, 1),
        ("mac", salt + 32, 1, 1),
    ];
    for (name, at, by_key, by_passphrase) in fields {
        let mut changed = file.clone();
        changed[at] ^= 1;
        let run = opened(&sandbox, &changed, &["--key", "key.pem"]);
        assert_eq!(run.code, Some(by_key), "{name}: {}", run.stderr);
        run.fails(by_key);
        let run = opened(&sandbox, &changed, &["--passphrase-env", "P"]);
        assert_eq!(run.code, Some(by_passphrase), "{name}: {}", run.stderr);
        run.fails(by_passphrase);
    }
    for at in [chunk, chunk + 6, chunk + 7, chunk + 22] {
        let mut changed = file.clone();
        changed[at] ^= 1;
        opened(&sandbox, &changed, &["--key", "key.pem"])
            .fails(1)
            .says("chunk 0 of the sealed file was changed");
    }
    let mut changed = file;
    changed[passphrase + 4 + 16] ^= 0x80;
    opened(&sandbox, &changed, &["--passphrase-env", "P"])
        .fails(2)
        .says("PBKDF2 iterations, the limit is 10000000")
        .says("busy");
}

#[test]
fn a_file_cut_at_every_boundary_is_refused() {
    let content = pattern(2 * 65_536 + 100);
    let (sandbox, file) = sealed(&content);
    let payload = file.len() - content.len() - 3 * 16;
    let header = [0, 1, 7, 8, 9, 10, 12, 14, 151, 155, 239, 271, payload - 1];
    for len in header {
        let says = if len == 0 {
            "not a sealed file"
        } else {
            "inside its header"
        };
        for by in [["--key", "key.pem"], ["--passphrase-env", "P"]] {
            opened(&sandbox, &file[..len], &by).fails(2).says(says);
        }
    }
    let sealed_chunk = 65_552;
    for (len, says) in [
        (payload, "was cut"),
        (payload + 15, "was cut"),
        (payload + 16, "chunk 0"),
        (payload + sealed_chunk - 1, "chunk 0"),
        (payload + sealed_chunk, "was cut"),
        (payload + sealed_chunk + 1, "was cut"),
        (payload + 2 * sealed_chunk, "was cut"),
        (payload + 2 * sealed_chunk + 16, "chunk 2"),
        (file.len() - 1, "chunk 2"),
    ] {
        opened(&sandbox, &file[..len], &["--key", "key.pem"])
            .fails(1)
            .says(says);
    }
}

#[test]
fn a_full_disk_is_told_and_leaves_nothing() {
    let (sandbox, _) = sealed(&pattern(300_000));
    let commands: [&[&str]; 5] = [
        &["encrypt", "--to", "pub.pem", "f"],
        &["encrypt", "--armor", "--to", "pub.pem", "f"],
        &["decrypt", "--key", "key.pem", "sealed"],
        &["decrypt", "--key", "key.pem", "--offset", "10", "sealed"],
        &[
            "sm4",
            "encrypt",
            "--mode",
            "ctr",
            "--key-file",
            "iv",
            "--iv-hex",
            IV,
            "f",
        ],
    ];
    sandbox.write("iv", "0123456789abcdef");
    for args in commands {
        sandbox
            .run(&[args, &["-o", "/dev/full"]].concat())
            .fails(2)
            .says("No space left")
            .says("free some space");
        // A limit on the size of files, with the signal that would end the program ignored.
        let program = assert_cmd::cargo::cargo_bin!("shangmi");
        let script = format!(
            "trap '' XFSZ; ulimit -f 64; exec '{}' {} -o out 2>err",
            program.display(),
            args.join(" ")
        );
        let mut bash = std::process::Command::new("bash");
        bash.args(["-c", &script]).current_dir(sandbox.path("."));
        assert_eq!(bash.status().unwrap().code(), Some(2), "{args:?}");
        let said = String::from_utf8(sandbox.read("err")).unwrap();
        assert!(said.contains("File too large"), "{args:?}: {said}");
        assert!(
            said.contains("shangmi: hint: the file system"),
            "{args:?}: {said}"
        );
        assert!(!sandbox.exists("out"), "{args:?}");
        // Looks for temporary files as well.
        sandbox.run(&["--version"]).ok();
    }
}

#[test]
fn an_input_is_no_output() {
    let (sandbox, file) = sealed(b"content");
    sandbox.write("iv", "0123456789abcdef");
    for args in [
        &["decrypt", "--key", "key.pem", "sealed", "-o", "sealed"][..],
        &[
            "decrypt", "--key", "key.pem", "--length", "1", "sealed", "-o", "./sealed",
        ],
        &["decrypt", "--key", "key.pem", "sealed", "-o", "key.pem"],
        &[
            "encrypt", "--armor", "--to", "pub.pem", "sealed", "-o", "sealed",
        ],
        &[
            "sm4",
            "decrypt",
            "--mode",
            "ctr",
            "--key-file",
            "iv",
            "--iv-hex",
            IV,
            "sealed",
            "-o",
            "sealed",
        ],
    ] {
        sandbox.run(args).fails(2).says("at once");
    }
    assert_eq!(sandbox.read("sealed"), file);
}

#[test]
fn a_killed_run_leaves_nothing_under_the_final_name() {
    let (sandbox, _) = sealed(&pattern(20_000_000));
    sandbox.write("iv", "0123456789abcdef");
    let commands: [&[&str]; 3] = [
        &["encrypt", "--to", "pub.pem", "f", "-o", "out"],
        &["decrypt", "--key", "key.pem", "sealed", "-o", "out"],
        &[
            "sm4",
            "encrypt",
            "--mode",
            "ctr",
            "--key-file",
            "iv",
            "--iv-hex",
            IV,
            "f",
            "-o",
            "out",
        ],
    ];
    for args in commands {
        sandbox.run(args).ok();
        let length = fs::metadata(sandbox.path("out")).unwrap().len();
        let mut kills = 0;
        for old in [None, Some("the file that was there")] {
            for wanted in [1, 1_000_000, 10_000_000] {
                let _ = fs::remove_file(sandbox.path("out"));
                if let Some(old) = old {
                    sandbox.write("out", old);
                }
                kills += usize::from(kill_when(&sandbox, args, wanted));
                let out = fs::read(sandbox.path("out")).ok();
                let untouched = out.as_deref() == old.map(str::as_bytes);
                let finished = out.is_some_and(|out| out.len() as u64 == length);
                assert!(untouched || finished, "{args:?} at {wanted}");
            }
        }
        assert!(kills > 0, "{args:?} was never caught at work");
    }
}

/// Starts the program and kills it when its temporary file has `wanted` bytes; returns whether it
/// was still running. Removes what a killed run leaves.
fn kill_when(sandbox: &Sandbox, args: &[&str], wanted: u64) -> bool {
    let mut child = sandbox.program(args).stderr(Stdio::null()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while child.try_wait().unwrap().is_none() && Instant::now() < deadline {
        if unfinished(sandbox).is_some_and(|(_, length)| length >= wanted) {
            break;
        }
        thread::sleep(Duration::from_micros(50));
    }
    child.kill().unwrap();
    let killed = !child.wait().unwrap().success();
    if let Some((path, _)) = unfinished(sandbox) {
        fs::remove_file(path).unwrap();
    }
    killed
}

fn unfinished(sandbox: &Sandbox) -> Option<(std::path::PathBuf, u64)> {
    let entries = fs::read_dir(sandbox.path(".")).unwrap();
    entries.flatten().find_map(|entry| {
        let temporary = entry.file_name().to_string_lossy().starts_with(".shangmi-");
        let length = entry.metadata().ok()?.len();
        temporary.then(|| (entry.path(), length))
    })
}
