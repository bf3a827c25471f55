//! `shangmi manifest compare`.

use std::fs;

use crate::support::Sandbox;

#[test]
fn added_removed_changed_and_moved() {
    let sandbox = Sandbox::new();
    for (name, content) in [
        ("t/same", "same"),
        ("t/changed", "old"),
        ("t/gone", "gone"),
        ("t/old/photo", "picture"),
        ("t/old/copy", "picture"),
        ("t/empty", ""),
    ] {
        sandbox.write(name, content);
    }
    sandbox.run(&["manifest", "make", "t", "-o", "before"]).ok();
    sandbox.write("t/changed", "new");
    sandbox.write("t/a", "added");
    for name in ["t/gone", "t/empty"] {
        fs::remove_file(sandbox.path(name)).unwrap();
    }
    sandbox.write("t/empty2", "");
    fs::create_dir(sandbox.path("t/new")).unwrap();
    fs::rename(sandbox.path("t/old/photo"), sandbox.path("t/new/photo")).unwrap();
    fs::rename(sandbox.path("t/old/copy"), sandbox.path("t/new/1")).unwrap();
    sandbox
        .run(&["manifest", "make", "t", "-o", "after", "--form", "jsonl"])
        .ok();
    let run = sandbox.run(&["manifest", "compare", "before", "after"]);
    assert_eq!(run.code, Some(1));
    run.prints(
        "added       a\n\
         changed     changed (content)\n\
         removed     empty\n\
         added       empty2\n\
         removed     gone\n\
         moved       old/copy -> new/1\n\
         moved       old/photo -> new/photo\n",
    );
    let run = sandbox.run(&["--json", "manifest", "compare", "before", "after"]);
    let json = run.json();
    assert_eq!(json["summary"]["moved"], 2);
    assert_eq!(json["summary"]["added"], 2);
    assert_eq!(json["differences"][5]["from"], "old/copy");
    assert_eq!(json["differences"][5]["path"], "new/1");
    let run = sandbox.run(&["manifest", "compare", "after", "after"]).ok();
    run.prints("").says("equal trees");
    let after = sandbox.read("after");
    sandbox
        .run_with_input(after, &["manifest", "compare", "after", "-"])
        .ok();
}

#[test]
fn a_digest_in_common_is_needed() {
    let sandbox = Sandbox::new();
    sandbox.write("t/a", "a");
    for (name, algorithms) in [("sm3", "sm3"), ("sha256", "sha256"), ("both", "sm3,sha256")] {
        sandbox
            .run(&["manifest", "make", "t", "-o", name, "-a", algorithms])
            .ok();
    }
    sandbox
        .run(&["manifest", "compare", "sm3", "sha256"])
        .fails(2)
        .says("in common");
    sandbox.run(&["manifest", "compare", "sm3", "both"]).ok();
    sandbox.run(&["manifest", "compare", "both", "sha256"]).ok();
    sandbox.run(&["manifest", "compare", "-", "-"]).fails(2);
}
