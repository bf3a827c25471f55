//! CBC-MAC in progress: what CMAC, CBC-MAC and CCM share.
use crate::sm4::{BLOCK_LEN, Block, Sm4, add};
use core::slice::from_mut;
use zeroize::Zeroize;

/// The chain of a CBC-MAC, X = E(X ⊕ B) for each block B. The first `filled` bytes of `sum` have their
/// input; a full block waits to be encrypted, because the last one may be treated differently.
#[derive(Clone)]
pub(super) struct Chain {
    pub(super) sum: Block,
    pub(super) filled: usize,
}

impl Chain {
    /// Begins with a value, zero or that of earlier blocks.
    pub(super) fn new(sum: Block) -> Self {
        Self { sum, filled: 0 }
    }

    /// Adds the next bytes of the message.
    pub(super) fn update(&mut self, cipher: &Sm4, data: &[u8]) {
        let (head, rest) = data.split_at(data.len().min(BLOCK_LEN - self.filled));
        super::xor(&mut self.sum[self.filled..], head);
        self.filled += head.len();
        // If anything is left, the block is full.
        let (blocks, tail) = rest.as_chunks();
        if let [front @ .., last] = blocks {
            cipher.encrypt_block(&mut self.sum);
            cipher.encrypt_lanes(from_mut(&mut self.sum), &mut [front], front.len());
            add(&mut self.sum, last);
        }
        if !tail.is_empty() {
            cipher.encrypt_block(&mut self.sum);
            super::xor(&mut self.sum, tail);
            self.filled = tail.len();
        }
    }

    /// Ends a block with zeros, if one has begun.
    pub(super) fn pad(&mut self) {
        if self.filled != 0 {
            self.filled = BLOCK_LEN;
        }
    }

    /// Encrypts the last block, filled with zeros, if one has begun: the MAC.
    pub(super) fn close(&mut self, cipher: &Sm4) -> Block {
        if self.filled != 0 {
            cipher.encrypt_block(&mut self.sum);
        }
        self.sum
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        self.sum.zeroize();
    }
}
