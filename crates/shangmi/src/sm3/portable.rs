//! The compression function in plain Rust.
//!
//! All 64 rounds are unrolled, so that the registers are renamed instead of moved: a round writes
//! two of the eight words, and word A of round j is `s[-j mod 4]`. W lives in a window of 16 words
//! that rolls along with the rounds: W(j+16) takes the place of W(j) as soon as round j has used it.
use super::consts::t;
use super::{Block, State};

/// Runs `$f::<j>(..)` for the rounds j that are listed.
macro_rules! rounds {
    ($f:ident($s:ident, $w:ident): $($j:literal)*) => { $( $f::<$j>(&mut $s, &mut $w); )* };
}

/// CF over `blocks` in their order (GB/T 32905-2016, 5.3).
pub(super) fn compress(state: &mut State, blocks: &[Block]) {
    let mut v = *state;
    for block in blocks {
        let mut s = v;
        let mut w = load(block);
        rounds!(early(s, w): 0 1 2 3 4 5 6 7 8 9 10 11);
        rounds!(middle(s, w): 12 13 14 15);
        rounds!(late(s, w): 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
        rounds!(late(s, w): 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47);
        rounds!(late(s, w): 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63);
        for (v, s) in v.iter_mut().zip(s) {
            *v ^= s;
        }
    }
    *state = v;
}

/// The block as 16 big-endian words.
#[inline(always)]
fn load(block: &Block) -> [u32; 16] {
    let (words, _) = block.as_chunks();
    core::array::from_fn(|i| u32::from_be_bytes(words[i]))
}

/// Rounds 0 to 11: all words of the message are there, FF and GG are XORs.
#[inline(always)]
fn early<const J: usize>(s: &mut State, w: &mut [u32; 16]) {
    let [a, b, c] = abc::<J>(s);
    let [e, f, g] = efg::<J>(s);
    round::<J>(s, w, a ^ b ^ c, e ^ f ^ g);
}

/// Rounds 12 to 15: W(j+4) must be expanded first.
#[inline(always)]
fn middle<const J: usize>(s: &mut State, w: &mut [u32; 16]) {
    expand::<J>(w);
    early::<J>(s, w);
}

/// Rounds 16 to 63: FF is the majority of three bits, GG chooses F or G by E.
#[inline(always)]
fn late<const J: usize>(s: &mut State, w: &mut [u32; 16]) {
    expand::<J>(w);
    let [a, b, c] = abc::<J>(s);
    let [e, f, g] = efg::<J>(s);
    round::<J>(s, w, ((a | b) & c) | (a & b), ((f ^ g) & e) ^ g);
}

/// A, B and C of round `J`.
#[inline(always)]
fn abc<const J: usize>(s: &State) -> [u32; 3] {
    core::array::from_fn(|i| s[at::<J>(i)])
}

/// E, F and G of round `J`.
#[inline(always)]
fn efg<const J: usize>(s: &State) -> [u32; 3] {
    core::array::from_fn(|i| s[4 + at::<J>(i)])
}

/// Where word `i` of either half of the state is in round `J`.
#[inline(always)]
const fn at<const J: usize>(i: usize) -> usize {
    i.wrapping_sub(J) & 3
}

/// W(J+4) = P1(W(J-12) ^ W(J-5) ^ (W(J+1) <<< 15)) ^ (W(J-9) <<< 7) ^ W(J-2), in the place of W(J-12).
#[inline(always)]
fn expand<const J: usize>(w: &mut [u32; 16]) {
    let word = |back: usize| w[(J + 4 - back) & 15];
    let x = word(16) ^ word(9) ^ word(3).rotate_left(15);
    let p1 = x ^ x.rotate_left(15) ^ x.rotate_left(23);
    w[(J + 4) & 15] = p1 ^ word(13).rotate_left(7) ^ word(6);
}

/// Round `J` with its FF and GG given.
#[inline(always)]
fn round<const J: usize>(s: &mut State, w: &[u32; 16], ff: u32, gg: u32) {
    let [b, d, f, h] = [at::<J>(1), at::<J>(3), 4 + at::<J>(1), 4 + at::<J>(3)];
    let (a, e) = (s[at::<J>(0)], s[4 + at::<J>(0)]);
    let (w, w4) = (w[J & 15], w[(J + 4) & 15]);
    let a12 = a.rotate_left(12);
    let ss1 = a12
        .wrapping_add(e)
        .wrapping_add(const { t(J) })
        .rotate_left(7);
    let ss2 = ss1 ^ a12;
    let tt1 = ff.wrapping_add(s[d]).wrapping_add(w ^ w4).wrapping_add(ss2);
    let tt2 = gg.wrapping_add(s[h]).wrapping_add(w).wrapping_add(ss1);
    s[d] = tt1;
    s[b] = s[b].rotate_left(9);
    s[h] = tt2 ^ tt2.rotate_left(9) ^ tt2.rotate_left(17);
    s[f] = s[f].rotate_left(19);
}
