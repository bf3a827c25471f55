//! Chains of CBC in 16 or 32 lanes: their values stay in registers from block to block.
//!
//! Only 32 rounds lie between one block and the next; loading and storing goes on beside them. So the depth of a round
//! counts. As for one block, the sum t of the S-box's input is carried from round to round instead of the newest word. With
//! pre = X_{i+2} + X_{i+3} + rk_{i+1},
//!
//! ```text
//! t' = (X_i + pre + M_0 + (M_1 <<< 8)) + (M_2 <<< 16) + (M_3 <<< 24)        X_{i+4} = t' + pre
//! ```
//!
//! is an inversion, a rotation and two XORs deep, where the order of [`chains`](super::chains) has three.
use super::{
    LANES,
    chains::{Words, transpose},
    matrices,
};
use crate::sm4::{
    Block,
    gfni::{ENTER, Keys, LEAVE, ROUND},
    lanes::Lane,
};
use core::arch::{asm, x86_64::*};

/// Takes at most `N` times 16 chains through the first `count` blocks of their lanes.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
pub(super) fn encrypt<const N: usize>(
    keys: &Keys,
    values: &mut [Block],
    lanes: &mut [impl Lane],
    count: usize,
) {
    let matrices = matrices();
    let zero = _mm512_setzero_si512();
    let mut states = [State {
        words: [zero; 4],
        sum: zero,
    }; N];
    for (state, values) in states.iter_mut().zip(values.chunks(LANES)) {
        state.words = gather(values, |value| value);
    }
    for i in 0..count {
        for (state, lanes) in states.iter_mut().zip(lanes.chunks(LANES)) {
            state.start(gather(lanes, |lane| lane.block(i)), keys.words[0]);
        }
        for j in (0..32).step_by(4) {
            // The last round's sum is not used, whatever the key.
            let key = |k: usize| &keys.words[(j + k + 1) % 32];
            for state in &mut states {
                state.round(0, key(0), matrices);
                state.round(1, key(1), matrices);
                state.round(2, key(2), matrices);
                state.round(3, key(3), matrices);
            }
        }
        for (state, lanes) in states.iter_mut().zip(lanes.chunks_mut(LANES)) {
            state.words.reverse();
            scatter(state.words, lanes, |lane, value| lane.put(i, value));
        }
    }
    for (state, values) in states.into_iter().zip(values.chunks_mut(LANES)) {
        scatter(state.words, values, |to, value| *to = *value);
    }
}

/// Sixteen chains: register w holds word w of all, `sum` the input of the next inversion.
#[derive(Clone, Copy)]
struct State {
    words: Words,
    sum: __m512i,
}

impl State {
    /// Adds a block to each chain.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn start(&mut self, input: Words, key: u32) {
        for (word, input) in self.words.iter_mut().zip(input) {
            *word = _mm512_xor_si512(*word, input);
        }
        let [_, x1, x2, x3] = self.words;
        let newest = _mm512_xor_si512(x3, _mm512_set1_epi32(key.cast_signed()));
        self.sum = _mm512_ternarylogic_epi32::<0b1001_0110>(x1, x2, newest);
    }

    /// X_{i+4} in the place of X_i; `key` is that of the round after it.
    #[inline]
    #[target_feature(enable = "avx512f,gfni")]
    fn round(&mut self, i: usize, key: &u32, [m0, m1, m3]: [__m512i; 3]) {
        // SAFETY: reads `key` and writes no memory; the features are enabled. 150 is the truth table of a XOR of
        // three. The rotations go to the right, as the first byte in memory is the most significant.
        unsafe {
            asm!(
                "vgf2p8affineinvqb {q}, {t}, {m1}, 0",
                "vgf2p8affineinvqb {r}, {t}, {m3}, 0",
                "vgf2p8affineinvqb {t}, {t}, {m0}, {constant}",
                "vmovdqa64 {pre}, {x3}",
                "vpternlogd {pre}, {x2}, dword ptr [{key}]{{1to16}}, 150",
                "vpxord {x0}, {x0}, {pre}",
                "vprord {u}, {q}, 8",
                "vprord {q}, {q}, 16",
                "vprord {r}, {r}, 24",
                "vpternlogd {t}, {x0}, {u}, 150",
                "vpternlogd {t}, {q}, {r}, 150",
                "vpxord {x0}, {t}, {pre}",
                x0 = inout(zmm_reg) self.words[i],
                x2 = in(zmm_reg) self.words[(i + 2) % 4],
                x3 = in(zmm_reg) self.words[(i + 3) % 4],
                t = inout(zmm_reg) self.sum,
                m0 = in(zmm_reg) m0,
                m1 = in(zmm_reg) m1,
                m3 = in(zmm_reg) m3,
                pre = out(zmm_reg) _,
                q = out(zmm_reg) _,
                r = out(zmm_reg) _,
                u = out(zmm_reg) _,
                key = in(reg) key,
                constant = const ROUND.constant,
                options(pure, readonly, nostack, preserves_flags),
            );
        }
    }
}

/// A block of each lane, in the rounds' basis, words apart; zero where there is no lane.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn gather<T>(lanes: &[T], block: impl Fn(&T) -> &Block) -> Words {
    let load = |lane: usize| match lanes.get(lane) {
        // SAFETY: a block has the 16 bytes; no alignment is needed.
        Some(lane) => unsafe { _mm_loadu_si128(block(lane).as_ptr().cast()) },
        None => _mm_setzero_si128(),
    };
    let row = |at: usize| {
        let x = _mm512_castsi128_si512(load(at));
        let x = _mm512_inserti32x4::<1>(x, load(at + 1));
        let x = _mm512_inserti32x4::<2>(x, load(at + 2));
        let x = _mm512_inserti32x4::<3>(x, load(at + 3));
        _mm512_gf2p8affine_epi64_epi8::<0>(x, _mm512_set1_epi64(ENTER.cast_signed()))
    };
    transpose([row(0), row(4), row(8), row(12)])
}

/// The opposite: hands each lane its block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn scatter<T>(words: Words, lanes: &mut [T], mut put: impl FnMut(&mut T, &Block)) {
    let mut blocks = [[[0; 16]; 4]; 4];
    for (blocks, row) in blocks.iter_mut().zip(transpose(words)) {
        let x = _mm512_gf2p8affine_epi64_epi8::<0>(row, _mm512_set1_epi64(LEAVE.cast_signed()));
        // SAFETY: four blocks have the 64 bytes; no alignment is needed.
        unsafe { _mm512_storeu_si512(blocks.as_mut_ptr().cast(), x) }
    }
    for (lane, block) in lanes.iter_mut().zip(blocks.as_flattened()) {
        put(lane, block);
    }
}
