//! Many chains side by side, X = E(X ⊕ B) for each block B of a chain: what CBC encryption and CBC-MAC do.
use super::Block;

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

/// Takes each chain through the first `count` blocks of its lane, with any function that encrypts blocks.
pub(super) fn encrypt(
    encrypt_blocks: impl Fn(&mut [Block]),
    values: &mut [Block],
    lanes: &mut [impl Lane],
    count: usize,
) {
    for i in 0..count {
        for (value, lane) in values.iter_mut().zip(&*lanes) {
            add(value, lane.block(i));
        }
        encrypt_blocks(values);
        for (value, lane) in values.iter().zip(&mut *lanes) {
            lane.put(i, value);
        }
    }
}

/// `a` += `b`.
#[inline]
pub(crate) fn add(a: &mut Block, b: &Block) {
    // Both are read before anything is written, so that it is one XOR of vectors.
    *a = core::array::from_fn(|i| a[i] ^ b[i]);
}
