//! What VSM3MSG1, VSM3MSG2 and VSM3RNDS2 compute, under the names of their intrinsics and word for word as
//! Intel defines them; nobody but us has checked this model, and no processor has run beside it.
//!
//! Operands are in the order of the intrinsics: the register that the instruction overwrites, then its two
//! sources. Word 0 is the lowest. Nothing here is taken from the crate's own SM3.
use core::arch::x86_64::{__m128i, _mm_setr_epi32};

use super::words;

fn p1(x: u32) -> u32 {
    x ^ x.rotate_left(15) ^ x.rotate_left(23)
}

fn p0(x: u32) -> u32 {
    x ^ x.rotate_left(9) ^ x.rotate_left(17)
}

#[target_feature(enable = "avx")]
fn vector(words: [u32; 4]) -> __m128i {
    let [x, y, z, w] = words.map(u32::cast_signed);
    _mm_setr_epi32(x, y, z, w)
}

/// `a` = W7, W8, W9, W10; `b` = W13, W14, W15, anything; `c` = W0, W1, W2, W3.
#[target_feature(enable = "avx")]
pub(super) fn _mm_sm3msg1_epi32(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    let [w7, w8, w9, w10] = words(a);
    let [w13, w14, w15, _] = words(b);
    let [w0, w1, w2, w3] = words(c);
    vector([
        p1(w7 ^ w0 ^ w13.rotate_left(15)),
        p1(w8 ^ w1 ^ w14.rotate_left(15)),
        p1(w9 ^ w2 ^ w15.rotate_left(15)),
        p1(w10 ^ w3),
    ])
}

/// `a` = the result of VSM3MSG1; `b` = W3, W4, W5, W6; `c` = W10, W11, W12, W13.
#[target_feature(enable = "avx")]
pub(super) fn _mm_sm3msg2_epi32(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    let (part, older, newer) = (words(a), words(b), words(c));
    let mut w: [u32; 4] = core::array::from_fn(|i| older[i].rotate_left(7) ^ newer[i] ^ part[i]);
    w[3] ^= w[0].rotate_left(6) ^ w[0].rotate_left(15) ^ w[0].rotate_left(30);
    vector(w)
}

/// `a` = H, G, D, C; `b` = F, E, B, A; `c` = W(j), W(j+1), W(j+4), W(j+5); the round j is in `ROUND`.
#[target_feature(enable = "avx")]
pub(super) fn _mm_sm3rnds2_epi32<const ROUND: i32>(a: __m128i, b: __m128i, c: __m128i) -> __m128i {
    let [h, g, d, c_word] = words(a);
    let [f, e, b_word, a_word] = words(b);
    let [w0, w1, w4, w5] = words(c);
    let mut abcd = [a_word, b_word, c_word.rotate_left(9), d.rotate_left(9)];
    let mut efgh = [e, f, g.rotate_left(19), h.rotate_left(19)];
    let round = (ROUND & 0x3e).cast_unsigned();
    let early = round < 16;
    let t: u32 = if early { 0x79cc_4519 } else { 0x7a87_9d8a };
    for (i, (w, w_prime)) in (0..).zip([(w0, w0 ^ w4), (w1, w1 ^ w5)]) {
        let [a, b, c, d] = abcd;
        let [e, f, g, h] = efgh;
        let rotated = a.rotate_left(12);
        let t = t.rotate_left((round + i) % 32);
        let s1 = rotated.wrapping_add(e).wrapping_add(t).rotate_left(7);
        let (ff, gg) = if early {
            (a ^ b ^ c, e ^ f ^ g)
        } else {
            ((a & b) | (a & c) | (b & c), (e & f) | (!e & g))
        };
        let sum = |terms: [u32; 4]| terms.into_iter().fold(0, u32::wrapping_add);
        let t1 = sum([ff, d, s1 ^ rotated, w_prime]);
        let t2 = sum([gg, h, s1, w]);
        abcd = [t1, a, b.rotate_left(9), c];
        efgh = [p0(t2), e, f.rotate_left(19), g];
    }
    vector([efgh[1], efgh[0], abcd[1], abcd[0]])
}
