//! Opening files, and reading small ones whole.

use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags};
use rustix::io::{Errno, retry_on_intr};

use super::{ReadError, Source, Status};

/// An open file.
pub(super) enum Opened {
    Regular(File, Status),
    /// A pipe or a device: [`wait`] before it is read. It must not be closed before that: a writer
    /// that waits for a reader would go on, and find the reader gone.
    Other(File),
}

/// Opens a file without waiting, whatever it turns out to be.
pub(super) fn open(source: &Source) -> Result<Opened, ReadError> {
    let (path, found) = match source {
        Source::Found(path) => (path, true),
        Source::Named(path) => (path, false),
    };
    let mut flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    if found {
        flags |= OFlags::NOFOLLOW;
    }
    let opened = retry_on_intr(|| rustix::fs::open(path, flags, Mode::empty()));
    let file = match opened {
        Ok(file) => File::from(file),
        // What NOFOLLOW says about a link that has taken the place of the file.
        Err(Errno::LOOP) if found => return Err(ReadError::NotRegular),
        Err(error) => return Err(ReadError::Open(error.into())),
    };
    let metadata = file.metadata().map_err(ReadError::Open)?;
    if metadata.is_file() {
        Ok(Opened::Regular(file, status(&metadata)))
    } else if found {
        Err(ReadError::NotRegular)
    } else if metadata.is_dir() {
        Err(ReadError::Open(io::ErrorKind::IsADirectory.into()))
    } else {
        Ok(Opened::Other(file))
    }
}

/// Waits until the other end of a pipe has something to say, and lets its reads wait from now on.
pub(super) fn wait(file: &File) -> io::Result<()> {
    retry_on_intr(|| poll(&mut [PollFd::new(file, PollFlags::IN)], None))?;
    let flags = rustix::fs::fcntl_getfl(file)?;
    rustix::fs::fcntl_setfl(file, flags - OFlags::NONBLOCK)?;
    Ok(())
}

/// What the system says now.
pub(super) fn status_of(file: &File) -> Result<Status, ReadError> {
    let metadata = file.metadata().map_err(ReadError::Read)?;
    Ok(status(&metadata))
}

/// Reads a file of `before.size` bytes in one system call into `room`, which is one byte longer.
///
/// - returns: whether that was the whole file. It is not when the file's length is no truth, as in
///   /proc; such a file has to be read to its end.
pub(super) fn read_whole(file: &File, before: &Status, room: &mut [u8]) -> Result<bool, ReadError> {
    let read = retry_on_intr(|| rustix::io::read(file, &mut *room))
        .map_err(|error| ReadError::Read(error.into()))?;
    check_unchanged(file, before)?;
    Ok(read as u64 == before.size)
}

/// A file that somebody wrote to while it was read has no digest: it was never what was read.
pub(super) fn check_unchanged(file: &File, before: &Status) -> Result<(), ReadError> {
    if status_of(file)? == *before {
        Ok(())
    } else {
        Err(ReadError::Changed)
    }
}

fn status(metadata: &Metadata) -> Status {
    Status {
        device: metadata.dev(),
        inode: metadata.ino(),
        size: metadata.size(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    fn open_small(path: PathBuf) -> (File, Status) {
        match open(&Source::Found(path)) {
            Ok(Opened::Regular(file, status)) => (file, status),
            other => panic!("{:?}", other.err()),
        }
    }

    #[test]
    fn a_small_file_that_changes_meanwhile_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("f");
        let mut room = [0; 4];

        fs::write(&path, "abc").unwrap();
        let (file, before) = open_small(path.clone());
        assert!(read_whole(&file, &before, &mut room).unwrap());
        assert_eq!(&room, b"abc\0");

        for content in ["abcd", "ab", ""] {
            fs::write(&path, "abc").unwrap();
            let (file, before) = open_small(path.clone());
            fs::write(&path, content).unwrap();
            let read = read_whole(&file, &before, &mut room);
            assert!(matches!(read, Err(ReadError::Changed)), "{content}");
        }
    }

    #[test]
    fn what_was_found_must_still_be_a_regular_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name| directory.path().join(name);
        fs::write(path("file"), "abc").unwrap();
        symlink("file", path("link")).unwrap();
        fs::create_dir(path("directory")).unwrap();
        for name in ["link", "directory"] {
            let found = open(&Source::Found(path(name)));
            assert!(matches!(found, Err(ReadError::NotRegular)), "{name}");
        }
        let named = open(&Source::Named(path("link")));
        assert!(matches!(named, Ok(Opened::Regular(..))));
        let gone = open(&Source::Found(path("gone"))).err().unwrap();
        assert!(gone.is_missing());
    }
}
