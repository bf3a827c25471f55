//! k·P, the products of each formula side by side in lanes.
//!
//! Doublings follow on one another, so lanes cannot share them out. But of the eight products of a doubling, three, three,
//! one and one can be made at once, and of the sixteen of an addition four, two, three, three and two. A coordinate stands
//! in all lanes; the operands of a step are put together by selections with constant masks, and its products are spread over
//! all lanes again. A multiplication takes 0.72 of the time of the portable code. Adding up lower and upper halves
//! of products apart, which shortens the wait for each, gained 2 % and was left out.
//!
//! The windows and the argument that no addition is exceptional are those of `sm2/mul.rs`.
use super::super::field::Field;
use super::super::field::x86_64_ifma::{
    LANES, Lanes, Mask, Sum, add, minus, reduce, sub, sub_reduced,
};
use super::super::limbs;
use super::super::mul::{BITS, LOWEST, MULTIPLES, WIDTH, WINDOWS};
use super::super::point::{Affine, Jacobian};
use super::super::recoding::OddDigits;
use super::super::scalar::Scalar;
use crate::cpu;

/// A point in Jacobian coordinates, not infinity, the same in all lanes.
#[derive(Clone, Copy)]
struct Point {
    x: Lanes<2>,
    y: Lanes<2>,
    z: Lanes<2>,
}

/// What an addition needs of its second point, from lane 1 on: Z², Z³, Z, X, Y.
#[derive(Clone, Copy)]
struct Entry(Lanes<2>);

const LANE_0: Mask = 1;
const LANE_1: Mask = 1 << 1;
const LANE_2: Mask = 1 << 2;

/// k·P for k in [1, n-1], and infinity for 0.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn multiply(token: cpu::Ifma, k: &Scalar, point: &Affine) -> Jacobian {
    let start = Point {
        x: Lanes::splat(token, &point.x),
        y: Lanes::splat(token, &point.y),
        z: Lanes::splat(token, &Field::ONE),
    };
    let table = multiples(&start);
    let digits = OddDigits::over(k, BITS);
    let mut acc = first(&table, digits.digit(LOWEST + WIDTH * (WINDOWS - 1), WIDTH));
    for i in (0..WINDOWS - 1).rev() {
        for _ in 0..WIDTH {
            acc = acc.double();
        }
        acc = acc.add_digit(&table, digits.digit(LOWEST + WIDTH * i, WIDTH));
    }
    for _ in 0..LOWEST {
        acc = acc.double();
    }
    acc = acc.add_digit(&table, digits.digit(0, LOWEST));
    let product = Jacobian {
        x: acc.x.to_fields()[0],
        y: acc.y.to_fields()[0],
        z: acc.z.to_fields()[0],
    };
    product.negate_if(digits.negate_mask())
}

/// P, 3P, ..., 31P.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn multiples(point: &Point) -> [Entry; MULTIPLES] {
    let double = Entry::new(&point.double());
    let mut multiple = *point;
    let mut out = [Entry::new(point); MULTIPLES];
    for entry in &mut out[1..] {
        multiple = multiple.add(&double, 0);
        *entry = Entry::new(&multiple);
    }
    out
}

/// The entry for a digit; every entry is read.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn look_up(table: &[Entry; MULTIPLES], index: u64) -> Entry {
    let mut out = table[0].0;
    for (j, entry) in (0..).zip(table) {
        let mask = limbs::opaque(limbs::zero_mask(index ^ j)) as Mask;
        out = out.select(&entry.0, mask);
    }
    Entry(out)
}

/// The digit times P, as a point.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn first(table: &[Entry; MULTIPLES], (index, negative): (u64, u64)) -> Point {
    let Entry(entry) = look_up(table, index);
    let y: Sum<2> = entry.lane(5).negate_if(negative as Mask);
    Point {
        x: entry.lane(4),
        y: y.carry(),
        z: entry.lane(3),
    }
}

