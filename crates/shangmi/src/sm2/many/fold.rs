//! The sum of the points of all lanes, the products of an addition side by side.
//!
//! Eight lanes have room for two additions of points at once, with four lanes each. So seven additions are four rounds, and a round is
//! five products of eight lanes that wait for one another. (Three additions of all lanes to all lanes would be 48 products, most of them
//! for lanes that nobody wants.) In each half of the lanes, with (X₁ : Y₁ : Z₁) in the first lane and (X₂ : Y₂ : Z₂) in the second:
//!
//! ```text
//! products           Z₁²         Z₂²        Y₁Z₂        Y₂Z₁
//! products           U₁ = X₁Z₂²  U₂ = X₂Z₁² S₁ = Y₁Z₂³  S₂ = Y₂Z₁³
//! with the others    H = U₂-U₁   U₁         R = S₂-S₁   S₁
//! products           H²          H²         R²          Z₁Z₂
//! products           H³          V = U₁H²   -           Z = H·Z₁Z₂
//! products           R(X-V)      S₁H³       -           -             X = R² - H³ - 2V, -Y is the sum
//! ```
//!
//! Where two points are equal or opposite, Z becomes zero modulo p, and stays so.
use super::super::field::x86_64_ifma::lazy::{Columns, Factor};
use super::super::field::x86_64_ifma::{LANES, Mask, Vector};
use super::super::point::Jacobian;
use super::points::Points;
use crate::cpu;

/// For every lane the number of the lane that is taken, from 8 on of a second operand.
type Order = [u64; LANES];
/// For a lane that does not count.
const ANY: u64 = 0;

/// The first and the fourth lane of each half: what a round leaves.
const SUM: usize = 0;
const SUM_Z: usize = 3;

/// Points in Jacobian coordinates.
#[derive(Clone, Copy)]
struct Coordinates {
    x: Factor<2>,
    y: Factor<2>,
    z: Factor<2>,
}

/// Where a round finds its points: X and Y, and Z.
struct Places {
    xy: Order,
    z: Order,
}

const FIRST_FOUR: Places = at([0, 1, ANY, ANY, 2, 3, ANY, ANY]);
const LAST_FOUR: Places = at([4, 5, ANY, ANY, 6, 7, ANY, ANY]);
/// Of two rounds, the sums.
const SUMS: Places = Places {
    xy: [0, 4, ANY, ANY, 8, 12, ANY, ANY],
    z: [3, 7, ANY, ANY, 11, 15, ANY, ANY],
};

const fn at(order: Order) -> Places {
    Places {
        xy: order,
        z: order,
    }
}

/// The sum of all lanes.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn fold(token: cpu::Ifma, points: &Points) -> Jacobian {
    let all = Coordinates::of(points);
    let fours = [
        add_pairs(token, [&all, &all], &FIRST_FOUR),
        add_pairs(token, [&all, &all], &LAST_FOUR),
    ];
    let eights = add_pairs(token, fours.each_ref(), &SUMS);
    let sum = add_pairs(token, [&eights, &eights], &SUMS);
    let [x, y, z] = [sum.x, sum.y, sum.z].map(|factor| factor.lanes().to_fields());
    Jacobian {
        x: x[SUM],
        y: y[SUM],
        z: z[SUM_Z],
    }
}

impl Coordinates {
    /// The points negated, as each of the three rounds on the way to the sum negates.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn of(points: &Points) -> Self {
        let (x, y) = points.negated().xy();
        Self {
            x: x.factor(),
            y: y.factor(),
            z: points.double_z().factor(),
        }
    }
}

/// -(P + Q) in each half of the lanes. A call, so that the code, 5 KiB, is there once.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn add_pairs(token: cpu::Ifma, [a, b]: [&Coordinates; 2], places: &Places) -> Coordinates {
    let order = |order: Order| Vector::load(token, &order);
    let (xy, z) = (order(places.xy), order(places.z));
    let x = a.x.permuted_with(&b.x, xy);
    let y = a.y.permuted_with(&b.y, xy);
    let z = a.z.permuted_with(&b.z, z);

    let left = z.permuted_with(&y, order([0, 1, 8, 9, 4, 5, 12, 13]));
    let right = z.permuted(order([0, 1, 1, 0, 4, 5, 5, 4]));
    let m: Columns<2> = left.mul_awaited(&right);
    let m = m.carry();

    let left = x.permuted_with(&m, order([0, 1, 10, 11, 4, 5, 14, 15]));
    let right = m.permuted(order([1, 0, 1, 0, 5, 4, 5, 4]));
    let u: Columns<2> = left.mul_awaited(&right);
    let others = u.permuted(order([1, 0, 3, 2, 5, 4, 7, 6]));
    const DIFFERENCES: Mask = 0b0101_0101;
    let u: Factor<4> = others.sub_where(DIFFERENCES, &u).carry();

    let z = z.bounded_by();
    let left = u.permuted_with(&z, order([0, 0, 2, 8, 4, 4, 6, 12]));
    let right = u.permuted_with(&z, order([0, 0, 2, 9, 4, 4, 6, 13]));
    let n: Columns<2> = left.mul_awaited(&right);
    let squares: Factor<4> = n.carry().bounded_by();

    let left = u.permuted_with(&squares, order([0, 1, ANY, 11, 4, 5, ANY, 15]));
    let right = squares.permuted_with(&u, order([0, 0, ANY, 8, 4, 4, ANY, 12]));
    let o: Columns<2> = left.mul_awaited(&right);
    let swapped = o.permuted(order([1, 0, ANY, ANY, 5, 4, ANY, ANY]));
    let most: Columns<6> = swapped.double::<4>().add(&o);
    let r2 = n.permuted(order([2, ANY, ANY, ANY, 6, ANY, ANY, ANY]));
    let x: Factor<2> = r2.sub::<6, 8>(&most).reduce_to_factor();

    let left = u.permuted(order([2, 3, ANY, ANY, 6, 7, ANY, ANY]));
    const FIRST: Mask = 0b0001_0001;
    let rest: Columns<4> = x.lanes().columns().sub(&swapped);
    let right: Factor<4> = swapped.bounded_by().select(&rest, FIRST).carry();
    let y: Columns<2> = left.mul_awaited(&right);
    let y: Columns<4> = y.add(&y.permuted(order([1, ANY, ANY, ANY, 5, ANY, ANY, ANY])));
    Coordinates {
        x,
        y: y.reduce_to_factor(),
        z: o.carry(),
    }
}
