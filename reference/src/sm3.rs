//! SM3, GB/T 32905-2016 (also ISO/IEC 10118-3:2018, GM/T 0004-2012).

mod stages;

use crate::hash::{self, Stage, WorkingMemory};
use crate::word::{CompressionTally, Counted, Word, tally};

/// The initial value (4.1).
pub const IV: [u32; 8] = [
    0x7380_166f,
    0x4914_b2b9,
    0x1724_42d7,
    0xda8a_0600,
    0xa96f_30bc,
    0x1631_38aa,
    0xe38d_ee4d,
    0xb0fb_0e4e,
];

/// The round constant `T_j` (4.2).
pub const fn t(j: usize) -> u32 {
    if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a }
}

/// The Boolean function `FF_j` (4.3).
fn ff<W: Word>(j: usize, x: W, y: W, z: W) -> W {
    if j < 16 {
        x ^ y ^ z
    } else {
        (x & y) | (x & z) | (y & z)
    }
}

/// The Boolean function `GG_j` (4.3).
fn gg<W: Word>(j: usize, x: W, y: W, z: W) -> W {
    if j < 16 {
        x ^ y ^ z
    } else {
        (x & y) | (!x & z)
    }
}

/// The permutation `P_0` of the compression function (4.4).
#[inline(always)]
fn p0<W: Word>(x: W) -> W {
    x ^ x.rotl(9) ^ x.rotl(17)
}

/// The permutation `P_1` of the message expansion (4.4).
#[inline(always)]
fn p1<W: Word>(x: W) -> W {
    x ^ x.rotl(15) ^ x.rotl(23)
}

/// The 132 words of one expanded block.
#[derive(Clone, Copy, Debug)]
pub struct Expanded<W> {
    /// `W_0` to `W_67`.
    pub w: [W; 68],
    /// W'_0 to W'_63.
    pub w1: [W; 64],
}

/// Message expansion (5.3.2).
pub fn expand<W: Word>(block: &[W; 16]) -> Expanded<W> {
    let mut w = [W::new(0); 68];
    w[..16].copy_from_slice(block);
    for j in 16..68 {
        w[j] = p1(w[j - 16] ^ w[j - 9] ^ w[j - 3].rotl(15)) ^ w[j - 13].rotl(7) ^ w[j - 6];
    }
    let w1 = std::array::from_fn(|j| w[j] ^ w[j + 4]);
    Expanded { w, w1 }
}

/// The first `rounds` (at most 64) rounds of the compression function, before
/// the feed-forward (5.3.3).
pub fn state_update<W: Word>(v: [W; 8], expanded: &Expanded<W>, rounds: usize) -> [W; 8] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = v;
    for j in 0..rounds.min(64) {
        let ss1 = a
            .rotl(12)
            .plus(e)
            .plus(W::new(t(j)).rotl(j as u32 % 32))
            .rotl(7);
        let ss2 = ss1 ^ a.rotl(12);
        let tt1 = ff(j, a, b, c).plus(d).plus(ss2).plus(expanded.w1[j]);
        let tt2 = gg(j, e, f, g).plus(h).plus(ss1).plus(expanded.w[j]);
        d = c;
        c = b.rotl(9);
        b = a;
        a = tt1;
        h = g;
        g = f.rotl(19);
        f = e;
        e = p0(tt2);
    }
    [a, b, c, d, e, f, g, h]
}

/// The compression function CF with its first `rounds` rounds alone; 64 is SM3
/// (5.3.3).
///
/// V(i+1) = ABCDEFGH xor V(i).
pub fn compress_rounds<W: Word>(v: [W; 8], block: &[W; 16], rounds: usize) -> [W; 8] {
    let updated = state_update(v, &expand(block), rounds);
    std::array::from_fn(|i| updated[i] ^ v[i])
}

/// The hash value of `message` (5).
pub fn digest(message: &[u8]) -> [u8; 32] {
    digest_rounds(message, 64)
}

/// The hash value with the rounds of each compression cut to the first `rounds`;
/// 64 and more is SM3.
pub fn digest_rounds(message: &[u8], rounds: usize) -> [u8; 32] {
    hash::iterate(message, IV, |v, block| compress_rounds(v, block, rounds))
}

/// The hash value of `message`, computed by the code of one stage.
pub fn digest_by(stage: Stage, message: &[u8]) -> [u8; 32] {
    match stage {
        Stage::Textbook => digest(message),
        Stage::Rolling => hash::iterate(message, IV, stages::compress_rolling),
        Stage::Unrolled => hash::iterate(message, IV, stages::compress_unrolled),
    }
}

/// The memory that one compression of a stage works in.
pub fn working_memory(stage: Stage) -> WorkingMemory {
    WorkingMemory::with_expanded_message(match stage {
        Stage::Textbook => size_of::<Expanded<u32>>(),
        Stage::Rolling | Stage::Unrolled => size_of::<[u32; 16]>(),
    })
}

/// Counts one compression as the standard defines it: A <<< 12 computed twice,
/// `T_j` rotated in each round.
pub fn count() -> CompressionTally {
    count_update(|v, expanded| state_update(v, expanded, 64))
}

/// Counts one compression with A <<< 12 computed once in a round and `T_j` <<< j
/// taken from a table.
pub fn count_shared() -> CompressionTally {
    count_update(stages::state_update_shared)
}

fn count_update(
    update: impl Fn([Counted; 8], &Expanded<Counted>) -> [Counted; 8],
) -> CompressionTally {
    let (expanded, expansion) = tally(|| expand(&[Counted::new(0); 16]));
    let (_, state_update) = tally(|| update(IV.map(Counted::new), &expanded));
    CompressionTally {
        expansion,
        state_update,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word::Tally;

    #[test]
    fn counts_of_the_definition() {
        let counted = count();
        assert_eq!(counted.expansion, Tally::new(416, 584, 0));
        assert_eq!(counted.state_update, Tally::new(1024, 1200, 512));
    }

    #[test]
    fn sharing_saves_two_rotations_a_round() {
        let saved = count().state_update - count_shared().state_update;
        assert_eq!(saved, Tally::new(64 * 4, 64 * 2, 0));
    }

    #[test]
    fn shared_state_update_equals_the_definition() {
        let block = std::array::from_fn(|i| 0x0101_0101 * i as u32);
        let expanded = expand::<u32>(&block);
        assert_eq!(
            stages::state_update_shared(IV, &expanded),
            state_update(IV, &expanded, 64)
        );
    }

    #[test]
    fn stages_agree_on_boundary_lengths() {
        let message: Vec<u8> = (0..1025u32).map(|i| (i % 251) as u8).collect();
        for length in [
            0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 1024, 1025,
        ] {
            let expected = digest(&message[..length]);
            for stage in Stage::ALL {
                assert_eq!(
                    digest_by(stage, &message[..length]),
                    expected,
                    "{stage:?} {length}"
                );
            }
        }
    }

    #[test]
    fn no_round_leaves_zero_and_each_round_matters() {
        assert_eq!(digest_rounds(b"abc", 0), [0; 32]);
        for rounds in 0..64 {
            assert_ne!(
                digest_rounds(b"abc", rounds),
                digest_rounds(b"abc", rounds + 1)
            );
        }
        assert_eq!(digest_rounds(b"abc", 65), digest(b"abc"));
    }

    #[test]
    fn textbook_works_in_592_bytes() {
        assert_eq!(working_memory(Stage::Textbook).total(), 132 * 4 + 64);
        assert_eq!(working_memory(Stage::Unrolled).total(), 16 * 4 + 64);
    }
}
