//! `shangmi manifest check`.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::ReadOptions;
use super::report::{self, Words};
use crate::bulk::{Digests, Links};
use crate::failure::Outcome;
use crate::manifest::scan::Scan;
use crate::manifest::write::Place;
use crate::manifest::{Content, FileRecord, Record, compare, read};
use crate::progress::Progress;
use crate::ui::Format;

/// Check a tree against a manifest: every file is read
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi manifest check DIR.manifest DIR
  cd DIR && shangmi manifest check ../DIR.manifest
  shangmi manifest check --json DIR.manifest DIR

A line tells what is missing, extra, changed (its kind, size, content or
target), unreadable now, or unrecorded: the manifest has no digest for it. The
manifest itself, when it is in the tree, does not count. Times and inodes may
differ. Give --follow when the manifest was made with it.

Exit status: 0 all as recorded; 1 something is missing, extra or changed; 2 no
such thing, but a file could not be read, or wrong usage.")]
pub(crate) struct Args {
    /// The manifest, or '-'
    #[arg(value_name = "MANIFEST")]
    manifest: PathBuf,
    /// The root of the tree
    #[arg(value_name = "DIR", default_value = ".")]
    directory: PathBuf,
    /// Follow symbolic links found in the tree
    #[arg(long)]
    follow: bool,
    #[command(flatten)]
    reading: ReadOptions,
}

const WORDS: Words = Words {
    added: "extra",
    removed: "missing",
    differ: "the tree is not what the manifest says",
    agree: "the tree is what the manifest says",
};

/// Checks the tree.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    let manifest = read::read(&args.manifest)?;
    let place = match fs::metadata(&args.manifest) {
        Ok(metadata) if metadata.is_file() => Some(Place::new(&args.manifest)?),
        _ => None,
    };
    let own: Vec<&Path> = place
        .as_ref()
        .map_or(Vec::new(), |place| place.files().to_vec());
    let progress = Progress::of_files(|| None);
    let engine = args.reading.engine();
    let mut scan = Scan::new(
        &args.directory,
        &own,
        manifest.algorithms,
        engine,
        &progress,
    )?;
    scan.settle = false;
    if args.follow {
        scan.links = Links::Follow;
    }
    let expected: HashMap<&[u8], &Record> = manifest
        .records
        .iter()
        .map(|record| (record.name.as_slice(), record))
        .collect();
    let differs = |name: &[u8], status: &Metadata| {
        let recorded = expected.get(name).map(|record| &record.content);
        differs_unread(recorded, status).then(|| (unread(name, status), ()))
    };
    let scanned = scan.run(Some(&differs), &mut |_| Ok(()))?;
    drop(progress);
    let found: Vec<Record> = scanned.into_iter().map(|scanned| scanned.record).collect();
    let differences = compare::compare(&manifest.records, &found, manifest.algorithms);
    report::print(&differences, &WORDS, format)
}

/// Whether a file need not be read to know that it differs: it is new, or was no file, or had another
/// size. One that could not be read for the manifest is tried again.
fn differs_unread(recorded: Option<&Content>, status: &Metadata) -> bool {
    match recorded {
        None => true,
        Some(Content::File(file)) => file.size != status.len(),
        Some(Content::Other(kind, _)) => !kind.is_failure(),
    }
}

/// The record of a file that was not read.
fn unread(name: &[u8], status: &Metadata) -> Record {
    Record {
        name: name.to_vec(),
        content: Content::File(FileRecord {
            size: status.len(),
            modified: None,
            inode: None,
            digests: Digests::default(),
        }),
    }
}
