//! The key derivation function of SM2: SM3(Z ‖ 1) ‖ SM3(Z ‖ 2) ‖ ...
//!
//! It derives the key stream of SM2 encryption and the shared key of the key exchange. For anything
//! else take [`hkdf`](super::hkdf), which has a salt and a purpose.
use core::fmt;
use core::ops::Range;

use zeroize::{Zeroize, ZeroizeOnDrop};

use super::compress::Backend;
use super::multi::{self, Engine, Job, Jobs};
use super::{BLOCK_LEN, DIGEST_LEN, Digest, LENGTH_AT, Sm3, State, to_bytes};
use crate::{Error, Result};

/// Most bytes of output: the counter has 32 bits and begins at 1.
const MAX_OUTPUT_LEN: u64 = u32::MAX as u64 * DIGEST_LEN as u64;

/// From this many bytes on, the digests of an output go to the lanes: fewer would leave most of them
/// idle.
const LONG: usize = 6 * DIGEST_LEN;

/// The output of the KDF for one Z, piece by piece.
///
/// K = H(1) ‖ H(2) ‖ ..., H(ct) = SM3(Z ‖ ct), ct in 32 bits, big-endian.
///
/// The whole blocks of Z are compressed once; then 32 bytes of output cost one compression (two when
/// Z leaves more than 51 bytes over). Wiped on drop.
///
/// # Timing
/// Depends on the lengths of Z and of the output only.
///
/// # Standard
/// GB/T 32918.4-2016, 5.4.3
///
/// # Example
/// ```
/// use shangmi::sm3::kdf::{Kdf, kdf};
///
/// let z: [&[u8]; 2] = [&[1; 32], &[2; 32]];
/// let mut text = *b"some bytes";
/// Kdf::new(&z).apply(&mut text)?;
/// Kdf::new(&z).apply(&mut text)?;
/// assert_eq!(&text, b"some bytes");
/// # Ok::<(), shangmi::Error>(())
/// ```
pub struct Kdf {
    /// Z ‖ ct ‖ padding from Z's last partial block on, and the state before it.
    tail: Tail,
    /// H(ct) of the counter last used.
    stream: Digest,
    /// Bytes of output so far.
    done: u64,
}

impl Kdf {
    /// Begins the output for Z, the concatenation of `z` (any lengths, bytes).
    #[must_use]
    pub fn new(z: &[&[u8]]) -> Self {
        Self {
            tail: Tail::new(z),
            stream: [0; DIGEST_LEN],
            done: 0,
        }
    }

    /// Writes the next bytes of the output to `out`.
    ///
    /// # Errors
    /// [`Error::LengthOutOfRange`] when the output would exceed (2^32 - 1) · 32 bytes in all; `out`
    /// is then untouched.
    pub fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        self.run(out, <[u8]>::copy_from_slice)
    }

    /// XORs the next bytes of the output into `data`: encrypts or decrypts it.
    ///
    /// # Errors
    /// [`Error::LengthOutOfRange`] when the output would exceed (2^32 - 1) · 32 bytes in all; `data`
    /// is then untouched.
    pub fn apply(&mut self, data: &mut [u8]) -> Result<()> {
        self.run(data, |data, stream| {
            data.iter_mut().zip(stream).for_each(|(d, s)| *d ^= s);
        })
    }

    /// Cuts `out` along the digests of the output and hands both to `put`.
    fn run(&mut self, mut out: &mut [u8], put: impl Fn(&mut [u8], &[u8])) -> Result<()> {
        self.check(out.len())?;
        while !out.is_empty() {
            let used = (self.done % DIGEST_LEN as u64) as usize;
            if used == 0 && out.len() >= LONG {
                out = self.run_whole(out, &put);
                continue;
            }
            if used == 0 {
                // `check` has kept `done` below 32 · (2^32 - 1), so that the counter fits.
                self.stream = self.tail.hash((self.done / DIGEST_LEN as u64 + 1) as u32);
            }
            let (now, later) = out.split_at_mut(out.len().min(DIGEST_LEN - used));
            put(now, &self.stream[used..used + now.len()]);
            self.done += now.len() as u64;
            out = later;
        }
        Ok(())
    }

    /// Treats the whole digests of `out` together, and returns the rest of it.
    fn run_whole<'o>(&mut self, out: &'o mut [u8], put: impl Fn(&mut [u8], &[u8])) -> &'o mut [u8] {
        let (whole, rest) = out.as_chunks_mut();
        let len = whole.as_flattened().len() as u64;
        let first = self.done / DIGEST_LEN as u64 + 1;
        let mut counters = Counters {
            tail: &self.tail,
            // `check` has kept `done` and what is asked for below 32 · (2^32 - 1): the counter fits.
            first: first as u32,
            next: 0,
            out: whole,
            put,
        };
        Engine::detect().run(&mut counters);
        self.done += len;
        rest
    }

    /// Refuses to run the counter past its 32 bits.
    fn check(&self, found: usize) -> Result<()> {
        let left = MAX_OUTPUT_LEN - self.done;
        if found as u64 > left {
            let max = usize::try_from(left).unwrap_or(usize::MAX);
            return Err(Error::LengthOutOfRange {
                what: "output of the KDF",
                min: 0,
                max,
                found,
            });
        }
        Ok(())
    }
}

