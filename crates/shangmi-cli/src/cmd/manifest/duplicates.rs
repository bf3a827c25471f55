//! `shangmi manifest duplicates`.

use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::{Value, json};

use super::ReadOptions;
use super::report::{bytes, named};
use crate::bulk::Algorithm;
use crate::failure::{Failure, Outcome};
use crate::hex;
use crate::manifest::duplicates::{self, Findings, Group, Problem, Twin};
use crate::manifest::escape::escape;
use crate::manifest::link::{self, Linked};
use crate::manifest::read;
use crate::output::{Content, Output};
use crate::progress::Progress;
use crate::ui::{self, Format, count};

/// Find files of the same content, and link them when asked
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi manifest duplicates DIR
  shangmi manifest duplicates --min-size 1000000 DIR OTHER_DIR
  shangmi manifest duplicates --hard-link DIR
  shangmi manifest duplicates --manifest DIR.manifest      without reading the files

Files are compared by size, then by their first 4096 bytes, then by the digest
of all. Names that are hard links to one file are one file: they save nothing.
Empty files and symbolic links do not count.

--hard-link makes every further copy a name of the first one, after both were
compared byte for byte; never across devices, and only where owner, group and
mode agree. The copy's own time, access list and extended attributes are lost.
Use it on a tree that nobody is writing to.

Exit status: 0 done, whether or not there are duplicates; 2 something could not
be read or linked, or wrong usage.")]
pub(crate) struct Args {
    /// Directories to search
    #[arg(value_name = "DIR", required_unless_present = "manifest")]
    directories: Vec<PathBuf>,
    /// Take sizes and digests from a manifest
    #[arg(long, value_name = "MANIFEST", conflicts_with_all = ["directories", "hard_link"])]
    manifest: Option<PathBuf>,
    /// Leave smaller files out
    #[arg(long, value_name = "BYTES", default_value_t = 1)]
    min_size: u64,
    /// Digest that decides
    #[arg(
        short,
        long,
        value_enum,
        default_value = "sm3",
        conflicts_with = "manifest"
    )]
    algorithm: Algorithm,
    /// Replace copies by hard links to the first one
    #[arg(long)]
    hard_link: bool,
    /// Link also where owner, group or mode differ: all get those of the first one
    #[arg(long, requires = "hard_link")]
    any_owner_and_mode: bool,
    #[command(flatten)]
    reading: ReadOptions,
}

/// Searches, prints, and links when asked.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    let mut findings = args.search()?;
    let mut linking = Linking::default();
    if args.hard_link {
        linking.link_all(&findings.groups, args.any_owner_and_mode);
        findings.problems.append(&mut linking.problems);
    }
    let failures = findings.problems.iter().any(|problem| problem.failure);
    for problem in &findings.problems {
        let name = escape(bytes(&problem.path));
        ui::warn(format_args!("left out '{name}': {}", problem.reason));
    }
    match format {
        Format::Text => print_text(&findings, &linking, args.hard_link)?,
        Format::Json => print_json(&findings, &linking, args.hard_link)?,
    }
    Ok(if failures {
        Outcome::Trouble
    } else {
        Outcome::Done
    })
}

impl Args {
    fn search(&self) -> Result<Findings> {
        let Some(path) = &self.manifest else {
            check_directories(&self.directories)?;
            let progress = Progress::of_files(|| None);
            let engine = self.reading.engine();
            let (min_size, algorithm) = (self.min_size, self.algorithm);
            return duplicates::search(&self.directories, min_size, algorithm, engine, &progress);
        };
        let manifest = read::read(path)?;
        Ok(Findings {
            groups: duplicates::in_manifest(&manifest, self.min_size),
            problems: Vec::new(),
        })
    }
}

fn check_directories(directories: &[PathBuf]) -> Result<()> {
    for directory in directories {
        if !directory.is_dir() {
            return Err(Failure::trouble(
                format!("{} is no directory", ui::quote(directory)),
                "name directories; --manifest takes a manifest",
            )
            .into());
        }
    }
    Ok(())
}

/// What came of linking.
#[derive(Default)]
struct Linking {
    linked: Vec<PathBuf>,
    freed: u64,
    problems: Vec<Problem>,
}

