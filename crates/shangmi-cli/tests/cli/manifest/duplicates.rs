//! `shangmi manifest duplicates`.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use crate::support::{Sandbox, pattern};

fn inode(sandbox: &Sandbox, name: &str) -> u64 {
    fs::metadata(sandbox.path(name)).unwrap().ino()
}

/// Two groups, and everything that looks like a duplicate and is none.
fn tree() -> Sandbox {
    let sandbox = Sandbox::new();
    let long = pattern(10_000);
    sandbox.write("t/long1", &long);
    sandbox.write("t/d/long2", &long);
    sandbox.write("t/d/long3", &long);
    fs::hard_link(sandbox.path("t/long1"), sandbox.path("t/long1-too")).unwrap();
    let mut other_end = long.clone();
    other_end[9_999] ^= 1;
    sandbox.write("t/other-end", other_end);
    let mut other_start = long;
    other_start[0] ^= 1;
    sandbox.write("t/other-start", other_start);
    sandbox.write("t/s1", "short");
    sandbox.write("t/s2", "short");
    sandbox.write("t/s3", "shore");
    sandbox.write("t/empty1", "");
    sandbox.write("t/empty2", "");
    symlink("s1", sandbox.path("t/link")).unwrap();
    sandbox
}

const GROUPS: &str = "\
3 copies of 10000 bytes, 20000 to save
  t/d/long2
  t/d/long3
  t/long1
  = t/long1-too
2 copies of 5 bytes, 5 to save
  t/s1
  t/s2
";

#[test]
fn groups_by_content() {
    let sandbox = tree();
    // The further name of long1 is in the tree: linking both frees it.
    let run = sandbox.run(&["manifest", "duplicates", "t"]).ok();
    run.prints(GROUPS).says("left out 't/link'");
    let run = sandbox.run(&[
        "manifest",
        "duplicates",
        "t",
        "-a",
        "sha256",
        "--min-size",
        "6",
    ]);
    assert!(run.ok().text().starts_with("3 copies of 10000 bytes"));
    let json = sandbox
        .run(&["--json", "manifest", "duplicates", "t"])
        .ok()
        .json();
    assert_eq!(json["summary"]["groups"], 2);
    assert_eq!(json["summary"]["bytes_to_save"], 20_005);
    assert_eq!(json["groups"][0]["copies"][2][1]["path"], "t/long1-too");
    assert_eq!(json["groups"][1]["size"], 5);
}

#[test]
fn a_manifest_will_do() {
    let sandbox = tree();
    sandbox.run(&["manifest", "make", "t", "-o", "m"]).ok();
    let run = sandbox
        .run(&["manifest", "duplicates", "--manifest", "m"])
        .ok();
    run.prints(&GROUPS.replace("t/", ""));
    for args in [
        &["m"][..],
        &["--manifest", "m", "t"],
        &["--manifest", "m", "--hard-link"],
        &[],
    ] {
        sandbox
            .run(&[&["manifest", "duplicates"], args].concat())
            .fails(2);
    }
}

#[test]
fn names_of_one_file_are_no_duplicates() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "content");
    fs::hard_link(sandbox.path("t/a"), sandbox.path("t/b")).unwrap();
    sandbox
        .run(&["manifest", "duplicates", "t"])
        .ok()
        .prints("");
    sandbox.run(&["manifest", "make", "t", "-o", "m"]).ok();
    sandbox
        .run(&["manifest", "duplicates", "--manifest", "m"])
        .ok()
        .prints("");
    // A copy with a name elsewhere would not go away.
    sandbox.write("t/c", "content");
    fs::hard_link(sandbox.path("t/c"), sandbox.path("outside")).unwrap();
    let text = sandbox.run(&["manifest", "duplicates", "t"]).ok().text();
    assert!(
        text.starts_with("2 copies of 7 bytes, 0 to save\n"),
        "{text}"
    );
}

#[test]
fn linking_keeps_every_name_and_every_content() {
    let sandbox = tree();
    let names = ["t/d/long3", "t/long1", "t/long1-too"];
    let content = sandbox.read("t/d/long2");
    let json = sandbox
        .run(&["--json", "manifest", "duplicates", "--hard-link", "t"])
        .ok()
        .json();
    assert_eq!(json["summary"]["bytes_freed"], 20_005);
    assert_eq!(json["linked"].as_array().unwrap().len(), 4);
    for name in names {
        assert_eq!(
            inode(&sandbox, name),
            inode(&sandbox, "t/d/long2"),
            "{name}"
        );
        assert_eq!(sandbox.read(name), content);
    }
    assert_eq!(inode(&sandbox, "t/s1"), inode(&sandbox, "t/s2"));
    assert_ne!(inode(&sandbox, "t/s1"), inode(&sandbox, "t/s3"));
    assert_ne!(inode(&sandbox, "t/empty1"), inode(&sandbox, "t/empty2"));
    assert_eq!(sandbox.read("t/s3"), b"shore");
    for directory in ["t", "t/d"] {
        for entry in fs::read_dir(sandbox.path(directory)).unwrap() {
            let name = entry.unwrap().file_name();
            assert!(!name.to_string_lossy().starts_with(".shangmi-"), "{name:?}");
        }
    }
    sandbox
        .run(&["manifest", "duplicates", "t"])
        .ok()
        .prints("");
}

#[test]
fn nothing_is_linked_unless_asked() {
    let sandbox = tree();
    sandbox.run(&["manifest", "duplicates", "t"]).ok();
    assert_ne!(inode(&sandbox, "t/s1"), inode(&sandbox, "t/s2"));
}

#[test]
fn another_mode_is_left_alone_unless_told() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "content");
    sandbox.write("t/b", "content");
    fs::set_permissions(sandbox.path("t/b"), fs::Permissions::from_mode(0o600)).unwrap();
    sandbox
        .run(&["manifest", "duplicates", "--hard-link", "t"])
        .ok()
        .says("owner, group or mode");
    assert_ne!(inode(&sandbox, "t/a"), inode(&sandbox, "t/b"));
    sandbox
        .run(&["manifest", "duplicates", "--any-owner-and-mode", "t"])
        .fails(2);
    sandbox
        .run(&[
            "manifest",
            "duplicates",
            "--hard-link",
            "--any-owner-and-mode",
            "t",
        ])
        .ok();
    assert_eq!(inode(&sandbox, "t/a"), inode(&sandbox, "t/b"));
}

#[test]
fn other_devices_are_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "content");
    let Ok(elsewhere) = tempfile::tempdir_in("/dev/shm") else {
        println!("skipped: there is no second file system at /dev/shm");
        return;
    };
    fs::write(elsewhere.path().join("b"), "content").unwrap();
    let device = fs::metadata(elsewhere.path()).unwrap().dev();
    if device == fs::metadata(sandbox.path("t")).unwrap().dev() {
        println!("skipped: /dev/shm is on the device of temporary files");
        return;
    }
    let there = elsewhere.path().to_str().unwrap();
    let run = sandbox
        .run(&["manifest", "duplicates", "--hard-link", "t", there])
        .ok();
    let text = run.says("0 names linked").text();
    assert!(
        text.starts_with("2 copies of 7 bytes, 0 to save\n"),
        "{text}"
    );
    assert_eq!(fs::metadata(elsewhere.path().join("b")).unwrap().nlink(), 1);
}
