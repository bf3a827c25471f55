//! Sealed files and another reader of them: `tests/python/read_container.py`, which was written from
//! `docs/container.md` and shares no code with the program. And the test files of `testdata/container`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::support::{KEY_HEX, Sandbox, have_peer, pattern};

const READER: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/python/read_container.py"
);
const TEST_FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/container");

fn have_python() -> bool {
    have_peer("python3", &["--version"], "apt-get install python3")
}

/// What the other reader makes of the cases.
fn read(sandbox: &Sandbox, cases: &[Value]) -> Vec<Value> {
    let mut python = Command::new("python3");
    python
        .args(["-B", READER, "--batch"])
        .current_dir(sandbox.path("."))
        .stderr(Stdio::inherit());
    let output = assert_cmd::Command::from_std(python)
        .write_stdin(Value::from(cases).to_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let answers: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answers.len(), cases.len());
    answers
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The arguments with which the program opens a case.
fn arguments(case: &Value) -> Vec<String> {
    let text = |name: &str| case[name].as_str().map(str::to_owned);
    let mut args = vec!["decrypt".to_owned()];
    if text("key").is_some() {
        args.extend(["--key", "key.hex"].map(str::to_owned));
    } else {
        args.extend(["--passphrase-env", "P"].map(str::to_owned));
    }
    if let Some((start, end)) = text("range").as_deref().and_then(|r| r.split_once(':')) {
        let length = end.parse::<u64>().unwrap() - start.parse::<u64>().unwrap();
        args.extend(["--offset", start, "--length"].map(str::to_owned));
        args.push(length.to_string());
    }
    args.push(text("file").unwrap());
    args
}

/// Both readers give the same content or the same exit status.
fn both_agree(sandbox: &Sandbox, cases: &[Value]) -> Vec<Value> {
    let answers = read(sandbox, cases);
    for (case, answer) in cases.iter().zip(&answers) {
        if let Some(key) = case["key"].as_str() {
            sandbox.write("key.hex", key);
        }
        let args = arguments(case);
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        let passphrase = case["passphrase"].as_str().unwrap_or_default();
        let run = sandbox.run_with_env(&[("P", passphrase)], &args);
        let said = format!("{case}: {answer}; {:?}: {}", run.code, run.stderr);
        assert_eq!(answer["exit"].as_i64(), run.code.map(i64::from), "{said}");
        if run.code == Some(0) {
            assert_eq!(answer["content"], hex(&run.stdout), "{case}");
        }
    }
    answers
}

#[test]
fn fresh_files_are_read_by_both() {
    if !have_python() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("key.hex", KEY_HEX);
    sandbox
        .run(&[
            "key", "convert", "--to", "spki-pem", "key.hex", "-o", "pub.pem",
        ])
        .ok();
    let mut cases = Vec::new();
    for (length, more) in [
        (0, &[][..]),
        (1, &["--armor"]),
        (65_536, &[]),
        (65_537, &[]),
        (140_000, &["--armor", "--num-threads", "2"]),
    ] {
        let file = format!("sealed-{length}");
        sandbox.write("f", pattern(length));
        sandbox.seal("国密", &file, more);
        cases.push(json!({ "file": file, "key": KEY_HEX }));
        cases.push(json!({ "file": file, "passphrase": "国密" }));
        let (start, end) = (length / 2, length - length / 4);
        cases.push(json!({ "file": file, "key": KEY_HEX, "range": format!("{start}:{end}") }));
    }
    cases.push(json!({ "file": "sealed-1", "key": format!("{:064x}", 7) }));
    cases.push(json!({ "file": "sealed-1", "passphrase": "guomi" }));
    cases.push(json!({ "file": "sealed-65537", "key": KEY_HEX, "range": "65530:65538" }));
    let answers = both_agree(&sandbox, &cases);
    let exits: Vec<_> = answers
        .iter()
        .map(|answer| answer["exit"].as_i64().unwrap())
        .collect();
    assert_eq!(exits[..15], [0; 15]);
    assert_eq!(exits[15..], [1, 1, 2]);
    assert_eq!(answers[6]["content"], hex(&pattern(65_536)));
}

#[test]
fn both_refuse_what_was_changed() {
    if !have_python() {
        return;
    }
    let sandbox = Sandbox::new();
    sandbox.write("key.hex", KEY_HEX);
    sandbox
        .run(&[
            "key", "convert", "--to", "spki-pem", "key.hex", "-o", "pub.pem",
        ])
        .ok();
    sandbox.write("f", "content");
    sandbox
        .run(&["encrypt", "--to", "pub.pem", "f", "-o", "sealed"])
        .ok();
    let sealed = sandbox.read("sealed");
    let mut cases = Vec::new();
    let mut add = |bytes: &[u8]| {
        let file = format!("changed-{}", cases.len());
        sandbox.write(&file, bytes);
        cases.push(json!({ "file": file, "key": KEY_HEX }));
    };
    for at in (0..16).chain((16..sealed.len()).step_by(5)) {
        let mut changed = sealed.clone();
        changed[at] ^= 1 << (at % 8);
        add(&changed);
    }
    for len in (0..sealed.len()).step_by(9).chain([sealed.len() - 1]) {
        add(&sealed[..len]);
    }
    add(&[&sealed[..], b"x"].concat());
    for answer in both_agree(&sandbox, &cases) {
        assert_ne!(answer["exit"], 0, "{answer}");
    }
}

#[test]
fn the_test_files_are_read_by_both() {
    if !have_python() {
        return;
    }
    let sandbox = Sandbox::new();
    let (mut cases, mut expected) = (Vec::new(), Vec::new());
    for list in ["v1.json", "v1_passphrase.json", "v1_refused.json"] {
        let text = fs::read(Path::new(TEST_FILES).join(list)).unwrap();
        let list: Value = serde_json::from_slice(&text).unwrap();
        for case in list["cases"].as_array().unwrap() {
            let file = format!("case-{}", cases.len());
            match case["text"].as_str() {
                Some(text) => sandbox.write(&file, text),
                None => sandbox.write(&file, unhex(case["sealed"].as_str().unwrap())),
            }
            let keys = case["private_keys"].as_array().into_iter().flatten();
            let mut openers: Vec<_> = keys
                .map(|key| json!({ "file": file, "key": key }))
                .collect();
            if let Some(passphrase) = case["passphrase"].as_str() {
                openers.push(json!({ "file": file, "passphrase": passphrase }));
            }
            assert!(!openers.is_empty(), "{case}");
            for opener in openers {
                cases.push(opener);
                expected.push(case.clone());
            }
        }
    }
    for (answer, case) in both_agree(&sandbox, &cases).iter().zip(expected) {
        if case["content"].is_string() {
            assert_eq!(
                (&answer["exit"], &answer["content"]),
                (&json!(0), &case["content"])
            );
        } else {
            assert_eq!(answer["exit"], case["exit"], "{case}: {answer}");
        }
    }
}

fn unhex(digits: &str) -> Vec<u8> {
    let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).unwrap();
    (0..digits.len()).step_by(2).map(byte).collect()
}
