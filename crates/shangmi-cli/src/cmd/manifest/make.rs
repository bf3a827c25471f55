//! `shangmi manifest make`.

use std::collections::HashMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use super::ReadOptions;
use super::report::{self, named};
use crate::bulk::{Algorithm, Algorithms, Links};
use crate::failure::{Failure, Outcome};
use crate::manifest::journal::{Journal, Purpose};
use crate::manifest::read::{self, Trust};
use crate::manifest::scan::{Scan, Scanned};
use crate::manifest::time::Time;
use crate::manifest::write::{self, Place};
use crate::manifest::{Content, Form, Kind, Manifest, Record};
use crate::output::{Content as OutputContent, Output, check_json};
use crate::progress::Progress;
use crate::ui::{self, Format, count};

/// List every file of a tree: path, size, time and digest
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi manifest make DIR -o DIR.manifest
  shangmi manifest make DIR -o DIR.manifest        only what changed is read again
  shangmi manifest make DIR -o DIR.manifest --paranoid
  shangmi manifest make --form jsonl -a sm3,sha256 DIR > manifest.jsonl

Where MANIFEST is there already, a file is read again only when its size, its
time of modification or its inode is another. --paranoid reads every file:
whoever sets times back, or writes to a disk behind the system's back, deceives
these three.

A run that is interrupted leaves MANIFEST.journal; the same command goes on from
there. Links, pipes, sockets, devices, unreadable files and files that change
while they are read are listed as such. The manifest itself is left out.

Exit status: 0 done; 2 something could not be read (the manifest is written all
the same, and names it), or wrong usage.")]
pub(crate) struct Args {
    /// The root of the tree
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Where the manifest goes [default: standard output]
    #[arg(short, long, value_name = "MANIFEST")]
    output: Option<PathBuf>,
    /// Digest to compute; several in one read, separated by commas
    #[arg(short, long, value_enum, value_delimiter = ',', default_value = "sm3")]
    algorithm: Vec<Algorithm>,
    /// Lines of text or of JSON
    #[arg(long, value_enum, default_value = "text")]
    form: Form,
    /// Read every file, whatever an earlier manifest says
    #[arg(long)]
    paranoid: bool,
    /// Leave times and inodes out, so that copies of a tree have equal manifests; the next run then
    /// reads every file
    #[arg(long)]
    portable: bool,
    /// Follow symbolic links found in the tree
    #[arg(long)]
    follow: bool,
    #[command(flatten)]
    reading: ReadOptions,
}

/// Where a record comes from that was not read in this run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Manifest,
    Journal,
}

/// Makes the manifest.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    check_json(format, args.output.as_deref())?;
    let place = match args
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"))
    {
        Some(path) => Some(Place::new(path)?),
        None => None,
    };
    let own = place
        .as_ref()
        .map_or(Vec::new(), |place| place.files().to_vec());
    let progress = Progress::of_files(|| None);
    let algorithms: Algorithms = args.algorithm.iter().copied().collect();
    let engine = args.reading.engine();
    let mut scan = Scan::new(&args.directory, &own, algorithms, engine, &progress)?;
    if args.follow {
        scan.links = Links::Follow;
    }
    let scanned = match &place {
        Some(place) => to_file(args, &scan, place)?,
        None => to_stdout(args, &scan)?,
    };
    drop(progress);
    finish(args, format, &scanned)
}

fn to_stdout(args: &Args, scan: &Scan<'_>) -> Result<Tally> {
    let scanned = scan.run::<Source>(None, &mut |_| Ok(()))?;
    let (tally, manifest) = args.manifest(scan.algorithms, scanned);
    let mut out = Output::create(None, OutputContent::Text, &[])?;
    write::write(&mut out, &manifest, args.form)?;
    out.commit()?;
    Ok(tally)
}

fn to_file(args: &Args, scan: &Scan<'_>, place: &Place) -> Result<Tally> {
    let purpose = Purpose {
        algorithms: scan.algorithms,
        root: scan.root_id()?,
        paranoid: args.paranoid,
    };
    let old = old_records(&place.manifest, args.paranoid)?;
    let (mut journal, finished) = Journal::open(&place.journal, purpose)?;
    let mut known = HashMap::new();
    // The journal is the newer one: what it says about a file counts.
    for (source, records) in [(Source::Manifest, old), (Source::Journal, finished)] {
        known.extend(
            records
                .into_iter()
                .map(|record| (record.name.clone(), (record, source))),
        );
    }
    let look_up = |name: &[u8], status: &Metadata| {
        let (record, source) = known.get(name)?;
        is_same(record, status, scan.algorithms).then(|| (record.clone(), *source))
    };
    let scanned = if known.is_empty() {
        scan.run(None, &mut |record| journal.add(record))
    } else {
        scan.run(Some(&look_up), &mut |record| journal.add(record))
    };
    journal.flush()?;
    let (tally, manifest) = args.manifest(scan.algorithms, scanned?);
    place.replace(&manifest, args.form)?;
    journal.remove()?;
    Ok(tally)
}

