//! CMAC (GB/T 15852.1-2020, MAC algorithm 5; NIST SP 800-38B; RFC 4493).

use super::{Block, xor_block};
use crate::sm4::Sm4;

/// A block times x in GF(2^128), bit 0 being the last of the block (SP 800-38B, 6.1).
fn double(block: &Block) -> Block {
    let value = u128::from_be_bytes(*block);
    let doubled = value << 1;
    if value >> 127 == 0 {
        doubled.to_be_bytes()
    } else {
        (doubled ^ 0x87).to_be_bytes()
    }
}

/// The whole tag of 16 bytes (6.2).
pub fn cmac(sm4: &Sm4, message: &[u8]) -> Block {
    let k1 = double(&sm4.encrypt_block(&[0; 16]));
    let k2 = double(&k1);
    let last_length = match message.len() % 16 {
        0 if message.is_empty() => 0,
        0 => 16,
        rest => rest,
    };
    let (front, last) = message.split_at(message.len() - last_length);
    let mut last_block = [0; 16];
    last_block[..last_length].copy_from_slice(last);
    if last_length == 16 {
        last_block = xor_block(&last_block, &k1);
    } else {
        last_block[last_length] = 0x80;
        last_block = xor_block(&last_block, &k2);
    }
    let mut c = [0; 16];
    for block in front.as_chunks().0 {
        c = sm4.encrypt_block(&xor_block(&c, block));
    }
    sm4.encrypt_block(&xor_block(&c, &last_block))
}

#[cfg(test)]
mod tests {
    use super::double;

    #[test]
    fn doubling_is_multiplication_by_x() {
        assert_eq!(double(&[0; 16]), [0; 16]);
        assert_eq!(double(&1u128.to_be_bytes()), 2u128.to_be_bytes());
        let top = (1u128 << 127).to_be_bytes();
        assert_eq!(double(&top), 0x87u128.to_be_bytes());
    }
}
