//! `shangmi manifest make`: the two forms, and the incremental run.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::time::Instant;

use serde_json::Value;

use super::{NAMES, set_age, tree};
use crate::support::Sandbox;

const ABC: &str = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";
const ABC_SHA256: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
const EMPTY: &str = "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b";

fn small() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t/d/abc", "abc");
    sandbox.write("t/d.x", "");
    sandbox
}

#[test]
fn the_text_form_is_as_documented() {
    let sandbox = small();
    let text = sandbox.run(&["manifest", "make", "t"]).ok().text();
    let columns = |name: &str| {
        let status = fs::metadata(sandbox.path(name)).unwrap();
        let time = format!("{}.{:09}", status.mtime(), status.mtime_nsec());
        format!("file\t{}\t{time}\t{}", status.len(), status.ino())
    };
    let records = format!(
        "#shangmi-manifest\t1\tsm3\n{}\t{EMPTY}\td.x\n{}\t{ABC}\td/abc\n",
        columns("t/d.x"),
        columns("t/d/abc"),
    );
    let seal = shangmi::sm3::digest(records.as_bytes());
    let seal: String = seal.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(text, format!("{records}#end\t2\t{seal}\n"));
}

#[test]
fn the_json_form_is_as_documented() {
    let sandbox = small();
    let run = sandbox.run(&[
        "manifest",
        "make",
        "--form",
        "jsonl",
        "-a",
        "sha256,sm3",
        "t",
    ]);
    let text = run.ok().text();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[0]["format"], "shangmi-manifest");
    assert_eq!(lines[0]["version"], 1);
    assert_eq!(lines[0]["algorithms"], serde_json::json!(["sm3", "sha256"]));
    let status = fs::metadata(sandbox.path("t/d/abc")).unwrap();
    let expected = serde_json::json!({
        "path": "d/abc",
        "kind": "file",
        "size": 3,
        "mtime": format!("{}.{:09}", status.mtime(), status.mtime_nsec()),
        "inode": status.ino().to_string(),
        "sm3": ABC,
        "sha256": ABC_SHA256,
    });
    assert_eq!(lines[2], expected);
    assert_eq!(lines[3]["records"], 2);
}

#[test]
fn every_name_survives_in_both_forms() {
    let sandbox = tree();
    sandbox.run(&["manifest", "make", "t", "-o", "text"]).ok();
    sandbox
        .run(&["manifest", "make", "t", "--form", "jsonl", "-o", "json"])
        .ok();
    sandbox.run(&["manifest", "compare", "text", "json"]).ok();
    sandbox.run(&["manifest", "compare", "json", "text"]).ok();
    for form in ["text", "json"] {
        let text = String::from_utf8(sandbox.read(form)).unwrap();
        // One line each, for the files, the link, the first line and the last.
        assert_eq!(text.lines().count(), NAMES.len() + 3 + 1 + 2, "{text}");
        assert!(text.contains(r"\xff"), "{text}");
        sandbox.run(&["manifest", "check", form, "t"]).ok();
    }
    let text = String::from_utf8(sandbox.read("text")).unwrap();
    let places: Vec<_> = [
        "\t-\n",
        "\td.x\n",
        "\td/abc\n",
        "\ttab",
        "\t国密\n",
        "\t\\xff",
    ]
    .into_iter()
    .map(|name| text.rfind(name).unwrap())
    .collect();
    assert!(places.is_sorted(), "in byte order: {text}");
    assert!(text.contains("\tline\\nfeed\n"));
    assert!(text.contains("link\t-\t-\t-\t-\tlink\td/abc\n"));
}

#[test]
fn two_runs_are_equal() {
    let sandbox = tree();
    sandbox.run(&["manifest", "make", "t", "-o", "a"]).ok();
    sandbox
        .run(&["manifest", "make", "t", "-o", "b", "--num-threads", "1"])
        .ok();
    assert_eq!(sandbox.read("a"), sandbox.read("b"));
    sandbox.run(&["manifest", "make", "t", "-o", "a"]).ok();
    assert_eq!(sandbox.read("a"), sandbox.read("b"));
    let printed = sandbox.run(&["manifest", "make", "t"]).ok().stdout;
    assert_eq!(printed, sandbox.read("b"));
    assert!(!sandbox.exists("a.journal") && !sandbox.exists(".a.shangmi-tmp"));
}

