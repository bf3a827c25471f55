//! `shangmi hash`: digests of files, and checking them.

mod check;
mod digest;
pub(crate) mod sums;
mod tally;
mod walk;

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use self::digest::{Algorithm, Digest};
use self::sums::Ending;
use self::walk::Entry;
use crate::failure::Outcome;
use crate::hex;
use crate::input::Input;
use crate::output::{Content, Output};
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

Without FILE, standard input is read. Symbolic links and special files found
in a directory are reported and left out; those named on the command line are
followed. Lines are those of sha256sum; --check reads the tagged form too.

Exit status: 0 all well; 1 a digest differs (also when another file could not
be read); 2 no digest differs, but a file is missing or unreadable, or a list
has no usable line (with --strict: any badly formatted line).

A link to the program named sm3sum runs this command.")]
pub(crate) struct Args {
    /// Digest to compute; several in one read, separated by commas
    #[arg(short, long, value_enum, value_delimiter = ',', default_value = "sm3")]
    algorithm: Vec<Algorithm>,
    /// Read digests from FILE and check them
    #[arg(short, long)]
    check: bool,
    /// Print lines of the form 'SM3 (file) = digest'; several algorithms imply it
    #[arg(long, conflicts_with = "check")]
    tag: bool,
    /// End each line with NUL, and do not escape file names
    #[arg(short, long, conflicts_with = "check")]
    zero: bool,
    /// Follow symbolic links found in directories
    #[arg(long, conflicts_with = "check")]
    follow: bool,
    /// Files, directories, or '-'; with --check: lists of digests
    #[arg(
        value_name = "FILE|DIR",
        default_value = "-",
        hide_default_value = true
    )]
    files: Vec<PathBuf>,
    #[command(flatten)]
    checking: check::Options,
}

/// Prints digests, or checks them.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    let mut algorithms: Vec<Algorithm> = Vec::new();
    for &algorithm in &args.algorithm {
        if !algorithms.contains(&algorithm) {
            algorithms.push(algorithm);
        }
    }
    if args.check {
        return check::run(&args.files, &algorithms, args.checking, format);
    }
    let entries = walk::walk(&args.files, args.follow);
    let progress = Progress::new(walk::total_bytes(&entries));
    let out = Output::create(None, Content::Text, &[])?;
    let mut printer = match format {
        Format::Text => Printer::Text {
            out,
            line: args.line_format(&algorithms),
        },
        Format::Json => Printer::Json {
            out,
            files: Vec::new(),
            skipped: Vec::new(),
        },
    };
    let mut outcome = Outcome::Done;
    for entry in entries {
        match hash_entry(entry, &algorithms, &progress, &mut printer)? {
            Outcome::Done => {}
            worse => outcome = worse,
        }
    }
    printer.finish()?;
    Ok(outcome)
}

/// How a line looks, and how it ends.
enum LineFormat {
    Plain(Ending),
    Tagged(Ending),
}

impl LineFormat {
    fn of(&self, algorithm: Algorithm, digest: &Digest, name: &[u8]) -> Vec<u8> {
        match *self {
            Self::Plain(ending) => sums::plain_line(ending, digest, name),
            Self::Tagged(ending) => sums::tagged_line(ending, algorithm, digest, name),
        }
    }
}

impl Args {
    fn line_format(&self, algorithms: &[Algorithm]) -> LineFormat {
        let ending = if self.zero {
            Ending::Nul
        } else {
            Ending::Newline
        };
        if self.tag || algorithms.len() > 1 {
            LineFormat::Tagged(ending)
        } else {
            LineFormat::Plain(ending)
        }
    }
}

/// Hashes one entry; a bad one is reported, and only a failing output stops the run.
fn hash_entry(
    entry: Entry,
    algorithms: &[Algorithm],
    progress: &Progress,
    printer: &mut Printer,
) -> Result<Outcome> {
    let path = match entry {
        Entry::File { path, .. } => path,
        Entry::Skipped { path, reason } => {
            progress.suspend(|| printer.skip(&path, reason));
            return Ok(Outcome::Done);
        }
        Entry::Failed { error } => return Ok(progress.suspend(|| ui::report(&error))),
    };
    match Input::open(&path).and_then(|mut input| digest::read(&mut input, algorithms, progress)) {
        Ok((digests, length)) => {
            progress.suspend(|| printer.print(&path, length, algorithms, &digests))?;
            Ok(Outcome::Done)
        }
        Err(error) => Ok(progress.suspend(|| ui::report(&error))),
    }
}

/// Prints results as they come, or collects them for one JSON document.
enum Printer {
    Text {
        out: Output,
        line: LineFormat,
    },
    Json {
        out: Output,
        files: Vec<Value>,
        skipped: Vec<Value>,
    },
}

impl Printer {
    fn print(
        &mut self,
        path: &Path,
        length: u64,
        algorithms: &[Algorithm],
        digests: &[Digest],
    ) -> Result<()> {
        let results = algorithms.iter().zip(digests);
        match self {
            Self::Text { out, line } => {
                for (&algorithm, digest) in results {
                    let name = path.as_os_str().as_bytes();
                    out.put(&line.of(algorithm, digest, name))?;
                }
                out.show()
            }
            Self::Json { files, .. } => {
                let mut file = json!({ "file": path.to_string_lossy(), "bytes": length });
                for (algorithm, digest) in results {
                    file[algorithm.key()] = json!(hex::encode(digest));
                }
                files.push(file);
                Ok(())
            }
        }
    }

    fn skip(&mut self, path: &Path, reason: &str) {
        if let Self::Json { skipped, .. } = self {
            skipped.push(json!({ "file": path.to_string_lossy(), "reason": reason }));
        }
        ui::warn(format_args!("left out {}: {reason}", ui::quote(path)));
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Text { out, .. } => out.commit(),
            Self::Json {
                mut out,
                files,
                skipped,
            } => {
                let document = json!({ "files": files, "skipped": skipped });
                out.put(format!("{document:#}\n").as_bytes())?;
                out.commit()
            }
        }
    }
}
