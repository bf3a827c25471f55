//! Sealed files: a file of any size, encrypted to public keys, to a passphrase, or to both.
//!
//! A random file key is encrypted to every recipient (SM2, or PBKDF2); keys derived from it authenticate
//! the header (HMAC-SM3) and encrypt the content in chunks of 64 KiB (SM4-GCM). A changed, moved,
//! missing or additional byte is detected. Memory is constant, and each chunk can be read alone.
//!
//! [`seal`] and [`open()`] are for most; [`Header`] and its [`Payload`] do the same in steps, on several
//! threads ([`Payload::open_all_on`]) or for a part of the content ([`RangeReader`]).
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
pub mod armor;
mod chunks;
mod header;
mod passphrase;
mod payload;
mod pipeline;
mod range;
mod recipient;
mod stanza;
mod stream;

use std::io::{Read, Write};

use shangmi::rng::Rng;

pub use self::{
    header::Header,
    passphrase::{ITERATIONS, MAX_ITERATIONS, MIN_ITERATIONS, Passphrase},
    payload::{Payload, Place},
    range::RangeReader,
    recipient::{Identity, Recipient, key_id},
};
#[cfg(doc)]
use crate::Error;
use crate::Result;

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
/// - `recipients`: 1 to [`MAX_RECIPIENTS`], at most one of them a passphrase
/// - `rng`: gives the file key, the salts and the SM2 nonces
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
    payload.seal_all(reader, writer)
}

/// Opens a sealed file.
///
/// - `reader`: the sealed file, as it is or as text ([`armor`])
/// - `writer`: gets the content. No byte of a chunk is written before its tag was checked, but
///   earlier chunks are when a later one turns out to be changed or missing: write to a
///   temporary file and rename it after success.
/// - `identity`: a private key, or the passphrase
/// - returns: the number of content bytes
/// # Errors
/// [`Error::NotSealed`], [`Error::UnsupportedVersion`], [`Error::Malformed`],
/// [`Error::HeaderTruncated`] for something that is not a sealed file of this version; those of
/// [`Header::unlock`]; [`Error::Armor`] for a damaged text form; [`Error::Tampered`] and [`Error::Truncated`] for a file that was changed;
/// [`Error::Io`].
/// # Timing
/// Constant in the content's bytes and the keys.
/// # Standard
/// `docs/container.md`
pub fn open<'a>(
    reader: impl Read,
    writer: impl Write,
    identity: impl Into<Identity<'a>>,
) -> Result<u64> {
    let mut reader = armor::Reader::new(reader)?;
    let payload = Header::read(&mut reader)?.unlock(identity)?;
    payload.open_all(reader, writer)
}
