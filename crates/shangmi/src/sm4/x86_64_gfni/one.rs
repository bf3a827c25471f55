//! The rounds of one block, with each word in all four elements of a vector.
//!
//! The instructions take another matrix for each half of a vector, so one inversion does M_1 in the low half and M_3 in
//! the high half, and M_0 is the other. Three shuffles bring the parts together, each to all elements. With fewer
//! inversions in a round they do not wait for one another:
//!
//! ```text
//! t' = (M_0 + early) + ((M_1 <<< 8) + (M_2 <<< 16) + (M_3 <<< 24))
//! ```
//!
//! With AVX-512VL a rotation takes the halves apart from the shuffles, and the sum of three is one instruction.
use super::{Words, join, load, split, store};
use crate::sm4::{
    Block,
    gfni::{Direction, Keys, ROUND},
    lanes::Lane,
};
use core::arch::{asm, x86_64::*};

/// For shuffles: element i of the result is the element `of[i]` rotated left by `by[i]` bytes, the first byte in
/// memory being the most significant.
const fn gather(of: [u8; 4], by: [u8; 4]) -> [u8; 16] {
    let (mut result, mut i) = ([0; 16], 0);
    while i < 16 {
        result[i] = 4 * of[i / 4] + (i as u8 + by[i / 4]) % 4;
        i += 1;
    }
    result
}

/// Low half M_1, high half M_3.
const MATRICES: [u64; 2] = [ROUND.matrices[1], ROUND.matrices[3]];

/// A block and a chain of them for `$features`: operands for the three parts, and instructions that add the parts of
/// `v` to `t`.
macro_rules! kernel {
    ($features:literal, [$r1:expr, $r2:expr, $r3:expr], $($line:literal),+) => {
        use super::*;

        #[target_feature(enable = $features)]
        pub(in crate::sm4) fn crypt(keys: &Keys, order: Direction, block: &mut Block) {
            store(block, join(rounds(split(load(block)), keys, order)));
        }

        /// X = E(X + B) over the first `count` blocks of a lane.
        #[target_feature(enable = $features)]
        pub(in crate::sm4) fn encrypt_lane(
            keys: &Keys,
            value: &mut Block,
            lane: &mut impl Lane,
            count: usize,
        ) {
            let mut words = split(load(value));
            for i in 0..count {
                for (word, input) in words.iter_mut().zip(split(load(lane.block(i)))) {
                    *word = _mm_xor_si128(*word, input);
                }
                words = rounds(words, keys, Direction::Encrypt);
                store(value, join(words));
                lane.put(i, value);
            }
        }

        #[inline]
        #[target_feature(enable = $features)]
        fn rounds(words: Words, keys: &Keys, order: Direction) -> Words {
            let key = |i: usize| _mm_set1_epi32(keys.words[order.index(i)].cast_signed());
            // SAFETY: the arrays have the 16 bytes; no alignment is needed.
            let load = |bytes: [u8; 16]| unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) };
            let (r1, r2, r3) = (load($r1), load($r2), load($r3));
            let m0 = _mm_set1_epi64x(ROUND.matrices[0].cast_signed());
            let [low, high] = MATRICES.map(u64::cast_signed);
            let halves = _mm_set_epi64x(high, low);
            let [mut x0, mut x1, mut x2, mut x3] = words;
            // In a chain, X_0 was the last word to come and X_1 the one before.
            let mut t = _mm_xor_si128(_mm_xor_si128(_mm_xor_si128(x3, key(0)), x2), x1);
            for i in 1..=32 {
                let pre = _mm_xor_si128(_mm_xor_si128(x2, key(i % 32)), x3);
                let early = _mm_xor_si128(x0, pre);
                // SAFETY: touches no memory; the features are enabled.
                unsafe {
                    asm!(
                        "vgf2p8affineinvqb {v}, {t}, {halves}, 0",
                        "vgf2p8affineinvqb {t}, {t}, {m0}, {constant}",
                        $($line,)+
                        t = inout(xmm_reg) t,
                        early = in(xmm_reg) early,
                        m0 = in(xmm_reg) m0,
                        halves = in(xmm_reg) halves,
                        r1 = in(xmm_reg) r1,
                        r2 = in(xmm_reg) r2,
                        r3 = in(xmm_reg) r3,
                        v = out(xmm_reg) _,
                        a = out(xmm_reg) _,
                        b = out(xmm_reg) _,
                        constant = const ROUND.constant,
                        options(pure, nomem, nostack, preserves_flags),
                    );
                }
                (x0, x1, x2, x3) = (x1, x2, x3, _mm_xor_si128(t, pre));
            }
            [x3, x2, x1, x0]
        }
    };
}

/// For the rotation to the right: by one byte in the low half, by three in the high half.
const BITS: [u8; 16] = [8, 0, 0, 0, 8, 0, 0, 0, 24, 0, 0, 0, 24, 0, 0, 0];

pub(in crate::sm4) mod avx2 {
    kernel!(
        "avx2,gfni",
        [
            gather([0; 4], [1; 4]),
            gather([0; 4], [2; 4]),
            gather([2; 4], [3; 4])
        ],
        "vpshufb {a}, {v}, {r1}",
        "vpshufb {b}, {v}, {r2}",
        "vpshufb {v}, {v}, {r3}",
        "vpxor {t}, {t}, {early}",
        "vpxor {a}, {a}, {b}",
        "vpxor {t}, {t}, {v}",
        "vpxor {t}, {t}, {a}"
    );
}

pub(in crate::sm4) mod avx512 {
    kernel!(
        "avx2,avx512f,avx512vl,gfni",
        [
            BITS,
            gather([0; 4], [2; 4]),
            gather([2, 2, 0, 0], [3, 3, 1, 1])
        ],
        "vprorvd {a}, {v}, {r1}",
        "vpshufb {b}, {v}, {r2}",
        "vpshufb {v}, {v}, {r3}",
        "vpxor {t}, {t}, {early}",
        "vpternlogd {a}, {b}, {v}, 150",
        "vpxor {t}, {t}, {a}"
    );
}
