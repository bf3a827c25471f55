//! Where bytes come from: files and standard input.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use anyhow::{Context, Result};
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::progress::Progress;
use crate::ui;

/// Bytes read at a time: large enough to hide the cost of system calls, small enough for a cache.
const CHUNK: usize = 128 * 1024;

/// Most bytes of a key, a signature or another small file.
pub(crate) const SMALL: u64 = 1024 * 1024;

/// Most bytes that an operation takes which cannot stream.
pub(crate) const IN_MEMORY: u64 = 1024 * 1024 * 1024;

/// What tells two files apart, whatever their names: device and inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId(u64, u64);

impl FileId {
    /// The identity of a regular file; other kinds may be read and written at once.
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        metadata
            .is_file()
            .then(|| Self(metadata.dev(), metadata.ino()))
    }
}

/// An open input.
pub(crate) struct Input {
    name: String,
    reader: Box<dyn Read + Send>,
    length: Option<u64>,
    id: Option<FileId>,
    /// The same file once more, where it can be read at any place.
    file: Option<File>,
}

impl Input {
    /// Opens a file, or standard input for `-`; a directory is refused.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let name = ui::quote(path);
        let cannot_open = || format!("cannot open {name}");
        if path == Path::new("-") {
            announce_stdin();
            let metadata = stream_metadata(io::stdin().as_fd()).with_context(cannot_open)?;
            return Ok(Self::new(name, Box::new(io::stdin()), &metadata, None));
        }
        let file = File::open(path).with_context(cannot_open)?;
        let metadata = file.metadata().with_context(cannot_open)?;
        if metadata.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory)).with_context(cannot_open);
        }
        let again = metadata.is_file().then(|| file.try_clone());
        let again = again.transpose().with_context(cannot_open)?;
        Ok(Self::new(name, Box::new(file), &metadata, again))
    }

    fn new(
        name: String,
        reader: Box<dyn Read + Send>,
        metadata: &Metadata,
        file: Option<File>,
    ) -> Self {
        let length = metadata.is_file().then_some(metadata.len());
        Self {
            name,
            reader,
            length,
            id: FileId::of(metadata),
            file,
        }
    }

    /// The file itself, once, where it is a regular one that was opened by name. Its position is
    /// shared with this reader.
    pub(crate) fn take_file(&mut self) -> Option<File> {
        self.file.take()
    }

    /// The name in quotes, for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Bytes, when the system knows the number beforehand.
    pub(crate) fn length(&self) -> Option<u64> {
        self.length
    }

    /// The identity, when the input is a regular file.
    pub(crate) fn id(&self) -> Option<FileId> {
        self.id
    }

    /// Feeds the whole input to `consume`, piece by piece; returns the number of bytes.
    pub(crate) fn for_each_chunk(
        &mut self,
        progress: &Progress,
        mut consume: impl FnMut(&mut [u8]) -> Result<()>,
    ) -> Result<u64> {
        let mut buffer = Zeroizing::new(vec![0; CHUNK]);
        let mut total = 0;
        loop {
            let n = self.fill(&mut buffer)?;
            if n > 0 {
                total += n as u64;
                progress.advance(n as u64);
                consume(&mut buffer[..n])?;
            }
            // Not read again after its end: on a terminal, the user would have to end it twice.
            if n < CHUNK {
                return Ok(total);
            }
        }
    }

    /// Reads until `buffer` is full or the input ends.
    fn fill(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(error).with_context(|| format!("cannot read {}", self.name));
                }
            }
        }
        Ok(filled)
    }

    /// The whole input in memory, at most `limit` bytes.
    pub(crate) fn read_all(&mut self, limit: u64) -> Result<Zeroizing<Vec<u8>>> {
        let too_long = || {
            Failure::trouble(
                format!("{} is longer than {limit} bytes", self.name),
                "is it the right file? this one must fit in memory",
            )
        };
        if self.length.is_some_and(|length| length > limit) {
            return Err(too_long().into());
        }
        // Room for all at once where the length is known: a vector that grows leaves copies behind.
        let expected = self.length.unwrap_or(0).min(limit) + 1;
        let mut bytes = Zeroizing::new(Vec::with_capacity(usize::try_from(expected)?));
        self.reader
            .by_ref()
            .take(limit + 1)
            .read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", self.name))?;
        if bytes.len() as u64 > limit {
            return Err(too_long().into());
        }
        Ok(bytes)
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

/// A key, a signature or another small file.
pub(crate) struct Small {
    pub(crate) name: String,
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    pub(crate) id: Option<FileId>,
}

impl Small {
    /// Reads a file that must not be empty; `what` it is goes into messages.
    pub(crate) fn read(path: &Path, what: &str) -> Result<Self> {
        let mut input = Input::open(path)?;
        let bytes = input.read_all(SMALL)?;
        if bytes.is_empty() {
            return Err(Failure::trouble(
                format!("{what} {} is empty", input.name()),
                "was it written completely?",
            )
            .into());
        }
        Ok(Self {
            name: input.name,
            bytes,
            id: input.id,
        })
    }
}

/// Tells who sits at a terminal that we wait for him.
pub(crate) fn announce_stdin() {
    if io::stdin().is_terminal() {
        ui::note("reading standard input; end with Ctrl-D");
    }
}

/// Standard input can be read once.
pub(crate) fn check_one_stdin(paths: &[&Path]) -> Result<()> {
    if paths.iter().filter(|path| **path == Path::new("-")).count() > 1 {
        return Err(Failure::trouble(
            "standard input can be only one of the inputs",
            "name a file for the others",
        )
        .into());
    }
    Ok(())
}

/// What the system knows about an open stream.
pub(crate) fn stream_metadata(stream: std::os::fd::BorrowedFd<'_>) -> io::Result<Metadata> {
    File::from(stream.try_clone_to_owned()?).metadata()
}