impl Entry {
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(point: &Point) -> Self {
        let Point { x, y, z } = point;
        let zz: Lanes<2> = z.square();
        let zzz: Lanes<2> = zz.mul(z);
        let lower = z.select(&zz, LANE_1).select(&zzz, LANE_2);
        Self(lower.select(x, 1 << 4).select(y, 1 << 5))
    }
}

impl Point {
    /// 2·self.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn double(&self) -> Self {
        let Self { x, y, z } = self;
        // Z², Y², YZ
        let products: Lanes<2> = y.select(z, LANE_0).mul(&z.select(y, LANE_1));
        let [delta, gamma, yz] = products.spread();
        // (X - Z²)(X + Z²), 2XY², 4Y⁴
        let gamma2: Sum<4> = add(&gamma, &gamma);
        let left = gamma2.select(&minus(x, &delta), LANE_0);
        let left = left.select(&x.loose(), LANE_1).carry();
        let right = gamma2.select(&add(x, &delta), LANE_0).carry();
        let products: Lanes<2> = left.mul(&right);
        let [slope, beta2, gamma4] = products.spread();
        let alpha = reduce(&add::<_, _, 6>(&add::<_, _, 4>(&slope, &slope), &slope));
        let beta4: Sum<4> = add(&beta2, &beta2);
        let x = sub_reduced(&alpha.square::<2>(), &add::<_, _, 8>(&beta4, &beta4));
        let y: Lanes<2> = alpha.mul(&sub::<_, _, 6>(&beta4, &x));
        Self {
            x,
            y: sub_reduced(&y, &add::<_, _, 4>(&gamma4, &gamma4)),
            z: reduce(&add::<_, _, 4>(&yz, &yz)),
        }
    }

    /// self + other, or self - other where `negative` has all lanes; exceptions as in `sm2/point.rs`.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn add(&self, Entry(other): &Entry, negative: Mask) -> Self {
        let Self { x, y, z } = self;
        let (x2, y2): (Lanes<2>, Lanes<4>) = (other.lane(4), other.lane(5).bounded_by());
        // Z₁², X₁Z₂², Y₁Z₂³, Z₁Z₂
        let left = z.select(x, LANE_1).select(y, LANE_2);
        let products: Lanes<2> = left.mul(&other.select(z, LANE_0));
        let [zz1, u1, s1] = products.spread();
        let z12: Lanes<4> = products.lane(3).bounded_by();
        // X₂Z₁², Z₁³
        let products: Lanes<2> = zz1.mul(&z.select(&x2, LANE_0));
        let [u2, zzz1, _] = products.spread();
        let h: Lanes<4> = sub(&u2, &u1);
        // Y₂Z₁³, H², Z₁Z₂H
        let right = h.select(&zzz1.bounded_by(), LANE_0).select(&z12, LANE_2);
        let products: Lanes<2> = h.select(&y2, LANE_0).mul(&right);
        let [s2, hh, z3] = products.spread();
        let r: Lanes<4> = sub(&s2.negate_if(negative), &s1);
        // R², H³, U₁H²
        let right = h.select(&r, LANE_0).select(&u1.bounded_by(), LANE_2);
        let products: Lanes<2> = hh.bounded_by::<4>().select(&r, LANE_0).mul(&right);
        let [rr, hhh, v] = products.spread();
        let x3 = sub_reduced(&rr, &add::<_, _, 6>(&add::<_, _, 4>(&v, &v), &hhh));
        // R(U₁H² - X₃), S₁H³
        let right = minus::<_, _, 4>(&v, &x3)
            .select(&hhh.loose(), LANE_1)
            .carry();
        let products: Lanes<2> = r.select(&s1.bounded_by(), LANE_1).mul(&right);
        let [left, right, _] = products.spread();
        Self {
            x: x3,
            y: sub_reduced(&left, &right),
            z: z3,
        }
    }

    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn add_digit(&self, table: &[Entry; MULTIPLES], (index, negative): (u64, u64)) -> Self {
        self.add(&look_up(table, index), negative as Mask)
    }
}

const _: () = assert!(LANES > 5);
