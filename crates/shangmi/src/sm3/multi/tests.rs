//! Every code path for many messages, against the specification.
use std::vec::Vec;

use super::iterate::Iterated;
use super::messages::{InPlace, Messages};
use super::{BLOCK_LEN, Engine};
use crate::sm3::{Digest, consts};

/// Bytes with period 251, beginning elsewhere for every message.
fn painted(seed: usize, length: usize) -> Vec<u8> {
    (seed..seed + length).map(|i| (i % 251) as u8).collect()
}

fn digests(engine: Engine, messages: &[&[u8]]) -> Vec<Digest> {
    let mut out = std::vec![[0; 32]; messages.len()];
    engine.run(&mut Messages::new(consts::IV, 0, messages, &mut out));
    out
}

/// Compares every code path with the specification on messages of `lengths`.
fn check(lengths: &[usize]) {
    let messages: Vec<_> = (0..)
        .zip(lengths)
        .map(|(i, &n)| painted(7 * i, n))
        .collect();
    let slices: Vec<_> = messages.iter().map(Vec::as_slice).collect();
    let expected: Vec<_> = slices.iter().map(|m| reference::sm3::digest(m)).collect();
    for engine in Engine::all() {
        let name = engine.name();
        for (i, found) in digests(engine, &slices).into_iter().enumerate() {
            let (n, of) = (lengths[i], lengths.len());
            assert_eq!(found, expected[i], "{name}: message {i} of {of}, {n} bytes");
        }
    }
}

#[test]
fn equal_lengths_to_300() {
    for length in 0..=300 {
        check(&[length; 33]);
    }
}

#[test]
fn every_number_of_messages_around_the_lanes() {
    for count in 0..=70 {
        check(&std::vec![200; count]);
        let unequal: Vec<_> = (0..count).map(|i| i * 37 % 300).collect();
        check(&unequal);
    }
}

#[test]
fn lengths_of_very_different_size() {
    let mut lengths: Vec<_> = (0..=300).collect();
    lengths.extend([50_000, 0, 1, 64, 4096, 4095, 9999, 63]);
    check(&lengths);
    lengths.reverse();
    check(&lengths);
}

#[test]
fn more_messages_than_one_window() {
    let lengths: Vec<_> = (0..1500).map(|i| (i * i) % 200).collect();
    check(&lengths);
}

#[test]
fn any_offset_in_memory() {
    let memory = painted(0, 64 + 200);
    let messages: Vec<_> = (0..64)
        .map(|offset| &memory[offset..offset + 200])
        .collect();
    for engine in Engine::all() {
        for (message, found) in messages.iter().zip(digests(engine, &messages)) {
            assert_eq!(found, reference::sm3::digest(message), "{}", engine.name());
        }
    }
}

#[test]
fn random_lengths() {
    let mut x = 1_u64;
    let lengths: Vec<_> = (0..400)
        .map(|_| {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (x >> 33) as usize % (12 * BLOCK_LEN)
        })
        .collect();
    check(&lengths);
}

#[test]
fn digests_in_place() {
    for count in [1, 2, 3, 16, 17, 33, 100] {
        let before: Vec<Digest> = (0..count).map(|i| [i as u8; 32]).collect();
        for engine in Engine::all() {
            let mut found = before.clone();
            engine.run(&mut InPlace::new(consts::IV, 0, &mut found));
            let expected: Vec<_> = before.iter().map(|d| reference::sm3::digest(d)).collect();
            assert_eq!(found, expected, "{}: {count}", engine.name());
        }
    }
}

#[test]
fn iterated_hmac() {
    for count in (1..=19).chain(31..=35).chain([48, 64, 70]) {
        let chains: Vec<_> = (0..count).map(|i| chain(i as u8)).collect();
        let expected: Vec<_> = chains.iter().map(|c| by_the_book(c, 5)).collect();
        for engine in Engine::all() {
            let mut found = chains.clone();
            engine.iterate(&mut found, 5);
            let found: Vec<_> = found.iter().map(|chain| chain.t).collect();
            assert_eq!(found, expected, "{}: {count} chains", engine.name());
        }
    }
}

#[test]
fn one_iteration_changes_nothing() {
    for engine in Engine::all() {
        let mut chains = [chain(3); 20];
        engine.iterate(&mut chains, 1);
        assert!(
            chains.iter().all(|c| c.t == chain(3).t),
            "{}",
            engine.name()
        );
    }
}

fn chain(seed: u8) -> Iterated {
    let word = |salt: u8| core::array::from_fn(|i| u32::from_le_bytes([seed, salt, i as u8, 0x5a]));
    let [inner, outer, t] = [word(1), word(2), word(3)];
    Iterated { inner, outer, t }
}

/// U(2) to U(c) with the portable compression function, and their XOR with U(1).
fn by_the_book(chain: &Iterated, iterations: u32) -> [u32; 8] {
    let (mut u, mut t) = (chain.t, chain.t);
    for _ in 1..iterations {
        for key in [chain.inner, chain.outer] {
            let mut tail = [[0; BLOCK_LEN]; 2];
            assert_eq!(super::pad(&mut tail, &crate::sm3::to_bytes(&u), 96), 1);
            u = key;
            crate::sm3::portable::compress(&mut u, &tail[..1]);
        }
        t.iter_mut().zip(u).for_each(|(t, u)| *t ^= u);
    }
    t
}
