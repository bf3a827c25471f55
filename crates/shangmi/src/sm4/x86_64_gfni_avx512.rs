//! SM4 with GFNI on vectors of 512 bits: 64 blocks with their bytes in separate registers, fewer in [`chains`].
//!
//! Register 4 w + m holds byte m of word w of all blocks (m in memory's order), so that a rotation by
//! whole bytes is another choice of registers. With P = M_0, Q = M_1 = M_2, R = M_3 = P + Q on each byte, L adds
//!
//! ```text
//! P_m + Q_{m+1} + Q_{m+2} + R_{m+3} = R_m + P_{m+3} + (Q_0 + Q_1 + Q_2 + Q_3)
//! ```
//!
//! to byte m. Another basis takes the bracket away: z_m = x_m + (x_0 + x_1 + x_2 + x_3), the sum of the other
//! three, a map that is its own inverse. There a round adds R_m + P_{m+3} alone, and the S-box's input is
//! the sum of words turned back, u_m + (u_0 + u_1 + u_2 + u_3) + rk_m. That makes 22 instructions a round for 64
//! blocks: 14 XORs of three or two, 8 inversions.
//!
//! Those wait for one another, so two groups of 64 go side by side, each at work while the other waits. Their words
//! do not fit into the registers: all are in memory, which a third operand may be, and the two newest are in registers
//! too. What stays on the stack are the last four words, which are the result. On a Xeon (Emerald Rapids), which begins two
//! such instructions a cycle, a round of 64 blocks takes 13 cycles where 11 are the limit, and bringing the bytes apart and
//! together again takes a quarter of the time: 0.56 cycles a byte.
//!
//! The rounds are assembly because LLVM would mix their instructions until the registers do not suffice. No
//! branch and no address depends on data.
#![expect(
    unsafe_code,
    reason = "rounds in assembly; calls of functions that need processor features, each behind its token"
)]
use super::{
    Block,
    gfni::{Direction, ENTER, Keys, LEAVE, ROUND},
    lanes::Lane,
    x86_64_gfni::{self, one},
};
use crate::cpu;
use chains::crypt_chains;
use core::arch::{asm, x86_64::*};

mod chains;
pub(super) mod counter;
mod lanes;
pub(super) mod tweaked;

pub(super) const NAME: &str = "gfni-avx512";

/// Blocks of a group, whose bytes are apart.
const WIDE: usize = 64;
/// Blocks of a chain.
const LANES: usize = 16;

/// One block, with the least delay.
pub(super) fn crypt_block(_: cpu::GfniAvx512, keys: &Keys, order: Direction, block: &mut Block) {
    // SAFETY: the token proves GFNI and AVX-512VL.
    unsafe { one::avx512::crypt(keys, order, block) }
}

/// Puts blocks through the rounds with `keys`.
pub(super) fn crypt(token: cpu::GfniAvx512, keys: &Keys, order: Direction, blocks: &mut [Block]) {
    let (groups, rest) = blocks.as_chunks_mut::<WIDE>();
    let (pairs, single) = groups.as_chunks_mut::<2>();
    for [a, b] in pairs {
        // SAFETY: the token proves GFNI, AVX-512F and AVX-512BW.
        unsafe { crypt_two(keys, order, a, b) }
    }
    if rest.len() <= x86_64_gfni::BLOCKS {
        for group in single {
            // SAFETY: as above.
            unsafe { crypt_one(keys, order, group) }
        }
        return match rest {
            [block] => crypt_block(token, keys, order, block),
            _ => x86_64_gfni::crypt(token.into(), keys, order, rest),
        };
    }
    // SAFETY: as above.
    unsafe {
        match (single, rest.len().div_ceil(LANES)) {
            ([group], _) => crypt_two(keys, order, group.as_mut_slice(), rest),
            (_, 1) => crypt_chains::<1>(keys, order, rest),
            (_, 2) => crypt_chains::<2>(keys, order, rest),
            _ => crypt_one(keys, order, rest),
        }
    }
}

/// Takes a chain through the first `count` blocks of its lane. The value stays in registers.
pub(super) fn encrypt_lane(
    _: cpu::GfniAvx512,
    keys: &Keys,
    value: &mut Block,
    lane: &mut impl Lane,
    count: usize,
) {
    // SAFETY: the token proves GFNI and AVX-512VL.
    unsafe { one::avx512::encrypt_lane(keys, value, lane, count) }
}

