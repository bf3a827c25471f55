//! SM4 for processors with instructions for AES: the maps around AES's S-box, and the key.
//!
//! AES's S-box is M inv(x) + 63 with a linear map M. So in the basis of [`algebra`](super::algebra) the last
//! step of an AES round, SubBytes and ShiftRows, inverts all bytes. M^-1 goes into the maps that follow, and the way
//! back from ShiftRows into the rotations by whole bytes.
//!
//! A linear map on bytes is the sum of two lookups of 16 entries, one for each nibble: the instructions that permute
//! bytes look up in a register, in constant time.
use super::{
    algebra::{LINEAR, Map, ROOT, SCHEDULE_LINEAR, after_inversion, apply, basis, inverse},
    key_schedule::Direction,
};
use zeroize::{Zeroize, ZeroizeOnDrop};

pub(super) mod rounds;

/// The round keys in the basis of the rounds, f D3 added.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(super) struct Keys(pub(super) [u32; 32]);

impl Keys {
    /// The key of the round `i`.
    #[inline]
    pub(super) fn round(&self, order: Direction, i: usize) -> u32 {
        self.0[order.index(i)]
    }
}

/// The map x -> low[x mod 16] + high[x / 16].
pub(super) struct Nibbles {
    pub(super) low: [u8; 16],
    pub(super) high: [u8; 16],
}

/// From x to y.
pub(super) static ENTER: Nibbles = nibbles(&basis(ROOT), 0);
/// From y to x.
pub(super) static LEAVE: Nibbles = nibbles(&inverse(&basis(ROOT)), 0);
/// M_0 to M_3 of L, after AES's S-box.
pub(super) static ROUND: [Nibbles; 4] = after_sub_bytes(&LINEAR);
/// M_0 to M_3 of L', after AES's S-box.
pub(super) static SCHEDULE: [Nibbles; 4] = after_sub_bytes(&SCHEDULE_LINEAR);
/// For each a: undoes ShiftRows and rotates words left by 8 a bits, the first byte being the most significant. Byte i
/// of the result is the byte of the number at i.
pub(super) static ROTATIONS: [[u8; 16]; 4] = [rotation(0), rotation(1), rotation(2), rotation(3)];
// The kernels compute M_1 and M_2 as one, and M_3 as M_0 + M_1.
const _: () = assert!(rounds_share_maps());

const fn rounds_share_maps() -> bool {
    let (maps, _) = after_inversion(ROOT, &LINEAR);
    let mut i = 0;
    while i < 8 {
        if maps[1][i] != maps[2][i] || maps[3][i] != maps[0][i] ^ maps[1][i] {
            return false;
        }
        i += 1;
    }
    true
}

/// M.
const fn aes_linear(x: u8) -> u8 {
    x ^ x.rotate_left(1) ^ x.rotate_left(2) ^ x.rotate_left(3) ^ x.rotate_left(4)
}

/// The constant of AES's S-box.
const AES_AFFINE: u8 = 0x63;

/// The map `map`, and `constant` added.
const fn nibbles(map: &Map, constant: u8) -> Nibbles {
    let mut result = Nibbles {
        low: [0; 16],
        high: [0; 16],
    };
    let mut i = 0;
    while i < 16 {
        result.low[i] = apply(map, i as u8) ^ constant;
        result.high[i] = apply(map, (i as u8) << 4);
        i += 1;
    }
    result
}

/// The maps that take AES's S-box to a round's, one for each rotation.
const fn after_sub_bytes(columns: &[Map; 4]) -> [Nibbles; 4] {
    let (maps, constants) = after_inversion(ROOT, columns);
    let mut aes = [0; 8];
    let mut i = 0;
    while i < 8 {
        aes[i] = aes_linear(1 << i);
        i += 1;
    }
    let undo = inverse(&aes);
    let mut results = [const {
        Nibbles {
            low: [0; 16],
            high: [0; 16],
        }
    }; 4];
    let mut a = 0;
    while a < 4 {
        let (mut map, mut i) = ([0; 8], 0);
        while i < 8 {
            map[i] = apply(&maps[a], undo[i]);
            i += 1;
        }
        results[a] = nibbles(&map, apply(&map, AES_AFFINE) ^ constants[a]);
        a += 1;
    }
    results
}

const fn rotation(a: u8) -> [u8; 16] {
    let (mut result, mut i) = ([0; 16], 0);
    while i < 16 {
        // Row r of column c stands in column c - r after ShiftRows.
        let (row, column) = ((i + a) % 4, i / 4);
        result[i as usize] = 4 * ((4 + column - row) % 4) + row;
        i += 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::super::{
        algebra::{INNER, multiply},
        consts::sbox,
    };
    use super::*;

    impl Nibbles {
        fn apply(&self, x: u8) -> u8 {
            self.low[usize::from(x % 16)] ^ self.high[usize::from(x / 16)]
        }
    }

    /// AES's S-box by its definition.
    fn aes_sbox(x: u8) -> u8 {
        let inverse = (0..=255).find(|y| multiply(x, *y) == 1).unwrap_or(0);
        aes_linear(inverse) ^ AES_AFFINE
    }

    /// SubBytes and ShiftRows.
    fn last_round(state: [u8; 16]) -> [u8; 16] {
        core::array::from_fn(|i| aes_sbox(state[(5 * (i % 4) + i / 4 * 4) % 16]))
    }

    /// A round's map out of lookups, against its definition, on words of all bytes.
    fn check(maps: &[Nibbles; 4], by: &[u32]) {
        for i in 0..=255_u8 {
            let x: [u8; 16] = core::array::from_fn(|j| i.wrapping_mul(2 * j as u8 + 1) ^ j as u8);
            let z = last_round(x.map(|x| ENTER.apply(x) ^ INNER));
            let mut got = [0; 16];
            for (map, from) in maps.iter().zip(&ROTATIONS) {
                for (byte, j) in got.iter_mut().zip(from) {
                    *byte ^= map.apply(z[usize::from(*j)]);
                }
            }
            let mut expected = [0; 16];
            for (to, word) in expected.as_chunks_mut().0.iter_mut().zip(x.as_chunks().0) {
                let s = u32::from_be_bytes(<[u8; 4]>::map(*word, sbox));
                let sum = by.iter().fold(0, |sum, n| sum ^ s.rotate_left(*n));
                *to = sum.to_be_bytes().map(|x| ENTER.apply(x));
            }
            assert_eq!(got, expected, "i = {i}");
        }
    }

    #[test]
    fn aes_sbox_has_the_standards_corners() {
        assert_eq!([0, 1, 0x53, 0xff].map(aes_sbox), [0x63, 0x7c, 0xed, 0x16]);
    }

    #[test]
    fn lookups_compute_a_round() {
        check(&ROUND, &[0, 2, 10, 18, 24]);
    }

    #[test]
    fn lookups_compute_a_step_of_the_key_schedule() {
        check(&SCHEDULE, &[0, 13, 23]);
    }

    #[test]
    fn leaving_undoes_entering() {
        for x in 0..=255 {
            assert_eq!(LEAVE.apply(ENTER.apply(x)), x);
        }
    }
}
