//! Cuts a stream into chunks of one length and knows which is the last.
use std::io::{ErrorKind, Read};

use zeroize::Zeroizing;

use super::{CHUNK_LEN, Place, TAG_LEN};
use crate::Result;

/// Room for a sealed chunk and the byte after it, in whole cache lines: reads and writes begin at
/// the same place of a line for every chunk.
const ROOM: usize = (CHUNK_LEN + TAG_LEN + 1).next_multiple_of(64);

/// Where a chunk is read to, sealed or opened, and written from.
pub(super) struct Slot {
    bytes: Zeroizing<Vec<u8>>,
    len: usize,
    pub(super) index: u64,
    pub(super) place: Place,
}

impl Slot {
    pub(super) fn new() -> Self {
        Self {
            bytes: Zeroizing::new(vec![0; ROOM]),
            len: 0,
            index: 0,
            place: Place::Last,
        }
    }

    /// What was read, and what may follow it.
    pub(super) fn split(&mut self) -> (&mut [u8], &mut [u8]) {
        self.bytes.split_at_mut(self.len)
    }

    /// What is to be written.
    pub(super) fn filled(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(super) fn set_len(&mut self, len: usize) {
        self.len = len;
    }
}

/// A reader that is one byte ahead, since only that tells whether a full chunk is the last.
pub(super) struct Chunks<R> {
    reader: R,
    len: usize,
    index: u64,
    ahead: Option<u8>,
}

impl<R: Read> Chunks<R> {
    /// Chunks of `len` bytes, at most a sealed one's.
    pub(super) fn new(reader: R, len: usize) -> Self {
        Self {
            reader,
            len,
            index: 0,
            ahead: None,
        }
    }

    /// The next chunk: full, unless it is the last one. Not to be called after that.
    pub(super) fn next(&mut self, slot: &mut Slot) -> Result<()> {
        let mut filled = 0;
        if let Some(byte) = self.ahead.take() {
            slot.bytes[0] = byte;
            filled = 1;
        }
        let room = &mut slot.bytes[..=self.len];
        while filled < room.len() {
            match self.reader.read(&mut room[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e.into()),
            }
        }
        slot.place = if filled > self.len {
            self.ahead = Some(room[self.len]);
            Place::Middle
        } else {
            Place::Last
        };
        slot.len = filled.min(self.len);
        slot.index = self.index;
        self.index += 1;
        Ok(())
    }
}
