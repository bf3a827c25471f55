//! Bit planes of many blocks.
//!
//! Byte c of a word (c = 0 is the most significant, the first in memory) lies in quarter c of a
//! plane; within the quarter, each bit belongs to one block.
use super::{
    super::Block,
    sbox::{Planes, Word},
};
use zeroize::DefaultIsZeroes;

/// Words X_i to X_{i+3} of all blocks.
pub(super) type State<L> = [Planes<L>; 4];

/// The largest [`Lanes::BLOCKS`].
pub(super) const MAX_BLOCKS: usize = 32;

/// A plane.
pub(super) trait Lanes: Word + DefaultIsZeroes {
    /// Blocks that a plane has room for: an eighth of its bytes.
    const BLOCKS: usize;

    /// Rotates the words to which the bits belong by 8.
    fn rotate_left_8(self) -> Self;
    /// Rotates the words to which the bits belong by 16.
    fn rotate_left_16(self) -> Self;
    /// Plane i of a word that is the same in all blocks.
    fn spread_key(word: u32, i: usize) -> Self;
    /// The planes of [`BLOCKS`](Self::BLOCKS) blocks.
    fn load(blocks: &[Block]) -> State<Self>;
    /// The inverse of [`load`](Self::load).
    fn store(state: State<Self>, blocks: &mut [Block]);
    /// Shifts each byte right by N bits and the lower bits of the byte out; what enters above is not specified.
    fn shift_right<const N: i32>(self) -> Self;
    /// Shifts each byte left by N bits; what enters below is not specified.
    fn shift_left<const N: i32>(self) -> Self;
    /// The byte `b` everywhere.
    fn bytes(b: u8) -> Self;
}

/// Exchanges bit i of the number of a row with bit i of a position in a byte: byte-wise 8 x 8 bit
/// transposition. Its own inverse.
#[inline(always)]
pub(super) fn transpose<L: Lanes>(rows: &mut [L; 8]) {
    for i in 0..4 {
        exchange::<L, 4>(rows, i, i + 4, 0x0f);
    }
    for i in [0, 1, 4, 5] {
        exchange::<L, 2>(rows, i, i + 2, 0x33);
    }
    for i in [0, 2, 4, 6] {
        exchange::<L, 1>(rows, i, i + 1, 0x55);
    }
}

/// Exchanges the bits of row `b` under the mask with those of row `a` that stand N higher.
#[inline(always)]
fn exchange<L: Lanes, const N: i32>(rows: &mut [L; 8], a: usize, b: usize, mask: u8) {
    let t = (rows[a].shift_right::<N>() ^ rows[b]) & L::bytes(mask);
    rows[b] = rows[b] ^ t;
    rows[a] = rows[a] ^ t.shift_left::<N>();
}

impl Lanes for u64 {
    const BLOCKS: usize = 16;

    fn rotate_left_8(self) -> Self {
        self.rotate_right(16)
    }

    fn rotate_left_16(self) -> Self {
        self.rotate_right(32)
    }

    fn spread_key(word: u32, i: usize) -> Self {
        // One bit in each 16; then all 16.
        let bits = interleave(word.swap_bytes() >> i & 0x0101_0101);
        (bits << 16).wrapping_sub(bits)
    }

    fn load(blocks: &[Block]) -> State<Self> {
        core::array::from_fn(|j| {
            let mut rows = core::array::from_fn(|n| {
                interleave(word(&blocks[n], j)) | interleave(word(&blocks[n + 8], j)) << 8
            });
            transpose(&mut rows);
            rows
        })
    }

    fn store(state: State<Self>, blocks: &mut [Block]) {
        for (j, mut rows) in state.into_iter().enumerate() {
            transpose(&mut rows);
            for (n, row) in rows.into_iter().enumerate() {
                set_word(&mut blocks[n], j, gather(row));
                set_word(&mut blocks[n + 8], j, gather(row >> 8));
            }
        }
    }

    fn shift_right<const N: i32>(self) -> Self {
        self >> N
    }

    fn shift_left<const N: i32>(self) -> Self {
        self << N
    }

    fn bytes(b: u8) -> Self {
        Self::from_ne_bytes([b; 8])
    }
}

/// Word j with its first byte at the bottom.
fn word(block: &Block, j: usize) -> u32 {
    u32::from_le_bytes(block.as_chunks().0[j])
}

fn set_word(block: &mut Block, j: usize, word: u32) {
    block.as_chunks_mut().0[j] = word.to_le_bytes();
}

/// Byte c to byte 2 c.
fn interleave(word: u32) -> u64 {
    let x = u64::from(word);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// Byte 2 c to byte c.
fn gather(x: u64) -> u32 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}
