//! `cargo xtask aarch64`: the tests of SM3 and SM4, compiled for aarch64 and run under emulation.
//!
//! Debian's compiler and cargo do it, because Debian also has the standard library for arm64. The tests run
//! once on a processor with the instructions for SM3 and SM4 and once on one without, so that every code path
//! has its turn. Emulation proves results; it says nothing about speed.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::checkout;

/// What the run needs, as Debian names it.
const PACKAGES: [&str; 6] = [
    "rustc-web",
    "cargo-web",
    "libstd-rust-web-dev:arm64",
    "qemu-user",
    "gcc-aarch64-linux-gnu",
    "libc6-dev-arm64-cross",
];

/// Debian's tools, by path: others of the same name may come first in `PATH`.
const CARGO: &str = "/usr/bin/cargo";
const RUSTC: &str = "/usr/bin/rustc";

const TARGET: &str = "aarch64-unknown-linux-gnu";

/// A processor, and what the test of the code paths must print there.
struct Processor {
    name: &'static str,
    prints: [&'static str; 2],
}

const PROCESSORS: [Processor; 2] = [
    Processor {
        name: "max",
        prints: ["SM3, one stream: sm3\n", "SM4: sm4\n"],
    },
    Processor {
        name: "cortex-a53",
        prints: ["SM3, one stream: portable\n", "SM4: aes\n"],
    },
];

/// The test of the code paths, and the other files of tests.
const BACKENDS: &str = "backends_aarch64";
const TESTS: [&str; 3] = ["sm3", "sm3_keyed", "sm4"];

/// Of the unit tests, those of the algorithms that have code for aarch64 or will have: SM2 would take minutes.
const UNIT_TESTS: [&str; 3] = ["sm3::", "sm4::", "ghash::"];

/// Tests of hundreds of megabytes, which take too long under emulation.
const TOO_LONG: [&str; 2] = ["length_beyond_32_bits", "three_hundred_mebibytes_of_zeros"];

/// Says what is missing and passes, unless the variable `CI` is set: then it is a failure.
#[expect(clippy::print_stdout, reason = "the user is told what was skipped")]
pub(crate) fn run() -> Result<()> {
    if let Some(line) = install_line(is_installed) {
        ensure!(
            env::var_os("CI").is_none(),
            "packages are missing; install them with: {line}"
        );
        println!("skipped, for want of packages; install them with: {line}");
        return Ok(());
    }
    let tests = build(&checkout::root()?)?;
    for processor in &PROCESSORS {
        for test in &tests {
            run_test(processor, test)?;
        }
    }
    Ok(())
}

/// The command that installs the packages, if one is missing.
fn install_line(installed: impl Fn(&str) -> bool) -> Option<String> {
    let missing: Vec<_> = PACKAGES
        .into_iter()
        .filter(|name| !installed(name))
        .collect();
    (!missing.is_empty()).then(|| {
        format!(
            "dpkg --add-architecture arm64 && apt-get update && apt-get install --no-install-recommends {}",
            missing.join(" ")
        )
    })
}

fn is_installed(package: &str) -> bool {
    let output = Command::new("dpkg-query")
        .args(["--show", "--showformat=${Status}", package])
        .output();
    output.is_ok_and(|output| output.stdout.ends_with(b"ok installed"))
}

/// A program of tests.
#[derive(Debug, PartialEq)]
struct Test {
    name: String,
    program: PathBuf,
}

/// Compiles the tests for aarch64. They have a target directory of their own, because another
/// compiler's files would take turns with these.
fn build(root: &Path) -> Result<Vec<Test>> {
    let mut cargo = Command::new(CARGO);
    cargo
        .args(["test", "--no-run", "--locked", "--message-format=json"])
        .args(["--package", "shangmi", "--lib", "--target", TARGET])
        .args(["--target-dir", "target/aarch64", "--test", BACKENDS])
        .args(TESTS.into_iter().flat_map(|name| ["--test", name]))
        .current_dir(root)
        .env("RUSTC", RUSTC)
        .env(
            "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER",
            "aarch64-linux-gnu-gcc",
        )
        .stderr(Stdio::inherit());
    // What another cargo has set for itself does not hold for this one.
    for variable in ["CARGO", "LD_LIBRARY_PATH", "RUSTUP_TOOLCHAIN"] {
        cargo.env_remove(variable);
    }
    let output = cargo.output().context("cannot run Debian's cargo")?;
    ensure!(
        output.status.success(),
        "shangmi does not build for aarch64"
    );
    let messages = String::from_utf8(output.stdout).context("cargo's messages are not text")?;
    let tests = programs(&messages)?;
    let (found, expected) = (tests.len(), TESTS.len() + 2);
    ensure!(
        found == expected,
        "{found} programs of tests instead of {expected}"
    );
    Ok(tests)
}

/// The programs that cargo's messages name, one JSON object a line.
fn programs(messages: &str) -> Result<Vec<Test>> {
    let mut tests = Vec::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).context("cargo's message is not JSON")?;
        let (name, program) = (&message["target"]["name"], &message["executable"]);
        if let (Some(name), Some(program)) = (name.as_str(), program.as_str()) {
            tests.push(Test {
                name: name.to_owned(),
                program: program.into(),
            });
        }
    }
    Ok(tests)
}

/// Runs a program of tests on a processor.
#[expect(clippy::print_stdout, reason = "the user sees what ran where")]
fn run_test(processor: &Processor, test: &Test) -> Result<()> {
    let Processor { name, prints } = processor;
    println!("{} on the processor {name}", test.name);
    let mut qemu = Command::new("qemu-aarch64");
    qemu.args(["-cpu", name]).arg(&test.program);
    qemu.args(TOO_LONG.into_iter().flat_map(|name| ["--skip", name]));
    match test.name.as_str() {
        "shangmi" => {
            qemu.args(UNIT_TESTS);
        }
        BACKENDS => {
            qemu.arg("--nocapture");
        }
        _ => {}
    }
    let output = qemu
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run qemu-aarch64")?;
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{}", text.trim());
    if !output.status.success() {
        bail!("{} fails on the processor {name}", test.name);
    }
    for line in prints {
        if test.name == BACKENDS && !text.contains(line) {
            bail!("{BACKENDS} on the processor {name} does not print {line:?}");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        assert_eq!(install_line(|_| true), None);
        let line = install_line(|name| name != "qemu-user").unwrap();
        assert!(
            line.ends_with("--no-install-recommends qemu-user"),
            "{line}"
        );
        assert!(
            install_line(|_| false)
                .unwrap()
                .contains(&PACKAGES.join(" "))
        );
    }

    #[test]
    fn programs_are_found_among_the_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"subtle"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"sm3"},"executable":"a/sm3-1"}
{"reason":"build-finished","success":true}"#;
        let test = Test {
            name: "sm3".to_owned(),
            program: "a/sm3-1".into(),
        };
        assert_eq!(programs(messages).unwrap(), [test]);
        assert!(programs("not JSON").is_err());
    }
}
