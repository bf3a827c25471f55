//! XTS: sectors of a disk, each with its number as a tweak. Two standards that differ.
//!
//! They agree on the first block of a data unit and differ from the second on, in how α multiplies the tweak:
//! [`XtsGb`] is GB/T 17964-2021 (OpenSSL's default, GmSSL), [`XtsIeee`] is IEEE 1619 (Botan, libgcrypt). Data written by
//! one is not read by the other, and nothing tells them apart but the plaintext.
use super::{BATCH, hide_debug, xor};
use crate::{
    Error, Result, ct,
    error::exact_len,
    sm4::{
        BLOCK_LEN, Block,
        Direction::{self, Decrypt, Encrypt},
        Sm4,
    },
};
use core::marker::PhantomData;
use zeroize::Zeroize;

/// SM4-XTS as GB/T 17964-2021 has it: the tweak's first bit is the coefficient of x^0; α shifts it right and
/// feeds back E1 in the first byte.
///
/// C_j = E_1(P_j ⊕ T_j) ⊕ T_j, T_j = E_2(tweak) α^j; a last block that is not whole steals from the one before.
///
/// Unauthenticated: a changed block decrypts to random bytes, and an old one can be put back. A data unit should
/// not exceed 2^20 blocks.
///
/// # Timing
/// Constant in key, tweak and data; variable in the length.
///
/// # Standard
/// GB/T 17964-2021, XTS
///
/// # Example
/// ```
/// use shangmi::modes::xts::XtsGb;
/// let xts = XtsGb::new(b"0123456789ABCDEFfedcba9876543210")?;
/// let sector = 5_u128.to_le_bytes();
/// let mut data = *b"seventeen bytes..";
/// xts.encrypt_in_place(&sector, &mut data)?;
/// xts.decrypt_in_place(&sector, &mut data)?;
/// assert_eq!(&data, b"seventeen bytes..");
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone)]
pub struct XtsGb(Xts<Gb>);

/// SM4-XTS as IEEE 1619 has it for AES: the tweak is a little-endian number; α shifts it left and feeds back
/// 87 in the first byte.
///
/// Everything else as [`XtsGb`].
///
/// # Timing
/// Constant in key, tweak and data; variable in the length.
///
/// # Standard
/// IEEE 1619-2018, with SM4 for AES
#[derive(Clone)]
pub struct XtsIeee(Xts<Ieee>);

hide_debug!(XtsGb, XtsIeee);

macro_rules! methods {
    ($name:ident) => {
        impl $name {
            /// Takes key 1 (data) ‖ key 2 (tweak).
            ///
            /// # Errors
            /// [`OutOfRange`](Error::OutOfRange) for two equal keys, which break the mode's proof.
            pub fn new(key: &[u8; 32]) -> Result<Self> {
                Xts::new(key).map(Self)
            }

            /// Encrypts one data unit in place.
            ///
            /// - `tweak`: its number, usually little-endian; the same length of 16 bytes in both standards
            ///
            /// # Errors
            /// [`LengthOutOfRange`](Error::LengthOutOfRange) for fewer than 16 bytes.
            pub fn encrypt_in_place(&self, tweak: &Block, data: &mut [u8]) -> Result<()> {
                self.0.encrypt(tweak, data)
            }

            /// Decrypts one data unit in place.
            ///
            /// # Errors
            /// As [`encrypt_in_place`](Self::encrypt_in_place).
            pub fn decrypt_in_place(&self, tweak: &Block, data: &mut [u8]) -> Result<()> {
                self.0.decrypt(tweak, data)
            }

            /// Encrypts one data unit from `input` to `output`.
            ///
            /// # Errors
            /// As [`encrypt_in_place`](Self::encrypt_in_place); [`InvalidLength`](Error::InvalidLength)
            /// unless both have one length.
            pub fn encrypt(&self, tweak: &Block, input: &[u8], output: &mut [u8]) -> Result<()> {
                exact_len("output", input.len(), output.len())?;
                output.copy_from_slice(input);
                self.encrypt_in_place(tweak, output)
            }

            /// Decrypts one data unit from `input` to `output`.
            ///
            /// # Errors
            /// As [`encrypt`](Self::encrypt).
            pub fn decrypt(&self, tweak: &Block, input: &[u8], output: &mut [u8]) -> Result<()> {
                exact_len("output", input.len(), output.len())?;
                output.copy_from_slice(input);
                self.decrypt_in_place(tweak, output)
            }
        }
    };
}
methods!(XtsGb);
methods!(XtsIeee);

/// How a standard writes the elements of GF(2^128), modulo x^128 + x^7 + x^2 + x + 1.
trait Field {
    /// Whether the lowest coefficient of a byte is its highest bit.
    const REVERSED: bool;
    fn read(block: Block) -> u128;
    fn write(element: u128) -> Block;
    /// The element times α = x.
    fn double(element: u128) -> u128;

