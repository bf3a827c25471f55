//! The side of the masked process: answers until its input ends.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use super::{ARGUMENT, Answer, Request, repeating};
use crate::hardware::Hardware;
use crate::known_answer;
use crate::result::Group;
use crate::subjects::{Candidate, Ciphers, Hashes, Macs, Subject, aws_lc, libcrypto};
use crate::workloads::{self, Lane, SLACK, Work};

/// Serves as one of the processes that [`run`](crate::run()) starts when the program was started as one; `None`: it was
/// not, carry on.
///
/// To be called first in `main` of a program that calls [`run`](crate::run()), before it parses its arguments.
/// - `arguments`: those of the program, its name first
#[must_use]
pub fn child_main(arguments: impl IntoIterator<Item = OsString>) -> Option<ExitCode> {
    let mut arguments = arguments.into_iter().skip(1);
    let first = arguments.next()?;
    if first == repeating::ARGUMENT {
        return Some(repeating::serve(arguments.next()));
    }
    if first != ARGUMENT {
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
        macs.retain(|candidate| known_answer::mac(&candidate.subject, &candidate.object).is_ok());
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
                work,
                path,
                subject,
            } => {
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
            Group::HashMany => {
                let candidate = workloads::many::one_stream(find(&self.hashes, subject)?);
                workloads::many::lane(&candidate, work)
            }
            Group::HashFile => workloads::files::lane(find(&self.hashes, subject)?, work, path?),
            Group::Mac => workloads::mac::lane(find(&self.macs, subject)?, work),
            Group::CipherMode | Group::CipherStage => {
                workloads::cipher::lane(find(&self.ciphers, subject)?, work)
            }
            Group::HashTree | Group::PublicKey | Group::Load | Group::Counts | Group::Memory => {
                None
            }
        }
    }
}

fn find<'a, T>(candidates: &'a [Candidate<T>], subject: &Subject) -> Option<&'a Candidate<T>> {
    candidates
        .iter()
        .find(|candidate| candidate.subject == *subject)
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
            work: Work::new(Group::Hash, "digest", Some(64)),
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
