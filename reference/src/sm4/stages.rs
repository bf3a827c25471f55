//! SM4 with T-tables, step by step faster. **Not constant-time**: the tables are
//! indexed with secret bytes.

use super::{SBOX, bytes, l, words};

/// `T[i][b]` is L of the word with SBOX(b) in byte i and zeros elsewhere; L is
/// linear, so T(a) is the exclusive or of four entries.
static T: [[u32; 256]; 4] = {
    let mut t = [[0; 256]; 4];
    let mut b = 0;
    while b < 256 {
        let word = l((SBOX[b] as u32) << 24);
        t[0][b] = word;
        t[1][b] = word.rotate_right(8);
        t[2][b] = word.rotate_right(16);
        t[3][b] = word.rotate_right(24);
        b += 1;
    }
    t
};

#[inline(always)]
fn transform(a: u32) -> u32 {
    let [a0, a1, a2, a3] = a.to_be_bytes().map(usize::from);
    T[0][a0] ^ T[1][a1] ^ T[2][a2] ^ T[3][a3]
}

/// One round a step: the four words move by one place.
pub(super) fn crypt_ttable(rk: &[u32; 32], block: &[u8; 16]) -> [u8; 16] {
    let mut x = words(block);
    for &rk in rk {
        x = [x[1], x[2], x[3], x[0] ^ transform(x[1] ^ x[2] ^ x[3] ^ rk)];
    }
    bytes([x[3], x[2], x[1], x[0]])
}

/// Four rounds, after which every word is in its place again.
#[inline(always)]
fn four_rounds(x: &mut [u32; 4], rk: &[u32; 4]) {
    x[0] ^= transform(x[1] ^ x[2] ^ x[3] ^ rk[0]);
    x[1] ^= transform(x[2] ^ x[3] ^ x[0] ^ rk[1]);
    x[2] ^= transform(x[3] ^ x[0] ^ x[1] ^ rk[2]);
    x[3] ^= transform(x[0] ^ x[1] ^ x[2] ^ rk[3]);
}

/// Four rounds a step.
pub(super) fn crypt_unrolled4(rk: &[u32; 32], block: &[u8; 16]) -> [u8; 16] {
    let mut x = words(block);
    for rk in rk.as_chunks::<4>().0 {
        four_rounds(&mut x, rk);
    }
    bytes([x[3], x[2], x[1], x[0]])
}

/// Eight rounds a step.
pub(super) fn crypt_unrolled8(rk: &[u32; 32], block: &[u8; 16]) -> [u8; 16] {
    let mut x = words(block);
    for rk in rk.as_chunks::<8>().0 {
        let [first, second] = [[rk[0], rk[1], rk[2], rk[3]], [rk[4], rk[5], rk[6], rk[7]]];
        four_rounds(&mut x, &first);
        four_rounds(&mut x, &second);
    }
    bytes([x[3], x[2], x[1], x[0]])
}
