//! The key stream of 64 counter blocks at a time, added to data without a buffer; GHASH rides along.
//!
//! Counter blocks are made in the rounds' layout: byte i of quarter q belongs to block 4 i + q. They differ
//! in the last four bytes, the upper three of which have one of two values. So most of what comes before the rounds
//! is done once a message.
//!
//! The cipher keeps the units for GFNI and logic busy, GHASH the multiplier: after each round a vector of ciphertext
//! is hashed, of the same two groups or, where that is not there yet, of the two before.
use super::{
    Bytes, Newest, WIDE, enter, leave, matrices, result, round_wide, rounds_wide, wipe, xor3,
};
use crate::{
    cpu,
    ghash::{Products, Wide},
    sm4::{
        Aead, BLOCK_LEN,
        Direction::Encrypt,
        gfni::{Keys, ROUND},
        groups::{GROUP_LEN, Group},
    },
};
use core::arch::{asm, x86_64::*};

const _: () = assert!(GROUP_LEN == WIDE * BLOCK_LEN);

/// Which block each byte belongs to.
const INDEX: [u8; WIDE] = {
    let mut index = [0; WIDE];
    let mut i = 0;
    while i < WIDE {
        index[i] = (i % 16 * 4 + i / 16) as u8;
        i += 1;
    }
    index
};

/// Adds E(first), E(first + 1), ... to `groups`; only the last 32 bits count.
pub(in crate::sm4) fn apply(_: cpu::GfniAvx512, keys: &Keys, first: u128, groups: &mut [Group]) {
    // SAFETY: the token proves GFNI, AVX-512F and AVX-512BW.
    unsafe { apply_groups(keys, first, groups) }
}

/// The same, and the ciphertext is hashed.
pub(in crate::sm4) fn apply_and_hash(
    _: cpu::GfniAvx512,
    keys: &Keys,
    first: u128,
    groups: &mut [Group],
    (way, hash): (Aead, Wide<'_>),
) {
    // SAFETY: the tokens, this one and that of `hash`, prove GFNI, AVX-512F, AVX-512BW, PCLMULQDQ and VPCLMULQDQ.
    unsafe { apply_and_hash_groups(keys, first, groups, way, hash) }
}

/// Counter blocks to come.
struct Counters {
    /// The first three words, ready for the rounds.
    words: [__m512i; 12],
    last: u32,
}

impl Counters {
    /// Those from `first` on.
    #[target_feature(enable = "avx512f,avx512bw,gfni")]
    fn new(first: u128) -> Self {
        let bytes = first.to_be_bytes();
        let mut words = [_mm512_setzero_si512(); 12];
        for (i, x) in words.iter_mut().enumerate() {
            // The sum of the other three bytes of the word.
            let sum = (0..4).fold(bytes[i], |sum, j| sum ^ bytes[i / 4 * 4 + j]);
            *x = enter(_mm512_set1_epi8(sum.cast_signed()));
        }
        let last = first as u32;
        Self { words, last }
    }

    /// The next 64.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,gfni")]
    fn next(&mut self) -> Bytes {
        let first = self.last;
        self.last = first.wrapping_add(WIDE as u32);
        // SAFETY: the array has the 64 bytes; no alignment is needed.
        let index = unsafe { _mm512_loadu_si512(INDEX.as_ptr().cast()) };
        let lowest = _mm512_set1_epi8(first as i8);
        let d = _mm512_add_epi8(lowest, index);
        let carry = _mm512_cmplt_epu8_mask(d, lowest);
        let byte = |shift: u32| {
            let [same, more] = [first, first.wrapping_add(1 << 8)]
                .map(|counter| _mm512_set1_epi8((counter >> shift) as i8));
            _mm512_mask_blend_epi8(carry, same, more)
        };
        let [a, b, c] = [byte(24), byte(16), byte(8)];
        let w = &self.words;
        [
            w[0],
            w[1],
            w[2],
            w[3],
            w[4],
            w[5],
            w[6],
            w[7],
            w[8],
            w[9],
            w[10],
            w[11],
            enter(xor3(b, c, d)),
            enter(xor3(a, c, d)),
            enter(xor3(a, b, d)),
            enter(xor3(a, b, c)),
        ]
    }
}

/// Adds the key stream to groups side by side; the words of each group go where the caller can wipe them. What rides
/// along may use the groups, as they were.
macro_rules! add_stream {
    ($keys:ident, $counters:ident, [$($words:ident $newest:ident $group:expr),+], $round:ident => $ride:expr) => {{
        $( $words = $counters.next(); )+
        rounds_wide!($keys, Encrypt, [$($words $newest),+], $round => $ride);
        $( add($group, &$words); )+
    }};
}

#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn apply_groups(keys: &Keys, first: u128, groups: &mut [Group]) {
    let mut counters = Counters::new(first);
    let [mut x, mut y] = [[_mm512_setzero_si512(); 16]; 2];
    let (pairs, single) = groups.as_chunks_mut::<2>();
    for [group, other] in pairs {
        add_stream!(keys, counters, [x newest group, y newer other], _round => {});
    }
    for group in single {
        add_stream!(keys, counters, [x newest group], _round => {});
    }
    wipe(&mut x);
    wipe(&mut y);
}

#[target_feature(enable = "avx512f,avx512bw,gfni,pclmulqdq,vpclmulqdq")]
fn apply_and_hash_groups(
    keys: &Keys,
    first: u128,
    groups: &mut [Group],
    way: Aead,
    mut hash: Wide<'_>,
) {
    let mut counters = Counters::new(first);
    let [mut x, mut y] = [[_mm512_setzero_si512(); 16]; 2];
    let mut products = Products::zero();
    let (mut at, mut hashed) = (0, 0);
    while at < groups.len() {
        let next = groups.len().min(at + 2);
        let until = match way {
            Aead::Open => next,
            Aead::Seal => at,
        };
        let ready = &groups[hashed..until];
        if next - at == 2 {
            add_stream!(keys, counters, [x newest &mut groups[at], y newer &mut groups[at + 1]],
                round => hash.step(&mut products, ready, round));
        } else {
            add_stream!(keys, counters, [x newest &mut groups[at]],
                round => hash.step(&mut products, ready, round));
        }
        (at, hashed) = (next, until);
    }
    wipe(&mut x);
    wipe(&mut y);
    for group in &groups[hashed..] {
        hash.update(group.as_chunks().0, &[]);
    }
}

/// Adds the key stream that the rounds have left as `x`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn add(group: &mut Group, x: &Bytes) {
    for (data, row) in group.as_chunks_mut::<64>().0.iter_mut().zip(result(x)) {
        // SAFETY: reads and writes the 64 bytes; no alignment is needed.
        unsafe {
            let x = _mm512_loadu_si512(data.as_ptr().cast());
            _mm512_storeu_si512(data.as_mut_ptr().cast(), _mm512_xor_si512(x, leave(row)));
        }
    }
}
