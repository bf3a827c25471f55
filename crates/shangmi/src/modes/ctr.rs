//! CTR: a stream cipher from encrypted counters. Any length, side by side.
use super::{BATCH, BATCH_LEN, buffer_to_buffer, front::leading_iv, hide_debug, xor};
use crate::{
    Error, Result,
    ghash::Ghash,
    sm4::{Aead, BLOCK_LEN, Block, Sm4},
};
use zeroize::Zeroize;

/// Blocks for which a small buffer of key stream does.
const SHORT: usize = 16;

/// Encrypts and decrypts in CTR mode: C_i = P_i ⊕ E(IV + i), the IV a big-endian number modulo 2^128.
///
/// The counter wraps from all ones to all zeros, as in OpenSSL. Counter blocks repeat only after 2^128
/// blocks: one stream refuses to go there. Two streams are the caller's care: under one key, the ranges
/// IV to IV + blocks - 1 of all messages must be disjoint. A call may end within a block; the next goes
/// on there.
///
/// # Timing
/// Constant in key and data.
///
/// # Standard
/// GB/T 17964-2021, CTR
///
/// # Example
/// ```
/// use shangmi::{modes::ctr::Ctr, sm4::Sm4};
/// let (cipher, iv) = (Sm4::new(b"0123456789ABCDEF"), [0; 16]);
/// let mut data = *b"any length";
/// Ctr::new(&cipher, &iv).apply_in_place(&mut data)?;
/// Ctr::new(&cipher, &iv).apply_in_place(&mut data)?;
/// assert_eq!(&data, b"any length");
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone)]
pub struct Ctr(KeyStream);

/// CTR mode with a counter of 32 bits: the last four bytes of the block count modulo 2^32, the first
/// twelve stay, as within GCM.
///
/// A stream has 2^32 blocks; more is refused with [`CounterExhausted`](Error::CounterExhausted).
///
/// # Timing
/// Constant in key and data.
///
/// # Standard
/// NIST SP 800-38D, 6.5 (GCTR)
#[derive(Clone)]
pub struct Ctr32(KeyStream);

hide_debug!(Ctr, Ctr32);

/// A counter block; the bits under `mask` count.
#[derive(Clone)]
pub(super) struct Counter {
    pub(super) value: u128,
    pub(super) mask: u128,
}

impl Counter {
    /// The last 32 bits count.
    pub(super) fn new32(block: &Block) -> Self {
        Self {
            value: u128::from_be_bytes(*block),
            mask: u32::MAX.into(),
        }
    }

    pub(super) fn advance(&mut self, blocks: u128) {
        self.value = self.value & !self.mask | self.value.wrapping_add(blocks) & self.mask;
    }

    /// The next counter blocks.
    pub(super) fn next(&mut self, blocks: &mut [Block]) {
        for block in blocks {
            *block = self.value.to_be_bytes();
            self.advance(1);
        }
    }

    /// The next blocks of key stream.
    pub(super) fn fill(&mut self, cipher: &Sm4, stream: &mut [Block]) {
        self.next(stream);
        cipher.encrypt_blocks(stream);
    }

    /// Adds the key stream to `data`, a new block at its start and the last one cut.
    pub(super) fn apply(&mut self, cipher: &Sm4, data: &mut [u8]) {
        let done = self.apply_groups(cipher, data.as_chunks_mut().0, None);
        let rest = &mut data[done * BATCH_LEN..];
        if rest.len() <= SHORT * BLOCK_LEN {
            self.apply_batches::<SHORT>(cipher, rest);
        } else {
            self.apply_batches::<BATCH>(cipher, rest);
        }
    }

    /// The same for whole groups, up to where the last 32 bits do not count as all do, with the cipher's own kernel
    /// if it has one; `hash` as there. Returns how many groups are done.
    pub(super) fn apply_groups(
        &mut self,
        cipher: &Sm4,
        groups: &mut [[u8; BATCH_LEN]],
        hash: Option<(Aead, &mut Ghash<'_>)>,
    ) -> usize {
        let low = self.mask & u128::from(u32::MAX);
        let blocks = low + 1 - (self.value & low);
        let count = if self.mask == u128::from(u32::MAX) {
            groups.len()
        } else {
            groups.len().min((blocks / BATCH as u128) as usize)
        };
        let groups = &mut groups[..count];
        if count == 0 || !cipher.apply_counters(self.value, groups, hash) {
            return 0;
        }
        self.advance((count * BATCH) as u128);
        count
    }

    /// Adds the key stream through a buffer of `N` blocks.
    fn apply_batches<const N: usize>(&mut self, cipher: &Sm4, data: &mut [u8]) {
        let mut stream = [Block::default(); N];
        let used = data.len().div_ceil(BLOCK_LEN).min(N);
        for batch in data.chunks_mut(N * BLOCK_LEN) {
            let stream = &mut stream[..batch.len().div_ceil(BLOCK_LEN)];
            self.fill(cipher, stream);
            xor(batch, stream.as_flattened());
        }
        stream[..used].as_flattened_mut().zeroize();
    }
}

/// A counter with a limit, and the key stream left over from a block.
#[derive(Clone)]
struct KeyStream {
    cipher: Sm4,
    counter: Counter,
    blocks_left: u128,
    block: Block,
    used: usize,
}

impl KeyStream {
    fn new(cipher: &Sm4, counter: Counter, blocks_left: u128) -> Self {
        Self {
            cipher: cipher.clone(),
            counter,
            blocks_left,
            block: [0; 16],
            used: BLOCK_LEN,
        }
    }

