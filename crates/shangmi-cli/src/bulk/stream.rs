//! Long files, pipes and devices: read piece by piece, ahead of the hashing.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::digest::{Algorithms, Hasher};
use super::pool::Deferred;
use super::read::{self, Opened};
use super::{Hashed, ReadError, Status};
use crate::input;

/// Bytes of a piece when one thread reads and hashes in turn: it stays in the core's own cache.
const PIECE: usize = 128 * 1024;

/// Bytes of a piece that another thread reads: long enough that handing it over costs nothing.
const PIECE_AHEAD: usize = 512 * 1024;

/// Pieces on their way between the two threads.
const PIECES_AHEAD: usize = 4;

/// Shorter files are read before the other thread would have begun.
const WORTH_A_THREAD: u64 = 8 * 1024 * 1024;

/// Whether another thread may read while this one hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    Thread,
    Never,
}

/// Standard input has one end and is read by one thread: a second reader finds it empty.
static STDIN: Mutex<()> = Mutex::new(());

/// A regular file that is read, hashed so far.
pub(super) struct Begun {
    file: io::Take<File>,
    /// As it was when it was opened.
    before: Status,
    pub(super) hasher: Hasher,
    /// Bytes that were read.
    length: u64,
}

impl Begun {
    pub(super) fn new(file: File, before: Status, hasher: Hasher) -> Self {
        // Advice only: a file system that does not take it reads all the same.
        #[cfg(target_os = "linux")]
        let _ = rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::Sequential);
        // A file that grows may do so faster than it is read: one byte too many says enough. What the
        // system makes up has no length, and an end.
        let limit = match before.size {
            0 => u64::MAX,
            size => size + 1,
        };
        Self {
            file: file.take(limit),
            before,
            hasher,
            length: 0,
        }
    }

    /// Reads and hashes a piece; it is shorter than `room` at the end.
    pub(super) fn read(&mut self, room: &mut [u8]) -> Result<usize, ReadError> {
        let read = fill(&mut self.file, room).map_err(ReadError::Read)?;
        self.hasher.update(&room[..read]);
        self.length += read as u64;
        Ok(read)
    }

    /// Hashes the rest.
    fn hash(mut self, ahead: Ahead, count: impl FnMut(u64)) -> Result<Hashed, ReadError> {
        let ahead = if self.before.size.saturating_sub(self.length) < WORTH_A_THREAD {
            Ahead::Never
        } else {
            ahead
        };
        let rest = read_all(&mut self.file, &mut self.hasher, ahead, count);
        self.length += rest?;
        self.end()
    }

    /// The answer, at the end of the file.
    pub(super) fn end(self) -> Result<Hashed, ReadError> {
        read::check_unchanged(self.file.get_ref(), &self.before)?;
        Ok(Hashed {
            digests: self.hasher.finalize(),
            length: self.length,
            status: self.before,
        })
    }
}

/// Hashes a file to its end. `count` is told the bytes of each piece.
pub(super) fn hash<T>(
    job: &mut Deferred<T>,
    ahead: Ahead,
    count: impl FnMut(u64),
) -> Result<Hashed, ReadError> {
    if job.is_stdin() {
        let _alone = STDIN.lock().unwrap_or_else(PoisonError::into_inner);
        input::announce_stdin();
        let stdin = io::stdin().as_fd().try_clone_to_owned();
        let file = File::from(stdin.map_err(ReadError::Open)?);
        return hash_pipe(&file, job.algorithms, ahead, count);
    }
    if let Some(pipe) = &job.pipe {
        read::wait(pipe).map_err(ReadError::Read)?;
        return hash_pipe(pipe, job.algorithms, ahead, count);
    }
    if let Some(begun) = job.begun.take() {
        return begun.hash(ahead, count);
    }
    match read::open(&job.source)? {
        Opened::Regular(file, before) => {
            Begun::new(file, before, Hasher::new(job.algorithms)).hash(ahead, count)
        }
        Opened::Other(_) => Err(ReadError::NotRegular),
    }
}

