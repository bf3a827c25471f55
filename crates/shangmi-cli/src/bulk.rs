//! Many files at once: found in sorted order, hashed in batches on all cores, answered in order.
//!
//! ```text
//! names --walk--> Found --caller--> Job --schedule--> read | stream --> Done, in the jobs' order
//! ```
//!
//! - [`Walk`] finds the files behind names; what is no file, or cannot be read, is an item too.
//! - [`Engine::run`] takes jobs from any iterator and hands each answer to one closure, on the
//!   calling thread and in the order of the jobs. One bad file never stops the others.
//!
//! Small files are read whole, many beside each other, and SM3 hashes them in parallel lanes; long
//! ones share the lanes piece by piece, and the last few of them are read ahead of the hashing. Nothing is mapped into memory: a file that somebody cuts
//! short while it is mapped kills the process, and reading costs a few per cent of SM3's time.

mod batch;
mod digest;
mod lanes;
mod pool;
mod read;
mod schedule;
mod stream;
mod walk;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Result;

pub(crate) use digest::{Algorithm, Algorithms, Digest, Digests};
pub(crate) use walk::{Found, Kind, Links, Walk};

use crate::failure::Failure;
use crate::progress::Progress;
use crate::ui;

/// One step of the work. `T` is what the caller wants to know again with a file's answer, `P` what
/// he has to say in between.
#[derive(Debug)]
pub(crate) enum Job<T, P> {
    Hash {
        source: Source,
        algorithms: Algorithms,
        tag: T,
    },
    /// Nothing to read: it comes back in its place among the answers.
    Pass(P),
}

/// A file to be read, and how its name came to us.
#[derive(Debug)]
pub(crate) enum Source {
    /// By a walk: a regular file, and no symbolic link. Anything else that is there is an error.
    Found(PathBuf),
    /// From a person: links are followed, pipes and devices are read; `-` is standard input.
    Named(PathBuf),
}

/// The answer to a job.
#[derive(Debug)]
pub(crate) enum Done<T, P> {
    /// The file was read and stayed the same meanwhile.
    Hashed {
        path: PathBuf,
        tag: T,
        file: Hashed,
    },
    Failed {
        path: PathBuf,
        tag: T,
        error: ReadError,
    },
    Passed(P),
}

/// What was learnt about a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hashed {
    pub(crate) digests: Digests,
    /// Bytes that were read.
    pub(crate) length: u64,
    /// As it was when it was opened; standard input has none when the system refuses it.
    pub(crate) status: Status,
}

/// What the system says about a file: who it is, and whether it changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) size: u64,
    /// Last modification: seconds and nanoseconds since 1970.
    pub(crate) modified: (i64, i64),
}

/// Why a file has no digest.
#[derive(Debug)]
pub(crate) enum ReadError {
    Open(io::Error),
    Read(io::Error),
    /// It was a regular file when it was found, and is none now.
    NotRegular,
    /// Its size or time of modification was another after it had been read.
    Changed,
}

impl ReadError {
    /// Whether there is no such file.
    pub(crate) fn is_missing(&self) -> bool {
        matches!(self, Self::Open(error) if error.kind() == io::ErrorKind::NotFound)
    }

    /// The error with the name of the file and what to do about it.
    pub(crate) fn of(self, path: &Path) -> anyhow::Error {
        let name = ui::quote(path);
        match self {
            Self::Open(error) => anyhow::Error::from(error).context(format!("cannot open {name}")),
            Self::Read(error) => anyhow::Error::from(error).context(format!("cannot read {name}")),
            Self::NotRegular => Failure::trouble(
                format!("{name} is no longer the regular file that it was"),
                "something replaces files here; run it again when all is quiet",
            )
            .into(),
            Self::Changed => Failure::trouble(
                format!("{name} changed while it was read"),
                "something writes to it; run it again when all is quiet, or hash a copy",
            )
            .into(),
        }
    }
}

/// How the work is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Engine {
    /// Threads that read and hash; one means the calling thread alone.
    pub(crate) threads: NonZeroUsize,
}

impl Engine {
    /// As many threads as the process may use at once, or `threads`.
    pub(crate) fn new(threads: Option<NonZeroUsize>) -> Self {
        let all = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self {
            threads: threads.unwrap_or_else(all),
        }
    }

    /// Does every job and hands each answer to `answer`, on this thread, in the order of `jobs`.
    ///
    /// # Errors
    /// The first error of `answer`, which ends the work.
    pub(crate) fn run<T: Send, P: Send>(
        &self,
        jobs: impl Iterator<Item = Job<T, P>> + Send,
        progress: &Progress,
        answer: impl FnMut(Done<T, P>) -> Result<()>,
    ) -> Result<()> {
        schedule::run(self.threads, jobs, progress, answer)
    }
}
