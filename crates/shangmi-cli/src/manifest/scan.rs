//! From a tree to records: walks it, and reads what is not known already.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, FileType, Metadata};
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};

use super::time::{TICK, Time};
use super::{Content, FileRecord, Kind, Record};
use crate::bulk::{
    self, Algorithms, Done, Engine, Found, Hashed, Job, Links, ReadError, Source, Walk,
};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::ui;

/// How often a file that changes, or is too young for its time to be trusted, is read again.
const ROUNDS: usize = 3;

/// A tree to scan.
pub(crate) struct Scan<'a> {
    root: PathBuf,
    pub(crate) links: Links,
    pub(crate) algorithms: Algorithms,
    pub(crate) engine: Engine,
    pub(crate) progress: &'a Progress,
    /// Names that are passed over: the files of the manifest itself.
    left_out: HashSet<Vec<u8>>,
    /// Whether the times will be trusted later.
    pub(crate) settle: bool,
}

/// A record, and what it took to get it.
pub(crate) struct Scanned<S> {
    pub(crate) record: Record,
    /// Where it was known from; `None` when it is new.
    pub(crate) known: Option<S>,
}

/// Gives the record of a file that need not be read, from its name and status, and where it is from.
pub(crate) type Known<'a, S> = dyn Fn(&[u8], &Metadata) -> Option<(Record, S)> + Sync + 'a;

/// A file to be read.
struct Unread {
    name: Vec<u8>,
    /// A followed link, which the engine must follow as well.
    followed: bool,
}

/// What came of reading a file.
enum Read {
    Final(Record),
    Again(Again),
}

/// A file to be read once more, and what is to be recorded if that does not help.
struct Again {
    unread: Unread,
    fallback: Record,
    /// The time that has to be over.
    modified: Option<Time>,
}

impl<'a> Scan<'a> {
    /// Prepares to scan the directory `root`, without the files in `own`.
    pub(crate) fn new(
        root: &Path,
        own: &[&Path],
        algorithms: Algorithms,
        engine: Engine,
        progress: &'a Progress,
    ) -> Result<Self> {
        // A directory named '-' is no standard input.
        let root = if root == Path::new("-") {
            PathBuf::from("./-")
        } else {
            root.to_owned()
        };
        let cannot = || format!("cannot read {}", ui::quote(&root));
        if !fs::metadata(&root).with_context(cannot)?.is_dir() {
            return Err(Failure::trouble(
                format!("{} is no directory", ui::quote(&root)),
                "name the directory at the root of the tree",
            )
            .into());
        }
        let real = fs::canonicalize(&root).with_context(cannot)?;
        let left_out = own
            .iter()
            .filter_map(|path| path.strip_prefix(&real).ok())
            .map(|name| name.as_os_str().as_bytes().to_vec())
            .collect();
        Ok(Self {
            root,
            links: Links::Report,
            algorithms,
            engine,
            progress,
            left_out,
            settle: true,
        })
    }

    /// Device and inode of the root.
    pub(crate) fn root_id(&self) -> Result<(u64, u64)> {
        let metadata = fs::metadata(&self.root)
            .with_context(|| format!("cannot read {}", ui::quote(&self.root)))?;
        Ok((metadata.dev(), metadata.ino()))
    }

    /// Scans the tree; the records are in byte order of their names.
    ///
    /// Without `known` no file is asked for its status, which would cost a system call. `fresh` gets
    /// the record of every file that was read, as soon as it is final.
    pub(crate) fn run<S: Send>(
        &self,
        known: Option<&Known<'_, S>>,
        fresh: &mut dyn FnMut(&Record) -> Result<()>,
    ) -> Result<Vec<Scanned<S>>> {
        if self.settle {
            // What was written just before this command is read once, not twice.
            std::thread::sleep(TICK);
        }
        let mut results = Vec::new();
        let walk = Walk::new(std::iter::once(self.root.clone()), self.links);
        let jobs = walk.filter_map(|found| self.job(found, known));
        let mut again = self.round(jobs, &mut results, fresh)?;
        for _ in 0..ROUNDS {
            if again.is_empty() {
                break;
            }
            std::thread::sleep(patience(&again));
            let jobs = again.into_iter().map(|again| self.reading(again.unread));
            again = self.round(jobs, &mut results, fresh)?;
        }
        results.extend(again.into_iter().map(|again| Scanned {
            record: again.fallback,
            known: None,
        }));
        results.sort_by(|a, b| a.record.name.cmp(&b.record.name));
        Ok(results)
    }

    /// Does the jobs; returns the files that are to be read again.
    fn round<S: Send>(
        &self,
        jobs: impl Iterator<Item = Job<Unread, Scanned<S>>> + Send,
        results: &mut Vec<Scanned<S>>,
        fresh: &mut dyn FnMut(&Record) -> Result<()>,
    ) -> Result<Vec<Again>> {
        let started = Time::now();
        let mut again = Vec::new();
        self.engine.run(jobs, self.progress, |done| {
            let read = match done {
                Done::Passed(scanned) => {
                    results.push(scanned);
                    return Ok(());
                }
                Done::Hashed { tag, file, .. } => self.hashed(tag, &file, started),
                Done::Failed { tag, error, .. } => failed(tag, &error),
            };
            match read {
                Read::Final(record) => {
                    fresh(&record)?;
                    results.push(Scanned {
                        record,
                        known: None,
                    });
                }
                Read::Again(later) => again.push(later),
            }
            Ok(())
        })?;
        Ok(again)
    }

