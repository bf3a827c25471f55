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
//! ones are read ahead of the hashing. Nothing is mapped into memory: a file that somebody cuts
//! short while it is mapped kills the process, and reading costs a few per cent of SM3's time.

mod batch;
mod digest;
mod read;
mod schedule;
mod stream;
mod walk;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;

pub(crate) use digest::{Algorithm, Algorithms, Digest, Digests};
pub(crate) use walk::{Found, Kind, Links, Walk};

use crate::progress::Progress;

/// One step of the work; `T` is whatever the caller wants to know again with the answer.
#[derive(Debug)]
pub(crate) struct Job<T> {
    pub(crate) task: Task,
    pub(crate) tag: T,
}

/// What is to be done for a job.
#[derive(Debug)]
pub(crate) enum Task {
    /// Hash what a walk found: a regular file, and no symbolic link.
    Regular(PathBuf, Algorithms),
    /// Hash what somebody named: any file, pipe or device; `-` is standard input.
    Named(PathBuf, Algorithms),
    /// Nothing: the tag comes back in its place among the answers.
    Pass,
}

/// The answer to a job.
#[derive(Debug)]
pub(crate) enum Done<T> {
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
    Passed(T),
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
    pub(crate) modified: (i64, u32),
}

/// Why a file has no digest.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error("cannot open")]
    Open(#[source] io::Error),
    #[error("cannot read")]
    Read(#[source] io::Error),
    /// It was a regular file when it was found, and is none now.
    #[error("no longer a regular file")]
    NotRegular,
    /// Its size or time of modification was another after it had been read.
    #[error("changed while it was read")]
    Changed,
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
    pub(crate) fn run<T: Send>(
        &self,
        jobs: impl Iterator<Item = Job<T>> + Send,
        progress: &Progress,
        answer: impl FnMut(Done<T>) -> Result<()>,
    ) -> Result<()> {
        schedule::run(self.threads, jobs, progress, answer)
    }
}
