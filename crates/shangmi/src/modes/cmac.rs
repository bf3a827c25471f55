//! CMAC: authenticates messages of any length with the block cipher alone.
use super::{chain::Chain, check_tag, hide_debug, many, xor};
use crate::{
    Result,
    error::exact_len,
    sm4::{BLOCK_LEN, Block, KEY_LEN, Sm4},
};
use zeroize::Zeroize;

/// Bytes of a whole tag.
pub const TAG_LEN: usize = BLOCK_LEN;
/// Fewest bytes of a tag that is cut: 64 bits, which nobody guesses in the number of attempts that a receiver allows.
pub const MIN_TAG_LEN: usize = 8;

/// A tag of SM4-CMAC. Compare tags with [`CmacKey::verify`], never with `==`.
pub type Tag = [u8; TAG_LEN];

/// A prepared key of SM4-CMAC: the round keys and the two masks. Wiped on drop.
///
/// X_i = E(X_{i-1} ⊕ M_i), X_0 = 0; the last block is M_n ⊕ K1 if it is whole, else (M_n ‖ 10...0) ⊕ K2; the tag
/// is X_n. K1 = E(0)·x and K2 = K1·x in GF(2^128).
///
/// Tags of 8 to 15 bytes are the first of the whole one; shorter ones do not compile. One block waits for the other:
/// who has many messages should hand them over together, to [`mac_many`](Self::mac_many).
///
/// # Timing
/// Constant in key and message; variable in the length.
///
/// # Standard
/// GB/T 15852.1-2020, MAC algorithm 5; NIST SP 800-38B; RFC 4493
///
/// # Example
/// ```
/// use shangmi::modes::cmac::CmacKey;
/// let key = CmacKey::new(b"0123456789ABCDEF");
/// let tag = key.mac(b"message");
/// assert!(key.verify(b"message", &tag).is_ok());
/// assert!(key.verify(b"massage", &tag).is_err());
/// let short: [u8; 8] = key.mac_with_tag(b"message");
/// assert!(key.verify(b"message", &short).is_ok());
/// ```
#[derive(Clone)]
pub struct CmacKey {
    cipher: Sm4,
    /// K1, for a whole last block.
    whole: Block,
    /// K2, for a padded one.
    padded: Block,
}

/// SM4-CMAC of a message that arrives in pieces. Wiped on drop.
///
/// # Timing
/// Constant in key and message; variable in the length.
///
/// # Standard
/// GB/T 15852.1-2020, MAC algorithm 5; NIST SP 800-38B; RFC 4493
///
/// # Example
/// ```
/// use shangmi::modes::cmac::{Cmac, CmacKey};
/// let mut mac = Cmac::new(b"0123456789ABCDEF");
/// mac.update(b"in ");
/// mac.update(b"pieces");
/// assert_eq!(mac.finalize(), CmacKey::new(b"0123456789ABCDEF").mac(b"in pieces"));
/// ```
#[derive(Clone)]
pub struct Cmac {
    key: CmacKey,
    chain: Chain,
}

hide_debug!(CmacKey, Cmac);

