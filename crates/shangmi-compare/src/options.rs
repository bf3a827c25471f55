//! What to run and what to hear of it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::result::Group;

/// How long and how wide a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Profile {
    /// At most a minute on two cores.
    #[default]
    Quick,
    /// A quarter of an hour: more samples, a file of 1 GB, and memory watched over 10^6 operations.
    Full,
    /// Milliseconds a row: for tests, its numbers mean nothing.
    #[doc(hidden)]
    Smoke,
}

impl Profile {
    /// The name in [`Report::profile`](crate::result::Report::profile).
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
            Self::Smoke => "smoke",
        }
    }

    /// Time for all groups together.
    pub(crate) fn budget(self) -> Duration {
        match self {
            Self::Quick => Duration::from_secs(46),
            Self::Full => Duration::from_secs(300),
            Self::Smoke => Duration::from_millis(600),
        }
    }

    /// Least and most samples of a row.
    pub(crate) fn samples(self) -> (u32, u32) {
        match self {
            Self::Quick => (5, 25),
            Self::Full => (9, 101),
            Self::Smoke => (1, 2),
        }
    }
}

/// What to run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How long and how wide.
    pub profile: Profile,
    /// The groups to run; empty means all.
    pub only: Vec<Group>,
    /// The program `shangmi`, whose `hash` the group `hash-tree` sets beside other programs; `None`: those rows are
    /// left out.
    pub program: Option<PathBuf>,
    /// Where the files of the groups `hash-file` and `hash-tree` are put for the time of the run; `None`: the system's
    /// temporary directory.
    pub temporary_directory: Option<PathBuf>,
}

impl Options {
    /// The groups to run, in the report's order, each once.
    #[must_use]
    pub fn groups(&self) -> Vec<Group> {
        Group::ALL
            .into_iter()
            .filter(|group| self.only.is_empty() || self.only.contains(group))
            .collect()
    }
}

/// What a run tells while it works.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// Known answers were checked; measuring begins.
    Started {
        /// Batches to come.
        batches: usize,
        /// Time that is planned for them.
        planned_seconds: f64,
    },
    /// A batch of rows begins.
    Batch {
        /// Its number, from 0.
        index: usize,
        /// All batches.
        batches: usize,
        /// Part of the suite.
        group: Group,
        /// What is done.
        operation: String,
        /// On how many bytes.
        bytes: Option<u64>,
    },
    /// The batches are done; an equal load and many repetitions begin.
    Load {
        /// All batches.
        batches: usize,
    },
    /// All is measured.
    Finished {
        /// Rows in the report.
        rows: usize,
        /// Time that the run took.
        seconds: f64,
    },
}

/// Why a run ended without a report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Every subject was refused or failed.
    #[error("nothing could be measured: every subject was refused")]
    NothingMeasured,
    /// A timed operation failed although it had passed its known answer.
    #[error("a timed operation failed although it had passed its known answer")]
    Operation,
    /// The process that runs without special instructions ended or answered nonsense.
    #[error("the process for the software rows failed: {0}")]
    Masked(String),
    /// The process that repeats an operation ended or answered nonsense.
    #[error("the process that repeats an operation failed: {0}")]
    Repeating(String),
    /// A file could not be made or read.
    #[error("cannot use the file {path}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
