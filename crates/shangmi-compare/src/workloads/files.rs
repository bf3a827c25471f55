//! Whole files, read in parts and mapped. They lie in the page cache: the disk is not measured.

use std::fs::File;
use std::hint::black_box;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tempfile::TempDir;

use super::{Batch, Context, Lane, Work};
use crate::child::MaskedLane;
use crate::known_answer::pattern;
use crate::mapped;
use crate::options::Profile;
use crate::result::{Group, Side};
use crate::runner::local;
use crate::subjects::{Candidate, Hash, HashStream, Hashes, Subject, aws_lc};
use crate::{Error, Options};

/// Read in parts of 64 KiB.
const STREAMING: &str = "digest-streaming";
/// Mapped, then hashed in one piece.
const MAPPED: &str = "digest-mapped";
const PART: usize = 64 << 10;

/// The files of a run; removed when dropped.
pub(crate) struct Files {
    paths: Vec<(u64, PathBuf)>,
    _directory: TempDir,
}

impl Files {
    /// Writes the files.
    ///
    /// # Errors
    /// [`Error::File`] when a file cannot be written, for instance for want of space.
    pub(crate) fn create(options: &Options) -> Result<Self, Error> {
        let lengths: &[u64] = match options.profile {
            Profile::Quick => &[1_000_000, 10_000_000, 100_000_000],
            Profile::Full => &[1_000_000, 10_000_000, 100_000_000, 1_000_000_000],
            Profile::Smoke => &[100_000],
        };
        let directory = directory(options)?;
        let mut paths = Vec::new();
        for &bytes in lengths {
            let path = directory.path().join(bytes.to_string());
            write_file(&path, bytes).map_err(|source| Error::File {
                path: path.clone(),
                source,
            })?;
            paths.push((bytes, path));
        }
        Ok(Self {
            paths,
            _directory: directory,
        })
    }
}

/// A directory for files of a run; removed when dropped.
pub(super) fn directory(options: &Options) -> Result<TempDir, Error> {
    let parent = options
        .temporary_directory
        .clone()
        .unwrap_or_else(std::env::temp_dir);
    tempfile::Builder::new()
        .prefix("shangmi-compare-")
        .tempdir_in(&parent)
        .map_err(|source| Error::File {
            path: parent,
            source,
        })
}

fn write_file(path: &Path, bytes: u64) -> io::Result<()> {
    let mut file = File::create(path)?;
    let part = pattern(1 << 20);
    let mut rest = bytes;
    while rest > 0 {
        let length = part.len().min(usize::try_from(rest).unwrap_or(usize::MAX));
        file.write_all(&part[..length])?;
        rest -= length as u64;
    }
    Ok(())
}

/// A batch for each way of reading and each file. Large files need long samples.
pub(crate) fn plan<'a>(
    context: &'a Context<'_>,
    files: &'a Files,
    hashes: &'a Hashes,
) -> Vec<Batch<'a>> {
    let mut batches = Vec::new();
    for operation in [STREAMING, MAPPED] {
        for (bytes, path) in &files.paths {
            let work = Work::new(Group::HashFile, operation, Some(*bytes));
            batches.push(Batch {
                work: work.clone(),
                weight: (*bytes as f64 / 25_000_000.0).clamp(1.0, 20.0),
                is_long: *bytes > 50_000_000,
                lane_count: hashes
                    .iter()
                    .filter(|hash| takes_part(&hash.subject))
                    .count()
                    + 1,
                lanes: Box::new(move || {
                    let hashes = hashes.iter().filter(|hash| takes_part(&hash.subject));
                    let own = hashes.filter_map(|candidate| lane(candidate, &work, path.clone()));
                    own.chain(masked_lanes(context, &work, path)).collect()
                }),
            });
        }
    }
    batches
}

/// SHA-256 by one library is enough: files take long.
fn takes_part(subject: &Subject) -> bool {
    subject.side == Side::Sm || subject.library == aws_lc::NAME
}

fn masked_lanes(context: &Context<'_>, work: &Work, path: &Path) -> Vec<Lane> {
    let Some(masked) = context.masked else {
        return Vec::new();
    };
    let lane = |subject| {
        let MaskedLane {
            bench,
            one_time_nanoseconds,
        } = masked.file_lane(work, path.to_owned(), &subject)?;
        Some(Lane {
            subject,
            bench,
            one_time_nanoseconds,
        })
    };
    masked
        .subjects("SHA-256")
        .into_iter()
        .filter(takes_part)
        .filter_map(lane)
        .collect()
}

/// A lane of this process for `work` over the file at `path`.
pub(crate) fn lane(
    candidate: &Candidate<Rc<dyn Hash>>,
    work: &Work,
    path: PathBuf,
) -> Option<Lane> {
    let mut stream = candidate.object.stream()?;
    let bench = if work.operation == MAPPED {
        local(move |_| hash_mapped(stream.as_mut(), &path).is_ok())
    } else {
        let mut buffer = vec![0; PART];
        local(move |_| hash_streaming(stream.as_mut(), &path, &mut buffer).is_ok())
    };
    Some(Lane {
        subject: candidate.subject.clone(),
        bench,
        one_time_nanoseconds: None,
    })
}

fn hash_streaming(stream: &mut dyn HashStream, path: &Path, buffer: &mut [u8]) -> io::Result<()> {
    let mut file = File::open(path)?;
    loop {
        let length = file.read(buffer)?;
        if length == 0 {
            break;
        }
        stream.update(&buffer[..length]);
    }
    black_box(stream.finish());
    Ok(())
}

fn hash_mapped(stream: &mut dyn HashStream, path: &Path) -> io::Result<()> {
    let map = mapped::map(&File::open(path)?)?;
    stream.update(&map);
    black_box(stream.finish());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hardware::Hardware;

    #[test]
    fn both_ways_read_the_whole_file_and_it_is_removed() {
        let files = Files::create(&Options {
            profile: Profile::Smoke,
            ..Options::default()
        })
        .unwrap();
        let (bytes, path) = files.paths[0].clone();
        let hash = aws_lc::hashes(&Hardware::detect()).remove(0).object;
        let expected = hash.digest(&std::fs::read(&path).unwrap());
        let mut stream = Recorder {
            inner: hash.stream().unwrap(),
            digest: [0; 32],
        };
        hash_streaming(&mut stream, &path, &mut [0; 1000]).unwrap();
        assert_eq!(stream.digest, expected);
        stream.digest = [0; 32];
        hash_mapped(&mut stream, &path).unwrap();
        assert_eq!(stream.digest, expected);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), bytes);
        drop(files);
        assert!(!path.exists());
    }

    struct Recorder {
        inner: Box<dyn HashStream>,
        digest: [u8; 32],
    }

    impl HashStream for Recorder {
        fn update(&mut self, part: &[u8]) {
            self.inner.update(part);
        }

        fn finish(&mut self) -> [u8; 32] {
            self.digest = self.inner.finish();
            self.digest
        }
    }
}
