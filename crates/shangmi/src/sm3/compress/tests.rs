//! Every code path of this machine against the specification.
use std::vec::Vec;

use super::super::{absorb_last, consts, to_bytes};
use super::Backend;

/// Bytes with period 251: no block looks like its neighbour.
fn painted(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

fn digest(backend: Backend, message: &[u8]) -> [u8; 32] {
    let mut state = consts::IV;
    absorb_last(backend, &mut state, 0, message);
    to_bytes(&state)
}

#[test]
fn every_length_to_300_and_block_boundaries() {
    let lengths = (0..=300).chain((320..=8192).step_by(64).flat_map(|n| n - 1..=n + 1));
    for length in lengths {
        let message = painted(length);
        let expected = reference::sm3::digest(&message);
        for backend in Backend::all() {
            let name = backend.name();
            assert_eq!(
                digest(backend, &message),
                expected,
                "{name}: {length} bytes"
            );
        }
    }
}

#[test]
fn any_offset_in_memory() {
    let memory = painted(64 + 1000);
    for offset in 0..64 {
        let message = &memory[offset..offset + 1000];
        let expected = reference::sm3::digest(message);
        for backend in Backend::all() {
            let name = backend.name();
            assert_eq!(
                digest(backend, message),
                expected,
                "{name}: offset {offset}"
            );
        }
    }
}

#[test]
fn no_block_changes_nothing() {
    for backend in Backend::all() {
        let mut state = consts::IV;
        backend.compress(&mut state, &[]);
        assert_eq!(state, consts::IV, "{}", backend.name());
    }
}

#[test]
fn words_of_all_kinds() {
    let (ones, step) = ([0xff; 640], 0x9e37_79b9_u32);
    let mixed: Vec<u8> = (0..160_u32)
        .flat_map(|i| i.wrapping_mul(step).rotate_left(i).to_be_bytes())
        .collect();
    for message in [&[0; 640], &ones[..], &mixed] {
        let expected = reference::sm3::digest(message);
        for backend in Backend::all() {
            assert_eq!(digest(backend, message), expected, "{}", backend.name());
        }
    }
}
