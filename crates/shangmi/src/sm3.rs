//! SM3, the hash function of GB/T 32905-2016, and what is built on it.
//!
//! | need | use |
//! |---|---|
//! | the digest of bytes in memory | [`digest()`] |
//! | the digest of bytes that arrive in pieces | [`Sm3`] |
//! | the digests of many independent messages | [`digest_many`] |
//! | the same of messages that arrive in pieces | [`MultiSm3`] |
//! | to authenticate a message under a key | [`hmac`] |
//! | keys from a key with enough entropy | [`hkdf`] |
//! | keys from a password | [`pbkdf2`] |
//! | the key derivation inside SM2 | [`kdf`] |
//!
//! Whoever knows SM3(m) and the length of m can compute SM3(m ‖ padding ‖ more): never use
//! SM3(key ‖ message) as a MAC. That is what [`hmac`] is for.
use core::{fmt, slice};

use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::Result;
use crate::error::exact_len;

#[cfg(target_arch = "aarch64")]
mod aarch64_sm3;
mod compress;
mod consts;
pub mod hkdf;
pub mod hmac;
pub mod kdf;
#[cfg_attr(
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        target_arch = "aarch64"
    )),
    expect(dead_code, reason = "without vectors no kernel uses the lanes' types")
)]
mod multi;
pub mod pbkdf2;
mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_bmi2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86_64_sm3;

use compress::Backend;
use multi::Engine;
pub use multi::incremental::MultiSm3;
use multi::messages::Messages;

/// Bytes that one compression takes in.
pub const BLOCK_LEN: usize = 64;

/// Bytes of a digest.
pub const DIGEST_LEN: usize = 32;

/// An SM3 digest: V(n), big-endian.
pub type Digest = [u8; DIGEST_LEN];

/// A block B(i) of the padded message.
type Block = [u8; BLOCK_LEN];

/// A chaining value V(i).
type State = [u32; 8];

/// SM3 of a message that arrives in pieces.
///
/// V(0) = IV; V(i+1) = CF(V(i), B(i)) over the blocks of the padded message; the digest is V(n).
///
/// The message may have any length below 2^61 bytes. A clone goes on independently, which hashes a
/// common prefix only once. The state is wiped on drop, because keys pass through it.
///
/// # Timing
/// Depends on the number of bytes only, never on their values.
///
/// # Standard
/// GB/T 32905-2016, 5
///
/// # Example
/// ```
/// use shangmi::sm3::{self, Sm3};
///
/// let mut hash = Sm3::new();
/// hash.update(b"a");
/// hash.update(b"bc");
/// assert_eq!(hash.finalize(), sm3::digest(b"abc"));
/// ```
#[derive(Clone)]
pub struct Sm3 {
    state: State,
    /// The bytes since the last whole block; `length % 64` of them count.
    block: Block,
    /// Bytes of message so far.
    length: u64,
    backend: Backend,
}

impl Sm3 {
    /// A hasher that has seen no byte.
    #[must_use]
    pub fn new() -> Self {
        Self {
            state: consts::IV,
            block: [0; BLOCK_LEN],
            length: 0,
            backend: Backend::detect(),
        }
    }

    /// Appends `data` (any length, bytes) to the message.
    pub fn update(&mut self, mut data: &[u8]) {
        let filled = self.filled();
        self.length = self.length.wrapping_add(data.len() as u64);
        if filled != 0 {
            let (head, rest) = data.split_at(data.len().min(BLOCK_LEN - filled));
            self.block[filled..filled + head.len()].copy_from_slice(head);
            if filled + head.len() < BLOCK_LEN {
                return;
            }
            self.backend
                .compress(&mut self.state, slice::from_ref(&self.block));
            data = rest;
        }
        let (blocks, tail) = data.as_chunks();
        self.backend.compress(&mut self.state, blocks);
        self.block[..tail.len()].copy_from_slice(tail);
    }

    /// The digest of the message.
    #[must_use]
    pub fn finalize(mut self) -> Digest {
        self.finish()
    }

    /// The digest of the message; then begins anew, as [`reset`](Self::reset) does.
    pub fn finalize_reset(&mut self) -> Digest {
        let digest = self.finish();
        self.reset();
        digest
    }

    /// Forgets the message (and wipes it) and begins anew.
    pub fn reset(&mut self) {
        self.wipe();
        self.state = consts::IV;
    }

    /// The name of the code path that compresses: `"bmi2+avx512vl"`, `"bmi2+avx"` or `"portable"`.
    #[must_use]
    pub fn backend(&self) -> &'static str {
        self.backend.name()
    }

    /// A hasher that goes on after whole blocks of `length` bytes that led to `state`.
    fn resume(backend: Backend, state: State, length: u64) -> Self {
        Self {
            state,
            block: [0; BLOCK_LEN],
            length,
            backend,
        }
    }

    fn wipe(&mut self) {
        // As slices: they are filled at once, an array byte by byte.
        self.state.as_mut_slice().zeroize();
        self.block.as_mut_slice().zeroize();
        self.length.zeroize();
    }

    /// Bytes in the block that is not full yet.
    fn filled(&self) -> usize {
        (self.length % BLOCK_LEN as u64) as usize
    }

    /// Pads and compresses the rest: the digest.
    fn finish(&mut self) -> Digest {
        let filled = self.filled();
        close(
            self.backend,
            &mut self.state,
            &mut self.block,
            filled,
            self.length,
        );
        to_bytes(&self.state)
    }
}

