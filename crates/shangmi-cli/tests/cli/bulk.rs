//! `shangmi hash` over trees and lists: many files, odd files, any number of threads.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::{Sandbox, have_peer, pattern};

const THREADS: [&str; 3] = ["1", "2", "8"];

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn sm3(bytes: &[u8]) -> String {
    hex(&shangmi::sm3::digest(bytes))
}

/// A tree of `count` files below `t`; returns their lines, computed one at a time.
fn tree(sandbox: &Sandbox, count: usize) -> Vec<String> {
    let mut lines = Vec::with_capacity(count);
    for i in 0..count {
        let directory = format!("t/{:02}/{:02}", i / 1000, i / 50 % 20);
        if i % 50 == 0 {
            fs::create_dir_all(sandbox.path(&directory)).unwrap();
        }
        let length = match i {
            0..300 => i,
            _ if i % 1999 == 0 => 1024 * 1024 - 1 + i % 3,
            _ if i % 997 == 0 => 100_000 + i,
            _ => i * 7919 % 4096,
        };
        let content = &pattern(length + 8)[i % 8..];
        let name = format!("{directory}/file {i:05}");
        fs::write(sandbox.path(&name), content).unwrap();
        lines.push(format!("{}  {name}\n", sm3(content)));
    }
    lines
}

#[test]
fn ten_thousand_files_and_any_number_of_threads() {
    let sandbox = Sandbox::new();
    let expected = tree(&sandbox, 10_000).concat();
    for threads in THREADS {
        let run = sandbox.run(&["hash", "--num-threads", threads, "t"]).ok();
        assert!(run.text() == expected, "{threads} threads");
    }
    let both = |threads| {
        let args = ["hash", "-a", "sha256,sm3", "--num-threads", threads, "t"];
        sandbox.run(&args).ok().text()
    };
    let text = both("1");
    assert!(text == both("8"));
    let of = |tag: &str| -> Vec<String> {
        let tagged = text.lines().filter(|line| line.starts_with(tag));
        let parts = tagged.map(|line| line[tag.len()..].split_once(") = ").unwrap());
        parts
            .map(|(name, digest)| format!("{digest}  {name}\n"))
            .collect()
    };
    assert!(of("SM3 (").concat() == expected);
    if have_peer("sha256sum", &["--version"], "install coreutils") {
        sandbox.write("SUMS", of("SHA256 (").concat());
        sandbox.run_peer("sha256sum", &["--strict", "--quiet", "--check", "SUMS"]);
    }
    check_finds_every_difference(&sandbox, &expected);
}

fn check_finds_every_difference(sandbox: &Sandbox, sums: &str) {
    sandbox.write("SUMS", format!("{sums}no digest\n"));
    let spoilt = [
        ("t/00/00/file 00000", "mismatched"),
        ("t/00/06/file 00317", "missing"),
        ("t/01/19/file 01999", "mismatched"),
        ("t/05/00/file 05000", "unreadable"),
        ("t/09/19/file 09999", "mismatched"),
    ];
    for (name, result) in spoilt {
        let path = sandbox.path(name);
        let length = usize::try_from(path.metadata().unwrap().len()).unwrap();
        fs::remove_file(&path).unwrap();
        match result {
            "mismatched" => fs::write(&path, vec![0; length.max(1)]).unwrap(),
            "unreadable" => fs::create_dir(&path).unwrap(),
            _ => {}
        }
    }
    let names = sums.lines().map(|line| &line[66..]);
    let expected: String = names
        .map(|name| {
            let result = match spoilt.iter().find(|(spoilt, _)| *spoilt == name) {
                None => "OK",
                Some((_, "mismatched")) => "FAILED",
                Some(_) => "FAILED open or read",
            };
            format!("{name}: {result}\n")
        })
        .collect();
    for threads in THREADS {
        let run = sandbox.run(&["hash", "--check", "--num-threads", threads, "SUMS"]);
        assert_eq!(run.code, Some(1));
        assert!(run.text() == expected, "{threads} threads");
        run.says("3 files do not match")
            .says("1 listed file is missing")
            .says("1 listed file could not be read")
            .says("1 line is badly formatted")
            .says("cannot open 't/05/00/file 05000': is a directory");
    }
}

