//! k·P by the Montgomery ladder, on x coordinates, the products of a step side by side in lanes.
//!
//! A step takes (Q, Q + P) to (2·Q, 2·Q + P) or to (2·Q + P, 2·Q + 2·P), in coordinates x = X/Z, without y (Brier and
//! Joye, PKC 2002):
//!
//! ```text
//! sum:     X = (X₁·X₂ - a·Z₁·Z₂)² - 4b·Z₁·Z₂·(X₁·Z₂ + X₂·Z₁)      Z = x(P)·(X₁·Z₂ - X₂·Z₁)²
//! double:  X = (X² - a·Z²)² - 8b·X·Z³                             Z = 4·(X·Z·(X² + a·Z²) + b·Z⁴)
//! ```
//!
//! They are 18 products in three levels: seven of coordinates, seven of sums of these, four by constants. A level is
//! one product of eight lanes, a few sums and one carry, and a bit costs three levels, where windows of doublings and additions
//! cost five. There is no table and no exceptional case (infinity is Z = 0 and behaves), and all that a bit of k does is to choose the
//! order of a permutation of registers. At the end y comes from P and the two x coordinates.
//!
//! The ladder runs on the curve of the points (c·x, ...) with c² = 1/3, where a is -1 and b is b·c³, so that
//! products by a disappear. (Whether c is a square does not matter to x coordinates.)
//!
//! x(P) must not be zero: the two points (0, ±√b) are left to the portable code.
use super::super::field::Field;
use super::super::field::x86_64_ifma::lazy::{Columns, Factor};
use super::super::field::x86_64_ifma::{LANES, Lanes, Mask, Vector};
use super::super::limbs;
use super::super::point::{Affine, B, Jacobian};
use super::super::scalar::Scalar;
use crate::cpu;

/// c, the factor of x.
const SCALE: Field = Field::from_limbs(&[
    0x3dde_2acb_3acc_b3f7,
    0xa1b8_bd9a_348f_5dfa,
    0x1de5_4b9f_95ee_20bd,
    0x7b35_5516_a6a6_4da3,
]);

const _: () = {
    let thrice = SCALE
        .const_mul(&SCALE)
        .const_mul(&Field::from_limbs(&[3, 0, 0, 0]));
    assert!(limbs::is_zero_mask(&limbs::sub(&thrice.0, &Field::ONE.0).0) != 0);
};

/// 4·b·c³.
const B4: Field = B
    .const_mul(&SCALE)
    .const_mul(&SCALE.const_mul(&SCALE))
    .const_mul(&Field::from_limbs(&[4, 0, 0, 0]));

/// The bits of n.
pub(super) const BITS: usize = 256;

/// Both coordinates of a ladder's two points: of the one that the last step added up in lanes 0 and 2, of the one that it
/// doubled in lanes 4 and 6.
type State = Factor<2>;
const SUM_Z: usize = 0;
const SUM_X: usize = 2;
const DOUBLE_X: usize = 4;
const DOUBLE_Z: usize = 6;

/// For every lane the number of the lane that is taken.
type Order = [u64; LANES];
/// For a lane that does not count.
const ANY: u64 = 0;

/// The operands of the first level, when the double is to be doubled next, and when the sum is.
const DOUBLE_LEFT: Order = [2, 4, 2, 0, 4, 6, 4, 4];
const DOUBLE_RIGHT: Order = [6, 0, 4, 6, 4, 6, 6, 6];
const SUM_LEFT: Order = [2, 4, 2, 0, 2, 0, 2, 2];
const SUM_RIGHT: Order = [6, 0, 4, 6, 2, 0, 0, 0];

/// What all steps use.
struct Constants {
    left: [Vector; 2],
    right: [Vector; 2],
    first: Vector,
    second: Vector,
    third: Vector,
    powers: Vector,
    factors: Factor<2>,
}

/// k·P for k in [1, n-1], and infinity for 0; x(P) is not zero.
///
/// - `bits`: how many bits k has at most, which is public
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn multiply(token: cpu::Ifma, k: &Scalar, bits: usize, point: &Affine) -> Jacobian {
    let mut ladder = Ladder::new(token, point);
    for i in (0..bits).rev() {
        ladder.step(k.limbs()[i / 64] >> (i % 64) & 1);
    }
    ladder.product()
}

/// 2^(spacing·i)·P for every i below M; x(P) is not zero.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn powers<const M: usize>(
    token: cpu::Ifma,
    spacing: usize,
    point: &Affine,
) -> [Jacobian; M] {
    let mut ladder = Ladder::new(token, point);
    let mut out = [Jacobian::from(*point); M];
    ladder.step(1);
    for out in &mut out[1..] {
        for _ in 0..spacing {
            ladder.step(0);
        }
        *out = ladder.product();
    }
    out
}

/// Q = k·P and Q + P, for the bits of k so far.
struct Ladder {
    point: Affine,
    constants: Constants,
    state: State,
    /// The last bit: what its step doubled is Q where it was 0, and Q + P where it was 1.
    last: u64,
}

