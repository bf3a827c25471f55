//! The lines of lists as jobs.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::slice;

use anyhow::{Context, Result};

use crate::bulk::{Algorithm, Digest, Job, Source};
use crate::cmd::hash::sums::{self, Ending};
use crate::input::Input;
use crate::ui;

/// Longest line that can be a digest and a name; more is not kept in memory.
const LONGEST_LINE: u64 = 64 * 1024;

/// What a line says about its file.
pub(super) struct Expected {
    /// The algorithm that it names.
    pub(super) tag: Option<Algorithm>,
    pub(super) algorithm: Algorithm,
    pub(super) digest: Digest,
}

/// Something about a list that is no file to be checked.
pub(super) enum Event {
    /// A line that is badly formatted: the list, and the line's number.
    Malformed(PathBuf, u64),
    /// A list without a usable line.
    Useless(PathBuf),
    /// A list that cannot be read.
    Unreadable(anyhow::Error),
}

/// Reads the lists one after the other, as far as there is room for more work.
pub(super) struct Jobs<'a> {
    lists: slice::Iter<'a, PathBuf>,
    ending: Ending,
    /// For lines that name none.
    algorithm: Algorithm,
    current: Option<List>,
}

struct List {
    path: PathBuf,
    lines: BufReader<Input>,
    /// Lines so far.
    number: u64,
    /// Whether one of them could be used.
    useful: bool,
}

impl<'a> Jobs<'a> {
    pub(super) fn new(lists: &'a [PathBuf], ending: Ending, algorithm: Algorithm) -> Self {
        Self {
            lists: lists.iter(),
            ending,
            algorithm,
            current: None,
        }
    }

    fn job(&self, line: sums::Line) -> Job<Expected, Event> {
        let algorithm = line.algorithm.unwrap_or(self.algorithm);
        Job::Hash {
            source: Source::Named(PathBuf::from(OsStr::from_bytes(&line.name))),
            algorithms: algorithm.into(),
            tag: Expected {
                tag: line.algorithm,
                algorithm,
                digest: line.digest,
            },
        }
    }
}

impl Iterator for Jobs<'_> {
    type Item = Job<Expected, Event>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(mut list) = self.current.take() else {
                let path = self.lists.next()?;
                match List::open(path.clone()) {
                    Ok(list) => self.current = Some(list),
                    Err(error) => return Some(Job::Pass(Event::Unreadable(error))),
                }
                continue;
            };
            let line = match list.next_line(self.ending) {
                Ok(Some(line)) => line,
                Ok(None) if list.useful => continue,
                Ok(None) => return Some(Job::Pass(Event::Useless(list.path))),
                Err(error) => return Some(Job::Pass(Event::Unreadable(error))),
            };
            let parsed = sums::parse(&line, self.ending);
            list.useful |= parsed.is_some();
            let malformed = || Job::Pass(Event::Malformed(list.path.clone(), list.number));
            let job = parsed.map_or_else(malformed, |line| self.job(line));
            self.current = Some(list);
            return Some(job);
        }
    }
}

impl List {
    fn open(path: PathBuf) -> Result<Self> {
        Ok(Self {
            lines: BufReader::new(Input::open(&path)?),
            path,
            number: 0,
            useful: false,
        })
    }

    /// The next line that is neither empty nor a comment.
    fn next_line(&mut self, ending: Ending) -> Result<Option<Vec<u8>>> {
        loop {
            let read = next_line(&mut self.lines, ending);
            let line = read.with_context(|| format!("cannot read {}", ui::quote(&self.path)))?;
            self.number += 1;
            if line
                .as_ref()
                .is_none_or(|line| !line.is_empty() && !line.starts_with(b"#"))
            {
                return Ok(line);
            }
        }
    }
}

/// The next line without its ending; what exceeds the longest line is dropped.
fn next_line(list: &mut impl BufRead, ending: Ending) -> Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if list
        .by_ref()
        .take(LONGEST_LINE)
        .read_until(ending.byte(), &mut line)
        .context("read failed")?
        == 0
    {
        return Ok(None);
    }
    if line.last() == Some(&ending.byte()) {
        line.pop();
    } else if line.len() as u64 == LONGEST_LINE {
        list.skip_until(ending.byte()).context("read failed")?;
    }
    Ok(Some(line))
}
