//! `shangmi hash`: digests of files, and checking them.

mod check;
mod names;
mod print;
pub(crate) mod sums;
mod tally;

use std::fs::Metadata;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::Result;

use self::names::Names;
use self::print::{Form, Printer};
use self::sums::{Ending, Style};
use crate::bulk::{Algorithm, Algorithms, Done, Engine, Found, Job, Kind, Links, Source, Walk};
use crate::failure::{Failure, Outcome};
use crate::progress::Progress;
use crate::ui::{self, Format};

/// Print or check SM3 and SHA-256 digests of files and directories
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi hash FILE                     digest, as sha256sum prints it
  shangmi hash -a sm3,sha256 DIR        two digests of each file, read once
  shangmi hash DIR > SUMS               every file below DIR, in sorted order
  shangmi hash --check SUMS             check them later
  find . -newer SUMS -type f -print0 | shangmi hash --files-from - --null
  shangmi hash --no-names FILE          the digest alone; --raw: its 32 bytes

Without FILE, standard input is read. Symbolic links and special files found
in a directory are reported and left out; those named on the command line are
followed. A file that changes while it is read is an error, and has no line.
Lines come in the order of the names, however many threads are at work.

Lines are those of sha256sum. --check reads all forms: 'digest  file',
'digest *file', 'SM3 (file) = digest' and OpenSSL's 'SM3(file)= digest'.

Exit status: 0 all well; 1 a digest differs (also when another file could not
be read); 2 no digest differs, but a file is missing or unreadable, or a list
has no usable line (with --strict: any badly formatted line).

The program named sm3sum runs this command.")]
pub(crate) struct Args {
    /// Digest to compute; several in one read, separated by commas
    #[arg(short, long, value_enum, value_delimiter = ',', default_value = "sm3")]
    algorithm: Vec<Algorithm>,
    /// Read digests from FILE and check them
    #[arg(short, long)]
    check: bool,
    /// Read more names from LIST, one a line; '-' is standard input
    #[arg(long, value_name = "LIST", conflicts_with = "check")]
    files_from: Option<PathBuf>,
    /// The names of --files-from end with NUL, as find -print0 writes them
    #[arg(short = '0', long, requires = "files_from")]
    null: bool,
    /// Follow symbolic links found in directories
    #[arg(long, conflicts_with = "check")]
    follow: bool,
    /// Threads that read and hash [default: one for each processor]
    #[arg(long, value_name = "N")]
    num_threads: Option<NonZeroUsize>,
    /// Accepted for scripts written for b3sum: files are read, never mapped into memory
    #[arg(long)]
    no_mmap: bool,
    /// Files, directories, or '-'; with --check: lists of digests
    #[arg(value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    lines: LineOptions,
    #[command(flatten)]
    checking: check::Options,
}

/// What a line looks like.
#[derive(clap::Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Lines")]
struct LineOptions {
    /// Print lines of the form 'SM3 (file) = digest'; several algorithms imply it
    #[arg(long, group = "style", conflicts_with = "check")]
    tag: bool,
    /// Print lines of the form 'SM3(file)= digest', as openssl does
    #[arg(long, group = "style", conflicts_with = "check")]
    openssl: bool,
    /// Print lines of the form 'digest *file'
    #[arg(short, long, group = "style", conflicts_with = "check")]
    binary: bool,
    /// Print lines of the form 'digest  file' (the default)
    #[arg(short, long, group = "style", conflicts_with = "check")]
    text: bool,
    /// Print digests without names
    #[arg(long, group = "style", conflicts_with = "check")]
    no_names: bool,
    /// Write the bytes of the digest, nothing else; for one file
    #[arg(long, group = "style", conflicts_with_all = ["check", "zero"])]
    raw: bool,
    /// Lines end with NUL, and names are not escaped; with --check: in the lists
    #[arg(short, long)]
    zero: bool,
}

