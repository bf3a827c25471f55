//! CBC-MAC, for messages that all have one length.
use super::{chain::Chain, check_tag, hide_debug};
use crate::{
    Error, Result,
    error::exact_len,
    sm4::{BLOCK_LEN, KEY_LEN, Sm4},
};

/// Bytes of a tag.
pub const TAG_LEN: usize = BLOCK_LEN;

/// A tag of SM4-CBC-MAC. Compare tags with [`CbcMac::verify`], never with `==`.
pub type Tag = [u8; TAG_LEN];

/// SM4-CBC-MAC of messages of one length under one key.
///
/// X_i = E(X_{i-1} ⊕ M_i), X_0 = 0; the tag is X_n. A last block that is not whole is filled with zeros.
///
/// **Among messages of different lengths anybody can forge**: with the tag T of a block M, the two blocks
/// M ‖ (M ⊕ T) have the tag T too. So the length belongs to the key, and a message of another length is an error. New designs
/// take [CMAC](super::cmac), which allows any length.
///
/// # Timing
/// Constant in key and message; variable in the length.
///
/// # Standard
/// GB/T 15852.1-2020, MAC algorithm 1 with padding method 1; ISO/IEC 9797-1
///
/// # Example
/// ```
/// use shangmi::modes::cbc_mac::CbcMac;
/// let key = CbcMac::new(b"0123456789ABCDEF", 7)?;
/// let tag = key.mac(b"message")?;
/// key.verify(b"message", &tag)?;
/// assert!(key.mac(b"another message").is_err());
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone)]
pub struct CbcMac {
    cipher: Sm4,
    length: usize,
}

hide_debug!(CbcMac);

impl CbcMac {
    /// Prepares a key for messages of `length` bytes, one or more.
    ///
    /// # Errors
    /// [`LengthOutOfRange`](Error::LengthOutOfRange) for the length zero.
    pub fn new(key: &[u8; KEY_LEN], length: usize) -> Result<Self> {
        if length == 0 {
            let (what, max) = ("messages of a CBC-MAC key", isize::MAX as usize);
            return Err(Error::LengthOutOfRange {
                what,
                min: 1,
                max,
                found: 0,
            });
        }
        Ok(Self {
            cipher: Sm4::new(key),
            length,
        })
    }

    /// Computes the tag of `message`.
    ///
    /// # Errors
    /// [`InvalidLength`](Error::InvalidLength) for a message of another length than the key's.
    pub fn mac(&self, message: &[u8]) -> Result<Tag> {
        exact_len("message under this CBC-MAC key", self.length, message.len())?;
        let mut chain = Chain::new([0; BLOCK_LEN]);
        chain.update(&self.cipher, message);
        Ok(chain.close(&self.cipher))
    }

    /// Checks the tag of `message`.
    ///
    /// # Errors
    /// [`BadMac`](Error::BadMac) if it is not the tag of `message` under this key; else as [`mac`](Self::mac).
    ///
    /// # Timing
    /// Does not tell how much of a wrong tag was right.
    pub fn verify(&self, message: &[u8], tag: &Tag) -> Result<()> {
        check_tag(self.mac(message)?, tag)
    }
}
