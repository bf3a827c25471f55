//! The odd multiples of eight points, affine: what additions in lanes choose from.
use super::super::field::x86_64_ifma::lazy::{Columns, Factor};
use super::super::field::x86_64_ifma::{LANES, Lanes, Mask, Vector};
use super::super::mul::MULTIPLES;
use super::super::point::Affine;
use super::points::Terms;
use crate::cpu;
use core::array;

/// A limb of all multiples of eight points.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Limb([[u64; LANES]; MULTIPLES]);

/// P, 3P, ..., 31P for every lane's P: five limbs of x, five of y.
pub(super) struct Multiples {
    rows: [Limb; 10],
    /// What Z of each multiple has over Z of the one before.
    factors: [Factor<4>; MULTIPLES],
    /// Z of the last multiple.
    pub(super) z: Lanes<2>,
}

impl Multiples {
    /// The multiples in Jacobian coordinates, by additions that give beside the sum the second point over the sum's Z
    /// (Meloni, New point addition formulae for ECC applications, 2007). They are unequal and not opposite, as the points have
    /// the large order n.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn new(token: cpu::Ifma, points: &[Affine; LANES]) -> Self {
        let (mut point, w) = Pair::new(token, points);
        let mut out = Self {
            rows: [Limb([[0; LANES]; MULTIPLES]); 10],
            factors: [w; MULTIPLES],
            z: w.lanes().columns().reduce(),
        };
        out.write(0, &point.x, &point.y);
        for i in 1..MULTIPLES {
            let factor = point.step();
            out.z = out.z.factor().mul::<4, 2>(&factor).carry().lanes();
            out.factors[i] = factor;
            out.write(i, &point.x, &point.y);
        }
        out
    }

    /// Makes Z of all multiples 1, given 1/z.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn make_affine(&mut self, token: cpu::Ifma, inverse: &Lanes<2>) {
        let mut inverse = inverse.factor();
        for i in (0..MULTIPLES).rev() {
            let (x, y) = self.entry(token, i);
            let zz: Factor<2> = inverse.square().carry();
            let zzz: Factor<2> = zz.mul(&inverse).carry();
            let (x, y): (Columns<3>, Columns<3>) = (x.factor().mul(&zz), y.factor().mul(&zzz));
            self.write(i, &x.carry().lanes(), &y.carry().lanes());
            inverse = inverse.mul(&self.factors[i]).carry();
        }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn write<const X: u64, const Y: u64>(&mut self, i: usize, x: &Lanes<X>, y: &Lanes<Y>) {
        for (row, limb) in self
            .rows
            .iter_mut()
            .zip(x.to_limbs().into_iter().chain(y.to_limbs()))
        {
            row.0[i] = limb.store();
        }
    }

    /// Multiple number i in all lanes.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn entry(&self, token: cpu::Ifma, i: usize) -> (Lanes<16>, Lanes<16>) {
        let limb = |row: usize| Vector::load(token, &self.rows[row].0[i]);
        coordinates(limb)
    }

    /// Multiple number i of every point.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn points(&self, token: cpu::Ifma, i: usize) -> [Affine; LANES] {
        let (x, y) = self.entry(token, i);
        let (x, y) = (x.to_fields(), y.to_fields());
        array::from_fn(|lane| Affine {
            x: x[lane],
            y: y[lane],
        })
    }

    /// In every lane the multiple for its digit. Every entry is read.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn terms(&self, (index, negated): (Vector, Mask)) -> Terms {
        let mut masks = [0; MULTIPLES];
        for (j, mask) in (0..).zip(&mut masks) {
            *mask = index.equal(index.same(j));
        }
        let (x, y) = coordinates(|row| {
            let entries = self.rows[row].0.iter().zip(masks);
            entries.fold(index, |chosen, (entry, mask)| {
                chosen.select(index.load_too(entry), mask)
            })
        });
        Terms { x, y, negated }
    }

    /// In every lane the multiple for its digit. Variable-time: a plain look-up, for public digits.
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    pub(super) fn terms_vartime(&self, (index, negated): (Vector, Mask)) -> Terms {
        let (x, y) = coordinates(|row| index.gather_vartime(&self.rows[row].0));
        Terms { x, y, negated }
    }
}

/// A point and the double of the first, over the same Z.
struct Pair {
    x: Lanes<2>,
    y: Lanes<2>,
    double_x: Columns<2>,
    double_y: Columns<2>,
}

impl Pair {
    /// P and 2·P over Z = 2y, and that Z.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn new(token: cpu::Ifma, points: &[Affine; LANES]) -> (Self, Factor<4>) {
        let x = Lanes::from_fields(token, points.each_ref().map(|point| point.x));
        let y = Lanes::from_fields(token, points.each_ref().map(|point| point.y));
        let one = Lanes::one(token);
        let w: Factor<4> = y.columns().double().carry();
        let gamma: Factor<2> = w.square().carry();
        // 4xy², 8y⁴
        let beta: Columns<2> = x.factor().mul(&gamma);
        let gamma2: Columns<2> = y.factor().mul::<4, 2>(&w).carry().mul(&gamma);
        // 3(x² - 1)
        let slope: Columns<4> = x.factor().square::<2>().sub(&one.columns());
        let alpha = slope.double::<8>().add::<4, 12>(&slope).reduce().factor();
        let double_x = alpha.square::<2>().sub::<4, 6>(&beta.double()).reduce();
        let rest: Columns<4> = beta.sub(&double_x.columns());
        let double_y: Columns<4> = alpha.mul::<4, 2>(&rest.carry()).sub(&gamma2);
        let pair = Self {
            x: beta.reduce(),
            y: gamma2.reduce(),
            double_x: double_x.columns(),
            double_y: double_y.reduce().columns(),
        };
        (pair, w)
    }

    /// Adds the double to the point, and gives the factor from the old Z to the new one.
    #[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
    fn step(&mut self) -> Factor<4> {
        let h: Factor<4> = self.double_x.sub(&self.x.columns()).carry();
        let r: Factor<4> = self.double_y.sub(&self.y.columns()).carry();
        let hh: Factor<2> = h.square().carry();
        let double_x: Columns<2> = self.double_x.carry().mul(&hh);
        let v: Columns<2> = self.x.factor().mul(&hh);
        let hhh: Factor<4> = double_x.sub(&v).carry();
        let double_y: Columns<2> = self.double_y.carry().mul(&hhh);
        let both: Columns<4> = double_x.add(&v);
        let x = r.square::<2>().sub::<4, 6>(&both).reduce();
        let rest: Columns<4> = double_x.sub(&x.columns());
        let y: Columns<4> = r.mul::<4, 2>(&rest.carry()).sub(&double_y);
        *self = Self {
            x,
            y: y.reduce(),
            double_x,
            double_y,
        };
        h
    }
}

/// x and y from five limbs each.
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
fn coordinates(limb: impl Fn(usize) -> Vector) -> (Lanes<16>, Lanes<16>) {
    (
        Lanes::from_limbs([limb(0), limb(1), limb(2), limb(3), limb(4)]),
        Lanes::from_limbs([limb(5), limb(6), limb(7), limb(8), limb(9)]),
    )
}