    /// Takes `blocks` counter values, or none and fails.
    fn reserve(&mut self, blocks: u128) -> Result<()> {
        self.blocks_left = self
            .blocks_left
            .checked_sub(blocks)
            .ok_or(Error::CounterExhausted)?;
        Ok(())
    }

    fn apply_in_place(&mut self, data: &mut [u8]) -> Result<()> {
        let (left_over, data) = data.split_at_mut(data.len().min(BLOCK_LEN - self.used));
        self.reserve(data.len().div_ceil(BLOCK_LEN) as u128)?;
        xor(left_over, &self.block[self.used..]);
        self.used += left_over.len();
        let (whole, rest) = data.split_at_mut(data.len() / BLOCK_LEN * BLOCK_LEN);
        self.counter.apply(&self.cipher, whole);
        if !rest.is_empty() {
            self.counter
                .fill(&self.cipher, core::slice::from_mut(&mut self.block));
            xor(rest, &self.block);
            self.used = rest.len();
        }
        Ok(())
    }

    fn apply(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> {
        // Refuse before the first byte, not in the middle.
        let fresh = input.len().saturating_sub(BLOCK_LEN - self.used);
        if fresh.div_ceil(BLOCK_LEN) as u128 > self.blocks_left {
            return Err(Error::CounterExhausted);
        }
        buffer_to_buffer(input, output, |piece| self.apply_in_place(piece))
    }

    fn skip_blocks(&mut self, blocks: u128) -> Result<()> {
        self.reserve(blocks)?;
        self.counter.advance(blocks);
        self.block.zeroize();
        self.used = BLOCK_LEN;
        Ok(())
    }
}

impl Drop for KeyStream {
    fn drop(&mut self) {
        self.block.zeroize();
        self.counter.value.zeroize();
    }
}

impl Ctr {
    /// Starts with an initial counter block, never used before under this key.
    #[must_use]
    pub fn new(cipher: &Sm4, iv: &Block) -> Self {
        let counter = Counter {
            value: u128::from_be_bytes(*iv),
            mask: u128::MAX,
        };
        Self(KeyStream::new(cipher, counter, u128::MAX))
    }

    /// Encrypts or decrypts the next bytes in place.
    ///
    /// # Errors
    /// [`CounterExhausted`](Error::CounterExhausted) after 2^128 - 1 blocks; `data` is then as it was.
    pub fn apply_in_place(&mut self, data: &mut [u8]) -> Result<()> {
        self.0.apply_in_place(data)
    }

    /// Encrypts or decrypts the next bytes from `input` to `output`.
    ///
    /// # Errors
    /// As [`apply_in_place`](Self::apply_in_place); [`InvalidLength`](Error::InvalidLength) unless both have
    /// one length.
    pub fn apply(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> {
        self.0.apply(input, output)
    }

    /// Goes forward over `blocks` whole blocks from the next block boundary, to work in the middle of a
    /// message.
    ///
    /// # Errors
    /// [`CounterExhausted`](Error::CounterExhausted) when fewer are left.
    pub fn skip_blocks(&mut self, blocks: u128) -> Result<()> {
        self.0.skip_blocks(blocks)
    }
}

impl Ctr32 {
    /// Starts with an initial counter block, never used before under this key.
    #[must_use]
    pub fn new(cipher: &Sm4, initial: &Block) -> Self {
        Self(KeyStream::new(cipher, Counter::new32(initial), 1 << 32))
    }

    /// Encrypts or decrypts the next bytes in place.
    ///
    /// # Errors
    /// [`CounterExhausted`](Error::CounterExhausted) after 2^32 blocks; `data` is then as it was.
    pub fn apply_in_place(&mut self, data: &mut [u8]) -> Result<()> {
        self.0.apply_in_place(data)
    }

    /// Encrypts or decrypts the next bytes from `input` to `output`.
    ///
    /// # Errors
    /// As [`apply_in_place`](Self::apply_in_place); [`InvalidLength`](Error::InvalidLength) unless both have
    /// one length.
    pub fn apply(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> {
        self.0.apply(input, output)
    }

    /// Goes forward over `blocks` whole blocks from the next block boundary.
    ///
    /// # Errors
    /// [`CounterExhausted`](Error::CounterExhausted) when fewer are left.
    pub fn skip_blocks(&mut self, blocks: u128) -> Result<()> {
        self.0.skip_blocks(blocks)
    }
}

leading_iv!(
    Ctr::apply_in_place,
    Ctr::apply_in_place,
    #[doc = "Random IVs are disjoint as long as one key encrypts far fewer than 2^64 blocks in all."],
    #[doc = ""]
);
