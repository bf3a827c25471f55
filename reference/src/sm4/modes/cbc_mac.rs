//! CBC-MAC (GB/T 15852.1-2020, MAC algorithm 1 with padding method 1).

use super::{Block, xor_block};
use crate::sm4::Sm4;

/// The tag of a message, its last block filled with zeros. Safe among messages of one length only.
pub fn cbc_mac(sm4: &Sm4, message: &[u8]) -> Block {
    let mut h = [0; 16];
    for chunk in message.chunks(16) {
        let mut block = [0; 16];
        block[..chunk.len()].copy_from_slice(chunk);
        h = sm4.encrypt_block(&xor_block(&h, &block));
    }
    h
}
