//! SM4 for processors with GFNI: the matrices, derived from the cipher's algebra, and the key.
//!
//! The instructions know two maps on bytes: M x + c over GF(2), and M inv(x) + c. [`algebra`](super::algebra) says
//! which ones a round needs: one inversion for each M_a.
use super::algebra::{LINEAR, Map, ROOT, SCHEDULE_LINEAR, after_inversion, basis, inverse};
pub(super) use super::key_schedule::Direction;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The round keys in the basis of the rounds, f D3 added.
#[derive(Clone)]
pub(super) struct Keys {
    pub(super) words: [u32; 32],
    /// Each byte of the words four times.
    pub(super) bytes: [u128; 32],
}

impl Drop for Keys {
    fn drop(&mut self) {
        // Slices are wiped at one go, arrays element by element.
        self.words.as_mut_slice().zeroize();
        self.bytes.as_mut_slice().zeroize();
    }
}

impl ZeroizeOnDrop for Keys {}

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
pub(super) const ROUND: Transform = transform(ROOT, &LINEAR);
/// L'.
pub(super) const SCHEDULE: Transform = transform(ROOT, &SCHEDULE_LINEAR);
// The kernels compute M_1 and M_2 as one, and one of them M_3 out of M_0 and M_1.
const _: () = assert!(
    ROUND.matrices[1] == ROUND.matrices[2]
        && ROUND.matrices[3] == ROUND.matrices[0] ^ ROUND.matrices[1]
);

/// The operand of the instructions: row i, whose parity with x is bit i of the result, is byte 7 - i.
const fn matrix(map: &Map) -> u64 {
    let (mut rows, mut i) = ([0; 8], 0);
    while i < 64 {
        rows[7 - i / 8] |= (map[i % 8] >> (i / 8) & 1) << (i % 8);
        i += 1;
    }
    u64::from_le_bytes(rows)
}

/// The instructions' form of what follows the inversion.
const fn transform(root: u8, columns: &[Map; 4]) -> Transform {
    let (maps, constants) = after_inversion(root, columns);
    let mut result = Transform {
        matrices: [0; 4],
        constant: 0,
    };
    let mut a = 0;
    while a < 4 {
        result.matrices[a] = matrix(&maps[a]);
        result.constant ^= constants[a];
        a += 1;
    }
    result
}

#[cfg(test)]
mod tests;