/// Takes each chain through the first `count` blocks of its lane.
pub(super) fn encrypt_lanes(
    token: cpu::GfniAvx512,
    keys: &Keys,
    values: &mut [Block],
    lanes: &mut [impl Lane],
    count: usize,
) {
    // SAFETY: the token proves GFNI, AVX-512F and AVX-512BW.
    unsafe {
        match values.len().div_ceil(LANES) {
            1 => lanes::encrypt::<1>(keys, values, lanes, count),
            2 => lanes::encrypt::<2>(keys, values, lanes, count),
            _ => {
                let encrypt = |values: &mut _| crypt(token, keys, Direction::Encrypt, values);
                super::lanes::encrypt(encrypt, values, lanes, count);
            }
        }
    }
}

/// Register 4 w + m: byte m of word w.
type Bytes = [__m512i; 16];

/// The two newest words of a group, which are in registers besides being in memory.
struct Newest {
    d: [__m512i; 4],
    /// The one before `d`.
    c: [__m512i; 4],
}

/// A round on bytes: the new word takes the place of word `$a` in memory, and word `$b` is the one after that.
macro_rules! round_wide {
    ($words:ident, $newest:ident, $key:expr, $matrices:ident, $a:literal $b:literal) => {{
        let new: [__m512i; 4];
        // SAFETY: reads the 16 bytes of the key, reads and writes the words; the features are enabled. 150 is the
        // truth table of a XOR of three.
        unsafe {
            let (u0, u1, u2, u3);
            asm!(
                "vmovdqa64 {u0}, zmmword ptr [{words} + {b}]",
                "vmovdqa64 {u1}, zmmword ptr [{words} + {b} + 64]",
                "vmovdqa64 {u2}, zmmword ptr [{words} + {b} + 128]",
                "vmovdqa64 {u3}, zmmword ptr [{words} + {b} + 192]",
                "vpternlogd {u0}, {c0}, {d0}, 150",
                "vpternlogd {u1}, {c1}, {d1}, 150",
                "vpternlogd {u2}, {c2}, {d2}, 150",
                "vpternlogd {u3}, {c3}, {d3}, 150",
                "vpxord {s}, {u0}, {u1}",
                "vpternlogd {s}, {u2}, {u3}, 150",
                "vpternlogd {u0}, {s}, dword ptr [{key}]{{1to16}}, 150",
                "vpternlogd {u1}, {s}, dword ptr [{key} + 4]{{1to16}}, 150",
                "vpternlogd {u2}, {s}, dword ptr [{key} + 8]{{1to16}}, 150",
                "vpternlogd {u3}, {s}, dword ptr [{key} + 12]{{1to16}}, 150",
                "vgf2p8affineinvqb {p0}, {u0}, {m0}, {constant}",
                "vgf2p8affineinvqb {p1}, {u1}, {m0}, {constant}",
                "vgf2p8affineinvqb {p2}, {u2}, {m0}, {constant}",
                "vgf2p8affineinvqb {s}, {u3}, {m0}, {constant}",
                "vgf2p8affineinvqb {u0}, {u0}, {m3}, 0",
                "vgf2p8affineinvqb {u1}, {u1}, {m3}, 0",
                "vgf2p8affineinvqb {u2}, {u2}, {m3}, 0",
                "vgf2p8affineinvqb {u3}, {u3}, {m3}, 0",
                "vpternlogd {u0}, {s}, zmmword ptr [{words} + {a}], 150",
                "vpternlogd {u1}, {p0}, zmmword ptr [{words} + {a} + 64], 150",
                "vpternlogd {u2}, {p1}, zmmword ptr [{words} + {a} + 128], 150",
                "vpternlogd {u3}, {p2}, zmmword ptr [{words} + {a} + 192], 150",
                "vmovdqa64 zmmword ptr [{words} + {a}], {u0}",
                "vmovdqa64 zmmword ptr [{words} + {a} + 64], {u1}",
                "vmovdqa64 zmmword ptr [{words} + {a} + 128], {u2}",
                "vmovdqa64 zmmword ptr [{words} + {a} + 192], {u3}",
                c0 = in(zmm_reg) $newest.c[0],
                c1 = in(zmm_reg) $newest.c[1],
                c2 = in(zmm_reg) $newest.c[2],
                c3 = in(zmm_reg) $newest.c[3],
                d0 = in(zmm_reg) $newest.d[0],
                d1 = in(zmm_reg) $newest.d[1],
                d2 = in(zmm_reg) $newest.d[2],
                d3 = in(zmm_reg) $newest.d[3],
                m0 = in(zmm_reg) $matrices[0],
                m3 = in(zmm_reg) $matrices[2],
                u0 = out(zmm_reg) u0,
                u1 = out(zmm_reg) u1,
                u2 = out(zmm_reg) u2,
                u3 = out(zmm_reg) u3,
                s = out(zmm_reg) _,
                p0 = out(zmm_reg) _,
                p1 = out(zmm_reg) _,
                p2 = out(zmm_reg) _,
                words = in(reg) &raw mut $words,
                key = in(reg) $key,
                a = const 256 * $a,
                b = const 256 * $b,
                constant = const ROUND.constant,
                options(nostack, preserves_flags),
            );
            new = [u0, u1, u2, u3];
        }
        $newest = Newest { d: new, c: $newest.d };
    }};
}

