//! Parts of the content, without the rest.
use std::{
    io::{Read, Seek, SeekFrom, Write},
    ops::Range,
};

use zeroize::Zeroizing;

use super::{CHUNK_LEN, Header, Payload, Place, TAG_LEN};
use crate::{Error, Result};

const SEALED_LEN: u64 = (CHUNK_LEN + TAG_LEN) as u64;

/// Reads parts of a sealed file's content: of the file, the header, the last chunk and the chunks
/// that hold the part.
///
/// What comes out is what was sealed at that place, and [`content_len`](Self::content_len) is how
/// long the content was: the last chunk's tag binds its number and its length. Chunks that were
/// not asked for are not looked at, and may be damaged.
pub struct RangeReader<R> {
    reader: R,
    payload: Payload,
    /// Where the first chunk begins.
    start: u64,
    /// The last chunk's number and content.
    last: u64,
    tail: Zeroizing<Vec<u8>>,
}

impl<R: Read + Seek> RangeReader<R> {
    /// Measures the file and checks its last chunk.
    ///
    /// - `reader`: the file in its binary form, at any position; its position 0 is the file's first byte
    /// - `header`: read from it
    /// - `payload`: from [`Header::unlock`]
    /// # Errors
    /// [`Error::Truncated`], [`Error::Tampered`] or [`Error::Malformed`] when the file does not end as
    /// it was sealed, [`Error::Limit`] for more than 2^32 chunks; [`Error::Io`].
    /// # Timing
    /// Constant in the content's bytes and the keys.
    pub fn new(mut reader: R, header: &Header, payload: Payload) -> Result<Self> {
        let start = header.len() as u64;
        let end = reader.seek(SeekFrom::End(0))?;
        let sealed = end.checked_sub(start).ok_or(Error::HeaderTruncated)?;
        let last = sealed.div_ceil(SEALED_LEN).saturating_sub(1);
        let mut reader = Self {
            reader,
            payload,
            start,
            last,
            tail: Zeroizing::default(),
        };
        let len = small(sealed - last * SEALED_LEN);
        let mut chunk = reader.read_chunk(last, len)?;
        let content = reader.payload.open_next(last, Place::Last, &mut chunk)?;
        let len = content.len();
        chunk.truncate(len);
        reader.tail = chunk;
        Ok(reader)
    }

    /// The content's length in bytes.
    #[must_use]
    pub fn content_len(&self) -> u64 {
        self.last * CHUNK_LEN as u64 + self.tail.len() as u64
    }

    /// Writes a part of the content.
    ///
    /// - `range`: from the first byte to the one after the last, at most [`content_len`](Self::content_len)
    /// - `writer`: gets the part, each chunk after its tag was checked
    /// - returns: the number of bytes
    /// # Errors
    /// [`Error::RangePastEnd`] before anything is written; [`Error::Tampered`]; [`Error::Io`].
    /// # Timing
    /// Constant in the content's bytes and the keys.
    pub fn copy(&mut self, range: Range<u64>, mut writer: impl Write) -> Result<u64> {
        let content = self.content_len();
        if range.start > range.end || range.end > content {
            let end = range.start.max(range.end);
            return Err(Error::RangePastEnd { end, content });
        }
        let full = CHUNK_LEN as u64;
        for index in range.start / full..range.end.div_ceil(full) {
            let at = index * full;
            let part = range.start.max(at) - at..range.end.min(at + full) - at;
            let part = small(part.start)..small(part.end);
            if index == self.last {
                writer.write_all(&self.tail[part])?;
            } else {
                let mut chunk = self.read_chunk(index, CHUNK_LEN + TAG_LEN)?;
                let content = self.payload.open_chunk(index, Place::Middle, &mut chunk)?;
                writer.write_all(&content[part])?;
            }
        }
        writer.flush()?;
        Ok(range.end - range.start)
    }

    fn read_chunk(&mut self, index: u64, len: usize) -> Result<Zeroizing<Vec<u8>>> {
        let at = self.start + index * SEALED_LEN;
        self.reader.seek(SeekFrom::Start(at))?;
        let mut chunk = Zeroizing::new(vec![0; len]);
        self.reader.read_exact(&mut chunk)?;
        Ok(chunk)
    }
}

fn small(within_chunk: u64) -> usize {
    usize::try_from(within_chunk).expect("at most a sealed chunk")
}
