//! Small files: read beside each other into one buffer, and hashed together.

use std::ops::Range;

use super::digest::{self, Algorithms};
use super::pool::Deferred;
use super::read::{self, Opened};
use super::{Done, Hashed, Job, ReadError, Status};
use crate::progress::Progress;

/// Longest file that is read whole. Longer ones share the lanes piece by piece, which costs less memory.
const WHOLE: u64 = 1024 * 1024;

/// Bytes of the buffer. Only what files fill is ever touched: with files of a few KiB, [`ENOUGH`].
const BUFFER: usize = 32 * 1024 * 1024;

/// Bytes to hash together: they are still in the core's second-level cache when they are hashed.
const ENOUGH: usize = 384 * 1024;

/// Files to hash together, whatever their lengths: twice the lanes of the widest kernel.
const FEW: usize = 64;

/// Reads and hashes the small files of a run of jobs.
pub(super) struct Batch<T, P> {
    buffer: Vec<u8>,
    used: usize,
    read: Vec<Read<T>>,
    work: Sorted<T, P>,
}

/// What became of a run of jobs.
pub(super) struct Sorted<T, P> {
    /// Answers, each with the number of its job.
    pub(super) answers: Vec<(u64, Done<T, P>)>,
    /// Files that are too long, or have no length.
    pub(super) deferred: Vec<Deferred<T>>,
}

/// A file in the buffer.
struct Read<T> {
    file: Deferred<T>,
    status: Status,
    place: Range<usize>,
}

impl<T, P> Batch<T, P> {
    pub(super) fn new() -> Self {
        Self {
            buffer: Vec::new(),
            used: 0,
            read: Vec::new(),
            work: Sorted::default(),
        }
    }

    /// Does the jobs, numbered from `first`, as far as they are small files.
    pub(super) fn run(
        &mut self,
        first: u64,
        jobs: Vec<Job<T, P>>,
        progress: &Progress,
    ) -> Sorted<T, P> {
        for (number, job) in (first..).zip(jobs) {
            match job {
                Job::Pass(pass) => self.work.answers.push((number, Done::Passed(pass))),
                Job::Hash {
                    source,
                    algorithms,
                    tag,
                } => self.read(Deferred::new(number, source, algorithms, tag), progress),
            }
        }
        self.flush(progress);
        std::mem::take(&mut self.work)
    }

    /// Reads one file, or puts it off when it is too long, or has no length.
    fn read(&mut self, mut file: Deferred<T>, progress: &Progress) {
        match self.try_read(&mut file, progress) {
            Ok(Some((status, place))) => self.read.push(Read {
                file,
                status,
                place,
            }),
            Ok(None) => self.work.deferred.push(file),
            Err(error) => {
                progress.advance_files(1);
                self.work.answers.push(file.answer(Err(error)));
            }
        }
    }

    fn try_read(
        &mut self,
        file: &mut Deferred<T>,
        progress: &Progress,
    ) -> Result<Option<(Status, Range<usize>)>, ReadError> {
        if file.is_stdin() {
            return Ok(None);
        }
        let (fd, status) = match read::open(&file.source)? {
            Opened::Regular(fd, status) if status.size <= WHOLE => (fd, status),
            Opened::Regular(_, status) => {
                file.size = status.size;
                return Ok(None);
            }
            Opened::Other(pipe) => {
                file.pipe = Some(pipe);
                return Ok(None);
            }
        };
        let size = usize::try_from(status.size).expect("it is at most WHOLE");
        self.make_room(size + 1, progress);
        let room = self.used..self.used + size + 1;
        if !read::read_whole(&fd, &status, &mut self.buffer[room])? {
            return Ok(None);
        }
        let place = self.used..self.used + size;
        self.used += size;
        Ok(Some((status, place)))
    }

    /// Hashes what is there when it is enough, or when `size` bytes more do not fit.
    fn make_room(&mut self, size: usize, progress: &Progress) {
        if self.buffer.is_empty() {
            // Zeroed pages come from the system when they are first touched.
            self.buffer = vec![0; BUFFER];
        }
        let enough = self.used >= ENOUGH && self.read.len() >= FEW;
        if enough || self.used + size > self.buffer.len() {
            self.flush(progress);
        }
    }

    /// Hashes all files that are in the buffer.
    fn flush(&mut self, progress: &Progress) {
        let messages: Vec<(&[u8], Algorithms)> = self
            .read
            .iter()
            .map(|read| (&self.buffer[read.place.clone()], read.file.algorithms))
            .collect();
        let digests = digest::digest_many(&messages);
        progress.advance_files(self.read.len() as u64);
        progress.advance(self.used as u64);
        self.used = 0;
        for (read, digests) in self.read.drain(..).zip(digests) {
            let hashed = Hashed {
                digests,
                length: read.status.size,
                status: read.status,
            };
            self.work.answers.push(read.file.answer(Ok(hashed)));
        }
    }
}

impl<T, P> Default for Sorted<T, P> {
    fn default() -> Self {
        Self {
            answers: Vec::new(),
            deferred: Vec::new(),
        }
    }
}
