//! The block cipher SM4: 128-bit blocks, 128-bit key.
//!
//! A block cipher alone encrypts nothing but single random blocks safely: see [`modes`](crate::modes),
//! [`Sm4Gcm`](crate::modes::gcm::Sm4Gcm) first.
use crate::{Error, Result};
use blocks::Backend;
use core::fmt;
pub(crate) use groups::Aead;
pub(crate) use key_schedule::Direction;
pub(crate) use lanes::{Lane, add};

#[cfg(target_arch = "aarch64")]
mod aarch64_aes;
#[cfg(target_arch = "aarch64")]
mod aarch64_sm4;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
mod aes;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    target_arch = "aarch64"
))]
mod algebra;
mod bitsliced;
mod blocks;
#[cfg(any(test, feature = "__backends"))]
mod by_name;
mod consts;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod gfni;
mod groups;
mod key_schedule;
mod lanes;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_aesni;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_gfni;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_gfni_avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_gfni_avx512;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_pairs;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_sm4;

/// Bytes of a block.
pub const BLOCK_LEN: usize = 16;
/// Bytes of a key.
pub const KEY_LEN: usize = 16;
/// A block.
pub type Block = [u8; BLOCK_LEN];

/// An SM4 key, ready for both directions.
///
/// X_{i+4} = X_i ⊕ L(τ(X_{i+1} ⊕ X_{i+2} ⊕ X_{i+3} ⊕ rk_i)), i = 0 to 31; the block is (X_0, X_1, X_2, X_3), the
/// result (X_35, X_34, X_33, X_32). τ is the S-box on four bytes, L(B) = B ⊕ (B <<< 2) ⊕ (B <<< 10) ⊕ (B <<< 18)
/// ⊕ (B <<< 24).
///
/// Wiped when dropped. Whoever has many blocks should hand them over in one call of
/// [`encrypt_blocks`](Self::encrypt_blocks): they are computed side by side.
///
/// # Timing
/// Constant in the key and the data, key schedule included: no table is indexed and no branch is taken
/// by a secret. Variable in the number of blocks.
///
/// # Standard
/// GB/T 32907-2016, sections 6 and 7
///
/// # Example
/// ```
/// use shangmi::sm4::Sm4;
/// let key = 0x0123456789abcdeffedcba9876543210_u128.to_be_bytes();
/// let mut block = key;
/// let sm4 = Sm4::new(&key);
/// sm4.encrypt_block(&mut block);
/// assert_eq!(block, 0x681edf34d206965e86b3e94f536e4246_u128.to_be_bytes());
/// sm4.decrypt_block(&mut block);
/// assert_eq!(block, key);
/// ```
#[derive(Clone)]
pub struct Sm4 {
    backend: Backend,
}

impl Sm4 {
    /// Expands a key.
    #[must_use]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self {
            backend: Backend::new(key),
        }
    }

    /// Expands a key of a length known at run time only.
    ///
    /// # Errors
    /// [`InvalidLength`](crate::Error::InvalidLength) unless `key` has 16 bytes.
    pub fn from_slice(key: &[u8]) -> Result<Self> {
        let key = key.try_into().map_err(|_| Error::InvalidLength {
            what: "SM4 key",
            expected: KEY_LEN,
            found: key.len(),
        })?;
        Ok(Self::new(key))
    }

    /// Encrypts each block for itself, all side by side.
    pub fn encrypt_blocks(&self, blocks: &mut [Block]) {
        self.backend.crypt_blocks(Direction::Encrypt, blocks);
    }

    /// Decrypts each block for itself, all side by side.
    pub fn decrypt_blocks(&self, blocks: &mut [Block]) {
        self.backend.crypt_blocks(Direction::Decrypt, blocks);
    }

    /// Encrypts one block, with the least delay.
    pub fn encrypt_block(&self, block: &mut Block) {
        self.backend.crypt_block(Direction::Encrypt, block);
    }

    /// Decrypts one block, with the least delay.
    pub fn decrypt_block(&self, block: &mut Block) {
        self.backend.crypt_block(Direction::Decrypt, block);
    }

    /// Takes each chain through the first `count` blocks of its lane, X = E(X ⊕ B), all side by side.
    pub(crate) fn encrypt_lanes(
        &self,
        values: &mut [Block],
        lanes: &mut [impl Lane],
        count: usize,
    ) {
        self.backend.encrypt_lanes(values, lanes, count);
    }

    /// The name of the code that runs for this key.
    #[must_use]
    pub fn backend(&self) -> &'static str {
        self.backend.name()
    }
}

impl fmt::Debug for Sm4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm4")
            .field("backend", &self.backend())
            .finish_non_exhaustive()
    }
}
