//! Long files beside each other: a piece of each in turn, and SM3 hashes the pieces together.
//!
//! A worker fills its places with files that were put off, and a file that ends makes room for the next one. One
//! stream waits for its own results; so the last few files, for which lanes no longer pay, go on as streams.

use shangmi::sm3::{self, MultiSm3, Sm3};

use super::digest::Hasher;
use super::pool::Deferred;
use super::read::{self, Opened};
use super::stream::Begun;
use super::{Done, Hashed, ReadError};
use crate::progress::Progress;

/// Files of one worker: the lanes of the widest kernel.
pub(super) const LANES: usize = 32;

/// From this number of files down, each is as fast alone, and can be read ahead.
pub(super) const ALONE: usize = 2;

/// Files that all workers may have open: system-wide defaults allow a process 1024.
const OPEN: usize = 512;

/// Bytes of a piece: those of all lanes stay in the core's second-level cache. 16 and 64 KiB are as fast.
const PIECE: usize = 32 * 1024;

/// Files that each of `workers` may have in its lanes; none where lanes do not pay.
pub(super) fn places(workers: usize) -> usize {
    if sm3::many_backend() == Sm3::new().backend() {
        return 0;
    }
    (OPEN / workers.max(1)).clamp(ALONE + 1, LANES)
}

/// The files that one worker hashes together.
pub(super) struct Lanes<T> {
    hash: Box<MultiSm3<LANES>>,
    files: [Option<File<T>>; LANES],
    /// A piece for every place.
    buffer: Vec<u8>,
}

/// A file in its place.
struct File<T> {
    job: Deferred<T>,
    /// What is read and, unless it is SM3 alone, hashed besides.
    begun: Begun,
}

impl<T> Lanes<T> {
    pub(super) fn new() -> Self {
        Self {
            hash: Box::default(),
            files: [const { None }; LANES],
            buffer: Vec::new(),
        }
    }

    /// Files that are being hashed.
    pub(super) fn len(&self) -> usize {
        self.files.iter().flatten().count()
    }

    /// Puts a regular file in a free place; returns the answer if it cannot be read.
    pub(super) fn begin<P>(
        &mut self,
        job: Deferred<T>,
        progress: &Progress,
    ) -> Option<(u64, Done<T, P>)> {
        match read::open(&job.source) {
            Ok(Opened::Regular(file, status)) => {
                let begun = Begun::new(file, status, Hasher::beside_sm3(job.algorithms));
                let free = self.files.iter_mut().find(|place| place.is_none());
                *free.expect("no more files are begun than there are places") =
                    Some(File { job, begun });
                None
            }
            Ok(Opened::Other(_)) => Some(done(job, Err(ReadError::NotRegular), progress)),
            Err(error) => Some(done(job, Err(error), progress)),
        }
    }

    /// Hashes a piece of every file; returns the answers of those that end.
    pub(super) fn advance<P>(&mut self, progress: &Progress) -> Vec<(u64, Done<T, P>)> {
        if self.buffer.is_empty() {
            self.buffer = vec![0; LANES * PIECE];
        }
        let mut pieces: [&[u8]; LANES] = [&[]; LANES];
        let mut ended = Vec::new();
        let rooms = self.buffer.chunks_exact_mut(PIECE);
        for (place, (room, slot)) in rooms.zip(&mut self.files).enumerate() {
            let Some(file) = slot else { continue };
            match file.begun.read(room) {
                Ok(read) => {
                    pieces[place] = &room[..read];
                    progress.advance(read as u64);
                    if read < PIECE {
                        ended.push((place, Ok(())));
                    }
                }
                Err(error) => ended.push((place, Err(error))),
            }
        }
        self.hash.update(&pieces);
        let answers = ended.into_iter().filter_map(|(place, read)| {
            let (job, begun) = take(&mut self.files, &mut self.hash, place)?;
            let hashed = read.and_then(|()| begun.end());
            Some(done(job, hashed, progress))
        });
        answers.collect()
    }

    /// Takes out all files, to go on as streams.
    pub(super) fn leave(&mut self) -> impl Iterator<Item = Deferred<T>> {
        (0..LANES).filter_map(|place| {
            let (mut job, begun) = take(&mut self.files, &mut self.hash, place)?;
            job.begun = Some(Box::new(begun));
            Some(job)
        })
    }
}

/// The file in `place`, if there is one, with its SM3.
fn take<T>(
    files: &mut [Option<File<T>>; LANES],
    hash: &mut MultiSm3<LANES>,
    place: usize,
) -> Option<(Deferred<T>, Begun)> {
    let File { job, mut begun } = files[place].take()?;
    begun.hasher.join(hash.take(place)?);
    Some((job, begun))
}

