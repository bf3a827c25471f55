//! The compression function for one stream, on x86-64 with its instructions for SM3.
//!
//! `VSM3RNDS2` makes two rounds. It keeps the state in two registers, from the highest word down A, B, E, F
//! and C, D, G, H, and leaves the rotations of C, D (by 9) and G, H (by 19) to the time when they are
//! used: after it the old A, B, E, F serve as C, D, G, H as they are. So the state is taken in with these
//! rotations undone and given back with them done; the XOR at a block's end goes through a rotation.
//! `VSM3MSG1` and `VSM3MSG2` make four words of W: P1 of the words that are there, and then the
//! rest, with what W(j) adds to W(j+3).
//!
//! No machine was at hand that has them: not run on silicon. The kernel is a text that is compiled twice,
//! for the instructions and, in tests, for a software model of them; its speed was not measured.
//!
//! Input and output: blocks unaligned; the state is read once and written once. No branch and no address
//! depends on data.
#![expect(
    unsafe_code,
    reason = "loads, and calls behind the token that they need"
)]
use super::{Block, State};
use crate::cpu;

#[cfg(test)]
mod model;

/// CF over `blocks` in their order.
pub(super) fn compress(_: cpu::Sm3, state: &mut State, blocks: &[Block]) {
    // SAFETY: the token proves AVX and the instructions for SM3.
    unsafe { hardware::compress(state, blocks) }
}

/// CF over `blocks` in their order, with the software model in place of the three instructions.
#[cfg(test)]
pub(super) fn compress_on_model(_: cpu::Bmi2, state: &mut State, blocks: &[Block]) {
    // SAFETY: the token proves AVX.
    unsafe { modelled::compress(state, blocks) }
}

/// The kernel, for `$features`. In scope: `_mm_sm3msg1_epi32`, `_mm_sm3msg2_epi32`, `_mm_sm3rnds2_epi32`.
macro_rules! kernel {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(super) fn compress(state: &mut State, blocks: &[Block]) {
            let (mut abef, mut cdgh) = load_state(state);
            for block in blocks {
                let before = (abef, cdgh);
                let mut w = load_block(block);
                fours!(four_and_expand(abef, cdgh, w): 0 1 2 3 4 5 6 7 8 9 10 11 12);
                fours!(four(abef, cdgh, w): 13 14 15);
                abef = _mm_xor_si128(abef, before.0);
                cdgh = _mm_xor_si128(cdgh, before.1);
            }
            *state = store_state(abef, cdgh);
        }

        /// Rounds `4 * $q` to `4 * $q + 3`, where `$imm` and `$imm2` are the first and third of them.
        #[inline]
        #[target_feature(enable = $features)]
        fn four<const J: i32, const J2: i32, const Q: usize>(
            abef: &mut __m128i,
            cdgh: &mut __m128i,
            w: &Window,
        ) {
            let (w, w4) = (w[Q % 4], w[(Q + 1) % 4]);
            *cdgh = _mm_sm3rnds2_epi32::<J>(*cdgh, *abef, _mm_unpacklo_epi64(w, w4));
            *abef = _mm_sm3rnds2_epi32::<J2>(*abef, *cdgh, _mm_unpackhi_epi64(w, w4));
        }

        /// The same, and then W(4Q+16) and the three after it in the place of W(4Q).
        #[inline]
        #[target_feature(enable = $features)]
        fn four_and_expand<const J: i32, const J2: i32, const Q: usize>(
            abef: &mut __m128i,
            cdgh: &mut __m128i,
            w: &mut Window,
        ) {
            four::<J, J2, Q>(abef, cdgh, w);
            let [w0, w4, w8, w12] = [w[Q % 4], w[(Q + 1) % 4], w[(Q + 2) % 4], w[(Q + 3) % 4]];
            let w3 = _mm_alignr_epi8::<12>(w4, w0);
            let w7 = _mm_alignr_epi8::<12>(w8, w4);
            let w10 = _mm_alignr_epi8::<8>(w12, w8);
            let w13 = _mm_srli_si128::<4>(w12);
            w[Q % 4] = _mm_sm3msg2_epi32(_mm_sm3msg1_epi32(w7, w13, w0), w3, w10);
        }
    };
}

/// Runs `$f` for the fours of rounds that are listed.
macro_rules! fours {
    ($f:ident($abef:ident, $cdgh:ident, $w:ident): $($q:literal)*) => {
        $( $f::<{ 4 * $q }, { 4 * $q + 2 }, $q>(&mut $abef, &mut $cdgh, &mut $w); )*
    };
}

mod hardware {
    use core::arch::x86_64::{
        __m128i, _mm_alignr_epi8, _mm_sm3msg1_epi32, _mm_sm3msg2_epi32, _mm_sm3rnds2_epi32,
        _mm_srli_si128, _mm_unpackhi_epi64, _mm_unpacklo_epi64, _mm_xor_si128,
    };

    use super::{Block, State, Window, load_block, load_state, store_state};

    kernel!("avx,sm3");
}

#[cfg(test)]
mod modelled {
    use core::arch::x86_64::{
        __m128i, _mm_alignr_epi8, _mm_srli_si128, _mm_unpackhi_epi64, _mm_unpacklo_epi64,
        _mm_xor_si128,
    };

    use super::model::{_mm_sm3msg1_epi32, _mm_sm3msg2_epi32, _mm_sm3rnds2_epi32};
    use super::{Block, State, Window, load_block, load_state, store_state};

    kernel!("avx");
}

use core::arch::x86_64::{
    __m128i, _mm_loadu_si128, _mm_set_epi32, _mm_setr_epi8, _mm_shuffle_epi8, _mm_storeu_si128,
};

/// A window of 16 words of W.
type Window = [__m128i; 4];

/// A, B, E, F; and C, D, G, H with their rotations undone.
#[inline]
#[target_feature(enable = "avx")]
fn load_state(state: &State) -> (__m128i, __m128i) {
    let [a, b, c, d, e, f, g, h] = state.map(u32::cast_signed);
    (
        _mm_set_epi32(a, b, e, f),
        _mm_set_epi32(
            c.rotate_right(9),
            d.rotate_right(9),
            g.rotate_right(19),
            h.rotate_right(19),
        ),
    )
}

/// The state of the two registers.
#[inline]
#[target_feature(enable = "avx")]
fn store_state(abef: __m128i, cdgh: __m128i) -> State {
    let [f, e, b, a] = words(abef);
    let [h, g, d, c] = words(cdgh);
    let [c, d] = [c, d].map(|x| x.rotate_left(9));
    let [g, h] = [g, h].map(|x| x.rotate_left(19));
    [a, b, c, d, e, f, g, h]
}

/// The four words, the lowest first.
#[inline]
#[target_feature(enable = "avx")]
fn words(x: __m128i) -> [u32; 4] {
    let mut words = [0; 4];
    // SAFETY: four words are the 16 bytes that are written.
    unsafe { _mm_storeu_si128(words.as_mut_ptr().cast(), x) }
    words
}

/// The block as 16 big-endian words.
#[inline]
#[target_feature(enable = "avx")]
fn load_block(block: &Block) -> Window {
    let swap = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
    let (parts, _) = block.as_chunks::<16>();
    core::array::from_fn(|i| {
        // SAFETY: a quarter of a block is the 16 bytes that are read.
        let bytes = unsafe { _mm_loadu_si128(parts[i].as_ptr().cast()) };
        _mm_shuffle_epi8(bytes, swap)
    })
}