impl Linking {
    fn link_all(&mut self, groups: &[Group], any_attributes: bool) {
        for group in groups {
            for copies in group.by_device() {
                self.link_copies(group.size, &copies, any_attributes);
            }
        }
    }

    /// Links copies on one device to the first of them, or to the next where that one is full.
    fn link_copies(&mut self, size: u64, copies: &[&Twin], any_attributes: bool) {
        let Some((mut first, others)) = copies.split_first() else {
            return;
        };
        for copy in others {
            for name in &copy.names {
                let (Some(kept), Some(a), Some(b)) =
                    (first.names.first(), &first.status, &copy.status)
                else {
                    continue;
                };
                match link::link((kept, a), (name, b), any_attributes) {
                    Ok(Linked::Done { freed }) => {
                        self.linked.push(name.clone());
                        self.freed += if freed { size } else { 0 };
                    }
                    Ok(Linked::Full) => {
                        first = copy;
                        break;
                    }
                    Ok(Linked::OtherAttributes) => {
                        self.leave(name, "its owner, group or mode is another", false);
                    }
                    Ok(Linked::Changed) => self.leave(name, "it or the first copy changed", true),
                    Err(error) => self.leave(name, &error.kind().to_string(), true),
                }
            }
        }
    }

    fn leave(&mut self, name: &Path, reason: &str, failure: bool) {
        self.problems.push(Problem {
            path: name.to_owned(),
            reason: format!("not linked: {reason}"),
            failure,
        });
    }
}

fn print_text(findings: &Findings, linking: &Linking, hard_link: bool) -> Result<()> {
    let mut out = Output::create(None, Content::Text, &[])?;
    for group in &findings.groups {
        let copies = group.copies.len();
        out.put(
            format!(
                "{copies} copies of {}, {} to save\n",
                count(group.size, "byte", "bytes"),
                group.savings()
            )
            .as_bytes(),
        )?;
        for copy in &group.copies {
            for (place, name) in copy.names.iter().enumerate() {
                // A further name of the same file is set off from the copies.
                let mark = if place == 0 { "  " } else { "  = " };
                out.put(format!("{mark}{}\n", escape(bytes(name))).as_bytes())?;
            }
        }
    }
    out.commit()?;
    let groups = count(findings.groups.len() as u64, "group", "groups");
    let savings = count(savings(findings), "byte", "bytes");
    if hard_link {
        let linked = count(linking.linked.len() as u64, "name", "names");
        let freed = count(linking.freed, "byte", "bytes");
        ui::note(format_args!(
            "{groups} of duplicates: {linked} linked, {freed} freed"
        ));
    } else {
        ui::note(format_args!("{groups} of duplicates, {savings} to save"));
    }
    Ok(())
}

fn savings(findings: &Findings) -> u64 {
    findings.groups.iter().map(Group::savings).sum()
}

fn print_json(findings: &Findings, linking: &Linking, hard_link: bool) -> Result<()> {
    let groups: Vec<Value> = findings.groups.iter().map(group_value).collect();
    let paths = |path: &PathBuf| Value::from(named("path", bytes(path)));
    let problems: Vec<Value> = findings
        .problems
        .iter()
        .map(|problem| {
            let mut object = named("path", bytes(&problem.path));
            object.insert("reason".to_owned(), problem.reason.as_str().into());
            object.into()
        })
        .collect();
    let mut document = json!({
        "groups": groups,
        "left_out": problems,
        "summary": { "groups": groups.len(), "bytes_to_save": savings(findings) },
    });
    if hard_link {
        document["linked"] = linking.linked.iter().map(paths).collect();
        document["summary"]["bytes_freed"] = linking.freed.into();
    }
    ui::print_json(&document)
}

fn group_value(group: &Group) -> Value {
    let copies: Vec<Value> = group
        .copies
        .iter()
        .map(|copy| {
            let names = copy.names.iter();
            names
                .map(|name| Value::from(named("path", bytes(name))))
                .collect()
        })
        .collect();
    let mut value = json!({
        "size": group.size,
        "bytes_to_save": group.savings(),
        "copies": copies,
    });
    value[group.algorithm.key()] = hex::encode(&group.digest).into();
    value
}
