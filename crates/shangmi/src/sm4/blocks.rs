//! Which implementation runs: chosen once, when the key is made, and kept in the key.
use super::{
    Block, KEY_LEN, bitsliced,
    key_schedule::RoundKeys,
    lanes::{self, Lane},
};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{
    gfni::{
        self,
        Direction::{Decrypt, Encrypt},
    },
    x86_64_gfni, x86_64_gfni_avx2, x86_64_gfni_avx512,
};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use {crate::cpu, core::slice::from_mut};

/// An implementation, with the round keys in the form that it wants.
#[derive(Clone)]
pub(super) enum Backend {
    /// Plain Rust, on every machine.
    Bitsliced(bitsliced::Keys),
    /// Vectors of 256 bits.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    GfniAvx2(cpu::GfniAvx2, gfni::Keys),
    /// Vectors of 512 bits.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    GfniAvx512(cpu::GfniAvx512, gfni::Keys),
}

impl Backend {
    /// The fastest implementation of this machine.
    pub(super) fn new(key: &[u8; KEY_LEN]) -> Self {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        {
            if let Some(token) = cpu::GfniAvx512::detect() {
                return Self::GfniAvx512(token, x86_64_gfni::expand(token.into(), key));
            }
            if let Some(token) = cpu::GfniAvx2::detect() {
                return Self::GfniAvx2(token, x86_64_gfni::expand(token, key));
            }
        }
        Self::bitsliced(key)
    }

    fn bitsliced(key: &[u8; KEY_LEN]) -> Self {
        Self::Bitsliced(bitsliced::Keys::new(&RoundKeys::new(key)))
    }

    /// Every implementation of this machine.
    #[cfg(test)]
    fn all(key: &[u8; KEY_LEN]) -> std::vec::Vec<Self> {
        let mut all = std::vec![Self::bitsliced(key)];
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        {
            let avx2 = cpu::GfniAvx2::detect();
            all.extend(avx2.map(|token| Self::GfniAvx2(token, x86_64_gfni::expand(token, key))));
            let avx512 = cpu::GfniAvx512::detect();
            all.extend(
                avx512.map(|token| Self::GfniAvx512(token, x86_64_gfni::expand(token.into(), key))),
            );
        }
        all
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Bitsliced(_) => bitsliced::NAME,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx2(..) => x86_64_gfni_avx2::NAME,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx512(..) => x86_64_gfni_avx512::NAME,
        }
    }

    pub(super) fn encrypt_blocks(&self, blocks: &mut [Block]) {
        match self {
            Self::Bitsliced(keys) => keys.encrypt_blocks(blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx2(token, keys) => x86_64_gfni_avx2::crypt(*token, keys, Encrypt, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx512(token, keys) => {
                x86_64_gfni_avx512::crypt(*token, keys, Encrypt, blocks);
            }
        }
    }

    pub(super) fn decrypt_blocks(&self, blocks: &mut [Block]) {
        match self {
            Self::Bitsliced(keys) => keys.decrypt_blocks(blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx2(token, keys) => x86_64_gfni_avx2::crypt(*token, keys, Decrypt, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx512(token, keys) => {
                x86_64_gfni_avx512::crypt(*token, keys, Decrypt, blocks);
            }
        }
    }

    /// Takes each chain through the first `count` blocks of its lane.
    pub(super) fn encrypt_lanes(
        &self,
        values: &mut [Block],
        lanes: &mut [impl Lane],
        count: usize,
    ) {
        match (self, &mut *values, &mut *lanes) {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Self::GfniAvx2(token, keys), [value], [lane]) => {
                x86_64_gfni::encrypt_lane(*token, keys, value, lane, count);
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Self::GfniAvx512(token, keys), [value], [lane]) => {
                x86_64_gfni::encrypt_lane((*token).into(), keys, value, lane, count);
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Self::GfniAvx512(token, keys), values, lanes) => {
                x86_64_gfni_avx512::encrypt_lanes(*token, keys, values, lanes, count);
            }
            _ => {
                let encrypt = |values: &mut [Block]| match values {
                    [value] => self.encrypt_block(value),
                    _ => self.encrypt_blocks(values),
                };
                lanes::encrypt(encrypt, values, lanes, count);
            }
        }
    }

    pub(super) fn encrypt_block(&self, block: &mut Block) {
        match self {
            Self::Bitsliced(keys) => keys.encrypt_block(block),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx2(token, keys) => {
                x86_64_gfni::crypt(*token, keys, Encrypt, from_mut(block));
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx512(token, keys) => {
                x86_64_gfni::crypt((*token).into(), keys, Encrypt, from_mut(block));
            }
        }
    }

    pub(super) fn decrypt_block(&self, block: &mut Block) {
        match self {
            Self::Bitsliced(keys) => keys.decrypt_block(block),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx2(token, keys) => {
                x86_64_gfni::crypt(*token, keys, Decrypt, from_mut(block));
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx512(token, keys) => {
                x86_64_gfni::crypt((*token).into(), keys, Decrypt, from_mut(block));
            }
        }
    }
}

#[cfg(test)]
mod tests;
