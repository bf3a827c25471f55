//! One or two chains of 16 blocks, for what is left over: register w holds word w of all blocks. Ten instructions a
//! round, three of them rotations.
use super::{Block, LANES, load_row, matrices, store_row};
use crate::sm4::gfni::{Direction, Keys, ROUND};
use core::arch::{asm, x86_64::*};

/// Words 0 to 3 of a chain's blocks.
pub(super) type Words = [__m512i; 4];

/// At most `N` times 16 blocks, `N` being 1 or 2; lanes without a block are zero at first and stored nowhere.
#[target_feature(enable = "avx512f,avx512bw,gfni")]
pub(super) fn crypt_chains<const N: usize>(keys: &Keys, order: Direction, blocks: &mut [Block]) {
    let mut words = [[_mm512_setzero_si512(); 4]; N];
    for (words, chain) in words.iter_mut().zip(blocks.chunks(LANES)) {
        *words = load(chain);
    }
    let matrices = matrices();
    for i in (0..32).step_by(4) {
        let key = |j: usize| &keys.words[order.index(i + j)];
        for words in &mut words {
            round(words, 0, key(0), matrices);
            round(words, 1, key(1), matrices);
            round(words, 2, key(2), matrices);
            round(words, 3, key(3), matrices);
        }
    }
    for (words, chain) in words.into_iter().zip(blocks.chunks_mut(LANES)) {
        store(chain, words);
    }
}

/// X_{i+4} in the place of X_i.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn round(x: &mut Words, i: usize, key: &u32, [m0, m1, m3]: [__m512i; 3]) {
    // SAFETY: reads `key` and writes no memory; the features are enabled. 150 is the truth table of a XOR of
    // three. The rotations go to the right, as the first byte in memory is the most significant.
    unsafe {
        asm!(
            "vpxord {t}, {x1}, dword ptr [{key}]{{1to16}}",
            "vpternlogd {t}, {x2}, {x3}, 150",
            "vgf2p8affineinvqb {q}, {t}, {m1}, 0",
            "vgf2p8affineinvqb {p}, {t}, {m0}, {constant}",
            "vgf2p8affineinvqb {t}, {t}, {m3}, 0",
            "vprord {u}, {q}, 8",
            "vprord {q}, {q}, 16",
            "vpternlogd {x0}, {p}, {u}, 150",
            "vprord {t}, {t}, 24",
            "vpternlogd {x0}, {q}, {t}, 150",
            x0 = inout(zmm_reg) x[i],
            x1 = in(zmm_reg) x[(i + 1) % 4],
            x2 = in(zmm_reg) x[(i + 2) % 4],
            x3 = in(zmm_reg) x[(i + 3) % 4],
            m0 = in(zmm_reg) m0,
            m1 = in(zmm_reg) m1,
            m3 = in(zmm_reg) m3,
            t = out(zmm_reg) _,
            p = out(zmm_reg) _,
            q = out(zmm_reg) _,
            u = out(zmm_reg) _,
            key = in(reg) key,
            constant = const ROUND.constant,
            options(pure, readonly, nostack, preserves_flags),
        );
    }
}

/// Exchanges blocks and words in each quarter: element i of vector j is element j of vector i.
#[inline]
#[target_feature(enable = "avx512f")]
pub(super) fn transpose([a, b, c, d]: Words) -> Words {
    let (ab, cd) = (_mm512_unpacklo_epi32(a, b), _mm512_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm512_unpackhi_epi32(a, b), _mm512_unpackhi_epi32(c, d));
    [
        _mm512_unpacklo_epi64(ab, cd),
        _mm512_unpackhi_epi64(ab, cd),
        _mm512_unpacklo_epi64(ab_high, cd_high),
        _mm512_unpackhi_epi64(ab_high, cd_high),
    ]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn load(blocks: &[Block]) -> Words {
    transpose([
        load_row(blocks, 0),
        load_row(blocks, 4),
        load_row(blocks, 8),
        load_row(blocks, 12),
    ])
}

/// Stores X_32 to X_35, the last word first.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn store(blocks: &mut [Block], [x32, x33, x34, x35]: Words) {
    let [a, b, c, d] = transpose([x35, x34, x33, x32]);
    store_row(blocks, 0, a);
    store_row(blocks, 4, b);
    store_row(blocks, 8, c);
    store_row(blocks, 12, d);
}
