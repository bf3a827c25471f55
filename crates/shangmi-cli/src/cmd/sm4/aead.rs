//! The modes that need the whole input: nothing is written before all of it is right.

use anyhow::{Context, Result};
use shangmi::Error;
use shangmi::modes::ccm::Sm4Ccm;
use shangmi::modes::gcm::Sm4Gcm;
use shangmi::modes::xts::{XtsGb, XtsIeee};
use shangmi::sm4::{BLOCK_LEN, Block};

use super::{Mode, Way};
use crate::failure::Failure;
use crate::input::{IN_MEMORY, Input};
use crate::output::Output;

const TAG_LEN: usize = 16;

/// Runs the whole input through the mode; returns the bytes read.
pub(super) fn run(
    mode: Mode,
    way: Way,
    (key, iv, aad): (&[u8], &[u8], &[u8]),
    input: &mut Input,
    out: &mut Output,
) -> Result<u64> {
    let mut data = input.read_all(IN_MEMORY)?;
    let length = data.len() as u64;
    if matches!(mode, Mode::XtsGb | Mode::XtsIeee) {
        xts(mode, way, key, iv, &mut data)?;
        out.put(&data)?;
        return Ok(length);
    }
    let key: &[u8; 16] = key.try_into().context("the key must be 16 bytes")?;
    if way == Way::Encrypt {
        let tag = match mode {
            Mode::Ccm => Sm4Ccm::new(key)
                .seal_in_place(iv, aad, &mut data)
                .map_err(of_ccm)?,
            _ => Sm4Gcm::new(key).seal_in_place(iv, aad, &mut data)?,
        };
        out.put(&data)?;
        out.put(&tag)?;
        return Ok(length);
    }
    let (data, tag) = data.split_last_chunk_mut::<TAG_LEN>().ok_or_else(|| {
        Failure::trouble(
            format!("{length} bytes are too few for a tag of {TAG_LEN} bytes"),
            "the file is cut off; the tag is its last 16 bytes",
        )
    })?;
    match mode {
        Mode::Ccm => Sm4Ccm::new(key)
            .open_in_place(iv, aad, data, tag)
            .map_err(of_ccm)?,
        _ => Sm4Gcm::new(key).open_in_place(iv, aad, data, tag)?,
    }
    out.put(data)?;
    Ok(length)
}

/// CCM counts the data's bytes in what the nonce leaves of a block.
fn of_ccm(error: Error) -> anyhow::Error {
    match error {
        Error::LengthOutOfRange { .. } => Failure::trouble(
            error.to_string(),
            "a shorter nonce leaves room for more data, and gcm takes more",
        )
        .into(),
        _ => error.into(),
    }
}

fn xts(mode: Mode, way: Way, key: &[u8], tweak: &[u8], data: &mut [u8]) -> Result<()> {
    let key: &[u8; 32] = key.try_into().context("the key must be 32 bytes")?;
    let tweak = &Block::try_from(tweak)?;
    if data.len() < BLOCK_LEN {
        return Err(Failure::trouble(
            format!(
                "XTS needs a block of {BLOCK_LEN} bytes or more, found {}",
                data.len()
            ),
            "ctr and gcm take shorter files",
        )
        .into());
    }
    match (mode, way) {
        (Mode::XtsGb, Way::Encrypt) => XtsGb::new(key)?.encrypt_in_place(tweak, data)?,
        (Mode::XtsGb, Way::Decrypt) => XtsGb::new(key)?.decrypt_in_place(tweak, data)?,
        (_, Way::Encrypt) => XtsIeee::new(key)?.encrypt_in_place(tweak, data)?,
        (_, Way::Decrypt) => XtsIeee::new(key)?.decrypt_in_place(tweak, data)?,
    }
    Ok(())
}