    /// From this standard's number to that whose bit i is the coefficient of x^i, and back.
    fn turn(element: u128) -> u128 {
        if Self::REVERSED {
            element.reverse_bits()
        } else {
            element
        }
    }
}

#[derive(Clone)]
struct Gb;
#[derive(Clone)]
struct Ieee;

impl Field for Gb {
    const REVERSED: bool = true;

    fn read(block: Block) -> u128 {
        u128::from_be_bytes(block)
    }

    fn write(element: u128) -> Block {
        element.to_be_bytes()
    }

    fn double(element: u128) -> u128 {
        element >> 1 ^ (element & 1).wrapping_neg() & 0xe1 << 120
    }
}

impl Field for Ieee {
    const REVERSED: bool = false;

    fn read(block: Block) -> u128 {
        u128::from_le_bytes(block)
    }

    fn write(element: u128) -> Block {
        element.to_le_bytes()
    }

    fn double(element: u128) -> u128 {
        element << 1 ^ (element >> 127).wrapping_neg() & 0x87
    }
}

#[derive(Clone)]
struct Xts<F> {
    data_cipher: Sm4,
    tweak_cipher: Sm4,
    field: PhantomData<F>,
}

impl<F: Field> Xts<F> {
    fn new(key: &[u8; 32]) -> Result<Self> {
        let [key1, key2] = [0, 16].map(|at| core::array::from_fn(|i| key[at + i]));
        if ct::eq(&key1, &key2) {
            return Err(Error::OutOfRange {
                what: "XTS key, whose halves must differ",
            });
        }
        let (data_cipher, tweak_cipher) = (Sm4::new(&key1), Sm4::new(&key2));
        Ok(Self {
            data_cipher,
            tweak_cipher,
            field: PhantomData,
        })
    }

    /// T_0.
    fn start(&self, tweak: &Block, data: &[u8]) -> Result<u128> {
        if data.len() < BLOCK_LEN {
            let (what, max, found) = ("XTS data unit", isize::MAX as usize, data.len());
            return Err(Error::LengthOutOfRange {
                what,
                min: BLOCK_LEN,
                max,
                found,
            });
        }
        let mut block = *tweak;
        self.tweak_cipher.encrypt_block(&mut block);
        Ok(F::read(block))
    }

    fn encrypt(&self, tweak: &Block, data: &mut [u8]) -> Result<()> {
        let start = self.start(tweak, data)?;
        let (whole, rest) = data.as_chunks_mut();
        let next = self.blocks(start, whole, Encrypt);
        if let (Some(last), false) = (whole.last_mut(), rest.is_empty()) {
            last[..rest.len()].swap_with_slice(rest);
            self.blocks(next, core::slice::from_mut(last), Encrypt);
        }
        Ok(())
    }

    fn decrypt(&self, tweak: &Block, data: &mut [u8]) -> Result<()> {
        let start = self.start(tweak, data)?;
        let (whole, rest) = data.as_chunks_mut();
        if rest.is_empty() {
            self.blocks(start, whole, Decrypt);
        } else if let Some((last, before)) = whole.split_last_mut() {
            // The last whole block was encrypted under the tweak after the next.
            let next = self.blocks(start, before, Decrypt);
            let last = core::slice::from_mut(last);
            self.blocks(F::double(next), last, Decrypt);
            last[0][..rest.len()].swap_with_slice(rest);
            self.blocks(next, last, Decrypt);
        }
        Ok(())
    }

    /// Processes whole blocks, the first under `tweak`, and returns the tweak after them.
    fn blocks(&self, tweak: u128, blocks: &mut [Block], order: Direction) -> u128 {
        let (groups, _) = blocks.as_flattened_mut().as_chunks_mut();
        let next = if groups.is_empty() {
            None
        } else {
            (self.data_cipher).crypt_tweaked(order, F::turn(tweak), F::REVERSED, groups)
        };
        match next {
            Some(next) => {
                let done = groups.len() * BATCH;
                self.few_blocks(F::turn(next), &mut blocks[done..], order)
            }
            None => self.few_blocks(tweak, blocks, order),
        }
    }

    fn few_blocks(&self, mut tweak: u128, blocks: &mut [Block], order: Direction) -> u128 {
        let mut tweaks = [Block::default(); BATCH];
        let used = blocks.len().min(BATCH);
        for batch in blocks.chunks_mut(BATCH) {
            for block in &mut tweaks[..batch.len()] {
                *block = F::write(tweak);
                tweak = F::double(tweak);
            }
            xor(batch.as_flattened_mut(), tweaks.as_flattened());
            match order {
                Encrypt => self.data_cipher.encrypt_blocks(batch),
                Decrypt => self.data_cipher.decrypt_blocks(batch),
            }
            xor(batch.as_flattened_mut(), tweaks.as_flattened());
        }
        tweaks[..used].as_flattened_mut().zeroize();
        tweak
    }
}
