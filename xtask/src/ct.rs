//! `cargo xtask ct`: is everything that touches a secret constant-time?
//!
//! A crate outside the workspace (`ct/`) runs the library with its secrets marked as undefined memory; valgrind's
//! memcheck complains of every branch and every address that depends on them. Divisions leave no trace there: they
//! are looked for in the machine code. The check is checked as well: faults planted in a test build must all be found.
//!
//! Valgrind runs the code paths up to AVX2. The wide ones take the same road by construction, and are not proved here:
//! `--timing` takes the times of their operations over classes of secrets.

mod complaints;
mod divisions;
mod timing;
mod welch;

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::checkout;
use complaints::{Line, Table};

/// Processor features to hide, so that each code path that valgrind can run is run.
const MASKS: &[&str] = &["", "avx2", "aes", "aes,avx,avx2,bmi2,pclmulqdq"];

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Show what memcheck says of every complaint
    #[arg(long)]
    verbose: bool,
    /// Time what valgrind cannot run over two classes of secrets instead, and print the t-values
    #[arg(long, conflicts_with = "verbose")]
    timing: bool,
    #[command(flatten)]
    times: timing::Options,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let root = checkout::root()?;
    if arguments.timing {
        return timing::run(&root, &arguments.times);
    }
    if !is_valgrind_here() {
        return missing();
    }
    let harness = build(&root, "shangmi-ct", &["--features", "marks"])?;
    let divisions = divisions::of(&harness)?;
    ensure!(
        divisions.is_empty(),
        "divisions, whose time depends on the numbers, in:\n{}",
        divisions.join("\n")
    );
    let mut table = Table::default();
    for mask in MASKS {
        table.add(memcheck(&harness, mask, &[], arguments.verbose)?);
    }
    let planted = build(&root, "shangmi-ct", &["--features", "marks,leaks"])?;
    let found = memcheck(&planted, "", &["--planted"], false)?;
    let divided = divisions::of(&planted)?;
    let text = format!("{table}\n{}\n", complaints::of_planted(&found, &divided)?);
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write to standard output")?;
    table.judge()
}

fn is_valgrind_here() -> bool {
    let version = Command::new("valgrind").arg("--version").output();
    version.is_ok_and(|output| output.status.success())
}

/// Where a build server checks, nothing is skipped.
fn missing() -> Result<()> {
    let line = "apt-get install valgrind libclang1 libclang-common-14-dev binutils";
    if env::var_os("CI").is_some() {
        bail!("valgrind is missing: {line}");
    }
    let text = format!("skipped: valgrind is missing: {line}\n");
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write to standard output")
}

/// Builds a program of the harness, in the place of the one before.
fn build(root: &Path, program: &str, options: &[&str]) -> Result<PathBuf> {
    let directory = root.join("target/ct");
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .current_dir(root)
        .args([
            "build",
            "--release",
            "--quiet",
            "--manifest-path",
            "ct/Cargo.toml",
        ])
        .args(["--bin", program])
        .args(options)
        .arg("--target-dir")
        .arg(&directory)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "ct/ does not build");
    Ok(directory.join("release").join(program))
}

/// Runs the harness under memcheck.
fn memcheck(harness: &Path, mask: &str, options: &[&str], verbose: bool) -> Result<Vec<Line>> {
    let directory = tempfile::tempdir().context("no temporary directory")?;
    let log = directory.path().join("log");
    let output = Command::new("valgrind")
        .args(["--quiet", "--error-limit=no"])
        .arg(format!("--log-file={}", log.display()))
        .arg(harness)
        .args(options)
        .env("SHANGMI_CPU_MASK", mask)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run valgrind")?;
    ensure!(output.status.success(), "the operations did not end well");
    let lines = complaints::parse(&String::from_utf8_lossy(&output.stdout))?;
    if verbose {
        let log = fs::read(&log).context("valgrind left no log")?;
        std::io::stdout()
            .write_all(&log)
            .context("cannot write to standard output")?;
    }
    Ok(lines)
}
