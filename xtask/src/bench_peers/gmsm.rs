//! gmsm, the program in `peers/gmsm/`, built with the Go of this machine.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Builds the program; none where there is no Go, which the report then says.
///
/// # Errors
/// There is a Go, and the program does not build.
pub(super) fn build(root: &Path) -> Result<Option<PathBuf>> {
    let program = root.join("target/peers/gmsm");
    let built = Command::new("go")
        .args(["build", "-buildvcs=false", "-o"])
        .arg(&program)
        .arg(".")
        .current_dir(root.join("peers/gmsm"))
        .stdout(std::io::stderr())
        .status();
    match built {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).context("cannot run go"),
        Ok(status) if !status.success() => bail!("go does not build peers/gmsm"),
        Ok(_) => Ok(Some(program)),
    }
}
