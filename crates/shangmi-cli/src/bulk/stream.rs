//! Long files, pipes and devices: read piece by piece, ahead of the hashing.

use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use super::digest::{Algorithms, Hasher};
use super::read::{self, Opened};
use super::schedule::Deferred;
use super::{Hashed, ReadError, Status};

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

/// Hashes a file to its end. `count` is told the bytes of each piece.
pub(super) fn hash<T>(
    job: &Deferred<T>,
    ahead: Ahead,
    count: impl FnMut(u64),
) -> Result<Hashed, ReadError> {
    if job.is_stdin() {
        let _alone = STDIN.lock().unwrap_or_else(PoisonError::into_inner);
        let stdin = io::stdin().as_fd().try_clone_to_owned();
        let file = File::from(stdin.map_err(ReadError::Open)?);
        return read_all(&file, read::status_of(&file)?, job.algorithms, ahead, count);
    }
    if let Some(pipe) = &job.pipe {
        read::wait(pipe).map_err(ReadError::Read)?;
        return read_all(pipe, read::status_of(pipe)?, job.algorithms, ahead, count);
    }
    match read::open(&job.source)? {
        Opened::Regular(file, before) => hash_regular(&file, before, job.algorithms, ahead, count),
        Opened::Other(_) => Err(ReadError::NotRegular),
    }
}

fn hash_regular(
    file: &File,
    before: Status,
    algorithms: Algorithms,
    ahead: Ahead,
    count: impl FnMut(u64),
) -> Result<Hashed, ReadError> {
    // Advice only: a file system that does not take it reads all the same.
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::fadvise(file, 0, None, rustix::fs::Advice::Sequential);
    let ahead = if before.size < WORTH_A_THREAD {
        Ahead::Never
    } else {
        ahead
    };
    let hashed = read_all(file, before, algorithms, ahead, count)?;
    read::check_unchanged(file, &before)?;
    Ok(hashed)
}

fn read_all(
    file: &File,
    status: Status,
    algorithms: Algorithms,
    ahead: Ahead,
    mut count: impl FnMut(u64),
) -> Result<Hashed, ReadError> {
    let mut hasher = Hasher::new(algorithms);
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
    Ok(Hashed {
        digests: hasher.finalize(),
        length,
        status,
    })
}

fn read_in_turn(mut file: &File, mut consume: impl FnMut(&[u8])) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        match fill(&mut file, &mut piece)? {
            0 => return Ok(()),
            n => consume(&piece[..n]),
        }
    }
}

/// Another thread fills pieces while this one hashes those before; the pieces go round.
fn read_ahead(mut file: &File, mut consume: impl FnMut(&[u8])) -> io::Result<()> {
    let (give, full) = mpsc::sync_channel::<io::Result<(Vec<u8>, usize)>>(PIECES_AHEAD);
    let (back, empty) = mpsc::channel::<Vec<u8>>();
    for _ in 0..PIECES_AHEAD {
        back.send(vec![0; PIECE_AHEAD])
            .expect("the receiver is in this function");
    }
    thread::scope(|scope| {
        scope.spawn(move || {
            for mut piece in empty {
                let read = fill(&mut file, &mut piece).map(|n| (piece, n));
                let last = !matches!(&read, Ok((_, n)) if *n > 0);
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
fn fill(file: &mut &File, piece: &mut [u8]) -> io::Result<usize> {
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
