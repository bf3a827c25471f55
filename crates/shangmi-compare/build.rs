//! Tells the crate what builds it and what it is built with: a report names both.

use std::fs;
use std::process::Command;

/// The workspace's list of locked versions.
const LOCK: &str = "../../Cargo.lock";

fn main() {
    println!(
        "cargo::rustc-env=SHANGMI_COMPARE_RUSTC={}",
        compiler().as_deref().map_or("rustc", str::trim)
    );
    println!("cargo::rustc-env=SHANGMI_COMPARE_AWS_LC={}", aws_lc());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={LOCK}");
}

fn compiler() -> Option<String> {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let output = Command::new(rustc).arg("--version").output().ok()?;
    String::from_utf8(output.stdout).ok()
}

/// `aws-lc-rs 1.2.3 (aws-lc-sys 0.4.5)`; the crates themselves do not tell.
fn aws_lc() -> String {
    let lock = fs::read_to_string(LOCK).unwrap_or_default();
    let named = |name: &str| {
        format!(
            "{name} {}",
            locked_version(&lock, name).unwrap_or("of unknown version")
        )
    };
    format!("{} ({})", named("aws-lc-rs"), named("aws-lc-sys"))
}

fn locked_version<'a>(lock: &'a str, name: &str) -> Option<&'a str> {
    let (_, entry) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    entry.split_once('"').map(|(version, _)| version)
}
