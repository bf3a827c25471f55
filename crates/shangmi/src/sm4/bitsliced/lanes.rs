//! Bit planes of many blocks.
//!
//! A lane, one `u64` of each plane, has 16 blocks. Byte c of a word (c = 0 is the first in memory, the most
//! significant) lies in quarter c of the lane, one bit of it for each block.
//!
//! Every function that loops over the lanes does the same to each: the compiler makes vector instructions
//! of that, as wide as the target has.
use super::{
    super::{BLOCK_LEN, Block},
    sbox::{self, Planes},
};

/// Lanes of a plane: enough for the vectors of today's machines.
pub(super) const LANES: usize = 4;
/// Blocks of a lane.
pub(super) const LANE_BLOCKS: usize = 16;
/// Blocks that are processed together.
pub(super) const GROUP: usize = LANES * LANE_BLOCKS;

/// A bit of the bytes of one word of all blocks.
type Plane = [u64; LANES];

/// Words X_i to X_{i+3} of all blocks.
pub(super) struct State {
    words: [Planes<Plane>; 4],
    lanes: usize,
}

/// A round key: its planes, the same in all lanes.
pub(super) type KeyPlanes = Planes<u64>;

/// The planes of a round key.
pub(super) fn spread_key(key: u32) -> KeyPlanes {
    // Byte c twice, in quarter c; then bit i of each byte in all its bits.
    let [c0, c1, c2, c3] = key.to_be_bytes();
    let bytes = u64::from_le_bytes([c0, c0, c1, c1, c2, c2, c3, c3]);
    core::array::from_fn(|i| (bytes >> i & 0x0101_0101_0101_0101) * 0xff)
}

impl State {
    /// The planes of [`GROUP`] blocks, of which the first `lanes` lanes matter.
    pub(super) fn load(blocks: &[Block; GROUP], lanes: usize) -> Self {
        let mut words = [[[0; LANES]; 8]; 4];
        for (k, lane) in blocks.as_chunks().0.iter().enumerate().take(lanes) {
            let lane: &[Block; LANE_BLOCKS] = lane;
            let rows = interleave(lane);
            for n in 0..8 {
                for j in 0..4 {
                    words[j][n][k] = u64::from_le_bytes(rows[n][j]);
                }
            }
        }
        words.iter_mut().for_each(transpose);
        Self { words, lanes }
    }

    /// The reverse transform: (X_35, X_34, X_33, X_32) to the blocks.
    pub(super) fn store(mut self, blocks: &mut [Block; GROUP]) {
        let words = &mut self.words;
        for planes in &mut *words {
            transpose(planes);
            planes.iter_mut().for_each(separate);
        }
        for (k, lane) in blocks
            .as_chunks_mut()
            .0
            .iter_mut()
            .enumerate()
            .take(self.lanes)
        {
            let lane: &mut [Block; LANE_BLOCKS] = lane;
            for n in 0..8 {
                for j in 0..4 {
                    let row = words[3 - j][n][k];
                    lane[n].as_chunks_mut().0[j] = (row as u32).to_le_bytes();
                    lane[n + 8].as_chunks_mut().0[j] = ((row >> 32) as u32).to_le_bytes();
                }
            }
        }
    }

    /// All rounds; word j goes in as X_j and comes out as X_{32+j}.
    pub(super) fn rounds(mut self, keys: &[KeyPlanes; 32]) -> Self {
        match self.lanes {
            1 => self.rounds_of::<1>(keys),
            2 => self.rounds_of::<2>(keys),
            _ => self.rounds_of::<LANES>(keys),
        }
        self
    }

    fn rounds_of<const N: usize>(&mut self, keys: &[KeyPlanes; 32]) {
        let [x0, x1, x2, x3] = &mut self.words;
        for [k0, k1, k2, k3] in keys.as_chunks().0 {
            round::<N>(x0, x1, x2, x3, k0);
            round::<N>(x1, x2, x3, x0, k1);
            round::<N>(x2, x3, x0, x1, k2);
            round::<N>(x3, x0, x1, x2, k3);
        }
    }
}

/// Exchanges the three bits of a row's number with the three bits of a position in a byte.
fn transpose(rows: &mut Planes<Plane>) {
    for i in [0, 1, 2, 3] {
        exchange(rows, i, i + 4, 4, 0x0f0f_0f0f_0f0f_0f0f);
    }
    for i in [0, 1, 4, 5] {
        exchange(rows, i, i + 2, 2, 0x3333_3333_3333_3333);
    }
    for i in [0, 2, 4, 6] {
        exchange(rows, i, i + 1, 1, 0x5555_5555_5555_5555);
    }
}

/// Exchanges the bits of row `b` under the mask with those of row `a` that stand `shift` higher.
#[inline(always)]
fn exchange(rows: &mut Planes<Plane>, a: usize, b: usize, shift: u32, mask: u64) {
    let (x, y) = (rows[a], rows[b]);
    let t: Plane = core::array::from_fn(|k| (x[k] >> shift ^ y[k]) & mask);
    rows[a] = core::array::from_fn(|k| x[k] ^ t[k] << shift);
    rows[b] = core::array::from_fn(|k| y[k] ^ t[k]);
}

/// x0 += T(x1 + x2 + x3 + key). Not inlined: as arguments, the words are known not to overlap.
#[inline(never)]
fn round<const N: usize>(
    x0: &mut Planes<Plane>,
    x1: &Planes<Plane>,
    x2: &Planes<Plane>,
    x3: &Planes<Plane>,
    key: &KeyPlanes,
) {
    for k in 0..N {
        let s = sbox::kernel(core::array::from_fn(|i| {
            x1[i][k] ^ x2[i][k] ^ x3[i][k] ^ key[i]
        }));
        // Rotations of the words to which the bits belong, by 8 and by 16.
        let (by_8, by_16) = (
            |plane: u64| plane.rotate_right(16),
            |plane: u64| plane.rotate_right(32),
        );
        let r = s.map(by_8);
        for i in 0..8 {
            // t and u: by 2 and by 10. Past the top bit of a byte begins the next byte.
            let (t, u) = if i < 2 {
                (r[i + 6], by_8(r[i + 6]))
            } else {
                (s[i - 2], r[i - 2])
            };
            x0[i][k] ^= s[i] ^ t ^ u ^ by_16(t ^ r[i]);
        }
    }
}

/// Row n: the bytes of block n and of block n + 8 in turn, word by word.
type Rows = [[[u8; 8]; 4]; 8];

#[inline(never)]
fn interleave(lane: &[Block; LANE_BLOCKS]) -> Rows {
    let mut rows = Rows::default();
    let (first, second) = lane.as_flattened().split_at(8 * BLOCK_LEN);
    let pairs = rows.as_flattened_mut().as_flattened_mut().as_chunks_mut().0;
    for ([a, b], (x, y)) in pairs.iter_mut().zip(first.iter().zip(second)) {
        (*a, *b) = (*x, *y);
    }
    rows
}

/// The even bytes to the lower half, the odd ones to the upper half, which undoes [`interleave`].
#[inline(always)]
fn separate(row: &mut Plane) {
    *row = row.map(|x| {
        let t = (x >> 8 ^ x) & 0x0000_ff00_0000_ff00;
        let x = x ^ t ^ t << 8;
        let t = (x >> 16 ^ x) & 0x0000_0000_ffff_0000;
        x ^ t ^ t << 16
    });
}
