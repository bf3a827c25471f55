//! GHASH, the universal hash of GCM: polynomials over GF(2^128).
use crate::sm4::{BLOCK_LEN, Block};
use zeroize::{Zeroize, ZeroizeOnDrop};

mod portable;

/// Which implementation runs, with the hash key H in the form that it wants.
#[derive(Clone)]
enum Backend {
    Portable(portable::Key),
}

/// A hash key, ready to use. Wiped when dropped.
#[derive(Clone)]
pub(crate) struct Key(Backend);

impl Key {
    pub(crate) fn new(h: &Block) -> Self {
        Self(Backend::Portable(portable::Key::new(u128::from_be_bytes(
            *h,
        ))))
    }

    /// The name of the code that runs.
    pub(crate) fn backend(&self) -> &'static str {
        match &self.0 {
            Backend::Portable(_) => "portable",
        }
    }

    /// Starts a hash.
    pub(crate) fn start(&self) -> Ghash<'_> {
        Ghash { key: self, sum: 0 }
    }
}

/// A hash in progress: Y_i = (Y_{i-1} + X_i) H.
#[derive(Zeroize, ZeroizeOnDrop)]
pub(crate) struct Ghash<'a> {
    #[zeroize(skip)]
    key: &'a Key,
    sum: u128,
}

impl Ghash<'_> {
    /// Absorbs `data`; zeros are added up to the block boundary.
    pub(crate) fn update(&mut self, data: &[u8]) {
        let (blocks, rest) = data.as_chunks();
        self.blocks(blocks);
        if !rest.is_empty() {
            let mut block = [0; BLOCK_LEN];
            block[..rest.len()].copy_from_slice(rest);
            self.blocks(&[block]);
        }
    }

    /// Absorbs the lengths, in bytes, and returns the hash.
    pub(crate) fn finish(mut self, aad_len: usize, data_len: usize) -> Block {
        let bits = |bytes: usize| bytes as u128 * 8;
        self.blocks(&[(bits(aad_len) << 64 | bits(data_len)).to_be_bytes()]);
        self.sum.to_be_bytes()
    }

    fn blocks(&mut self, blocks: &[Block]) {
        match &self.key.0 {
            Backend::Portable(key) => key.update(&mut self.sum, blocks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X H by the book: NIST SP 800-38D, algorithm 1.
    fn multiply(x: u128, h: u128) -> u128 {
        let (mut z, mut v) = (0, h);
        for i in (0..128).rev() {
            if x >> i & 1 == 1 {
                z ^= v;
            }
            v = v >> 1 ^ if v & 1 == 1 { 0xe1 << 120 } else { 0 };
        }
        z
    }

    fn by_the_book(h: u128, blocks: &[Block]) -> u128 {
        blocks
            .iter()
            .fold(0, |y, x| multiply(y ^ u128::from_be_bytes(*x), h))
    }

    /// Words whose products carry the most: dense, sparse, and dense in one class of bits.
    fn words() -> Vec<u128> {
        let mut words = vec![0, 1, 1 << 127, u128::MAX, u128::MAX << 64, u128::MAX >> 64];
        let class = u128::from_ne_bytes([0x11; 16]);
        words.extend((0..4).flat_map(|i| [class << i, class << i >> 64, class << i << 64]));
        let mut x = 1u128;
        for _ in 0..40 {
            x = x
                .wrapping_mul(0xda94_2042_e4dd_58b5_da94_2042_e4dd_58b5)
                .wrapping_add(0xb5);
            words.push(x ^ x >> 67);
        }
        words
    }

    #[test]
    fn products_are_the_standards() {
        for h in words() {
            let key = Key::new(&h.to_be_bytes());
            for x in words() {
                let mut hash = key.start();
                hash.update(&x.to_be_bytes());
                assert_eq!(hash.sum, multiply(x, h), "{x:032x} times {h:032x}");
            }
        }
    }

    #[test]
    fn any_number_of_blocks() {
        for (n, h) in words().into_iter().enumerate() {
            let blocks: Vec<Block> = words()[..n].iter().map(|x| x.to_be_bytes()).collect();
            let key = Key::new(&h.to_be_bytes());
            let mut whole = key.start();
            whole.update(blocks.as_flattened());
            assert_eq!(whole.sum, by_the_book(h, &blocks), "{n} blocks");
        }
    }

    use std::{vec, vec::Vec};
}
