//! CBC: each block is added to the ciphertext before it.
//!
//! The objects take whole blocks; [`padding`](crate::padding) makes them. Unauthenticated: who can ask
//! whether a changed ciphertext decrypts can read it (padding oracle), so check a MAC first.
use super::{
    TWO_BATCHES, buffer_to_buffer, check_whole_blocks, hide_debug, many, whole_blocks, xor,
};
use crate::{
    Result,
    error::exact_len,
    sm4::{BLOCK_LEN, Block, Sm4},
};
use core::slice::from_mut;
use zeroize::Zeroize;
#[cfg(feature = "alloc")]
use {super::split_leading, crate::padding::Padding, crate::rng::Rng, alloc::vec::Vec};

/// Encrypts in CBC mode: C_i = E(P_i ⊕ C_{i-1}), C_0 = IV.
///
/// Serial by nature: one block waits for the other.
///
/// # Timing
/// Constant in key and data.
///
/// # Standard
/// GB/T 17964-2021, CBC
///
/// # Example
/// ```
/// use shangmi::{modes::cbc::{CbcDecryptor, CbcEncryptor}, sm4::Sm4};
/// let (cipher, iv) = (Sm4::new(b"0123456789ABCDEF"), b"a random vector!");
/// let mut data = *b"two blocks of 16 bytes, streamed";
/// let mut encryptor = CbcEncryptor::new(&cipher, iv);
/// encryptor.encrypt_in_place(&mut data[..16])?;
/// encryptor.encrypt_in_place(&mut data[16..])?;
/// CbcDecryptor::new(&cipher, iv).decrypt_in_place(&mut data)?;
/// assert_eq!(&data, b"two blocks of 16 bytes, streamed");
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone)]
pub struct CbcEncryptor {
    cipher: Sm4,
    chain: Block,
}

/// Decrypts in CBC mode: P_i = D(C_i) ⊕ C_{i-1}, C_0 = IV; many blocks side by side.
///
/// # Timing
/// Constant in key and data.
///
/// # Standard
/// GB/T 17964-2021, CBC
#[derive(Clone)]
pub struct CbcDecryptor {
    cipher: Sm4,
    chain: Block,
}

hide_debug!(CbcEncryptor, CbcDecryptor);

impl CbcEncryptor {
    /// Starts with an IV, which should be random.
    #[must_use]
    pub fn new(cipher: &Sm4, iv: &Block) -> Self {
        Self {
            cipher: cipher.clone(),
            chain: *iv,
        }
    }

    /// Encrypts the next blocks in place.
    ///
    /// # Errors
    /// [`NotMultiple`](crate::Error::NotMultiple) unless the length is a multiple of 16 bytes.
    pub fn encrypt_in_place(&mut self, data: &mut [u8]) -> Result<()> {
        let blocks = whole_blocks(data)?;
        let count = blocks.len();
        self.cipher
            .encrypt_lanes(from_mut(&mut self.chain), &mut [blocks], count);
        Ok(())
    }

    /// Encrypts the next blocks from `input` to `output`.
    ///
    /// # Errors
    /// As [`encrypt_in_place`](Self::encrypt_in_place); [`InvalidLength`](crate::Error::InvalidLength) unless
    /// both have one length.
    pub fn encrypt(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> {
        check_whole_blocks(input.len())?;
        buffer_to_buffer(input, output, |piece| self.encrypt_in_place(piece))
    }
}

impl CbcDecryptor {
    /// Starts with the IV of the encryption.
    #[must_use]
    pub fn new(cipher: &Sm4, iv: &Block) -> Self {
        Self {
            cipher: cipher.clone(),
            chain: *iv,
        }
    }

    /// Decrypts the next blocks in place.
    ///
    /// # Errors
    /// [`NotMultiple`](crate::Error::NotMultiple) unless the length is a multiple of 16 bytes.
    pub fn decrypt_in_place(&mut self, data: &mut [u8]) -> Result<()> {
        let mut saved = [Block::default(); TWO_BATCHES];
        for batch in whole_blocks(data)?.chunks_mut(TWO_BATCHES) {
            let ciphertext = &mut saved[..batch.len()];
            ciphertext.copy_from_slice(batch);
            self.cipher.decrypt_blocks(batch);
            for (block, previous) in batch.iter_mut().zip(ciphertext) {
                xor(block, &self.chain);
                self.chain = *previous;
            }
        }
        Ok(())
    }

