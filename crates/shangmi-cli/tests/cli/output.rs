//! Where results go: whole, or not at all.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::{Command, Stdio};

use crate::support::{Sandbox, pattern};

#[test]
fn an_input_is_never_the_output() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    symlink("f", sandbox.path("link")).unwrap();
    fs::hard_link(sandbox.path("f"), sandbox.path("hard")).unwrap();
    for output in ["f", "./f", "link", "hard"] {
        let args = ["encrypt", "--to", "pub.pem", "f", "-o", output];
        sandbox
            .run(&args)
            .fails(2)
            .says("is an input and the output at once");
    }
    assert_eq!(sandbox.read("f"), b"content");
    let key = sandbox.read("key.pem");
    sandbox
        .run(&["sign", "--key", "key.pem", "f", "-o", "key.pem"])
        .fails(2)
        .says("at once");
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "f", "-o", "pub.pem"])
        .fails(2)
        .says("at once");
    let args = [
        "key", "convert", "--to", "sec1-pem", "--force", "key.pem", "-o", "key.pem",
    ];
    sandbox.run(&args).fails(2).says("at once");
    assert_eq!(sandbox.read("key.pem"), key);
}

#[test]
fn a_redirected_input_is_no_output_either() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    let file = fs::File::options()
        .append(true)
        .open(sandbox.path("f"))
        .unwrap();
    let mut command = sandbox.program(&["encrypt", "--to", "pub.pem", "f"]);
    assert_eq!(command.stdout(file).status().unwrap().code(), Some(2));
    let mut command = sandbox.program(&["encrypt", "--to", "pub.pem", "-", "-o", "f"]);
    let input = fs::File::open(sandbox.path("f")).unwrap();
    assert_eq!(command.stdin(input).status().unwrap().code(), Some(2));
    assert_eq!(sandbox.read("f"), b"content");
}

#[test]
fn a_failed_run_leaves_the_old_file() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", pattern(200_000));
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
        .ok();
    let mut sealed = sandbox.read("sealed");
    *sealed.last_mut().unwrap() ^= 1;
    sandbox.write("sealed", sealed);
    sandbox.write("out", "old");
    sandbox
        .run(&["decrypt", "--key", "key.pem", "sealed", "-o", "out"])
        .fails(1);
    assert_eq!(sandbox.read("out"), b"old");
}

#[test]
fn a_replaced_file_keeps_its_mode_and_its_links() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    sandbox.write("out", "old");
    fs::set_permissions(sandbox.path("out"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("out", sandbox.path("link")).unwrap();
    sandbox
        .run(&["sign", "--key", "key.pem", "f", "-o", "link"])
        .ok();
    assert!(sandbox.path("link").is_symlink());
    assert_ne!(sandbox.read("out"), b"old");
    let mode = fs::metadata(sandbox.path("out"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn a_device_is_written_to_and_not_replaced() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", "content");
    sandbox
        .run(&["sign", "--key", "key.pem", "f", "-o", "/dev/null"])
        .ok();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn no_space_left() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", pattern(100_000));
    for args in [
        &["hash", "f"][..],
        &["hmac", "--key-file", "f", "f"],
        &["key", "generate", "--no-passphrase"],
        &["key", "show", "pub.pem"],
        &["sign", "--key", "key.pem", "f"],
        &["encrypt", "--to", "pub.pem", "f"],
        &[
            "sm4",
            "encrypt",
            "--mode",
            "ctr",
            "--key-text-env",
            "K",
            "--prepend-iv",
            "f",
        ],
        &["completions", "bash"],
        &["man"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let mut command = sandbox.program(args);
        let output = command
            .env("K", "sixteen bytes ok")
            .stdout(full)
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(
            stderr.contains("No space left on device"),
            "{args:?}: {stderr}"
        );
        assert!(
            stderr.contains("shangmi: hint: free some space"),
            "{args:?}: {stderr}"
        );
    }
    let run = sandbox.run(&["encrypt", "--to", "pub.pem", "f", "-o", "/dev/full"]);
    run.fails(2).says("No space left on device");
}

#[test]
fn no_space_left_on_a_small_file_system() {
    let sandbox = Sandbox::with_keys();
    sandbox.write("f", pattern(300_000));
    sandbox.write("small/x", "");
    // A file system of 100 kB, in a name space of its own where the system allows that.
    let script = "mount -t tmpfs -o size=100k none small || exit 77
        \"$0\" encrypt --to pub.pem f -o small/out; status=$?
        test -z \"$(ls -A small)\" || exit 99; exit $status";
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(assert_cmd::cargo::cargo_bin!("shangmi"))
        .current_dir(sandbox.path("."))
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) if output.status.code() == Some(2) => {
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert!(stderr.contains("No space left on device"), "{stderr}");
        }
        Ok(output) if output.status.code() == Some(99) => panic!("a part was left behind"),
        _ => println!("skipped: this system does not let users mount a file system of their own"),
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let sandbox = Sandbox::new();
    for i in 0..2000 {
        sandbox.write(&format!("d/{}{i}", "long".repeat(20)), "");
    }
    let mut command = sandbox.program(&["hash", "d"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn an_interrupted_run_leaves_nothing() {
    let sandbox = Sandbox::with_keys();
    let mut command = sandbox.program(&["encrypt", "--to", "pub.pem", "-", "-o", "out"]);
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let unfinished = || {
        fs::read_dir(sandbox.path(".")).unwrap().any(|entry| {
            entry
                .unwrap()
                .file_name()
                .to_string_lossy()
                .starts_with(".shangmi-")
        })
    };
    while !unfinished() {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let killed = Command::new("sh")
        .args(["-c", "kill -TERM $0", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!unfinished() && !sandbox.exists("out"));
}
