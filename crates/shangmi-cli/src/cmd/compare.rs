//! `shangmi compare`: the report.

use std::env;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::ValueEnum;
use shangmi_compare::report::{self, Language};
use shangmi_compare::result::{Group, Report};
use shangmi_compare::{Event, Options, Profile};

use crate::failure::{Failure, Outcome};
use crate::output::{Content, Output, Scratch};
use crate::progress::Steps;
use crate::ui::{self, Format};

/// Compare SM2, SM3 and SM4 with RSA, P-256, SHA-256 and AES on this machine
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi compare                           a minute; the report goes to 'report'
  shangmi compare --full --out DIR          several minutes, more samples, a file of 1 GB
  shangmi compare --only hash,mac           a part of it
  shangmi compare --json > results.json     the numbers on standard output, too

The report is index.html (Chinese and English, self-contained), report.md,
report.zh-CN.md and results.json. A build without --release is slow: measure with
'cargo run --release -- compare'.")]
pub(crate) struct Args {
    /// At most a minute on two cores; this is the default
    #[arg(long, conflicts_with = "full")]
    quick: bool,
    /// A quarter of an hour: more samples, a file of 1 GB, memory watched over 10^6 operations
    #[arg(long)]
    full: bool,
    /// Milliseconds: for tests, the numbers mean nothing
    #[arg(long, hide = true, conflicts_with_all = ["quick", "full"])]
    smoke: bool,
    /// Groups to measure: hash, hash-many, hash-file, hash-tree, hash-stage, mac, cipher-stage,
    /// cipher-mode, public-key, load, counts, memory
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = group)]
    only: Vec<Group>,
    /// Directory for the report, which is made when missing
    #[arg(short, long, value_name = "DIR", default_value = "report")]
    out: PathBuf,
    /// Language of the tables on the terminal [default: that of the locale]
    #[arg(long, value_enum, value_name = "LANGUAGE")]
    lang: Option<Lang>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Lang {
    En,
    Zh,
}

fn group(name: &str) -> Result<Group, String> {
    Group::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Group::ALL.into_iter().map(Group::name).collect();
        format!("the groups are {}", names.join(", "))
    })
}

/// Measures, prints the tables and writes the report.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    prepare(&args.out)?;
    let scratch = Scratch::new().context("cannot make a temporary directory")?;
    let options = Options {
        profile: args.profile(),
        only: args.only.clone(),
        program: env::current_exe().ok(),
        temporary_directory: Some(scratch.path().to_owned()),
    };
    let report = measure(&options)?;
    let mut out = Output::create(None, Content::Text, &[])?;
    match format {
        Format::Text => out.put(report::terminal(&report, args.language(), width()).as_bytes())?,
        Format::Json => out.put(report::json(&report)?.as_bytes())?,
    }
    let files = report::write_all(&args.out, &report)
        .with_context(|| format!("cannot write the report to {}", ui::quote(&args.out)))?;
    out.commit()?;
    if let Some(page) = files.first() {
        ui::note(format_args!("the report is in {}", ui::quote(page)));
    }
    Ok(Outcome::Done)
}

impl Args {
    fn profile(&self) -> Profile {
        if self.smoke {
            Profile::Smoke
        } else if self.full {
            Profile::Full
        } else {
            Profile::Quick
        }
    }

    fn language(&self) -> Language {
        match self.lang {
            Some(Lang::En) => Language::English,
            Some(Lang::Zh) => Language::Chinese,
            None => {
                let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
                let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
                Language::of_locale(&locale.unwrap_or_default())
            }
        }
    }
}

/// A directory that cannot be written to is better known now than after a minute.
fn prepare(directory: &Path) -> Result<()> {
    let attempt = || -> io::Result<()> {
        std::fs::create_dir_all(directory)?;
        tempfile::Builder::new()
            .prefix(".shangmi-")
            .tempfile_in(directory)?;
        Ok(())
    };
    match attempt() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(Failure::trouble(
            format!("{} is not a directory", ui::quote(directory)),
            "name a directory for the report with --out DIR",
        )
        .into()),
        other => other.with_context(|| format!("cannot write to {}", ui::quote(directory))),
    }
}

fn measure(options: &Options) -> Result<Report> {
    let steps = Steps::new();
    let report = shangmi_compare::run(options, &mut |event| match event {
        Event::Started {
            batches,
            planned_seconds,
        } => {
            ui::note(format_args!(
                "measuring for about {planned_seconds:.0} s; a quiet machine helps"
            ));
            steps.begin(batches as u64);
        }
        Event::Batch {
            index,
            group,
            operation,
            bytes,
            ..
        } => {
            let size = bytes.map_or_else(String::new, |bytes| format!(", {bytes} bytes"));
            steps.at(index as u64, format!("{group}: {operation}{size}"));
        }
        Event::Load { batches } => steps.at(batches as u64, Group::Load.to_string()),
        _ => {}
    });
    report.context("cannot measure")
}

fn width() -> Option<u16> {
    terminal_size::terminal_size().map(|(terminal_size::Width(columns), _)| columns)
}
