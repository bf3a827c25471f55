use der::asn1::ObjectIdentifier;

use crate::oid::Named;

/// A result whose error is [`Error`].
pub type Result<T> = core::result::Result<T, Error>;

/// Everything that can go wrong in this crate.
///
/// Malformed (`Der`, `Pem`, ...), well-formed but not for us (`WrongCurve`, `Unsupported`, ...) and
/// negative answers (`WrongPassphrase`, `Tampered`, ...) are apart; [`Error::is_negative`] tells the
/// last kind. A message is whole: no cause that it tells is a source as well.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not the DER that they should be.
    #[error("malformed {path} at byte {offset}: {}", cause.kind())]
    Der {
        /// The structure, in the words of its standard; `offset` counts from its first byte.
        path: &'static str,
        /// Where in the structure, in bytes.
        offset: usize,
        /// What is wrong there.
        cause: der::Error,
    },
    /// An INTEGER that must not be negative is: the 00 in front of it is missing.
    #[error("negative INTEGER in {path}: a leading 00 is missing")]
    NegativeInteger {
        /// The structure.
        path: &'static str,
    },
    /// A value has the wrong number of bytes.
    #[error("{what} must be {expected} bytes, found {found}")]
    Length {
        /// The value.
        what: &'static str,
        /// The length or lengths that it may have, in words.
        expected: &'static str,
        /// Bytes that it has.
        found: usize,
    },
    /// A text block between BEGIN and END lines is damaged.
    #[error("malformed PEM block {number}: {cause}")]
    Pem {
        /// Which block of the file, from 1.
        number: usize,
        /// What is wrong with it.
        cause: der::pem::Error,
    },
    /// A hex key has the wrong number of digits.
    #[error("hex {what} must have {expected} digits, found {found}")]
    HexLength {
        /// Which key.
        what: &'static str,
        /// The number or numbers of digits that it may have, in words.
        expected: &'static str,
        /// Digits that it has.
        found: usize,
    },
    /// A key lies on another curve.
    #[error("key is on {}, not SM2", Named(oid))]
    WrongCurve {
        /// The curve's object identifier.
        oid: ObjectIdentifier,
    },
    /// A key is for another algorithm.
    #[error("key is for {}, not SM2", Named(oid))]
    WrongAlgorithm {
        /// The algorithm's object identifier.
        oid: ObjectIdentifier,
    },
    /// Explicit curve parameters describe another curve.
    #[error("key has explicit curve parameters that are not those of SM2: {what} differs")]
    WrongParameters {
        /// The first parameter that differs.
        what: &'static str,
    },
    /// A key does not say which curve it is on.
    #[error("key names no curve")]
    NoCurve,
    /// Well-formed, but with something that this crate does not do.
    #[error("unsupported {what}")]
    Unsupported {
        /// The thing.
        what: &'static str,
    },
    /// Well-formed, but with an algorithm that this crate does not do.
    #[error("unsupported {what}: {}", Named(oid))]
    UnsupportedAlgorithm {
        /// Its part in the structure.
        what: &'static str,
        /// Its object identifier.
        oid: ObjectIdentifier,
    },
    /// The bytes are in no form that is known for this kind of content.
    #[error("not recognised as {what}")]
    NotRecognised {
        /// What was looked for.
        what: &'static str,
    },
    /// The file holds more than one key that would fit.
    #[error("the file holds {count} blocks that fit; it must be one {what}")]
    Ambiguous {
        /// What was looked for.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A private key was given where a public key is asked for.
    #[error("this is a private key, a public key is needed")]
    PrivateKeyGiven,
    /// A public key was given where a private key is asked for.
    #[error("this is a public key, a private key is needed")]
    PublicKeyGiven,
    /// A certificate was given where a key is asked for.
    #[error("this is a certificate, a key is needed")]
    CertificateGiven,
    /// A key cannot be written in this format.
    #[error("a {what} cannot be written as {format}")]
    FormatMismatch {
        /// Which key.
        what: &'static str,
        /// The format asked for.
        format: crate::KeyFormat,
    },
    /// The public key inside a private key's file is not d * G.
    #[error("the public key in the file does not belong to its private key")]
    PublicKeyMismatch,
    /// The private key is encrypted and no passphrase was given.
    #[error("the private key is encrypted: a passphrase is needed")]
    PassphraseNeeded,
    /// The passphrase does not open the file, or the file is damaged there: the two cannot be told apart.
    #[error("wrong passphrase")]
    WrongPassphrase,
    /// A passphrase of no bytes.
    #[error("the passphrase is empty")]
    EmptyPassphrase,
    /// A file asks for more key derivation work than is reasonable.
    #[error("the file asks for {found} PBKDF2 iterations, the limit is {limit}")]
    TooManyIterations {
        /// Iterations asked for.
        found: u64,
        /// Most that are done.
        limit: u64,
    },
    /// Not a sealed file: it does not begin with the magic bytes.
    #[error("not a sealed file")]
    NotSealed,
    /// A sealed file of a version that this crate does not know.
    #[error("sealed file of unsupported version {found}")]
    UnsupportedVersion {
        /// The version that the file says.
        found: u8,
    },
    /// A sealed file breaks a rule of the format.
    #[error("malformed sealed file: {what}")]
    Malformed {
        /// How.
        what: &'static str,
    },
    /// The text form of a sealed file is damaged.
    #[error("malformed armour at line {line}: {what}")]
    Armor {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A sealed file ends inside its header.
    #[error("the sealed file ends inside its header")]
    HeaderTruncated,
    /// A sealed file was sealed for other keys than this one.
    #[error("the file was not sealed for this key")]
    NotForThisKey,
    /// A sealed file was sealed for keys only.
    #[error("the file was not sealed with a passphrase")]
    NotForAPassphrase,
    /// The header of a sealed file was changed after sealing.
    #[error("the header of the sealed file was changed")]
    HeaderTampered,
    /// A chunk of a sealed file was changed, moved or cut, or bytes were appended to it.
    #[error("chunk {index} of the sealed file was changed, moved or cut")]
    Tampered {
        /// The chunk, from 0.
        index: u64,
    },
    /// A sealed file was cut at a chunk's end.
    #[error("the sealed file was cut: it ends before its last chunk")]
    Truncated,
    /// A part of a sealed file's content was asked for that is not there.
    #[error("the range ends at byte {end}, and the content has {content} bytes")]
    RangePastEnd {
        /// Where the range ends, or begins if that is later.
        end: u64,
        /// The content's length.
        content: u64,
    },
    /// More data than one sealed file can hold, or too many recipients, or none.
    #[error("{what} must be {min} to {max}")]
    Limit {
        /// What is counted.
        what: &'static str,
        /// Fewest.
        min: u64,
        /// Most.
        max: u64,
    },
    /// The arithmetic refused a key, point, signature or ciphertext.
    #[error(transparent)]
    Crypto(#[from] shangmi::Error),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(std::io::Error),
}

impl From<std::io::Error> for Error {
    /// An error of this crate that went through a reader's interface becomes itself again.
    fn from(error: std::io::Error) -> Self {
        error.downcast().unwrap_or_else(Self::Io)
    }
}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Io(error) => error,
            other => Self::new(std::io::ErrorKind::InvalidData, other),
        }
    }
}

impl Error {
    /// Whether this is a negative answer to a well-put question, and not bad input or a failed
    /// operation: a wrong passphrase or key, a bad signature, a file that was changed or cut.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        use shangmi::Error as Crypto;
        match self {
            Self::WrongPassphrase
            | Self::NotForThisKey
            | Self::NotForAPassphrase
            | Self::HeaderTampered
            | Self::Tampered { .. }
            | Self::Truncated => true,
            Self::Crypto(e) => {
                matches!(
                    e,
                    Crypto::BadSignature | Crypto::BadMac | Crypto::DecryptFailed
                )
            }
            _ => false,
        }
    }

    /// Makes a closure that adds the structure's name to an error of the DER decoder.
    pub(crate) fn der(path: &'static str) -> impl FnOnce(der::Error) -> Self {
        move |cause| {
            if cause.kind()
                == (der::ErrorKind::Value {
                    tag: der::Tag::Integer,
                })
            {
                return Self::NegativeInteger { path };
            }
            let offset = cause.position().map_or(0, |at| u32::from(at) as usize);
            Self::Der {
                path,
                offset,
                cause,
            }
        }
    }
}