/// The hashes H(ct) of several counters, for the lanes.
struct Counters<'t, 'o, P> {
    tail: &'t Tail,
    first: u32,
    next: usize,
    out: &'o mut [Digest],
    put: P,
}

impl<'a, P: Fn(&mut [u8], &[u8])> Jobs<'a> for Counters<'_, '_, P> {
    fn count(&self) -> usize {
        self.out.len()
    }

    fn next(&mut self, tail: &mut multi::Tail) -> Option<Job<'a>> {
        let id = self.next;
        if id == self.out.len() {
            return None;
        }
        self.next += 1;
        *tail = self.tail.blocks;
        let ct = self.first.wrapping_add(id as u32);
        tail.as_flattened_mut()[self.tail.ct_bytes()].copy_from_slice(&ct.to_be_bytes());
        Some(Job {
            id,
            state: self.tail.state,
            body: &[],
            tail_len: self.tail.count,
        })
    }

    fn done(&mut self, id: usize, state: &State) {
        let mut stream = to_bytes(state);
        (self.put)(&mut self.out[id], &stream);
        stream.as_mut_slice().zeroize();
    }
}

impl fmt::Debug for Kdf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kdf")
            .field("done", &self.done)
            .finish_non_exhaustive()
    }
}

impl Drop for Kdf {
    fn drop(&mut self) {
        self.stream.as_mut_slice().zeroize();
    }
}

impl ZeroizeOnDrop for Kdf {}

/// What one H(ct) compresses, prepared so that only ct is missing.
struct Tail {
    /// The hash after the whole blocks of Z.
    state: State,
    backend: Backend,
    /// The rest of Z, four bytes for ct, the padding.
    blocks: [[u8; BLOCK_LEN]; 2],
    /// Where ct begins.
    ct_at: usize,
    /// Blocks in use.
    count: usize,
}

impl Tail {
    fn new(z: &[&[u8]]) -> Self {
        let mut prefix = Sm3::new();
        z.iter().for_each(|part| prefix.update(part));
        let ct_at = prefix.filled();
        let end = ct_at + size_of::<u32>();
        let count = if end < LENGTH_AT { 1 } else { 2 };
        let mut blocks = [[0; BLOCK_LEN]; 2];
        blocks[0][..ct_at].copy_from_slice(&prefix.block[..ct_at]);
        let bytes = blocks.as_flattened_mut();
        bytes[end] = 0x80;
        let bits = prefix
            .length
            .wrapping_add(size_of::<u32>() as u64)
            .wrapping_mul(8);
        bytes[BLOCK_LEN * count - size_of::<u64>()..BLOCK_LEN * count]
            .copy_from_slice(&bits.to_be_bytes());
        Self {
            state: prefix.state,
            backend: prefix.backend,
            blocks,
            ct_at,
            count,
        }
    }

    /// Where ct is in the blocks.
    fn ct_bytes(&self) -> Range<usize> {
        self.ct_at..self.ct_at + size_of::<u32>()
    }

    /// H(ct).
    fn hash(&mut self, ct: u32) -> Digest {
        let place = self.ct_bytes();
        self.blocks.as_flattened_mut()[place].copy_from_slice(&ct.to_be_bytes());
        let mut state = self.state;
        self.backend
            .compress(&mut state, &self.blocks[..self.count]);
        to_bytes(&state)
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        self.state.as_mut_slice().zeroize();
        self.blocks.as_flattened_mut().zeroize();
    }
}

/// Fills `out` with the KDF's output for Z, the concatenation of `z`.
///
/// - `z`: any lengths, bytes
/// - `out`: up to (2^32 - 1) · 32 bytes
///
/// # Errors
/// [`Error::LengthOutOfRange`] when `out` is longer than that.
///
/// # Timing
/// Depends on the lengths only.
///
/// # Standard
/// GB/T 32918.4-2016, 5.4.3
///
/// # Example
/// ```
/// let mut key = [0; 16];
/// shangmi::sm3::kdf::kdf(&[b"x2", b"y2"], &mut key)?;
/// # Ok::<(), shangmi::Error>(())
/// ```
pub fn kdf(z: &[&[u8]], out: &mut [u8]) -> Result<()> {
    Kdf::new(z).fill(out)
}

#[cfg(test)]
mod tests {
    use super::{Kdf, MAX_OUTPUT_LEN};
    use crate::sm3::digest;

    #[test]
    fn the_counter_is_used_up_but_never_wraps() {
        let mut kdf = Kdf::new(&[b"z"]);
        kdf.done = MAX_OUTPUT_LEN - 32;
        let mut out = [0; 33];
        assert!(kdf.fill(&mut out).is_err());
        assert_eq!(out, [0; 33]);
        kdf.fill(&mut out[..32]).unwrap();
        assert_eq!(out[..32], digest(b"z\xff\xff\xff\xff"));
        assert!(kdf.fill(&mut out[..1]).is_err());
        assert!(kdf.fill(&mut []).is_ok());
    }
}
