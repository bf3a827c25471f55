//! Files of the same content: first by size, then by the first block, then by digest.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::hash::Hash;
use std::io::{self, Read};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use rustix::fs::{Mode, OFlags};
use shangmi::sm3;

use super::Manifest;
use crate::bulk::{
    self, Algorithm, Digest, Done, Engine, Job, Links, ReadError, Source, Status, Walk,
};
use crate::progress::Progress;

/// Bytes of a file that are compared before all of it is read: one page.
const FIRST_BLOCK: u64 = 4096;

const CHANGED: &str = "changed while it was read";

/// Files of the same content.
#[derive(Debug)]
pub(crate) struct Group {
    /// Bytes of each file.
    pub(crate) size: u64,
    pub(crate) algorithm: Algorithm,
    pub(crate) digest: Digest,
    /// At least two files, in order of their first names.
    pub(crate) copies: Vec<Twin>,
}

/// One file with all its names.
#[derive(Clone, Debug)]
pub(crate) struct Twin {
    /// As it was when it was found; unknown when a manifest told.
    pub(crate) status: Option<Status>,
    /// How many names it has, those elsewhere counted too.
    pub(crate) links: u64,
    /// Those that were found, in order.
    pub(crate) names: Vec<PathBuf>,
}

impl Group {
    /// Bytes that hard links save: on each device, every copy but the first, unless it has names
    /// elsewhere that would keep it.
    pub(crate) fn savings(&self) -> u64 {
        self.by_device()
            .iter()
            .flat_map(|copies| copies.iter().skip(1))
            .filter(|copy| copy.links <= copy.names.len() as u64)
            .map(|_| self.size)
            .sum()
    }

    /// The copies on each device.
    pub(crate) fn by_device(&self) -> Vec<Vec<&Twin>> {
        let mut devices: BTreeMap<u64, Vec<&Twin>> = BTreeMap::new();
        for copy in &self.copies {
            let device = copy.status.map_or(0, |status| status.device);
            devices.entry(device).or_default().push(copy);
        }
        devices.into_values().collect()
    }
}

/// What a search found, and what it could not read.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Those that save most come first.
    pub(crate) groups: Vec<Group>,
    pub(crate) problems: Vec<Problem>,
}

/// A name that could not be looked at.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) path: PathBuf,
    pub(crate) reason: String,
    /// Whether the answer may be incomplete for it; links and special files have no content.
    pub(crate) failure: bool,
}

/// Searches directories for files of at least `min_size` bytes.
pub(crate) fn search(
    directories: &[PathBuf],
    min_size: u64,
    algorithm: Algorithm,
    engine: Engine,
    progress: &Progress,
) -> Result<Findings> {
    let mut findings = Findings::default();
    let mut files: HashMap<(u64, u64), Twin> = HashMap::new();
    for found in Walk::new(directories.iter().cloned(), Links::Report) {
        if let Err(problem) = add(found, min_size, &mut files) {
            findings.problems.push(problem);
        }
    }
    let size = |copy: &Twin| copy.status.map(|status| status.size);
    let mut candidates = alike(
        files.into_values().collect(),
        |copy| Ok(size(copy)),
        &mut findings,
    );
    let first = |copy: &Twin| first_block(copy).map(Some);
    candidates = alike(candidates, first, &mut findings);
    candidates.sort_by(|a, b| a.names.cmp(&b.names));
    findings.groups = hash(
        candidates,
        algorithm,
        engine,
        progress,
        &mut findings.problems,
    )?;
    sort(&mut findings.groups);
    Ok(findings)
}

/// Puts a found file among the others; a further name of one that is there already joins it.
fn add(
    found: bulk::Found,
    min_size: u64,
    files: &mut HashMap<(u64, u64), Twin>,
) -> Result<(), Problem> {
    let path = found.path;
    let problem = |path: &Path, reason: String, failure| Problem {
        path: path.to_owned(),
        reason,
        failure,
    };
    match found.kind {
        bulk::Kind::Regular => {}
        bulk::Kind::Named => return Err(problem(&path, "not a directory".to_owned(), true)),
        bulk::Kind::Link => return Err(problem(&path, "a symbolic link".to_owned(), false)),
        bulk::Kind::Loop => return Err(problem(&path, "a loop of links".to_owned(), false)),
        bulk::Kind::Special => return Err(problem(&path, "not a regular file".to_owned(), false)),
        bulk::Kind::Unreadable(error) => {
            return Err(problem(&path, error.kind().to_string(), true));
        }
    }
    let metadata = std::fs::symlink_metadata(&path)
        .map_err(|error| problem(&path, error.kind().to_string(), true))?;
    if metadata.len() < min_size.max(1) {
        return Ok(());
    }
    let status = Status {
        device: metadata.dev(),
        inode: metadata.ino(),
        size: metadata.len(),
        modified: (metadata.mtime(), metadata.mtime_nsec()),
    };
    files
        .entry((status.device, status.inode))
        .or_insert_with(|| Twin {
            status: Some(status),
            links: metadata.nlink(),
            names: Vec::new(),
        })
        .names
        .push(path);
    Ok(())
}

