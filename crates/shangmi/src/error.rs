use core::fmt;

/// A result whose error is [`Error`].
pub type Result<T> = core::result::Result<T, Error>;

/// Everything that can go wrong in this crate.
///
/// A failure that depends on a secret carries nothing ([`BadSignature`](Error::BadSignature),
/// [`DecryptFailed`](Error::DecryptFailed)); a caller's mistake carries the numbers that mend it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// A value has the wrong number of bytes.
    InvalidLength {
        /// The value, in words.
        what: &'static str,
        /// Bytes that it must have.
        expected: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// A value has fewer or more bytes than allowed.
    LengthOutOfRange {
        /// The value, in words.
        what: &'static str,
        /// Fewest bytes allowed.
        min: usize,
        /// Most bytes allowed.
        max: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// A value's length is not a multiple of the unit that it is processed in.
    NotMultiple {
        /// The value, in words.
        what: &'static str,
        /// The unit in bytes.
        unit: usize,
        /// Bytes that it has.
        found: usize,
    },
    /// A parameter is outside the range that the standard or this crate allows.
    OutOfRange {
        /// The parameter, in words, with the range.
        what: &'static str,
    },
    /// A private key is not in [1, n-2].
    InvalidPrivateKey,
    /// A public key or another point is not acceptable.
    InvalidPoint(PointError),
    /// r or s of a signature is not in [1, n-1].
    SignatureOutOfRange,
    /// An empty user ID was given where it was not asked for by name.
    EmptyId,
    /// A counter mode would use a counter block twice under one key.
    CounterExhausted,
    /// The random number generator failed, or gave values that stayed unusable.
    RandomSource,
    /// A signature is not valid for this message, ID and key.
    BadSignature,
    /// A MAC or a confirmation value is not the expected one.
    BadMac,
    /// A ciphertext is not valid under this key.
    DecryptFailed,
}

/// Why an encoded point is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PointError {
    /// The first byte is none of 02, 03, 04.
    UnknownForm,
    /// A coordinate is p or more.
    CoordinateOutOfRange,
    /// The point does not lie on the SM2 curve.
    NotOnCurve,
    /// The point at infinity.
    Infinity,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::InvalidLength {
                what,
                expected,
                found,
            } => {
                write!(f, "{what} must be {expected} bytes, found {found}")
            }
            Self::LengthOutOfRange {
                what,
                min,
                max,
                found,
            } => {
                write!(f, "{what} must be {min} to {max} bytes, found {found}")
            }
            Self::NotMultiple { what, unit, found } => {
                write!(
                    f,
                    "{what} must be a multiple of {unit} bytes, found {found}"
                )
            }
            Self::OutOfRange { what } => write!(f, "out of range: {what}"),
            Self::InvalidPrivateKey => f.write_str("private key is not in [1, n-2]"),
            Self::InvalidPoint(reason) => write!(f, "invalid point: {reason}"),
            Self::SignatureOutOfRange => f.write_str("r or s of the signature is not in [1, n-1]"),
            Self::EmptyId => f.write_str("user ID is empty"),
            Self::CounterExhausted => f.write_str("counter blocks would repeat under one key"),
            Self::RandomSource => f.write_str("random number generator failed"),
            Self::BadSignature => f.write_str("bad signature"),
            Self::BadMac => f.write_str("MAC does not match"),
            Self::DecryptFailed => f.write_str("decryption failed"),
        }
    }
}

impl fmt::Display for PointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UnknownForm => "its first byte is none of 02, 03, 04",
            Self::CoordinateOutOfRange => "a coordinate is not below p",
            Self::NotOnCurve => "it is not on the SM2 curve",
            Self::Infinity => "it is the point at infinity",
        })
    }
}

/// No error has a source: what there is to say is in its message, the [`PointError`] too.
impl core::error::Error for Error {}

impl From<PointError> for Error {
    fn from(reason: PointError) -> Self {
        Self::InvalidPoint(reason)
    }
}

impl core::error::Error for PointError {}

/// Checks a length that must be exact.
pub(crate) fn exact_len(what: &'static str, expected: usize, found: usize) -> Result<()> {
    if found == expected {
        Ok(())
    } else {
        Err(Error::InvalidLength {
            what,
            expected,
            found,
        })
    }
}

#[cfg(test)]
mod tests {
    use core::error::Error as _;

    use super::*;

    #[test]
    fn a_reason_in_the_message_is_no_source() {
        let error = Error::from(PointError::NotOnCurve);
        assert_eq!(
            std::format!("{error}"),
            "invalid point: it is not on the SM2 curve"
        );
        assert!(error.source().is_none());
    }
}
