//! Printing digests: lines as they come, or one JSON document.

use std::io::{self, IsTerminal};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::Result;
use serde_json::{Value, json};

use super::sums::{self, Ending, Style};
use crate::bulk::{Algorithm, Hashed};
use crate::hex;
use crate::output::{Content, Output};
use crate::ui::{self, Format};

/// What is printed of a digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Line(Style, Ending),
    /// The digest without a name.
    Digest(Ending),
    /// Its bytes.
    Raw,
}

/// Prints results as they come, or collects them for one JSON document.
pub(super) struct Printer {
    algorithms: Vec<Algorithm>,
    out: Output,
    sink: Sink,
}

enum Sink {
    Text {
        form: Form,
        line: Vec<u8>,
        /// Whether somebody is waiting for each line.
        terminal: bool,
    },
    Json {
        files: Vec<Value>,
        skipped: Vec<Value>,
    },
}

impl Printer {
    pub(super) fn new(format: Format, form: Form, algorithms: Vec<Algorithm>) -> Result<Self> {
        let content = if form == Form::Raw {
            Content::Binary
        } else {
            Content::Text
        };
        let sink = match format {
            Format::Text => Sink::Text {
                form,
                line: Vec::new(),
                terminal: io::stdout().is_terminal(),
            },
            Format::Json => Sink::Json {
                files: Vec::new(),
                skipped: Vec::new(),
            },
        };
        Ok(Self {
            algorithms,
            out: Output::create(None, content, &[])?,
            sink,
        })
    }

    /// What is printed of each file, in this order.
    pub(super) fn algorithms(&self) -> &[Algorithm] {
        &self.algorithms
    }

    pub(super) fn print(&mut self, path: &Path, file: &Hashed) -> Result<()> {
        let digests = self.algorithms.iter().filter_map(|&algorithm| {
            let digest = file.digests.get(algorithm)?;
            Some((algorithm, digest))
        });
        match &mut self.sink {
            Sink::Text {
                form,
                line,
                terminal,
            } => {
                line.clear();
                for digest in digests {
                    put(line, *form, digest, path.as_os_str().as_bytes());
                }
                self.out.put(line)?;
                if *terminal { self.out.show() } else { Ok(()) }
            }
            Sink::Json { files, .. } => {
                let mut entry = named(path);
                entry["bytes"] = json!(file.length);
                for (algorithm, digest) in digests {
                    entry[algorithm.key()] = json!(hex::encode(digest));
                }
                files.push(entry);
                Ok(())
            }
        }
    }

    /// Says that something was left out.
    pub(super) fn skip(&mut self, path: &Path, reason: &str) {
        if let Sink::Json { skipped, .. } = &mut self.sink {
            let mut entry = named(path);
            entry["reason"] = json!(reason);
            skipped.push(entry);
        }
        ui::warn(format_args!("left out {}: {reason}", ui::quote(path)));
    }

    pub(super) fn finish(mut self) -> Result<()> {
        if let Sink::Json { files, skipped } = self.sink {
            let document = json!({ "files": files, "skipped": skipped });
            self.out.put(format!("{document:#}\n").as_bytes())?;
        }
        self.out.commit()
    }
}

fn put(line: &mut Vec<u8>, form: Form, digest: (Algorithm, &[u8; 32]), name: &[u8]) {
    match form {
        Form::Line(style, ending) => sums::put_line(line, style, ending, digest, name),
        Form::Digest(ending) => {
            hex::append(line, digest.1);
            line.push(ending.byte());
        }
        Form::Raw => line.extend_from_slice(digest.1),
    }
}

/// A JSON object that names a file; a name that is no Unicode text has its bytes beside it.
pub(super) fn named(path: &Path) -> Value {
    let mut entry = json!({ "file": path.to_string_lossy() });
    if path.to_str().is_none() {
        entry["file_hex"] = json!(hex::encode(path.as_os_str().as_bytes()));
    }
    entry
}