#[test]
fn special_files_are_left_out_of_trees_and_read_when_named() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a", "abc");
    let _socket = UnixListener::bind(sandbox.path("d/socket")).unwrap();
    sandbox.run_peer("mkfifo", &["d/pipe"]);
    let expected = format!("{}  d/a\n", sm3(b"abc"));
    let run = sandbox.run(&["hash", "d"]).ok().prints(&expected);
    run.says("left out 'd/pipe': not a regular file")
        .says("left out 'd/socket': not a regular file");

    // A writer that waits for a reader must find one, and the same until it is done.
    let content = pattern(200_000);
    for threads in THREADS {
        let run = thread::scope(|scope| {
            scope.spawn(|| fs::write(sandbox.path("d/pipe"), &content).unwrap());
            sandbox.run(&["hash", "--num-threads", threads, "d/a", "d/pipe"])
        });
        let pipe = format!("{}  d/pipe\n", sm3(&content));
        run.ok().prints(&(expected.clone() + &pipe));
    }
    sandbox
        .run(&["hash", "d/socket"])
        .fails(2)
        .says("'d/socket'");
}

#[test]
fn a_pipe_may_stay_silent_for_a_while() {
    let sandbox = Sandbox::new();
    sandbox.run_peer("mkfifo", &["pipe"]);
    let run = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(std::time::Duration::from_millis(200));
            let mut pipe = File::options()
                .write(true)
                .open(sandbox.path("pipe"))
                .unwrap();
            thread::sleep(std::time::Duration::from_millis(100));
            pipe.write_all(b"a").unwrap();
            thread::sleep(std::time::Duration::from_millis(100));
            pipe.write_all(b"bc").unwrap();
        });
        sandbox.run(&["hash", "pipe"])
    });
    run.ok().prints(&format!("{}  pipe\n", sm3(b"abc")));
}

#[test]
fn what_cannot_be_read_is_reported_and_the_rest_is_hashed() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a", "abc");
    sandbox.write("d/z/z", "abc");
    symlink("nowhere", sandbox.path("d/dangling")).unwrap();
    symlink("/proc/self/mem", sandbox.path("mem")).unwrap();
    let sum = |name: &str| format!("{}  {name}\n", sm3(b"abc"));
    let rest = sum("d/a") + &sum("d/z/z");

    let run = sandbox.run(&["hash", "--follow", "d"]).fails(2);
    run.says("cannot read 'd/dangling'").prints(&rest);
    let run = sandbox.run(&["hash", "d/a", "mem", "d/z/z"]).fails(2);
    run.says("cannot read 'mem'").prints(&rest);
    let run = sandbox.run(&["hash", "d/a", "d/a/below", "d/z/z"]).fails(2);
    run.says("cannot open 'd/a/below'").prints(&rest);
}

#[test]
fn links_that_lead_back_end() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a/file", "abc");
    sandbox.write("d/b/file", "abc");
    symlink("../b", sandbox.path("d/a/to-b")).unwrap();
    symlink("../a", sandbox.path("d/b/to-a")).unwrap();
    let run = sandbox.run(&["hash", "--follow", "--no-names", "d"]);
    assert_eq!(run.code, Some(2));
    assert_eq!(run.text(), format!("{}\n", sm3(b"abc")).repeat(4));
    run.says("'d/a/to-b/to-a': a symbolic link leads back to a parent")
        .says("'d/b/to-a/to-b': a symbolic link leads back to a parent");
    let run = sandbox.run(&["hash", "--no-names", "d"]).ok();
    assert_eq!(run.text(), format!("{}\n", sm3(b"abc")).repeat(2));
}

#[test]
fn a_deep_tree_takes_few_descriptors() {
    let sandbox = Sandbox::new();
    let mut path = PathBuf::from("d");
    for _ in 0..1500 {
        path.push("x");
    }
    fs::create_dir_all(sandbox.path("d")).unwrap();
    let deep = format!(
        "ulimit -n 40; cd d; mkdir -p {0}; echo > {0}/f",
        "x/".repeat(1500)
    );
    sandbox.run_peer("sh", &["-c", &deep]);
    let mut command = std::process::Command::new("sh");
    let program = assert_cmd::cargo::cargo_bin!("shangmi");
    command
        .args(["-c", "ulimit -n 40; exec \"$0\" hash --no-names d"])
        .arg(program)
        .current_dir(sandbox.path(""));
    let output = command.output().unwrap();
    assert!(output.status.success());
    assert_eq!(output.stdout, format!("{}\n", sm3(b"\n")).into_bytes());
}

