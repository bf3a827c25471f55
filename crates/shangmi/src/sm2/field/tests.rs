extern crate std;

use super::{Field, P, backend, portable};
use crate::sm2::limbs;
use num_bigint::BigUint;
use proptest::prelude::*;
use std::fmt;
use std::{vec, vec::Vec};

/// [`backend`] in a message.
pub(in crate::sm2) struct Backend;

/// [`backend`] in a message.
pub(in crate::sm2) const BACKEND: Backend = Backend;

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(backend())
    }
}

fn big(limbs: &[u64; 4]) -> BigUint {
    BigUint::from_bytes_be(&limbs::to_be_bytes(limbs))
}

fn p() -> BigUint {
    big(&P)
}

/// Values where carries ripple, borrows start or a reduction is on the edge, all below p.
pub(super) fn edges() -> Vec<[u64; 4]> {
    const ONES: u64 = u64::MAX;
    let mut out = vec![
        [0; 4],
        [1, 0, 0, 0],
        [2, 0, 0, 0],
        [ONES, 0, 0, 0],
        [ONES, ONES, 0, 0],
        [ONES, ONES, ONES, 0],
        [0, 0, 0, 1],
        [0, ONES, 0, 0],
        [0, 0, ONES, 0],
        [ONES, 0xffff_ffff_0000_0000, ONES, 0xffff_fffe_ffff_fffe],
        [ONES, 0xffff_fffe_ffff_ffff, ONES, 0xffff_fffe_ffff_ffff],
        [0, 0, 0, 0xffff_fffe_ffff_ffff],
        [ONES, ONES, ONES, 0xffff_fffe_ffff_fffe],
        [0x8000_0000_0000_0000; 4],
        [0x5555_5555_5555_5555; 4],
    ];
    for k in 1..4 {
        out.push(limbs::sub(&P, &[k, 0, 0, 0]).0);
    }
    for i in 0..256 {
        let mut power = [0; 4];
        power[i / 64] = 1 << (i % 64);
        if limbs::less_mask(&power, &P) != 0 {
            out.push(power);
        }
    }
    out
}

fn check_binary(a: &[u64; 4], b: &[u64; 4]) {
    let (x, y) = (Field::from_limbs(a), Field::from_limbs(b));
    let (m, n) = (big(a), big(b));
    assert_eq!(
        big(&x.add(&y).to_limbs()),
        (&m + &n) % p(),
        "{a:x?} + {b:x?}, {BACKEND}"
    );
    assert_eq!(
        big(&x.sub(&y).to_limbs()),
        (&m + p() - &n) % p(),
        "{a:x?} - {b:x?}, {BACKEND}"
    );
    assert_eq!(
        big(&x.mul(&y).to_limbs()),
        (&m * &n) % p(),
        "{a:x?} * {b:x?}, {BACKEND}"
    );
    check_portable(&x, &y);
    check_portable(&Field(*a), &Field(*b));
}

/// What is behind the operations on other machines, or at compile time: on the words of Montgomery forms.
fn check_portable(x: &Field, y: &Field) {
    assert_eq!(
        x.const_mul(y),
        x.mul(y),
        "product, portable beside {BACKEND}"
    );
    assert_eq!(
        portable::square(&x.0),
        x.square().0,
        "square, portable beside {BACKEND}"
    );
    assert_eq!(
        portable::add(&x.0, &y.0),
        x.add(y).0,
        "sum, portable beside {BACKEND}"
    );
    assert_eq!(
        portable::sub(&x.0, &y.0),
        x.sub(y).0,
        "difference, portable beside {BACKEND}"
    );
}

fn check_unary(a: &[u64; 4]) {
    let x = Field::from_limbs(a);
    let m = big(a);
    assert_eq!(x.to_limbs(), *a, "in and out, {BACKEND}");
    assert_eq!(
        big(&x.square().to_limbs()),
        (&m * &m) % p(),
        "{a:x?} squared, {BACKEND}"
    );
    assert_eq!(
        big(&x.halve().to_limbs()) * 2u32 % p(),
        m,
        "{a:x?} halved, {BACKEND}"
    );
    // As it stands in memory, so that both parities are met at all edges.
    let halved = limbs::add_mod(&Field(*a).halve().0, &Field(*a).halve().0, &P);
    assert_eq!(halved, *a, "{a:x?} halved, {BACKEND}");
    assert_eq!(
        big(&x.neg().to_limbs()),
        (p() - &m) % p(),
        "-{a:x?}, {BACKEND}"
    );
    let inverse = m.modpow(&(p() - 2u32), &p());
    assert_eq!(big(&x.invert().to_limbs()), inverse, "1/{a:x?}, {BACKEND}");
    let root = x
        .square()
        .sqrt()
        .expect("a square has a root: portable field");
    assert!(
        root == x || root == x.neg(),
        "root of {a:x?} squared, {BACKEND}"
    );
}

/// The raw product also takes every word pattern below p as Montgomery words.
fn check_raw_product(a: &[u64; 4], b: &[u64; 4]) {
    let r = BigUint::from(1u32) << 256u32;
    let inverse = r.modpow(&(p() - 2u32), &p());
    let product = Field(*a).mul(&Field(*b));
    let expected = big(a) * big(b) % p() * inverse % p();
    assert_eq!(
        big(&product.0),
        expected,
        "{a:x?} * {b:x?} / 2^256, {BACKEND}"
    );
}

#[test]
fn edge_values_agree_with_big_integers() {
    let edges = edges();
    for a in &edges {
        check_unary(a);
        for b in &edges {
            check_binary(a, b);
            check_raw_product(a, b);
        }
    }
}

#[test]
fn inverses_that_are_made_together_are_those_of_single_calls() {
    let edges = edges();
    let elements = core::array::from_fn::<_, 40, _>(|i| Field::from_limbs(&edges[i + 1]));
    let mut inverses = elements;
    assert!(Field::invert_all(&mut inverses), "no zero, {BACKEND}");
    for (x, inverse) in elements.iter().zip(inverses) {
        assert_eq!(inverse, x.invert(), "1/{:x?}, {BACKEND}", x.to_limbs());
    }
    for zero in [0, 17, 39] {
        let mut with_zero = elements;
        with_zero[zero] = Field::ZERO;
        assert!(
            !Field::invert_all(&mut with_zero),
            "zero at {zero}, {BACKEND}"
        );
    }
}

#[test]
fn coordinates_of_p_and_more_are_refused() {
    let mut bytes = limbs::to_be_bytes(&P);
    assert!(Field::from_be_bytes(&bytes).is_err());
    bytes[31] -= 1;
    assert!(Field::from_be_bytes(&bytes).is_ok());
    assert!(Field::from_be_bytes(&[0xff; 32]).is_err());
}

#[test]
fn a_non_square_has_no_root() {
    // -1 is not a square, since p = 3 mod 4.
    assert_eq!(Field::ONE.neg().sqrt(), None);
}

fn element() -> impl Strategy<Value = [u64; 4]> {
    any::<[u64; 4]>().prop_filter("below p", |x| limbs::less_mask(x, &P) != 0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn random_values_agree_with_big_integers(a in element(), b in element()) {
        check_binary(&a, &b);
        check_unary(&a);
        check_raw_product(&a, &b);
    }
}
