//! GCM: encryption with authentication, side by side.
use super::{BATCH, BATCH_LEN, ctr::Counter, front::whole_tag, hide_debug, xor};
use crate::{
    Error, Result, ct,
    ghash::{self, Ghash},
    sm4::{Aead, BLOCK_LEN, Block, Sm4},
};
use zeroize::Zeroize;

/// Bytes of a whole tag.
pub const TAG_LEN: usize = 16;
/// Bytes of the nonce that protocols use.
pub const NONCE_LEN: usize = 12;
/// Most blocks of one message: the 32-bit counter has 2^32 values, of which the tag takes one and one is not used.
const MAX_BLOCKS: u64 = (1 << 32) - 2;
/// Blocks of key stream, E(J_0) among them, for which a small buffer does.
const SHORT: usize = 16;

/// SM4-GCM under one key.
///
/// C = P ⊕ E(J_0 + 1), E(J_0 + 2), ...; T = GHASH(A, C) ⊕ E(J_0); J_0 = N ‖ 1 for a nonce N of 12 bytes,
/// else GHASH(N).
///
/// **A nonce must never be used twice under one key**: the sum of the two plaintexts shows, and the hash key, so that
/// anybody can forge from then on. Count, or draw random nonces for at most 2^32 messages.
///
/// The tag length is a number in the type where it is not 16: the `..._with_tag` functions take 12 to 16
/// bytes, other lengths do not compile.
///
/// # Timing
/// Constant in key and data; variable in the lengths.
///
/// # Standard
/// NIST SP 800-38D; RFC 8998
///
/// # Example
/// ```
/// use shangmi::modes::gcm::Sm4Gcm;
/// let gcm = Sm4Gcm::new(b"0123456789ABCDEF");
/// let mut data = *b"secret";
/// let tag = gcm.seal_in_place(b"unique nonce", b"header", &mut data)?;
/// gcm.open_in_place(b"unique nonce", b"header", &mut data, &tag)?;
/// assert_eq!(&data, b"secret");
/// # Ok::<(), shangmi::Error>(())
/// ```
#[derive(Clone)]
pub struct Sm4Gcm {
    cipher: Sm4,
    hash_key: ghash::Key,
}