impl Ladder {
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(token: cpu::Ifma, point: &Affine) -> Self {
        let x = point.x.mul(&SCALE);
        let mut start = [Field::ZERO; LANES];
        start[SUM_X] = x;
        start[SUM_Z] = Field::ONE;
        start[DOUBLE_X] = Field::ONE;
        Self {
            point: *point,
            constants: Constants::new(token, &x),
            state: Lanes::from_fields(token, start).factor(),
            last: 0,
        }
    }

    /// Takes the next lower bit of k.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn step(&mut self, bit: u64) {
        let sum = limbs::opaque((bit ^ self.last).wrapping_neg()) as Mask;
        self.state = self.constants.step(&self.state, sum);
        self.last = bit;
    }

    /// Q.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn product(&self) -> Jacobian {
        let lanes = self.state.lanes().to_fields();
        let swap = limbs::opaque(self.last.wrapping_neg());
        let (x1, x2) = choose(&lanes[DOUBLE_X], &lanes[SUM_X], swap);
        let (z1, z2) = choose(&lanes[DOUBLE_Z], &lanes[SUM_Z], swap);
        recover(&self.point, [&x1, &z1.mul(&SCALE)], [&x2, &z2.mul(&SCALE)])
    }
}

/// Both in this order, or in the other where `swap` is all ones.
fn choose(a: &Field, b: &Field, swap: u64) -> (Field, Field) {
    (a.select(b, swap), b.select(a, swap))
}

/// Q from P and the x coordinates of Q and Q + P: with Q = (x₁, y₁) and Q + P = (x₂, ...),
/// 2·y·y₁ = 2b + (x + x₁)·(a + x·x₁) - x₂·(x - x₁)².
fn recover(point: &Affine, [x1, z1]: [&Field; 2], [x2, z2]: [&Field; 2]) -> Jacobian {
    let Affine { x, y } = point;
    let xz1 = x.mul(z1);
    let z1_3 = z1.double().add(z1);
    let numerator = xz1
        .add(x1)
        .mul(&x.mul(x1).sub(&z1_3))
        .add(&B.double().mul(&z1.square()))
        .mul(z2)
        .sub(&xz1.sub(x1).square().mul(x2));
    // x₁ = X₁/Z₁ and y₁ = numerator/(2y·Z₁²·Z₂), over the denominator 2y·Z₁·Z₂.
    let yz2 = y.double().mul(z2);
    let factor = yz2.square().mul(z1);
    let product = Jacobian {
        x: factor.mul(x1),
        y: factor.mul(&numerator),
        z: yz2.mul(z1),
    };
    // Q + P is infinity for Q = -P.
    let minus = Jacobian::from(point.negate_if(u64::MAX));
    product.select(&minus, limbs::opaque(z2.is_zero_mask()))
}

impl Constants {
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(token: cpu::Ifma, x: &Field) -> Self {
        let order = |order: &Order| Vector::load(token, order);
        let minus_b4 = B4.neg();
        let mut factors = [Field::ZERO; LANES];
        factors[SUM_X] = minus_b4;
        factors[SUM_Z] = *x;
        factors[DOUBLE_X] = minus_b4.double();
        factors[DOUBLE_Z] = B4;
        Self {
            left: [order(&DOUBLE_LEFT), order(&SUM_LEFT)],
            right: [order(&DOUBLE_RIGHT), order(&SUM_RIGHT)],
            first: order(&[0, ANY, 2, 0, 4, 5, 4, 5]),
            second: order(&[1, ANY, 3, 1, 5, ANY, 5, ANY]),
            third: order(&[0, ANY, 3, ANY, 7, ANY, 5, ANY]),
            powers: order(&[64, 64, 0, 64, 0, 64, 2, 64]),
            factors: Lanes::from_fields(token, factors).factor(),
        }
    }

    /// Doubles the sum where `sum` has all lanes, else the double, and adds both.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn step(&self, state: &State, sum: Mask) -> State {
        let [left, right] =
            [self.left, self.right].map(|[double, other]| double.select(other, sum));
        // X₁Z₂, X₂Z₁, X₁X₂, Z₁Z₂, X², Z², XZ, XZ
        let m: Columns<2> = state.permuted(left).mul_awaited(&state.permuted(right));
        // -X₂Z₁, -, Z₁Z₂, X₂Z₁, Z², -, -Z², -
        let others = m.permuted(self.second).negate_if(0b0100_0001);
        // X₁Z₂ - X₂Z₁, -, X₁X₂ + Z₁Z₂, Z₁Z₂, X² + Z², Z², XZ, XZ
        let left: Columns<4> = m.add_where(0b0001_0101, &others);
        // X₁Z₂ - X₂Z₁, -, X₁X₂ + Z₁Z₂, X₁Z₂ + X₂Z₁, X² + Z², Z², X² - Z², Z²
        let right: Columns<4> = m.permuted(self.first).add_where(0b0101_1101, &others);
        let n: Columns<2> = left.carry().mul_awaited(&right.carry());
        let products: Columns<2> = n.carry().permuted(self.third).mul_awaited(&self.factors);
        n.times_powers::<8>(self.powers)
            .add::<2, 10>(&products)
            .reduce_to_factor()
    }
}
