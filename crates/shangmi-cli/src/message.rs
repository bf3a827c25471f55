//! From a file to the value e that is signed.

use std::path::Path;

use anyhow::Result;
use shangmi::sm3::Sm3;

use crate::failure::Failure;
use crate::hex;
use crate::input::{Input, Small};
use crate::progress::Progress;

/// Feeds the whole input to every hasher, in one read.
pub(crate) fn hash(input: &mut Input, hashers: &mut [Sm3]) -> Result<u64> {
    let progress = Progress::new(input.length());
    input.for_each_chunk(&progress, |chunk| {
        hashers.iter_mut().for_each(|hasher| hasher.update(chunk));
        Ok(())
    })
}

/// Reads e itself: 32 bytes, or 64 hex digits and maybe a line feed.
pub(crate) fn read_digest(path: &Path) -> Result<([u8; 32], Small)> {
    let file = Small::read(path, "digest")?;
    let wrong = || {
        Failure::trouble(
            format!("{} is no digest: {} bytes", file.name, file.bytes.len()),
            "with --digest the file holds e = SM3(Z_A || message): 32 bytes or 64 hex digits",
        )
    };
    let e = match <[u8; 32]>::try_from(file.bytes.as_slice()) {
        Ok(e) => e,
        Err(_) => {
            let text = std::str::from_utf8(&file.bytes).map_err(|_| wrong())?;
            let bytes = hex::decode("digest", text).map_err(|_| wrong())?;
            bytes.as_slice().try_into().map_err(|_| wrong())?
        }
    };
    Ok((e, file))
}
