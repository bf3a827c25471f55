//! The same program once more, with the processor's special instructions masked.
//!
//! AWS-LC and libcrypto choose their code when they start, so a fair software row of SHA-256 or AES needs a
//! process of its own. It is kept open and asked sample by sample, in turns with the lanes of this process;
//! it takes the time itself, so that the pipe does not count. One line of JSON is one request or answer.

mod repeating;
mod server;

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::hardware::{MASK_VALUE, MASK_VARIABLE};
use crate::runner::Bench;
use crate::subjects::Subject;
use crate::workloads::Work;

pub(crate) use repeating::{Repeating, Task};
pub use server::child_main;

/// The argument that makes a program with [`child_main`] serve.
const ARGUMENT: &str = "--shangmi-compare-masked-child";

#[derive(Debug, Serialize, Deserialize)]
enum Request {
    /// Which subjects are there?
    Subjects,
    /// Make a lane.
    Prepare {
        work: Work,
        path: Option<PathBuf>,
        subject: Subject,
    },
    /// Run a lane.
    Run { lane: usize, iterations: u64 },
    /// Forget a lane.
    Release { lane: usize },
}

#[derive(Debug, Serialize, Deserialize)]
enum Answer {
    Subjects(Vec<Subject>),
    Prepared {
        lane: usize,
        one_time_nanoseconds: Option<f64>,
    },
    Nanoseconds(u64),
    Released,
    Failed(String),
}

/// The masked process, seen from the program that measures.
pub(crate) struct Masked {
    link: Rc<RefCell<Link>>,
    subjects: Vec<Subject>,
}

/// A lane of the masked process.
pub(crate) struct MaskedLane {
    pub(crate) bench: Box<dyn Bench>,
    pub(crate) one_time_nanoseconds: Option<f64>,
}

impl Masked {
    /// Starts this program again.
    ///
    /// # Errors
    /// [`Error::Masked`] when it cannot be started, or when it does not serve: its `main` does not call
    /// [`child_main`].
    pub(crate) fn start() -> Result<Self, Error> {
        let program = std::env::current_exe().map_err(masked_error)?;
        let mut process = Command::new(program)
            .arg(ARGUMENT)
            .env(MASK_VARIABLE, MASK_VALUE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(masked_error)?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (requests, answers) = pipes.ok_or_else(|| Error::Masked("no pipe".to_owned()))?;
        let mut link = Link {
            process,
            requests: Some(requests),
            answers: BufReader::new(answers),
        };
        match link.ask(&Request::Subjects)? {
            Answer::Subjects(subjects) => Ok(Self {
                link: Rc::new(RefCell::new(link)),
                subjects,
            }),
            answer => Err(unexpected(&answer)),
        }
    }

    /// The subjects of `algorithm`.
    pub(crate) fn subjects(&self, algorithm: &str) -> Vec<Subject> {
        self.subjects
            .iter()
            .filter(|subject| subject.algorithm == algorithm)
            .cloned()
            .collect()
    }

    /// Drops the subjects that `keep` does not want.
    pub(crate) fn retain(&mut self, keep: impl FnMut(&Subject) -> bool) {
        self.subjects.retain(keep);
    }

    /// A lane over memory; `None` where the subject cannot do it.
    pub(crate) fn lane(&self, work: &Work, subject: &Subject) -> Option<MaskedLane> {
        self.prepare(work, None, subject)
    }

    /// A lane over a file.
    pub(crate) fn file_lane(
        &self,
        work: &Work,
        path: PathBuf,
        subject: &Subject,
    ) -> Option<MaskedLane> {
        self.prepare(work, Some(path), subject)
    }

    fn prepare(&self, work: &Work, path: Option<PathBuf>, subject: &Subject) -> Option<MaskedLane> {
        let request = Request::Prepare {
            work: work.clone(),
            path,
            subject: subject.clone(),
        };
        match self.link.borrow_mut().ask(&request) {
            Ok(Answer::Prepared {
                lane,
                one_time_nanoseconds,
            }) => {
                let bench = Box::new(Remote {
                    link: Rc::clone(&self.link),
                    lane,
                });
                Some(MaskedLane {
                    bench,
                    one_time_nanoseconds,
                })
            }
            _ => None,
        }
    }
}

struct Link {
    process: Child,
    /// `None` once the process was told to end.
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Link {
    fn ask(&mut self, request: &Request) -> Result<Answer, Error> {
        let requests = self
            .requests
            .as_mut()
            .ok_or_else(|| Error::Masked("it has ended".to_owned()))?;
        let mut line = serde_json::to_vec(request).map_err(masked_error)?;
        line.push(b'\n');
        requests.write_all(&line).map_err(masked_error)?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).map_err(masked_error)?;
        serde_json::from_str(&answer).map_err(masked_error)
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        // The end of its input ends the process; a process that does not serve has ended already.
        self.requests = None;
        let _ = self.process.wait();
    }
}

struct Remote {
    link: Rc<RefCell<Link>>,
    lane: usize,
}

impl Bench for Remote {
    fn run(&mut self, iterations: u64) -> Result<u64, Error> {
        match self.link.borrow_mut().ask(&Request::Run {
            lane: self.lane,
            iterations,
        })? {
            Answer::Nanoseconds(nanoseconds) => Ok(nanoseconds),
            answer => Err(unexpected(&answer)),
        }
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        // A failure here shows at the next request.
        let _ = self
            .link
            .borrow_mut()
            .ask(&Request::Release { lane: self.lane });
    }
}

fn masked_error(error: impl std::fmt::Display) -> Error {
    Error::Masked(error.to_string())
}

fn unexpected(answer: &Answer) -> Error {
    Error::Masked(format!("unexpected answer {answer:?}"))
}
