//! The journal: finished digests of a run that has not ended, one checksummed line each.
//!
//! Lines are only ever added. A run that is killed leaves whole lines and at most one torn one; the
//! next run takes the whole ones, cuts the rest off, and goes on from there.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use shangmi::sm3;

use super::{Record, columns, text};
use crate::bulk::Algorithms;
use crate::failure::Failure;
use crate::hex;
use crate::input::FileId;
use crate::ui;

/// How every journal begins.
const MAGIC: &str = "#shangmi-journal\t1\t";

/// Lines that wait no longer than this before the system gets them.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes that wait at most.
const ENOUGH: usize = 16 * 1024;

/// An open journal, locked against other runs.
pub(crate) struct Journal {
    path: PathBuf,
    file: File,
    algorithms: Algorithms,
    waiting: Vec<u8>,
    flushed: Instant,
}

/// What a run is for; the journal of a run for something else is of no use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purpose {
    pub(crate) algorithms: Algorithms,
    /// Device and inode of the root.
    pub(crate) root: (u64, u64),
    /// Every file is read, whatever an earlier manifest says.
    pub(crate) paranoid: bool,
}

impl Purpose {
    fn tree(self) -> String {
        let names: Vec<_> = columns(self.algorithms)
            .map(|column| column.key())
            .collect();
        format!("{}\t{}\t{}\t", names.join(","), self.root.0, self.root.1)
    }

    /// The first line, without its checksum.
    fn line(self) -> String {
        let trust = if self.paranoid { "paranoid" } else { "plain" };
        format!("{MAGIC}{}{trust}", self.tree())
    }

    /// Whether a run for this can use a journal that begins with `line`. One that reads every file
    /// uses only what another such run has read.
    fn fits(self, line: &str) -> bool {
        let trust = line
            .strip_prefix(MAGIC)
            .and_then(|line| line.strip_prefix(&self.tree()));
        trust == Some("paranoid") || (trust == Some("plain") && !self.paranoid)
    }
}

impl Journal {
    /// Opens the journal, or begins one; returns the records that an earlier run finished.
    pub(crate) fn open(path: &Path, purpose: Purpose) -> Result<(Self, Vec<Record>)> {
        let cannot = || format!("cannot write the journal {}", ui::quote(path));
        let file = open_locked(path)?;
        let Some((length, records)) = read(&file, purpose).with_context(cannot)? else {
            return Err(foreign(path).into());
        };
        let mut journal = Self {
            path: path.to_owned(),
            file,
            algorithms: purpose.algorithms,
            waiting: Vec::new(),
            flushed: Instant::now(),
        };
        journal.begin(length, purpose).with_context(cannot)?;
        Ok((journal, records))
    }

    /// Cuts off what is not usable; an empty journal gets its first line.
    fn begin(&mut self, length: u64, purpose: Purpose) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length))?;
        if length == 0 {
            let line = with_checksum(&purpose.line());
            self.file.write_all(line.as_bytes())?;
        }
        Ok(())
    }

    /// Adds a finished record.
    pub(crate) fn add(&mut self, record: &Record) -> Result<()> {
        let line = text::record(record, self.algorithms);
        let line = with_checksum(line.trim_end_matches('\n'));
        self.waiting.extend_from_slice(line.as_bytes());
        if self.waiting.len() >= ENOUGH || self.flushed.elapsed() >= PATIENCE {
            self.flush()?;
        }
        Ok(())
    }

    /// Hands all lines to the system, where the death of this process does not reach them.
    pub(crate) fn flush(&mut self) -> Result<()> {
        let written = self.file.write_all(&self.waiting);
        written.with_context(|| format!("cannot write the journal {}", ui::quote(&self.path)))?;
        self.waiting.clear();
        self.flushed = Instant::now();
        Ok(())
    }

    /// Removes the journal: the manifest has it all now.
    pub(crate) fn remove(self) -> Result<()> {
        std::fs::remove_file(&self.path)
            .with_context(|| format!("cannot remove the journal {}", ui::quote(&self.path)))
    }
}

/// Opens and locks. A run that ends removes its journal: whoever waited for the lock then holds a
/// file without a name, and tries again.
fn open_locked(path: &Path) -> Result<File> {
    let cannot = || format!("cannot write the journal {}", ui::quote(path));
    loop {
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(cannot)?;
        lock(&file, path)?;
        let opened = FileId::of(&file.metadata().with_context(cannot)?);
        let named = std::fs::symlink_metadata(path).ok();
        if opened.is_none() || named.is_some_and(|named| FileId::of(&named) == opened) {
            return Ok(file);
        }
    }
}

