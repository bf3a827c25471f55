//! The algebra that the processor's instructions for AES's field need, as constants.
//!
//! SM4's S-box is S(x) = A inv'(A x + D3) + D3 with the inversion inv' of a field modulo x^8 + x^7 + x^6 + x^5 +
//! x^4 + x^2 + 1. The instructions invert in AES's, modulo x^8 + x^4 + x^3 + x + 1: another representation of the same
//! field. For an isomorphism f from SM4's to AES's, inv' = f^-1 inv f. Two things follow.
//!
//! - **Another basis.** Kept as y = f A x in all rounds, a word needs no map before the inversion:
//!   f (A x + D3) = y + f D3, and the constant goes into the round keys.
//! - **L in the maps.** After the inversion comes f^-1, A, the constant, L, and f A to return to y. L is
//!   linear: let M_a x be byte a of L(x) for a word whose byte 0 is x and whose others are zero. Then L(s) is
//!   the sum of M_a on each byte of s, rotated by 8 a bits, a from 0 to 3. So one map does M_a
//!   with everything before and after it.
//!
//! A round is the sum of three words and a round key, one inversion, the maps (three: M_1 = M_2), three
//! rotations by whole bytes, and the sum. The key schedule is the same with L' (four maps).
//!
//! Words are loaded with their bytes in memory's order, the most significant first, which nothing but
//! the rotations sees: they go the other way round.
use super::consts::{AFFINE, CK, FK, linear};

/// A linear map on bytes: the images of the bits, the lowest first.
pub(super) type Map = [u8; 8];

/// f D3: what a round key or a CK has on top.
pub(super) const INNER: u8 = apply(&isomorphism(ROOT), AFFINE);

/// FK in the basis of the rounds.
pub(super) static FK_BYTES: [u32; 4] = words(&FK, 0);

/// CK in the basis of the rounds, f D3 added.
pub(super) static CK_BYTES: [u32; 32] = words(&CK, INNER);

/// Words as the kernels load them, in the basis of the rounds, with `constant` added to each byte.
const fn words<const N: usize>(words: &[u32; N], constant: u8) -> [u32; N] {
    let mut result = [0; N];
    let mut i = 0;
    while i < N {
        let mut bytes = words[i].to_be_bytes();
        let mut j = 0;
        while j < 4 {
            bytes[j] = apply(&basis(ROOT), bytes[j]) ^ constant;
            j += 1;
        }
        result[i] = u32::from_le_bytes(bytes);
        i += 1;
    }
    result
}

/// L, as M_0 to M_3.
pub(super) const LINEAR: [Map; 4] = columns(&[0, 2, 10, 18, 24]);
/// L', likewise.
pub(super) const SCHEDULE_LINEAR: [Map; 4] = columns(&[0, 13, 23]);

/// The lowest of the eight elements of AES's field that can be the image of x: the roots of the
/// polynomial of SM4's field.
pub(super) const ROOT: u8 = {
    let mut root = 0;
    while !is_root(root) {
        root += 1;
    }
    root
};

/// Whether x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1 is zero at `x`.
pub(super) const fn is_root(x: u8) -> bool {
    let (mut value, mut power, mut i) = (0, 1, 0);
    while i <= 8 {
        if 0x1f5 >> i & 1 == 1 {
            value ^= power;
        }
        power = multiply(power, x);
        i += 1;
    }
    value == 0
}

/// The product in AES's field.
pub(super) const fn multiply(a: u8, b: u8) -> u8 {
    let (mut product, mut i) = (0, 8);
    while i > 0 {
        i -= 1;
        product = product << 1 ^ if product >> 7 == 1 { 0x1b } else { 0 };
        if b >> i & 1 == 1 {
            product ^= a;
        }
    }
    product
}

/// f: x^i goes to the power i of `root`.
pub(super) const fn isomorphism(root: u8) -> Map {
    let (mut map, mut power, mut i) = ([0; 8], 1, 0);
    while i < 8 {
        map[i] = power;
        power = multiply(power, root);
        i += 1;
    }
    map
}

/// f A.
pub(super) const fn basis(root: u8) -> Map {
    let mut map = [0; 8];
    let mut i = 0;
    while i < 8 {
        map[i] = apply(&isomorphism(root), linear(1 << i));
        i += 1;
    }
    map
}

pub(super) const fn apply(map: &Map, x: u8) -> u8 {
    let (mut y, mut i) = (0, 0);
    while i < 8 {
        if x >> i & 1 == 1 {
            y ^= map[i];
        }
        i += 1;
    }
    y
}

pub(super) const fn inverse(map: &Map) -> Map {
    let mut result = [0; 8];
    let mut i = 0;
    while i < 8 {
        while apply(map, result[i]) != 1 << i {
            result[i] += 1;
        }
        i += 1;
    }
    result
}

/// M_0 to M_3 of the sum of a word's rotations.
pub(super) const fn columns(rotations: &[u32]) -> [Map; 4] {
    let mut maps = [[0; 8]; 4];
    let mut i = 0;
    while i < 8 * rotations.len() {
        let bytes = (1u32 << (i % 8))
            .rotate_left(rotations[i / 8])
            .to_le_bytes();
        let mut a = 0;
        while a < 4 {
            maps[a][i % 8] ^= bytes[a];
            a += 1;
        }
        i += 1;
    }
    maps
}

/// What follows the inversion in each byte: f A M_a A f^-1 and f A M_a D3, for each a.
pub(super) const fn after_inversion(root: u8, columns: &[Map; 4]) -> ([Map; 4], [u8; 4]) {
    let (enter, leave) = (basis(root), inverse(&isomorphism(root)));
    let (mut maps, mut constants, mut a) = ([[0; 8]; 4], [0; 4], 0);
    while a < 4 {
        let mut i = 0;
        while i < 8 {
            maps[a][i] = apply(&enter, apply(&columns[a], linear(leave[i])));
            i += 1;
        }
        constants[a] = apply(&enter, apply(&columns[a], AFFINE));
        a += 1;
    }
    (maps, constants)
}
