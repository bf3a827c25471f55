//! Finding files: directories are walked depth first, the names in each in byte order.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags};

/// What to do with a symbolic link that is found in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Report,
    Follow,
}

/// Something that was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
}

/// What was found.
#[derive(Debug)]
pub(crate) enum Kind {
    /// A regular file in a directory.
    Regular,
    /// What an argument names (no directory), or a followed link: a file, a pipe, a device, or
    /// nothing at all; opening it will tell.
    Named,
    /// A symbolic link that is not followed.
    Link,
    /// A followed link that leads back to a directory above it.
    Loop,
    /// A pipe, a socket or a device in a directory.
    Special,
    /// A directory that cannot be read, or a link that leads nowhere.
    Unreadable(io::Error),
}

/// The files behind names, one by one: a directory is read when its turn comes.
pub(crate) struct Walk<I> {
    arguments: I,
    links: Links,
    /// The directories that are open, each inside the one before it.
    levels: Vec<Level>,
}

/// A directory and how far the walk has come in it. It is no longer open: however deep a tree is,
/// it takes one descriptor.
struct Level {
    path: PathBuf,
    /// Device and inode, known when links are followed.
    id: Option<(u64, u64)>,
    /// All names, one after the other.
    names: Vec<u8>,
    entries: Vec<Name>,
    next: usize,
}

/// Where a name is in [`Level::names`].
#[derive(Clone, Copy)]
struct Name {
    start: usize,
    end: usize,
    kind: FileType,
}

impl<I: Iterator<Item = PathBuf>> Walk<I> {
    /// Walks what `arguments` name, in their order; `-` is passed on.
    pub(crate) fn new(arguments: I, links: Links) -> Self {
        Self {
            arguments,
            links,
            levels: Vec::new(),
        }
    }

    /// An argument that is no directory is taken as it is: a pipe or a device may be meant.
    fn argument(&mut self, path: PathBuf) -> Option<Found> {
        if path == Path::new("-") {
            return Some(found(path, Kind::Named));
        }
        match open_directory(&path) {
            Ok(directory) => self.enter(path, directory),
            // Whatever the reason is: whoever opens it as a file will meet it again.
            Err(_) => Some(found(path, Kind::Named)),
        }
    }

    /// An entry of a directory; a directory itself is entered, and nothing is found yet.
    fn entry(&mut self, path: PathBuf, kind: FileType) -> Option<Found> {
        match kind {
            FileType::RegularFile => Some(found(path, Kind::Regular)),
            FileType::Directory => match open_directory(&path) {
                Ok(directory) => self.enter(path, directory),
                Err(error) => Some(found(path, Kind::Unreadable(error))),
            },
            FileType::Symlink => match self.links {
                Links::Report => Some(found(path, Kind::Link)),
                Links::Follow => self.follow(path),
            },
            // Some file systems do not tell the kind in a directory.
            FileType::Unknown => match kind_of(&path, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(FileType::Unknown) => Some(found(path, Kind::Special)),
                Ok(kind) => self.entry(path, kind),
                Err(error) => Some(found(path, Kind::Unreadable(error))),
            },
            _ => Some(found(path, Kind::Special)),
        }
    }

    fn follow(&mut self, path: PathBuf) -> Option<Found> {
        match kind_of(&path, AtFlags::empty()) {
            Ok(FileType::RegularFile) => Some(found(path, Kind::Named)),
            Ok(FileType::Directory) => self.entry(path, FileType::Directory),
            Ok(_) => Some(found(path, Kind::Special)),
            Err(error) => Some(found(path, Kind::Unreadable(error))),
        }
    }

    fn enter(&mut self, path: PathBuf, directory: File) -> Option<Found> {
        let mut level = Level {
            path,
            id: None,
            names: Vec::new(),
            entries: Vec::new(),
            next: 0,
        };
        if self.links == Links::Follow {
            match directory.metadata() {
                Ok(metadata) => level.id = Some((metadata.dev(), metadata.ino())),
                Err(error) => return Some(found(level.path, Kind::Unreadable(error))),
            }
            if self.levels.iter().any(|above| above.id == level.id) {
                return Some(found(level.path, Kind::Loop));
            }
        }
        if let Err(error) = level.read(directory) {
            return Some(found(level.path, Kind::Unreadable(error)));
        }
        self.levels.push(level);
        None
    }
}

impl<I: Iterator<Item = PathBuf>> Iterator for Walk<I> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let found = match self.levels.last_mut() {
                None => {
                    let argument = self.arguments.next()?;
                    self.argument(argument)
                }
                Some(level) => match level.advance() {
                    None => {
                        self.levels.pop();
                        None
                    }
                    Some((path, kind)) => self.entry(path, kind),
                },
            };
            if found.is_some() {
                return found;
            }
        }
    }
}

impl Level {
    /// Reads all names and sorts them.
    fn read(&mut self, directory: File) -> io::Result<()> {
        for entry in Dir::new(directory)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let start = self.names.len();
            self.names.extend_from_slice(name);
            self.entries.push(Name {
                start,
                end: self.names.len(),
                kind: entry.file_type(),
            });
        }
        let names = &self.names;
        self.entries
            .sort_unstable_by_key(|entry| &names[entry.start..entry.end]);
        Ok(())
    }

    fn advance(&mut self) -> Option<(PathBuf, FileType)> {
        let entry = self.entries.get(self.next)?;
        self.next += 1;
        let name = OsStr::from_bytes(&self.names[entry.start..entry.end]);
        Some((self.path.join(name), entry.kind))
    }
}

fn found(path: PathBuf, kind: Kind) -> Found {
    Found { path, kind }
}

fn open_directory(path: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(rustix::fs::open(path, flags, Mode::empty())?.into())
}

fn kind_of(path: &Path, flags: AtFlags) -> io::Result<FileType> {
    let stat = rustix::fs::statat(CWD, path, flags)?;
    Ok(FileType::from_raw_mode(stat.st_mode))
}
