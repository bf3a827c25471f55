//! gmsm, the programs in `peers/gmsm/`, built with the Go of this machine.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// What installs a Go.
pub(crate) const INSTALL: &str = "apt-get install golang-go";

/// The first Go, 1.24, that builds what `go.mod` names.
const NEW: u32 = 24;

/// For older ones, such as that of Debian 12: an older gmsm.
const MODULES_FOR_OLD: &str = "-modfile=go1.19.mod";

/// Builds the program in a directory below `peers/gmsm/`; none where there is no Go.
///
/// # Errors
/// There is a Go, and the program does not build.
pub(crate) fn build(root: &Path, directory: &str, name: &str) -> Result<Option<PathBuf>> {
    let Some(version) = version()? else {
        return Ok(None);
    };
    let program = root.join("target/peers").join(name);
    let old = minor(&version).is_some_and(|minor| minor < NEW);
    let modules = old.then_some(MODULES_FOR_OLD);
    let built = Command::new("go")
        .args(["build", "-buildvcs=false"])
        .args(modules)
        .arg("-o")
        .arg(&program)
        .arg(directory)
        .current_dir(root.join("peers/gmsm"))
        .stdout(std::io::stderr())
        .status()
        .context("cannot run go")?;
    if !built.success() {
        bail!("go does not build peers/gmsm");
    }
    Ok(Some(program))
}

/// As Go writes it: go1.24.0.
fn version() -> Result<Option<String>> {
    match Command::new("go").args(["env", "GOVERSION"]).output() {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context("cannot run go"),
        Ok(output) => Ok(Some(String::from_utf8_lossy(&output.stdout).into_owned())),
    }
}

/// Of "go1.24.0" the 24.
fn minor(version: &str) -> Option<u32> {
    let digits = version.strip_prefix("go1.")?;
    let end = digits.find(|c: char| !c.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(minor("go1.19.8\n"), Some(19));
        assert_eq!(minor("go1.26\n"), Some(26));
        assert_eq!(minor("go1.24rc1"), Some(24));
        assert_eq!(minor("devel go1.27-abc"), None);
    }
}
