//! CCM: encryption with authentication from the block cipher alone.
use super::{BATCH, BATCH_LEN, chain::Chain, ctr::Counter, front::whole_tag, hide_debug, xor};
use crate::{
    Error, Result, ct,
    sm4::{Aead, BLOCK_LEN, Block, Sm4, add},
};
use zeroize::Zeroize;

mod many;

pub use many::Message;

/// Bytes of a whole tag.
pub const TAG_LEN: usize = 16;
/// Bytes of the nonce that protocols use.
pub const NONCE_LEN: usize = 12;
/// Bytes of nonce and of the length field, together.
const NONCE_AND_LENGTH: usize = 15;

/// SM4-CCM under one key.
///
/// T = CBC-MAC(B_0 ‖ A ‖ P) ⊕ E(A_0), C = P ⊕ E(A_1), E(A_2), ...; A_i = flags ‖ nonce ‖ i.
///
/// A nonce must never be used twice under one key. A nonce of n bytes leaves 15 - n bytes for the length of the data:
/// 13 bytes allow 65535 bytes of data, 12 bytes 16 MiB - 1, 11 bytes 4 GiB - 1. The MAC goes through the data block after block, so CCM is
/// much slower than [`gcm`](super::gcm).
///
/// The tag length is a number in the type where it is not 16: the `..._with_tag` functions take 4, 6, 8, 10, 12,
/// 14 and 16 bytes, other lengths do not compile. A tag of another length authenticates differently: it is not
/// a part of the whole one.
///
/// # Timing
/// Constant in key and data; variable in the lengths.
///
/// # Standard
/// NIST SP 800-38C; RFC 3610; RFC 8998
///
/// # Example
/// ```
/// use shangmi::modes::ccm::Sm4Ccm;
/// let ccm = Sm4Ccm::new(b"0123456789ABCDEF");
/// let mut data = *b"secret";
/// let tag = ccm.seal_in_place(b"unique nonce", b"header", &mut data)?;
/// ccm.open_in_place(b"unique nonce", b"header", &mut data, &tag)?;
/// assert_eq!(&data, b"secret");
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4Ccm {
    cipher: Sm4,
}

hide_debug!(Sm4Ccm);
whole_tag!(Sm4Ccm, #[doc = "At most 16 MiB - 1 of plaintext."]);

impl Sm4Ccm {
    /// Prepares a key.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self {
            cipher: Sm4::new(key),
        }
    }

    /// Encrypts `data` in place and returns the tag.
    ///
    /// - `nonce`: 7 to 13 bytes; never twice under this key
    /// - `aad`: authenticated, not encrypted
    ///
    /// # Errors
    /// [`LengthOutOfRange`](Error::LengthOutOfRange) for another nonce length, or more data than it allows.
    pub fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
    ) -> Result<[u8; TAG_LEN]> {
        self.seal_in_place_with_tag(nonce, aad, data)
    }

    /// [`seal_in_place`](Self::seal_in_place) with a tag of `N` bytes: 4, 6, 8, 10, 12, 14 or 16.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place).
    pub fn seal_in_place_with_tag<const N: usize>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
    ) -> Result<[u8; N]> {
        let start = Start::new::<N>(nonce, aad, data)?;
        let tag = self.crypt(&start, aad, data, Aead::Seal);
        Ok(core::array::from_fn(|i| tag[i]))
    }

    /// [`open_in_place`](Self::open_in_place) with a tag of `N` bytes: 4, 6, 8, 10, 12, 14 or 16.
    ///
    /// # Errors
    /// As [`open_in_place`](Self::open_in_place).
    pub fn open_in_place_with_tag<const N: usize>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
        tag: &[u8; N],
    ) -> Result<()> {
        let start = Start::new::<N>(nonce, aad, data)?;
        let expected = self.crypt(&start, aad, data, Aead::Open);
        if ct::eq(&expected[..N], tag) {
            Ok(())
        } else {
            data.zeroize();
            Err(Error::DecryptFailed)
        }
    }

    /// Adds the key stream and returns the whole tag.
    fn crypt(&self, start: &Start, aad: &[u8], data: &mut [u8], way: Aead) -> Block {
        let (cipher, mut counter) = (&self.cipher, start.counter());
        // B_0 and A_0, which hides the tag, are the first blocks of the first batch.
        let mut stream = [Block::default(); BATCH];
        let (first, others) = data.split_at_mut(data.len().min(BATCH_LEN - 2 * BLOCK_LEN));
        let stream = &mut stream[..2 + first.len().div_ceil(BLOCK_LEN)];
        stream[0] = start.b0;
        counter.next(&mut stream[1..]);
        cipher.encrypt_blocks(stream);
        let mut mac = Mac {
            cipher,
            chain: Chain::new(stream[0]),
        };
        mac.update_aad(aad);
        mac.update(first, way, |data| {
            xor(data, stream[2..].as_flattened());
        });
        for batch in others.chunks_mut(BATCH_LEN) {
            mac.update(batch, way, |data| counter.apply(cipher, data));
        }
        let mut tag = mac.finish();
        add(&mut tag, &stream[1]);
        stream.as_flattened_mut().zeroize();
        tag
    }
}

