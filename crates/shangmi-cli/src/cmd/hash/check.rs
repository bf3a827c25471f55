//! `shangmi hash --check`: compares files with lists of digests.

mod list;

use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use self::list::{Event, Expected, Jobs};
use super::print::named;
use super::sums::{self, Ending};
use super::tally::{Tally, Verdict};
use crate::bulk::{Algorithm, Done, Engine};
use crate::failure::{Failure, Outcome};
use crate::output::{Content, Output};
use crate::progress::Progress;
use crate::ui::{self, Format};

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
    /// For lines that name none.
    algorithm: Algorithm,
    format: Format,
    progress: &'a Progress,
    out: Output,
    /// Whether somebody is waiting for each line.
    terminal: bool,
    results: Vec<Value>,
    tally: Tally,
}

/// Checks every list and sums up.
pub(crate) fn run(
    lists: &[PathBuf],
    algorithms: &[Algorithm],
    options: Options,
    ending: Ending,
    engine: Engine,
    format: Format,
) -> Result<Outcome> {
    let &[algorithm] = algorithms else {
        return Err(Failure::trouble(
            "--check takes one algorithm",
            "tagged lines name their algorithm themselves; -a is for lines without a tag",
        )
        .into());
    };
    let progress = Progress::of_files(|| None);
    let mut checker = Checker {
        options,
        algorithm,
        format,
        progress: &progress,
        out: Output::create(None, Content::Text, &[])?,
        terminal: io::stdout().is_terminal(),
        results: Vec::new(),
        tally: Tally::default(),
    };
    let jobs = Jobs::new(lists, ending, algorithm);
    engine.run(jobs, &progress, |done| checker.answer(done))?;
    checker.finish()
}

impl Checker<'_> {
    /// What cannot be read is reported; only a failing output stops the run.
    fn answer(&mut self, done: Done<Expected, Event>) -> Result<()> {
        match done {
            Done::Hashed { path, tag, file } => {
                let verdict = if file.digests.get(tag.algorithm) == Some(&tag.digest) {
                    Verdict::Matched
                } else {
                    Verdict::Mismatched
                };
                self.verdict(&path, &tag, verdict)
            }
            Done::Failed { path, tag, error } => {
                let verdict = if error.is_missing() {
                    Verdict::Missing
                } else {
                    Verdict::Unreadable
                };
                if verdict == Verdict::Unreadable || !self.options.ignore_missing {
                    self.progress.suspend(|| ui::report(&error.of(&path)));
                }
                self.verdict(&path, &tag, verdict)
            }
            Done::Passed(event) => {
                self.event(event);
                Ok(())
            }
        }
    }

    fn verdict(&mut self, path: &Path, expected: &Expected, verdict: Verdict) -> Result<()> {
        self.tally.add(verdict, expected.tag);
        if self.format == Format::Json {
            let mut result = named(path);
            result["algorithm"] = json!(expected.algorithm.key());
            result["result"] = json!(verdict.key());
            self.results.push(result);
            return Ok(());
        }
        let silent = self.options.status
            || (self.options.quiet && verdict == Verdict::Matched)
            || (self.options.ignore_missing && verdict == Verdict::Missing);
        if silent {
            return Ok(());
        }
        let result = sums::result_line(path.as_os_str().as_bytes(), verdict.text());
        self.progress.suspend(|| {
            self.out.put(&result)?;
            if self.terminal {
                self.out.show()
            } else {
                Ok(())
            }
        })
    }

    /// What there is to say about a list.
    fn event(&mut self, event: Event) {
        self.progress.suspend(|| match event {
            Event::Malformed(list, number) => {
                self.tally.malformed += 1;
                if self.options.warn {
                    let list = ui::quote(&list);
                    ui::warn(format_args!("{list}: line {number} is badly formatted"));
                }
            }
            Event::Useless(list) => {
                self.tally.bad_lists += 1;
                ui::say_error(
                    &format!("{} has no usable line", ui::quote(&list)),
                    "a line is 'digest  file' or 'SM3 (file) = digest', as 'shangmi hash' prints them",
                );
            }
            Event::Unreadable(error) => {
                self.tally.bad_lists += 1;
                ui::report(&error);
            }
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
