//! Botan, built from the sources that the crate botan-src carries, with the modules that are measured.
//!
//! That crate's own build has no minimized form, and takes ten times as long.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::cargo;

/// All of SM4's and SM3's code paths, the modes with theirs, and SM2 over its own field.
const MODULES: &str = "sm4,sm4_gfni,sm4_avx512,sm4_hwaes,cbc,ccm,cfb,ctr,ctr_simd32,ctr_avx2,gcm,ghash_cpu,\
    ghash_avx512_clmul,xts,xts_avx512_clmul,sm3,sm3_avx2_bmi2,sm2,pcurves_sm2p256v1,system_rng,mem_pool";

/// Builds Botan and the functions before it, unless that was done, and names the library.
///
/// # Errors
/// A tool that is missing: python3, make, a C++20 compiler, tar with xz; or a step that fails.
pub(super) fn build(root: &Path) -> Result<PathBuf> {
    let archive = archive(root)?;
    let name = archive.file_name().and_then(OsStr::to_str);
    let name = name.and_then(|name| name.strip_suffix(".tar.xz"));
    let name = name.context("botan-src carries an archive of another form")?;
    let directory = root.join("target/peers/botan");
    let (source, built) = (
        directory.join(name),
        directory.join(format!("{name}-build")),
    );
    if !source.join("configure.py").exists() {
        fs::create_dir_all(&directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
        run(Command::new("tar")
            .arg("-xJf")
            .arg(&archive)
            .arg("-C")
            .arg(&directory))?;
    }
    if !built.join("Makefile").exists() {
        configure(&source, &built)?;
    }
    // One after the other and politely: it happens once, and others may be at work.
    run(Command::new("nice")
        .args(["make", "-j1", "libs", "-f"])
        .arg(built.join("Makefile"))
        .current_dir(&source))?;
    link(root, &built)
}

/// The archive in the crate that `peers/Cargo.lock` names; cargo fetches it.
fn archive(root: &Path) -> Result<PathBuf> {
    let output = cargo(root)
        .args(["metadata", "--format-version", "1", "--features", "botan"])
        .args(["--manifest-path", "peers/Cargo.toml"])
        .output()
        .context("cannot run cargo")?;
    ensure!(output.status.success(), "cargo does not find botan-src");
    let vendor = source_of("botan-src", &output.stdout)?.join("vendor");
    let entries = fs::read_dir(&vendor).with_context(|| format!("no {}", vendor.display()))?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    paths
        .find(|path| path.extension() == Some(OsStr::new("xz")))
        .with_context(|| format!("{} has no archive", vendor.display()))
}

/// What is read of `cargo metadata`.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

/// The directory of a package.
fn source_of(name: &str, metadata: &[u8]) -> Result<PathBuf> {
    let metadata: Metadata =
        serde_json::from_slice(metadata).context("cargo prints metadata of another form")?;
    let package = metadata.packages.into_iter().find(|p| p.name == name);
    let manifest = package.map(|package| package.manifest_path);
    let directory = manifest.as_deref().and_then(Path::parent);
    Ok(directory
        .with_context(|| format!("cargo does not list {name}"))?
        .to_owned())
}

fn configure(source: &Path, built: &Path) -> Result<()> {
    let mut build_dir = std::ffi::OsString::from("--with-build-dir=");
    build_dir.push(built);
    run(Command::new("python3")
        .args([
            "configure.py",
            "--minimized-build",
            "--without-documentation",
        ])
        .args(["--build-targets=static", "--no-install-python-module"])
        .arg(format!("--enable-modules={MODULES}"))
        .arg(build_dir)
        .current_dir(source))
}

/// Puts `peers/botan/peer.cpp` and Botan into one library.
fn link(root: &Path, built: &Path) -> Result<PathBuf> {
    let library = built.join("libshangmi-peer-botan.so");
    run(Command::new("c++")
        .args(["-std=c++20", "-O2", "-fPIC", "-shared", "-pthread", "-I"])
        .arg(built.join("build/include/public"))
        .arg(root.join("peers/botan/peer.cpp"))
        .arg(built.join("libbotan-3.a"))
        // Nothing of Botan may stand in for a function of another library.
        .args(["-Wl,--exclude-libs,ALL", "-o"])
        .arg(&library))?;
    Ok(library)
}

/// Runs a step, whose words go to standard error: standard output is the report's.
fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.stdout(std::io::stderr()).status();
    let status = status.with_context(|| format!("cannot run {name}, which builds Botan"))?;
    ensure!(status.success(), "{name} failed, and there is no Botan");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_are_found_in_the_metadata() {
        let metadata = br#"{"packages":[{"name":"other","manifest_path":"b/Cargo.toml"},
            {"name":"botan-src","manifest_path":"a/botan-src/Cargo.toml"}],"version":1}"#;
        let found = source_of("botan-src", metadata).unwrap();
        assert_eq!(found, Path::new("a/botan-src"));
        assert!(source_of("absent", metadata).is_err());
        assert!(source_of("botan-src", b"{}").is_err());
    }
}
