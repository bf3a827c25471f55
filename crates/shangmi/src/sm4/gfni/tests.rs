//! The derivation, for every root that can be chosen, against a model of the instructions.
use super::super::algebra::{apply, columns, is_root, isomorphism, multiply};
use super::super::consts::{AFFINE, sbox};
use super::*;
use std::vec::Vec;

/// `gf2p8affineqb` on a byte: the processor's manual.
fn affine(matrix: u64, x: u8, constant: u8) -> u8 {
    let rows = matrix.to_le_bytes();
    (0..8).fold(constant, |y, i| {
        y ^ ((rows[7 - i] & x).count_ones() as u8 & 1) << i
    })
}

/// `gf2p8affineinvqb` on a byte.
fn affine_inverse(matrix: u64, x: u8, constant: u8) -> u8 {
    let inverse = (0..=255).find(|y| multiply(x, *y) == 1).unwrap_or(0);
    affine(matrix, inverse, constant)
}

fn roots() -> Vec<u8> {
    (0..=255).filter(|x| is_root(*x)).collect()
}

/// f on each byte of a word.
fn bytes(word: u32, f: impl Fn(u8) -> u8) -> u32 {
    u32::from_le_bytes(word.to_le_bytes().map(f))
}

/// The sum of a word's rotations.
fn rotations(word: u32, by: &[u32]) -> u32 {
    by.iter().fold(0, |sum, n| sum ^ word.rotate_left(*n))
}

/// A round's map out of instructions, against its definition, on words of all bytes.
fn check(root: u8, by: &[u32]) {
    let transform = transform(root, &columns(by));
    let enter = |x| affine(matrix(&basis(root)), x, 0);
    let inner = apply(&isomorphism(root), AFFINE);
    for i in 0..=255_u8 {
        let x = u32::from_le_bytes([i, i.wrapping_mul(29) ^ 0x5a, !i, i.rotate_left(3)]);
        let y = bytes(x, |x| enter(x) ^ inner);
        let got = (0..4).fold(0, |sum, a| {
            let constant = if a == 0 { transform.constant } else { 0 };
            let part = bytes(y, |y| affine_inverse(transform.matrices[a], y, constant));
            sum ^ part.rotate_left(8 * a as u32)
        });
        let expected = bytes(rotations(bytes(x, sbox), by), enter);
        assert_eq!(got, expected, "root {root:02x}, word {x:08x}");
    }
}

#[test]
fn there_are_eight_isomorphisms() {
    assert_eq!(roots().len(), 8);
    assert_eq!(roots()[0], ROOT);
}

#[test]
fn instructions_compute_a_round() {
    for root in roots() {
        check(root, &[0, 2, 10, 18, 24]);
    }
}

#[test]
fn instructions_compute_a_step_of_the_key_schedule() {
    for root in roots() {
        check(root, &[0, 13, 23]);
    }
}

#[test]
fn leaving_undoes_entering() {
    for x in 0..=255 {
        assert_eq!(affine(LEAVE, affine(ENTER, x, 0), 0), x);
    }
}
