//! CFB with 128 bits of feedback: a stream cipher that follows the ciphertext. Any length.
use super::{TWO_BATCHES, buffer_to_buffer, front::leading_iv, hide_debug, xor};
use crate::{
    Result,
    sm4::{BLOCK_LEN, Block, Sm4},
};
use zeroize::Zeroize;

/// Encrypts in CFB mode: C_i = P_i ⊕ E(C_{i-1}), C_0 = IV; of the last block, as many bytes as there are.
///
/// Serial by nature: one block waits for the other. A call may end within a block; the next goes on there.
///
/// # Timing
/// Constant in key and data.
///
/// # Standard
/// GB/T 17964-2021, CFB with 128-bit feedback
#[derive(Clone)]
pub struct CfbEncryptor(Feedback);

/// Decrypts in CFB mode: P_i = C_i ⊕ E(C_{i-1}), C_0 = IV; many blocks side by side.
///
/// A call may end within a block; the next goes on there.
///
/// # Timing
/// Constant in key and data.
///
/// # Standard
/// GB/T 17964-2021, CFB with 128-bit feedback
#[derive(Clone)]
pub struct CfbDecryptor(Feedback);

hide_debug!(CfbEncryptor, CfbDecryptor);

/// The shift register. Its first `used` bytes are ciphertext of the block in progress, the others key
/// stream for the bytes to come. All used: the input for the next block.
#[derive(Clone)]
struct Feedback {
    cipher: Sm4,
    register: Block,
    used: usize,
}

impl Feedback {
    fn new(cipher: &Sm4, iv: &Block) -> Self {
        Self {
            cipher: cipher.clone(),
            register: *iv,
            used: BLOCK_LEN,
        }
    }

    /// Processes at most the rest of the current block; `keep` picks the ciphertext byte from (byte
    /// before, byte after). Returns the number of bytes.
    fn partial(&mut self, data: &mut [u8], keep: impl Fn(u8, u8) -> u8) -> usize {
        let mut done = 0;
        for (byte, state) in data.iter_mut().zip(&mut self.register[self.used..]) {
            let before = *byte;
            *byte ^= *state;
            *state = keep(before, *byte);
            done += 1;
        }
        self.used += done;
        done
    }

    fn next_block(&mut self) {
        self.cipher.encrypt_block(&mut self.register);
        self.used = 0;
    }
}

impl Drop for Feedback {
    fn drop(&mut self) {
        self.register.zeroize();
    }
}

impl CfbEncryptor {
    /// Starts with an IV, which should be random.
    #[must_use]
    pub fn new(cipher: &Sm4, iv: &Block) -> Self {
        Self(Feedback::new(cipher, iv))
    }

    /// Encrypts the next bytes in place.
    ///
    /// # Errors
    /// None at present; the type leaves room for a limit.
    pub fn encrypt_in_place(&mut self, data: &mut [u8]) -> Result<()> {
        let keep = |_, ciphertext| ciphertext;
        let done = self.0.partial(data, keep);
        let (blocks, rest) = data[done..].as_chunks_mut::<BLOCK_LEN>();
        for block in blocks {
            self.0.cipher.encrypt_block(&mut self.0.register);
            xor(block, &self.0.register);
            self.0.register = *block;
        }
        if !rest.is_empty() {
            self.0.next_block();
            self.0.partial(rest, keep);
        }
        Ok(())
    }

    /// Encrypts the next bytes from `input` to `output`.
    ///
    /// # Errors
    /// [`InvalidLength`](crate::Error::InvalidLength) unless both have one length.
    pub fn encrypt(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> {
        buffer_to_buffer(input, output, |piece| self.encrypt_in_place(piece))
    }
}

impl CfbDecryptor {
    /// Starts with the IV of the encryption.
    #[must_use]
    pub fn new(cipher: &Sm4, iv: &Block) -> Self {
        Self(Feedback::new(cipher, iv))
    }

    /// Decrypts the next bytes in place.
    ///
    /// # Errors
    /// None at present; the type leaves room for a limit.
    pub fn decrypt_in_place(&mut self, data: &mut [u8]) -> Result<()> {
        let keep = |ciphertext, _| ciphertext;
        let done = self.0.partial(data, keep);
        let (blocks, rest) = data[done..].as_chunks_mut::<BLOCK_LEN>();
        let mut stream = [Block::default(); TWO_BATCHES];
        for batch in blocks.chunks_mut(TWO_BATCHES) {
            let stream = &mut stream[..batch.len()];
            for (input, ciphertext) in stream.iter_mut().zip(&*batch) {
                *input = core::mem::replace(&mut self.0.register, *ciphertext);
            }
            self.0.cipher.encrypt_blocks(stream);
            xor(batch.as_flattened_mut(), stream.as_flattened());
        }
        stream[..blocks.len().min(TWO_BATCHES)]
            .as_flattened_mut()
            .zeroize();
        if !rest.is_empty() {
            self.0.next_block();
            self.0.partial(rest, keep);
        }
        Ok(())
    }

    /// Decrypts the next bytes from `input` to `output`.
    ///
    /// # Errors
    /// [`InvalidLength`](crate::Error::InvalidLength) unless both have one length.
    pub fn decrypt(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> {
        buffer_to_buffer(input, output, |piece| self.decrypt_in_place(piece))
    }
}

leading_iv!(
    CfbEncryptor::encrypt_in_place,
    CfbDecryptor::decrypt_in_place
);
