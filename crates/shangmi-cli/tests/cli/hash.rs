//! `shangmi hash`, and `sm3sum`.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::{ffi::OsStr, fs};

use crate::support::{Sandbox, have_peer, pattern};

const ABC: &str = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";
const ABC_SHA256: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const EMPTY: &str = "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b";

#[test]
fn the_standards_example() {
    let sandbox = Sandbox::new();
    sandbox.write("abc", "abc");
    sandbox
        .run(&["hash", "abc"])
        .ok()
        .prints(&format!("{ABC}  abc\n"));
    sandbox
        .run_with_input("abc", &["hash"])
        .ok()
        .prints(&format!("{ABC}  -\n"));
    sandbox
        .run_with_input("abc", &["hash", "-"])
        .ok()
        .prints(&format!("{ABC}  -\n"));
    sandbox
        .run(&["hash", "-a", "sha256", "abc"])
        .ok()
        .prints(&format!("{ABC_SHA256}  abc\n"));
    sandbox
        .run(&["hash", "--tag", "abc"])
        .ok()
        .prints(&format!("SM3 (abc) = {ABC}\n"));
    sandbox
        .run(&["hash", "--zero", "abc"])
        .ok()
        .prints(&format!("{ABC}  abc\0"));
}

#[test]
fn an_empty_file_has_a_digest() {
    let sandbox = Sandbox::new();
    sandbox.write("empty", "");
    sandbox
        .run(&["hash", "empty"])
        .ok()
        .prints(&format!("{EMPTY}  empty\n"));
}

#[test]
fn several_algorithms_in_one_read() {
    let sandbox = Sandbox::new();
    // A pipe can be read only once: both digests come from the same bytes.
    let both = format!("SM3 (-) = {ABC}\nSHA256 (-) = {ABC_SHA256}\n");
    sandbox
        .run_with_input("abc", &["hash", "-a", "sm3,sha256"])
        .ok()
        .prints(&both);
    sandbox
        .run_with_input("abc", &["hash", "-a", "sm3,sha256,sm3"])
        .ok()
        .prints(&both);
}

#[test]
fn json_is_one_document() {
    let sandbox = Sandbox::new();
    sandbox.write("d/abc", "abc");
    symlink("abc", sandbox.path("d/link")).unwrap();
    let run = sandbox
        .run(&["--json", "hash", "-a", "sm3,sha256", "d"])
        .ok();
    let json = run.json();
    assert_eq!(json["files"][0]["file"], "d/abc");
    assert_eq!(json["files"][0]["bytes"], 3);
    assert_eq!(json["files"][0]["sm3"], ABC);
    assert_eq!(json["files"][0]["sha256"], ABC_SHA256);
    assert_eq!(json["skipped"][0]["file"], "d/link");
}

#[test]
fn directories_are_walked_in_order() {
    let sandbox = Sandbox::new();
    for name in ["d/b", "d/a", "d/c/e", "d/c/d", "d/empty/x"] {
        sandbox.write(name, name);
    }
    fs::remove_file(sandbox.path("d/empty/x")).unwrap();
    symlink("a", sandbox.path("d/link")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(sandbox.path("d/socket")).unwrap();
    let run = sandbox
        .run(&["hash", "d"])
        .ok()
        .says("'d/link': a symbolic link");
    let run = run.says("'d/socket': not a regular file");
    let names = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.split_once("  ").unwrap().1.to_owned())
            .collect()
    };
    assert_eq!(names(&run.text()), ["d/a", "d/b", "d/c/d", "d/c/e"]);

    let followed = sandbox.run(&["hash", "--follow", "d"]).ok();
    assert_eq!(
        names(&followed.text()),
        ["d/a", "d/b", "d/c/d", "d/c/e", "d/link"]
    );
}

#[test]
fn a_link_that_leads_back_ends() {
    let sandbox = Sandbox::new();
    sandbox.write("d/a", "abc");
    symlink(".", sandbox.path("d/loop")).unwrap();
    let run = sandbox
        .run(&["hash", "--follow", "d"])
        .fails(2)
        .says("leads back");
    assert_eq!(run.text(), format!("{ABC}  d/a\n"));
}

