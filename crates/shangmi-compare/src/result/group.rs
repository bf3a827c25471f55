//! The parts of the suite.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A part of the suite; the order is the report's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// SM3 against SHA-256 by message length.
    Hash,
    /// Both over many independent messages.
    HashMany,
    /// Both over files.
    HashFile,
    /// Programs over a tree of small files.
    HashTree,
    /// Teaching stages of SM3 and SHA-256, from the textbook to the library.
    HashStage,
    /// HMAC and CMAC.
    Mac,
    /// Teaching stages of SM4.
    CipherStage,
    /// Modes of SM4 against those of AES-128.
    CipherMode,
    /// SM2 against RSA and P-256.
    PublicKey,
    /// SM2, RSA and P-256 under an equal load: share of a core, growth of memory.
    Load,
    /// Operation counts of one compression.
    Counts,
    /// Working memory.
    Memory,
}

impl Group {
    /// Every group, in the report's order.
    pub const ALL: [Self; 12] = [
        Self::Hash,
        Self::HashMany,
        Self::HashFile,
        Self::HashTree,
        Self::HashStage,
        Self::Mac,
        Self::CipherStage,
        Self::CipherMode,
        Self::PublicKey,
        Self::Load,
        Self::Counts,
        Self::Memory,
    ];

    /// The name on the command line and in the JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hash => "hash",
            Self::HashMany => "hash-many",
            Self::HashFile => "hash-file",
            Self::HashTree => "hash-tree",
            Self::HashStage => "hash-stage",
            Self::Mac => "mac",
            Self::CipherStage => "cipher-stage",
            Self::CipherMode => "cipher-mode",
            Self::PublicKey => "public-key",
            Self::Load => "load",
            Self::Counts => "counts",
            Self::Memory => "memory",
        }
    }

    /// The group of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.name() == name)
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
