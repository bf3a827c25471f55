//! Programs over a tree of small files, one thread each. The files lie in the page cache: the disk is not measured.

mod program;

use std::fs;
use std::io;
use std::path::Path;
use std::rc::Rc;

use tempfile::TempDir;

use super::{Batch, Lane, Work};
use crate::known_answer::{hex, pattern};
use crate::options::Profile;
use crate::result::{Group, Side};
use crate::{Error, Options};

pub(crate) use program::{Candidate, candidates};

/// The operation in [`Row::operation`](crate::result::Row::operation).
const OPERATION: &str = "digest-tree";

/// Lengths of the files: from the first to the second, both included.
const SHORTEST: usize = 1 << 10;
const LONGEST: usize = 4 << 10;

const FILES_PER_DIRECTORY: usize = 1000;

/// Files of a run; removed when dropped.
pub(crate) struct Tree {
    directory: TempDir,
    names: Vec<String>,
    bytes: u64,
    /// By name, as hexadecimal text.
    sm3: Vec<String>,
    sha256: Vec<String>,
}

impl Tree {
    /// Writes the files.
    ///
    /// # Errors
    /// [`Error::File`] when a file cannot be written, for instance for want of space.
    pub(crate) fn create(options: &Options) -> Result<Self, Error> {
        let files = match options.profile {
            Profile::Quick => 4_000,
            Profile::Full => 100_000,
            Profile::Smoke => 70,
        };
        let directory = super::files::directory(options)?;
        let mut tree = Self {
            directory,
            names: Vec::with_capacity(files),
            bytes: 0,
            sm3: Vec::with_capacity(files),
            sha256: Vec::with_capacity(files),
        };
        let pattern = pattern(LONGEST + 251);
        for file in 0..files {
            tree.add(file, &pattern).map_err(|source| Error::File {
                path: tree.directory.path().to_owned(),
                source,
            })?;
        }
        Ok(tree)
    }

    fn add(&mut self, file: usize, pattern: &[u8]) -> io::Result<()> {
        let parent = format!("{:03}", file / FILES_PER_DIRECTORY);
        let name = format!("{parent}/file-{file:06}");
        // A step that shares no factor with the range spreads the lengths over all of it.
        let length = SHORTEST + file * 1009 % (LONGEST - SHORTEST + 1);
        let mut content = pattern[file % 251..][..length].to_vec();
        content[..8].copy_from_slice(&(file as u64).to_le_bytes());
        fs::create_dir_all(self.path().join(parent))?;
        fs::write(self.path().join(&name), &content)?;
        self.names.push(name);
        self.bytes += length as u64;
        self.sm3.push(hex(&shangmi::sm3::digest(&content)));
        let sha256 = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &content);
        self.sha256.push(hex(sha256.as_ref()));
        Ok(())
    }

    fn path(&self) -> &Path {
        self.directory.path()
    }

    fn digests(&self, side: Side) -> &[String] {
        match side {
            Side::Sm => &self.sm3,
            Side::International => &self.sha256,
        }
    }
}

/// One batch: every program over the whole tree.
pub(crate) fn plan<'a>(tree: &Rc<Tree>, candidates: &'a [Candidate]) -> Vec<Batch<'a>> {
    if candidates.is_empty() {
        return Vec::new();
    }
    let files = tree.names.len() as u64;
    let work = Work {
        items: Some(files),
        ..Work::new(Group::HashTree, OPERATION, Some(tree.bytes))
    };
    let tree = Rc::clone(tree);
    let lane = move |candidate: &Candidate| Lane {
        subject: candidate.subject.clone(),
        bench: candidate.bench(&tree),
        one_time_nanoseconds: None,
    };
    vec![Batch {
        work,
        weight: (files as f64 / 1000.0).clamp(1.0, 20.0),
        is_long: true,
        lane_count: candidates.len(),
        lanes: Box::new(move || candidates.iter().map(lane).collect()),
    }]
}

#[cfg(test)]
mod tests;
