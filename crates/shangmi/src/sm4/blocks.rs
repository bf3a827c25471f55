//! Which implementation runs: chosen once, when the key is made, and kept in the key.
use super::{Block, bitsliced, key_schedule::RoundKeys};

/// An implementation, with the round keys in the form that it wants.
#[derive(Clone)]
pub(super) enum Backend {
    Bitsliced(bitsliced::Keys),
}

impl Backend {
    pub(super) fn new(round_keys: &RoundKeys) -> Self {
        Self::Bitsliced(bitsliced::Keys::new(round_keys))
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Bitsliced(_) => bitsliced::NAME,
        }
    }

    pub(super) fn encrypt_blocks(&self, blocks: &mut [Block]) {
        match self {
            Self::Bitsliced(keys) => keys.encrypt_blocks(blocks),
        }
    }

    pub(super) fn decrypt_blocks(&self, blocks: &mut [Block]) {
        match self {
            Self::Bitsliced(keys) => keys.decrypt_blocks(blocks),
        }
    }

    pub(super) fn encrypt_block(&self, block: &mut Block) {
        match self {
            Self::Bitsliced(keys) => keys.encrypt_block(block),
        }
    }

    pub(super) fn decrypt_block(&self, block: &mut Block) {
        match self {
            Self::Bitsliced(keys) => keys.decrypt_block(block),
        }
    }
}
