//! SHA-256 made faster by the same steps as SM3.

use super::{K, big_sigma0, big_sigma1, small_sigma0, small_sigma1};
use crate::word::Word;

/// Ch, one operation shorter: x chooses y or z.
#[inline(always)]
fn choose(x: u32, y: u32, z: u32) -> u32 {
    ((y ^ z) & x) ^ z
}

/// Maj, one operation shorter.
#[inline(always)]
fn majority(x: u32, y: u32, z: u32) -> u32 {
    (x & y) | ((x | y) & z)
}

/// Puts W_(t+16) in the place of `W_t`, from the window `W_t` to W_(t+15), of which `W_i` is at place i mod 16.
#[inline(always)]
fn expand_next(w: &mut [u32; 16], t: usize) {
    let at = |i: usize| w[(t + i) % 16];
    w[t % 16] = small_sigma1(at(14))
        .plus(at(9))
        .plus(small_sigma0(at(1)))
        .plus(at(0));
}

#[inline(always)]
fn feed_forward(updated: [u32; 8], hash: [u32; 8]) -> [u32; 8] {
    std::array::from_fn(|i| updated[i].plus(hash[i]))
}

/// One block with a window of 16 words.
pub(super) fn compress_rolling(hash: [u32; 8], block: &[u32; 16]) -> [u32; 8] {
    let mut w = *block;
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash;
    for (t, k) in K.into_iter().enumerate() {
        let t1 = h
            .plus(big_sigma1(e))
            .plus(choose(e, f, g))
            .plus(k)
            .plus(w[t % 16]);
        let t2 = big_sigma0(a).plus(majority(a, b, c));
        (h, g, f, e) = (g, f, e, d.plus(t1));
        (d, c, b, a) = (c, b, a, t1.plus(t2));
        expand_next(&mut w, t);
    }
    feed_forward([a, b, c, d, e, f, g, h], hash)
}

/// One round that leaves each variable in its place: the new A is in `h`, the new
/// E in `d`, and the caller renames.
macro_rules! round {
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $w:ident, $t:expr) => {
        let t1 = $h
            .plus(big_sigma1($e))
            .plus(choose($e, $f, $g))
            .plus(K[$t])
            .plus($w[$t % 16]);
        $d = $d.plus(t1);
        $h = t1.plus(big_sigma0($a)).plus(majority($a, $b, $c));
        if $t < 48 {
            expand_next(&mut $w, $t);
        }
    };
}

/// Eight rounds, after which every variable has its own name again.
macro_rules! eight_rounds {
    ($a:ident $b:ident $c:ident $d:ident $e:ident $f:ident $g:ident $h:ident, $w:ident, $($t:expr),*) => {
        $(
            round!($a $b $c $d $e $f $g $h, $w, $t);
            round!($h $a $b $c $d $e $f $g, $w, $t + 1);
            round!($g $h $a $b $c $d $e $f, $w, $t + 2);
            round!($f $g $h $a $b $c $d $e, $w, $t + 3);
            round!($e $f $g $h $a $b $c $d, $w, $t + 4);
            round!($d $e $f $g $h $a $b $c, $w, $t + 5);
            round!($c $d $e $f $g $h $a $b, $w, $t + 6);
            round!($b $c $d $e $f $g $h $a, $w, $t + 7);
        )*
    };
}

/// One block with all 64 rounds written out.
pub(super) fn compress_unrolled(hash: [u32; 8], block: &[u32; 16]) -> [u32; 8] {
    let mut w = *block;
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash;
    eight_rounds!(a b c d e f g h, w, 0, 8, 16, 24, 32, 40, 48, 56);
    feed_forward([a, b, c, d, e, f, g, h], hash)
}
