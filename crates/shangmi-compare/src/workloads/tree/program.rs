//! A program that hashes the files named on its command line.

use std::ffi::OsString;
use std::io;
use std::process::{Command, Output, Stdio};
use std::rc::Rc;

use super::Tree;
use crate::clock::ChildrenStopwatch;
use crate::hardware::{Hardware, Instructions};
use crate::result::{Execution, Group, Library, LibraryStatus, RefusedSubject, Report, Side};
use crate::runner::Bench;
use crate::subjects::{Subject, shangmi as own};
use crate::{Error, Options};

/// Bytes of names on one command line: what xargs gives a program.
const LIST_LEN: usize = if cfg!(unix) { 128 << 10 } else { 30_000 };

/// A program that gave the right digests.
#[derive(Clone)]
pub(crate) struct Candidate {
    pub(crate) subject: Subject,
    command: Vec<OsString>,
}

/// A program as users run it.
struct Program {
    name: &'static str,
    arguments: &'static [&'static str],
    side: Side,
    version: &'static str,
    install: &'static str,
}

const COREUTILS: &str = "install GNU coreutils 9 or later";

const PROGRAMS: [Program; 5] = [
    Program {
        name: own::NAME,
        arguments: &["hash", "--num-threads", "1"],
        side: Side::Sm,
        version: "--version",
        install: "",
    },
    Program {
        name: "cksum",
        arguments: &["-a", "sm3"],
        side: Side::Sm,
        version: "--version",
        install: COREUTILS,
    },
    Program {
        name: "openssl",
        arguments: &["dgst", "-sm3"],
        side: Side::Sm,
        version: "version",
        install: "install OpenSSL",
    },
    Program {
        name: own::NAME,
        arguments: &["hash", "--num-threads", "1", "-a", "sha256"],
        side: Side::International,
        version: "--version",
        install: "",
    },
    Program {
        name: "sha256sum",
        arguments: &[],
        side: Side::International,
        version: "--version",
        install: COREUTILS,
    },
];

/// The programs that are there and give the digests of `tree`; the report hears of the others.
pub(crate) fn candidates(
    tree: &Tree,
    options: &Options,
    hardware: &Hardware,
    report: &mut Report,
) -> Vec<Candidate> {
    let mut admitted = Vec::new();
    for program in &PROGRAMS {
        let candidate = match program.candidate(options, hardware) {
            Ok(candidate) => candidate,
            Err(reason) => {
                report.skipped.push(program.left_out(reason));
                continue;
            }
        };
        if program.name != own::NAME {
            report.libraries.push(program.library());
        }
        match candidate.check(tree, program.side) {
            Ok(()) => admitted.push(candidate),
            Err(Unfit::Skipped(reason)) => report.skipped.push(program.left_out(reason)),
            Err(Unfit::Refused(reason)) => report.refused.push(program.left_out(reason)),
        }
    }
    admitted
}

/// Why a program is not timed.
#[derive(Debug, PartialEq)]
pub(super) enum Unfit {
    /// It is not there, or lacks the algorithm.
    Skipped(String),
    /// It gives other digests.
    Refused(String),
}

impl Program {
    fn candidate(&self, options: &Options, hardware: &Hardware) -> Result<Candidate, String> {
        let is_own = self.name == own::NAME;
        let path = match (is_own, &options.program) {
            (true, Some(program)) => program.clone().into_os_string(),
            (true, None) => return Err("the running program is not shangmi".to_owned()),
            (false, _) => self.name.into(),
        };
        let (algorithm, backend, execution) = match (self.side, is_own) {
            (Side::Sm, true) => {
                let backend = shangmi::sm3::many_backend();
                ("SM3", backend.to_owned(), own::execution(backend))
            }
            (Side::International, true) => (
                "SHA-256",
                hardware.backend(Instructions::Sha256),
                hardware.execution(Instructions::Sha256),
            ),
            // What the program does inside cannot be seen from here.
            (Side::Sm, false) => ("SM3", OWN_CHOICE.to_owned(), Execution::Software),
            (Side::International, false) => ("SHA-256", OWN_CHOICE.to_owned(), Execution::Software),
        };
        let mut command = vec![path];
        command.extend(self.arguments.iter().map(OsString::from));
        Ok(Candidate {
            subject: Subject {
                algorithm: algorithm.to_owned(),
                variant: Some(self.command_line()),
                library: self.name.to_owned(),
                backend,
                side: self.side,
                execution,
                constant_time: None,
                security_bits: 128,
            },
            command,
        })
    }

