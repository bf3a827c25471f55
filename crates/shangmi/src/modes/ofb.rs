//! OFB: a stream cipher that feeds on itself. Any length.
use super::{buffer_to_buffer, front::leading_iv, hide_debug, xor};
use crate::{
    Result,
    sm4::{BLOCK_LEN, Block, Sm4},
};
use zeroize::Zeroize;

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

leading_iv!(Ofb::apply_in_place, Ofb::apply_in_place);
