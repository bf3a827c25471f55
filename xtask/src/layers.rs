//! `cargo xtask layers`: dependencies between our crates point down only, and
//! `unsafe` stays in the files that are listed for it.

mod arrows;
mod unsafe_code;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::Deserialize;

use crate::checkout;

pub(crate) fn run() -> Result<()> {
    let faults = check(&checkout::root()?)?;
    if faults.is_empty() {
        Ok(())
    } else {
        bail!("{}", faults.join("\n"))
    }
}

/// What is wrong in the tree at `root`, a line each.
fn check(root: &Path) -> Result<Vec<String>> {
    let members = members(root)?;
    let mut faults = arrows::faults(root, &members)?;
    faults.extend(unsafe_code::faults(root, &members)?);
    Ok(faults)
}

#[derive(Deserialize)]
struct Root {
    workspace: Workspace,
}

#[derive(Deserialize)]
struct Workspace {
    members: Vec<String>,
    /// Crates of ours that are workspaces of their own.
    #[serde(default)]
    exclude: Vec<String>,
}

/// The directories of our crates, inside the workspace and beside it.
fn members(root: &Path) -> Result<Vec<String>> {
    let Workspace { members, exclude } = read_manifest::<Root>(root, "Cargo.toml")?.workspace;
    Ok([members, exclude].concat())
}

fn read_manifest<T: for<'de> Deserialize<'de>>(root: &Path, path: &str) -> Result<T> {
    let text =
        fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))?;
    toml::from_str(&text).with_context(|| format!("cannot read {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// A tree with the two crates shangmi and shangmi-pki.
    fn tree(shangmi: &str, pki: &str, source: &str) -> TempDir {
        let tree = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = tree.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "Cargo.toml",
            "[workspace]\nmembers = ['crates/shangmi', 'crates/shangmi-pki']\n",
        );
        write(
            "crates/shangmi/Cargo.toml",
            &format!("[package]\nname = 'shangmi'\n{shangmi}"),
        );
        write(
            "crates/shangmi-pki/Cargo.toml",
            &format!("[package]\nname = 'shangmi-pki'\n{pki}"),
        );
        write("crates/shangmi/src/sm3/deep.rs", source);
        write("crates/shangmi-pki/src/lib.rs", "");
        tree
    }

    fn faults(shangmi: &str, pki: &str, source: &str) -> Vec<String> {
        check(tree(shangmi, pki, source).path()).unwrap()
    }

    const DOWN: &str = "[dependencies]\nshangmi.workspace = true\nder = '1'\n";

    #[test]
    fn arrows_down_are_allowed() {
        assert_eq!(faults("", DOWN, ""), [""; 0]);
        assert_eq!(
            faults("[dev-dependencies]\nreference = '1'\n", DOWN, ""),
            [""; 0]
        );
    }

    #[test]
    fn an_arrow_up_is_found_in_every_table() {
        for table in [
            "dependencies",
            "build-dependencies",
            "dev-dependencies",
            "target.'cfg(unix)'.dependencies",
        ] {
            let upward = format!("[{table}]\nshangmi-pki = {{ path = '../shangmi-pki' }}\n");
            let found = faults(&upward, DOWN, "");
            assert_eq!(found.len(), 1, "{table}");
            assert!(
                found[0].contains("shangmi must not depend on shangmi-pki"),
                "{}",
                found[0]
            );
        }
    }

    #[test]
    fn an_arrow_under_another_name_is_found() {
        let renamed =
            "[dependencies]\npki = { package = 'shangmi-pki', path = '../shangmi-pki' }\n";
        assert_eq!(faults(renamed, DOWN, "").len(), 1);
    }

    #[test]
    fn the_specification_is_for_tests_alone() {
        assert_eq!(
            faults("[dependencies]\nreference = '1'\n", DOWN, "").len(),
            1
        );
    }

    #[test]
    fn a_crate_without_a_layer_is_found() {
        let tree = tree("", "", "");
        let manifest = tree.path().join("crates/shangmi-pki/Cargo.toml");
        fs::write(manifest, "[package]\nname = 'shangmi-new'\n").unwrap();
        let found = check(tree.path()).unwrap();
        assert_eq!(found.len(), 1);
        assert!(
            found[0].contains("shangmi-new has no layer"),
            "{}",
            found[0]
        );
    }

    #[test]
    fn a_crate_beside_the_workspace_is_checked() {
        let tree = tree("", "", "");
        let root = tree.path().join("Cargo.toml");
        let text = "[workspace]\nmembers = ['crates/shangmi']\nexclude = ['crates/shangmi-pki']\n";
        fs::write(root, text).unwrap();
        let code = tree.path().join("crates/shangmi-pki/src/lib.rs");
        fs::write(code, "unsafe fn f() {}\n").unwrap();
        assert_eq!(
            check(tree.path()).unwrap(),
            ["crates/shangmi-pki/src/lib.rs:1: unsafe in a file not listed for it"]
        );
    }

    #[test]
    fn unsafe_code_is_found_with_its_line() {
        let source =
            "/// unsafe\nfn f() {\n    // unsafe\n    let _ = \"unsafe\";\n    unsafe { g() }\n}\n";
        let found = faults("", DOWN, source);
        assert_eq!(found.len(), 1);
        assert!(
            found[0].starts_with("crates/shangmi/src/sm3/deep.rs:5: "),
            "{}",
            found[0]
        );
        assert_eq!(faults("", DOWN, "#![deny(unsafe_code)]\n"), [""; 0]);
    }

    #[test]
    fn unsafe_code_inside_a_macro_is_found() {
        assert_eq!(
            faults("", DOWN, "macro_rules! m { () => { unsafe { 1 } } }\n").len(),
            1
        );
    }

    #[test]
    fn this_checkout_keeps_its_layers() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        assert_eq!(check(root).unwrap(), [""; 0]);
    }
}
