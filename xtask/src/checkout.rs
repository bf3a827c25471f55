//! Where the checkout is.

use std::path::PathBuf;

use anyhow::{Context, Result};

/// The root of the checkout: the directory above this package, as cargo tells it.
pub(crate) fn root() -> Result<PathBuf> {
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .context("CARGO_MANIFEST_DIR is not set: run this as `cargo xtask`")?;
    let mut root = PathBuf::from(package);
    root.pop();
    Ok(root)
}
