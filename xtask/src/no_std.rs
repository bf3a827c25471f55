//! `cargo xtask no-std`: `shangmi` without its features needs neither `std` nor an allocator.
//!
//! A crate with a panic handler of its own is refused when `std` is anywhere below it, because `std`
//! has one too; and one without a global allocator is refused when `alloc` is. Such a crate is compiled
//! on top of `shangmi`, for the machine at hand: no other target has to be installed.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::checkout;

const PROBE: &str = "\
#![no_std]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    loop {}
}
";

const USE_OF_SHANGMI: &str = "\
pub fn probe(message: &[u8]) -> [u8; 32] {
    shangmi::sm3::digest(message)
}
";

pub(crate) fn run() -> Result<()> {
    let built = build(&checkout::root()?)?;
    let mut options = vec![
        OsString::from("--extern"),
        named("shangmi=", &built.shangmi),
    ];
    options.extend(
        built
            .directories
            .iter()
            .map(|directory| named("-Ldependency=", directory)),
    );
    compile(&format!("{PROBE}{USE_OF_SHANGMI}"), &options)
        .context("shangmi without its features is not free of std and alloc")
}

fn named(prefix: &str, path: &Path) -> OsString {
    let mut option = OsString::from(prefix);
    option.push(path);
    option
}

/// What cargo built: the library, and where it and the libraries below it lie.
struct Built {
    shangmi: PathBuf,
    directories: BTreeSet<PathBuf>,
}

fn build(root: &Path) -> Result<Built> {
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "build",
            "--package",
            "shangmi",
            "--no-default-features",
            "--message-format=json",
        ])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo")?;
    ensure!(
        output.status.success(),
        "shangmi does not build without its features"
    );
    let messages = String::from_utf8(output.stdout).context("cargo's messages are not text")?;
    artifacts(&messages)
}

/// Reads cargo's messages, one JSON object a line.
fn artifacts(messages: &str) -> Result<Built> {
    let mut shangmi = None;
    let mut directories = BTreeSet::new();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).context("cargo's message is not JSON")?;
        let files = message["filenames"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str);
        for file in files.map(PathBuf::from) {
            directories.extend(file.parent().map(Path::to_path_buf));
            if message["target"]["name"] == "shangmi" && file.extension() == Some("rlib".as_ref()) {
                shangmi = Some(file);
            }
        }
    }
    let shangmi = shangmi.context("cargo names no library of shangmi")?;
    Ok(Built {
        shangmi,
        directories,
    })
}

/// Compiles a crate as if it were to be linked, and keeps nothing.
fn compile(source: &str, options: &[OsString]) -> Result<()> {
    let directory = tempfile::tempdir().context("no temporary directory")?;
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args([
            "-",
            "--edition=2024",
            "--crate-name=probe",
            "--crate-type=staticlib",
        ])
        .args(["-Cpanic=abort", "--emit=metadata", "--out-dir"])
        .arg(directory.path())
        .args(options)
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .context("cannot run rustc")?;
    rustc
        .stdin
        .take()
        .context("rustc has no standard input")?
        .write_all(source.as_bytes())
        .context("rustc does not read")?;
    let output = rustc.wait_with_output().context("rustc does not end")?;
    if output.status.success() {
        return Ok(());
    }
    bail!(
        "rustc says:\n{}",
        String::from_utf8_lossy(&output.stderr).trim_end()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_on_core_alone_passes() {
        compile(PROBE, &[]).unwrap();
    }

    #[test]
    fn std_and_alloc_are_found() {
        let with = |line: &str| {
            compile(&format!("{PROBE}{line}\n"), &[])
                .unwrap_err()
                .to_string()
        };
        assert!(with("extern crate std;").contains("panic_impl"));
        assert!(with("extern crate alloc;").contains("global memory allocator"));
    }

    #[test]
    fn the_library_is_found_among_the_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"subtle"},"filenames":["a/libsubtle.rlib","a/libsubtle.rmeta"]}
{"reason":"compiler-artifact","target":{"name":"shangmi"},"filenames":["b/libshangmi.rlib","c/libshangmi.rmeta"]}
{"reason":"build-finished","success":true}"#;
        let built = artifacts(messages).unwrap();
        assert_eq!(built.shangmi, Path::new("b/libshangmi.rlib"));
        assert_eq!(built.directories.len(), 3);
        assert!(artifacts("{\"reason\":\"build-finished\"}").is_err());
    }
}
