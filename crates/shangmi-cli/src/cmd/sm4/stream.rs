//! The modes that run in constant memory.

use anyhow::Result;
use shangmi::modes::cbc::{CbcDecryptor, CbcEncryptor};
use shangmi::modes::cfb::{CfbDecryptor, CfbEncryptor};
use shangmi::modes::{ctr::Ctr, ecb, ofb::Ofb};
use shangmi::padding::Padding;
use shangmi::sm4::{BLOCK_LEN, Block, Sm4};

use super::{Mode, Way};
use crate::failure::Failure;
use crate::input::Input;
use crate::output::Output;
use crate::progress::Progress;

/// Encrypts or decrypts in place; keeps its place in the stream.
type Step = Box<dyn FnMut(&mut [u8]) -> shangmi::Result<()>>;

/// Runs the whole input through the mode; returns the bytes read.
pub(super) fn run(
    mode: Mode,
    way: Way,
    (key, iv, padding): (&[u8], &[u8], Padding),
    input: &mut Input,
    out: &mut Output,
) -> Result<u64> {
    let cipher = Sm4::from_slice(key)?;
    let step = step(mode, way, cipher, iv)?;
    match (mode, way) {
        (Mode::Ecb | Mode::Cbc, Way::Encrypt) => encrypt_padded(step, padding, input, out),
        (Mode::Ecb | Mode::Cbc, Way::Decrypt) => decrypt_padded(step, padding, input, out),
        _ => unpadded(step, input, out),
    }
}

fn step(mode: Mode, way: Way, cipher: Sm4, iv: &[u8]) -> Result<Step> {
    if mode == Mode::Ecb {
        return Ok(match way {
            Way::Encrypt => Box::new(move |data| ecb::encrypt_in_place(&cipher, data)),
            Way::Decrypt => Box::new(move |data| ecb::decrypt_in_place(&cipher, data)),
        });
    }
    let iv = &Block::try_from(iv)?;
    Ok(match (mode, way) {
        (Mode::Cbc, Way::Encrypt) => {
            let mut cbc = CbcEncryptor::new(&cipher, iv);
            Box::new(move |data| cbc.encrypt_in_place(data))
        }
        (Mode::Cbc, Way::Decrypt) => {
            let mut cbc = CbcDecryptor::new(&cipher, iv);
            Box::new(move |data| cbc.decrypt_in_place(data))
        }
        (Mode::Cfb, Way::Encrypt) => {
            let mut cfb = CfbEncryptor::new(&cipher, iv);
            Box::new(move |data| cfb.encrypt_in_place(data))
        }
        (Mode::Cfb, Way::Decrypt) => {
            let mut cfb = CfbDecryptor::new(&cipher, iv);
            Box::new(move |data| cfb.decrypt_in_place(data))
        }
        (Mode::Ofb, _) => {
            let mut ofb = Ofb::new(&cipher, iv);
            Box::new(move |data| ofb.apply_in_place(data))
        }
        _ => {
            let mut ctr = Ctr::new(&cipher, iv);
            Box::new(move |data| ctr.apply_in_place(data))
        }
    })
}

fn unpadded(mut step: Step, input: &mut Input, out: &mut Output) -> Result<u64> {
    let progress = Progress::new(input.length());
    input.for_each_chunk(&progress, |chunk| {
        step(chunk)?;
        out.put(chunk)
    })
}

/// Only the last chunk is shorter than the others, so only it can end within a block.
fn encrypt_padded(
    mut step: Step,
    padding: Padding,
    input: &mut Input,
    out: &mut Output,
) -> Result<u64> {
    let progress = Progress::new(input.length());
    let mut tail = Vec::with_capacity(BLOCK_LEN);
    let bytes = input.for_each_chunk(&progress, |chunk| {
        let (blocks, rest) = chunk.split_at_mut(chunk.len() - chunk.len() % BLOCK_LEN);
        tail.extend_from_slice(rest);
        step(blocks)?;
        out.put(blocks)
    })?;
    if let Some(mut block) = padding.pad(&tail)? {
        step(&mut block)?;
        out.put(&block)?;
    }
    Ok(bytes)
}

/// Holds the last block back until the end of the input shows that it is the last.
fn decrypt_padded(
    mut step: Step,
    padding: Padding,
    input: &mut Input,
    out: &mut Output,
) -> Result<u64> {
    let progress = Progress::new(input.length());
    let mut held: Option<Block> = None;
    let mut read = 0;
    let bytes = input.for_each_chunk(&progress, |chunk| {
        read += chunk.len() as u64;
        if chunk.len() % BLOCK_LEN != 0 {
            return Err(partial_block(read).into());
        }
        step(chunk)?;
        if let Some(block) = held.take() {
            out.put(&block)?;
        }
        let (before, last) = chunk
            .split_last_chunk()
            .expect("a chunk has a block or more");
        held = Some(*last);
        out.put(before)
    })?;
    match held {
        Some(block) => out.put(&block[..padding.unpad(&block)?])?,
        None if matches!(padding, Padding::None | Padding::Zero) => {}
        None => return Err(partial_block(0).into()),
    }
    Ok(bytes)
}

fn partial_block(length: u64) -> Failure {
    Failure::trouble(
        format!("{length} bytes are no whole number of blocks of {BLOCK_LEN} bytes"),
        "the file is cut off, or was encrypted in another mode",
    )
}
