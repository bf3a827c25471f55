//! Programs that hash files: one file, and a tree of small ones. One thread each, from the page cache.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::clock::Clock;
use crate::known_answer::hex;
use crate::output::{Lane, Output, Row, Skipped, Subject};

/// A program, and how it is told to hash the files that follow.
struct Program {
    name: &'static str,
    algorithm: &'static str,
    command: Vec<String>,
    version: &'static [&'static str],
    install: &'static str,
}

fn programs(shangmi: &Path) -> Vec<Program> {
    let program = |name, algorithm, command: &[&str], version, install| Program {
        name,
        algorithm,
        command: command.iter().map(|&word| word.to_owned()).collect(),
        version,
        install,
    };
    let ours = shangmi.to_string_lossy();
    let coreutils = "apt-get install coreutils";
    vec![
        program(
            "shangmi",
            "SM3",
            &[&ours, "hash", "--num-threads", "1"],
            &["--version"],
            "cargo build --release --package shangmi-cli",
        ),
        program(
            "cksum",
            "SM3",
            &["cksum", "-a", "sm3"],
            &["--version"],
            coreutils,
        ),
        program(
            "openssl dgst",
            "SM3",
            &["openssl", "dgst", "-sm3"],
            &["version"],
            "apt-get install openssl",
        ),
        program(
            "sha256sum",
            "SHA-256",
            &["sha256sum"],
            &["--version"],
            coreutils,
        ),
    ]
}

/// Files of one operation.
struct Tree {
    directory: TempDir,
    /// Their names, each with a zero byte after it.
    list: PathBuf,
    files: u64,
    bytes: u64,
    sm3: BTreeSet<String>,
    sha256: BTreeSet<String>,
}

const FILES_PER_DIRECTORY: usize = 1000;

impl Tree {
    /// `sizes` are those of the files; each file has another content.
    fn new(sizes: impl Iterator<Item = usize>) -> Result<Self> {
        let directory = tempfile::tempdir().context("no temporary directory")?;
        let list = directory.path().join("names");
        let mut names = File::create(&list).context("cannot write to the temporary directory")?;
        let mut tree = Self {
            directory,
            list,
            files: 0,
            bytes: 0,
            sm3: BTreeSet::new(),
            sha256: BTreeSet::new(),
        };
        let mut all = Vec::new();
        for (i, size) in sizes.enumerate() {
            let parent = format!("{:03}", i / FILES_PER_DIRECTORY);
            fs::create_dir_all(tree.directory.path().join(&parent))?;
            let name = format!("{parent}/file-{i:06}.bin");
            let content: Vec<u8> = (0..size)
                .map(|place| ((place * 7 + i) % 251) as u8)
                .collect();
            let mut content = content;
            content[..8].copy_from_slice(&(i as u64).to_le_bytes());
            fs::write(tree.directory.path().join(&name), &content)?;
            tree.files += 1;
            tree.bytes += size as u64;
            tree.sm3.insert(hex(&shangmi::sm3::digest(&content)));
            let sha256 = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &content);
            tree.sha256.insert(hex(sha256.as_ref()));
            all.extend_from_slice(name.as_bytes());
            all.push(0);
        }
        names.write_all(&all)?;
        Ok(tree)
    }

    /// `xargs` starts the program, with as many names at once as the system lets it.
    fn command(&self, program: &Program) -> Command {
        let mut command = Command::new("xargs");
        command
            .args(["-0", "-s", "1000000", "-a"])
            .arg(&self.list)
            .args(&program.command)
            .current_dir(self.directory.path())
            .stdin(Stdio::null());
        command
    }

    /// Whether the program gives the digest of every file.
    fn check(&self, program: &Program) -> Result<()> {
        let output = self.command(program).output().context("cannot run xargs")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!("{}", said.lines().next().unwrap_or("it failed"));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let found: BTreeSet<String> = text
            .split(|c: char| !c.is_ascii_hexdigit())
            .filter(|word| word.len() == 64)
            .map(str::to_owned)
            .collect();
        let expected = match program.algorithm {
            "SM3" => &self.sm3,
            _ => &self.sha256,
        };
        if found == *expected {
            Ok(())
        } else {
            bail!("its digests are not those of the files")
        }
    }

    fn run(&self, program: &Program) -> Result<()> {
        let status = self.command(program).stdout(Stdio::null()).status();
        if status.context("cannot run xargs")?.success() {
            Ok(())
        } else {
            bail!("{} failed", program.name)
        }
    }
}

/// Sizes from 1 to 4 KiB, spread evenly.
fn small(count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(|i| 1024 + i * 1031 % 3073)
}

pub(crate) fn measure(shangmi: &Path, quick: bool, output: &mut Output) -> Result<()> {
    let (files, samples) = if quick { (5_000, 5) } else { (100_000, 5) };
    let large = if quick { 16 << 20 } else { 64 << 20 };
    let mut trees = vec![
        ("a file", Tree::new([1 << 20].into_iter())?),
        ("a file", Tree::new([large].into_iter())?),
    ];
    eprintln!("writing {files} files");
    trees.push(("a tree of small files", Tree::new(small(files))?));
    let mut programs = programs(shangmi);
    programs.retain(|program| match trees[0].1.check(program) {
        Ok(()) => true,
        Err(error) => {
            output.skipped.push(Skipped {
                peer: format!("{} (program)", program.name),
                reason: error.to_string(),
                install: program.install.to_owned(),
            });
            false
        }
    });
    for (group, tree) in trees {
        eprintln!("{group}: {} bytes in {} files", tree.bytes, tree.files);
        // Also fills the page cache.
        for program in &programs {
            tree.check(program)
                .with_context(|| format!("{} on {group}", program.name))?;
        }
        let runs = if tree.files == 1 {
            3 * samples
        } else {
            samples
        };
        output.rows.push(Row {
            group,
            operation: "program, one thread".to_owned(),
            bytes: tree.bytes,
            messages: tree.files,
            lanes: in_turns(&programs, &tree, runs)?,
        });
    }
    Ok(())
}

fn in_turns(programs: &[Program], tree: &Tree, samples: usize) -> Result<Vec<Lane>> {
    let mut lanes: Vec<Lane> = programs.iter().map(lane).collect();
    for round in 0..samples {
        for turn in 0..lanes.len() {
            let at = (turn + round) % lanes.len();
            let start = Clock::Children.now();
            tree.run(&programs[at])?;
            let (processor, wall) = Clock::Children.since(&start);
            lanes[at].nanoseconds.push(processor);
            lanes[at].wall_nanoseconds.push(wall);
        }
    }
    Ok(lanes)
}

fn lane(program: &Program) -> Lane {
    let version = Command::new(&program.command[0])
        .args(program.version)
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
        .unwrap_or_default();
    Lane {
        subject: Subject {
            peer: program.name.to_owned(),
            algorithm: program.algorithm.to_owned(),
            version: version.lines().next().unwrap_or_default().to_owned(),
            code_path: program.command[1..].join(" "),
        },
        nanoseconds: Vec::new(),
        wall_nanoseconds: Vec::new(),
    }
}
