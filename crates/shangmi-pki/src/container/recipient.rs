//! Who can open a file, and with what.
use shangmi::{
    rng::Rng,
    sm2::{PrivateKey, PublicKey},
    sm3,
};
use zeroize::Zeroizing;

use super::Passphrase;
use crate::{CiphertextFormat, Error, Result, ciphertext};

const ID_LEN: usize = 8;
/// In place of an ID: the reader finds out by trying.
const HIDDEN: [u8; ID_LEN] = [0; ID_LEN];
pub(super) const FILE_KEY_LEN: usize = 32;
/// An ID, and C1C3C2 of the file key.
pub(super) const SM2_BODY_LEN: usize = ID_LEN + 65 + 32 + FILE_KEY_LEN;

pub(super) type FileKey = Zeroizing<[u8; FILE_KEY_LEN]>;

/// Who can open a file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Recipient {
    /// The holder of an SM2 key. The file carries the key's [`key_id`], so that a reader knows at once which
    /// key is needed; so does everybody else who sees the file and knows the public key.
    Sm2(PublicKey),
    /// The holder of an SM2 key that the file does not name: its readers find out by trying.
    Sm2Hidden(PublicKey),
    /// Whoever knows a passphrase; at most one in a file. Beside SM2 keys it makes the file as easy to
    /// open as the passphrase is to guess.
    Passphrase(Passphrase),
}

/// What a reader opens a file with.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Identity<'a> {
    /// The private key of one of the recipients.
    Sm2(&'a PrivateKey),
    /// The passphrase, as bytes.
    Passphrase(&'a [u8]),
}

impl<'a> From<&'a PrivateKey> for Identity<'a> {
    fn from(key: &'a PrivateKey) -> Self {
        Self::Sm2(key)
    }
}

/// The ID of a public key in sealed files: the first 8 bytes of SM3(04 || x || y).
#[must_use]
pub fn key_id(key: &PublicKey) -> [u8; ID_LEN] {
    let mut id = [0; ID_LEN];
    id.copy_from_slice(&sm3::digest(&key.to_uncompressed())[..ID_LEN]);
    id
}

/// The body of a stanza for an SM2 key.
pub(super) fn wrap(
    key: &PublicKey,
    id: Option<[u8; ID_LEN]>,
    file_key: &FileKey,
    rng: &mut (impl Rng + ?Sized),
) -> Result<Vec<u8>> {
    let wrapped = ciphertext::encrypt(key, &file_key[..], CiphertextFormat::C1C3C2, rng)?;
    Ok([&id.unwrap_or(HIDDEN)[..], &wrapped].concat())
}

/// The file key from the body of a stanza for an SM2 key; `None` for another key.
pub(super) fn unwrap(body: &[u8], key: &PrivateKey) -> Result<Option<FileKey>> {
    let (found, wrapped) = body.split_at(ID_LEN);
    let named = found == key_id(key.public_key());
    if !named && found != HIDDEN {
        return Ok(None);
    }
    let plaintext = ciphertext::decrypt(wrapped, CiphertextFormat::C1C3C2, key);
    let file_key = plaintext
        .ok()
        .and_then(|bytes| Some(FileKey::new(*bytes.first_chunk()?)));
    match file_key {
        None if named => Err(Error::HeaderTampered),
        other => Ok(other),
    }
}
