//! SM4 as bit operations: constant time on any machine, and parallel.
//!
//! Two shapes share one S-box circuit ([`sbox`]):
//!
//! - One block ([`Keys::crypt_block`]): the 32-bit word w of a round serves as its own bit planes,
//!   plane i being w >> i, of which every eighth bit counts. Nothing is transposed.
//! - Many blocks ([`lanes`]): plane i of word j holds bit i of the bytes of word j of all blocks. A rotation
//!   by 8 bits is then a rotation of the planes, and a rotation by 2 takes other planes.
//!
//! The constants of the S-box are gone from the rounds. S(x) = kernel(x + c) + D3 with c = A^-1 D3: c
//! goes into the round key; D3 in all bytes leaves L as 4F in all bytes, which each round adds to its
//! word. So word X_i is off by 4F4F4F4F when i / 4 is odd, the sum of three words too when an odd
//! number of them is, and the round keys take that as well. The last four words, X_32 to X_35, are right.
use super::{
    Block,
    consts::{AFFINE, linear_inverse},
    key_schedule::{Direction, RoundKeys},
};
use lanes::{GROUP, LANE_BLOCKS, LANES, State};
use zeroize::{Zeroize, ZeroizeOnDrop};

mod lanes;
mod sbox;

pub(super) const NAME: &str = "bitsliced";

/// From this many blocks on, the parallel shape is faster than one block after the other.
const WIDE_MIN: usize = 3;

/// The byte `b` four times.
const fn everywhere(b: u8) -> u32 {
    u32::from_ne_bytes([b; 4])
}

/// c in all bytes: what the S-box's inner constant adds to a round key.
const INNER: u32 = everywhere(linear_inverse(AFFINE));
/// L(D3D3D3D3). L is s + (s <<< 2) + (s <<< 10) + (s <<< 18) + (s <<< 24); for four equal bytes that is
/// three times the rotation by two.
const OUTER: u32 = everywhere(AFFINE.rotate_left(2));

/// The round keys with the S-box's constants inside.
#[derive(Clone, Zeroize, ZeroizeOnDrop)]
pub(super) struct Keys([u32; 32]);

impl Keys {
    pub(super) fn new(round_keys: &RoundKeys) -> Self {
        let mut keys = Self(round_keys.0);
        for (i, key) in keys.0.iter_mut().enumerate() {
            let off = (i + 1..i + 4).filter(|word| word / 4 % 2 == 1).count();
            // The pattern over eight rounds reads the same backwards, so decryption uses these keys too.
            *key ^= INNER ^ if off % 2 == 1 { OUTER } else { 0 };
        }
        keys
    }

    pub(super) fn crypt_block(&self, order: Direction, block: &mut Block) {
        match order {
            Direction::Encrypt => crypt_block(self.0.iter(), block),
            Direction::Decrypt => crypt_block(self.0.iter().rev(), block),
        }
    }

    pub(super) fn crypt_blocks(&self, order: Direction, blocks: &mut [Block]) {
        match order {
            Direction::Encrypt => crypt_blocks(self.0.iter(), blocks),
            Direction::Decrypt => crypt_blocks(self.0.iter().rev(), blocks),
        }
    }
}

fn crypt_blocks<'a>(keys: impl Iterator<Item = &'a u32> + Clone, blocks: &mut [Block]) {
    if blocks.len() < WIDE_MIN {
        return blocks
            .iter_mut()
            .for_each(|block| crypt_block(keys.clone(), block));
    }
    let mut planes = [lanes::KeyPlanes::default(); 32];
    for (round, key) in planes.iter_mut().zip(keys) {
        *round = lanes::spread_key(*key);
    }
    let (groups, rest) = blocks.as_chunks_mut();
    for group in groups {
        State::load(group, LANES).rounds(&planes).store(group);
    }
    if !rest.is_empty() {
        let mut group = [[0; 16]; GROUP];
        group[..rest.len()].copy_from_slice(rest);
        State::load(&group, rest.len().div_ceil(LANE_BLOCKS))
            .rounds(&planes)
            .store(&mut group);
        rest.copy_from_slice(&group[..rest.len()]);
        group[..rest.len()].as_flattened_mut().zeroize();
    }
    planes.as_flattened_mut().zeroize();
}

/// S on each byte of a word, constants included.
pub(super) fn substitute(word: u32) -> u32 {
    kernel_bytes(word ^ INNER) ^ everywhere(AFFINE)
}

/// The S-box without constants on each byte of a word.
#[inline(always)]
fn kernel_bytes(word: u32) -> u32 {
    let s = sbox::kernel(core::array::from_fn(|i| word >> i));
    let bit = |i: usize| s[i] & everywhere(1);
    // Sums of bits that do not meet: an addition with a shift inside is one instruction.
    let bits = |i: usize| bit(i).wrapping_add(bit(i + 1) << 1);
    let nibble = |i: usize| bits(i).wrapping_add(bits(i + 2) << 2);
    nibble(0).wrapping_add(nibble(4) << 4)
}

fn crypt_block<'a>(keys: impl Iterator<Item = &'a u32>, block: &mut Block) {
    let (words, _) = block.as_chunks_mut();
    let [mut x0, mut x1, mut x2, mut x3] = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
    for key in keys {
        // x3 comes last: the rest of the sum is ready before it.
        let s = kernel_bytes(x3 ^ (x1 ^ x2 ^ key));
        let t = (s ^ s.rotate_left(2)) ^ (s.rotate_left(10) ^ s.rotate_left(18));
        (x0, x1, x2, x3) = (x1, x2, x3, x0 ^ t ^ s.rotate_left(24));
    }
    for (bytes, x) in words.iter_mut().zip([x3, x2, x1, x0]) {
        *bytes = x.to_be_bytes();
    }
}