impl Default for Sm3 {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Sm3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sm3")
            .field("backend", &self.backend())
            .finish_non_exhaustive()
    }
}

impl Drop for Sm3 {
    fn drop(&mut self) {
        self.wipe();
    }
}

impl ZeroizeOnDrop for Sm3 {}

/// Writing is [`update`](Sm3::update), which never fails: `std::io::copy` hashes a reader.
#[cfg(feature = "std")]
impl std::io::Write for Sm3 {
    fn write(&mut self, data: &[u8]) -> std::io::Result<usize> {
        self.update(data);
        Ok(data.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Computes the SM3 digest of `message`.
///
/// - `message`: any length, bytes
/// - returns: 32 bytes, V(n), big-endian
///
/// # Timing
/// Depends on the length of `message` only.
///
/// # Standard
/// GB/T 32905-2016, 5
///
/// # Example
/// ```
/// let digest = shangmi::sm3::digest(b"abc");
/// assert_eq!(digest[..4], [0x66, 0xc7, 0xf0, 0xf4]);
/// ```
#[must_use]
pub fn digest(message: &[u8]) -> Digest {
    digest_with(Backend::detect(), message)
}

/// Computes the same digest by the portable code, whose working memory is the smallest.
///
/// It expands the message in a window of 16 words; faster code paths keep the whole expanded message, 528
/// bytes, on the stack. For threads with little of it.
///
/// # Timing
/// Depends on the length of the message only.
///
/// # Standard
/// GB/T 32905-2016, 5
#[must_use]
pub fn digest_compact(message: &[u8]) -> Digest {
    digest_with(Backend::Portable, message)
}

#[inline]
fn digest_with(backend: Backend, message: &[u8]) -> Digest {
    let mut state = consts::IV;
    absorb_last(backend, &mut state, 0, message);
    to_bytes(&state)
}

/// Computes the SM3 digests of many independent messages: `out[i]` = SM3(`messages[i]`).
///
/// - `messages`: of any lengths, equal or not
/// - `out`: one digest for each message
///
/// # Errors
/// [`Error::InvalidLength`](crate::Error::InvalidLength) when `out` has not as many digests as there
/// are messages; `out` is then untouched.
///
/// # Timing
/// Depends on the lengths of the messages only.
///
/// # Standard
/// GB/T 32905-2016, 5
///
/// # Example
/// ```
/// use shangmi::sm3;
///
/// let mut digests = [[0; sm3::DIGEST_LEN]; 2];
/// sm3::digest_many(&[b"one", b"another"], &mut digests)?;
/// assert_eq!(digests[1], sm3::digest(b"another"));
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn digest_many(messages: &[&[u8]], out: &mut [Digest]) -> Result<()> {
    let expected = messages.len().saturating_mul(DIGEST_LEN);
    exact_len("buffer for the digests", expected, size_of_val(out))?;
    Engine::detect().run(&mut Messages::new(consts::IV, 0, messages, out));
    Ok(())
}

/// The name of the code path of [`digest_many`] on this machine: `"avx512 x 32"`, `"avx2 x 8"`, `"neon x 8"`
/// (lanes), or [`Sm3::backend`]'s, one message after the other.
#[must_use]
pub fn many_backend() -> &'static str {
    Engine::detect().name()
}

/// Hashes `rest`, the end of a message whose first `before` bytes (whole blocks) led to `state`:
/// `state` becomes V(n).
fn absorb_last(backend: Backend, state: &mut State, before: u64, rest: &[u8]) {
    let (blocks, tail) = rest.as_chunks();
    backend.compress(state, blocks);
    let mut block = [0; BLOCK_LEN];
    block[..tail.len()].copy_from_slice(tail);
    let length = before.wrapping_add(rest.len() as u64);
    close(backend, state, &mut block, tail.len(), length);
    block.as_mut_slice().zeroize();
}

/// Compresses the padding of a message of `length` bytes whose last `filled` (less than 64) are in
/// `block`: 1, then zeros up to 448 bits modulo 512, then the length in bits (5.2).
fn close(backend: Backend, state: &mut State, block: &mut Block, filled: usize, length: u64) {
    block[filled] = 0x80;
    block[filled + 1..].fill(0);
    if filled + 1 > LENGTH_AT {
        backend.compress(state, slice::from_ref(block));
        block.fill(0);
    }
    block[LENGTH_AT..].copy_from_slice(&length.wrapping_mul(8).to_be_bytes());
    backend.compress(state, slice::from_ref(block));
}

/// Where the last block holds the length of the message.
const LENGTH_AT: usize = BLOCK_LEN - size_of::<u64>();

/// The state as a digest.
fn to_bytes(state: &State) -> Digest {
    let mut bytes = [0; DIGEST_LEN];
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    bytes
}

/// The state that a digest shows.
fn from_bytes(digest: &Digest) -> State {
    let (words, _) = digest.as_chunks();
    core::array::from_fn(|i| u32::from_be_bytes(words[i]))
}
