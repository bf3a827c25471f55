//! SM3 over a window of `N` expanded words: the same code with more or less memory, which shows that the probe sees it.

use std::hint::black_box;

use reference::sm3::{IV, t};

/// Bytes of the padded message: it lies on the stack, since an allocation would use more of it than the compression.
const PADDED_LEN: usize = 256;

/// SM3 of at most 247 bytes (longer messages are cut), for `N` of 16 to 68 words.
pub(super) fn digest<const N: usize>(message: &[u8]) -> [u8; 32] {
    let message = &message[..message.len().min(PADDED_LEN - 9)];
    let length = (message.len() + 9).next_multiple_of(64);
    let mut padded = [0; PADDED_LEN];
    padded[..message.len()].copy_from_slice(message);
    padded[message.len()] = 0x80;
    padded[length - 8..length].copy_from_slice(&(message.len() as u64 * 8).to_be_bytes());
    let (blocks, _) = padded[..length].as_chunks::<64>();
    let mut state = IV;
    for block in blocks {
        compress::<N>(&mut state, block);
    }
    let mut digest = [0; 32];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// GB/T 32905-2016, 5.3, with `W_j` kept at place j mod N.
#[inline(never)]
fn compress<const N: usize>(state: &mut [u32; 8], block: &[u8; 64]) {
    let mut window = [0; N];
    for (word, bytes) in window.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for j in 0..64 {
        // Without this the compiler keeps the sixteen live words of any window in its own places.
        black_box(&mut window);
        if j >= 12 {
            window[(j + 4) % N] = expanded(&window, j + 4);
        }
        let (w, w4) = (window[j % N], window[(j + 4) % N]);
        let ss1 = a
            .rotate_left(12)
            .wrapping_add(e)
            .wrapping_add(t(j).rotate_left(j as u32 % 32))
            .rotate_left(7);
        let ss2 = ss1 ^ a.rotate_left(12);
        let (ff, gg) = if j < 16 {
            (a ^ b ^ c, e ^ f ^ g)
        } else {
            ((a & b) | (a & c) | (b & c), (e & f) | (!e & g))
        };
        let tt1 = ff.wrapping_add(d).wrapping_add(ss2).wrapping_add(w ^ w4);
        let tt2 = gg.wrapping_add(h).wrapping_add(ss1).wrapping_add(w);
        (d, c, b, a) = (c, b.rotate_left(9), a, tt1);
        (h, g, f, e) = (
            g,
            f.rotate_left(19),
            e,
            tt2 ^ tt2.rotate_left(9) ^ tt2.rotate_left(17),
        );
    }
    for (word, updated) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word ^= updated;
    }
}

/// `W_j` from the words before it.
fn expanded<const N: usize>(window: &[u32; N], j: usize) -> u32 {
    let word = |back: usize| window[(j - back) % N];
    let x = word(16) ^ word(9) ^ word(3).rotate_left(15);
    x ^ x.rotate_left(15) ^ x.rotate_left(23) ^ word(13).rotate_left(7) ^ word(6)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_window_computes_sm3() {
        for length in [0, 3, 55, 56, 64, 200] {
            let message = crate::known_answer::pattern(length);
            let expected = reference::sm3::digest(&message);
            assert_eq!(super::digest::<16>(&message), expected, "{length}");
            assert_eq!(super::digest::<68>(&message), expected, "{length}");
        }
    }
}
