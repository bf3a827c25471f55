//! What cannot be read, or is no file: reported and recorded, and never the end of the run.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::Sandbox;

#[test]
fn links_loops_and_special_files() {
    let sandbox = Sandbox::new();
    sandbox.write("t/d/a", "a");
    symlink("..", sandbox.path("t/d/up")).unwrap();
    symlink("itself", sandbox.path("t/itself")).unwrap();
    symlink("nowhere", sandbox.path("t/dangling")).unwrap();
    symlink("d", sandbox.path("t/e")).unwrap();
    let _socket = UnixListener::bind(sandbox.path("t/socket")).unwrap();
    sandbox.run_peer("mkfifo", &["t/pipe"]);
    let run = sandbox.run(&["manifest", "make", "t", "-o", "m"]).ok();
    let run = run.says("'pipe' is no regular file: pipe");
    run.says("'socket' is no regular file: socket")
        .says("4 symbolic links");
    let text = String::from_utf8(sandbox.read("m")).unwrap();
    for line in [
        "link\t-\t-\t-\t-\td/up\t..\n",
        "link\t-\t-\t-\t-\titself\titself\n",
        "link\t-\t-\t-\t-\tdangling\tnowhere\n",
        "special\t-\t-\t-\t-\tpipe\tpipe\n",
        "special\t-\t-\t-\t-\tsocket\tsocket\n",
        "\td/a\n",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    sandbox.run(&["manifest", "check", "m", "t"]).ok();
    // Followed, a link is what it leads to; what leads nowhere cannot be read.
    let run = sandbox.run(&["manifest", "make", "--follow", "t", "-o", "f"]);
    run.fails(2)
        .says("'d/up' leads back to a directory above it");
    let text = String::from_utf8(sandbox.read("f")).unwrap();
    for line in ["loop\t-\t-\t-\t-\td/up\t..\n", "\te/a\n", "\td/a\n"] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    for name in ["dangling", "itself"] {
        assert!(
            text.contains(&format!("unreadable\t-\t-\t-\t-\t{name}\t")),
            "{text}"
        );
    }
    let run = sandbox.run(&["manifest", "check", "--follow", "f", "t"]);
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

/// Runs the program as somebody whom permissions bind.
fn run_unprivileged(sandbox: &Sandbox, args: &[&str]) -> Output {
    let program = sandbox.path("program");
    if !program.exists() {
        fs::copy(assert_cmd::cargo::cargo_bin!("shangmi"), &program).unwrap();
    }
    let root = sandbox.path(".");
    let mut command = Command::new(program);
    if fs::metadata(&root).unwrap().uid() == 0 {
        fs::set_permissions(&root, fs::Permissions::from_mode(0o777)).unwrap();
        command.uid(65534).gid(65534);
    }
    command.args(args).current_dir(root).output().unwrap()
}

#[test]
fn unreadable_files_and_directories() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "a");
    sandbox.write("t/secret", "s");
    sandbox.write("t/vault/v", "v");
    sandbox.run(&["manifest", "make", "t", "-o", "whole"]).ok();
    let set_mode = |name: &str, mode| {
        fs::set_permissions(sandbox.path(name), fs::Permissions::from_mode(mode)).unwrap();
    };
    set_mode("t/secret", 0);
    set_mode("t/vault", 0);
    let made = run_unprivileged(&sandbox, &["manifest", "make", "t", "-o", "m"]);
    let checked = run_unprivileged(&sandbox, &["manifest", "check", "m", "t"]);
    let stricter = run_unprivileged(&sandbox, &["manifest", "check", "whole", "t"]);
    let searched = run_unprivileged(&sandbox, &["manifest", "duplicates", "t"]);
    set_mode("t/vault", 0o755);
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert_eq!(made.status.code(), Some(2), "{said}");
    assert!(
        said.contains("cannot read 'secret': permission denied"),
        "{said}"
    );
    let text = String::from_utf8(sandbox.read("m")).unwrap();
    for line in [
        "unreadable\t-\t-\t-\t-\tsecret\tpermission denied\n",
        "unreadable\t-\t-\t-\t-\tvault\tpermission denied\n",
        "\ta\n",
        "#end\t3\t",
    ] {
        assert!(text.contains(line), "{line:?} in {text}");
    }
    assert!(!sandbox.exists("m.journal"));
    // Nothing is known to differ, and nothing is known to agree.
    assert_eq!(checked.status.code(), Some(2));
    let text = String::from_utf8(checked.stdout).unwrap();
    assert!(
        text.contains("unreadable  secret (permission denied)\n"),
        "{text}"
    );
    // A name that is gone from sight is a difference.
    assert_eq!(stricter.status.code(), Some(1));
    let text = String::from_utf8(stricter.stdout).unwrap();
    assert!(text.contains("missing     vault/v\n"), "{text}");
    assert_eq!(searched.status.code(), Some(2));
    // Readable again: the manifest has nothing to compare with.
    let run = sandbox.run(&["manifest", "check", "m", "t"]);
    assert_eq!(run.code, Some(1), "vault/v is extra: {}", run.stderr);
    assert!(
        run.text().contains("unrecorded  secret\n"),
        "{}",
        run.text()
    );
}

#[test]
fn a_file_that_changes_while_it_is_read() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "a");
    sandbox.write("t/log", "");
    let mut log = File::options()
        .append(true)
        .open(sandbox.path("t/log"))
        .unwrap();
    log.set_len(24_000_000).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                log.write_all(b"one more line\n").unwrap();
            }
        });
        let run = sandbox.run(&["manifest", "make", "t", "-o", "m"]);
        done.store(true, Ordering::Relaxed);
        run.fails(2).says("'log': changed while it was read");
    });
    let text = String::from_utf8(sandbox.read("m")).unwrap();
    assert!(
        text.contains("changed\t-\t-\t-\t-\tlog\tchanged while it was read\n"),
        "{text}"
    );
    assert!(text.contains("\ta\n"), "{text}");
    // It has come to rest: the next run has it whole.
    sandbox.run(&["manifest", "make", "t", "-o", "m"]).ok();
    sandbox.run(&["manifest", "check", "m", "t"]).ok();
}