fn done<T, P>(
    job: Deferred<T>,
    hashed: Result<Hashed, ReadError>,
    progress: &Progress,
) -> (u64, Done<T, P>) {
    progress.advance_files(1);
    job.answer(hashed)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::path::PathBuf;

    use super::*;
    use crate::bulk::{Algorithm, Algorithms, Engine, Job, Source};

    const MIB: usize = 1024 * 1024;

    /// Longer than what is read whole, of lengths around the pieces.
    fn write_files(directory: &std::path::Path, count: usize) -> Vec<(PathBuf, Vec<u8>)> {
        let lengths = [MIB + 1, MIB + PIECE - 1, MIB + PIECE, 3 * MIB, 2 * MIB + 63];
        let file = |i: usize| {
            let path = directory.join(i.to_string());
            let content: Vec<u8> = (i..i + lengths[i % 5]).map(|j| (j % 251) as u8).collect();
            std::fs::write(&path, &content).unwrap();
            (path, content)
        };
        (0..count).map(file).collect()
    }

    /// More files than lanes, as many as lanes, and few; SM3 alone, and SHA-256 besides.
    #[test]
    fn long_files_have_their_digests() {
        let directory = tempfile::tempdir().unwrap();
        let files = write_files(directory.path(), 40);
        let both: Algorithms = [Algorithm::Sm3, Algorithm::Sha256].into_iter().collect();
        for (threads, count) in [(1, 1), (1, 3), (1, 40), (2, 32), (2, 4), (8, 40)] {
            let algorithms = |i: usize| match i % 3 {
                0 => both,
                _ => Algorithm::Sm3.into(),
            };
            let jobs =
                files[..count]
                    .iter()
                    .enumerate()
                    .map(|(i, (path, _))| Job::<usize, ()>::Hash {
                        source: Source::Found(path.clone()),
                        algorithms: algorithms(i),
                        tag: i,
                    });
            let mut next = 0;
            let engine = Engine::new(NonZeroUsize::new(threads));
            let ended = engine.run(jobs, &Progress::new(None), |done| {
                let Done::Hashed { tag, file, .. } = done else {
                    panic!("{done:?}")
                };
                let content = &files[tag].1;
                let sm3 = sm3::digest(content);
                assert_eq!(file.digests.get(Algorithm::Sm3), Some(&sm3), "file {tag}");
                let sha256 = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, content);
                let found = file.digests.get(Algorithm::Sha256).map(|found| &found[..]);
                assert_eq!(
                    found,
                    (tag % 3 == 0).then_some(sha256.as_ref()),
                    "file {tag}"
                );
                assert_eq!(file.length, content.len() as u64);
                assert_eq!(tag, next);
                next += 1;
                Ok(())
            });
            ended.unwrap();
            assert_eq!(next, count);
        }
    }

    #[test]
    fn files_that_change_or_vanish_leave_the_others_alone() {
        let directory = tempfile::tempdir().unwrap();
        let files = write_files(directory.path(), 5);
        let progress = Progress::new(None);
        let mut lanes = Lanes::new();
        let mut answers = Vec::new();
        std::fs::remove_file(&files[1].0).unwrap();
        for (number, (path, _)) in (0..).zip(&files) {
            let source = Source::Found(path.clone());
            let job = Deferred::new(number, source, Algorithm::Sm3.into(), ());
            answers.extend(lanes.begin::<()>(job, &progress));
        }
        assert_eq!((lanes.len(), answers.len()), (4, 1));
        answers.extend(lanes.advance(&progress));
        std::fs::write(&files[3].0, b"short").unwrap();
        while lanes.len() > 0 {
            answers.extend(lanes.advance(&progress));
        }
        answers.sort_unstable_by_key(|(number, _)| *number);
        for (number, done) in answers {
            let content = &files[usize::try_from(number).unwrap()].1;
            match done {
                Done::Failed { error, .. } if number == 1 => assert!(error.is_missing()),
                Done::Failed { error, .. } => {
                    assert!(
                        number == 3 && matches!(error, ReadError::Changed),
                        "{error:?}"
                    );
                }
                Done::Hashed { file, .. } => {
                    let expected = sm3::digest(content);
                    assert_eq!(
                        file.digests.get(Algorithm::Sm3),
                        Some(&expected),
                        "{number}"
                    );
                }
                Done::Passed(()) => panic!("nothing was passed on"),
            }
        }
    }
}
