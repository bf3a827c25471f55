//! GMAC: authenticates messages under a nonce each, with GCM's hash. The fastest MAC here for long messages.
use super::{
    check_tag,
    gcm::{Sm4Gcm, TAG_LEN, cut},
    hide_debug,
};
use crate::{
    Result,
    ghash::Ghash,
    sm4::{BLOCK_LEN, Block, KEY_LEN},
};
use zeroize::Zeroize;

/// A tag of SM4-GMAC. Compare tags with [`GmacKey::verify`], never with `==`.
pub type Tag = [u8; TAG_LEN];

/// A prepared key of SM4-GMAC: the round keys and the powers of the hash key. Wiped on drop.
///
/// T = GHASH(M) ⊕ E(J_0), which is the tag of [`Sm4Gcm`] where M is the associated data and nothing is encrypted.
///
/// **A nonce must never be used twice under one key**: two tags of different messages give the hash key away, and
/// anybody can forge from then on. Count; where no number is at hand that will not come again, take
/// HMAC or CMAC.
///
/// Tags of 12 to 15 bytes are the first of the whole one; shorter ones do not compile.
///
/// # Timing
/// Constant in key and message; variable in the lengths.
///
/// # Standard
/// GB/T 15852.3-2019; NIST SP 800-38D
///
/// # Example
/// ```
/// use shangmi::modes::gmac::GmacKey;
/// let key = GmacKey::new(b"0123456789ABCDEF");
/// let tag = key.mac(b"unique nonce", b"message")?;
/// assert!(key.verify(b"unique nonce", b"message", &tag).is_ok());
/// assert!(key.verify(b"unique nonce", b"massage", &tag).is_err());
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone)]
pub struct GmacKey(Sm4Gcm);

/// SM4-GMAC of a message that arrives in pieces. Wiped on drop.
///
/// # Timing
/// Constant in key and message; variable in the lengths.
///
/// # Standard
/// GB/T 15852.3-2019; NIST SP 800-38D
///
/// # Example
/// ```
/// use shangmi::modes::gmac::GmacKey;
/// let key = GmacKey::new(b"0123456789ABCDEF");
/// let mut mac = key.start(b"unique nonce")?;
/// mac.update(b"in ");
/// mac.update(b"pieces");
/// assert_eq!(mac.finalize(), key.mac(b"unique nonce", b"in pieces")?);
/// # Ok::<(), shangmi::Error>(())
/// ```
pub struct Gmac<'a> {
    hash: Ghash<'a>,
    /// E(J_0).
    mask: Block,
    /// The first `filled` bytes of a block that is not whole yet.
    block: Block,
    filled: usize,
    length: u64,
}

hide_debug!(GmacKey, Gmac<'_>);

impl GmacKey {
    /// Prepares a key.
    #[must_use]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self(Sm4Gcm::new(key))
    }

    /// Computes the tag of `message`.
    ///
    /// - `nonce`: 1 byte or more, 12 best; never twice under this key
    /// - `message`: any length, bytes
    ///
    /// # Errors
    /// [`LengthOutOfRange`](crate::Error::LengthOutOfRange) for an empty nonce.
    pub fn mac(&self, nonce: &[u8], message: &[u8]) -> Result<Tag> {
        self.0.seal_in_place(nonce, message, &mut [])
    }

    /// Computes a tag of `N` = 12 to 16 bytes: the first of the whole one.
    ///
    /// # Errors
    /// As [`mac`](Self::mac).
    pub fn mac_with_tag<const N: usize>(&self, nonce: &[u8], message: &[u8]) -> Result<[u8; N]> {
        self.0.seal_in_place_with_tag(nonce, message, &mut [])
    }

    /// Checks a tag of `N` = 12 to 16 bytes. The receiver must know N beforehand; the sender's word does not
    /// count.
    ///
    /// # Errors
    /// [`BadMac`](crate::Error::BadMac) if it is not the tag of `message`. Else as [`mac`](Self::mac).
    ///
    /// # Timing
    /// Does not tell how much of a wrong tag was right.
    pub fn verify<const N: usize>(
        &self,
        nonce: &[u8],
        message: &[u8],
        tag: &[u8; N],
    ) -> Result<()> {
        check_tag(self.mac_with_tag(nonce, message)?, tag)
    }

    /// Begins a message that arrives in pieces.
    ///
    /// - `nonce`: 1 byte or more, 12 best; never twice under this key
    ///
    /// # Errors
    /// As [`mac`](Self::mac).
    pub fn start(&self, nonce: &[u8]) -> Result<Gmac<'_>> {
        let (hash, mask) = self.0.start_mac(nonce)?;
        Ok(Gmac {
            hash,
            mask,
            block: [0; BLOCK_LEN],
            filled: 0,
            length: 0,
        })
    }

    /// The name of the code that computes the hash for this key.
    #[must_use]
    pub fn backend(&self) -> &'static str {
        self.0.hash_backend()
    }
}

impl Gmac<'_> {
    /// Appends `data` (any length, bytes) to the message.
    pub fn update(&mut self, data: &[u8]) {
        self.length = self.length.saturating_add(data.len() as u64);
        let (front, data) = data.split_at(data.len().min((BLOCK_LEN - self.filled) % BLOCK_LEN));
        self.block[self.filled..][..front.len()].copy_from_slice(front);
        self.filled += front.len();
        if self.filled == BLOCK_LEN {
            self.hash.update(&self.block);
            self.filled = 0;
        }
        let (whole, rest) = data.split_at(data.len() / BLOCK_LEN * BLOCK_LEN);
        self.hash.update(whole);
        if !rest.is_empty() {
            self.block[..rest.len()].copy_from_slice(rest);
            self.filled = rest.len();
        }
    }

    /// The tag of the message.
    #[must_use]
    pub fn finalize(mut self) -> Tag {
        let sum = self.hash.finish(&self.block[..self.filled], self.length, 0);
        core::array::from_fn(|i| sum[i] ^ self.mask[i])
    }

    /// Checks a tag of the message, as [`GmacKey::verify`] does.
    ///
    /// # Errors
    /// [`BadMac`](crate::Error::BadMac) if it is not the tag of the message.
    pub fn verify<const N: usize>(self, tag: &[u8; N]) -> Result<()> {
        check_tag(cut(&self.finalize()), tag)
    }
}

impl Drop for Gmac<'_> {
    fn drop(&mut self) {
        self.mask.zeroize();
        self.block.zeroize();
    }
}
