//! The digest functions, alone and several at once.

use shangmi::sm3::{self, Sm3};

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

    /// The name in OpenSSL's lines.
    pub(crate) fn openssl_tag(self) -> &'static str {
        match self {
            Self::Sm3 => "SM3",
            Self::Sha256 => "SHA2-256",
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

/// A set of digest functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Algorithms {
    sm3: bool,
    sha256: bool,
}

impl Algorithms {
    pub(crate) fn contains(self, algorithm: Algorithm) -> bool {
        match algorithm {
            Algorithm::Sm3 => self.sm3,
            Algorithm::Sha256 => self.sha256,
        }
    }
}

impl From<Algorithm> for Algorithms {
    fn from(algorithm: Algorithm) -> Self {
        [algorithm].into_iter().collect()
    }
}

impl FromIterator<Algorithm> for Algorithms {
    fn from_iter<I: IntoIterator<Item = Algorithm>>(algorithms: I) -> Self {
        let mut set = Self::default();
        for algorithm in algorithms {
            match algorithm {
                Algorithm::Sm3 => set.sm3 = true,
                Algorithm::Sha256 => set.sha256 = true,
            }
        }
        set
    }
}

/// The digests of one message, by those functions that were asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digests {
    sm3: Option<Digest>,
    sha256: Option<Digest>,
}

impl Digests {
    pub(crate) fn get(&self, algorithm: Algorithm) -> Option<&Digest> {
        match algorithm {
            Algorithm::Sm3 => self.sm3.as_ref(),
            Algorithm::Sha256 => self.sha256.as_ref(),
        }
    }
}

impl FromIterator<(Algorithm, Digest)> for Digests {
    fn from_iter<I: IntoIterator<Item = (Algorithm, Digest)>>(digests: I) -> Self {
        let mut set = Self::default();
        for (algorithm, digest) in digests {
            match algorithm {
                Algorithm::Sm3 => set.sm3 = Some(digest),
                Algorithm::Sha256 => set.sha256 = Some(digest),
            }
        }
        set
    }
}

/// Hashes one message that arrives in pieces.
pub(crate) struct Hasher {
    sm3: Option<Sm3>,
    sha256: Option<aws_lc_rs::digest::Context>,
}

impl Hasher {
    pub(crate) fn new(algorithms: Algorithms) -> Self {
        let sha256 = || aws_lc_rs::digest::Context::new(&aws_lc_rs::digest::SHA256);
        Self {
            sm3: algorithms.sm3.then(Sm3::new),
            sha256: algorithms.sha256.then(sha256),
        }
    }

    /// For what is to be computed besides SM3.
    pub(super) fn beside_sm3(algorithms: Algorithms) -> Self {
        Self::new(Algorithms {
            sm3: false,
            ..algorithms
        })
    }

    /// Adds SM3, which has seen the same message elsewhere.
    pub(super) fn join(&mut self, sm3: Sm3) {
        self.sm3 = Some(sm3);
    }

    pub(crate) fn update(&mut self, data: &[u8]) {
        if let Some(sm3) = &mut self.sm3 {
            sm3.update(data);
        }
        if let Some(sha256) = &mut self.sha256 {
            sha256.update(data);
        }
    }

    pub(crate) fn finalize(self) -> Digests {
        Digests {
            sm3: self.sm3.map(Sm3::finalize),
            sha256: self.sha256.map(|sha256| bytes(&sha256.finish())),
        }
    }
}

/// Hashes whole messages, each by the functions that it is paired with.
pub(crate) fn digest_many(messages: &[(&[u8], Algorithms)]) -> Vec<Digests> {
    let mut digests = vec![Digests::default(); messages.len()];
    let (places, for_sm3): (Vec<usize>, Vec<&[u8]>) = messages
        .iter()
        .enumerate()
        .filter(|(_, (_, algorithms))| algorithms.sm3)
        .map(|(place, (message, _))| (place, *message))
        .unzip();
    let mut sm3 = vec![[0; sm3::DIGEST_LEN]; for_sm3.len()];
    sm3::digest_many(&for_sm3, &mut sm3).expect("there is one digest for each message");
    for (place, digest) in places.into_iter().zip(sm3) {
        digests[place].sm3 = Some(digest);
    }
    for (digests, (message, algorithms)) in digests.iter_mut().zip(messages) {
        if algorithms.sha256 {
            let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, message);
            digests.sha256 = Some(bytes(&digest));
        }
    }
    digests
}

fn bytes(digest: &aws_lc_rs::digest::Digest) -> Digest {
    digest
        .as_ref()
        .try_into()
        .expect("a SHA-256 digest has 32 bytes")
}
