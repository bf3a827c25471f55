//! `shangmi manifest compare`.

use std::path::PathBuf;

use anyhow::Result;

use super::common;
use super::report::{self, Words};
use crate::bulk::Algorithms;
use crate::failure::{Failure, Outcome};
use crate::input::check_one_stdin;
use crate::manifest::{compare, read};
use crate::ui::{self, Format};

/// Compare two manifests: what was added, removed, changed and moved
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi manifest compare monday.manifest friday.manifest
  shangmi manifest make DIR | shangmi manifest compare DIR.manifest -
  shangmi manifest compare --json OLD NEW

The two may be of either form. A file that is gone under one name and has come
under another, with the same content, has moved; empty files do not move. Times
and inodes may differ.

Exit status: 0 the trees are equal; 1 they differ; 2 no difference, but some
files were not read for one of the manifests, or wrong usage.")]
pub(crate) struct Args {
    /// The earlier manifest, or '-'
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The later manifest, or '-'
    #[arg(value_name = "NEW")]
    new: PathBuf,
}

const WORDS: Words = Words {
    added: "added",
    removed: "removed",
    differ: "the manifests differ",
    agree: "the manifests are of equal trees",
};

/// Compares the two.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    check_one_stdin(&[&args.old, &args.new])?;
    let old = read::read(&args.old)?;
    let new = read::read(&args.new)?;
    let algorithms = common(old.algorithms, new.algorithms);
    if algorithms == Algorithms::default() {
        return Err(Failure::trouble(
            format!(
                "{} and {} have no digest function in common",
                ui::quote(&args.old),
                ui::quote(&args.new)
            ),
            "make one of them again with -a sm3,sha256",
        )
        .into());
    }
    let differences = compare::compare(&old.records, &new.records, algorithms);
    let differences = compare::find_moves(differences, &old.records, &new.records, algorithms);
    report::print(&differences, &WORDS, format)
}
