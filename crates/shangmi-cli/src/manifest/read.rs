//! Reading a manifest of either form, whole or not at all.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use shangmi::sm3::Sm3;

use super::{Form, Manifest, Record, json, text};
use crate::bulk::{Algorithms, Digest};
use crate::failure::Failure;
use crate::input::Input;
use crate::ui;

/// The version of both forms.
pub(super) const VERSION: u32 = 1;

/// Longest line: a path and a target of 4096 bytes each, every byte escaped, fit three times.
const LONGEST_LINE: u64 = 128 * 1024;

/// A line after the first.
pub(super) enum Line {
    Record(Record),
    Comment,
    End(End),
}

/// The last line.
pub(super) struct End {
    pub(super) records: u64,
    /// SM3 of all lines before; a writer may leave it out.
    pub(super) digest: Option<Digest>,
}

/// Why a manifest cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trust {
    /// It is no manifest at all: nobody may overwrite it as one.
    Foreign,
    /// It is a manifest, and damaged, cut off, or of another version.
    Damaged,
    /// The system does not let us know.
    Unknown,
}

/// Reads a manifest; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Manifest> {
    read_or_why(path).map_err(|(_, error)| error)
}

/// Reads a manifest, or says what the file is instead.
pub(crate) fn read_or_why(path: &Path) -> Result<Manifest, (Trust, anyhow::Error)> {
    let name = ui::quote(path);
    let input = Input::open(path).map_err(|error| (Trust::Unknown, error))?;
    let mut reader = Lines {
        reader: BufReader::new(input),
        name,
        number: 0,
        sm3: Sm3::new(),
    };
    let (form, algorithms) = reader.header()?;
    reader
        .records(form, algorithms)
        .map(|records| Manifest {
            algorithms,
            records,
        })
        .map_err(|error| (Trust::Damaged, error))
}

struct Lines<R> {
    reader: R,
    name: String,
    number: u64,
    /// SM3 of all lines before the last one read.
    sm3: Sm3,
}

impl<R: BufRead> Lines<R> {
    /// The next line with its line feed; `None` at the end of the file.
    fn next(&mut self) -> Result<Option<String>> {
        let mut line = Vec::new();
        let n = self
            .reader
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .with_context(|| format!("cannot read {}", self.name))?;
        self.number += 1;
        if n == 0 {
            return Ok(None);
        }
        if line.last() != Some(&b'\n') {
            return Err(self.damaged("is cut off or too long"));
        }
        String::from_utf8(line)
            .map(Some)
            .map_err(|_| self.damaged("is not UTF-8"))
    }

    fn header(&mut self) -> Result<(Form, Algorithms), (Trust, anyhow::Error)> {
        let foreign = |name: &str| {
            let failure = Failure::trouble(
                format!("{name} is no manifest"),
                "'shangmi manifest make DIR -o MANIFEST' makes one",
            );
            (Trust::Foreign, failure.into())
        };
        let line = match self.next() {
            Ok(Some(line)) => line,
            Ok(None) | Err(_) => return Err(foreign(&self.name)),
        };
        self.sm3.update(line.as_bytes());
        let line = line.trim_end_matches('\n');
        let (form, version, algorithms) = if line.starts_with(json::MAGIC) {
            let (version, algorithms) =
                json::parse_header(line).ok_or_else(|| foreign(&self.name))?;
            (Form::Jsonl, version, algorithms)
        } else {
            let (version, algorithms) =
                text::parse_header(line).ok_or_else(|| foreign(&self.name))?;
            (Form::Text, version.to_owned(), algorithms)
        };
        let known = algorithms.filter(|_| version == VERSION.to_string());
        known.map(|algorithms| (form, algorithms)).ok_or_else(|| {
            let failure = Failure::trouble(
                format!(
                    "{} is a manifest of another version, or with other digests",
                    self.name
                ),
                "a newer version of shangmi may read it",
            );
            (Trust::Damaged, failure.into())
        })
    }

    fn records(&mut self, form: Form, algorithms: Algorithms) -> Result<Vec<Record>> {
        let mut records: Vec<Record> = Vec::new();
        loop {
            let Some(line) = self.next()? else {
                return Err(self.damaged("is missing: the file is cut off"));
            };
            let content = line.trim_end_matches('\n');
            let parsed = match form {
                Form::Text => text::parse(content, algorithms),
                Form::Jsonl => json::parse(content, algorithms),
            };
            match parsed {
                Some(Line::Record(record)) => records.push(record),
                Some(Line::Comment) => {}
                Some(Line::End(end)) => {
                    self.check_end(&end, records.len())?;
                    return self.in_order(records);
                }
                None => return Err(self.damaged("is badly formatted")),
            }
            self.sm3.update(line.as_bytes());
        }
    }

    fn check_end(&mut self, end: &End, records: usize) -> Result<()> {
        if end.records != records as u64 {
            return Err(self.damaged("counts other records than there are"));
        }
        if end
            .digest
            .is_some_and(|digest| digest != self.sm3.clone().finalize())
        {
            return Err(self.damaged("has the digest of other lines: the file was changed"));
        }
        if self.next()?.is_some() {
            return Err(self.damaged("comes after the end"));
        }
        Ok(())
    }

    /// Other writers may sort in another way; a name that is there twice has no meaning.
    fn in_order(&self, mut records: Vec<Record>) -> Result<Vec<Record>> {
        records.sort_by(|a, b| a.name.cmp(&b.name));
        match records.windows(2).find(|pair| pair[0].name == pair[1].name) {
            None => Ok(records),
            Some(pair) => Err(Failure::trouble(
                format!(
                    "{} has '{}' twice",
                    self.name,
                    super::escape::escape(&pair[0].name)
                ),
                "make the manifest again",
            )
            .into()),
        }
    }

    fn damaged(&self, what: &str) -> anyhow::Error {
        Failure::trouble(
            format!("{}: line {} {what}", self.name, self.number),
            "get the manifest again, or make it anew; docs/manifest.md describes the lines",
        )
        .into()
    }
}
