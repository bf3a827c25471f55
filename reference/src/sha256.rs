//! SHA-256, FIPS 180-4: the yardstick beside SM3.

mod stages;

use crate::hash::{self, Stage, WorkingMemory};
use crate::word::{CompressionTally, Counted, Word, tally};

/// The first 64 primes.
const PRIMES: [u64; 64] = {
    let mut primes = [0; 64];
    let (mut found, mut candidate) = (0, 2);
    while found < 64 {
        let mut divisor = 2;
        while divisor * divisor <= candidate && candidate % divisor != 0 {
            divisor += 1;
        }
        if divisor * divisor > candidate {
            primes[found] = candidate;
            found += 1;
        }
        candidate += 1;
    }
    primes
};

/// The first 32 bits of the fractional part of the `degree`-th root of `prime`:
/// the largest x with x^degree <= prime * 2^(32 degree), modulo 2^32.
const fn root_fraction(prime: u64, degree: u32) -> u32 {
    let mut root: u64 = 0;
    let mut bit = 37;
    while bit > 0 {
        bit -= 1;
        let candidate = (root | 1 << bit) as u128;
        if candidate.pow(degree) <= (prime as u128) << (32 * degree) {
            root = candidate as u64;
        }
    }
    root as u32
}

/// The constants `K_t`: cube roots of the first 64 primes (4.2.2).
pub const K: [u32; 64] = {
    let mut k = [0; 64];
    let mut t = 0;
    while t < 64 {
        k[t] = root_fraction(PRIMES[t], 3);
        t += 1;
    }
    k
};

/// The initial hash value H(0): square roots of the first 8 primes (5.3.3).
pub const H0: [u32; 8] = {
    let mut h = [0; 8];
    let mut i = 0;
    while i < 8 {
        h[i] = root_fraction(PRIMES[i], 2);
        i += 1;
    }
    h
};

/// Ch(x, y, z) (4.1.2, equation 4.2).
fn ch<W: Word>(x: W, y: W, z: W) -> W {
    (x & y) ^ (!x & z)
}

/// Maj(x, y, z) (equation 4.3).
fn maj<W: Word>(x: W, y: W, z: W) -> W {
    (x & y) ^ (x & z) ^ (y & z)
}

/// `Sigma_0` (equation 4.4).
#[inline(always)]
fn big_sigma0<W: Word>(x: W) -> W {
    x.rotr(2) ^ x.rotr(13) ^ x.rotr(22)
}

/// `Sigma_1` (equation 4.5).
#[inline(always)]
fn big_sigma1<W: Word>(x: W) -> W {
    x.rotr(6) ^ x.rotr(11) ^ x.rotr(25)
}

/// `sigma_0` (equation 4.6).
#[inline(always)]
fn small_sigma0<W: Word>(x: W) -> W {
    x.rotr(7) ^ x.rotr(18) ^ x.shr(3)
}

/// `sigma_1` (equation 4.7).
#[inline(always)]
fn small_sigma1<W: Word>(x: W) -> W {
    x.rotr(17) ^ x.rotr(19) ^ x.shr(10)
}

/// The message schedule `W_0` to `W_63` (6.2.2, step 1).
pub fn expand<W: Word>(block: &[W; 16]) -> [W; 64] {
    let mut w = [W::new(0); 64];
    w[..16].copy_from_slice(block);
    for t in 16..64 {
        w[t] = small_sigma1(w[t - 2])
            .plus(w[t - 7])
            .plus(small_sigma0(w[t - 15]))
            .plus(w[t - 16]);
    }
    w
}

/// The first `rounds` (at most 64) rounds, before the addition of the
/// intermediate hash value (6.2.2, steps 2 and 3).
pub fn state_update<W: Word>(hash: [W; 8], w: &[W; 64], rounds: usize) -> [W; 8] {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = hash;
    for t in 0..rounds.min(64) {
        let t1 = h
            .plus(big_sigma1(e))
            .plus(ch(e, f, g))
            .plus(W::new(K[t]))
            .plus(w[t]);
        let t2 = big_sigma0(a).plus(maj(a, b, c));
        h = g;
        g = f;
        f = e;
        e = d.plus(t1);
        d = c;
        c = b;
        b = a;
        a = t1.plus(t2);
    }
    [a, b, c, d, e, f, g, h]
}

/// One block with its first `rounds` rounds alone; 64 is SHA-256 (6.2.2).
pub fn compress_rounds<W: Word>(hash: [W; 8], block: &[W; 16], rounds: usize) -> [W; 8] {
    let updated = state_update(hash, &expand(block), rounds);
    std::array::from_fn(|i| updated[i].plus(hash[i]))
}

/// The hash value of `message` (6.2).
pub fn digest(message: &[u8]) -> [u8; 32] {
    digest_rounds(message, 64)
}

/// The hash value with the rounds of each block cut to the first `rounds`; 64 and
/// more is SHA-256.
pub fn digest_rounds(message: &[u8], rounds: usize) -> [u8; 32] {
    hash::iterate(message, H0, |v, block| compress_rounds(v, block, rounds))
}

/// The hash value of `message`, computed by the code of one stage.
pub fn digest_by(stage: Stage, message: &[u8]) -> [u8; 32] {
    match stage {
        Stage::Textbook => digest(message),
        Stage::Rolling => hash::iterate(message, H0, stages::compress_rolling),
        Stage::Unrolled => hash::iterate(message, H0, stages::compress_unrolled),
    }
}

/// The memory that one compression of a stage works in.
pub fn working_memory(stage: Stage) -> WorkingMemory {
    WorkingMemory::with_expanded_message(match stage {
        Stage::Textbook => size_of::<[u32; 64]>(),
        Stage::Rolling | Stage::Unrolled => size_of::<[u32; 16]>(),
    })
}

/// Counts one compression as the standard defines it.
pub fn count() -> CompressionTally {
    let (w, expansion) = tally(|| expand(&[Counted::new(0); 16]));
    let (_, state_update) = tally(|| state_update(H0.map(Counted::new), &w, 64));
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
    fn constants_of_the_standard() {
        assert_eq!(
            (K[0], K[63], H0[0], H0[7]),
            (0x428a_2f98, 0xc671_78f2, 0x6a09_e667, 0x5be0_cd19)
        );
    }

    #[test]
    fn counts_of_the_definition() {
        let counted = count();
        assert_eq!(counted.expansion, Tally::new(480, 384, 144));
        assert_eq!(counted.state_update, Tally::new(768, 1216, 448));
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
    fn each_round_matters() {
        for rounds in 0..64 {
            assert_ne!(
                digest_rounds(b"abc", rounds),
                digest_rounds(b"abc", rounds + 1)
            );
        }
        assert_eq!(digest_rounds(b"abc", 65), digest(b"abc"));
    }
}
