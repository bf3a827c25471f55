//! Where results go: whole, or not at all.
//!
//! A file is written under a temporary name in its directory and renamed when it is complete, so a
//! failed run leaves the old file as it was and no unfinished one beside it.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use tempfile::{NamedTempFile, TempDir};

use crate::failure::Failure;
use crate::input::{FileId, stream_metadata};
use crate::ui::{self, Format};

/// What is written: a terminal takes text only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    Text,
    Binary,
}

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// As the process's umask says.
    Umask,
    /// The owner alone.
    Owner,
}

/// What happens to a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    Replace,
    Refuse,
}

/// An output; nothing is at its place before [`Output::commit`] (a stream excepted).
pub(crate) struct Output {
    name: String,
    sink: Sink,
}

enum Sink {
    Stdout(BufWriter<io::StdoutLock<'static>>),
    /// A device or a pipe: there is nothing to rename.
    Stream(BufWriter<File>),
    File {
        writer: BufWriter<Temporary>,
        target: PathBuf,
        existing: Existing,
    },
}

impl Output {
    /// Opens the output: `None` and `-` are standard output.
    ///
    /// `inputs` are the files being read: none of them may be the output.
    pub(crate) fn create(path: Option<&Path>, content: Content, inputs: &[FileId]) -> Result<Self> {
        Self::open(path, content, inputs, Access::Umask, Existing::Replace)
    }

    /// Opens an output that only its owner may read.
    pub(crate) fn create_secret(
        path: Option<&Path>,
        content: Content,
        inputs: &[FileId],
        existing: Existing,
    ) -> Result<Self> {
        Self::open(path, content, inputs, Access::Owner, existing)
    }

    /// Opens an output file that may have to be new.
    pub(crate) fn create_new(path: &Path, existing: Existing) -> Result<Self> {
        Self::open(Some(path), Content::Text, &[], Access::Umask, existing)
    }

    fn open(
        path: Option<&Path>,
        content: Content,
        inputs: &[FileId],
        access: Access,
        existing: Existing,
    ) -> Result<Self> {
        match path.filter(|path| *path != Path::new("-")) {
            None => Self::stdout(content, inputs),
            Some(path) => Self::file(path, inputs, access, existing)
                .with_context(|| format!("cannot write {}", ui::quote(path))),
        }
    }

    fn stdout(content: Content, inputs: &[FileId]) -> Result<Self> {
        let name = "standard output".to_owned();
        let stdout = io::stdout();
        if content == Content::Binary && stdout.is_terminal() {
            return Err(Failure::trouble(
                "refusing to write binary data to a terminal",
                "name a file with -o FILE, or send the output through a pipe",
            )
            .into());
        }
        let metadata = stream_metadata(stdout.as_fd()).context("cannot write standard output")?;
        refuse_input(FileId::of(&metadata), inputs, &name)?;
        Ok(Self {
            name,
            sink: Sink::Stdout(BufWriter::new(stdout.lock())),
        })
    }

    fn file(path: &Path, inputs: &[FileId], access: Access, existing: Existing) -> Result<Self> {
        let name = ui::quote(path);
        let old = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(old) = &old {
            if old.is_dir() {
                return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
            }
            if !old.is_file() {
                let stream = File::options().write(true).open(path)?;
                return Ok(Self {
                    name,
                    sink: Sink::Stream(BufWriter::new(stream)),
                });
            }
            refuse_input(FileId::of(old), inputs, &name)?;
            if existing == Existing::Refuse {
                return Err(already_there(&name).into());
            }
        }
        let target = resolve(path, old.is_some())?;
        let mode = match (access, &old) {
            (Access::Owner, _) => 0o600,
            (Access::Umask, Some(old)) => old.permissions().mode() & 0o777,
            (Access::Umask, None) => 0o666,
        };
        let writer = BufWriter::new(Temporary::beside(&target, mode, old.is_some())?);
        Ok(Self {
            name,
            sink: Sink::File {
                writer,
                target,
                existing,
            },
        })
    }

    /// Refuses two outputs at one place.
    pub(crate) fn check_differs_from(&self, other: &Self) -> Result<()> {
        let same = match (&self.sink, &other.sink) {
            (Sink::File { target: a, .. }, Sink::File { target: b, .. }) => a == b,
            (Sink::Stdout(_), Sink::Stdout(_)) => true,
            _ => false,
        };
        if same {
            return Err(Failure::trouble(
                format!("two outputs go to {}", self.name),
                "name a file of its own for each",
            )
            .into());
        }
        Ok(())
    }