    /// As a user types it.
    fn command_line(&self) -> String {
        let words = std::iter::once(self.name).chain(self.arguments.iter().copied());
        words.collect::<Vec<_>>().join(" ")
    }

    fn left_out(&self, reason: String) -> RefusedSubject {
        RefusedSubject {
            group: Group::HashTree,
            subject: self.name.to_owned(),
            operation: self.command_line(),
            reason,
        }
    }

    fn library(&self) -> Library {
        let answer = Command::new(self.name)
            .arg(self.version)
            .stdin(Stdio::null())
            .output();
        let (version, status) = match answer {
            Ok(output) => (first_line(&output.stdout), LibraryStatus::Used),
            Err(error) => {
                let hint = format!("{error}; {}", self.install);
                (String::new(), LibraryStatus::Absent { hint })
            }
        };
        Library {
            name: self.name.to_owned(),
            version,
            note: "a program of this machine, over many small files".to_owned(),
            status,
        }
    }
}

const OWN_CHOICE: &str = "chosen by the program";

fn first_line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines().next().unwrap_or_default().to_owned()
}

impl Candidate {
    /// Whether the program gives the digest of every file.
    pub(super) fn check(&self, tree: &Tree, side: Side) -> Result<(), Unfit> {
        let mut found = Vec::with_capacity(tree.names.len());
        for command in &mut self.commands(tree) {
            let output = command.output().map_err(|error| {
                Unfit::Skipped(match error.kind() {
                    io::ErrorKind::NotFound => "the program is not there".to_owned(),
                    _ => error.to_string(),
                })
            })?;
            found.extend(digests(&output)?);
        }
        if found == tree.digests(side) {
            Ok(())
        } else {
            Err(Unfit::Refused(
                "its digests are not those of the files".to_owned(),
            ))
        }
    }

    /// Takes its processor time over the whole tree.
    pub(super) fn bench(&self, tree: &Rc<Tree>) -> Box<dyn Bench> {
        Box::new(ProgramBench {
            candidate: self.clone(),
            tree: Rc::clone(tree),
        })
    }

    /// The program with as many names at once as xargs gives it.
    fn commands(&self, tree: &Tree) -> Vec<Command> {
        let mut commands: Vec<Command> = Vec::new();
        let mut room = 0;
        for name in &tree.names {
            if room <= name.len() || commands.is_empty() {
                commands.push(self.command(tree));
                room = LIST_LEN;
            }
            room -= name.len() + 1;
            if let Some(command) = commands.last_mut() {
                command.arg(name);
            }
        }
        commands
    }

    fn command(&self, tree: &Tree) -> Command {
        let mut command = Command::new(&self.command[0]);
        command
            .args(&self.command[1..])
            .current_dir(tree.path())
            .env("LC_ALL", "C")
            .stdin(Stdio::null());
        command
    }
}

/// The words of 64 hexadecimal digits, in order; the first complaint of a program that failed.
fn digests(output: &Output) -> Result<Vec<String>, Unfit> {
    if !output.status.success() {
        return Err(Unfit::Skipped(first_line(&output.stderr)));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let words = text.split(|c: char| !c.is_ascii_hexdigit());
    Ok(words
        .filter(|word| word.len() == 64)
        .map(str::to_owned)
        .collect())
}

struct ProgramBench {
    candidate: Candidate,
    tree: Rc<Tree>,
}

impl Bench for ProgramBench {
    fn run(&mut self, iterations: u64) -> Result<u64, Error> {
        let mut nanoseconds = 0;
        for _ in 0..iterations {
            let mut commands = self.candidate.commands(&self.tree);
            let start = ChildrenStopwatch::start();
            for command in &mut commands {
                let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
                if !status.is_ok_and(|status| status.success()) {
                    return Err(Error::Operation);
                }
            }
            nanoseconds += start.nanoseconds();
        }
        Ok(nanoseconds)
    }
}

/// Our program as `options` name it, unchecked.
#[cfg(all(test, unix))]
pub(super) fn trial(options: &Options) -> Candidate {
    PROGRAMS[0]
        .candidate(options, &Hardware::detect())
        .expect("the options name a program")
}
