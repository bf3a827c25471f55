//! HMAC-SM3: authenticates a message under a secret key.
//!
//! HMAC(K, M) = SM3((K ⊕ opad) ‖ SM3((K ⊕ ipad) ‖ M)). A key that is used more than once is worth a
//! [`HmacKey`]: it has compressed both padded keys, so that a message of up to 55 bytes costs two
//! compressions instead of four.
use core::{fmt, slice};

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::compress::Backend;
use super::multi::Engine;
use super::multi::messages::{InPlace, Messages};
use super::{BLOCK_LEN, Block, DIGEST_LEN, Sm3, State, absorb_last, consts, digest, to_bytes};
use crate::error::exact_len;
use crate::{Error, Result, ct};

/// Bytes of a tag.
pub const TAG_LEN: usize = DIGEST_LEN;

/// A tag of HMAC-SM3. Compare tags with [`HmacKey::verify`], never with `==`.
pub type Tag = [u8; TAG_LEN];

/// A prepared key: the chaining values after K ⊕ ipad and after K ⊕ opad. Wiped on drop.
///
/// # Timing
/// Depends on the lengths of key and message only.
///
/// # Standard
/// GB/T 15852.2-2012; RFC 2104
///
/// # Example
/// ```
/// use shangmi::sm3::hmac::HmacKey;
///
/// let key = HmacKey::new(b"a key of at least 32 random bytes");
/// let tag = key.mac(b"message");
/// assert!(key.verify(b"message", &tag).is_ok());
/// assert!(key.verify(b"massage", &tag).is_err());
/// ```
#[derive(Clone)]
pub struct HmacKey {
    inner: State,
    outer: State,
    backend: Backend,
}

impl HmacKey {
    /// Prepares `key` (any length, bytes; one above 64 bytes is replaced by its digest).
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        let mut block = [0; BLOCK_LEN];
        if key.len() > BLOCK_LEN {
            let mut short = digest(key);
            block[..DIGEST_LEN].copy_from_slice(&short);
            short.as_mut_slice().zeroize();
        } else {
            block[..key.len()].copy_from_slice(key);
        }
        #[cfg(feature = "__ct-leaks")]
        ct::leaks::hmac(block[0].into());
        let backend = Backend::detect();
        let inner = after_padded_key(backend, &mut block, IPAD);
        let outer = after_padded_key(backend, &mut block, IPAD ^ OPAD);
        block.as_mut_slice().zeroize();
        Self {
            inner,
            outer,
            backend,
        }
    }

    /// Computes the tag of `message`.
    ///
    /// - `message`: any length, bytes
    /// - returns: 32 bytes
    #[must_use]
    pub fn mac(&self, message: &[u8]) -> Tag {
        let mut state = self.inner;
        absorb_last(self.backend, &mut state, BLOCK_LEN as u64, message);
        self.close(&state)
    }

    /// Computes the tags of many messages: `out[i]` is the tag of `messages[i]`.
    ///
    /// - `messages`: of any lengths, equal or not
    /// - `out`: one tag for each message
    ///
    /// # Errors
    /// [`Error::InvalidLength`] when `out` has not as many tags as there are messages; `out` is then
    /// untouched.
    pub fn mac_many(&self, messages: &[&[u8]], out: &mut [Tag]) -> Result<()> {
        let expected = messages.len().saturating_mul(TAG_LEN);
        exact_len("buffer for the tags", expected, size_of_val(out))?;
        if messages.len() <= FEW {
            for (message, tag) in messages.iter().zip(out) {
                *tag = self.mac(message);
            }
            return Ok(());
        }
        let (engine, before) = (Engine::detect(), BLOCK_LEN as u64);
        engine.run(&mut Messages::new(self.inner, before, messages, out));
        engine.run(&mut InPlace::new(self.outer, before, out));
        Ok(())
    }

    /// Checks the tag of `message`.
    ///
    /// # Errors
    /// - [`Error::InvalidLength`]: `tag` is not 32 bytes; truncated tags are not accepted
    /// - [`Error::BadMac`]: it is not the tag of `message` under this key
    ///
    /// # Timing
    /// Does not tell how much of a wrong tag was right.
    pub fn verify(&self, message: &[u8], tag: &[u8]) -> Result<()> {
        check(self.mac(message), tag)
    }

    /// Begins a message that arrives in pieces.
    #[must_use]
    pub fn start(&self) -> HmacSm3 {
        let inner = Sm3::resume(self.backend, self.inner, BLOCK_LEN as u64);
        HmacSm3 {
            key: self.clone(),
            inner,
        }
    }

    /// The tag from the inner hash's final state.
    fn close(&self, inner: &State) -> Tag {
        let mut state = self.outer;
        absorb_last(self.backend, &mut state, BLOCK_LEN as u64, &to_bytes(inner));
        to_bytes(&state)
    }

    /// The chaining values after K ⊕ ipad and after K ⊕ opad.
    pub(super) fn states(&self) -> [State; 2] {
        [self.inner, self.outer]
    }
}

