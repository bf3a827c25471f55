//! The content from its first chunk to its last.
use std::io::{Read, Write};

use zeroize::Zeroizing;

use super::{CHUNK_LEN, Payload, Place, TAG_LEN, chunks::Chunks};
use crate::{Error, Result};

impl Payload {
    /// Seals everything that `reader` gives: what follows the header in the file.
    ///
    /// - `reader`: the content; any length up to 2^32 chunks
    /// - `writer`: gets the chunks with their tags
    /// - returns: the number of content bytes
    /// # Errors
    /// [`Error::Limit`] for too much content; [`Error::Io`].
    /// # Timing
    /// Constant in the content's bytes and the keys.
    pub fn seal_all(&self, reader: impl Read, mut writer: impl Write) -> Result<u64> {
        let mut chunks = Chunks::new(reader, CHUNK_LEN);
        let mut total = 0;
        for index in 0.. {
            let (chunk, place) = chunks.next()?;
            total += chunk.len() as u64;
            let tag = self.seal_chunk(index, place, chunk)?;
            writer.write_all(chunk)?;
            writer.write_all(&tag)?;
            if place == Place::Last {
                break;
            }
        }
        writer.flush()?;
        Ok(total)
    }

    /// Opens everything that follows the header.
    ///
    /// - `reader`: the sealed file from its first chunk on
    /// - `writer`: gets the content, each chunk after its tag was checked; see [`open`](super::open)
    /// - returns: the number of content bytes
    /// # Errors
    /// [`Error::Tampered`], [`Error::Truncated`], [`Error::Malformed`] for an empty chunk after others;
    /// [`Error::Io`].
    /// # Timing
    /// Constant in the content's bytes and the keys.
    pub fn open_all(&self, reader: impl Read, mut writer: impl Write) -> Result<u64> {
        let mut chunks = Chunks::new(reader, CHUNK_LEN + TAG_LEN);
        let mut total = 0;
        for index in 0.. {
            let (chunk, place) = chunks.next()?;
            let content = open_next(self, index, place, chunk)?;
            writer.write_all(content)?;
            total += content.len() as u64;
            if place == Place::Last {
                break;
            }
        }
        writer.flush()?;
        Ok(total)
    }
}

/// Opens the next chunk of a stream, and tells a file that was cut between chunks from a changed one.
fn open_next<'a>(
    payload: &Payload,
    index: u64,
    place: Place,
    chunk: &'a mut [u8],
) -> Result<&'a [u8]> {
    if chunk.len() < TAG_LEN {
        return Err(Error::Truncated);
    }
    // Opening wipes what it cannot authenticate, and the file's end has a second try.
    let spare = (place == Place::Last && chunk.len() == CHUNK_LEN + TAG_LEN)
        .then(|| Zeroizing::new(chunk.to_vec()));
    match payload.open_chunk(index, place, chunk) {
        Err(Error::Tampered { .. }) if was_middle(payload, index, spare) => Err(Error::Truncated),
        other => other,
    }
}

fn was_middle(payload: &Payload, index: u64, spare: Option<Zeroizing<Vec<u8>>>) -> bool {
    spare.is_some_and(|mut chunk| payload.open_chunk(index, Place::Middle, &mut chunk).is_ok())
}
