//! CCM over many messages: their MACs in lanes, their key streams in one.
use super::{Sm4Ccm, Start, TAG_LEN, aad_prefix};
use crate::{
    Result,
    modes::{BATCH, BATCH_LEN, ctr::Counter, hide_debug, many, xor},
    sm4::{BLOCK_LEN, Block, Sm4, add},
};
use core::slice::from_mut;
use zeroize::Zeroize;

/// A message for [`Sm4Ccm::seal_many`].
pub struct Message<'a> {
    /// 7 to 13 bytes; never twice under one key.
    pub nonce: &'a [u8],
    /// Authenticated, not encrypted.
    pub aad: &'a [u8],
    /// Encrypted in place.
    pub data: &'a mut [u8],
    /// Where the tag goes.
    pub tag: [u8; TAG_LEN],
}

hide_debug!(Message<'_>);

impl Message<'_> {
    fn start(&self) -> Result<Start> {
        Start::new::<TAG_LEN>(self.nonce, self.aad, self.data)
    }
}

impl Sm4Ccm {
    /// Encrypts many messages in place, each as [`seal_in_place`](Self::seal_in_place) does, and fills in their tags.
    ///
    /// The MACs, which are serial each for itself, are computed side by side, up to 128 at a time: many times as fast as one message
    /// after the other. Lengths may differ; the longest first is best.
    ///
    /// # Errors
    /// [`LengthOutOfRange`](crate::Error::LengthOutOfRange) for another nonce length, or more data than it
    /// allows, in any message; then all are as they were.
    ///
    /// # Timing
    /// Constant in key and data; variable in the lengths.
    ///
    /// # Example
    /// ```
    /// use shangmi::modes::ccm::{Message, Sm4Ccm};
    /// let (mut a, mut b) = (*b"one", *b"another");
    /// let message = |nonce, data| Message { nonce, aad: b"", data, tag: [0; 16] };
    /// let mut messages = [message(b"unique one..", &mut a[..]), message(b"another one.", &mut b)];
    /// let ccm = Sm4Ccm::new(b"0123456789ABCDEF");
    /// ccm.seal_many(&mut messages)?;
    /// let tag = messages[1].tag;
    /// ccm.open_in_place(b"another one.", b"", &mut b, &tag)?;
    /// assert_eq!(&b, b"another");
    /// # Ok::<(), shangmi::Error>(())
    /// ```
    pub fn seal_many(&self, messages: &mut [Message<'_>]) -> Result<()> {
        for message in &*messages {
            message.start()?;
        }
        many::run(&self.cipher, messages.iter_mut().filter_map(Mac::new));
        let mut stream = KeyStream::new(&self.cipher);
        for message in messages {
            stream.apply(message)?;
        }
        stream.flush();
        Ok(())
    }
}

/// A message in its lane.
struct Mac<'a> {
    part: Part,
    aad: &'a [u8],
    data: &'a [u8],
    tag: &'a mut [u8; TAG_LEN],
}

/// What goes into the MAC next.
enum Part {
    /// B_0, which is in the chain already.
    Start,
    /// The block with the length of the associated data.
    AadLength,
    /// The rest of the associated data, and the data.
    Others,
}

impl<'a> Mac<'a> {
    /// A message that was checked, and the first value of its chain.
    fn new(message: &'a mut Message<'_>) -> Option<(Block, Self)> {
        let start = message.start().ok()?;
        let mac = Self {
            part: Part::Start,
            aad: message.aad,
            data: message.data,
            tag: &mut message.tag,
        };
        Some((start.b0, mac))
    }
}

impl<'a> many::Message for Mac<'a> {
    type Blocks = &'a [Block];

    fn next(&mut self, chain: &mut Block) -> Option<&'a [Block]> {
        match self.part {
            Part::Start if self.aad.is_empty() => self.part = Part::Others,
            Part::Start => self.part = Part::AadLength,
            Part::AadLength => {
                let (prefix, from) = aad_prefix(self.aad.len() as u64);
                let (prefix, rest) = (&prefix[from..], &mut chain[prefix.len() - from..]);
                let (head, aad) = self.aad.split_at(self.aad.len().min(rest.len()));
                xor(rest, head);
                xor(chain, prefix);
                self.aad = aad;
                self.part = Part::Others;
            }
            Part::Others => {
                return many::padded(&mut self.aad, chain)
                    .or_else(|| many::padded(&mut self.data, chain));
            }
        }
        Some(&many::ZEROS)
    }

    fn done(self, chain: &Block) {
        *self.tag = *chain;
    }
}

/// Key stream for the blocks of many messages, computed together.
struct KeyStream<'c, 'd> {
    cipher: &'c Sm4,
    stream: [Block; BATCH],
    /// What each block is added to.
    targets: [&'d mut [u8]; BATCH],
    filled: usize,
}

impl<'c, 'd> KeyStream<'c, 'd> {
    fn new(cipher: &'c Sm4) -> Self {
        Self {
            cipher,
            stream: [Block::default(); BATCH],
            targets: core::array::from_fn(|_| <&mut [u8]>::default()),
            filled: 0,
        }
    }

    /// Adds E(A_0) to the tag of a message that was checked, and the rest to its data.
    fn apply(&mut self, message: &'d mut Message<'_>) -> Result<()> {
        let mut counter = message.start()?.counter();
        self.push(&mut counter, &mut message.tag);
        let whole = message.data.len() / BATCH_LEN * BATCH_LEN;
        let (batches, rest) = message.data.split_at_mut(whole);
        counter.apply(self.cipher, batches);
        for target in rest.chunks_mut(BLOCK_LEN) {
            self.push(&mut counter, target);
        }
        Ok(())
    }

    fn push(&mut self, counter: &mut Counter, target: &'d mut [u8]) {
        counter.next(from_mut(&mut self.stream[self.filled]));
        self.targets[self.filled] = target;
        self.filled += 1;
        if self.filled == BATCH {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let stream = &mut self.stream[..self.filled];
        self.cipher.encrypt_blocks(stream);
        for (target, block) in self.targets.iter_mut().zip(&*stream) {
            // A whole block is added at once.
            match target.as_chunks_mut() {
                ([whole], _) => add(whole, block),
                _ => xor(target, block),
            }
        }
        self.filled = 0;
    }
}

impl Drop for KeyStream<'_, '_> {
    fn drop(&mut self) {
        self.stream.as_flattened_mut().zeroize();
    }
}
