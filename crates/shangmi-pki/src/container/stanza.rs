//! Stanzas: the file key, once for each recipient.
use shangmi::rng::Rng;

use super::{
    Identity, Recipient, key_id, passphrase,
    recipient::{self, FileKey},
};
use crate::{Error, Result};

/// The type number of a stanza for an SM2 key.
const SM2: u16 = 1;
/// The type number of a stanza for a passphrase.
const PASSPHRASE: u16 = 2;
/// Longest body of a stanza of any type.
pub(super) const MAX_BODY_LEN: usize = 4096;

/// A typed part of the header. Readers skip types that they do not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stanza {
    pub(super) kind: u16,
    pub(super) body: Vec<u8>,
}

impl Stanza {
    /// Encrypts the file key to a recipient.
    pub(super) fn seal(
        recipient: &Recipient,
        file_key: &FileKey,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<Self> {
        let (kind, body) = match recipient {
            Recipient::Sm2(key) => (SM2, recipient::wrap(key, Some(key_id(key)), file_key, rng)?),
            Recipient::Sm2Hidden(key) => (SM2, recipient::wrap(key, None, file_key, rng)?),
            Recipient::Passphrase(passphrase) => (PASSPHRASE, passphrase.wrap(file_key, rng)?),
        };
        Ok(Self { kind, body })
    }

    /// Whether the stanza is one for a passphrase.
    pub(super) fn is_passphrase(&self) -> bool {
        self.kind == PASSPHRASE
    }

    /// Checks what can be checked without a key.
    pub(super) fn check(&self) -> Result<()> {
        let (expected, what) = match self.kind {
            SM2 => (
                recipient::SM2_BODY_LEN,
                "an SM2 stanza that is not 137 bytes",
            ),
            PASSPHRASE => (
                passphrase::BODY_LEN,
                "a passphrase stanza that is not 84 bytes",
            ),
            _ => return Ok(()),
        };
        if self.body.len() != expected {
            return Err(Error::Malformed { what });
        }
        Ok(())
    }

    /// Tries to get the file key; `None` when the stanza is for somebody else, or of an unknown type.
    ///
    /// The length of the body was checked.
    pub(super) fn open(&self, identity: Identity<'_>) -> Result<Option<FileKey>> {
        match (self.kind, identity) {
            (SM2, Identity::Sm2(key)) => recipient::unwrap(&self.body, key),
            (PASSPHRASE, Identity::Passphrase(bytes)) => {
                passphrase::unwrap(&self.body, bytes).map(Some)
            }
            _ => Ok(None),
        }
    }
}
