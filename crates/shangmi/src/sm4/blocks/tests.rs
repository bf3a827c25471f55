//! Every implementation of this machine against `reference`, and so against the others.
use super::{
    Backend, Block,
    Direction::{Decrypt, Encrypt},
};
use reference::sm4::{Sm4 as Cipher, Stage};
use std::vec::Vec;

const KEY: [u8; 16] = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();

/// Blocks of which no two are equal.
fn painted(count: usize) -> Vec<Block> {
    let step = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835_u128;
    (1..=count as u128)
        .map(|i| i.wrapping_mul(step).to_be_bytes())
        .collect()
}

/// All small counts, and those around the widths of the kernels.
fn counts() -> impl Iterator<Item = usize> {
    let around = [48, 64, 80, 96, 112, 128, 160, 192, 256, 288];
    (0..=40).chain(around.into_iter().flat_map(|n| n - 1..=n + 1))
}

/// Runs the first `count` of `blocks` through `crypt`, in place, and returns all.
fn first(count: usize, blocks: &[Block], crypt: impl FnOnce(&mut [Block])) -> Vec<Block> {
    let mut blocks = blocks.to_vec();
    crypt(&mut blocks[..count]);
    blocks
}

#[test]
fn any_number_of_blocks() {
    let cipher = Cipher::new(&KEY, Stage::Bytewise);
    for count in counts() {
        // Blocks behind the end must stay.
        let blocks = painted(count + 5);
        let encrypted = first(count, &blocks, |blocks| cipher.encrypt_blocks(blocks));
        let decrypted = first(count, &blocks, |blocks| cipher.decrypt_blocks(blocks));
        for backend in Backend::all(&KEY) {
            let name = backend.name();
            let got = first(count, &blocks, |blocks| {
                backend.crypt_blocks(Encrypt, blocks);
            });
            assert_eq!(got, encrypted, "{name}: encryption of {count} blocks");
            let got = first(count, &blocks, |blocks| {
                backend.crypt_blocks(Decrypt, blocks);
            });
            assert_eq!(got, decrypted, "{name}: decryption of {count} blocks");
        }
    }
}

#[test]
fn one_block_under_many_keys() {
    for key in painted(300) {
        let cipher = Cipher::new(&key, Stage::Bytewise);
        for backend in Backend::all(&key) {
            let (name, mut block) = (backend.name(), KEY);
            backend.crypt_block(Encrypt, &mut block);
            assert_eq!(block, cipher.encrypt_block(&KEY), "{name}: encryption");
            backend.crypt_block(Decrypt, &mut block);
            assert_eq!(block, KEY, "{name}: decryption");
        }
    }
}

#[test]
fn blocks_of_every_byte() {
    let cipher = Cipher::new(&KEY, Stage::Bytewise);
    let blocks: Vec<Block> = (0..=255).map(|byte| [byte; 16]).collect();
    let encrypted = first(256, &blocks, |blocks| cipher.encrypt_blocks(blocks));
    for backend in Backend::all(&KEY) {
        let got = first(256, &blocks, |blocks| backend.crypt_blocks(Encrypt, blocks));
        assert_eq!(got, encrypted, "{}", backend.name());
    }
}

#[test]
fn any_offset_in_memory() {
    let cipher = Cipher::new(&KEY, Stage::Bytewise);
    let blocks = painted(100);
    let encrypted = first(100, &blocks, |blocks| cipher.encrypt_blocks(blocks));
    for backend in Backend::all(&KEY) {
        let mut memory = vec![0; 64 + 1600];
        for offset in 0..64 {
            let part = &mut memory[offset..offset + 1600];
            part.copy_from_slice(blocks.as_flattened());
            backend.crypt_blocks(Encrypt, part.as_chunks_mut().0);
            let name = backend.name();
            assert_eq!(part, encrypted.as_flattened(), "{name}: offset {offset}");
        }
    }
}

/// X = E(X + B) over each chain, read only and in place; counts around the widths of the kernels.
#[test]
fn any_number_of_chains() {
    let cipher = Cipher::new(&KEY, Stage::Bytewise);
    let input = painted(3 * 130);
    for chains in (0..=40).chain([47, 48, 49, 63, 64, 65, 70, 127, 128, 130]) {
        for blocks in 0..=3 {
            let count = chains * blocks;
            let mut expected = input[..count].to_vec();
            let mut last = painted(chains);
            for (i, value) in last.iter_mut().enumerate() {
                for block in &mut expected[i * blocks..(i + 1) * blocks] {
                    let sum = u128::from_ne_bytes(*value) ^ u128::from_ne_bytes(*block);
                    *block = cipher.encrypt_block(&sum.to_ne_bytes());
                    *value = *block;
                }
            }
            for backend in Backend::all(&KEY) {
                let name = format!("{}: {chains} chains of {blocks} blocks", backend.name());
                // A lane without blocks, too, and one block more that must stay.
                let mut data: Vec<_> = input[..count].to_vec();
                data.push(KEY);
                let mut values = painted(chains);
                let mut lanes: Vec<&[Block]> = lanes_of(chains, |i| &data[i * blocks..]);
                backend.encrypt_lanes(&mut values, &mut lanes, blocks);
                assert_eq!(values, last, "{name}, read only");
                let mut values = painted(chains);
                let mut rest = &mut data[..];
                let mut lanes: Vec<&mut [Block]> = lanes_of(chains, |_| {
                    let (lane, others) = std::mem::take(&mut rest).split_at_mut(blocks);
                    rest = others;
                    lane
                });
                backend.encrypt_lanes(&mut values, &mut lanes, blocks);
                assert_eq!(values, last, "{name}, in place");
                assert_eq!(data[..count], expected, "{name}, in place");
                assert_eq!(data[count..], [KEY], "{name} wrote too far");
            }
        }
    }
}

fn lanes_of<T>(chains: usize, lane: impl FnMut(usize) -> T) -> Vec<T> {
    (0..chains).map(lane).collect()
}

use std::{format, vec};