    /// Decrypts the next blocks from `input` to `output`.
    ///
    /// # Errors
    /// As [`decrypt_in_place`](Self::decrypt_in_place); [`InvalidLength`](crate::Error::InvalidLength) unless
    /// both have one length.
    pub fn decrypt(&mut self, input: &[u8], output: &mut [u8]) -> Result<()> {
        check_whole_blocks(input.len())?;
        buffer_to_buffer(input, output, |piece| self.decrypt_in_place(piece))
    }
}

// The cipher wipes itself. The chain may be the last plaintext's sum while a call runs.
impl Drop for CbcEncryptor {
    fn drop(&mut self) {
        self.chain.zeroize();
    }
}

impl Drop for CbcDecryptor {
    fn drop(&mut self) {
        self.chain.zeroize();
    }
}

/// Encrypts many messages in place under one key, each with its IV.
///
/// They are encrypted side by side, up to 128 at a time, many times as fast as one after the other.
///
/// - `ivs`: one for each message
/// - `messages`: of whole blocks; of any lengths, equal or not, the longest first is best
///
/// # Errors
/// [`InvalidLength`](crate::Error::InvalidLength) when there are not as many IVs as messages;
/// [`NotMultiple`](crate::Error::NotMultiple) for a message that is not a multiple of 16 bytes. Then all are as
/// they were.
///
/// # Timing
/// Constant in key and data; variable in the lengths.
///
/// # Standard
/// GB/T 17964-2021, CBC
///
/// # Example
/// ```
/// use shangmi::{modes::cbc::{self, CbcEncryptor}, sm4::Sm4};
/// let cipher = Sm4::new(b"0123456789ABCDEF");
/// let ivs = [*b"a random vector!", *b"another vector!!"];
/// let (mut a, mut b) = ([1; 32], [2; 160]);
/// cbc::encrypt_many(&cipher, &ivs, &mut [&mut a, &mut b])?;
/// let mut alone = [1; 32];
/// CbcEncryptor::new(&cipher, &ivs[0]).encrypt_in_place(&mut alone)?;
/// assert_eq!(a, alone);
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn encrypt_many(cipher: &Sm4, ivs: &[Block], messages: &mut [&mut [u8]]) -> Result<()> {
    let expected = messages.len().saturating_mul(BLOCK_LEN);
    exact_len("IVs of the messages", expected, size_of_val(ivs))?;
    for message in &*messages {
        check_whole_blocks(message.len())?;
    }
    let lanes = ivs.iter().zip(messages).map(|(iv, message)| {
        let (blocks, _) = message.as_chunks_mut();
        (*iv, InLane(blocks))
    });
    many::run(cipher, lanes);
    Ok(())
}

/// A message of [`encrypt_many`].
struct InLane<'a>(&'a mut [Block]);

impl<'a> many::Message for InLane<'a> {
    type Blocks = &'a mut [Block];

    fn next(&mut self, _: &mut Block) -> Option<&'a mut [Block]> {
        let blocks = core::mem::take(&mut self.0);
        (!blocks.is_empty()).then_some(blocks)
    }

    fn done(self, _: &Block) {}
}

/// Pads and encrypts a message of any length.
///
/// # Errors
/// [`NotMultiple`](crate::Error::NotMultiple) for [`Padding::None`] and a rest.
///
/// # Example
/// ```
/// use shangmi::{modes::cbc, padding::Padding, sm4::Sm4};
/// let (cipher, iv) = (Sm4::new(b"0123456789ABCDEF"), b"0123456789ABCDEF");
/// let ciphertext = cbc::encrypt_padded(&cipher, iv, Padding::Pkcs7, b"Hello World")?;
/// assert_eq!(ciphertext, 0x0a67062f0cd2dce26a7b978ebf2134f9_u128.to_be_bytes());
/// assert_eq!(cbc::decrypt_padded(&cipher, iv, Padding::Pkcs7, &ciphertext)?, b"Hello World");
/// # Ok::<(), shangmi::Error>(())
/// ```
#[cfg(feature = "alloc")]
pub fn encrypt_padded(
    cipher: &Sm4,
    iv: &Block,
    padding: Padding,
    plaintext: &[u8],
) -> Result<Vec<u8>> {
    let mut data = padding.pad_message(&[], plaintext)?;
    CbcEncryptor::new(cipher, iv).encrypt_in_place(&mut data)?;
    Ok(data)
}

/// Decrypts and removes the padding.
///
/// # Errors
/// [`NotMultiple`](crate::Error::NotMultiple) for a broken length;
/// [`DecryptFailed`](crate::Error::DecryptFailed) for broken padding, and for an empty ciphertext where the
/// padding is never empty.
#[cfg(feature = "alloc")]
pub fn decrypt_padded(
    cipher: &Sm4,
    iv: &Block,
    padding: Padding,
    ciphertext: &[u8],
) -> Result<Vec<u8>> {
    let mut data = ciphertext.to_vec();
    CbcDecryptor::new(cipher, iv).decrypt_in_place(&mut data)?;
    padding.unpad_message(data)
}

/// Draws an IV, pads and encrypts: IV ‖ ciphertext.
///
/// # Errors
/// As [`encrypt_padded`]; [`RandomSource`](crate::Error::RandomSource) when `rng` fails.
#[cfg(feature = "alloc")]
pub fn encrypt_padded_random_iv(
    cipher: &Sm4,
    padding: Padding,
    plaintext: &[u8],
    rng: &mut (impl Rng + ?Sized),
) -> Result<Vec<u8>> {
    let iv: Block = crate::rng::random(rng)?;
    let mut message = padding.pad_message(&iv, plaintext)?;
    CbcEncryptor::new(cipher, &iv).encrypt_in_place(&mut message[iv.len()..])?;
    Ok(message)
}

/// Decrypts IV ‖ ciphertext and removes the padding.
///
/// # Errors
/// As [`decrypt_padded`]; [`LengthOutOfRange`](crate::Error::LengthOutOfRange) when there is no whole IV.
#[cfg(feature = "alloc")]
pub fn decrypt_padded_leading_iv(
    cipher: &Sm4,
    padding: Padding,
    message: &[u8],
) -> Result<Vec<u8>> {
    let (iv, ciphertext) = split_leading("IV and ciphertext", message)?;
    decrypt_padded(cipher, iv, padding, ciphertext)
}
