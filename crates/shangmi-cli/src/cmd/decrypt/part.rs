//! A part of a sealed file, without the rest.

use std::io::{Cursor, Read, Seek};
use std::ops::Range;

use anyhow::Result;
use shangmi_pki::container::{Header, Payload, RangeReader, armor};
use zeroize::Zeroizing;

use crate::input::{IN_MEMORY, Input};
use crate::output::Output;
use crate::progress::{Progress, Watched};

/// Which part.
#[derive(clap::Args, Debug)]
pub(super) struct PartArgs {
    /// Decrypt from this byte of the content on, counted from 0
    #[arg(long, value_name = "BYTES", conflicts_with = "raw")]
    offset: Option<u64>,
    /// Decrypt so many bytes [default: to the end]
    #[arg(long, value_name = "BYTES", conflicts_with = "raw")]
    length: Option<u64>,
}

impl PartArgs {
    pub(super) fn is_given(&self) -> bool {
        self.offset.is_some() || self.length.is_some()
    }

    fn range(&self, content_len: u64) -> Range<u64> {
        let start = self.offset.unwrap_or(0);
        let end = self.length.map(|length| start.saturating_add(length));
        start..end.unwrap_or(content_len)
    }
}

/// Decrypts the part; returns its bytes.
///
/// A file in binary form is read where it is needed. What cannot be read so (a text, a pipe) is
/// held in memory.
pub(super) fn open(
    part: &PartArgs,
    unlock: impl FnOnce(&Header) -> Result<Payload>,
    input: &mut Input,
    out: &mut Output,
) -> Result<u64> {
    if let Some(mut file) = input.take_file() {
        let is_text = armor::Reader::new(&mut file)?.is_text();
        file.rewind()?;
        if !is_text {
            return copy(part, unlock, file, out);
        }
    }
    let whole = input.read_all(IN_MEMORY)?;
    let mut binary = Zeroizing::new(Vec::new());
    armor::Reader::new(&whole[..])?.read_to_end(&mut binary)?;
    copy(part, unlock, Cursor::new(&binary[..]), out)
}

fn copy(
    part: &PartArgs,
    unlock: impl FnOnce(&Header) -> Result<Payload>,
    mut reader: impl Read + Seek,
    out: &mut Output,
) -> Result<u64> {
    let progress = Progress::new(None);
    let header = Header::read(&mut reader)?;
    let payload = unlock(&header)?;
    let mut reader = RangeReader::new(Watched::new(reader, &progress), &header, payload)?;
    let range = part.range(reader.content_len());
    Ok(reader.copy(range, out)?)
}