/// Prints digests, or checks them.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    let mut algorithms: Vec<Algorithm> = Vec::new();
    for &algorithm in &args.algorithm {
        if !algorithms.contains(&algorithm) {
            algorithms.push(algorithm);
        }
    }
    let engine = Engine::new(args.num_threads);
    let stdin = [PathBuf::from("-")];
    let files: &[PathBuf] = if args.files.is_empty() && args.files_from.is_none() {
        &stdin
    } else {
        &args.files
    };
    if args.check {
        let ending = args.lines.ending();
        return check::run(files, &algorithms, args.checking, ending, engine, format);
    }
    if args.lines.raw {
        check_raw(args, &algorithms, format)?;
    }
    let ending = if args.null {
        Ending::Nul
    } else {
        Ending::Newline
    };
    let listed = args.files_from.iter();
    let listed = listed.map(|list| Names::read(list, ending));
    let listed: Vec<Names> = listed.collect::<Result<_>>()?;
    let names = files.iter().cloned().chain(listed.into_iter().flatten());
    let printer = Printer::new(format, args.lines.form(&algorithms), algorithms)?;
    hash(names, args, engine, printer)
}

/// Hashes everything behind the names; a bad file is reported, and only a failing output ends it.
fn hash(
    names: impl Iterator<Item = PathBuf> + Send,
    args: &Args,
    engine: Engine,
    mut printer: Printer,
) -> Result<Outcome> {
    let links = if args.follow {
        Links::Follow
    } else {
        Links::Report
    };
    let progress = Progress::of_files(|| total_bytes(args));
    let set: Algorithms = printer.algorithms().iter().copied().collect();
    let jobs = Walk::new(names, links).map(|found| job(found, set));
    let mut outcome = Outcome::Done;
    engine.run(jobs, &progress, |done| {
        let problem = match done {
            Done::Hashed { path, file, .. } => {
                return progress.suspend(|| printer.print(&path, &file));
            }
            Done::Failed { path, error, .. } => error.of(&path),
            Done::Passed(Met::Problem(error)) => error,
            Done::Passed(Met::LeftOut(path, reason)) => {
                progress.suspend(|| printer.skip(&path, reason));
                return Ok(());
            }
        };
        outcome = progress.suspend(|| ui::report(&problem));
        Ok(())
    })?;
    printer.finish()?;
    Ok(outcome)
}

/// What the walk met that is not to be read.
enum Met {
    LeftOut(PathBuf, &'static str),
    Problem(anyhow::Error),
}

fn job(Found { path, kind }: Found, algorithms: Algorithms) -> Job<(), Met> {
    let hash = |source| Job::Hash {
        source,
        algorithms,
        tag: (),
    };
    match kind {
        Kind::Regular => hash(Source::Found(path)),
        Kind::Named => hash(Source::Named(path)),
        Kind::Link => Job::Pass(Met::LeftOut(path, "a symbolic link (--follow follows it)")),
        Kind::Special => Job::Pass(Met::LeftOut(path, "not a regular file")),
        Kind::Loop => Job::Pass(problem(
            anyhow::anyhow!("a symbolic link leads back to a parent"),
            &path,
        )),
        Kind::Unreadable(error) => Job::Pass(problem(error.into(), &path)),
    }
}

fn problem(cause: anyhow::Error, path: &Path) -> Met {
    Met::Problem(cause.context(format!("cannot read {}", ui::quote(path))))
}

/// Bytes in all, when every name is given and is that of a regular file.
fn total_bytes(args: &Args) -> Option<u64> {
    if args.files_from.is_some() {
        return None;
    }
    args.files.iter().try_fold(0u64, |total, file| {
        let metadata = std::fs::metadata(file).ok().filter(Metadata::is_file)?;
        total.checked_add(metadata.len())
    })
}

/// Digests as bytes cannot be told apart: there may be one only.
fn check_raw(args: &Args, algorithms: &[Algorithm], format: Format) -> Result<()> {
    let one = args.files.len() <= 1 && args.files_from.is_none() && algorithms.len() == 1;
    let directory = args.files.first().is_some_and(|file| file.is_dir());
    if format == Format::Text && one && !directory {
        return Ok(());
    }
    Err(Failure::trouble(
        "--raw writes one digest of one file, as bytes",
        "leave --raw out: every other form can hold many",
    )
    .into())
}

impl LineOptions {
    fn ending(self) -> Ending {
        if self.zero {
            Ending::Nul
        } else {
            Ending::Newline
        }
    }

    fn form(self, algorithms: &[Algorithm]) -> Form {
        if self.raw {
            return Form::Raw;
        }
        if self.no_names {
            return Form::Digest(self.ending());
        }
        let style = if self.openssl {
            Style::OpenSsl
        } else if self.binary {
            Style::Binary
        } else if self.tag || algorithms.len() > 1 && !self.text {
            Style::Tagged
        } else {
            Style::Plain
        };
        Form::Line(style, self.ending())
    }
}