impl CmacKey {
    /// Prepares a key.
    #[must_use]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        Self::from_cipher(&Sm4::new(key))
    }

    /// Prepares a key that is expanded already. It should serve no other purpose.
    #[must_use]
    pub fn from_cipher(cipher: &Sm4) -> Self {
        let mut zero = Block::default();
        cipher.encrypt_block(&mut zero);
        let whole = times_x(&zero);
        zero.zeroize();
        Self {
            cipher: cipher.clone(),
            padded: times_x(&whole),
            whole,
        }
    }

    /// Computes the tag of `message`.
    ///
    /// - `message`: any length, bytes
    /// - returns: 16 bytes
    #[must_use]
    pub fn mac(&self, message: &[u8]) -> Tag {
        let mut chain = Chain::new([0; BLOCK_LEN]);
        chain.update(&self.cipher, message);
        self.close(&mut chain)
    }

    /// Computes a tag of `N` = 8 to 16 bytes: the first of the whole one.
    #[must_use]
    pub fn mac_with_tag<const N: usize>(&self, message: &[u8]) -> [u8; N] {
        cut(&self.mac(message))
    }

    /// Checks a tag of `N` = 8 to 16 bytes. The receiver must know N beforehand; the sender's word does not
    /// count.
    ///
    /// # Errors
    /// [`BadMac`](crate::Error::BadMac) if it is not the tag of `message` under this key.
    ///
    /// # Timing
    /// Does not tell how much of a wrong tag was right.
    pub fn verify<const N: usize>(&self, message: &[u8], tag: &[u8; N]) -> Result<()> {
        check_tag(self.mac_with_tag(message), tag)
    }

    /// Computes the tags of many messages: `out[i]` is the tag of `messages[i]`. They are computed side by side, up
    /// to 128 at a time, many times as fast as one after the other.
    ///
    /// - `messages`: of any lengths, equal or not; the longest first is best
    /// - `out`: one tag for each message
    ///
    /// # Errors
    /// [`InvalidLength`](crate::Error::InvalidLength) when `out` has not as many tags as there are messages; `out` is then
    /// untouched.
    ///
    /// # Example
    /// ```
    /// use shangmi::modes::cmac::{CmacKey, TAG_LEN};
    /// let key = CmacKey::new(b"0123456789ABCDEF");
    /// let mut tags = [[0; TAG_LEN]; 2];
    /// key.mac_many(&[b"one", b"another"], &mut tags)?;
    /// assert_eq!(tags[1], key.mac(b"another"));
    /// # Ok::<(), shangmi::Error>(())
    /// ```
    pub fn mac_many(&self, messages: &[&[u8]], out: &mut [Tag]) -> Result<()> {
        let expected = messages.len().saturating_mul(TAG_LEN);
        exact_len("buffer for the tags", expected, size_of_val(out))?;
        let lanes = messages.iter().zip(out).map(|(message, out)| {
            let rest = Some(*message);
            (
                Block::default(),
                InLane {
                    key: self,
                    rest,
                    out,
                },
            )
        });
        many::run(&self.cipher, lanes);
        Ok(())
    }

    /// Begins a message that arrives in pieces.
    #[must_use]
    pub fn start(&self) -> Cmac {
        Cmac {
            key: self.clone(),
            chain: Chain::new([0; BLOCK_LEN]),
        }
    }

    /// The tag, from the chain with the last block in it.
    fn close(&self, chain: &mut Chain) -> Tag {
        finish_last(&mut chain.sum, chain.filled, self);
        self.cipher.encrypt_block(&mut chain.sum);
        chain.sum
    }
}

impl Cmac {
    /// Begins a message under `key`.
    #[must_use]
    pub fn new(key: &[u8; KEY_LEN]) -> Self {
        CmacKey::new(key).start()
    }

    /// Appends `data` (any length, bytes) to the message.
    pub fn update(&mut self, data: &[u8]) {
        self.chain.update(&self.key.cipher, data);
    }

    /// The tag of the message.
    #[must_use]
    pub fn finalize(mut self) -> Tag {
        self.key.close(&mut self.chain)
    }

    /// Checks a tag of the message, as [`CmacKey::verify`] does.
    ///
    /// # Errors
    /// [`BadMac`](crate::Error::BadMac) if it is not the tag of the message under this key.
    pub fn verify<const N: usize>(self, tag: &[u8; N]) -> Result<()> {
        check_tag(cut(&self.finalize()), tag)
    }
}

impl Drop for CmacKey {
    fn drop(&mut self) {
        self.whole.zeroize();
        self.padded.zeroize();
    }
}

/// A message of [`CmacKey::mac_many`].
struct InLane<'a> {
    key: &'a CmacKey,
    /// The bytes to come, before the end.
    rest: Option<&'a [u8]>,
    out: &'a mut Tag,
}

impl<'a> many::Message for InLane<'a> {
    type Blocks = &'a [Block];

    fn next(&mut self, chain: &mut Block) -> Option<&'a [Block]> {
        let rest = self.rest?;
        let before_last = rest.len().saturating_sub(1) / BLOCK_LEN * BLOCK_LEN;
        let (front, last) = rest.split_at(before_last);
        if !front.is_empty() {
            self.rest = Some(last);
            return Some(front.as_chunks().0);
        }
        self.rest = None;
        xor(chain, last);
        finish_last(chain, last.len(), self.key);
        Some(&many::ZEROS)
    }

    fn done(self, chain: &Block) {
        *self.out = *chain;
    }
}

/// Pads a last block of `filled` bytes, if it is not whole, and adds the mask.
fn finish_last(block: &mut Block, filled: usize, key: &CmacKey) {
    if let Some(next) = block.get_mut(filled) {
        *next ^= 0x80;
        xor(block, &key.padded);
    } else {
        xor(block, &key.whole);
    }
}

/// The product with x modulo x^128 + x^7 + x^2 + x + 1.
fn times_x(block: &Block) -> Block {
    let value = u128::from_be_bytes(*block);
    let carry = value >> 127;
    ((value << 1) ^ (carry * 0x87)).to_be_bytes()
}

/// The first bytes of a tag.
fn cut<const N: usize>(tag: &Tag) -> [u8; N] {
    const {
        assert!(
            N >= MIN_TAG_LEN && N <= TAG_LEN,
            "a CMAC tag has 8 to 16 bytes"
        );
    }
    core::array::from_fn(|i| tag[i])
}
