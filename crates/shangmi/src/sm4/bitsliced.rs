//! SM4 as bit operations: constant time on any machine, and parallel.
//!
//! Two shapes share one S-box circuit ([`sbox`]):
//!
//! - One block ([`Keys::encrypt_block`]): the 32-bit word w of a round serves as its own bit planes,
//!   plane i being w >> i, of which every eighth bit counts. No transposition, at most four lanes.
//! - Many blocks ([`lanes`]): plane i of word j holds bit i of the bytes of word j of all blocks, the
//!   bytes of equal significance in one quarter of the plane. A rotation by 8 bits is then a rotation
//!   of the plane by one quarter, and a rotation by 2 takes another plane.
//!
//! The constants of the S-box are gone from the rounds. S(x) = kernel(x + c) + D3 with c = A^-1 D3: c
//! goes into the round key; D3 in all bytes leaves L as 4F in all bytes, which each round adds to its
//! word. So word X_i is off by 4F4F4F4F when i / 4 is odd, the sum of three words too when an odd
//! number of them is, and the round keys take that as well. The last four words, X_32 to X_35, are right.
use super::{
    Block,
    consts::{AFFINE, linear_inverse},
    key_schedule::RoundKeys,
};
use lanes::{Lanes, State};
use zeroize::{Zeroize, ZeroizeOnDrop};

mod lanes;
mod sbox;

/// The widest lanes that every machine of this architecture has.

type Wide = u64;

pub(super) const NAME: &str = "bitsliced";

/// From this many blocks on, the parallel shape is faster than one block after the other.
const WIDE_MIN: usize = 2;

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

/// The round keys as planes, for one call.
#[derive(Zeroize, ZeroizeOnDrop)]
struct KeyPlanes<L: Lanes>([[L; 8]; 32]);

impl<L: Lanes> KeyPlanes<L> {
    fn new(keys: impl Iterator<Item = u32>) -> Self {
        let mut planes = Self([[L::default(); 8]; 32]);
        for (round, key) in planes.0.iter_mut().zip(keys) {
            *round = core::array::from_fn(|i| L::spread_key(key, i));
        }
        planes
    }

    fn crypt(&self, blocks: &mut [Block]) {
        let mut state = L::load(blocks);
        rounds(&mut state, &self.0);
        state.reverse();
        L::store(state, blocks);
    }
}

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

    pub(super) fn encrypt_block(&self, block: &mut Block) {
        crypt_block(self.0.iter(), block);
    }

    pub(super) fn decrypt_block(&self, block: &mut Block) {
        crypt_block(self.0.iter().rev(), block);
    }

    pub(super) fn encrypt_blocks(&self, blocks: &mut [Block]) {
        crypt_blocks::<Wide>(self.0.iter(), blocks);
    }

    pub(super) fn decrypt_blocks(&self, blocks: &mut [Block]) {
        crypt_blocks::<Wide>(self.0.iter().rev(), blocks);
    }
}

fn crypt_blocks<'a, L: Lanes>(keys: impl Iterator<Item = &'a u32> + Clone, blocks: &mut [Block]) {
    if blocks.len() < WIDE_MIN {
        return blocks
            .iter_mut()
            .for_each(|block| crypt_block(keys.clone(), block));
    }
    let planes = KeyPlanes::<L>::new(keys.clone().copied());
    let mut groups = blocks.chunks_exact_mut(L::BLOCKS);
    groups.by_ref().for_each(|group| planes.crypt(group));
    let rest = groups.into_remainder();
    if rest.len() < WIDE_MIN {
        rest.iter_mut()
            .for_each(|block| crypt_block(keys.clone(), block));
    } else {
        let mut group = [[0; 16]; lanes::MAX_BLOCKS];
        group[..rest.len()].copy_from_slice(rest);
        planes.crypt(&mut group[..L::BLOCKS]);
        rest.copy_from_slice(&group[..rest.len()]);
        group.zeroize();
    }
}

/// All rounds; word j of `state` goes in as X_j and comes out as X_{32+j}.
fn rounds<L: Lanes>([x0, x1, x2, x3]: &mut State<L>, keys: &[[L; 8]; 32]) {
    for [k0, k1, k2, k3] in keys.as_chunks().0 {
        round(x0, x1, x2, x3, k0);
        round(x1, x2, x3, x0, k1);
        round(x2, x3, x0, x1, k2);
        round(x3, x0, x1, x2, k3);
    }
}

/// x0 += T(x1 + x2 + x3 + key).
#[inline(always)]
fn round<L: Lanes>(x0: &mut [L; 8], x1: &[L; 8], x2: &[L; 8], x3: &[L; 8], key: &[L; 8]) {
    let s = sbox::kernel(core::array::from_fn(|i| x1[i] ^ x2[i] ^ x3[i] ^ key[i]));
    let r = s.map(L::rotate_left_8);
    for i in 0..8 {
        // t and u: the rotations by 2 and by 10. Past the top bit of a byte begins the next byte.
        let (t, u) = if i < 2 {
            (r[i + 6], r[i + 6].rotate_left_8())
        } else {
            (s[i - 2], r[i - 2])
        };
        x0[i] = x0[i] ^ s[i] ^ t ^ u ^ (t ^ r[i]).rotate_left_16();
    }
}

/// S on each byte of a word, constants included.
pub(super) fn substitute(word: u32) -> u32 {
    kernel_bytes(word ^ INNER) ^ everywhere(AFFINE)
}

/// The S-box without constants on each byte of a word.
#[inline(always)]
fn kernel_bytes(word: u32) -> u32 {
    let s = sbox::kernel(core::array::from_fn(|i| word >> i));
    let bit = |i: usize| (s[i] & everywhere(1)) << i;
    ((bit(0) | bit(1)) | (bit(2) | bit(3))) | ((bit(4) | bit(5)) | (bit(6) | bit(7)))
}

fn crypt_block<'a>(keys: impl Iterator<Item = &'a u32>, block: &mut Block) {
    let (words, _) = block.as_chunks_mut();
    let [mut x0, mut x1, mut x2, mut x3] = core::array::from_fn(|i| u32::from_be_bytes(words[i]));
    for key in keys {
        let s = kernel_bytes(x1 ^ x2 ^ x3 ^ key);
        let t = s ^ s.rotate_left(2) ^ s.rotate_left(10) ^ s.rotate_left(18) ^ s.rotate_left(24);
        (x0, x1, x2, x3) = (x1, x2, x3, x0 ^ t);
    }
    for (bytes, x) in words.iter_mut().zip([x3, x2, x1, x0]) {
        *bytes = x.to_be_bytes();
    }
}
