//! From coordinates over Z to affine ones, with one inversion for all lanes of all groups.
use super::super::field::x86_64_ifma::lazy::{Columns, Factor};
use super::super::field::x86_64_ifma::{LANES, Lanes};
use super::super::point::Affine;
use super::CHUNK;
use super::points::Points;
use crate::cpu;

/// Groups of eight in a chunk.
pub(super) const GROUPS: usize = CHUNK / LANES;

/// Writes the points in affine coordinates, with one inversion for all; none may be infinity.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn write_affine(
    token: cpu::Ifma,
    points: &[Option<Points>; GROUPS],
    out: &mut [Affine],
) {
    let mut z = [Lanes::one(token); GROUPS];
    for (z, point) in z.iter_mut().zip(points.iter().flatten()) {
        *z = point.double_z();
    }
    let groups = out.chunks_mut(LANES).zip(invert(token, &z));
    for ((out, inverse), point) in groups.zip(points.iter().flatten()) {
        let (x, y) = point.xy();
        let inverse = inverse.factor();
        let zz: Factor<2> = inverse.square().carry();
        let zzz: Factor<2> = zz.mul(&inverse).carry();
        let x: Columns<2> = x.factor().mul(&zz);
        let y: Columns<2> = y.factor().mul(&zzz);
        let x = x.carry().lanes().to_fields();
        let y = y.carry().lanes().to_fields();
        for ((out, x), y) in out.iter_mut().zip(x).zip(y) {
            *out = Affine { x, y };
        }
    }
}

/// 1/z in all lanes of all groups, with one inversion; none may be zero.
#[target_feature(enable = "avx512f,avx512dq,avx512ifma")]
pub(super) fn invert<const M: usize>(token: cpu::Ifma, z: &[Lanes<2>; M]) -> [Lanes<2>; M] {
    // The products of the groups before, then those over the lanes.
    let mut before = *z;
    let mut product = Lanes::one(token);
    for (before, z) in before.iter_mut().zip(z) {
        *before = product;
        product = product.mul(z);
    }
    let (ones, pairs) = (product.exchanged(1), product.mul(&product.exchanged(1)));
    let pairs: Lanes<2> = pairs;
    let fours: Lanes<2> = pairs.mul(&pairs.exchanged(2));
    let all: Lanes<2> = fours.mul(&fours.exchanged(4));
    let others: Lanes<2> = ones
        .mul::<2, 2>(&pairs.exchanged(2))
        .mul(&fours.exchanged(4));
    let [first, ..] = all.to_fields();
    let mut inverse: Lanes<2> = Lanes::splat(token, &first.invert()).mul(&others);
    let mut out = before;
    for (out, z) in out.iter_mut().zip(z).rev() {
        *out = out.mul(&inverse);
        inverse = inverse.mul(z);
    }
    out
}
