//! Modular inverses by division steps, in constant time.
//!
//! A division step takes (ζ, f, g) with f odd to
//! - (-ζ - 2, g, (g - f)/2) when ζ < 0 and g is odd,
//! - (ζ - 1, f, (g + f)/2) when ζ >= 0 and g is odd,
//! - (ζ - 1, f, g/2) when g is even.
//!
//! From ζ = -1, f = m and g = x, 590 steps reach g = 0 and f = ±gcd(m, x) for every m and x of 256
//! bits (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion", CHES 2019,
//! with the start at half a step that Wuille proved to suffice). The steps depend on the lowest bits
//! only, so [`BATCH`] of them are run on machine words; the 2 × 2 matrix that they amount to is then
//! applied to the long f and g, and to d and e, which keep f = d·x and g = e·x modulo m. Of the batch, [`RUN`] steps at
//! a time work on words that hold the low bits and a row of the matrix beside them.
use super::limbs::Limbs;

#[cfg(any(test, not(target_arch = "x86_64")))]
mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(not(target_arch = "x86_64"))]
use portable as arithmetic;
#[cfg(target_arch = "x86_64")]
use x86_64 as arithmetic;

/// Steps for one matrix, and the bits of a limb.
const BATCH: u32 = 60;
/// 600 steps.
const BATCHES: usize = 10;
/// No test can tell 540 from the steps that are needed: random values take 517 ± 4, and searching found none above 534.
const _: () = assert!(BATCHES * BATCH as usize >= 590);
const MASK: i64 = (1 << BATCH) - 1;

/// Steps on packed words: a third of a batch.
const RUN: u32 = 20;
/// Bits of an entry of the matrix in a packed word: from -2^20 to 2^20.
const ENTRY: u32 = 22;

/// A signed integer in five limbs of 60 bits, least significant first; the top limb has the sign.
type Signed = [i64; 5];

/// An odd modulus of 256 bits.
pub(super) struct Modulus {
    limbs: Signed,
    /// 1/m mod 2^60.
    inverse: i64,
}

/// 2^60 times what a batch of steps does: f' = (u·f + v·g)/2^60, g' = (q·f + r·g)/2^60.
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Modulus {
    pub(super) const fn new(m: &Limbs) -> Self {
        // Newton's iteration: each step doubles the number of right bits.
        let mut inverse: u64 = 1;
        let mut i = 0;
        while i < 6 {
            inverse = inverse.wrapping_mul(2u64.wrapping_sub(m[0].wrapping_mul(inverse)));
            i += 1;
        }
        Self {
            limbs: to_signed(m),
            inverse: inverse as i64 & MASK,
        }
    }

    /// 1/x modulo m, for x below m and coprime to it; 0 for 0. Constant-time.
    pub(super) fn invert(&self, x: &Limbs) -> Limbs {
        let (mut f, mut g) = (self.limbs, to_signed(x));
        let (mut d, mut e) = ([0; 5], [1, 0, 0, 0, 0]);
        let mut zeta = -1;
        for _ in 0..BATCHES {
            let matrix;
            (zeta, matrix) = steps(zeta, f[0], g[0]);
            self.update_cofactors(&mut d, &mut e, &matrix);
            update_values(&mut f, &mut g, &matrix);
        }
        debug_assert!(g == [0; 5]);
        self.normalize(d, f[4] >> 63)
    }

    /// (d, e) to (u·d + v·e, q·d + r·e)/2^60 modulo m.
    ///
    /// Both stay in (-2m, m): a negative one is first taken as itself plus m, then the least multiple
    /// of m is subtracted that makes the sum divisible by 2^60.
    #[inline(always)]
    fn update_cofactors(&self, d: &mut Signed, e: &mut Signed, t: &Matrix) {
        let (d_negative, e_negative) = (d[4] >> 63, e[4] >> 63);
        let mut carry_d = wide(t.u, d[0]) + wide(t.v, e[0]);
        let mut carry_e = wide(t.q, d[0]) + wide(t.r, e[0]);
        let times_d = self.multiple((t.u & d_negative) + (t.v & e_negative), carry_d);
        let times_e = self.multiple((t.q & d_negative) + (t.r & e_negative), carry_e);
        carry_d += wide(times_d, self.limbs[0]);
        carry_e += wide(times_e, self.limbs[0]);
        carry_d >>= BATCH;
        carry_e >>= BATCH;
        for i in 1..5 {
            carry_d += wide(t.u, d[i]) + wide(t.v, e[i]) + wide(times_d, self.limbs[i]);
            carry_e += wide(t.q, d[i]) + wide(t.r, e[i]) + wide(times_e, self.limbs[i]);
            d[i - 1] = carry_d as i64 & MASK;
            e[i - 1] = carry_e as i64 & MASK;
            carry_d >>= BATCH;
            carry_e >>= BATCH;
        }
        d[4] = carry_d as i64;
        e[4] = carry_e as i64;
        debug_assert!(
            self.is_bounded(d) && self.is_bounded(e),
            "division steps: d and e in (-2m, m)"
        );
    }

    /// Whether the value is in (-2m, m).
    fn is_bounded(&self, value: &Signed) -> bool {
        let is_positive = |x: Signed| x[4] >= 0 && x != [0; 5];
        let above = self.add_if(self.add_if(*value, -1), -1);
        let below = self.add_if(value.map(|limb| -limb), -1);
        is_positive(above) && is_positive(below)
    }

    /// How often m is added: `start`, less what makes low + m·(the result) divisible by 2^60.
    #[inline(always)]
    fn multiple(&self, start: i64, low: i128) -> i64 {
        start - (self.inverse.wrapping_mul(low as i64).wrapping_add(start) & MASK)
    }

    /// ±value in [0, m), for value in (-2m, m); `negate` is a mask.
    fn normalize(&self, value: Signed, negate: i64) -> Limbs {
        let mut value = self.add_if(value, value[4] >> 63);
        for limb in &mut value {
            *limb = (*limb ^ negate) - negate;
        }
        value = carry(value);
        value = self.add_if(value, value[4] >> 63);
        from_signed(&value)
    }

    /// value + m where `mask` is all ones, with the carries passed on.
    fn add_if(&self, value: Signed, mask: i64) -> Signed {
        let mut out = value;
        for (limb, m) in out.iter_mut().zip(self.limbs) {
            *limb += m & mask;
        }
        carry(out)
    }
}