/// Up to this number of messages, one after the other is faster than to set the lanes up, whatever kernel they have.
const FEW: usize = 2;

/// RFC 2104's inner pad.
const IPAD: u8 = 0x36;
/// RFC 2104's outer pad.
const OPAD: u8 = 0x5c;

/// Adds `pad` to every byte of `block` and compresses it: a first chaining value.
fn after_padded_key(backend: Backend, block: &mut Block, pad: u8) -> State {
    block.iter_mut().for_each(|byte| *byte ^= pad);
    let mut state = consts::IV;
    backend.compress(&mut state, slice::from_ref(block));
    state
}

/// Compares in constant time.
fn check(mut expected: Tag, tag: &[u8]) -> Result<()> {
    exact_len("tag", TAG_LEN, tag.len())?;
    let equal = ct::eq(&expected, tag);
    expected.as_mut_slice().zeroize();
    if equal { Ok(()) } else { Err(Error::BadMac) }
}

impl fmt::Debug for HmacKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacKey").finish_non_exhaustive()
    }
}

impl Drop for HmacKey {
    fn drop(&mut self) {
        self.inner.as_mut_slice().zeroize();
        self.outer.as_mut_slice().zeroize();
    }
}

impl ZeroizeOnDrop for HmacKey {}

/// HMAC-SM3 of a message that arrives in pieces. Wiped on drop.
///
/// # Timing
/// Depends on the lengths of key and message only.
///
/// # Standard
/// GB/T 15852.2-2012; RFC 2104
///
/// # Example
/// ```
/// use shangmi::sm3::hmac::{self, HmacSm3};
///
/// let mut mac = HmacSm3::new(b"key");
/// mac.update(b"in ");
/// mac.update(b"pieces");
/// assert!(mac.verify(&hmac::hmac(b"key", b"in pieces")).is_ok());
/// ```
#[derive(Clone, Debug)]
pub struct HmacSm3 {
    key: HmacKey,
    inner: Sm3,
}

impl HmacSm3 {
    /// Begins a message under `key` (any length, bytes).
    #[must_use]
    pub fn new(key: &[u8]) -> Self {
        HmacKey::new(key).start()
    }

    /// Appends `data` (any length, bytes) to the message.
    pub fn update(&mut self, data: &[u8]) {
        self.inner.update(data);
    }

    /// The tag of the message.
    #[must_use]
    pub fn finalize(mut self) -> Tag {
        self.inner.finish();
        self.key.close(&self.inner.state)
    }

    /// Checks the tag of the message, as [`HmacKey::verify`] does.
    ///
    /// # Errors
    /// - [`Error::InvalidLength`]: `tag` is not 32 bytes
    /// - [`Error::BadMac`]: it is not the tag of the message under this key
    pub fn verify(self, tag: &[u8]) -> Result<()> {
        check(self.finalize(), tag)
    }
}

/// Writing is [`update`](HmacSm3::update), which never fails.
#[cfg(feature = "std")]
impl std::io::Write for HmacSm3 {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.update(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Computes HMAC-SM3 of one message under a key that is used once.
///
/// HMAC(K, M) = SM3((K ⊕ opad) ‖ SM3((K ⊕ ipad) ‖ M))
///
/// - `key`, `message`: any length, bytes
/// - returns: 32 bytes
///
/// # Timing
/// Depends on the two lengths only.
///
/// # Standard
/// GB/T 15852.2-2012; RFC 2104
///
/// # Example
/// ```
/// let tag = shangmi::sm3::hmac::hmac(b"Jefe", b"what do ya want for nothing?");
/// assert_eq!(tag[..4], [0x2e, 0x87, 0xf1, 0xd1]);
/// ```
#[must_use]
pub fn hmac(key: &[u8], message: &[u8]) -> Tag {
    HmacKey::new(key).mac(message)
}

/// Computes HMAC-SM3 of many messages under one key: `out[i]` is the tag of `messages[i]`.
///
/// - `key`: any length, bytes
/// - `messages`: of any lengths, equal or not
/// - `out`: one tag for each message
///
/// # Errors
/// [`Error::InvalidLength`] when `out` has not as many tags as there are messages; `out` is then
/// untouched.
///
/// # Timing
/// Depends on the lengths only.
///
/// # Standard
/// GB/T 15852.2-2012; RFC 2104
///
/// # Example
/// ```
/// use shangmi::sm3::hmac::{self, hmac, hmac_many};
///
/// let mut tags = [[0; hmac::TAG_LEN]; 2];
/// hmac_many(b"key", &[b"one", b"another"], &mut tags)?;
/// assert_eq!(tags[1], hmac(b"key", b"another"));
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn hmac_many(key: &[u8], messages: &[&[u8]], out: &mut [Tag]) -> Result<()> {
    HmacKey::new(key).mac_many(messages, out)
}
