//! Cuts a stream into chunks of one length and knows which is the last.
use std::io::{ErrorKind, Read};

use zeroize::Zeroizing;

use super::Place;
use crate::Result;

/// A reader that is one byte ahead, since only that tells whether a full chunk is the last.
pub(super) struct Chunks<R> {
    reader: R,
    /// One chunk and the byte after it.
    buffer: Zeroizing<Vec<u8>>,
    /// Bytes of the next chunk that are read already: 0 or 1.
    ahead: usize,
}

impl<R: Read> Chunks<R> {
    pub(super) fn new(reader: R, len: usize) -> Self {
        Self {
            reader,
            buffer: Zeroizing::new(vec![0; len + 1]),
            ahead: 0,
        }
    }

    /// The next chunk: full, unless it is the last one. After the last one it is empty.
    pub(super) fn next(&mut self) -> Result<(&mut [u8], Place)> {
        let len = self.buffer.len() - 1;
        if self.ahead == 1 {
            self.buffer[0] = self.buffer[len];
        }
        let filled = self.fill(self.ahead)?;
        self.ahead = filled.saturating_sub(len);
        let place = if filled > len {
            Place::Middle
        } else {
            Place::Last
        };
        Ok((&mut self.buffer[..filled.min(len)], place))
    }

    /// Reads until the buffer is full or the stream ends; returns how much of the buffer is filled.
    fn fill(&mut self, mut filled: usize) -> Result<usize> {
        while filled < self.buffer.len() {
            match self.reader.read(&mut self.buffer[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(filled)
    }
}