#[inline(always)]
fn wide(a: i64, b: i64) -> i128 {
    i128::from(a) * i128::from(b)
}

/// Brings every limb but the top one into [0, 2^60).
fn carry(mut value: Signed) -> Signed {
    for i in 0..4 {
        value[i + 1] += value[i] >> BATCH;
        value[i] &= MASK;
    }
    value
}

/// Runs [`BATCH`] division steps on the low words of f and g.
#[inline(always)]
fn steps(zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let (zeta, first) = run(zeta, f, g);
    let (f, g) = first.apply(f, g);
    let (zeta, second) = run(zeta, f, g);
    let (f, g) = second.apply(f, g);
    let (zeta, third) = run(zeta, f, g);
    (zeta, third.after(&second.after(&first)))
}

/// Runs [`RUN`] division steps on the low bits of f and g.
///
/// A packed word is f + 2^20·u + 2^42·v, and one sum or halving does for all three. With f and g taken as signed, they
/// stay within 2^19, and the entries within 2^20: after i steps they are 2^(20-i) times those of the matrix,
/// so that halving is exact. Rounding to a multiple of 2^20 parts them again.
#[inline(always)]
fn run(zeta: i64, f: i64, g: i64) -> (i64, Matrix) {
    let low = |x: i64| x << (64 - RUN) >> (64 - RUN);
    let f = low(f) + (1 << (2 * RUN));
    let g = low(g).wrapping_add(1 << (2 * RUN + ENTRY));
    let (zeta, f, g) = arithmetic::run(zeta, f, g);
    let ((u, v), (q, r)) = (entries(f), entries(g));
    (zeta, Matrix { u, v, q, r })
}

/// The entries of a packed word.
#[inline(always)]
fn entries(packed: i64) -> (i64, i64) {
    let both = packed.wrapping_add(1 << (RUN - 1)) >> RUN;
    let first = both << (64 - ENTRY) >> (64 - ENTRY);
    (first, (both - first) >> ENTRY)
}

impl Matrix {
    /// The low bits of f and g after the matrix of a run.
    #[inline(always)]
    fn apply(&self, f: i64, g: i64) -> (i64, i64) {
        let row = |a: i64, b: i64| a.wrapping_mul(f).wrapping_add(b.wrapping_mul(g)) >> RUN;
        (row(self.u, self.v), row(self.q, self.r))
    }

    /// The matrix of both, `first` before this one.
    #[inline(always)]
    fn after(&self, first: &Self) -> Self {
        Self {
            u: self.u * first.u + self.v * first.q,
            v: self.u * first.v + self.v * first.r,
            q: self.q * first.u + self.r * first.q,
            r: self.q * first.v + self.r * first.r,
        }
    }
}

/// (f, g) to (u·f + v·g, q·f + r·g)/2^60; the division is exact.
#[inline(always)]
fn update_values(f: &mut Signed, g: &mut Signed, t: &Matrix) {
    let mut carry_f = (wide(t.u, f[0]) + wide(t.v, g[0])) >> BATCH;
    let mut carry_g = (wide(t.q, f[0]) + wide(t.r, g[0])) >> BATCH;
    for i in 1..5 {
        carry_f += wide(t.u, f[i]) + wide(t.v, g[i]);
        carry_g += wide(t.q, f[i]) + wide(t.r, g[i]);
        f[i - 1] = carry_f as i64 & MASK;
        g[i - 1] = carry_g as i64 & MASK;
        carry_f >>= BATCH;
        carry_g >>= BATCH;
    }
    f[4] = carry_f as i64;
    g[4] = carry_g as i64;
}

const fn to_signed(x: &Limbs) -> Signed {
    let mask = MASK as u64;
    [
        (x[0] & mask) as i64,
        ((x[0] >> 60 | x[1] << 4) & mask) as i64,
        ((x[1] >> 56 | x[2] << 8) & mask) as i64,
        ((x[2] >> 52 | x[3] << 12) & mask) as i64,
        (x[3] >> 48) as i64,
    ]
}

/// For a value in [0, 2^256) with all limbs carried.
const fn from_signed(x: &Signed) -> Limbs {
    let x = [
        x[0] as u64,
        x[1] as u64,
        x[2] as u64,
        x[3] as u64,
        x[4] as u64,
    ];
    [
        x[0] | x[1] << 60,
        x[1] >> 4 | x[2] << 56,
        x[2] >> 8 | x[3] << 52,
        x[3] >> 12 | x[4] << 48,
    ]
}