#[test]
fn a_portable_manifest_is_that_of_any_copy() {
    let sandbox = small();
    sandbox.write("u/d/abc", "abc");
    sandbox.write("u/d.x", "");
    set_age(&sandbox, "u/d.x", 1000);
    sandbox
        .run(&["manifest", "make", "--portable", "t", "-o", "a"])
        .ok();
    sandbox
        .run(&["manifest", "make", "--portable", "u", "-o", "b"])
        .ok();
    assert_eq!(sandbox.read("a"), sandbox.read("b"));
    sandbox.run(&["manifest", "check", "a", "t"]).ok();
    sandbox
        .run(&["manifest", "make", "--portable", "t", "-o", "a"])
        .ok()
        .says("2 read");
}

/// The numbers of files that were read, and of those that were not.
fn counts(sandbox: &Sandbox, args: &[&str]) -> (u64, u64) {
    let args = [&["--json", "manifest", "make", "t", "-o", "m"], args].concat();
    let json = sandbox.run(&args).ok().json();
    let count = |key: &str| json["summary"][key].as_u64().unwrap();
    (count("read"), count("unchanged"))
}

/// Whether the manifest is that of the tree as it is.
fn is_right(sandbox: &Sandbox) -> bool {
    sandbox.run(&["manifest", "check", "m", "t"]).code == Some(0)
}

#[test]
fn only_what_changed_is_read_again() {
    let sandbox = Sandbox::new();
    for name in ["t/a", "t/b", "t/c", "t/d"] {
        sandbox.write(name, "content");
        set_age(&sandbox, name, 1000);
    }
    assert_eq!(counts(&sandbox, &[]), (4, 0));
    assert_eq!(counts(&sandbox, &[]), (0, 4));
    sandbox.write("t/a", "longer content");
    assert_eq!(counts(&sandbox, &[]), (1, 3), "another size");
    assert!(is_right(&sandbox));
    sandbox.write("t/b", "CONTENT");
    assert_eq!(counts(&sandbox, &[]), (1, 3), "another time");
    assert!(is_right(&sandbox));
    // The same size and time, under another inode.
    let time = fs::metadata(sandbox.path("t/c"))
        .unwrap()
        .modified()
        .unwrap();
    sandbox.write("new", "Content");
    let file = File::options().write(true).open(sandbox.path("new"));
    file.unwrap().set_modified(time).unwrap();
    fs::rename(sandbox.path("new"), sandbox.path("t/c")).unwrap();
    assert_eq!(counts(&sandbox, &[]), (1, 3), "another inode");
    assert!(is_right(&sandbox));
    // More digests than the manifest has.
    assert_eq!(counts(&sandbox, &["-a", "sm3,sha256"]), (4, 0));
    assert_eq!(counts(&sandbox, &["-a", "sha256"]), (0, 4));
    assert!(is_right(&sandbox));
    assert_eq!(counts(&sandbox, &["--form", "jsonl"]), (4, 0));
    assert_eq!(
        counts(&sandbox, &[]),
        (0, 4),
        "a manifest of the other form"
    );
}

#[test]
fn paranoid_reads_what_pretends_to_be_the_same() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "content");
    set_age(&sandbox, "t/a", 1000);
    assert_eq!(counts(&sandbox, &[]), (1, 0));
    let time = fs::metadata(sandbox.path("t/a"))
        .unwrap()
        .modified()
        .unwrap();
    sandbox.write("t/a", "CONTENT");
    let file = File::options().write(true).open(sandbox.path("t/a"));
    file.unwrap().set_modified(time).unwrap();
    assert_eq!(counts(&sandbox, &[]), (0, 1));
    assert!(!is_right(&sandbox), "size, time and inode are as before");
    assert_eq!(counts(&sandbox, &["--paranoid"]), (1, 0));
    assert!(is_right(&sandbox));
}

#[test]
fn a_tick_is_waited_for() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "content");
    set_age(&sandbox, "t/a", -1);
    let started = Instant::now();
    assert_eq!(counts(&sandbox, &[]), (1, 0));
    assert!(
        started.elapsed().as_millis() >= 800,
        "the time was not over"
    );
    assert_eq!(counts(&sandbox, &[]), (0, 1));
    // A time far ahead is not waited for, and not trusted.
    set_age(&sandbox, "t/a", -10_000);
    assert_eq!(counts(&sandbox, &[]), (1, 0));
    assert_eq!(counts(&sandbox, &[]), (1, 0));
}

