//! The files behind the arguments: directories are walked in sorted order.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::ui;

/// What an argument or an entry of a directory is.
pub(crate) enum Entry {
    File { path: PathBuf, length: Option<u64> },
    Skipped { path: PathBuf, reason: &'static str },
    Failed { error: anyhow::Error },
}

/// Everything to hash, in order.
///
/// An argument that is no directory is taken as it is: a pipe or a device may be meant.
pub(crate) fn walk(arguments: &[PathBuf], follow_links: bool) -> Vec<Entry> {
    let mut entries = Vec::new();
    for argument in arguments {
        let metadata = std::fs::metadata(argument).ok();
        if metadata.as_ref().is_some_and(Metadata::is_dir) && argument != Path::new("-") {
            entries.extend(below(argument, follow_links));
        } else {
            let length = metadata
                .filter(Metadata::is_file)
                .map(|metadata| metadata.len());
            entries.push(Entry::File {
                path: argument.clone(),
                length,
            });
        }
    }
    entries
}

/// Bytes in all, when every length is known.
pub(crate) fn total_bytes(entries: &[Entry]) -> Option<u64> {
    entries.iter().try_fold(0u64, |total, entry| match entry {
        Entry::File { length, .. } => total.checked_add((*length)?),
        Entry::Skipped { .. } | Entry::Failed { .. } => Some(total),
    })
}

fn below(directory: &Path, follow_links: bool) -> impl Iterator<Item = Entry> {
    WalkDir::new(directory)
        .follow_links(follow_links)
        .sort_by_file_name()
        .into_iter()
        .filter_map(|found| found.map_or_else(|error| Some(failed(error)), classify))
}

fn classify(found: walkdir::DirEntry) -> Option<Entry> {
    let kind = found.file_type();
    let skipped = |path, reason| Some(Entry::Skipped { path, reason });
    if kind.is_dir() {
        None
    } else if kind.is_file() {
        let length = found.metadata().ok().map(|metadata| metadata.len());
        Some(Entry::File {
            path: found.into_path(),
            length,
        })
    } else if kind.is_symlink() {
        skipped(found.into_path(), "a symbolic link (--follow follows it)")
    } else {
        skipped(found.into_path(), "not a regular file")
    }
}

fn failed(error: walkdir::Error) -> Entry {
    let name = error.path().map_or_else(String::new, ui::quote);
    let what = format!("cannot read {name}");
    let looped = error.loop_ancestor().is_some();
    let cause = error.into_io_error().map_or_else(
        || {
            anyhow::anyhow!(if looped {
                "a symbolic link leads back to a parent"
            } else {
                "unknown"
            })
        },
        anyhow::Error::from,
    );
    Entry::Failed {
        error: cause.context(what),
    }
}