    /// Makes the output final: flushed, on disk, and under its name.
    pub(crate) fn commit(self) -> Result<()> {
        let name = self.name;
        let done = match self.sink {
            Sink::Stdout(mut writer) => writer.flush(),
            Sink::Stream(mut writer) => writer.flush(),
            Sink::File {
                writer,
                target,
                existing,
            } => {
                let temporary = writer.into_inner().map_err(io::IntoInnerError::into_error);
                match temporary.and_then(|temporary| temporary.rename(&target, existing)) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        return Err(already_there(&name).into());
                    }
                    done => done,
                }
            }
        };
        done.with_context(|| format!("cannot write {name}"))
    }

    /// Makes what was written so far visible when somebody is watching a terminal.
    pub(crate) fn show(&mut self) -> Result<()> {
        if matches!(&self.sink, Sink::Stdout(_)) && io::stdout().is_terminal() {
            self.flush()
                .with_context(|| format!("cannot write {}", self.name))?;
        }
        Ok(())
    }

    /// Writes all of `bytes`.
    pub(crate) fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.write_all(bytes)
            .with_context(|| format!("cannot write {}", self.name))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Stdout(writer) => writer.write(bytes),
            Sink::Stream(writer) => writer.write(bytes),
            Sink::File { writer, .. } => writer.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stdout(writer) => writer.flush(),
            Sink::Stream(writer) => writer.flush(),
            Sink::File { writer, .. } => writer.flush(),
        }
    }
}

/// Where the file really is. A link stays a link: its target is what gets replaced.
fn resolve(path: &Path, exists: bool) -> io::Result<PathBuf> {
    if exists {
        return fs::canonicalize(path);
    }
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let directory = fs::canonicalize(parent.unwrap_or(Path::new(".")))?;
    let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
    Ok(directory.join(name))
}

/// Refuses `--json` beside a result that itself goes to standard output.
pub(crate) fn check_json(format: Format, path: Option<&Path>) -> Result<()> {
    if format == Format::Json && path.is_none_or(|path| path == Path::new("-")) {
        return Err(Failure::trouble(
            "--json and the result cannot both go to standard output",
            "name a file for the result with -o FILE",
        )
        .into());
    }
    Ok(())
}

fn already_there(name: &str) -> Failure {
    Failure::trouble(
        format!("{name} exists already"),
        "choose another name, or add --force to replace it",
    )
}

fn refuse_input(output: Option<FileId>, inputs: &[FileId], name: &str) -> Result<()> {
    match output {
        Some(id) if inputs.contains(&id) => Err(Failure::trouble(
            format!("{name} is an input and the output at once"),
            "write to another file; it can replace the input afterwards",
        )
        .into()),
        _ => Ok(()),
    }
}

/// A temporary file that goes away with its value, or when the run is interrupted.
struct Temporary(NamedTempFile);

/// Temporary files to remove when the run is interrupted.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl Temporary {
    fn beside(target: &Path, mode: u32, replaces: bool) -> io::Result<Self> {
        let directory = target.parent().unwrap_or(Path::new("/"));
        let file = tempfile::Builder::new()
            .prefix(".shangmi-")
            .permissions(Permissions::from_mode(mode))
            .tempfile_in(directory)?;
        if replaces {
            // The umask narrowed the mode, but the old file's holds.
            file.as_file()
                .set_permissions(Permissions::from_mode(mode))?;
        }
        remember(file.path());
        Ok(Self(file))
    }

    fn rename(self, target: &Path, existing: Existing) -> io::Result<()> {
        self.0.as_file().sync_all()?;
        let renamed = match existing {
            Existing::Replace => self.0.persist(target),
            Existing::Refuse => self.0.persist_noclobber(target),
        };
        renamed.map(drop).map_err(|error| error.error)
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// A directory for the time of the run.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    /// Makes the directory where the system keeps temporary files.
    pub(crate) fn new() -> io::Result<Self> {
        let directory = tempfile::Builder::new().prefix("shangmi-").tempdir()?;
        remember(directory.path());
        Ok(Self(directory))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// Has a temporary file removed when the run is interrupted.
pub(crate) fn remember(path: &Path) {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    unfinished.push(path.to_owned());
}

/// Removes temporary files on SIGINT, SIGTERM and SIGHUP, and exits as a shell expects.
pub(crate) fn remove_temporary_files_on_interrupt() {
    let installed = ctrlc::set_handler(|| {
        for path in UNFINISHED
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
        {
            // It may have been renamed or removed in the meantime.
            let _ = fs::remove_file(path);
            let _ = fs::remove_dir_all(path);
        }
        std::process::exit(130);
    });
    if let Err(error) = installed {
        ui::warn(format_args!(
            "an interrupted run may leave a temporary file: {error}"
        ));
    }
}
