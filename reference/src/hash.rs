//! What SM3 and SHA-256 share: padding and iteration (GB/T 32905-2016, 5.2 and
//! 5.3.1; FIPS 180-4, 5.1.1 and 6.2.2). Both append a bit 1, zeros and the
//! message length in bits as 64 bits, and both read blocks of 16 big-endian words.

use crate::word::Word;

/// The implementation stages of a hash function, from the standard's text to fast code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// As the standard writes it: the whole expanded message first, then 64 rounds.
    Textbook,
    /// A rolling window of 16 expanded words, which saves memory, and shared terms
    /// computed once.
    Rolling,
    /// The rolling window with all rounds written out, so that no word changes its place.
    Unrolled,
}

impl Stage {
    /// All stages, slowest first.
    pub const ALL: [Self; 3] = [Self::Textbook, Self::Rolling, Self::Unrolled];
}

/// The bytes that one compression works on, besides code and constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkingMemory {
    /// The expanded message.
    pub expanded_message: usize,
    /// The chaining value, 8 words.
    pub chaining_value: usize,
    /// The working variables A to H, 8 words.
    pub working_variables: usize,
}

impl WorkingMemory {
    pub(crate) fn with_expanded_message(expanded_message: usize) -> Self {
        Self {
            expanded_message,
            chaining_value: size_of::<[u32; 8]>(),
            working_variables: size_of::<[u32; 8]>(),
        }
    }

    /// All bytes together.
    pub fn total(self) -> usize {
        self.expanded_message + self.chaining_value + self.working_variables
    }
}

/// Pads `message` and iterates `compress` over its blocks from `iv`.
#[inline(always)]
pub(crate) fn iterate(
    message: &[u8],
    iv: [u32; 8],
    compress: impl Fn([u32; 8], &[u32; 16]) -> [u32; 8],
) -> [u8; 32] {
    let (blocks, rest) = message.as_chunks::<64>();
    let mut v = iv;
    for block in blocks {
        v = compress(v, &words(block));
    }
    let (tail, count) = padded_tail(rest, message.len());
    for block in tail.iter().take(count) {
        v = compress(v, &words(block));
    }
    bytes(v)
}

/// The last one or two blocks: the rest of the message, 80, zeros, length in bits.
fn padded_tail(rest: &[u8], message_length: usize) -> ([[u8; 64]; 2], usize) {
    let count = if rest.len() < 56 { 1 } else { 2 };
    let mut tail = [[0; 64]; 2];
    let flat = tail.as_flattened_mut();
    flat[..rest.len()].copy_from_slice(rest);
    flat[rest.len()] = 0x80;
    let bits = (message_length as u64).wrapping_mul(8);
    flat[64 * count - 8..64 * count].copy_from_slice(&bits.to_be_bytes());
    (tail, count)
}

/// A block as 16 big-endian words.
#[inline(always)]
pub(crate) fn words<W: Word>(block: &[u8; 64]) -> [W; 16] {
    let (chunks, _) = block.as_chunks::<4>();
    std::array::from_fn(|i| W::new(u32::from_be_bytes(chunks[i])))
}

/// Eight words as 32 bytes, big-endian.
pub(crate) fn bytes(v: [u32; 8]) -> [u8; 32] {
    let mut digest = [0; 32];
    for (chunk, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(v) {
        *chunk = word.to_be_bytes();
    }
    digest
}