hide_debug!(Sm4Gcm);
whole_tag!(Sm4Gcm, #[doc = "At most 2^32 messages under one key: then two nonces are equal with probability 2^-33."]);

impl Sm4Gcm {
    /// Prepares a key.
    #[must_use]
    pub fn new(key: &[u8; 16]) -> Self {
        Self::from_cipher(&Sm4::new(key))
    }

    /// Prepares a key that is expanded already. It should serve no other purpose.
    #[must_use]
    pub fn from_cipher(cipher: &Sm4) -> Self {
        let mut h = Block::default();
        cipher.encrypt_block(&mut h);
        let hash_key = ghash::Key::new(&h);
        h.zeroize();
        Self {
            cipher: cipher.clone(),
            hash_key,
        }
    }

    /// Encrypts `data` in place and returns the tag.
    ///
    /// - `nonce`: 1 byte or more, 12 best; never twice under this key
    /// - `aad`: authenticated, not encrypted
    ///
    /// # Errors
    /// [`LengthOutOfRange`](Error::LengthOutOfRange) for an empty nonce;
    /// [`CounterExhausted`](Error::CounterExhausted) for more than 2^32 - 2 blocks.
    pub fn seal_in_place(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
    ) -> Result<[u8; TAG_LEN]> {
        self.crypt(nonce, aad, data, Aead::Seal)
    }

    /// [`seal_in_place`](Self::seal_in_place) with a tag of `N` = 12 to 16 bytes: the first of the whole one.
    ///
    /// # Errors
    /// As [`seal_in_place`](Self::seal_in_place).
    pub fn seal_in_place_with_tag<const N: usize>(
        &self,
        nonce: &[u8],
        aad: &[u8],
        data: &mut [u8],
    ) -> Result<[u8; N]> {
        Ok(cut(&self.seal_in_place(nonce, aad, data)?))
    }

    /// [`open_in_place`](Self::open_in_place) with a tag of `N` = 12 to 16 bytes.
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
        let expected = self.crypt(nonce, aad, data, Aead::Open)?;
        if ct::eq(&cut::<N>(&expected), tag) {
            Ok(())
        } else {
            data.zeroize();
            Err(Error::DecryptFailed)
        }
    }

    /// The name of the code that runs for this key, the cipher's. [`hash_backend`](Self::hash_backend)
    /// has the hash's.
    #[must_use]
    pub fn backend(&self) -> &'static str {
        self.cipher.backend()
    }

    /// The name of the code that computes GHASH for this key.
    #[must_use]
    pub fn hash_backend(&self) -> &'static str {
        self.hash_key.backend()
    }

    fn initial_counter(&self, nonce: &[u8]) -> Result<Counter> {
        let mut block = Block::default();
        if nonce.is_empty() {
            let (what, max) = ("GCM nonce", isize::MAX as usize);
            return Err(Error::LengthOutOfRange {
                what,
                min: 1,
                max,
                found: 0,
            });
        } else if nonce.len() == NONCE_LEN {
            block[..NONCE_LEN].copy_from_slice(nonce);
            block[BLOCK_LEN - 1] = 1;
        } else {
            let mut hash = self.hash_key.start();
            block = hash.finish(nonce, 0, nonce.len() as u64);
        }
        Ok(Counter::new32(&block))
    }

    /// A hash of associated data alone, and what hides it.
    pub(super) fn start_mac(&self, nonce: &[u8]) -> Result<(Ghash<'_>, Block)> {
        let mut mask = [Block::default()];
        self.initial_counter(nonce)?.fill(&self.cipher, &mut mask);
        Ok((self.hash_key.start(), mask[0]))
    }

    /// Adds the key stream and returns the whole tag.
    fn crypt(&self, nonce: &[u8], aad: &[u8], data: &mut [u8], way: Aead) -> Result<[u8; TAG_LEN]> {
        if data.len().div_ceil(BLOCK_LEN) as u64 > MAX_BLOCKS {
            return Err(Error::CounterExhausted);
        }
        let initial = self.initial_counter(nonce)?;
        let last = data.len() % BATCH_LEN;
        Ok(if last.div_ceil(BLOCK_LEN) < SHORT {
            self.crypt_last::<SHORT>(initial, aad, data, way)
        } else {
            self.crypt_last::<{ BATCH + 1 }>(initial, aad, data, way)
        })
    }

    /// The same, if the blocks after the last whole group are fewer than `N`.
    ///
    /// E(J_0), which hides the tag, is computed side by side with the key stream for those, and before the groups, where
    /// the processor need not wait for it.
    fn crypt_last<const N: usize>(
        &self,
        mut counter: Counter,
        aad: &[u8],
        data: &mut [u8],
        way: Aead,
    ) -> [u8; TAG_LEN] {
        let lengths = (aad.len() as u64, data.len() as u64);
        let (groups, last) = data.as_chunks_mut();
        let mut stream = [Block::default(); N];
        let stream = &mut stream[..1 + last.len().div_ceil(BLOCK_LEN)];
        counter.next(&mut stream[..1]);
        let mut last_counter = counter.clone();
        last_counter.advance((groups.len() * BATCH) as u128);
        last_counter.next(&mut stream[1..]);
        self.cipher.encrypt_blocks(stream);
        let mut hash = self.hash_key.start();
        hash.update(aad);
        self.crypt_groups(&mut counter, groups, way, &mut hash);
        let last_stream = stream[1..].as_flattened();
        let tag = match way {
            Aead::Open => {
                let tag = hash.finish(last, lengths.0, lengths.1);
                xor(last, last_stream);
                tag
            }
            Aead::Seal => {
                xor(last, last_stream);
                hash.finish(last, lengths.0, lengths.1)
            }
        };
        let tag = core::array::from_fn(|i| tag[i] ^ stream[0][i]);
        stream.as_flattened_mut().zeroize();
        tag
    }

    fn crypt_groups(
        &self,
        counter: &mut Counter,
        groups: &mut [[u8; BATCH_LEN]],
        way: Aead,
        hash: &mut Ghash<'_>,
    ) {
        let done = counter.apply_groups(&self.cipher, groups, Some((way, &mut *hash)));
        for group in &mut groups[done..] {
            match way {
                Aead::Open => {
                    hash.update(group);
                    counter.apply(&self.cipher, group);
                }
                Aead::Seal => {
                    counter.apply(&self.cipher, group);
                    hash.update(group);
                }
            }
        }
    }
}

/// The first bytes of a tag.
pub(super) fn cut<const N: usize>(tag: &[u8; TAG_LEN]) -> [u8; N] {
    const { assert!(N >= 12 && N <= TAG_LEN, "the tag has 12 to 16 bytes") }
    core::array::from_fn(|i| tag[i])
}