/// Those files that share their key with another one.
fn alike<K: Eq + Hash>(
    copies: Vec<Twin>,
    key: impl Fn(&Twin) -> io::Result<K>,
    findings: &mut Findings,
) -> Vec<Twin> {
    let mut groups: HashMap<K, Vec<Twin>> = HashMap::new();
    for copy in copies {
        match key(&copy) {
            Ok(key) => groups.entry(key).or_default().push(copy),
            Err(error) => findings.problems.push(Problem {
                path: copy.names.into_iter().next().unwrap_or_default(),
                reason: error.kind().to_string(),
                failure: true,
            }),
        }
    }
    let shared = groups.into_values().filter(|group| group.len() > 1);
    shared.flatten().collect()
}

/// The size and the digest of the first block; a file that is no longer needs no look before it is
/// read whole.
fn first_block(copy: &Twin) -> io::Result<(u64, Option<Digest>)> {
    let (Some(status), Some(name)) = (copy.status, copy.names.first()) else {
        return Err(io::ErrorKind::NotFound.into());
    };
    if status.size <= FIRST_BLOCK {
        return Ok((status.size, None));
    }
    let mut block = Vec::new();
    open(name)?.take(FIRST_BLOCK).read_to_end(&mut block)?;
    Ok((status.size, Some(sm3::digest(&block))))
}

/// Opens what was a regular file when it was found, whatever it is now.
pub(super) fn open(path: &Path) -> io::Result<File> {
    // Without NONBLOCK, a pipe that took the place of the file would hold us up for ever.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
}

/// Reads the candidates whole and groups them.
fn hash(
    candidates: Vec<Twin>,
    algorithm: Algorithm,
    engine: Engine,
    progress: &Progress,
    problems: &mut Vec<Problem>,
) -> Result<Vec<Group>> {
    let mut groups: HashMap<(u64, Digest), Vec<Twin>> = HashMap::new();
    let jobs = candidates.into_iter().filter_map(|copy| {
        let path = copy.names.first()?.clone();
        Some(Job::<Twin, ()>::Hash {
            source: Source::Found(path),
            algorithms: algorithm.into(),
            tag: copy,
        })
    });
    engine.run(jobs, progress, |done| {
        let (path, reason) = match done {
            Done::Hashed { path, tag, file } => match file.digests.get(algorithm) {
                Some(&digest) if tag.status == Some(file.status) => {
                    groups.entry((file.length, digest)).or_default().push(tag);
                    return Ok(());
                }
                _ => (path, CHANGED.to_owned()),
            },
            Done::Failed { path, error, .. } => (path, words(&error)),
            Done::Passed(()) => return Ok(()),
        };
        problems.push(Problem {
            path,
            reason,
            failure: true,
        });
        Ok(())
    })?;
    Ok(groups
        .into_iter()
        .filter(|(_, copies)| copies.len() > 1)
        .map(|((size, digest), copies)| Group {
            size,
            algorithm,
            digest,
            copies,
        })
        .collect())
}

fn words(error: &ReadError) -> String {
    match error {
        ReadError::Open(error) | ReadError::Read(error) => error.kind().to_string(),
        ReadError::NotRegular => "no longer a regular file".to_owned(),
        ReadError::Changed => CHANGED.to_owned(),
    }
}

/// The groups that a manifest tells of, without a look at any file. Names with one inode number, one
/// size, one time and one digest are taken for one file.
pub(crate) fn in_manifest(manifest: &Manifest, min_size: u64) -> Vec<Group> {
    let Some(algorithm) = super::columns(manifest.algorithms).next() else {
        return Vec::new();
    };
    let mut groups: BTreeMap<(u64, Digest), Vec<Twin>> = BTreeMap::new();
    let mut places = HashMap::new();
    for record in &manifest.records {
        let Some(file) = record.file().filter(|file| file.size >= min_size.max(1)) else {
            continue;
        };
        let Some(&digest) = file.digests.get(algorithm) else {
            continue;
        };
        let name = PathBuf::from(OsString::from_vec(record.name.clone()));
        let copies = groups.entry((file.size, digest)).or_default();
        let id = file.inode.zip(file.modified);
        let place = id.map_or(copies.len(), |id| {
            *places
                .entry((id, file.size, digest))
                .or_insert(copies.len())
        });
        if place == copies.len() {
            copies.push(Twin {
                status: None,
                links: 0,
                names: Vec::new(),
            });
        }
        copies[place].names.push(name);
        copies[place].links += 1;
    }
    let mut groups: Vec<Group> = groups
        .into_iter()
        .filter(|(_, copies)| copies.len() > 1)
        .map(|((size, digest), copies)| Group {
            size,
            algorithm,
            digest,
            copies,
        })
        .collect();
    sort(&mut groups);
    groups
}

/// Most savings first, then by name.
fn sort(groups: &mut [Group]) {
    for group in &mut *groups {
        group.copies.sort_by(|a, b| a.names.cmp(&b.names));
    }
    groups.sort_by(|a, b| {
        let names = |group: &Group| group.copies.first().map(|copy| copy.names.clone());
        b.savings()
            .cmp(&a.savings())
            .then_with(|| names(a).cmp(&names(b)))
    });
}
