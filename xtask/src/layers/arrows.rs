//! Which of our crates may depend on which.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use serde::Deserialize;
use toml::Value;

use super::read_manifest;

/// A crate and the crates below it. Tests of any crate may also use `reference`.
const LAYERS: [(&str, &[&str]); 9] = [
    ("reference", &[]),
    ("shangmi", &[]),
    ("shangmi-pki", &["shangmi"]),
    ("shangmi-compare", &["shangmi", "shangmi-pki", "reference"]),
    (
        "shangmi-cli",
        &["shangmi", "shangmi-pki", "shangmi-compare"],
    ),
    ("xtask", &["shangmi", "shangmi-pki", "reference"]),
    ("shangmi-peers", &["shangmi", "reference"]),
    ("shangmi-ct", &["shangmi"]),
    ("shangmi-examples", &["shangmi"]),
];

const FOR_TESTS: &str = "reference";

#[derive(Deserialize)]
struct Manifest {
    package: Package,
    #[serde(flatten)]
    tables: Tables,
    #[serde(default)]
    target: BTreeMap<String, Tables>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
}

type Dependencies = BTreeMap<String, Value>;

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Tables {
    #[serde(default)]
    dependencies: Dependencies,
    #[serde(default)]
    build_dependencies: Dependencies,
    #[serde(default)]
    dev_dependencies: Dependencies,
}

/// The dependencies that do not point down, and the members without a layer.
pub(super) fn faults(root: &Path, members: &[String]) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for member in members {
        let path = format!("{member}/Cargo.toml");
        let manifest: Manifest = read_manifest(root, &path)?;
        let name = &manifest.package.name;
        let Some((_, below)) = LAYERS.iter().find(|(layer, _)| layer == name) else {
            faults.push(format!(
                "{path}: {name} has no layer: add it to the list of layers"
            ));
            continue;
        };
        let tables = || manifest.target.values().chain([&manifest.tables]);
        let code = tables().flat_map(|t| t.dependencies.iter().chain(&t.build_dependencies));
        let tests = tables().flat_map(|t| &t.dev_dependencies);
        let upward = code
            .map(package_name)
            .filter(|other| !below.contains(other))
            .chain(
                tests
                    .map(package_name)
                    .filter(|other| !below.contains(other) && *other != FOR_TESTS),
            )
            .filter(|other| LAYERS.iter().any(|(layer, _)| layer == other));
        faults.extend(upward.map(|other| format!("{path}: {name} must not depend on {other}")));
    }
    Ok(faults)
}

/// The name of the package, which `package = ".."` may give instead of the key.
fn package_name<'a>((key, dependency): (&'a String, &'a Value)) -> &'a str {
    dependency
        .get("package")
        .and_then(Value::as_str)
        .unwrap_or(key)
}
