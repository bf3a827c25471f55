//! One name of a tree and what is behind it.

use super::time::Time;
use crate::bulk::{Algorithms, Digests};
use crate::manifest::columns;

/// A name and what is behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// The path below the root, as the bytes that the system has.
    pub(crate) name: Vec<u8>,
    pub(crate) content: Content,
}

/// What is behind a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    File(FileRecord),
    /// Not a file that was read, and more about it.
    Other(Kind, Vec<u8>),
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileRecord {
    /// Bytes.
    pub(crate) size: u64,
    /// Last modification; missing when it cannot prove that the file is unchanged.
    pub(crate) modified: Option<Time>,
    pub(crate) inode: Option<u64>,
    pub(crate) digests: Digests,
}

/// What is not a file that was read; the detail goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A symbolic link; its target.
    Link,
    /// A pipe, a socket or a device; which of them.
    Special,
    /// A followed link that leads back to a directory above it.
    Loop,
    /// A file or directory that cannot be read; why.
    Unreadable,
    /// A file that was never the same before and after it was read; how.
    Changed,
}

impl Kind {
    pub(crate) const ALL: [Self; 5] = [
        Self::Link,
        Self::Special,
        Self::Loop,
        Self::Unreadable,
        Self::Changed,
    ];

    /// The word for it in manifests.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::Special => "special",
            Self::Loop => "loop",
            Self::Unreadable => "unreadable",
            Self::Changed => "changed",
        }
    }

    /// Reads the word.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether the content could not be learnt.
    pub(crate) fn is_failure(self) -> bool {
        matches!(self, Self::Unreadable | Self::Changed)
    }
}

impl Record {
    pub(crate) fn other(name: Vec<u8>, kind: Kind, detail: impl Into<Vec<u8>>) -> Self {
        Self {
            name,
            content: Content::Other(kind, detail.into()),
        }
    }

    /// The file, if it is one that was read.
    pub(crate) fn file(&self) -> Option<&FileRecord> {
        match &self.content {
            Content::File(file) => Some(file),
            Content::Other(..) => None,
        }
    }
}

impl FileRecord {
    /// Whether all these digests are known.
    pub(crate) fn has(&self, algorithms: Algorithms) -> bool {
        columns(algorithms).all(|column| self.digests.get(column).is_some())
    }
}
