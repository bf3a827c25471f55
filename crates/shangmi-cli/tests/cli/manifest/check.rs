//! `shangmi manifest check`.

use std::fs;
use std::os::unix::fs::symlink;

use super::tree;

#[test]
fn each_difference_is_told() {
    let sandbox = tree();
    sandbox.run(&["manifest", "make", "t", "-o", "m"]).ok();
    let run = sandbox.run(&["manifest", "check", "m", "t"]).ok();
    run.prints("").says("the tree is what the manifest says");
    sandbox.write("t/d/abc", "abd");
    sandbox.write("t/d.x", "longer or shorter");
    sandbox.write("t/new", "n");
    fs::remove_file(sandbox.path("t/link")).unwrap();
    symlink("elsewhere", sandbox.path("t/link")).unwrap();
    fs::remove_file(sandbox.path("t/plain")).unwrap();
    fs::remove_file(sandbox.path("t/d/empty")).unwrap();
    symlink("abc", sandbox.path("t/d/empty")).unwrap();
    let run = sandbox.run(&["manifest", "check", "m", "t"]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    run.prints(
        "changed     d.x (size)\n\
         changed     d/abc (content)\n\
         changed     d/empty (kind)\n\
         changed     link (target)\n\
         extra       new\n\
         missing     plain\n",
    );
    let run = sandbox.run(&["--json", "manifest", "check", "m", "t"]);
    assert_eq!(run.code, Some(1));
    let json = run.json();
    assert_eq!(json["summary"]["changed"], 4);
    assert_eq!(json["summary"]["extra"], 1);
    assert_eq!(json["summary"]["missing"], 1);
    assert_eq!(json["differences"][0]["path"], "d.x");
    assert_eq!(json["differences"][0]["result"], "changed");
    assert_eq!(json["differences"][0]["what"], "size");
}

#[test]
fn times_and_inodes_do_not_matter() {
    let sandbox = tree();
    sandbox
        .run(&["manifest", "make", "t", "-o", "m", "-a", "sm3,sha256"])
        .ok();
    let content = sandbox.read("t/d/abc");
    fs::remove_file(sandbox.path("t/d/abc")).unwrap();
    sandbox.write("t/d/abc", content);
    sandbox.run(&["manifest", "check", "m", "t"]).ok();
    let manifest = sandbox.read("m");
    let mut program = sandbox.program(&["manifest", "check", "../m"]);
    let status = program.current_dir(sandbox.path("t")).status().unwrap();
    assert!(status.success(), "the directory is the current one");
    sandbox
        .run_with_input(manifest, &["manifest", "check", "-", "t"])
        .ok();
}

/// Every byte of a manifest counts, and so does every missing one.
#[test]
fn a_changed_manifest_is_refused() {
    let sandbox = tree();
    for form in ["text", "jsonl"] {
        sandbox
            .run(&["manifest", "make", "t", "-o", form, "--form", form])
            .ok();
        let whole = sandbox.read(form);
        let refused = |content: &[u8]| {
            sandbox.write("bad", content);
            sandbox.run(&["manifest", "check", "bad", "t"]).fails(2);
        };
        for cut in [0, 1, 20, whole.len() / 2, whole.len() - 80, whole.len() - 1] {
            refused(&whole[..cut]);
        }
        for place in (0..whole.len()).step_by(131) {
            let mut bad = whole.clone();
            bad[place] ^= 1;
            refused(&bad);
        }
        let mut twice = whole.clone();
        twice.extend_from_slice(&whole);
        refused(&twice);
    }
    sandbox.write("bad", "#shangmi-manifest\t2\tsm3\n#end\t0\t-\n");
    sandbox
        .run(&["manifest", "check", "bad", "t"])
        .fails(2)
        .says("another version");
}

/// A manifest by another writer: unsorted, with comments, and without times and a final digest.
#[test]
fn a_manifest_written_by_hand_is_read() {
    let sandbox = crate::support::Sandbox::new();
    sandbox.write("t/b", "abc");
    sandbox.write("t/a b", "");
    let abc = "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0";
    let empty = "1ab21d8355cfa17f8e61194831e81a8f22bec8c728fefb747ed035eb5082aa2b";
    sandbox.write(
        "m",
        format!(
            "#shangmi-manifest\t1\tsm3\n# by hand\nfile\t3\t-\t-\t{abc}\tb\n\
             file\t0\t-\t-\t{empty}\ta b\n#end\t2\t-\n"
        ),
    );
    sandbox.run(&["manifest", "check", "m", "t"]).ok();
    sandbox.write(
        "m",
        format!(
            "{{ \"version\": 1, \"format\": \"shangmi-manifest\", \"algorithms\": [\"sm3\"] }}\n\
             {{ \"sm3\": \"{abc}\", \"kind\": \"file\", \"path\": \"\\u0062\", \"size\": 3, \"x\": 1 }}\n\
             {{ \"sm3\": \"{empty}\", \"kind\": \"file\", \"path_escaped\": \"a\\\\x20b\", \"size\": 0 }}\n\
             {{ \"end\": true, \"records\": 2 }}\n"
        ),
    );
    sandbox.run(&["manifest", "check", "m", "t"]).ok();
    sandbox.write(
        "m",
        format!("#shangmi-manifest\t1\tsm3\nfile\t3\t-\t-\t{abc}\tb\nfile\t3\t-\t-\t{abc}\tb\n#end\t2\t-\n"),
    );
    sandbox
        .run(&["manifest", "check", "m", "t"])
        .fails(2)
        .says("twice");
}

/// The examples of both forms in the specification are manifests.
#[test]
fn the_examples_of_the_specification_are_read() {
    let sandbox = crate::support::Sandbox::new();
    let page = include_str!("../../../../../docs/manifest.md");
    let example = |begin: &str| {
        let start = page.find(begin).unwrap();
        let text = &page[start..];
        text[..text.find("```").unwrap()].to_owned()
    };
    let text = example("#shangmi-manifest 1 sm3").replace(' ', "\t");
    sandbox.write("text", text);
    sandbox.write("json", example("{\"format\""));
    sandbox.run(&["manifest", "compare", "text", "json"]).ok();
    let swapped = "#shangmi-manifest\t1\tsha256\tsm3\n#end\t0\t-\n";
    sandbox.write("swapped", swapped);
    sandbox
        .run(&["manifest", "compare", "swapped", "swapped"])
        .fails(2);
}
