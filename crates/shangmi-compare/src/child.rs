//! The same program once more, with the processor's special instructions masked.
//!
//! AWS-LC and libcrypto choose their code when they start, so a fair software row of SHA-256 or AES needs a
//! process of its own. It is kept open and asked sample by sample, in turns with the lanes of this process;
//! it takes the time itself, so that the pipe does not count. One line of JSON is one request or answer.

use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::hardware::{Hardware, MASK_VALUE, MASK_VARIABLE};
use crate::known_answer;
use crate::result::Group;
use crate::runner::Bench;
use crate::subjects::{Candidate, Ciphers, Hashes, Macs, Subject, aws_lc, libcrypto};
use crate::workloads::{self, Lane, SLACK, Work};

/// The argument that makes a program with [`child_main`] serve.
const ARGUMENT: &str = "--shangmi-compare-masked-child";

#[derive(Debug, Serialize, Deserialize)]
enum Request {
    /// Which subjects are there?
    Subjects,
    /// Make a lane.
    Prepare {
        group: Group,
        operation: String,
        bytes: u64,
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

/// Serves as the masked process when the program was started as one; `None`: it was not, carry on.
///
/// To be called first in `main` of a program that calls [`run`](crate::run), before it parses its arguments.
/// - `arguments`: those of the program, its name first
#[must_use]
pub fn child_main(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    if arguments.into_iter().nth(1)? != ARGUMENT {
        return None;
    }
    let served = serve(&mut io::stdin().lock(), &mut io::stdout().lock());
    Some(if served.is_ok() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn serve(requests: &mut impl BufRead, answers: &mut impl Write) -> io::Result<()> {
    let mut server = Server::new();
    for line in requests.lines() {
        let answer = match serde_json::from_str(&line?) {
            Ok(request) => server.answer(request),
            Err(error) => Answer::Failed(error.to_string()),
        };
        serde_json::to_writer(&mut *answers, &answer)?;
        answers.write_all(b"\n")?;
        answers.flush()?;
    }
    Ok(())
}

struct Server {
    hashes: Hashes,
    macs: Macs,
    ciphers: Ciphers,
    lanes: Vec<Option<Lane>>,
}

impl Server {
    fn new() -> Self {
        let hardware = Hardware::detect();
        let (mut hashes, mut macs, mut ciphers) = (
            aws_lc::hashes(&hardware),
            aws_lc::macs(&hardware),
            aws_lc::ciphers(&hardware),
        );
        hashes.extend(libcrypto::hashes(&hardware));
        macs.extend(libcrypto::macs(&hardware));
        ciphers.extend(libcrypto::ciphers(&hardware));
        hashes.retain(|candidate| {
            known_answer::hash(&candidate.subject, candidate.object.as_ref()).is_ok()
        });
        macs.retain(|candidate| {
            let mac = (candidate.object)(known_answer::MAC_KEY);
            mac.is_some_and(|mut mac| known_answer::mac(&candidate.subject, mac.as_mut()).is_ok())
        });
        ciphers.retain(|candidate| {
            known_answer::cipher(&candidate.subject, candidate.object.as_ref()).is_ok()
        });
        Self {
            hashes,
            macs,
            ciphers,
            lanes: Vec::new(),
        }
    }

    fn answer(&mut self, request: Request) -> Answer {
        match request {
            Request::Subjects => Answer::Subjects(self.subjects()),
            Request::Prepare {
                group,
                operation,
                bytes,
                path,
                subject,
            } => {
                let work = Work {
                    group,
                    operation,
                    bytes: Some(bytes),
                };
                let Some(lane) = self.lane(&work, path, &subject) else {
                    return Answer::Failed(format!(
                        "{} cannot do {}",
                        subject.algorithm, work.operation
                    ));
                };
                let one_time_nanoseconds = lane.one_time_nanoseconds;
                self.lanes.push(Some(lane));
                Answer::Prepared {
                    lane: self.lanes.len() - 1,
                    one_time_nanoseconds,
                }
            }
            Request::Run { lane, iterations } => match self.lanes.get_mut(lane) {
                Some(Some(lane)) => match lane.bench.run(iterations) {
                    Ok(nanoseconds) => Answer::Nanoseconds(nanoseconds),
                    Err(error) => Answer::Failed(error.to_string()),
                },
                _ => Answer::Failed(format!("no lane {lane}")),
            },
            Request::Release { lane } => {
                if let Some(lane) = self.lanes.get_mut(lane) {
                    *lane = None;
                }
                Answer::Released
            }
        }
    }

    fn subjects(&self) -> Vec<Subject> {
        let hashes = self.hashes.iter().map(|candidate| &candidate.subject);
        let macs = self.macs.iter().map(|candidate| &candidate.subject);
        let ciphers = self.ciphers.iter().map(|candidate| &candidate.subject);
        hashes.chain(macs).chain(ciphers).cloned().collect()
    }

    fn lane(&self, work: &Work, path: Option<PathBuf>, subject: &Subject) -> Option<Lane> {
        match work.group {
            Group::Hash | Group::HashStage => {
                let candidate = find(&self.hashes, subject)?;
                let bytes = usize::try_from(work.bytes?).ok()?;
                let data = known_answer::pattern(bytes + SLACK).into();
                let bench = workloads::hash::bench(Rc::clone(&candidate.object), data, bytes);
                Some(Lane {
                    subject: candidate.subject.clone(),
                    bench,
                    one_time_nanoseconds: None,
                })
            }
            Group::HashFile => workloads::files::lane(find(&self.hashes, subject)?, work, path?),
            Group::Mac => workloads::mac::lane(find(&self.macs, subject)?, work),
            Group::CipherMode | Group::CipherStage => {
                workloads::cipher::lane(find(&self.ciphers, subject)?, work)
            }
            Group::PublicKey | Group::Counts | Group::Memory => None,
        }
    }
}

fn find<'a, T>(candidates: &'a [Candidate<T>], subject: &Subject) -> Option<&'a Candidate<T>> {
    candidates
        .iter()
        .find(|candidate| candidate.subject == *subject)
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
            group: work.group,
            operation: work.operation.clone(),
            bytes: work.bytes?,
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(requests: &[Request]) -> Vec<Answer> {
        let lines: Vec<String> = requests
            .iter()
            .map(|request| serde_json::to_string(request).unwrap())
            .collect();
        let mut output = Vec::new();
        serve(&mut lines.join("\n").as_bytes(), &mut output).unwrap();
        output
            .lines()
            .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
            .collect()
    }

    #[test]
    fn serves_subjects_and_samples() {
        let answers = ask(&[Request::Subjects]);
        let [Answer::Subjects(subjects)] = answers.as_slice() else {
            panic!("{answers:?}")
        };
        let subject = subjects
            .iter()
            .find(|subject| subject.algorithm == "SHA-256")
            .unwrap()
            .clone();
        let prepare = Request::Prepare {
            group: Group::Hash,
            operation: "digest".to_owned(),
            bytes: 64,
            path: None,
            subject,
        };
        let answers = ask(&[
            prepare,
            Request::Run {
                lane: 0,
                iterations: 100,
            },
            Request::Run {
                lane: 7,
                iterations: 1,
            },
        ]);
        assert!(
            matches!(answers[0], Answer::Prepared { lane: 0, .. }),
            "{answers:?}"
        );
        assert!(
            matches!(answers[1], Answer::Nanoseconds(nanoseconds) if nanoseconds > 0),
            "{answers:?}"
        );
        assert!(matches!(answers[2], Answer::Failed(_)), "{answers:?}");
    }

    #[test]
    fn other_arguments_are_not_its_business() {
        assert!(child_main(["program".into()]).is_none());
        assert!(child_main(["program".into(), "compare".into()]).is_none());
    }
}