/// A write at once after the run, within the tick of the first write if that were possible.
#[test]
fn a_file_written_in_the_tick_in_which_it_was_read_is_read_again() {
    let sandbox = Sandbox::new();
    for round in 0..20u8 {
        sandbox.write("t/a", [b'a', round]);
        counts(&sandbox, &[]);
        sandbox.write("t/a", [b'b', round]);
        assert_eq!(counts(&sandbox, &[]), (1, 0));
        assert!(is_right(&sandbox));
    }
}

#[test]
fn the_manifest_leaves_itself_out() {
    let sandbox = small();
    for _ in 0..2 {
        sandbox.run(&["manifest", "make", "t", "-o", "t/d/m"]).ok();
        let text = String::from_utf8(sandbox.read("t/d/m")).unwrap();
        assert!(text.contains("#end\t2\t"), "{text}");
        sandbox.run(&["manifest", "check", "t/d/m", "t"]).ok();
    }
    // What killed runs left is theirs, too.
    sandbox.write("t/d/m.journal", "#shangmi-jour");
    sandbox.write("t/d/.m.shangmi-tmp", "half a");
    sandbox.run(&["manifest", "check", "t/d/m", "t"]).ok();
    sandbox.run(&["manifest", "make", "t", "-o", "t/d/m"]).ok();
    assert!(!sandbox.exists("t/d/m.journal") && !sandbox.exists("t/d/.m.shangmi-tmp"));
    // Run inside the tree, with names that need resolving.
    let mut inside = sandbox.program(&["manifest", "make", ".", "-o", "d/../m"]);
    let output = inside.current_dir(sandbox.path("t")).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(sandbox.read("t/m")).unwrap();
    assert!(
        text.contains("\td/abc\n") && text.contains("#end\t3\t"),
        "{text}"
    );
}

#[test]
fn only_manifests_are_replaced() {
    let sandbox = small();
    sandbox.write("notes", "do not lose me");
    sandbox
        .run(&["manifest", "make", "t", "-o", "notes"])
        .fails(2)
        .says("is no manifest");
    sandbox
        .run(&["manifest", "make", "t", "-o", "notes", "--paranoid"])
        .fails(2);
    assert_eq!(sandbox.read("notes"), b"do not lose me");
    sandbox.write("reserved", "");
    sandbox
        .run(&["manifest", "make", "t", "-o", "reserved"])
        .ok();
    sandbox.write("m.journal", "do not lose me");
    sandbox
        .run(&["manifest", "make", "t", "-o", "m"])
        .fails(2)
        .says("in the way");
    assert_eq!(sandbox.read("m.journal"), b"do not lose me");
    sandbox.run(&["manifest", "make", "t", "-o", "t"]).fails(2);
    sandbox
        .run(&["manifest", "make", "t/d.x", "-o", "x"])
        .fails(2);
    sandbox.run(&["manifest", "make", "missing"]).fails(2);
    sandbox.run(&["--json", "manifest", "make", "t"]).fails(2);
}

#[test]
fn a_damaged_manifest_is_made_anew() {
    let sandbox = small();
    sandbox.run(&["manifest", "make", "t", "-o", "m"]).ok();
    let whole = sandbox.read("m");
    for cut in [whole.len() - 1, whole.len() / 2, 30] {
        sandbox.write("m", &whole[..cut]);
        sandbox
            .run(&["manifest", "make", "t", "-o", "m"])
            .ok()
            .says("every file is read again")
            .says("2 read");
        assert_eq!(sandbox.read("m"), whole);
    }
}

#[test]
fn two_runs_do_not_share_a_journal() {
    let sandbox = small();
    let journal = File::create(sandbox.path("m.journal")).unwrap();
    journal.lock().unwrap();
    sandbox
        .run(&["manifest", "make", "t", "-o", "m"])
        .fails(2)
        .says("another run");
    journal.unlock().unwrap();
    sandbox.run(&["manifest", "make", "t", "-o", "m"]).ok();
}
