//! Names of files from a list.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use zeroize::Zeroizing;

use super::sums::Ending;
use crate::input::{IN_MEMORY, Input};

/// The names in a list, one after the other; empty ones are left out.
pub(crate) struct Names {
    text: Zeroizing<Vec<u8>>,
    at: usize,
    ending: Ending,
}

impl Names {
    /// Reads the list `path`, whose names end with `ending`.
    pub(crate) fn read(path: &Path, ending: Ending) -> Result<Self> {
        Ok(Self {
            text: Input::open(path)?.read_all(IN_MEMORY)?,
            at: 0,
            ending,
        })
    }
}

impl Iterator for Names {
    type Item = PathBuf;

    fn next(&mut self) -> Option<PathBuf> {
        loop {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            let end = rest.iter().position(|&byte| byte == self.ending.byte());
            let name = &rest[..end.unwrap_or(rest.len())];
            self.at += name.len() + 1;
            if !name.is_empty() {
                return Some(PathBuf::from(OsStr::from_bytes(name)));
            }
        }
    }
}
