//! SM4 for processors with GFNI: the matrices, derived from the cipher's algebra, and the key.
//!
//! The instructions know two maps on bytes: M x + c over GF(2), and M inv(x) + c, where inv is the
//! inversion in the field of AES, modulo x^8 + x^4 + x^3 + x + 1. SM4's S-box is S(x) = A inv'(A x + D3) + D3
//! with inv' in another representation of the same field. For an isomorphism f from that one to AES's,
//! inv' = f^-1 inv f. Two things follow.
//!
//! - **Another basis.** Kept as y = f A x in all rounds, a word needs no map before the inversion:
//!   f (A x + D3) = y + f D3, and the constant goes into the round keys.
//! - **L in the matrices.** After the inversion comes f^-1, A, the constant, L, and f A to return to y. L is
//!   linear: let M_a x be byte a of L(x) for a word whose byte 0 is x and whose others are zero. Then L(s) is
//!   the sum of M_a on each byte of s, rotated by 8 a bits, a from 0 to 3. So one instruction does M_a
//!   with everything before and after it.
//!
//! A round is the sum of three words and a round key, one inversion for each M_a (three: M_1 = M_2), three
//! rotations by whole bytes, and the sum. The key schedule is the same with L' (four matrices).
//!
//! Words are loaded with their bytes in memory's order, the most significant first, which nothing but
//! the rotations sees: they go the other way round.
use super::consts::{AFFINE, CK, FK, linear};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The round keys in the basis of the rounds, f D3 added.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(super) struct Keys {
    pub(super) words: [u32; 32],
    /// Each byte of the words four times.
    pub(super) bytes: [u128; 32],
}

/// The order of the round keys.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Encrypt = 0,
    Decrypt = 31,
}

impl Direction {
    /// Which round key the round `i` takes.
    #[inline]
    pub(super) fn index(self, i: usize) -> usize {
        (i ^ self as usize) % 32
    }
}

/// A linear map on bytes: the images of the bits, the lowest first.
type Map = [u8; 8];

/// L or L', after the inversion: a matrix for each rotation, and the sum of the constants.
pub(super) struct Transform {
    pub(super) matrices: [u64; 4],
    pub(super) constant: u8,
}

/// From x to y.
pub(super) const ENTER: u64 = matrix(&basis(ROOT));
/// From y to x.
pub(super) const LEAVE: u64 = matrix(&inverse(&basis(ROOT)));
/// L.
pub(super) const ROUND: Transform = transform(ROOT, &columns(&[0, 2, 10, 18, 24]));
/// L'.
pub(super) const SCHEDULE: Transform = transform(ROOT, &columns(&[0, 13, 23]));
// The kernels compute M_1 and M_2 as one, and one of them M_3 out of M_0 and M_1.
const _: () = assert!(
    ROUND.matrices[1] == ROUND.matrices[2]
        && ROUND.matrices[3] == ROUND.matrices[0] ^ ROUND.matrices[1]
);

/// f D3: what a round key or a CK has on top.
pub(super) const INNER: u8 = apply(&isomorphism(ROOT), AFFINE);

/// FK as the kernels load words.
pub(super) const FK_BYTES: [u32; 4] = [
    FK[0].swap_bytes(),
    FK[1].swap_bytes(),
    FK[2].swap_bytes(),
    FK[3].swap_bytes(),
];

/// CK in the basis of the rounds, f D3 added.
pub(super) static CK_BYTES: [u32; 32] = {
    let mut result = CK;
    let mut i = 0;
    while i < 32 {
        let mut bytes = CK[i].to_be_bytes();
        let mut j = 0;
        while j < 4 {
            bytes[j] = apply(&basis(ROOT), bytes[j]) ^ INNER;
            j += 1;
        }
        result[i] = u32::from_le_bytes(bytes);
        i += 1;
    }
    result
};

/// The lowest of the eight elements of AES's field that can be the image of x: the roots of the
/// polynomial of SM4's field.
const ROOT: u8 = {
    let mut root = 0;
    while !is_root(root) {
        root += 1;
    }
    root
};

/// Whether x^8 + x^7 + x^6 + x^5 + x^4 + x^2 + 1 is zero at `x`.
const fn is_root(x: u8) -> bool {
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
const fn multiply(a: u8, b: u8) -> u8 {
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
const fn isomorphism(root: u8) -> Map {
    let (mut map, mut power, mut i) = ([0; 8], 1, 0);
    while i < 8 {
        map[i] = power;
        power = multiply(power, root);
        i += 1;
    }
    map
}

/// f A.
const fn basis(root: u8) -> Map {
    let mut map = [0; 8];
    let mut i = 0;
    while i < 8 {
        map[i] = apply(&isomorphism(root), linear(1 << i));
        i += 1;
    }
    map
}

const fn apply(map: &Map, x: u8) -> u8 {
    let (mut y, mut i) = (0, 0);
    while i < 8 {
        if x >> i & 1 == 1 {
            y ^= map[i];
        }
        i += 1;
    }
    y
}

const fn inverse(map: &Map) -> Map {
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

/// The operand of the instructions: row i, whose parity with x is bit i of the result, is byte 7 - i.
const fn matrix(map: &Map) -> u64 {
    let (mut rows, mut i) = ([0; 8], 0);
    while i < 64 {
        rows[7 - i / 8] |= (map[i % 8] >> (i / 8) & 1) << (i % 8);
        i += 1;
    }
    u64::from_le_bytes(rows)
}

/// M_0 to M_3 of the sum of a word's rotations.
const fn columns(rotations: &[u32]) -> [Map; 4] {
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

/// f A M_a A f^-1 for each a, and the sum of all f A M_a D3.
const fn transform(root: u8, columns: &[Map; 4]) -> Transform {
    let (enter, leave) = (basis(root), inverse(&isomorphism(root)));
    let mut result = Transform {
        matrices: [0; 4],
        constant: 0,
    };
    let mut a = 0;
    while a < 4 {
        let (mut map, mut i) = ([0; 8], 0);
        while i < 8 {
            map[i] = apply(&enter, apply(&columns[a], linear(leave[i])));
            i += 1;
        }
        result.matrices[a] = matrix(&map);
        result.constant ^= apply(&enter, apply(&columns[a], AFFINE));
        a += 1;
    }
    result
}

#[cfg(test)]
mod tests;