fn lock(file: &File, path: &Path) -> Result<()> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(Failure::trouble(
            format!("another run holds the journal {}", ui::quote(path)),
            "wait until it ends, or choose another output",
        )
        .into()),
        // Some file systems know no locks; the journal still serves one run.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("cannot lock {}", ui::quote(path)))
        }
    }
}

/// The length of the usable part and its records; `None` when the file is no journal.
fn read(file: &File, purpose: Purpose) -> io::Result<Option<(u64, Vec<Record>)>> {
    let mut reader = BufReader::new(file);
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line)?;
    let begins = line.len().min(MAGIC.len());
    if line[..begins] != MAGIC.as_bytes()[..begins] {
        return Ok(None);
    }
    if !without_checksum(&line).is_some_and(|line| purpose.fits(line)) {
        return Ok(Some((0, Vec::new())));
    }
    let mut length = line.len() as u64;
    let mut records = Vec::new();
    loop {
        line.clear();
        reader.read_until(b'\n', &mut line)?;
        let record =
            without_checksum(&line).and_then(|body| text::parse_record(body, purpose.algorithms));
        let Some(record) = record else {
            return Ok(Some((length, records)));
        };
        length += line.len() as u64;
        records.push(record);
    }
}

/// A line: the body, a tab, and the first 8 hex digits of the body's SM3.
fn with_checksum(body: &str) -> String {
    format!("{body}\t{}\n", checksum(body))
}

/// The body of a whole line whose checksum is right.
fn without_checksum(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (body, sum) = line.rsplit_once('\t')?;
    (checksum(body) == sum).then_some(body)
}

fn checksum(body: &str) -> String {
    hex::encode(&sm3::digest(body.as_bytes())[..4])
}

fn foreign(path: &Path) -> Failure {
    Failure::trouble(
        format!(
            "{} is in the way: the journal belongs there",
            ui::quote(path)
        ),
        "choose another output, or move that file",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bulk::Algorithm;
    use crate::manifest::{Content, FileRecord};

    fn purpose(paranoid: bool) -> Purpose {
        Purpose {
            algorithms: Algorithm::Sm3.into(),
            root: (1, 2),
            paranoid,
        }
    }

    fn record(i: u8) -> Record {
        Record {
            name: vec![b'n', i, b'\n'],
            content: Content::File(FileRecord {
                size: u64::from(i),
                modified: None,
                inode: Some(7),
                digests: [(Algorithm::Sm3, [i; 32])].into_iter().collect(),
            }),
        }
    }

    /// A journal of `n` records, as a run leaves it that is killed.
    fn journal(path: &Path, n: u8) -> Vec<u8> {
        let (mut journal, _) = Journal::open(path, purpose(false)).unwrap();
        for i in 0..n {
            journal.add(&record(i)).unwrap();
        }
        journal.flush().unwrap();
        drop(journal);
        std::fs::read(path).unwrap()
    }

    #[test]
    fn any_torn_tail_leaves_the_whole_lines() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        let whole = journal(&path, 4);
        let header = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        for length in 0..=whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let (mut journal, records) = Journal::open(&path, purpose(false)).unwrap();
            let lines = whole[..length]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            assert_eq!(records.len(), lines.saturating_sub(1), "{length}");
            journal.add(&record(9)).unwrap();
            journal.flush().unwrap();
            drop(journal);
            // What is added stands behind the whole lines, not behind the torn one.
            let (_, again) = Journal::open(&path, purpose(false)).unwrap();
            assert_eq!(again.len(), records.len() + 1, "{length}");
            assert_eq!(again.last(), Some(&record(9)));
        }
        for place in header..whole.len() {
            let mut bad = whole.clone();
            bad[place] ^= 1;
            std::fs::write(&path, &bad).unwrap();
            let (_, records) = Journal::open(&path, purpose(false)).unwrap();
            let before = whole[header..place]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            assert_eq!(records.len(), before, "{place}");
            assert!(
                records
                    .iter()
                    .zip(0..)
                    .all(|(found, i)| *found == record(i))
            );
        }
    }

    #[test]
    fn a_paranoid_run_uses_paranoid_journals() {
        for (wrote, reads, uses) in [
            (false, false, true),
            (true, false, true),
            (true, true, true),
            (false, true, false),
        ] {
            assert_eq!(purpose(reads).fits(&purpose(wrote).line()), uses);
        }
        let other = Purpose {
            root: (1, 3),
            ..purpose(false)
        };
        assert!(!other.fits(&purpose(false).line()));
    }

    #[test]
    fn other_files_are_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal");
        std::fs::write(&path, "dear diary").unwrap();
        assert!(Journal::open(&path, purpose(false)).is_err());
        assert_eq!(std::fs::read(&path).unwrap(), b"dear diary");
    }
}
