//! Renders a result: a page, Markdown, JSON, tables for a terminal. Each is a pure function of the result.
//!
//! `Report` → `sections` (what is said) → `document` → `html` + `svg`, `markdown`, `terminal` (how it looks).
//! Every word is in `text`.

mod document;
mod format;
mod html;
mod markdown;
mod sections;
mod svg;
mod terminal;
mod text;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub use text::Language;

use crate::result::Report;

/// The self-contained page, both languages in one.
#[must_use]
pub fn html(report: &Report) -> String {
    html::render(&sections::document(report))
}

/// The report as Markdown in one language.
#[must_use]
pub fn markdown(report: &Report, language: Language) -> String {
    markdown::render(&sections::document(report), language)
}

/// The verdict and the main tables for a terminal of `width` columns; `None` where there is no terminal.
#[must_use]
pub fn terminal(report: &Report, language: Language, width: Option<u16>) -> String {
    terminal::render(&sections::document(report), language, width)
}

/// The result as indented JSON.
///
/// # Errors
///
/// When the result cannot be serialised, which the data model rules out.
pub fn json(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(report)?;
    text.push('\n');
    Ok(text)
}

/// A report could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file system said no.
    #[error("cannot write {}", path.display())]
    File {
        /// What was being written.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The result could not be made into JSON.
    #[error("cannot serialise the result")]
    Json(#[from] serde_json::Error),
}

/// Writes `index.html`, `results.json`, `report.md` and `report.zh-CN.md` into `directory`, which is made when missing.
///
/// All are written under temporary names first and renamed when every one is complete, so that a failure leaves
/// an older report whole.
/// - returns: the paths written, `index.html` first
///
/// # Errors
///
/// [`WriteError::File`] when the directory or a file cannot be written.
pub fn write_all(directory: &Path, report: &Report) -> Result<Vec<PathBuf>, WriteError> {
    let document = sections::document(report);
    let files = [
        ("index.html", html::render(&document)),
        ("results.json", json(report)?),
        ("report.md", markdown::render(&document, Language::English)),
        (
            "report.zh-CN.md",
            markdown::render(&document, Language::Chinese),
        ),
    ];
    fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
    let mut pending = Pending { files: Vec::new() };
    for (name, content) in files {
        let temporary = directory.join(format!(".{name}.{}.tmp", std::process::id()));
        pending
            .files
            .push((temporary.clone(), directory.join(name)));
        write_synced(&temporary, &content)
            .map_err(|source| failed(&directory.join(name), source))?;
    }
    pending.publish()
}

fn failed(path: &Path, source: io::Error) -> WriteError {
    WriteError::File {
        path: path.to_owned(),
        source,
    }
}

fn write_synced(path: &Path, content: &str) -> io::Result<()> {
    let mut file = fs::File::create(path)?;
    io::Write::write_all(&mut file, content.as_bytes())?;
    file.sync_all()
}

/// Temporary files with their final names; what is left of them is removed on drop.
struct Pending {
    files: Vec<(PathBuf, PathBuf)>,
}

impl Pending {
    fn publish(mut self) -> Result<Vec<PathBuf>, WriteError> {
        let mut done = Vec::new();
        while let Some((temporary, path)) = self.files.first() {
            fs::rename(temporary, path).map_err(|source| failed(path, source))?;
            done.push(self.files.remove(0).1);
        }
        Ok(done)
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        for (temporary, _) in &self.files {
            // Best effort: the error that led here is the one to report.
            let _ = fs::remove_file(temporary);
        }
    }
}