/// Hashes what has no length, and may change: a pipe, a device, standard input.
fn hash_pipe(
    file: &File,
    algorithms: Algorithms,
    ahead: Ahead,
    count: impl FnMut(u64),
) -> Result<Hashed, ReadError> {
    let status = read::status_of(file)?;
    let mut hasher = Hasher::new(algorithms);
    let length = read_all(file, &mut hasher, ahead, count)?;
    Ok(Hashed {
        digests: hasher.finalize(),
        length,
        status,
    })
}

/// Reads to the end; returns the bytes.
fn read_all(
    file: impl Read + Send,
    hasher: &mut Hasher,
    ahead: Ahead,
    mut count: impl FnMut(u64),
) -> Result<u64, ReadError> {
    let mut length = 0;
    let consume = |piece: &[u8]| {
        hasher.update(piece);
        length += piece.len() as u64;
        count(piece.len() as u64);
    };
    let read = match ahead {
        Ahead::Thread => read_ahead(file, consume),
        Ahead::Never => read_in_turn(file, consume),
    };
    read.map_err(ReadError::Read)?;
    Ok(length)
}

fn read_in_turn(mut file: impl Read, mut consume: impl FnMut(&[u8])) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        let n = fill(&mut file, &mut piece)?;
        consume(&piece[..n]);
        // Not read again after its end: on a terminal, the user would have to end it twice.
        if n < PIECE {
            return Ok(());
        }
    }
}

/// Another thread fills pieces while this one hashes those before; the pieces go round.
fn read_ahead(mut file: impl Read + Send, mut consume: impl FnMut(&[u8])) -> io::Result<()> {
    let (give, full) = mpsc::sync_channel::<io::Result<(Vec<u8>, usize)>>(PIECES_AHEAD);
    let (back, empty) = mpsc::channel::<Vec<u8>>();
    for _ in 0..PIECES_AHEAD {
        back.send(vec![0; PIECE_AHEAD])
            .expect("the receiver is in this function");
    }
    thread::scope(move |scope| {
        scope.spawn(move || {
            for mut piece in empty {
                let read = fill(&mut file, &mut piece).map(|n| (piece, n));
                let last = !matches!(&read, Ok((_, n)) if *n == PIECE_AHEAD);
                if give.send(read).is_err() || last {
                    return;
                }
            }
        });
        for read in full {
            let (piece, n) = read?;
            consume(&piece[..n]);
            // The reader is gone when it has met the end.
            let _ = back.send(piece);
        }
        Ok(())
    })
}

/// Reads until `piece` is full or the input ends.
fn fill(file: &mut impl Read, piece: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < piece.len() {
        match file.read(&mut piece[filled..]) {
            Ok(0) => break,
            Ok(n) => filled += n,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::bulk::{Algorithm, Source};

    fn job(path: &std::path::Path) -> Deferred<()> {
        let source = Source::Found(path.to_owned());
        Deferred::new(0, source, Algorithm::Sm3.into(), ())
    }

    /// Lengths around the pieces of both ways of reading, and long enough for a second thread.
    #[test]
    fn both_ways_of_reading_agree() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let data: Vec<u8> = (0..9 * 1024 * 1024u32).map(|i| (i % 251) as u8).collect();
        let threshold = usize::try_from(WORTH_A_THREAD).unwrap();
        let mut written = 0;
        for length in [0, 1, PIECE - 1, PIECE, PIECE + 1, threshold, data.len()] {
            file.write_all(&data[written..length]).unwrap();
            written = length;
            for ahead in [Ahead::Never, Ahead::Thread] {
                let mut counted = 0;
                let hashed = hash(&mut job(file.path()), ahead, |bytes| counted += bytes).unwrap();
                let expected = shangmi::sm3::digest(&data[..length]);
                assert_eq!(hashed.digests.get(Algorithm::Sm3), Some(&expected));
                assert_eq!((hashed.length, counted), (length as u64, length as u64));
                assert_eq!(hashed.status.size, length as u64);
            }
        }
    }

    #[test]
    fn a_file_that_changes_meanwhile_is_noticed() {
        for ahead in [Ahead::Never, Ahead::Thread] {
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(&vec![0; 9 * 1024 * 1024]).unwrap();
            let path = file.path().to_owned();
            let changed = hash(&mut job(&path), ahead, |_| file.write_all(b"x").unwrap());
            assert!(matches!(changed, Err(ReadError::Changed)), "{changed:?}");
        }
    }
}
