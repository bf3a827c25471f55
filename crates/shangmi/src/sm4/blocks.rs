//! Which implementation runs: chosen once, when the key is made, and kept in the key.
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
use super::aes;
use super::{
    Block, KEY_LEN, bitsliced,
    key_schedule::{Direction, RoundKeys},
    lanes::{self, Lane},
};
#[cfg(target_arch = "aarch64")]
use super::{aarch64_aes, aarch64_sm4};
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use super::{gfni, x86_64_aesni, x86_64_gfni, x86_64_gfni_avx2, x86_64_gfni_avx512, x86_64_sm4};
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
use {crate::cpu, core::slice::from_mut};

/// An implementation, with the round keys in the form that it wants.
#[derive(Clone)]
pub(super) enum Backend {
    /// Plain Rust, on every machine.
    Bitsliced(bitsliced::Keys),
    /// The processor's instructions for SM4.
    #[cfg(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        target_arch = "aarch64"
    ))]
    Sm4(cpu::Sm4, RoundKeys),
    /// The kernel of `Sm4` with a software model in place of the instructions.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2", test))]
    Sm4Model(cpu::Avx2, RoundKeys),
    /// The instructions for AES.
    #[cfg(target_arch = "aarch64")]
    Aes(cpu::Aes, aes::Keys),
    /// The instructions for AES on vectors of 128 bits.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    AesSsse3(cpu::AesSsse3, aes::Keys),
    /// The instructions for AES beside vectors of 256 bits.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    AesAvx2(cpu::AesAvx2, aes::Keys),
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
            if let Some(token) = cpu::Sm4::detect() {
                return Self::Sm4(token, x86_64_sm4::expand(token, key));
            }
            if let Some(token) = cpu::GfniAvx2::detect() {
                return Self::GfniAvx2(token, x86_64_gfni::expand(token, key));
            }
            if let Some(token) = cpu::AesAvx2::detect() {
                return Self::AesAvx2(token, x86_64_aesni::expand_avx2(token, key));
            }
            if let Some(token) = cpu::AesSsse3::detect() {
                return Self::AesSsse3(token, x86_64_aesni::expand_ssse3(token, key));
            }
        }
        #[cfg(target_arch = "aarch64")]
        {
            if let Some(token) = cpu::Sm4::detect() {
                return Self::Sm4(token, aarch64_sm4::expand(token, key));
            }
            if let Some(token) = cpu::Aes::detect() {
                return Self::Aes(token, aarch64_aes::expand_key(token, key));
            }
        }
        Self::bitsliced(key)
    }

    fn bitsliced(key: &[u8; KEY_LEN]) -> Self {
        Self::Bitsliced(bitsliced::Keys::new(&RoundKeys::new(key)))
    }

    /// Every implementation of this machine.
    #[cfg(any(test, feature = "__backends"))]
    pub(super) fn all(key: &[u8; KEY_LEN]) -> std::vec::Vec<Self> {
        let mut all = std::vec![Self::bitsliced(key)];
        #[cfg(target_arch = "aarch64")]
        {
            let sm4 = cpu::Sm4::detect();
            all.extend(sm4.map(|token| Self::Sm4(token, aarch64_sm4::expand(token, key))));
            let aes = cpu::Aes::detect();
            all.extend(aes.map(|token| Self::Aes(token, aarch64_aes::expand_key(token, key))));
        }
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        {
            let sm4 = cpu::Sm4::detect();
            all.extend(sm4.map(|token| Self::Sm4(token, x86_64_sm4::expand(token, key))));
            #[cfg(test)]
            all.extend(
                cpu::Avx2::detect()
                    .map(|token| Self::Sm4Model(token, x86_64_sm4::expand_on_model(token, key))),
            );
            let ssse3 = cpu::AesSsse3::detect();
            all.extend(
                ssse3.map(|token| Self::AesSsse3(token, x86_64_aesni::expand_ssse3(token, key))),
            );
            let avx2 = cpu::AesAvx2::detect();
            all.extend(
                avx2.map(|token| Self::AesAvx2(token, x86_64_aesni::expand_avx2(token, key))),
            );
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
            Self::Sm4(..) => x86_64_sm4::NAME,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", test))]
            Self::Sm4Model(..) => x86_64_sm4::NAME_MODEL,
            #[cfg(target_arch = "aarch64")]
            Self::Sm4(..) => aarch64_sm4::NAME,
            #[cfg(target_arch = "aarch64")]
            Self::Aes(..) => aarch64_aes::NAME,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::AesSsse3(..) => x86_64_aesni::NAME_SSSE3,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::AesAvx2(..) => x86_64_aesni::NAME_AVX2,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx2(..) => x86_64_gfni_avx2::NAME,
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx512(..) => x86_64_gfni_avx512::NAME,
        }
    }

    /// Each block for itself, all side by side.
    pub(super) fn crypt_blocks(&self, order: Direction, blocks: &mut [Block]) {
        match self {
            Self::Bitsliced(keys) => keys.crypt_blocks(order, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Sm4(token, keys) => x86_64_sm4::crypt(*token, keys, order, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2", test))]
            Self::Sm4Model(token, keys) => x86_64_sm4::crypt_on_model(*token, keys, order, blocks),
            #[cfg(target_arch = "aarch64")]
            Self::Sm4(token, keys) => aarch64_sm4::crypt(*token, keys, order, blocks),
            #[cfg(target_arch = "aarch64")]
            Self::Aes(token, keys) => aarch64_aes::crypt_blocks(*token, keys, order, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::AesSsse3(token, keys) => x86_64_aesni::crypt_ssse3(*token, keys, order, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::AesAvx2(token, keys) => x86_64_aesni::crypt_avx2(*token, keys, order, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx2(token, keys) => x86_64_gfni_avx2::crypt(*token, keys, order, blocks),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx512(token, keys) => {
                x86_64_gfni_avx512::crypt(*token, keys, order, blocks);
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
                x86_64_gfni_avx512::encrypt_lane(*token, keys, value, lane, count);
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            (Self::GfniAvx512(token, keys), values, lanes) => {
                x86_64_gfni_avx512::encrypt_lanes(*token, keys, values, lanes, count);
            }
            _ => {
                let encrypt = |values: &mut [Block]| match values {
                    [value] => self.crypt_block(Direction::Encrypt, value),
                    _ => self.crypt_blocks(Direction::Encrypt, values),
                };
                lanes::encrypt(encrypt, values, lanes, count);
            }
        }
    }

    /// One block, with the least delay.
    pub(super) fn crypt_block(&self, order: Direction, block: &mut Block) {
        match self {
            Self::Bitsliced(keys) => keys.crypt_block(order, block),
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx2(token, keys) => {
                x86_64_gfni::crypt(*token, keys, order, from_mut(block));
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::GfniAvx512(token, keys) => {
                x86_64_gfni_avx512::crypt_block(*token, keys, order, block);
            }
            #[cfg(any(
                all(target_arch = "x86_64", target_feature = "sse2"),
                target_arch = "aarch64"
            ))]
            _ => self.crypt_blocks(order, from_mut(block)),
        }
    }
}

#[cfg(test)]
mod tests;
