//! ARCHITECTURE.md names every source file, alone or by its directory, and only what is there.

use std::fs;
use std::path::{Path, PathBuf};

const MAP: &str = include_str!("../../ARCHITECTURE.md");

/// A directory, and the entries that the map lists below it.
struct List<'a> {
    directory: &'a str,
    entries: Vec<&'a str>,
}

fn lists() -> Vec<List<'static>> {
    MAP.split("```map\n")
        .skip(1)
        .map(|rest| {
            let block = rest.split("```").next().unwrap_or(rest);
            let mut lines = block.lines();
            let directory = lines.next().expect("a list begins with its directory");
            let entries = lines
                .filter_map(|line| line.split_whitespace().next())
                .collect();
            List { directory, entries }
        })
        .collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The Rust files below `directory`, relative to `base`, without unit tests in files of their own.
fn rust_files(directory: &Path, base: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(directory).expect("the map names a directory") {
        let path = entry.expect("a directory can be read").path();
        if path.is_dir() {
            rust_files(&path, base, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            let relative = path.strip_prefix(base).expect("it is below");
            found.push(relative.to_str().expect("our names are ASCII").to_owned());
        }
    }
}

#[test]
fn every_entry_exists() {
    for List { directory, entries } in lists() {
        for entry in entries {
            let path = root().join(directory).join(entry);
            let there = if entry.ends_with('/') {
                path.is_dir()
            } else {
                path.is_file()
            };
            assert!(
                there,
                "ARCHITECTURE.md lists {directory}{entry}, which is not there"
            );
        }
    }
}

#[test]
fn every_source_file_is_listed() {
    for List { directory, entries } in lists() {
        let base = root().join(directory);
        let mut files = Vec::new();
        rust_files(&base, &base, &mut files);
        for file in files {
            let listed = entries
                .iter()
                .any(|entry| *entry == file || (entry.ends_with('/') && file.starts_with(entry)));
            assert!(listed, "ARCHITECTURE.md does not list {directory}{file}");
        }
    }
}

#[test]
fn every_crate_has_a_list() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("the root's manifest");
    let members = manifest
        .split_once("members = [")
        .and_then(|(_, rest)| rest.split_once(']'));
    let directories: Vec<_> = lists().iter().map(|list| list.directory).collect();
    for member in members
        .expect("a list of members")
        .0
        .split('"')
        .skip(1)
        .step_by(2)
    {
        assert!(
            directories.contains(&format!("{member}/src/").as_str()),
            "{member} has no list"
        );
    }
}

const DOCUMENTS: [&str; 8] = [
    "README.md",
    "README.zh-CN.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "ASSURANCE.md",
    "CHANGELOG.md",
    "testdata/README.md",
];

/// The paths in a document: targets of links, and code that begins like a path from the root.
fn paths(text: &str) -> Vec<&str> {
    let links = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next());
    let code = text.split('`').skip(1).step_by(2).filter(|code| {
        let starts = [
            "crates/",
            "reference/",
            "xtask/",
            "testdata/",
            "docs/",
            ".ci/",
        ];
        starts.iter().any(|start| code.starts_with(start))
    });
    links
        .filter(|link| !link.contains("://"))
        .chain(code.filter(|code| !code.contains(['*', ' ', '<'])))
        .collect()
}

#[test]
fn documents_point_at_what_is_there() {
    for document in DOCUMENTS {
        let path = root().join(document);
        let text = fs::read_to_string(&path).expect("a document of this project");
        for target in paths(&text) {
            let beside = path.with_file_name(target);
            assert!(
                beside.exists() || root().join(target).exists(),
                "{document} points at {target}, which is not there"
            );
        }
    }
}