/// CBC-MAC(B_0 ‖ length of A ‖ A ‖ 0... ‖ P ‖ 0...).
struct Mac<'a> {
    cipher: &'a Sm4,
    chain: Chain,
}

impl Mac<'_> {
    fn update_aad(&mut self, aad: &[u8]) {
        if !aad.is_empty() {
            let (prefix, from) = aad_prefix(aad.len() as u64);
            self.chain.update(self.cipher, &prefix[from..]);
            self.chain.update(self.cipher, aad);
            self.chain.pad();
        }
    }

    /// Adds the key stream to `data`; the plaintext goes into the MAC.
    fn update(&mut self, data: &mut [u8], way: Aead, add_stream: impl FnOnce(&mut [u8])) {
        match way {
            Aead::Seal => {
                self.chain.update(self.cipher, data);
                add_stream(data);
            }
            Aead::Open => {
                add_stream(data);
                self.chain.update(self.cipher, data);
            }
        }
    }

    fn finish(mut self) -> Block {
        self.chain.close(self.cipher)
    }
}

/// The first blocks of MAC and key stream.
struct Start {
    b0: Block,
    a0: Block,
}

impl Start {
    fn new<const N: usize>(nonce: &[u8], aad: &[u8], data: &[u8]) -> Result<Self> {
        const {
            assert!(
                N >= 4 && N <= TAG_LEN && N.is_multiple_of(2),
                "a CCM tag has 4, 6, 8, 10, 12, 14 or 16 bytes"
            );
        }
        if !(7..=13).contains(&nonce.len()) {
            let (what, found) = ("CCM nonce", nonce.len());
            return Err(Error::LengthOutOfRange {
                what,
                min: 7,
                max: 13,
                found,
            });
        }
        let length_len = NONCE_AND_LENGTH - nonce.len();
        let limit = u128::MAX >> (128 - 8 * length_len);
        let found = data.len();
        if found as u128 > limit {
            let (what, max) = ("CCM data under this nonce length", limit as usize);
            return Err(Error::LengthOutOfRange {
                what,
                min: 0,
                max,
                found,
            });
        }
        let mut a0 = Block::default();
        a0[0] = (length_len - 1) as u8;
        a0[1..=nonce.len()].copy_from_slice(nonce);
        let mut b0 = (u128::from_be_bytes(a0) | found as u128).to_be_bytes();
        b0[0] |= (u8::from(!aad.is_empty()) << 6) | (((N - 2) / 2) as u8 * 8);
        Ok(Self { b0, a0 })
    }

    /// A_0, A_1, ... The data has fewer bytes than there are counters: none carries into the nonce.
    fn counter(&self) -> Counter {
        Counter {
            value: u128::from_be_bytes(self.a0),
            mask: u128::MAX,
        }
    }
}

/// The length of the associated data as CCM writes it: the bytes from the index on.
fn aad_prefix(len: u64) -> ([u8; 10], usize) {
    let mut prefix = [0xff; 10];
    prefix[2..].copy_from_slice(&len.to_be_bytes());
    if len < 0xff00 {
        (prefix, 8)
    } else if let Ok(len) = u32::try_from(len) {
        prefix[4..6].copy_from_slice(&[0xff, 0xfe]);
        prefix[6..].copy_from_slice(&len.to_be_bytes());
        (prefix, 4)
    } else {
        (prefix, 0)
    }
}
