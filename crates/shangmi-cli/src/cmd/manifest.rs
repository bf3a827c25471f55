//! `shangmi manifest`: what a tree holds; makes, checks and compares lists of it.

mod check;
mod compare;
mod duplicates;
mod make;
mod report;

use std::num::NonZeroUsize;

use anyhow::Result;

use crate::bulk::{Algorithm, Algorithms, Engine};
use crate::failure::Outcome;
use crate::ui::Format;

/// Make, check and compare manifests of a tree, and find duplicates
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi manifest make DIR -o DIR.manifest      list every file with its digest
  shangmi manifest make DIR -o DIR.manifest      again: only changed files are read
  shangmi manifest check DIR.manifest DIR        is the tree what it was?
  shangmi manifest compare OLD NEW               added, removed, changed, moved
  shangmi manifest duplicates DIR                files of the same content

docs/manifest.md describes the two forms of a manifest.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Make(make::Args),
    Check(check::Args),
    Compare(compare::Args),
    Duplicates(duplicates::Args),
}

/// Runs the action.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    match &args.action {
        Action::Make(args) => make::run(args, format),
        Action::Check(args) => check::run(args, format),
        Action::Compare(args) => compare::run(args, format),
        Action::Duplicates(args) => duplicates::run(args, format),
    }
}

/// How files are read.
#[derive(clap::Args, Clone, Copy, Debug)]
struct ReadOptions {
    /// Threads that read and hash [default: one for each processor]
    #[arg(long, value_name = "N")]
    num_threads: Option<NonZeroUsize>,
}

impl ReadOptions {
    fn engine(self) -> Engine {
        Engine::new(self.num_threads)
    }
}

/// The digests that both sides have.
fn common(a: Algorithms, b: Algorithms) -> Algorithms {
    let both = |algorithm: &Algorithm| a.contains(*algorithm) && b.contains(*algorithm);
    let all = [Algorithm::Sm3, Algorithm::Sha256];
    all.into_iter().filter(both).collect()
}
