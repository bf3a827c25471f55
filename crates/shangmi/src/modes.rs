//! Modes of operation of SM4.
//!
//! | to do | take | beware |
//! |---|---|---|
//! | encrypt and authenticate | [`gcm`] | one nonce twice under a key gives the plaintexts away and lets anybody forge |
//! | the same, where a protocol says so, or on few bytes of memory | [`ccm`] | slower; the nonce likewise |
//! | encrypt sectors of a disk | [`xts`] | no authentication; two standards that differ |
//! | talk to an old system | [`cbc`], [`cfb`], [`ofb`], [`ctr`] | no authentication: add a MAC over IV and ciphertext, and check it first |
//! | authenticate without encrypting | [`cmac`] | [`cbc_mac`] is for messages of one length only |
//! | authenticate alone, fast | [`gmac`] | a nonce twice lets anybody forge |
//! | nothing | [`ecb`] | equal blocks stay equal; for protocols that build a mode of their own |
//!
//! An IV or nonce is public, but it must be fresh: random for CBC and CFB; never the same twice under one
//! key for OFB, CTR, GCM and CCM. The functions named `..._random_iv` and `..._random_nonce` draw one and put it in front of the
//! ciphertext.
//!
//! The streaming objects take any number of calls; in place (`..._in_place`) and from buffer to buffer
//! give the same bytes. Nothing is allocated except by the functions that return a `Vec`.
//!
//! # Standard
//! GB/T 17964-2021 (ECB, CBC, CFB, OFB, CTR, XTS), NIST SP 800-38C and 800-38D (CCM, GCM and GMAC) as RFC 8998 applies them to SM4, IEEE 1619 (XTS),
//! GB/T 15852.1-2020 (CMAC, CBC-MAC)

pub mod cbc;
pub mod cbc_mac;
pub mod ccm;
pub mod cfb;
mod chain;
pub mod cmac;
pub mod ctr;
pub mod ecb;
mod front;
pub mod gcm;
pub mod gmac;
mod many;
pub mod ofb;
pub mod xts;

use crate::{
    Error, Result, ct,
    error::exact_len,
    sm4::{BLOCK_LEN, Block},
};
use zeroize::Zeroize;

/// Blocks that the parallel modes hand to the cipher at a time: enough to pay for the preparation of a
/// call, few enough for the stack.
const BATCH: usize = 64;
/// Twice as many, where the cipher alone runs over them: the widest kernel takes two groups side by side.
const TWO_BATCHES: usize = 2 * BATCH;
/// A batch in bytes.
const BATCH_LEN: usize = BATCH * BLOCK_LEN;

/// `Debug` that shows the name alone.
macro_rules! hide_debug {
    ($($name:ident $(<$lifetime:lifetime>)?),*) => {$(
        impl core::fmt::Debug for $name $(<$lifetime>)? {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}
use hide_debug;

/// Compares tags in constant time.
fn check_tag<const N: usize>(mut expected: [u8; N], tag: &[u8; N]) -> Result<()> {
    let equal = ct::eq(&expected, tag);
    expected.zeroize();
    if equal { Ok(()) } else { Err(Error::BadMac) }
}

/// `data` += `stream`, as far as the shorter reaches.
fn xor(data: &mut [u8], stream: &[u8]) {
    for (byte, key) in data.iter_mut().zip(stream) {
        *byte ^= key;
    }
}

/// `data` in blocks, or an error when there is a rest.
fn whole_blocks(data: &mut [u8]) -> Result<&mut [Block]> {
    check_whole_blocks(data.len())?;
    Ok(data.as_chunks_mut().0)
}

fn check_whole_blocks(found: usize) -> Result<()> {
    if found.is_multiple_of(BLOCK_LEN) {
        Ok(())
    } else {
        Err(Error::NotMultiple {
            what: "data",
            unit: BLOCK_LEN,
            found,
        })
    }
}

/// Runs an in-place function over a copy of `input` in `output`, a piece that fits the cache at a time.
fn buffer_to_buffer(
    input: &[u8],
    output: &mut [u8],
    mut in_place: impl FnMut(&mut [u8]) -> Result<()>,
) -> Result<()> {
    exact_len("output", input.len(), output.len())?;
    for (from, to) in input
        .chunks(8 * BATCH_LEN)
        .zip(output.chunks_mut(8 * BATCH_LEN))
    {
        to.copy_from_slice(from);
        in_place(to)?;
    }
    Ok(())
}

/// The IV in front of a message, and what follows.
#[cfg(feature = "alloc")]
fn split_leading<'a, const N: usize>(
    what: &'static str,
    message: &'a [u8],
) -> Result<(&'a [u8; N], &'a [u8])> {
    message.split_first_chunk().ok_or(Error::LengthOutOfRange {
        what,
        min: N,
        max: isize::MAX as usize,
        found: message.len(),
    })
}

/// `N` random bytes, then the plaintext (and room for `extra` bytes more).
#[cfg(feature = "alloc")]
fn with_random_front<const N: usize>(
    plaintext: &[u8],
    extra: usize,
    rng: &mut (impl crate::rng::Rng + ?Sized),
) -> Result<([u8; N], alloc::vec::Vec<u8>)> {
    let front = crate::rng::random(rng)?;
    let mut message = alloc::vec::Vec::with_capacity(N + plaintext.len() + extra);
    message.extend_from_slice(&front);
    message.extend_from_slice(plaintext);
    Ok((front, message))
}

/// Nonce, ciphertext and tag of one sealed message.
#[cfg(feature = "alloc")]
fn split_sealed<const N: usize>(message: &[u8]) -> Result<(&[u8; N], &[u8], &[u8; 16])> {
    let parts = message.split_first_chunk().and_then(|(nonce, rest)| {
        rest.split_last_chunk()
            .map(|(ciphertext, tag)| (nonce, ciphertext, tag))
    });
    parts.ok_or(Error::LengthOutOfRange {
        what: "nonce, ciphertext and tag",
        min: N + 16,
        max: isize::MAX as usize,
        found: message.len(),
    })
}
