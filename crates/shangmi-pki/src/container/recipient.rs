//! Stanzas: the file key, once for each recipient.
use shangmi::{
    rng::Rng,
    sm2::{PrivateKey, PublicKey},
    sm3,
};
use zeroize::Zeroizing;

use crate::{CiphertextFormat, Error, Result, ciphertext};

/// The type number of a stanza for an SM2 key.
const SM2: u16 = 1;
const ID_LEN: usize = 8;
/// In place of an ID: the reader finds out by trying.
const HIDDEN: [u8; ID_LEN] = [0; ID_LEN];
pub(super) const FILE_KEY_LEN: usize = 32;
/// An ID, and C1C3C2 of the file key.
const SM2_BODY_LEN: usize = ID_LEN + 65 + 32 + FILE_KEY_LEN;
/// Longest body of a stanza of any type.
pub(super) const MAX_BODY_LEN: usize = 4096;

pub(super) type FileKey = Zeroizing<[u8; FILE_KEY_LEN]>;

/// Who can open a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recipient {
    /// The holder of an SM2 key. The file carries the key's [`key_id`], so that a reader knows at once which
    /// key is needed; so does everybody else who sees the file and knows the public key.
    Sm2(PublicKey),
    /// The holder of an SM2 key that the file does not name: its readers find out by trying.
    Sm2Hidden(PublicKey),
}

/// The ID of a public key in sealed files: the first 8 bytes of SM3(04 || x || y).
#[must_use]
pub fn key_id(key: &PublicKey) -> [u8; ID_LEN] {
    let mut id = [0; ID_LEN];
    id.copy_from_slice(&sm3::digest(&key.to_uncompressed())[..ID_LEN]);
    id
}

/// A typed part of the header. Readers skip types that they do not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stanza {
    pub(super) kind: u16,
    pub(super) body: Vec<u8>,
}

/// What a private key makes of a stanza.
pub(super) enum Attempt {
    /// For this key; here is the file key.
    Opened(FileKey),
    /// Says that it is for this key, but does not open.
    Damaged,
    /// For somebody else, or of an unknown type.
    NotOurs,
}

impl Stanza {
    /// Encrypts the file key to a recipient.
    pub(super) fn seal(
        recipient: &Recipient,
        file_key: &FileKey,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<Self> {
        let (key, id) = match recipient {
            Recipient::Sm2(key) => (key, key_id(key)),
            Recipient::Sm2Hidden(key) => (key, HIDDEN),
        };
        let wrapped = ciphertext::encrypt(key, &file_key[..], CiphertextFormat::C1C3C2, rng)?;
        Ok(Self {
            kind: SM2,
            body: [&id[..], &wrapped].concat(),
        })
    }

    /// Checks what can be checked without a key.
    pub(super) fn check(&self) -> Result<()> {
        if self.kind == SM2 && self.body.len() != SM2_BODY_LEN {
            return Err(Error::Malformed {
                what: "an SM2 stanza that is not 137 bytes",
            });
        }
        Ok(())
    }

    /// Tries to decrypt the file key; `id` is the [`key_id`] of `key`.
    pub(super) fn open(&self, key: &PrivateKey, id: &[u8; ID_LEN]) -> Attempt {
        let (SM2, Some((found, wrapped))) = (self.kind, self.body.split_first_chunk()) else {
            return Attempt::NotOurs;
        };
        if found != id && found != &HIDDEN {
            return Attempt::NotOurs;
        }
        let plaintext = ciphertext::decrypt(wrapped, CiphertextFormat::C1C3C2, key);
        match plaintext
            .ok()
            .and_then(|bytes| Some(FileKey::new(*bytes.first_chunk()?)))
        {
            Some(file_key) => Attempt::Opened(file_key),
            None if found == id => Attempt::Damaged,
            None => Attempt::NotOurs,
        }
    }
}