/// Whether the file is still what the record describes, as far as the system tells.
fn is_same(record: &Record, status: &Metadata, algorithms: Algorithms) -> bool {
    record.file().is_some_and(|file| {
        status.is_file()
            && file.has(algorithms)
            && file.size == status.len()
            && file.inode == Some(status.ino())
            && file.modified == Some(Time::of(status))
    })
}

/// The records of the manifest that is to be replaced. A file that is no manifest is not replaced.
fn old_records(path: &Path, paranoid: bool) -> Result<Vec<Record>> {
    // An empty file may have been made to reserve the name.
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0) || !path.exists() {
        return Ok(Vec::new());
    }
    match read::read_or_why(path) {
        Ok(_) if paranoid => Ok(Vec::new()),
        Ok(manifest) => Ok(manifest.records),
        Err((Trust::Foreign, _)) => Err(Failure::trouble(
            format!("{} is there and is no manifest", ui::quote(path)),
            "choose another name, or remove that file first",
        )
        .into()),
        Err((Trust::Unknown, error)) => Err(error),
        Err((Trust::Damaged, error)) => {
            ui::warn(format_args!("{error:#}; every file is read again"));
            Ok(Vec::new())
        }
    }
}

/// What the run came to.
#[derive(Default)]
struct Tally {
    files: u64,
    bytes: u64,
    read: u64,
    unchanged: u64,
    resumed: u64,
    links: u64,
    /// Everything else: these are named one by one.
    others: Vec<Record>,
}

impl Args {
    fn manifest(&self, algorithms: Algorithms, scanned: Vec<Scanned<Source>>) -> (Tally, Manifest) {
        let mut tally = Tally::default();
        let mut records = Vec::with_capacity(scanned.len());
        for Scanned { record, known } in scanned {
            tally.add(&record, known);
            records.push(record);
        }
        if self.portable {
            write::make_portable(&mut records);
        }
        let manifest = Manifest {
            algorithms,
            records,
        };
        (tally, manifest)
    }
}

impl Tally {
    fn add(&mut self, record: &Record, known: Option<Source>) {
        match &record.content {
            Content::File(file) => {
                self.files += 1;
                self.bytes += file.size;
                match known {
                    None => self.read += 1,
                    Some(Source::Manifest) => self.unchanged += 1,
                    Some(Source::Journal) => self.resumed += 1,
                }
            }
            Content::Other(Kind::Link, _) => self.links += 1,
            Content::Other(..) => self.others.push(record.clone()),
        }
    }

    fn json(&self) -> Value {
        json!({
            "files": self.files,
            "bytes": self.bytes,
            "read": self.read,
            "unchanged": self.unchanged,
            "resumed": self.resumed,
            "links": self.links,
        })
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files = count(self.files, "file", "files");
        let bytes = count(self.bytes, "byte", "bytes");
        write!(
            f,
            "{files}, {bytes}: {} read, {} unchanged",
            self.read, self.unchanged
        )?;
        if self.resumed > 0 {
            write!(f, ", {} read by an interrupted run", self.resumed)?;
        }
        if self.links > 0 {
            write!(
                f,
                "; {}",
                count(self.links, "symbolic link", "symbolic links")
            )?;
        }
        Ok(())
    }
}

fn finish(args: &Args, format: Format, tally: &Tally) -> Result<Outcome> {
    let mut outcome = Outcome::Done;
    let mut others = Vec::new();
    for record in &tally.others {
        if let Content::Other(kind, detail) = &record.content {
            report::warn_of(&record.name, *kind, detail);
            if kind.is_failure() {
                outcome = Outcome::Trouble;
            }
            let mut other = named("path", &record.name);
            other.insert("kind".to_owned(), kind.word().into());
            crate::manifest::escape::put(&mut other, "detail", detail);
            others.push(Value::Object(other));
        }
    }
    if format == Format::Json {
        let path = args.output.as_deref().unwrap_or(Path::new("-"));
        let mut document = named("manifest", report::bytes(path));
        document.insert("summary".to_owned(), tally.json());
        document.insert("others".to_owned(), others.into());
        ui::print_json(&document.into())?;
    } else {
        ui::note(tally);
    }
    if outcome == Outcome::Trouble {
        ui::say_error(
            "the manifest is incomplete",
            "it names what could not be read; run it again when that is mended",
        );
    }
    Ok(outcome)
}
