//! The compression function for one stream, on aarch64 with its instructions for SM3 (ARMv8.2).
//!
//! The halves of the state are kept in two registers, A and E in the highest word. A round is three
//! instructions:
//!
//! ```text
//! SM3SS1            SS1 = (A <<< 12 + E + T_j <<< j) <<< 7
//! SM3TT1A, SM3TT1B  the next A, B, C, D from SS1 and W'(j)     A: FF is an XOR; B: the majority
//! SM3TT2A, SM3TT2B  the next E, F, G, H from SS1 and W(j)      A: GG is an XOR; B: the choice
//! ```
//!
//! and two make four words of W: SM3PARTW1 takes P1 of the words that are there, SM3PARTW2 adds the
//! rest, with what W(j) adds to W(j+3). `W'(j) = W(j) ^ W(j+4)` is one XOR for four rounds.
//!
//! It is inline assembly, one instruction each, because the intrinsics are not stable; the compiler
//! allocates the registers and orders the rest. Results are tested under emulation, and the speed was not
//! measured: not run on silicon.
//!
//! Input and output: blocks unaligned; the state is read once and written once. No branch and no address
//! depends on data.
#![expect(
    unsafe_code,
    reason = "loads, assembly, and a call behind the token that it needs"
)]
use core::arch::aarch64::{
    uint32x4_t, veorq_u32, vextq_u32, vld1q_u8, vld1q_u32, vreinterpretq_u32_u8, vrev32q_u8,
    vrev64q_u32, vst1q_u32,
};
use core::arch::asm;

use super::consts::t;
use super::{Block, State};
use crate::cpu;

/// CF over `blocks` in their order.
pub(super) fn compress(_: cpu::Sm3, state: &mut State, blocks: &[Block]) {
    // SAFETY: the token proves the instructions for SM3, and with them NEON.
    unsafe { compress_blocks(state, blocks) }
}

/// Three zeros, then the constant of every round: four words from index j on have that of round j on top.
static T: [u32; 67] = {
    let mut table = [0; 67];
    let mut j = 0;
    while j < 64 {
        table[j + 3] = t(j);
        j += 1;
    }
    table
};

/// Runs `$f::<q>(..)` for the fours of rounds that are listed.
macro_rules! fours {
    ($f:ident($v:ident, $w:ident): $($q:literal)*) => { $( $f::<$q>(&mut $v, &mut $w); )* };
}

/// The state: A, B, C, D from the highest word down, then E, F, G, H.
type Halves = [uint32x4_t; 2];

/// A window of 16 words of W.
type Window = [uint32x4_t; 4];

#[target_feature(enable = "neon,sm4")]
fn compress_blocks(state: &mut State, blocks: &[Block]) {
    let (halves, _) = state.as_chunks_mut();
    let mut v = [load_reversed(&halves[0]), load_reversed(&halves[1])];
    for block in blocks {
        let before = v;
        let mut w = load(block);
        fours!(early(v, w): 0 1 2 3);
        fours!(late(v, w): 4 5 6 7 8 9 10 11 12);
        fours!(last(v, w): 13 14 15);
        v = [veorq_u32(v[0], before[0]), veorq_u32(v[1], before[1])];
    }
    for (half, v) in halves.iter_mut().zip(v) {
        // SAFETY: four words are the 16 bytes that are written.
        unsafe { vst1q_u32(half.as_mut_ptr(), reverse(v)) }
    }
}

/// Rounds `4Q` to `4Q + 3` of the first 16, and four new words.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn early<const Q: usize>(v: &mut Halves, w: &mut Window) {
    four::<Q, false>(v, w[Q % 4], w[(Q + 1) % 4]);
    expand::<Q>(w);
}

/// Rounds `4Q` to `4Q + 3` after the first 16, and four new words.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn late<const Q: usize>(v: &mut Halves, w: &mut Window) {
    four::<Q, true>(v, w[Q % 4], w[(Q + 1) % 4]);
    expand::<Q>(w);
}

/// Rounds `4Q` to `4Q + 3` when all words of the message are there.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn last<const Q: usize>(v: &mut Halves, w: &mut Window) {
    four::<Q, true>(v, w[Q % 4], w[(Q + 1) % 4]);
}

/// Rounds `4Q` to `4Q + 3` on W(4Q) and the three after it in `w`, and the next four in `next`.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn four<const Q: usize, const LATE: bool>(v: &mut Halves, w: uint32x4_t, next: uint32x4_t) {
    let w1 = veorq_u32(w, next);
    round::<0, LATE>(v, constant(4 * Q), w1, w);
    round::<1, LATE>(v, constant(4 * Q + 1), w1, w);
    round::<2, LATE>(v, constant(4 * Q + 2), w1, w);
    round::<3, LATE>(v, constant(4 * Q + 3), w1, w);
}

