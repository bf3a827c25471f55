//! `shangmi hash --check`: compares files with lists of digests.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::digest::{self, Algorithm};
use super::sums::{self, Line};
use super::tally::{Tally, Verdict};
use crate::failure::{Failure, Outcome};
use crate::input::Input;
use crate::output::{Content, Output};
use crate::progress::Progress;
use crate::ui::{self, Format};

/// Longest line that can be a digest and a name; more is not kept in memory.
const LONGEST_LINE: u64 = 64 * 1024;

/// How strict and how talkative checking is.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "With --check")]
pub(crate) struct Options {
    /// Say nothing about missing files, as long as one file was checked
    #[arg(long, requires = "check")]
    pub(super) ignore_missing: bool,
    /// Print no OK lines
    #[arg(long, requires = "check")]
    quiet: bool,
    /// Print nothing; the exit status is the answer
    #[arg(long, requires = "check")]
    status: bool,
    /// A badly formatted line is a failure
    #[arg(long, requires = "check")]
    pub(super) strict: bool,
    /// Point out each badly formatted line
    #[arg(short, long, requires = "check")]
    warn: bool,
}

struct Checker<'a> {
    options: Options,
    algorithm: Algorithm,
    format: Format,
    progress: &'a Progress,
    out: Output,
    results: Vec<Value>,
    tally: Tally,
}

/// Checks every list and sums up.
pub(crate) fn run(
    lists: &[PathBuf],
    algorithms: &[Algorithm],
    options: Options,
    format: Format,
) -> Result<Outcome> {
    let &[algorithm] = algorithms else {
        return Err(Failure::trouble(
            "--check takes one algorithm",
            "tagged lines name their algorithm themselves; -a is for lines without a tag",
        )
        .into());
    };
    let progress = Progress::new(None);
    let out = Output::create(None, Content::Text, &[])?;
    let (results, tally) = (Vec::new(), Tally::default());
    let mut checker = Checker {
        options,
        algorithm,
        format,
        progress: &progress,
        out,
        results,
        tally,
    };
    for list in lists {
        checker.check_list(list)?;
    }
    checker.finish()
}

impl Checker<'_> {
    /// A list that cannot be read is reported; only a failing output stops the run.
    fn check_list(&mut self, path: &Path) -> Result<()> {
        let mut list = match Input::open(path) {
            Ok(input) => BufReader::new(input),
            Err(error) => {
                self.tally.bad_lists += 1;
                self.progress.suspend(|| ui::report(&error));
                return Ok(());
            }
        };
        let mut usable = 0u64;
        for number in 1u64.. {
            let line = match next_line(&mut list) {
                Ok(None) => break,
                Ok(Some(line)) => line,
                Err(error) => {
                    self.tally.bad_lists += 1;
                    let error = error.context(format!("cannot read {}", ui::quote(path)));
                    self.progress.suspend(|| ui::report(&error));
                    return Ok(());
                }
            };
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            match sums::parse(&line) {
                Some(line) => {
                    usable += 1;
                    self.check_line(&line)?;
                }
                None => self.malformed(path, number),
            }
        }
        if usable == 0 {
            self.no_usable_line(path);
        }
        Ok(())
    }

    fn check_line(&mut self, line: &Line) -> Result<()> {
        let algorithm = line.algorithm.unwrap_or(self.algorithm);
        let path = Path::new(OsStr::from_bytes(&line.name));
        let opened = Input::open(path);
        let verdict = match opened
            .and_then(|mut input| digest::read(&mut input, &[algorithm], self.progress))
        {
            Ok((digests, _)) if digests == [line.digest] => Verdict::Matched,
            Ok(_) => Verdict::Mismatched,
            Err(error) if is_missing(&error) => {
                if !self.options.ignore_missing {
                    self.progress.suspend(|| ui::report(&error));
                }
                Verdict::Missing
            }
            Err(error) => {
                self.progress.suspend(|| ui::report(&error));
                Verdict::Unreadable
            }
        };
        self.tally.add(verdict, line.algorithm);
        self.print(path, line, algorithm, verdict)
    }

    fn print(
        &mut self,
        path: &Path,
        line: &Line,
        algorithm: Algorithm,
        verdict: Verdict,
    ) -> Result<()> {
        if self.format == Format::Json {
            self.results.push(json!({
                "file": path.to_string_lossy(),
                "algorithm": algorithm.key(),
                "result": verdict.key(),
            }));
            return Ok(());
        }
        let silent = self.options.status
            || (self.options.quiet && verdict == Verdict::Matched)
            || (self.options.ignore_missing && verdict == Verdict::Missing);
        if silent {
            return Ok(());
        }
        let result = sums::result_line(&line.name, verdict.text());
        self.progress.suspend(|| {
            self.out.put(&result)?;
            self.out.show()
        })
    }

    fn malformed(&mut self, list: &Path, number: u64) {
        self.tally.malformed += 1;
        if self.options.warn {
            let list = ui::quote(list);
            self.progress
                .suspend(|| ui::warn(format_args!("{list}: line {number} is badly formatted")));
        }
    }

    fn no_usable_line(&mut self, list: &Path) {
        self.tally.bad_lists += 1;
        self.progress.suspend(|| {
            ui::say_error(
                &format!("{} has no usable line", ui::quote(list)),
                "a line is 'digest  file' or 'SM3 (file) = digest', as 'shangmi hash' prints them",
            );
        });
    }

    fn finish(mut self) -> Result<Outcome> {
        if self.format == Format::Json {
            let document = json!({ "results": self.results, "summary": self.tally.json() });
            self.out.put(format!("{document:#}\n").as_bytes())?;
        }
        self.out.commit()?;
        if !self.options.status {
            self.tally.sum_up(self.options, self.algorithm);
        }
        Ok(self.tally.outcome(self.options))
    }
}

fn is_missing(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<io::Error>()
        .is_some_and(|e| e.kind() == io::ErrorKind::NotFound)
}

/// The next line without its line feed; what exceeds the longest line is dropped.
fn next_line(list: &mut impl BufRead) -> Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if list
        .by_ref()
        .take(LONGEST_LINE)
        .read_until(b'\n', &mut line)
        .context("read failed")?
        == 0
    {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 == LONGEST_LINE {
        list.skip_until(b'\n').context("read failed")?;
    }
    Ok(Some(line))
}
