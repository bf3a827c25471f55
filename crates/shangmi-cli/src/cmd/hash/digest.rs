//! Several digests of one input in one read.

use anyhow::Result;
use shangmi::sm3::Sm3;

use crate::input::Input;
use crate::progress::Progress;

/// A digest function; both give 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Algorithm {
    /// SM3 (GB/T 32905)
    Sm3,
    /// SHA-256 (FIPS 180-4)
    Sha256,
}

/// A digest of either function.
pub(crate) type Digest = [u8; 32];

impl Algorithm {
    /// The name in tagged lines.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Self::Sm3 => "SM3",
            Self::Sha256 => "SHA256",
        }
    }

    /// The name in JSON and on the command line.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Sm3 => "sm3",
            Self::Sha256 => "sha256",
        }
    }

    /// Reads the name of a tagged line: `SHA2-256` is OpenSSL's, `SHA256` everybody else's.
    pub(crate) fn from_tag(tag: &[u8]) -> Option<Self> {
        match tag {
            b"SM3" => Some(Self::Sm3),
            b"SHA256" | b"SHA2-256" => Some(Self::Sha256),
            _ => None,
        }
    }
}

enum Hasher {
    Sm3(Sm3),
    Sha256(Box<aws_lc_rs::digest::Context>),
}

impl Hasher {
    fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Sm3 => Self::Sm3(Sm3::new()),
            Algorithm::Sha256 => {
                let context = aws_lc_rs::digest::Context::new(&aws_lc_rs::digest::SHA256);
                Self::Sha256(Box::new(context))
            }
        }
    }

    fn update(&mut self, data: &[u8]) {
        match self {
            Self::Sm3(hasher) => hasher.update(data),
            Self::Sha256(hasher) => hasher.update(data),
        }
    }

    fn finalize(self) -> Digest {
        match self {
            Self::Sm3(hasher) => hasher.finalize(),
            Self::Sha256(hasher) => hasher
                .finish()
                .as_ref()
                .try_into()
                .expect("a SHA-256 digest has 32 bytes"),
        }
    }
}

/// Reads `input` to its end: a digest for each algorithm, and the number of bytes.
pub(crate) fn read(
    input: &mut Input,
    algorithms: &[Algorithm],
    progress: &Progress,
) -> Result<(Vec<Digest>, u64)> {
    let mut hashers: Vec<Hasher> = algorithms.iter().map(|&a| Hasher::new(a)).collect();
    let length = input.for_each_chunk(progress, |chunk| {
        hashers.iter_mut().for_each(|hasher| hasher.update(chunk));
        Ok(())
    })?;
    Ok((hashers.into_iter().map(Hasher::finalize).collect(), length))
}
