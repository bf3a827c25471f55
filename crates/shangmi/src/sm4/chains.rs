//! Many chains side by side, X = E(X ⊕ B) for each block B of a chain: what CBC encryption and CBC-MAC do.
use super::{BLOCK_LEN, Block, blocks::Backend, key_schedule::Direction};

/// The blocks that one chain takes in.
pub(crate) trait Lane: Default {
    /// How many there are.
    fn len(&self) -> usize;

    /// The block number `i`.
    fn block(&self, i: usize) -> &Block;

    /// Takes the chain's value after the block number `i`.
    fn put(&mut self, i: usize, value: &Block);

    /// Drops the first `count` blocks.
    fn advance(&mut self, count: usize);
}

/// Blocks that are only read.
impl Lane for &[Block] {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn block(&self, i: usize) -> &Block {
        &self[i]
    }

    fn put(&mut self, _: usize, _: &Block) {}

    fn advance(&mut self, count: usize) {
        *self = &self[count..];
    }
}

/// Blocks that the chain's values replace.
impl Lane for &mut [Block] {
    fn len(&self) -> usize {
        (**self).len()
    }

    fn block(&self, i: usize) -> &Block {
        &self[i]
    }

    fn put(&mut self, i: usize, value: &Block) {
        self[i] = *value;
    }

    fn advance(&mut self, count: usize) {
        let (_, rest) = core::mem::take(self).split_at_mut(count);
        *self = rest;
    }
}

/// Runs each chain through the first `count` blocks of its lane.
pub(super) fn encrypt(
    backend: &Backend,
    values: &mut [Block],
    lanes: &mut [impl Lane],
    count: usize,
) {
    for i in 0..count {
        for (value, lane) in values.iter_mut().zip(&*lanes) {
            add(value, lane.block(i));
        }
        backend.crypt_blocks(Direction::Encrypt, values);
        for (value, lane) in values.iter().zip(&mut *lanes) {
            lane.put(i, value);
        }
    }
}

/// `a` += `b`.
#[inline]
fn add(a: &mut Block, b: &Block) {
    for i in 0..BLOCK_LEN {
        a[i] ^= b[i];
    }
}