    /// The record of a file that was read, unless it may be written again without a new time.
    fn hashed(&self, unread: Unread, file: &Hashed, started: Time) -> Read {
        let modified = Time::from(file.status.modified);
        let record = |name, modified| Record {
            name,
            content: Content::File(FileRecord {
                size: file.length,
                modified,
                inode: Some(file.status.inode),
                digests: file.digests,
            }),
        };
        if !self.settle || modified.is_settled_at(started) {
            return Read::Final(record(unread.name, Some(modified)));
        }
        if modified.settles_in(Time::now()).is_none() {
            return Read::Final(record(unread.name, None));
        }
        Read::Again(Again {
            fallback: record(unread.name.clone(), None),
            unread,
            modified: Some(modified),
        })
    }

    /// The job for what the walk found; `None` for the manifest itself.
    fn job<S>(
        &self,
        found: Found,
        known: Option<&Known<'_, S>>,
    ) -> Option<Job<Unread, Scanned<S>>> {
        let name = self.name(&found.path);
        if self.left_out.contains(&name) {
            return None;
        }
        let path = &found.path;
        let record = match found.kind {
            bulk::Kind::Regular => return Some(self.file(path, name, false, known)),
            bulk::Kind::Named => return Some(self.file(path, name, true, known)),
            bulk::Kind::Link => match fs::read_link(path) {
                Ok(target) => Record::other(name, Kind::Link, target.into_os_string().into_vec()),
                Err(error) => unreadable(name, &error),
            },
            bulk::Kind::Loop => {
                let target = fs::read_link(path).unwrap_or_default();
                Record::other(name, Kind::Loop, target.into_os_string().into_vec())
            }
            bulk::Kind::Special => match fs::metadata(path) {
                Ok(metadata) => Record::other(name, Kind::Special, special(metadata.file_type())),
                Err(error) => unreadable(name, &error),
            },
            bulk::Kind::Unreadable(error) => unreadable(name, &error),
        };
        Some(Job::Pass(Scanned {
            record,
            known: None,
        }))
    }

    fn file<S>(
        &self,
        path: &Path,
        name: Vec<u8>,
        followed: bool,
        known: Option<&Known<'_, S>>,
    ) -> Job<Unread, Scanned<S>> {
        let status = || {
            if followed {
                fs::metadata(path).ok()
            } else {
                fs::symlink_metadata(path).ok()
            }
        };
        match known.and_then(|known| known(&name, &status()?)) {
            Some((record, source)) => Job::Pass(Scanned {
                record,
                known: Some(source),
            }),
            None => self.reading(Unread { name, followed }),
        }
    }

    fn reading<P>(&self, unread: Unread) -> Job<Unread, P> {
        let path = self.root.join(OsStr::from_bytes(&unread.name));
        Job::Hash {
            source: if unread.followed {
                Source::Named(path)
            } else {
                Source::Found(path)
            },
            algorithms: self.algorithms,
            tag: unread,
        }
    }

    /// The name below the root; the root itself is `.`.
    fn name(&self, path: &Path) -> Vec<u8> {
        let name = path.strip_prefix(&self.root).unwrap_or(path);
        if name.as_os_str().is_empty() {
            b".".to_vec()
        } else {
            name.as_os_str().as_bytes().to_vec()
        }
    }
}

/// How long it takes until all these times are over.
fn patience(again: &[Again]) -> Duration {
    let now = Time::now();
    again
        .iter()
        .filter_map(|again| again.modified?.settles_in(now))
        .max()
        .unwrap_or(TICK)
}

/// The record of a file that could not be read; one that changed is worth another try.
fn failed(unread: Unread, error: &ReadError) -> Read {
    let changed = |name, how: &str| Record::other(name, Kind::Changed, how);
    let how = match error {
        error if error.is_missing() => {
            return Read::Final(changed(unread.name, "removed before it was read"));
        }
        ReadError::Open(error) | ReadError::Read(error) => {
            return Read::Final(unreadable(unread.name, error));
        }
        ReadError::Changed => "changed while it was read",
        ReadError::NotRegular => "no longer a regular file",
    };
    Read::Again(Again {
        fallback: changed(unread.name.clone(), how),
        unread,
        modified: None,
    })
}

fn unreadable(name: Vec<u8>, error: &io::Error) -> Record {
    // The kind's words do not depend on the system or its language.
    Record::other(name, Kind::Unreadable, error.kind().to_string())
}

fn special(kind: FileType) -> &'static str {
    if kind.is_fifo() {
        "pipe"
    } else if kind.is_socket() {
        "socket"
    } else if kind.is_block_device() {
        "block device"
    } else if kind.is_char_device() {
        "character device"
    } else {
        "unknown"
    }
}
