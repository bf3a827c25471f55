//! Replacing a copy by a hard link, without a moment in which the file is missing or another.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use super::duplicates::open;
use crate::bulk::Status;
use crate::output::remember;

/// Bytes compared at a time.
const CHUNK: usize = 128 * 1024;

/// What became of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    /// It is a name of the first file now; whether its own bytes are free.
    Done { freed: bool },
    /// Left alone: owner, group or mode are others.
    OtherAttributes,
    /// Left alone: one of the two is no longer the file that was hashed.
    Changed,
    /// The first file has as many names as the file system allows.
    Full,
}

/// Makes `copy` a name of the file `first`, if every byte agrees.
///
/// The new name is made beside the copy and renamed over it, so at every moment the copy's name
/// leads to the content that it had. A write to the copy between the last look and the renaming is
/// lost; a tree in use is not to be treated so.
pub(crate) fn link(
    first: (&Path, &Status),
    copy: (&Path, &Status),
    any_attributes: bool,
) -> io::Result<Linked> {
    let mut kept = Watched::open(first.0)?;
    let mut given_up = Watched::open(copy.0)?;
    if !kept.is(first.1) || !given_up.is(copy.1) {
        return Ok(Linked::Changed);
    }
    let attributes = |file: &Metadata| (file.uid(), file.gid(), file.mode());
    if !any_attributes && attributes(&kept.before) != attributes(&given_up.before) {
        return Ok(Linked::OtherAttributes);
    }
    if !same_bytes(&mut kept.file, &mut given_up.file)? {
        return Ok(Linked::Changed);
    }
    let directory = copy.0.parent().unwrap_or(Path::new("."));
    let directory = if directory.as_os_str().is_empty() {
        Path::new(".")
    } else {
        directory
    };
    let made = tempfile::Builder::new()
        .prefix(".shangmi-")
        .make_in(directory, |path| {
            remember(path);
            fs::hard_link(first.0, path)
        });
    let made = match made {
        Ok(made) => made.into_temp_path(),
        Err(error) if error.kind() == io::ErrorKind::TooManyLinks => return Ok(Linked::Full),
        Err(error) => return Err(error),
    };
    let new = fs::symlink_metadata(&made)?;
    if (new.dev(), new.ino()) != (kept.before.dev(), kept.before.ino())
        || !kept.is_unchanged(first.0)?
        || !given_up.is_unchanged(copy.0)?
    {
        return Ok(Linked::Changed);
    }
    made.persist(copy.0).map_err(|error| error.error)?;
    Ok(Linked::Done {
        freed: given_up.before.nlink() == 1,
    })
}

/// An open file, and what it was like then.
struct Watched {
    file: File,
    before: Metadata,
}

impl Watched {
    fn open(path: &Path) -> io::Result<Self> {
        let file = open(path)?;
        let before = file.metadata()?;
        Ok(Self { file, before })
    }

    /// Whether it is the file that was hashed.
    fn is(&self, status: &Status) -> bool {
        self.before.is_file()
            && (self.before.dev(), self.before.ino()) == (status.device, status.inode)
            && self.before.len() == status.size
            && (self.before.mtime(), self.before.mtime_nsec()) == status.modified
    }

    /// Whether the name still leads to it, and nobody has written to it. A new link changes the
    /// time of the last change of status, so that one does not count.
    fn is_unchanged(&self, path: &Path) -> io::Result<bool> {
        let what = |file: &Metadata| {
            let owner = (file.uid(), file.gid(), file.mode());
            let time = (file.mtime(), file.mtime_nsec());
            (file.dev(), file.ino(), file.len(), time, owner)
        };
        Ok(what(&fs::symlink_metadata(path)?) == what(&self.before))
    }
}

fn same_bytes(a: &mut File, b: &mut File) -> io::Result<bool> {
    let mut left = vec![0; CHUNK];
    let mut right = vec![0; CHUNK];
    loop {
        let n = fill(a, &mut left)?;
        if n != fill(b, &mut right)? || left[..n] != right[..n] {
            return Ok(false);
        }
        if n == 0 {
            return Ok(true);
        }
    }
}

fn fill(file: &mut File, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
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
    use super::*;
    use std::path::PathBuf;

    fn file(directory: &Path, name: &str, content: &[u8]) -> (PathBuf, Status) {
        let path = directory.join(name);
        fs::write(&path, content).unwrap();
        let metadata = fs::metadata(&path).unwrap();
        let status = Status {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        };
        (path, status)
    }

    /// As if two contents had one digest: the bytes decide.
    #[test]
    fn every_byte_is_compared() {
        let directory = tempfile::tempdir().unwrap();
        let content = vec![7; 2 * CHUNK + 5];
        let (a, a_status) = file(directory.path(), "a", &content);
        for place in [0, CHUNK - 1, CHUNK, content.len() - 1] {
            let mut other = content.clone();
            other[place] = 8;
            let (b, b_status) = file(directory.path(), "b", &other);
            let linked = link((&a, &a_status), (&b, &b_status), false).unwrap();
            assert_eq!(linked, Linked::Changed, "{place}");
            assert_eq!(fs::read(&b).unwrap(), other);
        }
        let (b, b_status) = file(directory.path(), "b", &content);
        let linked = link((&a, &a_status), (&b, &b_status), false).unwrap();
        assert_eq!(linked, Linked::Done { freed: true });
        assert_eq!(fs::metadata(&b).unwrap().ino(), a_status.inode);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_is_not_the_file_that_was_hashed_is_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let (a, a_status) = file(directory.path(), "a", b"content");
        let (b, b_status) = file(directory.path(), "b", b"content");
        let older = Status {
            modified: (b_status.modified.0 - 1, 0),
            ..b_status
        };
        let replaced = Status {
            inode: b_status.inode + 1000,
            ..b_status
        };
        for wrong in [older, replaced] {
            let linked = link((&a, &a_status), (&b, &wrong), false).unwrap();
            assert_eq!(linked, Linked::Changed);
            let linked = link((&b, &wrong), (&a, &a_status), false).unwrap();
            assert_eq!(linked, Linked::Changed);
        }
        fs::remove_file(&b).unwrap();
        std::os::unix::fs::symlink("a", &b).unwrap();
        assert!(link((&a, &a_status), (&b, &b_status), false).is_err());
        assert_eq!(fs::metadata(&a).unwrap().nlink(), 1);
    }
}
