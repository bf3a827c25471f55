//! Every backend that has kernels for whole modes, block by block against `reference`.
use super::*;
use crate::{
    ghash,
    modes::gcm::Sm4Gcm,
    sm4::{Block, blocks::Backend},
};
use reference::sm4::{Sm4 as Cipher, Stage, modes::gcm};
use std::{vec, vec::Vec};

const KEY: [u8; 16] = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210_u128.to_be_bytes();
/// The backends with kernels.
const WITH_KERNELS: [&str; 1] = ["gfni-avx512"];

fn ciphers() -> impl Iterator<Item = (&'static str, Sm4)> {
    Backend::all(&KEY)
        .into_iter()
        .map(|backend| (backend.name(), Sm4 { backend }))
}

/// `count` groups, no two blocks equal.
fn painted(count: usize) -> Vec<Group> {
    let mut groups = vec![[0; GROUP_LEN]; count];
    for (i, block) in blocks(&mut groups).iter_mut().enumerate() {
        *block = (i as u128 + 1)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835)
            .to_be_bytes();
    }
    groups
}

fn blocks(groups: &mut [Group]) -> &mut [Block] {
    groups.as_flattened_mut().as_chunks_mut().0
}

/// Adds `stream` of its number to each block.
fn add_to_each(groups: &mut [Group], mut stream: impl FnMut(usize) -> Block) {
    for (i, block) in blocks(groups).iter_mut().enumerate() {
        for (byte, key) in block.iter_mut().zip(stream(i)) {
            *byte ^= key;
        }
    }
}

/// A counter block whose other bytes all differ.
fn counter(last: u32) -> u128 {
    0x0011_2233_4455_6677_8899_aabb << 32 | u128::from(last)
}

#[test]
fn counters_with_and_without_a_hash() {
    let book = Cipher::new(&KEY, Stage::TTable);
    let keys = ghash::Key::all(&KEY);
    for last in [
        0,
        1,
        0xc0,
        0xc1,
        0xff,
        0xffd5,
        0xff_fff0,
        0xffff_ff00,
        0xffff_ffdf,
        u32::MAX,
    ] {
        for count in 0..=5 {
            let plain = painted(count);
            let mut sealed = plain.clone();
            add_to_each(&mut sealed, |i| {
                let counter = counter(last.wrapping_add(i as u32));
                book.encrypt_block(&counter.to_be_bytes())
            });
            let mut hash = keys[0].start();
            hash.update(sealed.as_flattened());
            let tag = hash.finish(&[], 0, 1);
            for (name, cipher) in ciphers() {
                let mut data = plain.clone();
                let done = cipher.apply_counters(counter(last), &mut data, None);
                assert_eq!(done, WITH_KERNELS.contains(&name), "{name}");
                let expected = if done { &sealed } else { &plain };
                assert!(data == *expected, "{name}: {count} groups from {last:x}");
                for key in &keys {
                    for (from, to, way) in
                        [(&plain, &sealed, Aead::Seal), (&sealed, &plain, Aead::Open)]
                    {
                        let (mut data, mut hash) = (from.clone(), key.start());
                        let with_hash = Some((way, &mut hash));
                        let name = (name, key.backend());
                        if cipher.apply_counters(counter(last), &mut data, with_hash) {
                            assert!(data == *to, "{name:?}: {count} groups from {last:x}");
                            assert_eq!(hash.finish(&[], 0, 1), tag, "{name:?}: {count} groups");
                        } else {
                            assert!(data == *from, "{name:?} refused but changed the data");
                        }
                    }
                }
            }
        }
    }
}

/// The tweak of the next block.
fn double(tweak: u128) -> u128 {
    tweak << 1 ^ if tweak >> 127 == 1 { 0x87 } else { 0 }
}

#[test]
fn tweaks() {
    let book = Cipher::new(&KEY, Stage::TTable);
    let first = [1, 1 << 63, 1 << 127, u128::MAX, 0xfedc_ba98 << 90 | 0xf00f];
    for (first, count) in first.into_iter().zip([1, 2, 3, 4, 5]) {
        let plain = painted(count);
        for reversed in [false, true] {
            let (mut tweaks, mut tweak) = (Vec::new(), first);
            for _ in 0..64 * count {
                let bytes = tweak.to_le_bytes();
                tweaks.push(if reversed {
                    bytes.map(u8::reverse_bits)
                } else {
                    bytes
                });
                tweak = double(tweak);
            }
            let mut sealed = plain.clone();
            add_to_each(&mut sealed, |i| tweaks[i]);
            for block in blocks(&mut sealed) {
                *block = book.encrypt_block(block);
            }
            add_to_each(&mut sealed, |i| tweaks[i]);
            for (name, cipher) in ciphers() {
                let mut data = plain.clone();
                let next = cipher.crypt_tweaked(Direction::Encrypt, first, reversed, &mut data);
                assert_eq!(next.is_some(), WITH_KERNELS.contains(&name), "{name}");
                let Some(next) = next else { continue };
                assert_eq!(next, tweak, "{name}: the tweak after {count} groups");
                assert!(data == sealed, "{name}: {count} groups encrypted");
                cipher.crypt_tweaked(Direction::Decrypt, first, reversed, &mut data);
                assert!(data == plain, "{name}: {count} groups decrypted");
            }
        }
    }
}

#[test]
fn gcm_of_every_backend() {
    let book = Cipher::new(&KEY, Stage::TTable);
    for length in [0, 1, 64, 300, 1023, 1024, 1040, 2048, 2100, 3072, 5000] {
        let plain = painted(5).as_flattened()[..length].to_vec();
        let (sealed, tag) = gcm::encrypt(&book, b"unique nonce", b"aad", &plain).unwrap();
        for (name, cipher) in ciphers() {
            let (key, mut data) = (Sm4Gcm::from_cipher(&cipher), plain.clone());
            let got = key.seal_in_place(b"unique nonce", b"aad", &mut data);
            assert_eq!(got, Ok(tag), "{name}: {length} bytes");
            assert!(data == sealed, "{name}: {length} bytes");
            let got = key.open_in_place(b"unique nonce", b"aad", &mut data, &tag);
            assert_eq!(got, Ok(()), "{name}: {length} bytes");
            assert!(data == plain, "{name}: {length} bytes back");
        }
    }
}