#[test]
fn names_that_are_no_text_are_kept() {
    let sandbox = Sandbox::new();
    let name = OsStr::from_bytes(b"d/\xff\xfe");
    sandbox.write("d/x", "abc");
    fs::rename(sandbox.path("d/x"), sandbox.path("").join(name)).unwrap();
    let run = sandbox.run(&["hash", "d"]).ok();
    assert_eq!(run.stdout[64..], *b"  d/\xff\xfe\n");
    let json = sandbox.run(&["hash", "--json", "d"]).ok().json();
    assert_eq!(json["files"][0]["file_hex"], "642ffffe");

    let list = [b"d/\xff\xfe\0".to_vec()].concat();
    let args = ["hash", "--zero", "--files-from", "-", "--null"];
    let run = sandbox.run_with_input(list, &args).ok();
    assert_eq!(run.stdout[64..], *b"  d/\xff\xfe\0");
}

#[test]
fn a_file_that_grows_while_it_is_read_has_no_line() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "abc");
    sandbox.write("log", vec![0; 32 * 1024 * 1024]);
    sandbox.write("SUMS", format!("{}  a\n{}  log\n", sm3(b"abc"), sm3(b"")));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut log = File::options()
                .append(true)
                .open(sandbox.path("log"))
                .unwrap();
            while !done.load(Ordering::Relaxed) {
                log.write_all(b"x").unwrap();
                thread::sleep(std::time::Duration::from_micros(200));
            }
        });
        let hashed = sandbox.run(&["hash", "a", "log"]);
        let checked = sandbox.run(&["hash", "--check", "SUMS"]);
        done.store(true, Ordering::Relaxed);
        let hashed = hashed.fails(2).says("'log' changed while it was read");
        hashed.prints(&format!("{}  a\n", sm3(b"abc")));
        let checked = checked.prints("a: OK\nlog: FAILED open or read\n");
        assert_eq!(checked.code, Some(2));
        checked.says("'log' changed while it was read");
    });
}

#[test]
fn empty_and_sparse_files() {
    let sandbox = Sandbox::new();
    sandbox.write("empty", "");
    let sparse = File::create(sandbox.path("sparse")).unwrap();
    sparse.set_len(300 * 1024 * 1024).unwrap();
    let zeros = "1e41330fd8938bb94817c9680006a3accc22e856f9bf5a3396bff3bc4b1806fa";
    let expected = format!("{}  empty\n{zeros}  sparse\n", sm3(b""));
    sandbox
        .run(&["hash", "empty", "sparse"])
        .ok()
        .prints(&expected);
}

/// The system gives such files a length of nothing.
#[test]
fn files_that_hide_their_length_are_read_to_the_end() {
    let sandbox = Sandbox::new();
    let content = fs::read("/proc/version").unwrap();
    let expected = format!("{}  /proc/version\n", sm3(&content));
    sandbox
        .run(&["hash", "/proc/version"])
        .ok()
        .prints(&expected);
}

#[test]
fn names_from_a_list() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "abc");
    sandbox.write("d/b", "abc");
    sandbox.write("odd\nname", "abc");
    sandbox.write("lines", "a\n\nd\ngone");
    sandbox.write("nuls", "odd\nname\0a\0");
    let line = |name: &str| format!("{}  {name}\n", sm3(b"abc"));
    let run = sandbox.run(&["hash", "--files-from", "lines"]).fails(2);
    run.says("'gone'").prints(&(line("a") + &line("d/b")));
    let run = sandbox
        .run(&["hash", "a", "--files-from", "nuls", "-0"])
        .ok();
    let odd = format!("\\{}  odd\\nname\n", sm3(b"abc"));
    run.prints(&(line("a") + &odd + &line("a")));
    sandbox
        .run_with_input("", &["hash", "--files-from", "-"])
        .ok()
        .prints("");
    sandbox
        .run(&["hash", "--files-from", "none"])
        .fails(2)
        .says("'none'");
    sandbox
        .run(&["hash", "--null", "a"])
        .fails(2)
        .says("--files-from");
}

