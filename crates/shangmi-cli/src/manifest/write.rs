//! Writing a manifest: complete under its name, or not there.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use shangmi::sm3::Sm3;

use super::{Content, Form, Manifest, Record, json, text};
use crate::failure::Failure;
use crate::output::remember;
use crate::ui;

/// The files of one manifest. Their names do not vary, so that a run can leave them out of the tree
/// and find what an earlier one left behind.
#[derive(Debug)]
pub(crate) struct Place {
    /// The manifest; a symbolic link to it has been followed.
    pub(crate) manifest: PathBuf,
    /// Finished digests of a run that has not ended.
    pub(crate) journal: PathBuf,
    /// The manifest while it is being written.
    pub(crate) temporary: PathBuf,
}

impl Place {
    /// The place of a manifest that exists or is to be made.
    pub(crate) fn new(path: &Path) -> Result<Self> {
        let cannot = || format!("cannot write {}", ui::quote(path));
        let manifest = match fs::canonicalize(path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let parent = path
                    .parent()
                    .filter(|parent| !parent.as_os_str().is_empty());
                let directory =
                    fs::canonicalize(parent.unwrap_or(Path::new("."))).with_context(cannot)?;
                let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename);
                directory.join(name.map_err(io::Error::from).with_context(cannot)?)
            }
            Err(error) => return Err(error).with_context(cannot),
        };
        if fs::metadata(&manifest).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(Failure::trouble(
                format!("{} is no regular file", ui::quote(path)),
                "name a file for the manifest, or leave -o out for standard output",
            )
            .into());
        }
        let name = manifest.file_name().unwrap_or_default().to_owned();
        let beside = |before: &str, after: &str| {
            let mut changed = OsString::from(before);
            changed.push(&name);
            changed.push(after);
            manifest.with_file_name(changed)
        };
        Ok(Self {
            journal: beside("", ".journal"),
            temporary: beside(".", ".shangmi-tmp"),
            manifest,
        })
    }

    /// All of them.
    pub(crate) fn files(&self) -> [&Path; 3] {
        [&self.manifest, &self.journal, &self.temporary]
    }

    /// Writes the manifest under its temporary name, on disk, and renames it.
    pub(crate) fn replace(&self, manifest: &Manifest, form: Form) -> Result<()> {
        let attempt = || -> io::Result<()> {
            remember(&self.temporary);
            let file = File::create(&self.temporary)?;
            if let Ok(old) = fs::metadata(&self.manifest) {
                let mode = old.permissions().mode() & 0o777;
                file.set_permissions(fs::Permissions::from_mode(mode))?;
            }
            let mut writer = BufWriter::new(file);
            write(&mut writer, manifest, form)?;
            writer
                .into_inner()
                .map_err(io::IntoInnerError::into_error)?
                .sync_all()?;
            fs::rename(&self.temporary, &self.manifest)?;
            // The new name must be on disk before the journal goes.
            File::open(self.manifest.parent().unwrap_or(Path::new("/")))?.sync_all()
        };
        let done = attempt();
        if done.is_err() {
            // It may not have come into being.
            let _ = fs::remove_file(&self.temporary);
        }
        done.with_context(|| format!("cannot write {}", ui::quote(&self.manifest)))
    }
}

/// Writes all lines.
pub(crate) fn write(out: &mut impl Write, manifest: &Manifest, form: Form) -> io::Result<()> {
    let mut sm3 = Sm3::new();
    let mut put = |line: &str| {
        sm3.update(line.as_bytes());
        out.write_all(line.as_bytes())
    };
    match form {
        Form::Text => put(&text::header(manifest.algorithms))?,
        Form::Jsonl => put(&json::header(manifest.algorithms))?,
    }
    for record in &manifest.records {
        match form {
            Form::Text => put(&text::record(record, manifest.algorithms))?,
            Form::Jsonl => put(&json::record(record, manifest.algorithms))?,
        }
    }
    let digest = sm3.finalize();
    let end = match form {
        Form::Text => text::end(manifest.records.len(), &digest),
        Form::Jsonl => json::end(manifest.records.len(), &digest),
    };
    out.write_all(end.as_bytes())
}

/// Takes times and inodes out, which differ between copies of one tree.
pub(crate) fn make_portable(records: &mut [Record]) {
    for record in records {
        if let Content::File(file) = &mut record.content {
            file.modified = None;
            file.inode = None;
        }
    }
}
