//! SM4 with the instructions for AES on aarch64: chains of four blocks, several in flight.
//!
//! `AESE` adds a key, and is then the S-box but for maps that `TBL` looks up: see [`aes`](super::aes). Results are
//! tested under emulation, and the speed was not measured: not run on silicon. No branch and no address depends on data.
#![expect(
    unsafe_code,
    reason = "loads and stores; calls of functions that need processor features, each behind its token"
)]
use super::{
    Block,
    aes::{
        ENTER, Keys, LEAVE, Nibbles, ROTATIONS, ROUND, SCHEDULE,
        rounds::{expand, rounds},
    },
    algebra::{CK_BYTES, FK_BYTES, INNER},
    key_schedule::Direction,
};
use crate::cpu;
use core::arch::aarch64::{
    uint8x16_t as Vector, uint32x4_t, uint64x2_t, vaeseq_u8, vandq_u8 as and, vdupq_n_s32,
    vdupq_n_u8, veorq_u8 as xor, vgetq_lane_u32, vld1q_u8, vqtbl1q_u8 as shuffle,
    vreinterpretq_u8_s32, vreinterpretq_u8_u32, vreinterpretq_u8_u64, vreinterpretq_u32_u8,
    vreinterpretq_u64_u8, vshrq_n_u8 as shift_right, vst1q_u8, vzip1q_u32, vzip1q_u64, vzip2q_u32,
    vzip2q_u64,
};

pub(super) const NAME: &str = "aes";

/// Blocks of a chain.
const LANES: usize = 4;
/// Blocks of a vector.
const ROW: usize = 1;

/// The round keys of `key`.
pub(super) fn expand_key(_: cpu::Aes, key: &[u8; 16]) -> Keys {
    // SAFETY: the token proves the instructions for AES, and with them NEON.
    unsafe { expand(key) }
}

/// Puts blocks through the rounds with `keys`.
pub(super) fn crypt_blocks(_: cpu::Aes, keys: &Keys, order: Direction, blocks: &mut [Block]) {
    for group in blocks.chunks_mut(4 * LANES) {
        // SAFETY: the token proves the instructions for AES, and with them NEON.
        unsafe {
            match group.len().div_ceil(LANES) {
                1 => crypt::<1>(keys, order, group),
                2 => crypt::<2>(keys, order, group),
                _ => crypt::<4>(keys, order, group),
            }
        }
    }
}

rounds!("neon,aes");
expand!("neon,aes");

#[inline]
#[target_feature(enable = "neon,aes")]
fn sub_bytes(x: Vector, key: Vector) -> Vector {
    vaeseq_u8(x, key)
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn table(bytes: &[u8; 16]) -> Vector {
    // SAFETY: the 16 bytes are read; no alignment is needed.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn zero() -> Vector {
    vdupq_n_u8(0)
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn broadcast(word: i32) -> Vector {
    vreinterpretq_u8_s32(vdupq_n_s32(word))
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn first_word(x: Vector) -> u32 {
    vgetq_lane_u32::<0>(vreinterpretq_u32_u8(x))
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn load_row(blocks: &[Block]) -> Vector {
    blocks.first().map_or(zero(), |block| table(block))
}

#[inline]
#[target_feature(enable = "neon,aes")]
fn store_row(blocks: &mut [Block], x: Vector) {
    if let Some(block) = blocks.first_mut() {
        // SAFETY: a block has the 16 bytes; no alignment is needed.
        unsafe { vst1q_u8(block.as_mut_ptr(), x) }
    }
}

/// Defines functions on vectors of bytes out of instructions on wider elements.
macro_rules! unpack {
    ($($name:ident: $instruction:ident, $type:ty, $from:ident, $to:ident;)*) => { $(
        #[inline]
        #[target_feature(enable = "neon,aes")]
        fn $name(a: Vector, b: Vector) -> Vector {
            let (a, b): ($type, $type) = ($from(a), $from(b));
            $to($instruction(a, b))
        }
    )* };
}

unpack! {
    unpack_low: vzip1q_u32, uint32x4_t, vreinterpretq_u32_u8, vreinterpretq_u8_u32;
    unpack_high: vzip2q_u32, uint32x4_t, vreinterpretq_u32_u8, vreinterpretq_u8_u32;
    unpack_low_64: vzip1q_u64, uint64x2_t, vreinterpretq_u64_u8, vreinterpretq_u8_u64;
    unpack_high_64: vzip2q_u64, uint64x2_t, vreinterpretq_u64_u8, vreinterpretq_u8_u64;
}
