//! ECB: each block for itself.
//!
//! Equal plaintext blocks give equal ciphertext blocks, so this is no way to encrypt data; it is here for
//! old formats and for modes built on top.
use super::{buffer_to_buffer, check_whole_blocks, whole_blocks};
use crate::{Result, sm4::Sm4};
#[cfg(feature = "alloc")]
use {crate::padding::Padding, alloc::vec::Vec};

/// Encrypts whole blocks in place: C_i = E(P_i).
///
/// # Errors
/// [`NotMultiple`](crate::Error::NotMultiple) unless the length is a multiple of 16 bytes.
///
/// # Timing
/// Constant in key and data.
///
/// # Standard
/// GB/T 17964-2021, ECB
pub fn encrypt_in_place(cipher: &Sm4, data: &mut [u8]) -> Result<()> {
    cipher.encrypt_blocks(whole_blocks(data)?);
    Ok(())
}

/// Decrypts whole blocks in place.
///
/// # Errors
/// As [`encrypt_in_place`].
pub fn decrypt_in_place(cipher: &Sm4, data: &mut [u8]) -> Result<()> {
    cipher.decrypt_blocks(whole_blocks(data)?);
    Ok(())
}

/// Encrypts whole blocks from `input` to `output`.
///
/// # Errors
/// As [`encrypt_in_place`]; [`InvalidLength`](crate::Error::InvalidLength) unless both have one length.
pub fn encrypt(cipher: &Sm4, input: &[u8], output: &mut [u8]) -> Result<()> {
    check_whole_blocks(input.len())?;
    buffer_to_buffer(input, output, |piece| encrypt_in_place(cipher, piece))
}

/// Decrypts whole blocks from `input` to `output`.
///
/// # Errors
/// As [`encrypt`].
pub fn decrypt(cipher: &Sm4, input: &[u8], output: &mut [u8]) -> Result<()> {
    check_whole_blocks(input.len())?;
    buffer_to_buffer(input, output, |piece| decrypt_in_place(cipher, piece))
}

/// Pads and encrypts a message of any length.
///
/// # Errors
/// [`NotMultiple`](crate::Error::NotMultiple) for [`Padding::None`] and a rest.
#[cfg(feature = "alloc")]
pub fn encrypt_padded(cipher: &Sm4, padding: Padding, plaintext: &[u8]) -> Result<Vec<u8>> {
    let mut data = padding.pad_message(&[], plaintext)?;
    encrypt_in_place(cipher, &mut data)?;
    Ok(data)
}

/// Decrypts and removes the padding.
///
/// # Errors
/// [`NotMultiple`](crate::Error::NotMultiple) for a broken length;
/// [`DecryptFailed`](crate::Error::DecryptFailed) for broken padding, and for an empty ciphertext where the
/// padding is never empty.
#[cfg(feature = "alloc")]
pub fn decrypt_padded(cipher: &Sm4, padding: Padding, ciphertext: &[u8]) -> Result<Vec<u8>> {
    let mut data = ciphertext.to_vec();
    decrypt_in_place(cipher, &mut data)?;
    padding.unpad_message(data)
}