#[test]
fn one_bad_file_does_not_stop_the_others() {
    let sandbox = Sandbox::new();
    sandbox.write("abc", "abc");
    let run = sandbox
        .run(&["hash", "missing", "abc"])
        .fails(2)
        .says("'missing'");
    assert_eq!(run.text(), format!("{ABC}  abc\n"));
}

#[test]
fn what_was_hashed_checks_out() {
    let sandbox = Sandbox::new();
    let names = [
        &b"plain"[..],
        b"a b",
        b"back\\slash",
        b"line\nfeed",
        b"return\r",
        b"\xff\xfe",
        b"*star",
    ];
    for (i, name) in names.iter().enumerate() {
        sandbox.write("d/x", pattern(i * 1000));
        fs::rename(
            sandbox.path("d/x"),
            sandbox.path("d").join(OsStr::from_bytes(name)),
        )
        .unwrap();
    }
    for args in [
        &["hash", "d"][..],
        &["hash", "--tag", "d"],
        &["hash", "-a", "sha256,sm3", "d"],
    ] {
        let sums = sandbox.run(args).ok().stdout;
        let run = sandbox.run_with_input(&sums, &["hash", "--check"]).ok();
        let count = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(count(&run.stdout), count(&sums));
        sandbox
            .run_with_input(&sums, &["hash", "--check", "--quiet"])
            .ok()
            .prints("");
    }
}

#[test]
fn coreutils_understands_our_lines() {
    let sandbox = Sandbox::new();
    let names = [&b"plain"[..], b"back\\slash", b"line\nfeed"];
    for name in names {
        sandbox.write("d/x", name);
        fs::rename(
            sandbox.path("d/x"),
            sandbox.path("d").join(OsStr::from_bytes(name)),
        )
        .unwrap();
    }
    if have_peer("sha256sum", &["--version"], "install coreutils") {
        sandbox.write(
            "SUMS",
            sandbox.run(&["hash", "-a", "sha256", "d"]).ok().stdout,
        );
        sandbox.run_peer("sha256sum", &["--strict", "--check", "SUMS"]);
        let theirs = sandbox.run_peer(
            "sha256sum",
            &["--", "d/plain", "d/back\\slash", "d/line\nfeed"],
        );
        sandbox
            .run_with_input(&theirs, &["hash", "-a", "sha256", "--check"])
            .ok();
    }
    if have_peer(
        "cksum",
        &["-a", "sm3", "/dev/null"],
        "install coreutils 9.0 or newer",
    ) {
        sandbox.write("SUMS", sandbox.run(&["hash", "--tag", "d"]).ok().stdout);
        sandbox.run_peer("cksum", &["--strict", "--check", "SUMS"]);
        let theirs = sandbox.run_peer("cksum", &["-a", "sm3", "d/plain", "d/line\nfeed"]);
        sandbox.run_with_input(&theirs, &["hash", "--check"]).ok();
        let theirs = sandbox.run_peer("cksum", &["-a", "sm3", "--untagged", "d/plain"]);
        sandbox
            .run(&["hash", "d/plain"])
            .ok()
            .prints(&String::from_utf8(theirs).unwrap());
    }
}

#[test]
fn check_tells_what_differs_and_goes_on() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "abc");
    sandbox.write("b", "abc");
    sandbox.write(
        "SUMS",
        format!("{ABC}  a\n{EMPTY}  b\nnonsense\n{ABC}  gone\nSM3 (a) = {ABC}\n"),
    );
    let run = sandbox.run(&["hash", "--check", "SUMS"]);
    assert_eq!(run.code, Some(1), "a mismatch outranks a missing file");
    let run = run
        .says("1 file does not match")
        .says("1 listed file is missing");
    run.says("1 line is badly formatted")
        .prints("a: OK\nb: FAILED\ngone: FAILED open or read\na: OK\n");

    sandbox.write("LIST", format!("{ABC_SHA256}  a\n"));
    let run = sandbox.run(&["hash", "--check", "LIST"]).fails(1);
    run.says("-a sha256 takes them as SHA-256");
    sandbox
        .run(&["hash", "-a", "sha256", "--check", "LIST"])
        .ok();

    let json = sandbox.run(&["hash", "--json", "--check", "SUMS"]).json();
    assert_eq!(json["summary"]["matched"], 2);
    assert_eq!(json["summary"]["mismatched"], 1);
    assert_eq!(json["summary"]["missing"], 1);
    assert_eq!(json["summary"]["malformed_lines"], 1);
    assert_eq!(json["results"][1]["result"], "mismatched");

    let run = sandbox.run(&["hash", "--check", "--quiet", "SUMS"]);
    run.prints("b: FAILED\ngone: FAILED open or read\n");
    let run = sandbox.run(&["hash", "--check", "--status", "SUMS"]);
    assert_eq!((run.code, run.text().as_str()), (Some(1), ""));
}

