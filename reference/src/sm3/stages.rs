//! SM3 made faster, step by step. The values are those of the definition; what
//! changes is where they are kept and how often they are computed.

use super::{Expanded, p0, p1, t};
use crate::word::Word;

/// `T_j` <<< (j mod 32), rotated beforehand.
const T: [u32; 64] = {
    let mut table = [0; 64];
    let mut j = 0;
    while j < 64 {
        table[j] = t(j).rotate_left(j as u32 % 32);
        j += 1;
    }
    table
};

/// `FF_j` for the rounds 16 to 63, one operation shorter: the majority function.
#[inline(always)]
fn majority(x: u32, y: u32, z: u32) -> u32 {
    (x & y) | ((x | y) & z)
}

/// `GG_j` for the rounds 16 to 63, one operation shorter: x chooses y or z.
#[inline(always)]
fn choose(x: u32, y: u32, z: u32) -> u32 {
    ((y ^ z) & x) ^ z
}

#[inline(always)]
fn parity(x: u32, y: u32, z: u32) -> u32 {
    x ^ y ^ z
}

/// The state update of the definition with A <<< 12 computed once and `T_j` <<< j
/// from a table.
pub(super) fn state_update_shared<W: Word>(v: [W; 8], expanded: &Expanded<W>) -> [W; 8] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for (j, t) in T.into_iter().enumerate() {
        let a12 = a.rotl(12);
        let ss1 = a12.plus(e).plus(W::new(t)).rotl(7);
        let tt1 = super::ff(j, a, b, c)
            .plus(d)
            .plus(ss1 ^ a12)
            .plus(expanded.w1[j]);
        let tt2 = super::gg(j, e, f, g).plus(h).plus(ss1).plus(expanded.w[j]);
        (d, c, b, a) = (c, b.rotl(9), a, tt1);
        (h, g, f, e) = (g, f.rotl(19), e, p0(tt2));
    }
    [a, b, c, d, e, f, g, h]
}

/// Puts W_(j+16) in the place of `W_j`, from the window `W_j` to W_(j+15), of which `W_i` is at place i mod 16.
#[inline(always)]
fn expand_next(w: &mut [u32; 16], j: usize) {
    let at = |i: usize| w[(j + i) % 16];
    w[j % 16] = p1(at(0) ^ at(7) ^ at(13).rotl(15)) ^ at(3).rotl(7) ^ at(10);
}

/// One compression with a window of 16 words: each word is expanded as the
/// rounds use up the one that it replaces.
pub(super) fn compress_rolling(v: [u32; 8], block: &[u32; 16]) -> [u32; 8] {
    let mut w = *block;
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for (j, t) in T.into_iter().enumerate() {
        let (wj, w1j) = (w[j % 16], w[j % 16] ^ w[(j + 4) % 16]);
        let a12 = a.rotl(12);
        let ss1 = a12.plus(e).plus(t).rotl(7);
        let (ff, gg) = if j < 16 {
            (parity(a, b, c), parity(e, f, g))
        } else {
            (majority(a, b, c), choose(e, f, g))
        };
        let tt1 = ff.plus(d).plus(ss1 ^ a12).plus(w1j);
        let tt2 = gg.plus(h).plus(ss1).plus(wj);
        (d, c, b, a) = (c, b.rotl(9), a, tt1);
        (h, g, f, e) = (g, f.rotl(19), e, p0(tt2));
        expand_next(&mut w, j);
    }
    feed_forward([a, b, c, d, e, f, g, h], v)
}

#[inline(always)]
fn feed_forward(updated: [u32; 8], v: [u32; 8]) -> [u32; 8] {
    std::array::from_fn(|i| updated[i] ^ v[i])
}

/// One round that leaves each variable in its place: the new A is in `d`, the new
/// E in `h`, and the caller renames.
macro_rules! round {
    ($ff:ident, $gg:ident, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
     $w:ident, $j:expr) => {
        let a12 = $a.rotl(12);
        let ss1 = a12.plus($e).plus(T[$j]).rotl(7);
        let wj = $w[$j % 16];
        $d = $d
            .plus($ff($a, $b, $c))
            .plus(ss1 ^ a12)
            .plus(wj ^ $w[($j + 4) % 16]);
        $h = p0($h.plus($gg($e, $f, $g)).plus(ss1).plus(wj));
        $b = $b.rotl(9);
        $f = $f.rotl(19);
        if $j < 52 {
            expand_next(&mut $w, $j);
        }
    };
}

/// Four rounds, after which every variable has its own name again.
macro_rules! four_rounds {
    ($ff:ident, $gg:ident, $a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident,
     $w:ident, $($j:expr),*) => {
        $(
            round!($ff, $gg, $a $b $c $d $e $f $g $h, $w, $j);
            round!($ff, $gg, $d $a $b $c $h $e $f $g, $w, $j + 1);
            round!($ff, $gg, $c $d $a $b $g $h $e $f, $w, $j + 2);
            round!($ff, $gg, $b $c $d $a $f $g $h $e, $w, $j + 3);
        )*
    };
}

/// One compression with all 64 rounds written out: no variable moves, and every
/// place in the window is known when the code is compiled.
pub(super) fn compress_unrolled(v: [u32; 8], block: &[u32; 16]) -> [u32; 8] {
    let mut w = *block;
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    four_rounds!(parity, parity, a b c d e f g h, w, 0, 4, 8, 12);
    four_rounds!(majority, choose, a b c d e f g h, w, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    feed_forward([a, b, c, d, e, f, g, h], v)
}