/// One round, on word `I` of `w1` (W') and of `w`.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn round<const I: i32, const LATE: bool>(
    v: &mut Halves,
    constant: uint32x4_t,
    w1: uint32x4_t,
    w: uint32x4_t,
) {
    let ss1 = sm3ss1(v[0], v[1], constant);
    if LATE {
        v[0] = sm3tt1b::<I>(v[0], ss1, w1);
        v[1] = sm3tt2b::<I>(v[1], ss1, w);
    } else {
        v[0] = sm3tt1a::<I>(v[0], ss1, w1);
        v[1] = sm3tt2a::<I>(v[1], ss1, w);
    }
}

/// W(4Q+16) and the three after it, in the place of W(4Q).
#[inline]
#[target_feature(enable = "neon,sm4")]
fn expand<const Q: usize>(w: &mut Window) {
    let [w0, w4, w8, w12] = [w[Q % 4], w[(Q + 1) % 4], w[(Q + 2) % 4], w[(Q + 3) % 4]];
    let part = sm3partw1(w0, vextq_u32::<3>(w4, w8), w12);
    w[Q % 4] = sm3partw2(part, vextq_u32::<2>(w8, w12), vextq_u32::<3>(w0, w4));
}

/// The constant of round `j` in the highest word.
#[inline]
#[target_feature(enable = "neon")]
fn constant(j: usize) -> uint32x4_t {
    // SAFETY: j is at most 63, so that four words from it on are in the table.
    unsafe { vld1q_u32(T.as_ptr().add(j)) }
}

/// The block as 16 big-endian words.
#[inline]
#[target_feature(enable = "neon")]
fn load(block: &Block) -> Window {
    let (parts, _) = block.as_chunks::<16>();
    core::array::from_fn(|i| {
        // SAFETY: a quarter of a block is the 16 bytes that are read.
        let bytes = unsafe { vld1q_u8(parts[i].as_ptr()) };
        vreinterpretq_u32_u8(vrev32q_u8(bytes))
    })
}

#[inline]
#[target_feature(enable = "neon")]
fn load_reversed(words: &[u32; 4]) -> uint32x4_t {
    // SAFETY: four words are the 16 bytes that are read.
    reverse(unsafe { vld1q_u32(words.as_ptr()) })
}

/// The four words in reverse order.
#[inline]
#[target_feature(enable = "neon")]
fn reverse(x: uint32x4_t) -> uint32x4_t {
    let pairs = vrev64q_u32(x);
    vextq_u32::<2>(pairs, pairs)
}

/// SS1 in the highest word.
#[inline]
#[target_feature(enable = "neon,sm4")]
fn sm3ss1(abcd: uint32x4_t, efgh: uint32x4_t, constant: uint32x4_t) -> uint32x4_t {
    let ss1;
    // SAFETY: arithmetic on registers; the feature is enabled.
    unsafe {
        asm!(
            "sm3ss1 {d:v}.4s, {n:v}.4s, {m:v}.4s, {a:v}.4s",
            d = lateout(vreg) ss1, n = in(vreg) abcd, m = in(vreg) efgh, a = in(vreg) constant,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    ss1
}

/// Defines functions of one instruction that changes its first operand.
macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident: $template:literal $(, $index:ident)?;)*) => { $(
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "neon,sm4")]
        fn $name$(<const $index: i32>)?(mut d: uint32x4_t, n: uint32x4_t, m: uint32x4_t) -> uint32x4_t {
            // SAFETY: arithmetic on registers; the feature is enabled.
            unsafe {
                asm!(
                    $template,
                    $(i = const $index,)?
                    d = inout(vreg) d, n = in(vreg) n, m = in(vreg) m,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            d
        }
    )* };
}

instructions! {
    /// The next A, B, C, D in rounds 0 to 15.
    sm3tt1a: "sm3tt1a {d:v}.4s, {n:v}.4s, {m:v}.s[{i}]", I;
    /// The next A, B, C, D in rounds 16 to 63.
    sm3tt1b: "sm3tt1b {d:v}.4s, {n:v}.4s, {m:v}.s[{i}]", I;
    /// The next E, F, G, H in rounds 0 to 15.
    sm3tt2a: "sm3tt2a {d:v}.4s, {n:v}.4s, {m:v}.s[{i}]", I;
    /// The next E, F, G, H in rounds 16 to 63.
    sm3tt2b: "sm3tt2b {d:v}.4s, {n:v}.4s, {m:v}.s[{i}]", I;
    /// From W(j), W(j+7) and W(j+12) on: P1 of what the new words have in it, the last without W(j+16).
    sm3partw1: "sm3partw1 {d:v}.4s, {n:v}.4s, {m:v}.4s";
    /// From that, W(j+10) and W(j+3) on: the new words.
    sm3partw2: "sm3partw2 {d:v}.4s, {n:v}.4s, {m:v}.4s";
}
