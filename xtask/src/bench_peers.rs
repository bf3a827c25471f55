//! `cargo xtask bench-peers`: shangmi beside the other implementations that this machine can have.
//!
//! The peers are dependencies of a crate outside the workspace (`peers/`). It is built and started here,
//! takes samples, and prints them; what they mean is worked out here, so that tests need no peer.

mod botan;
mod evaluate;
mod samples;
mod table;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::{checkout, gmsm};
use evaluate::{Machine, Report};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Measure these only, separated by commas: sm2, sm3, sm4, files
    #[arg(long, value_name = "LIST")]
    only: Option<String>,
    /// Fewer samples, fewer files: under a minute after the build
    #[arg(long)]
    quick: bool,
    /// Also measure Botan 3, built from the sources in the crate botan-src: minutes, once
    #[arg(long)]
    botan: bool,
    /// Where the figures go as JSON [default: target/peers/peers.json]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Use this program for the rows over files, and build none
    #[arg(long, value_name = "PROGRAM")]
    shangmi: Option<PathBuf>,
}

impl Arguments {
    fn wants(&self, rows: &str) -> bool {
        let list = self.only.as_deref();
        list.is_none_or(|list| list.split(',').any(|one| one == rows))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = checkout::root()?;
    let built = build_what_is_wanted(&root, arguments)?;
    let samples = samples::parse(&take_samples(&root, built, arguments)?)?;
    let report = Report::new(Machine::this(), arguments.quick, &samples)?;
    let default = || root.join("target/peers/peers.json");
    let out = arguments.out.clone().unwrap_or_else(default);
    write(&out, &report)?;
    let text = format!("{}\n{}\n", table::render(&report), out.display());
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write to standard output")
}

/// The options that name what was built for the harness.
fn build_what_is_wanted(root: &Path, arguments: &Arguments) -> Result<Vec<OsString>> {
    let mut options: Vec<OsString> = Vec::new();
    if arguments.wants("files") {
        options.extend(["--shangmi".into(), program(root, arguments)?.into()]);
    }
    if arguments.botan {
        options.extend(["--botan".into(), botan::build(root)?.into()]);
    }
    if arguments.wants("sm2")
        && let Some(program) = gmsm::build(root, ".", "gmsm")?
    {
        options.extend(["--gmsm".into(), program.into()]);
    }
    Ok(options)
}

fn cargo(root: &Path) -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(root).stderr(Stdio::inherit());
    cargo
}

/// The program `shangmi` for the rows over files.
fn program(root: &Path, arguments: &Arguments) -> Result<PathBuf> {
    match &arguments.shangmi {
        Some(program) => program
            .canonicalize()
            .with_context(|| format!("there is no {}", program.display())),
        None => build_program(root),
    }
}

/// Builds it as users do.
fn build_program(root: &Path) -> Result<PathBuf> {
    let output = cargo(root)
        .args(["build", "--release", "--package", "shangmi-cli"])
        .args(["--bin", "shangmi", "--message-format=json"])
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "shangmi does not build");
    let messages = String::from_utf8(output.stdout).context("cargo's messages are not text")?;
    executable(&messages).context("cargo names no program shangmi")
}

/// The program among cargo's messages, one JSON object a line.
fn executable(messages: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == "shangmi")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
}

/// Builds and runs the harness; what it prints.
fn take_samples(root: &Path, mut options: Vec<OsString>, arguments: &Arguments) -> Result<String> {
    if arguments.quick {
        options.push("--quick".into());
    }
    if let Some(only) = &arguments.only {
        options.extend(["--only".into(), only.into()]);
    }
    let output = cargo(root)
        .args(["run", "--release", "--manifest-path", "peers/Cargo.toml"])
        .args(["--target-dir", "target/peers/build", "--"])
        .args(options)
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "the peers were not measured");
    String::from_utf8(output.stdout).context("the samples are not text")
}

fn write(path: &Path, report: &Report) -> Result<()> {
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    }
    let mut text = serde_json::to_string_pretty(report).context("the report is not JSON")?;
    text.push('\n');
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_among_the_messages() {
        let messages = "{\"target\":{\"name\":\"shangmi\"},\"executable\":null}\n\
                        {\"target\":{\"name\":\"shangmi\"},\"executable\":\"a/shangmi\"}\n";
        assert_eq!(executable(messages), Some(PathBuf::from("a/shangmi")));
        assert_eq!(executable("{\"reason\":\"build-finished\"}"), None);
    }

    #[test]
    fn rows_are_wanted_by_name_or_all() {
        let arguments = |only: Option<&str>| Arguments {
            only: only.map(str::to_owned),
            quick: false,
            botan: false,
            out: None,
            shangmi: None,
        };
        assert!(arguments(None).wants("files"));
        assert!(arguments(Some("sm3,files")).wants("files"));
        assert!(!arguments(Some("sm3,sm4")).wants("files"));
    }

    #[test]
    fn no_peer_is_a_dependency_of_the_workspace() {
        let lock = include_str!("../../Cargo.lock");
        for name in ["shangmi-peers", "sm2", "sm3", "sm4", "botan-src"] {
            let entry = format!("name = \"{name}\"\n");
            assert!(!lock.contains(&entry), "{name} is in Cargo.lock");
        }
    }
}
