//! The content from its first chunk to its last.
use std::{
    io::{Read, Write},
    num::NonZeroUsize,
};

use zeroize::Zeroizing;

use super::{
    CHUNK_LEN, Payload, Place, TAG_LEN,
    chunks::{Chunks, Slot},
    pipeline,
};
use crate::{Error, Result};

impl Payload {
    /// Seals everything that `reader` gives: what follows the header in the file.
    ///
    /// - `reader`: the content; any length up to 2^32 chunks
    /// - `writer`: gets the chunks with their tags, one at a time
    /// - returns: the number of content bytes
    /// # Errors
    /// [`Error::Limit`] for too much content; [`Error::Io`].
    /// # Timing
    /// Constant in the content's bytes and the keys.
    pub fn seal_all(&self, reader: impl Read, writer: impl Write) -> Result<u64> {
        let mut sink = Sink::new(writer, TAG_LEN);
        let chunks = Chunks::new(reader, CHUNK_LEN);
        pipeline::run(chunks, |slot| self.seal_slot(slot), |bytes| sink.put(bytes))?;
        sink.finish()
    }

    /// [`seal_all`](Self::seal_all) with several threads over the chunks.
    ///
    /// - `threads`: how many seal; memory grows with them (0.5 MiB each) and not with the content
    /// - `reader`: read on those threads in turns
    /// - `writer`: written on the calling thread
    /// # Errors
    /// The same.
    /// # Timing
    /// The same.
    pub fn seal_all_on(
        &self,
        threads: NonZeroUsize,
        reader: impl Read + Send,
        writer: impl Write,
    ) -> Result<u64> {
        let mut sink = Sink::new(writer, TAG_LEN);
        let chunks = Chunks::new(reader, CHUNK_LEN);
        let step = |slot: &mut Slot| self.seal_slot(slot);
        pipeline::run_on(threads, chunks, step, |bytes| sink.put(bytes))?;
        sink.finish()
    }

    /// Opens everything that follows the header.
    ///
    /// - `reader`: the sealed file from its first chunk on
    /// - `writer`: gets the content, each chunk after its tag was checked; see [`open`](super::open())
    /// - returns: the number of content bytes
    /// # Errors
    /// [`Error::Tampered`], [`Error::Truncated`], [`Error::Malformed`] for an empty chunk after others;
    /// [`Error::Io`].
    /// # Timing
    /// Constant in the content's bytes and the keys.
    pub fn open_all(&self, reader: impl Read, writer: impl Write) -> Result<u64> {
        let mut sink = Sink::new(writer, 0);
        let chunks = Chunks::new(reader, CHUNK_LEN + TAG_LEN);
        pipeline::run(chunks, |slot| self.open_slot(slot), |bytes| sink.put(bytes))?;
        sink.finish()
    }

    /// [`open_all`](Self::open_all) with several threads over the chunks.
    ///
    /// - `threads`: how many open; memory grows with them (0.5 MiB each) and not with the content
    /// - `reader`: read on those threads in turns
    /// - `writer`: written on the calling thread, in order
    /// # Errors
    /// The same. Chunks after the one that failed may have been read, but none is written.
    /// # Timing
    /// The same.
    pub fn open_all_on(
        &self,
        threads: NonZeroUsize,
        reader: impl Read + Send,
        writer: impl Write,
    ) -> Result<u64> {
        let mut sink = Sink::new(writer, 0);
        let chunks = Chunks::new(reader, CHUNK_LEN + TAG_LEN);
        let step = |slot: &mut Slot| self.open_slot(slot);
        pipeline::run_on(threads, chunks, step, |bytes| sink.put(bytes))?;
        sink.finish()
    }

    fn seal_slot(&self, slot: &mut Slot) -> Result<()> {
        let (index, place) = (slot.index, slot.place);
        let (chunk, room) = slot.split();
        let tag = self.seal_chunk(index, place, chunk)?;
        room[..TAG_LEN].copy_from_slice(&tag);
        let len = chunk.len() + TAG_LEN;
        slot.set_len(len);
        Ok(())
    }

    fn open_slot(&self, slot: &mut Slot) -> Result<()> {
        let (index, place) = (slot.index, slot.place);
        let len = self.open_next(index, place, slot.split().0)?.len();
        slot.set_len(len);
        Ok(())
    }

    /// Opens the next chunk of a stream, and tells a file that was cut between chunks from a changed one.
    pub(super) fn open_next<'a>(
        &self,
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
        match self.open_chunk(index, place, chunk) {
            Err(Error::Tampered { .. }) if self.was_middle(index, spare) => Err(Error::Truncated),
            other => other,
        }
    }

    fn was_middle(&self, index: u64, spare: Option<Zeroizing<Vec<u8>>>) -> bool {
        spare.is_some_and(|mut chunk| self.open_chunk(index, Place::Middle, &mut chunk).is_ok())
    }
}

/// A writer that counts content bytes.
struct Sink<W> {
    writer: W,
    /// Bytes of each piece that are no content.
    overhead: usize,
    total: u64,
}

impl<W: Write> Sink<W> {
    fn new(writer: W, overhead: usize) -> Self {
        Self {
            writer,
            overhead,
            total: 0,
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.writer.write_all(bytes)?;
        self.total += (bytes.len() - self.overhead) as u64;
        Ok(())
    }

    fn finish(mut self) -> Result<u64> {
        self.writer.flush()?;
        Ok(self.total)
    }
}
