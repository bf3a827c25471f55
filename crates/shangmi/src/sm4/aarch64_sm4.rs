//! SM4 with its instructions on aarch64 (ARMv8.2), four blocks in flight.
//!
//! `SM4E` makes four rounds of a block, `SM4EKEY` four steps of the key schedule. They are inline assembly, one
//! instruction each, because the intrinsics are not stable; the compiler allocates the registers and orders the rest.
//! Results are tested under emulation, and the speed was not measured: not run on silicon. No branch and no address
//! depends on data.
#![expect(
    unsafe_code,
    reason = "loads, stores, assembly, and calls behind the token that they need"
)]
use super::{
    Block,
    consts::{CK, FK},
    key_schedule::{Direction, RoundKeys},
};
use crate::cpu;
use core::arch::{
    aarch64::{
        uint32x4_t, vdupq_n_u32, veorq_u32, vextq_u8, vextq_u32, vld1q_u8, vld1q_u32,
        vreinterpretq_u8_u32, vreinterpretq_u32_u8, vrev32q_u8, vrev64q_u8, vrev64q_u32, vst1q_u8,
        vst1q_u32,
    },
    asm,
};

pub(super) const NAME: &str = "sm4";

/// Blocks in flight.
const BLOCKS: usize = 4;

/// The round keys of `key`.
pub(super) fn expand(_: cpu::Sm4, key: &[u8; 16]) -> RoundKeys {
    // SAFETY: the token proves the instructions for SM4, and with them NEON.
    unsafe { expand_key(key) }
}

/// Puts blocks through the rounds with `keys`.
pub(super) fn crypt(_: cpu::Sm4, keys: &RoundKeys, order: Direction, blocks: &mut [Block]) {
    for group in blocks.chunks_mut(BLOCKS) {
        // SAFETY: the token proves the instructions for SM4, and with them NEON.
        unsafe {
            match group {
                [_] => crypt_few::<1>(keys, order, group),
                _ => crypt_few::<BLOCKS>(keys, order, group),
            }
        }
    }
}

#[target_feature(enable = "neon,sm4")]
fn expand_key(key: &[u8; 16]) -> RoundKeys {
    let mut keys = RoundKeys([0; 32]);
    let mut k = veorq_u32(load(key), load_words(&FK));
    for (four, ck) in keys.0.as_chunks_mut().0.iter_mut().zip(CK.as_chunks().0) {
        k = sm4ekey(k, load_words(ck));
        let four: &mut [u32; 4] = four;
        // SAFETY: four words are the 16 bytes that are written.
        unsafe { vst1q_u32(four.as_mut_ptr(), k) }
    }
    keys
}

/// At most `N` blocks.
#[target_feature(enable = "neon,sm4")]
fn crypt_few<const N: usize>(keys: &RoundKeys, order: Direction, blocks: &mut [Block]) {
    let mut x = [vdupq_n_u32(0); N];
    for (x, block) in x.iter_mut().zip(&*blocks) {
        *x = load(block);
    }
    let (fours, _) = keys.0.as_chunks();
    for i in 0..8 {
        let key = match order {
            Direction::Encrypt => load_words(&fours[i]),
            Direction::Decrypt => reverse(load_words(&fours[7 - i])),
        };
        for x in &mut x {
            *x = sm4e(*x, key);
        }
    }
    for (block, x) in blocks.iter_mut().zip(x) {
        store(block, x);
    }
}

#[inline]
#[target_feature(enable = "neon,sm4")]
fn load_words(words: &[u32; 4]) -> uint32x4_t {
    // SAFETY: four words are the 16 bytes that are read.
    unsafe { vld1q_u32(words.as_ptr()) }
}

/// The four words in reverse order.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn reverse(x: uint32x4_t) -> uint32x4_t {
    let pairs = vrev64q_u32(x);
    vextq_u32::<2>(pairs, pairs)
}

/// The four big-endian words of a block.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn load(block: &Block) -> uint32x4_t {
    // SAFETY: a block has the 16 bytes.
    vreinterpretq_u32_u8(vrev32q_u8(unsafe { vld1q_u8(block.as_ptr()) }))
}

/// Stores words big-endian, the last first: all bytes in reverse order.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn store(block: &mut Block, x: uint32x4_t) {
    let halves = vrev64q_u8(vreinterpretq_u8_u32(x));
    // SAFETY: a block has the 16 bytes.
    unsafe { vst1q_u8(block.as_mut_ptr(), vextq_u8::<8>(halves, halves)) }
}

/// Four rounds.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn sm4e(mut x: uint32x4_t, keys: uint32x4_t) -> uint32x4_t {
    // SAFETY: arithmetic on registers; the feature is enabled.
    unsafe {
        asm!(
            "sm4e {x:v}.4s, {keys:v}.4s",
            x = inout(vreg) x, keys = in(vreg) keys,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    x
}

/// Four steps of the key schedule.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn sm4ekey(k: uint32x4_t, ck: uint32x4_t) -> uint32x4_t {
    let keys;
    // SAFETY: arithmetic on registers; the feature is enabled.
    unsafe {
        asm!(
            "sm4ekey {keys:v}.4s, {k:v}.4s, {ck:v}.4s",
            keys = lateout(vreg) keys, k = in(vreg) k, ck = in(vreg) ck,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    keys
}
