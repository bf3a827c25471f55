//! Manifests: what a tree holds, file by file, so that it can be checked, compared and re-read fast.
//!
//! ```text
//! tree --scan--> records --write--> manifest --read--> records --compare--> differences
//!         ^                             |
//!         +---- journal, old manifest --+      (digests of files that have not changed)
//! ```
//!
//! The two file formats are specified in `docs/manifest.md`.

pub(crate) mod compare;
pub(crate) mod duplicates;
pub(crate) mod escape;
pub(crate) mod journal;
mod json;
pub(crate) mod link;
pub(crate) mod read;
pub(crate) mod record;
pub(crate) mod scan;
mod text;
pub(crate) mod time;
pub(crate) mod write;

pub(crate) use record::{Content, FileRecord, Kind, Record};

use crate::bulk::{Algorithm, Algorithms};

/// A tree at one time.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// The digests of every file.
    pub(crate) algorithms: Algorithms,
    /// In byte order of their names, no name twice.
    pub(crate) records: Vec<Record>,
}

/// How a manifest is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Form {
    /// Columns between tabs, a line for each name
    Text,
    /// JSON lines: an object for each name
    Jsonl,
}

/// The functions in the order of their columns.
const COLUMNS: [Algorithm; 2] = [Algorithm::Sm3, Algorithm::Sha256];

/// The functions of a set, in the order of their columns.
pub(crate) fn columns(algorithms: Algorithms) -> impl Iterator<Item = Algorithm> {
    COLUMNS
        .into_iter()
        .filter(move |&column| algorithms.contains(column))
}

/// Reads the name of a function, as manifests write it.
fn algorithm(name: &str) -> Option<Algorithm> {
    COLUMNS.into_iter().find(|column| column.key() == name)
}
