//! The key schedule of GB/T 32907-2016, 7.3, in constant time.
use super::{
    bitsliced::substitute,
    consts::{CK, FK},
};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The order of the round keys.
#[derive(Clone, Copy)]
pub(crate) enum Direction {
    Encrypt = 0,
    Decrypt = 31,
}

impl Direction {
    /// Which round key the round `i` takes.
    #[inline]
    pub(super) fn index(self, i: usize) -> usize {
        (i ^ self as usize) % 32
    }
}

/// rk_0 to rk_31, in the order of encryption.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(super) struct RoundKeys(pub(super) [u32; 32]);

impl RoundKeys {
    /// K_{i+4} = rk_i = K_i + T'(K_{i+1} + K_{i+2} + K_{i+3} + CK_i).
    pub(super) fn new(key: &[u8; 16]) -> Self {
        let mut k = FK;
        for (word, bytes) in k.iter_mut().zip(key.as_chunks().0) {
            *word ^= u32::from_be_bytes(*bytes);
        }
        let mut keys = Self([0; 32]);
        for (rk, ck) in keys.0.iter_mut().zip(CK) {
            let t = substitute(k[1] ^ k[2] ^ k[3] ^ ck);
            *rk = k[0] ^ t ^ t.rotate_left(13) ^ t.rotate_left(23);
            k = [k[1], k[2], k[3], *rk];
        }
        k.zeroize();
        keys
    }
}
