//! `shangmi compare`, in milliseconds: the numbers mean nothing here.

use crate::support::Sandbox;

#[test]
fn the_report_is_written_and_the_tables_are_printed() {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&[
        "compare",
        "--smoke",
        "--only",
        "hash,public-key",
        "--lang",
        "en",
        "--out",
        "r/s",
    ]);
    let run = run.ok().says("note: the report is in 'r/s/index.html'");
    assert!(
        run.text().contains("SM3") && run.text().contains("SM2"),
        "{}",
        run.text()
    );
    for file in ["index.html", "results.json", "report.md", "report.zh-CN.md"] {
        assert!(!sandbox.read(&format!("r/s/{file}")).is_empty());
    }
}

/// The program measures itself: its digests of small files are right, and its rows are there.
#[test]
fn the_program_is_set_beside_others_over_small_files() {
    let sandbox = Sandbox::new();
    let run = sandbox
        .run(&["compare", "--smoke", "--json", "--only", "hash-tree"])
        .ok();
    let report = run.json();
    let rows = report["rows"].as_array().expect("rows");
    let ours: Vec<_> = rows
        .iter()
        .filter(|row| row["subject"] == "shangmi")
        .map(|row| row["algorithm"].as_str())
        .collect();
    assert_eq!(ours, [Some("SM3"), Some("SHA-256")]);
    let left_out = report["skipped"].as_array().expect("a list").len();
    assert_eq!(rows.len() + left_out, 5, "{report}");
    assert_eq!(report["refused"].as_array().map(Vec::len), Some(0));
}

#[test]
fn json_is_the_result_itself() {
    let sandbox = Sandbox::new();
    let run = sandbox
        .run(&["compare", "--smoke", "--json", "--only", "mac"])
        .ok();
    assert_eq!(run.json()["profile"], "smoke");
    assert_eq!(run.stdout, sandbox.read("report/results.json"));
}

#[test]
fn what_cannot_work_is_said_before_measuring() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "");
    let started = std::time::Instant::now();
    sandbox.run(&["compare", "--out", "file"]).fails(2);
    sandbox.run(&["compare", "--out", "file/below"]).fails(2);
    sandbox
        .run(&["compare", "--only", "hashes"])
        .fails(2)
        .says("the groups are hash,");
    sandbox.run(&["compare", "--quick", "--full"]).fails(2);
    assert!(started.elapsed().as_secs() < 10);
}