/// All rounds of groups side by side: on the words of each and a name for the newest of them. After each round, whose
/// number is `$round`, `$ride` is run: text and not a closure, which LLVM would not always inline.
macro_rules! rounds_wide {
    ($keys:expr, $order:expr, [$($words:ident $newest:ident),+], $round:ident => $ride:expr) => {
        $(
            let mut $newest = Newest {
                d: [$words[12], $words[13], $words[14], $words[15]],
                c: [$words[8], $words[9], $words[10], $words[11]],
            };
        )+
        let matrices = matrices();
        for i in (0..32).step_by(4) {
            let key = |j: usize| &raw const $keys.bytes[$order.index(i + j)];
            $( round_wide!($words, $newest, key(0), matrices, 0 1); )+
            let $round = i;
            $ride;
            $( round_wide!($words, $newest, key(1), matrices, 1 2); )+
            let $round = i + 1;
            $ride;
            $( round_wide!($words, $newest, key(2), matrices, 2 3); )+
            let $round = i + 2;
            $ride;
            $( round_wide!($words, $newest, key(3), matrices, 3 0); )+
            let $round = i + 3;
            $ride;
        }
    };
}
use {round_wide, rounds_wide};

/// Defines a function that puts groups of up to 64 blocks through the rounds side by side. Lanes without a block are
/// zero at first and stored nowhere.
macro_rules! crypt_wide {
    ($(#[$doc:meta])* $name:ident: $($blocks:ident $words:ident $newest:ident),+) => {
        $(#[$doc])*
        #[target_feature(enable = "avx512f,avx512bw,gfni")]
        fn $name<B>(keys: &Keys, order: Direction, $($blocks: &mut B),+)
        where
            B: AsRef<[Block]> + AsMut<[Block]> + ?Sized,
        {
            $( let mut $words = turn(slice(load_rows((*$blocks).as_ref()))); )+
            rounds_wide!(keys, order, [$($words $newest),+], _round => {});
            $( store_rows($blocks.as_mut(), &result(&$words)); )+
        }
    };
}

crypt_wide!(
    /// One group.
    crypt_one: blocks words newest
);
crypt_wide!(
    /// Two groups.
    crypt_two: blocks words newest, more_blocks more_words more_newest
);

/// What the rounds leave in memory's order, the last word first, four blocks in a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn result(words: &Bytes) -> Bytes {
    let [
        a0,
        a1,
        a2,
        a3,
        b0,
        b1,
        b2,
        b3,
        c0,
        c1,
        c2,
        c3,
        d0,
        d1,
        d2,
        d3,
    ] = turn(*words);
    slice([
        d0, d1, d2, d3, c0, c1, c2, c3, b0, b1, b2, b3, a0, a1, a2, a3,
    ])
}

/// The blocks in memory's order, four in a register, in the rounds' basis.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn load_rows(blocks: &[Block]) -> Bytes {
    [
        load_row(blocks, 0),
        load_row(blocks, 4),
        load_row(blocks, 8),
        load_row(blocks, 12),
        load_row(blocks, 16),
        load_row(blocks, 20),
        load_row(blocks, 24),
        load_row(blocks, 28),
        load_row(blocks, 32),
        load_row(blocks, 36),
        load_row(blocks, 40),
        load_row(blocks, 44),
        load_row(blocks, 48),
        load_row(blocks, 52),
        load_row(blocks, 56),
        load_row(blocks, 60),
    ]
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn store_rows(blocks: &mut [Block], rows: &Bytes) {
    store_row(blocks, 0, rows[0]);
    store_row(blocks, 4, rows[1]);
    store_row(blocks, 8, rows[2]);
    store_row(blocks, 12, rows[3]);
    store_row(blocks, 16, rows[4]);
    store_row(blocks, 20, rows[5]);
    store_row(blocks, 24, rows[6]);
    store_row(blocks, 28, rows[7]);
    store_row(blocks, 32, rows[8]);
    store_row(blocks, 36, rows[9]);
    store_row(blocks, 40, rows[10]);
    store_row(blocks, 44, rows[11]);
    store_row(blocks, 48, rows[12]);
    store_row(blocks, 52, rows[13]);
    store_row(blocks, 56, rows[14]);
    store_row(blocks, 60, rows[15]);
}

/// From x to z and back: each byte of a word becomes the sum of the other three.
#[inline]
#[target_feature(enable = "avx512f")]
fn turn(x: Bytes) -> Bytes {
    let others = |i: usize| {
        let w = i / 4 * 4;
        xor3(x[w + (i + 1) % 4], x[w + (i + 2) % 4], x[w + (i + 3) % 4])
    };
    [
        others(0),
        others(1),
        others(2),
        others(3),
        others(4),
        others(5),
        others(6),
        others(7),
        others(8),
        others(9),
        others(10),
        others(11),
        others(12),
        others(13),
        others(14),
        others(15),
    ]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
    _mm512_ternarylogic_epi32::<0b1001_0110>(a, b, c)
}

/// Exchanges registers and bytes in each quarter: byte i of register j is byte j of register i.
///
/// Number the bytes of a quarter by eight bits, register and place. One step rotates that number by
/// one bit, so four steps exchange its halves.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn slice(x: Bytes) -> Bytes {
    interleave(interleave(interleave(interleave(x))))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn interleave(x: Bytes) -> Bytes {
    let low = |i: usize| _mm512_unpacklo_epi8(x[i], x[i + 8]);
    let high = |i: usize| _mm512_unpackhi_epi8(x[i], x[i + 8]);
    [
        low(0),
        high(0),
        low(1),
        high(1),
        low(2),
        high(2),
        low(3),
        high(3),
        low(4),
        high(4),
        low(5),
        high(5),
        low(6),
        high(6),
        low(7),
        high(7),
    ]
}

/// For words that give a key stream or a tweak away.
#[inline]
#[target_feature(enable = "avx512f")]
fn wipe(words: &mut Bytes) {
    *words = [_mm512_setzero_si512(); 16];
    zeroize::optimization_barrier(words);
}

/// M_0, M_1 and M_3 for all bytes.
#[inline]
#[target_feature(enable = "avx512f")]
fn matrices() -> [__m512i; 3] {
    let matrix = |a: usize| _mm512_set1_epi64(ROUND.matrices[a].cast_signed());
    [matrix(0), matrix(1), matrix(3)]
}

/// A mask for the 32-bit elements of up to four blocks.
fn elements(blocks: &[Block]) -> u16 {
    ((1u32 << (4 * blocks.len())) - 1) as u16
}

/// Up to four blocks, the first number `at`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn load_row(blocks: &[Block], at: usize) -> __m512i {
    let blocks = blocks.get(at..).unwrap_or_default();
    let x = if let Some(four) = blocks.first_chunk::<4>() {
        // SAFETY: four blocks have the 64 bytes; no alignment is needed.
        unsafe { _mm512_loadu_si512(four.as_ptr().cast()) }
    } else if blocks.is_empty() {
        // A masked access to a page that is not there is no fault but takes long.
        return _mm512_setzero_si512();
    } else {
        // SAFETY: the mask selects the blocks' elements, and nothing else is read; no alignment is needed.
        unsafe { _mm512_maskz_loadu_epi32(elements(blocks), blocks.as_ptr().cast()) }
    };
    enter(x)
}

/// To the rounds' basis.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn enter(x: __m512i) -> __m512i {
    _mm512_gf2p8affine_epi64_epi8::<0>(x, _mm512_set1_epi64(ENTER.cast_signed()))
}

/// Back from the rounds' basis.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn leave(y: __m512i) -> __m512i {
    _mm512_gf2p8affine_epi64_epi8::<0>(y, _mm512_set1_epi64(LEAVE.cast_signed()))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn store_row(blocks: &mut [Block], at: usize, y: __m512i) {
    let x = leave(y);
    let blocks = blocks.get_mut(at..).unwrap_or_default();
    if let Some(four) = blocks.first_chunk_mut::<4>() {
        // SAFETY: four blocks have the 64 bytes; no alignment is needed.
        unsafe { _mm512_storeu_si512(four.as_mut_ptr().cast(), x) }
    } else if !blocks.is_empty() {
        // SAFETY: the mask selects the blocks' elements, and nothing else is written; no alignment is needed.
        unsafe { _mm512_mask_storeu_epi32(blocks.as_mut_ptr().cast(), elements(blocks), x) }
    }
}
