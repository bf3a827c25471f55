//! OFB: a stream cipher that feeds on itself. Any length.
use super::{buffer_to_buffer, hide_debug, xor};
use crate::{
    Result,
    sm4::{BLOCK_LEN, Block, Sm4},
};
use zeroize::Zeroize;
#[cfg(feature = "alloc")]
use {crate::rng::Rng, alloc::vec::Vec};

/// Encrypts and decrypts in OFB mode: O_i = E(O_{i-1}), O_0 = IV, C_i = P_i ⊕ O_i.
///
/// An IV used twice under one key gives the sum of the two plaintexts away. Serial by nature. A call may end
/// within a block; the next goes on there.
///
/// # Timing
/// Constant in key and data.
///
/// # Standard
/// GB/T 17964-2021, OFB with 128-bit feedback
#[derive(Clone)]
pub struct Ofb {
    cipher: Sm4,
    register: Block,
    used: usize,
}

hide_debug!(Ofb);

impl Ofb {
    /// Starts with an IV, never used before under this key.
    #[must_use]
    pub fn new(cipher: &Sm4, iv: &Block) -> Self {
        Self {
            cipher: cipher.clone(),
            register: *iv,
            used: BLOCK_LEN,
        }
    }

    /// Encrypts or decrypts the next bytes in place.
    ///
    /// # Errors
    /// None at present; the type leaves room for a limit.
    pub fn apply_in_place(&mut self, mut data: &mut [u8]) -> Result<()> {
        while !data.is_empty() {
            if self.used == BLOCK_LEN {
                self.cipher.encrypt_block(&mut self.register);
                self.used = 0;
            }
            let (now, later) = data.split_at_mut(data.len().min(BLOCK_LEN - self.used));
            xor(now, &self.register[self.used..]);
            self.used += now.len();
            data = later;
        }
        Ok(())
    }

    /// Encrypts or decrypts the next bytes from `input` to `output`.
    ///
    /// # Errors
    /// [`InvalidLength`](crate::Error::InvalidLength) unless both have one length.
    pub fn apply(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> {
        buffer_to_buffer(input, output, |piece| self.apply_in_place(piece))
    }
}

impl Drop for Ofb {
    fn drop(&mut self) {
        self.register.zeroize();
    }
}

/// Draws an IV and encrypts: IV ‖ ciphertext.
///
/// # Errors
/// [`RandomSource`](crate::Error::RandomSource) when `rng` fails.
#[cfg(feature = "alloc")]
pub fn encrypt_random_iv(
    cipher: &Sm4,
    plaintext: &[u8],
    rng: &mut (impl Rng + ?Sized),
) -> Result<Vec<u8>> {
    let (iv, mut message) = super::with_random_front(plaintext, 0, rng)?;
    Ofb::new(cipher, &iv).apply_in_place(&mut message[iv.len()..])?;
    Ok(message)
}

/// Decrypts IV ‖ ciphertext.
///
/// # Errors
/// [`LengthOutOfRange`](crate::Error::LengthOutOfRange) when there is no whole IV.
#[cfg(feature = "alloc")]
pub fn decrypt_leading_iv(cipher: &Sm4, message: &[u8]) -> Result<Vec<u8>> {
    let (iv, ciphertext) = super::split_leading("IV and ciphertext", message)?;
    let mut data = ciphertext.to_vec();
    Ofb::new(cipher, iv).apply_in_place(&mut data)?;
    Ok(data)
}