#[test]
fn every_form_of_line_is_read_again() {
    let sandbox = Sandbox::new();
    for name in [
        "plain",
        "two words",
        "odd\nname",
        "back\\slash",
        ") = (",
        "trail ",
    ] {
        sandbox.write(&format!("d/{name}"), name);
    }
    for form in [
        &["--text"][..],
        &["--binary"],
        &["--tag"],
        &["--openssl"],
        &["--zero"],
    ] {
        let sums = sandbox
            .run(&[&["hash", "-a", "sha256", "d"], form].concat())
            .ok()
            .stdout;
        let zero = if form == ["--zero"] {
            "--zero"
        } else {
            "--strict"
        };
        let args = ["hash", "-a", "sha256", "--check", "--strict", zero];
        let args = if zero == "--strict" {
            &args[..5]
        } else {
            &args[..]
        };
        let run = sandbox.run_with_input(&sums, args).ok();
        assert_eq!(run.text().matches(": OK\n").count(), 6, "{form:?}");
    }
    let one = sandbox
        .run(&["hash", "--openssl", "-a", "sm3,sha256", "d/plain"])
        .ok();
    assert!(one.text().starts_with("SM3(d/plain)= "));
    assert!(one.text().contains("\nSHA2-256(d/plain)= "));
    let digest = sm3(b"plain");
    let run = sandbox.run(&["hash", "--binary", "d/plain"]).ok();
    run.prints(&format!("{digest} *d/plain\n"));
    let run = sandbox.run(&["hash", "--no-names", "d/plain"]).ok();
    run.prints(&format!("{digest}\n"));
    let run = sandbox.run(&["hash", "--raw", "d/plain"]).ok();
    assert_eq!(hex(&run.stdout), digest);
    for several in [
        &["d/plain", "d/plain"][..],
        &["d"],
        &["-a", "sm3,sha256", "d/plain"],
    ] {
        let args = [&["hash", "--raw"], several].concat();
        sandbox.run(&args).fails(2).says("--raw writes one digest");
    }
    sandbox.run(&["hash", "--raw", "--tag", "d/plain"]).fails(2);
}

#[test]
fn openssl_and_coreutils_write_the_same_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("plain", "abc");
    sandbox.write("two words", "");
    let files = ["plain", "two words"];
    let same = |program: &str, theirs: &[&str], ours: &[&str]| {
        let theirs = sandbox.run_peer(program, &[theirs, &files].concat());
        let run = sandbox.run(&[&["hash"], ours, &files].concat()).ok();
        run.prints(&String::from_utf8(theirs).unwrap());
    };
    if have_peer("openssl", &["dgst", "-sm3", "/dev/null"], "install openssl") {
        same("openssl", &["dgst", "-sm3"], &["--openssl"]);
        same("openssl", &["dgst", "-sm3", "-r"], &["--binary"]);
    }
    if have_peer("sha256sum", &["--version"], "install coreutils") {
        same("sha256sum", &[], &["-a", "sha256"]);
        same("sha256sum", &["--binary"], &["-a", "sha256", "--binary"]);
        same("sha256sum", &["--tag"], &["-a", "sha256", "--tag"]);
        same("sha256sum", &["--zero"], &["-a", "sha256", "--zero"]);
    }
    let cksum = ["-a", "sm3", "/dev/null"];
    if have_peer("cksum", &cksum, "install coreutils 9.0 or newer") {
        same("cksum", &["-a", "sm3"], &["--tag"]);
        same("cksum", &["-a", "sm3", "--untagged"], &[]);
        for form in ["--tag", "--text", "--binary"] {
            let sums = sandbox
                .run(&["hash", form, "plain", "two words"])
                .ok()
                .stdout;
            sandbox.write("SUMS", sums);
            sandbox.run_peer("cksum", &["-a", "sm3", "--strict", "--check", "SUMS"]);
        }
    }
}

#[test]
fn the_program_sm3sum() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "abc");
    let program = assert_cmd::cargo::cargo_bin!("sm3sum");
    let run = |args: &[&str]| sandbox.run_peer(program.to_str().unwrap(), args);
    let sums = run(&["--no-mmap", "--num-threads", "3", "a"]);
    assert_eq!(sums, format!("{}  a\n", sm3(b"abc")).into_bytes());
    sandbox.write("SUMS", sums);
    assert_eq!(run(&["--check", "--num-threads=1", "SUMS"]), b"a: OK\n");
    sandbox
        .run(&["hash", "--num-threads", "0", "a"])
        .fails(2)
        .says("--num-threads");
}