#[test]
fn exit_status_of_check() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "abc");
    sandbox.write("good", format!("{ABC}  a\n"));
    sandbox.write("missing", format!("{ABC}  a\n{ABC}  gone\n"));
    sandbox.write("only-missing", format!("{ABC}  gone\n"));
    sandbox.write("malformed", format!("{ABC}  a\nnonsense\n"));
    sandbox.write("useless", "nonsense\n");
    sandbox.write("empty", "");
    for (args, code) in [
        (&["good"][..], 0),
        (&["missing"], 2),
        (&["--ignore-missing", "missing"], 0),
        (&["--ignore-missing", "only-missing"], 2),
        (&["malformed"], 0),
        (&["--strict", "malformed"], 2),
        (&["useless"], 2),
        (&["empty"], 2),
        (&["nowhere"], 2),
        (&["good", "useless"], 2),
    ] {
        let run = sandbox.run(&[&["hash", "--check"], args].concat());
        assert_eq!(run.code, Some(code), "{args:?}: {}", run.stderr);
    }
    sandbox
        .run(&["hash", "--check", "--warn", "malformed"])
        .ok()
        .says("line 2 is badly formatted");
}

#[test]
fn a_list_may_have_comments_and_other_tools_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "abc");
    let list = format!(
        "# digests\r\n\n{} *a\r\nSM3(a)= {ABC}\nSHA2-256(a)= {ABC_SHA256}\n",
        ABC.to_uppercase()
    );
    let run = sandbox.run_with_input(list, &["hash", "--check", "--strict"]);
    run.ok().prints("a: OK\na: OK\na: OK\n");
}

#[test]
fn an_endless_line_is_one_bad_line() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "abc");
    let list = [vec![b'x'; 1 << 20], format!("\n{ABC}  a\n").into_bytes()].concat();
    let run = sandbox.run_with_input(list, &["hash", "--check"]).ok();
    run.says("1 line is badly formatted").prints("a: OK\n");
}

#[test]
fn a_list_on_standard_input_may_name_standard_input() {
    let sandbox = Sandbox::new();
    let run = sandbox.run_with_input(format!("{ABC}  -\n"), &["hash", "--check"]);
    assert_eq!(
        run.code,
        Some(1),
        "what is left of standard input is empty: {}",
        run.stderr
    );
}

#[test]
fn sm3sum_is_hash() {
    let sandbox = Sandbox::new();
    sandbox.write("abc", "abc");
    symlink(
        assert_cmd::cargo::cargo_bin!("shangmi"),
        sandbox.path("sm3sum"),
    )
    .unwrap();
    let printed = sandbox.run_peer(sandbox.path("sm3sum").to_str().unwrap(), &["abc"]);
    assert_eq!(String::from_utf8(printed).unwrap(), format!("{ABC}  abc\n"));
}

#[test]
fn a_long_file_is_read_in_pieces() {
    let sandbox = Sandbox::new();
    for length in [131_071, 131_072, 131_073, 1_000_000] {
        sandbox.write("long", pattern(length));
        let file = sandbox.run(&["hash", "long"]).ok().text();
        let pipe = sandbox
            .run_with_input(pattern(length), &["hash"])
            .ok()
            .text();
        assert_eq!(file[..64], pipe[..64]);
        assert_eq!(&file[..64], hex(&shangmi::sm3::digest(&pattern(length))));
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
