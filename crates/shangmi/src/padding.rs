//! How a message is brought to whole blocks.
//!
//! | | last block of `ABC` | message of whole blocks |
//! |---|---|---|
//! | [`Pkcs7`](Padding::Pkcs7) | `ABC` 0d 0d ... 0d | one more block, 10 ... 10 |
//! | [`AnsiX923`](Padding::AnsiX923) | `ABC` 00 ... 00 0d | one more block, 00 ... 10 |
//! | [`Iso7816`](Padding::Iso7816) | `ABC` 80 00 ... 00 | one more block, 80 00 ... 00 |
//! | [`Zero`](Padding::Zero) | `ABC` 00 ... 00 | nothing added |
//! | [`None`](Padding::None) | refused | nothing added |
use crate::{
    Error, Result, ct,
    sm4::{BLOCK_LEN, Block},
};
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq, ConstantTimeLess};

/// A padding scheme.
///
/// # Example
/// ```
/// use shangmi::padding::Padding;
/// let block = Padding::Pkcs7.pad(b"tail")?.expect("PKCS#7 always pads");
/// assert_eq!(&block, b"tail\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c\x0c");
/// assert_eq!(Padding::Pkcs7.unpad(&block)?, 4);
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// n bytes n, n = 1 to 16 (RFC 5652, section 6.3; GB/T 17964-2021).
    Pkcs7,
    /// n - 1 zero bytes, then n (ANSI X9.23).
    AnsiX923,
    /// 80, then zero bytes (ISO/IEC 7816-4).
    Iso7816,
    /// Zero bytes up to the block boundary, none on it. Removal takes the message's own zeros at the end too.
    Zero,
    /// The message has whole blocks already.
    None,
}

impl Padding {
    /// The last block, made from the bytes after the last whole block; none when nothing is to be added.
    ///
    /// - `tail`: 0 to 15 bytes
    ///
    /// # Errors
    /// [`NotMultiple`](Error::NotMultiple) for [`Padding::None`] and a tail;
    /// [`LengthOutOfRange`](Error::LengthOutOfRange) for a tail of a block or more.
    pub fn pad(self, tail: &[u8]) -> Result<Option<Block>> {
        let found = tail.len();
        if found >= BLOCK_LEN {
            let (what, max) = ("bytes after the last whole block", BLOCK_LEN - 1);
            return Err(Error::LengthOutOfRange {
                what,
                min: 0,
                max,
                found,
            });
        }
        let fill = (BLOCK_LEN - found) as u8;
        let mut block = [0; BLOCK_LEN];
        match self {
            Self::Pkcs7 => block = [fill; BLOCK_LEN],
            Self::AnsiX923 => block[BLOCK_LEN - 1] = fill,
            Self::Iso7816 => block[found] = 0x80,
            Self::Zero | Self::None if found == 0 => return Ok(None),
            Self::Zero => {}
            Self::None => {
                return Err(Error::NotMultiple {
                    what: "plaintext",
                    unit: BLOCK_LEN,
                    found,
                });
            }
        }
        block[..found].copy_from_slice(tail);
        Ok(Some(block))
    }

    /// The number of message bytes, 0 to 16, in the decrypted last block.
    ///
    /// # Errors
    /// [`DecryptFailed`](Error::DecryptFailed) when the block does not end in this padding.
    ///
    /// # Timing
    /// Constant: every byte of the block is looked at whatever it holds. The answer itself is the caller's to
    /// keep: telling an attacker of failure is a padding oracle.
    pub fn unpad(self, last: &Block) -> Result<usize> {
        let (len, good) = match self {
            Self::Pkcs7 => counted(last, last[BLOCK_LEN - 1]),
            Self::AnsiX923 => counted(last, 0),
            Self::Iso7816 => {
                let len = without_zeros(last);
                let marker = (0..BLOCK_LEN as u8).fold(0, |marker, i| {
                    let at_end = len.ct_eq(&(i + 1));
                    marker | u8::conditional_select(&0, &last[usize::from(i)], at_end)
                });
                (len.wrapping_sub(1), marker.ct_eq(&0x80))
            }
            Self::Zero => (without_zeros(last), Choice::from(1)),
            Self::None => (BLOCK_LEN as u8, Choice::from(1)),
        };
        if ct::public(good.into()) {
            Ok(len.into())
        } else {
            Err(Error::DecryptFailed)
        }
    }

    /// Whether every padded message has at least one block.
    #[must_use]
    pub const fn is_never_empty(self) -> bool {
        matches!(self, Self::Pkcs7 | Self::AnsiX923 | Self::Iso7816)
    }

    /// `front`, which is whole blocks, and the padded message.
    #[cfg(feature = "alloc")]
    pub(crate) fn pad_message(self, front: &[u8], message: &[u8]) -> Result<alloc::vec::Vec<u8>> {
        let (whole, tail) = message.split_at(message.len() / BLOCK_LEN * BLOCK_LEN);
        // One allocation: a vector that grew would leave plaintext behind.
        let mut data = alloc::vec::Vec::with_capacity(front.len() + whole.len() + BLOCK_LEN);
        let last = self.pad(tail).map_err(|error| match error {
            Error::NotMultiple { what, unit, .. } => Error::NotMultiple {
                what,
                unit,
                found: message.len(),
            },
            other => other,
        })?;
        data.extend_from_slice(front);
        data.extend_from_slice(whole);
        data.extend_from_slice(last.as_ref().map_or(&[], |block| block));
        Ok(data)
    }

    /// Cuts the padding off decrypted blocks, or wipes them and fails.
    #[cfg(feature = "alloc")]
    pub(crate) fn unpad_message(
        self,
        mut data: alloc::vec::Vec<u8>,
    ) -> Result<alloc::vec::Vec<u8>> {
        let kept = match data.split_last_chunk() {
            Some((front, last)) => self.unpad(last).map(|len| front.len() + len),
            None if self.is_never_empty() => Err(Error::DecryptFailed),
            None => Ok(0),
        };
        match kept {
            Ok(len) => data.truncate(len),
            Err(error) => {
                zeroize::Zeroize::zeroize(data.as_mut_slice());
                return Err(error);
            }
        }
        Ok(data)
    }
}

/// For padding that ends in its own length: the bytes before it, and whether it is 1 to 16 long and all
/// others are `fill`.
fn counted(last: &Block, fill: u8) -> (u8, Choice) {
    let [before @ .., count] = last;
    let mut good = !count.ct_eq(&0) & count.ct_lt(&(BLOCK_LEN as u8 + 1));
    for (i, byte) in before.iter().enumerate() {
        let from_end = (BLOCK_LEN - i) as u8;
        good &= count.ct_lt(&from_end) | byte.ct_eq(&fill);
    }
    ((BLOCK_LEN as u8).wrapping_sub(*count), good)
}

/// The length without zero bytes at the end.
fn without_zeros(last: &Block) -> u8 {
    (1..).zip(last).fold(0, |len, (end, byte)| {
        u8::conditional_select(&end, &len, byte.ct_eq(&0))
    })
}
