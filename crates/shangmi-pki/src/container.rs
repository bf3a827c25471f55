//! Sealed files: a file of any size, encrypted to one or more public keys.
//!
//! A random file key is encrypted to every recipient with SM2; keys derived from it authenticate
//! the header (HMAC-SM3) and encrypt the content in chunks of 64 KiB (SM4-GCM). A changed, moved,
//! missing or additional byte is detected. Memory is constant, and each chunk can be read alone.
//!
//! A sealed file does not say who made it: anybody who has the public key can make one. Sign the
//! content where that matters.
//!
//! The layout is in `docs/container.md` of the project, with the reasons.
//!
//! # Example
//! ```
//! use shangmi::{rng::OsRng, sm2::PrivateKey};
//! use shangmi_pki::container::{Recipient, open, seal};
//!
//! let key = PrivateKey::generate(&mut OsRng)?;
//! let mut sealed = Vec::new();
//! seal(&b"content"[..], &mut sealed, &[Recipient::Sm2(*key.public_key())], &mut OsRng)?;
//! let mut opened = Vec::new();
//! open(&sealed[..], &mut opened, &key)?;
//! assert_eq!(opened, b"content");
//! # Ok::<(), shangmi_pki::Error>(())
//! ```
mod chunks;
mod header;
mod payload;
mod recipient;

use std::io::{Read, Write};

use shangmi::{rng::Rng, sm2::PrivateKey};
use zeroize::Zeroizing;

use self::chunks::Chunks;
pub use self::{
    header::Header,
    payload::{Payload, Place},
    recipient::{Recipient, key_id},
};
use crate::{Error, Result};

/// The bytes that every sealed file begins with. The first is not ASCII and the last is a line
/// feed, so that transfers in text mode are noticed.
pub const MAGIC: [u8; 8] = *b"\x8fSMSEAL\n";
/// The version that is written, and the only one that is read.
pub const VERSION: u8 = 1;
/// Content bytes in a chunk; the last chunk may have fewer.
pub const CHUNK_LEN: usize = 65_536;
/// Bytes that each chunk grows by.
pub const TAG_LEN: usize = 16;
/// Most recipients of one file.
pub const MAX_RECIPIENTS: usize = 64;

/// Seals everything that `reader` gives.
///
/// - `reader`: the content; any length up to 2^32 chunks
/// - `writer`: gets the sealed file; after an error it holds a part that no reader accepts
/// - `recipients`: 1 to [`MAX_RECIPIENTS`]
/// - `rng`: gives the file key, the salt and the SM2 nonces
/// - returns: the number of content bytes
/// # Errors
/// [`Error::Limit`] for no or too many recipients, or too much content; [`Error::Io`];
/// [`Error::Crypto`] when the random number generator fails.
/// # Timing
/// Constant in the content's bytes and the keys.
/// # Standard
/// `docs/container.md`
pub fn seal(
    reader: impl Read,
    mut writer: impl Write,
    recipients: &[Recipient],
    rng: &mut (impl Rng + ?Sized),
) -> Result<u64> {
    let (header, payload) = Header::create(recipients, rng)?;
    writer.write_all(&header.to_bytes())?;
    let mut chunks = Chunks::new(reader, CHUNK_LEN);
    let mut total = 0;
    for index in 0.. {
        let (chunk, place) = chunks.next()?;
        total += chunk.len() as u64;
        let tag = payload.seal_chunk(index, place, chunk)?;
        writer.write_all(chunk)?;
        writer.write_all(&tag)?;
        if place == Place::Last {
            break;
        }
    }
    writer.flush()?;
    Ok(total)
}

/// Opens a sealed file.
///
/// - `reader`: the sealed file
/// - `writer`: gets the content. No byte of a chunk is written before its tag was checked, but
///   earlier chunks are when a later one turns out to be changed or missing: write to a
///   temporary file and rename it after success.
/// - returns: the number of content bytes
/// # Errors
/// [`Error::NotSealed`], [`Error::UnsupportedVersion`], [`Error::Malformed`],
/// [`Error::HeaderTruncated`] for something that is not a sealed file of this version;
/// [`Error::NotForThisKey`]; [`Error::HeaderTampered`], [`Error::Tampered`] and
/// [`Error::Truncated`] for a file that was changed; [`Error::Io`].
/// # Timing
/// Constant in the content's bytes and the keys.
/// # Standard
/// `docs/container.md`
pub fn open(mut reader: impl Read, mut writer: impl Write, key: &PrivateKey) -> Result<u64> {
    let payload = Header::read(&mut reader)?.unlock(key)?;
    let mut chunks = Chunks::new(reader, CHUNK_LEN + TAG_LEN);
    let mut total = 0;
    for index in 0.. {
        let (chunk, place) = chunks.next()?;
        let content = open_next(&payload, index, place, chunk)?;
        writer.write_all(content)?;
        total += content.len() as u64;
        if place == Place::Last {
            break;
        }
    }
    writer.flush()?;
    Ok(total)
}

/// Opens the next chunk of a stream, and tells a file that was cut between chunks from a changed one.
fn open_next<'a>(
    payload: &Payload,
    index: u64,
    place: Place,
    chunk: &'a mut [u8],
) -> Result<&'a [u8]> {
    if chunk.len() < TAG_LEN {
        return Err(Error::Truncated);
    }
    // Opening wipes what it cannot authenticate, and the file's end has a second try.
    let spare = (place == Place::Last && chunk.len() == CHUNK_LEN + TAG_LEN)
        .then(|| Zeroizing::new(chunk.to_vec()));
    match payload.open_chunk(index, place, chunk) {
        Err(Error::Tampered { .. }) if was_middle(payload, index, spare) => Err(Error::Truncated),
        other => other,
    }
}

fn was_middle(payload: &Payload, index: u64, spare: Option<Zeroizing<Vec<u8>>>) -> bool {
    spare.is_some_and(|mut chunk| payload.open_chunk(index, Place::Middle, &mut chunk).is_ok())
}
