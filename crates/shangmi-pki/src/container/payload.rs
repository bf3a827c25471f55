//! The content's chunks, each sealed alone.
use shangmi::{modes::gcm::Sm4Gcm, sm3::hkdf, sm4};
use zeroize::Zeroizing;

use super::{CHUNK_LEN, TAG_LEN};
use crate::{Error, Result};

const INFO: &[u8] = b"shangmi sealed file 1 payload";
const NONCE_LEN: usize = 12;

/// Chunks of one file: the counter in the nonce has 32 bits.
const MAX_CHUNKS: u64 = 1 << 32;

/// Whether a chunk ends the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// More chunks follow; the chunk is full.
    Middle,
    /// The file ends with this chunk.
    Last,
}

/// The keys of one file's content: seals and opens its chunks in any order.
///
/// Chunk i of a file begins [`Header::len`](super::Header::len) + i * (65,536 + 16) bytes into it.
pub struct Payload {
    cipher: Sm4Gcm,
    iv: [u8; NONCE_LEN],
}

impl Payload {
    pub(super) fn new(prk: &[u8; 32]) -> Result<Self> {
        let mut okm = Zeroizing::new([0; sm4::KEY_LEN + NONCE_LEN]);
        hkdf::expand(prk, INFO, &mut okm[..])?;
        let (key, iv) = okm.split_first_chunk().expect("16 of 28 bytes");
        let iv = iv.try_into().expect("12 bytes are left");
        Ok(Self {
            cipher: Sm4Gcm::new(key),
            iv,
        })
    }

    /// Seals a chunk in place.
    ///
    /// - `index`: from 0; never seal two contents under one index
    /// - `place`, `chunk`: a full one in the middle; at the end it may be shorter, and empty only
    ///   if the whole content is
    /// - returns: the tag, which follows the chunk in the file
    /// # Errors
    /// [`Error::Limit`] for an index of 2^32 or more, [`Error::Malformed`] for a length that the
    /// place does not allow.
    /// # Timing
    /// Constant in the chunk's bytes and the key.
    pub fn seal_chunk(&self, index: u64, place: Place, chunk: &mut [u8]) -> Result<[u8; TAG_LEN]> {
        check_len(index, place, chunk.len())?;
        Ok(self
            .cipher
            .seal_in_place(&self.nonce(index, place)?, &[], chunk)?)
    }

    /// Opens a chunk in place.
    ///
    /// - `index`: from 0
    /// - `place`: what the chunk must be. A reader of a range that trusts a file's length takes
    ///   a part of the file for the whole: it must open the last chunk, too.
    /// - `chunk`: with its tag; wiped when it fails
    /// - returns: the content
    /// # Errors
    /// [`Error::Tampered`] if the chunk is not this one of this file; [`Error::Malformed`] for a
    /// length that the place does not allow; [`Error::Limit`] for an index of 2^32 or more.
    /// # Timing
    /// Constant in the chunk's bytes and the key.
    pub fn open_chunk<'a>(
        &self,
        index: u64,
        place: Place,
        chunk: &'a mut [u8],
    ) -> Result<&'a [u8]> {
        let nonce = self.nonce(index, place)?;
        let (content, tag) = chunk
            .split_last_chunk_mut()
            .ok_or(Error::Tampered { index })?;
        self.cipher
            .open_in_place(&nonce, &[], content, tag)
            .map_err(|_| Error::Tampered { index })?;
        check_len(index, place, content.len())?;
        Ok(content)
    }

    /// iv XOR (0^7 || index in 4 bytes || 1 for the last chunk, else 0)
    fn nonce(&self, index: u64, place: Place) -> Result<[u8; NONCE_LEN]> {
        let limit = Error::Limit {
            what: "chunks of a sealed file",
            min: 1,
            max: MAX_CHUNKS,
        };
        let index = u32::try_from(index).map_err(|_| limit)?;
        let mut nonce = self.iv;
        for (byte, count) in nonce[7..11].iter_mut().zip(index.to_be_bytes()) {
            *byte ^= count;
        }
        nonce[11] ^= u8::from(place == Place::Last);
        Ok(nonce)
    }
}

fn check_len(index: u64, place: Place, len: usize) -> Result<()> {
    match place {
        Place::Middle if len != CHUNK_LEN => Err(Error::Malformed {
            what: "a chunk that is not full before the last one",
        }),
        Place::Last if len > CHUNK_LEN => Err(Error::Malformed {
            what: "a chunk over 64 KiB",
        }),
        Place::Last if len == 0 && index > 0 => Err(Error::Malformed {
            what: "an empty chunk after others",
        }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_of_a_wrong_length_is_refused_even_if_its_tag_is_right() {
        let payload = Payload::new(&[7; 32]).unwrap();
        for (index, place, len) in [
            (1, Place::Last, 0),
            (0, Place::Middle, 0),
            (0, Place::Middle, CHUNK_LEN - 1),
            (0, Place::Last, CHUNK_LEN + 1),
        ] {
            let mut chunk = vec![1; len];
            let nonce = payload.nonce(index, place).unwrap();
            let tag = payload
                .cipher
                .seal_in_place(&nonce, &[], &mut chunk)
                .unwrap();
            chunk.extend(tag);
            let error = payload.open_chunk(index, place, &mut chunk).unwrap_err();
            assert!(
                matches!(error, Error::Malformed { .. }),
                "{index} {place:?} {len}: {error}"
            );
        }
    }
}
