use super::*;
use crate::hardware::Hardware;
use crate::result::Report;

fn smoke() -> Options {
    Options {
        profile: Profile::Smoke,
        ..Options::default()
    }
}

#[test]
fn lengths_are_those_announced_and_all_is_removed() {
    let tree = Tree::create(&smoke()).unwrap();
    let path = tree.path().to_owned();
    let mut bytes = 0;
    for name in &tree.names {
        let length = fs::metadata(path.join(name)).unwrap().len();
        assert!((1 << 10..=4 << 10).contains(&length), "{name}: {length}");
        bytes += length;
    }
    assert_eq!(bytes, tree.bytes);
    let mut digests = tree.sm3.clone();
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), tree.names.len(), "no two files are alike");
    drop(tree);
    assert!(!path.exists());
}

fn report() -> Report {
    crate::run::empty_report(&smoke(), Vec::new())
}

/// A program made of a script; scripts run where there is a shell.
#[cfg(unix)]
fn script(text: &str) -> (TempDir, Options) {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("program");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let options = Options {
        program: Some(path),
        ..smoke()
    };
    (directory, options)
}

/// What becomes of our program when it is `text`: the reasons, left out and refused.
#[cfg(unix)]
fn fate(text: &str) -> (Vec<String>, Vec<String>) {
    let tree = Tree::create(&smoke()).unwrap();
    let (_directory, options) = script(text);
    let mut report = report();
    let admitted = candidates(&tree, &options, &Hardware::detect(), &mut report);
    let is_ours = |name: &str| name == "shangmi";
    assert!(!admitted.iter().any(|one| is_ours(&one.subject.library)));
    let reasons = |list: &[crate::result::RefusedSubject]| {
        list.iter()
            .filter(|one| is_ours(&one.subject))
            .map(|one| one.reason.clone())
            .collect()
    };
    (reasons(&report.skipped), reasons(&report.refused))
}

#[cfg(unix)]
#[test]
fn wrong_digests_are_refused() {
    let zeros = "shift 3; for f; do echo \"$(printf %064d 0)  $f\"; done";
    let (skipped, refused) = fate(zeros);
    assert!(skipped.is_empty());
    assert_eq!(refused, ["its digests are not those of the files"; 2]);
}

#[cfg(unix)]
#[test]
fn a_program_without_the_algorithm_is_left_out_with_its_own_words() {
    let (skipped, refused) = fate("echo 'unknown algorithm' >&2; exit 1");
    assert_eq!(skipped, ["unknown algorithm"; 2]);
    assert!(refused.is_empty());
}

#[test]
fn programs_that_are_not_there_are_left_out() {
    let tree = Tree::create(&smoke()).unwrap();
    let options = Options {
        program: Some("/nowhere/shangmi".into()),
        ..smoke()
    };
    let mut report = report();
    candidates(&tree, &options, &Hardware::detect(), &mut report);
    assert_eq!(report.skipped[0].reason, "the program is not there");
    report.skipped.clear();
    candidates(&tree, &smoke(), &Hardware::detect(), &mut report);
    assert_eq!(
        report.skipped[0].reason,
        "the running program is not shangmi"
    );
}

#[cfg(unix)]
#[test]
fn a_program_that_fails_later_is_an_error_and_time_of_children_counts() {
    let tree = Rc::new(Tree::create(&smoke()).unwrap());
    let run = |text: &str| {
        let (_directory, options) = script(text);
        program::trial(&options).bench(&tree).run(1)
    };
    assert!(run("exit 3").is_err());
    let busy = run("i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done").unwrap();
    assert!(busy > 1_000_000, "{busy}");
}
