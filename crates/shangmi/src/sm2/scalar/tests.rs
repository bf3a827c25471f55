extern crate std;

use super::{N, Scalar};
use crate::{Error, Result, rng::Rng, sm2::limbs};
use num_bigint::BigUint;
use proptest::prelude::*;
use std::vec;

fn big(limbs: &[u64; 4]) -> BigUint {
    BigUint::from_bytes_be(&limbs::to_be_bytes(limbs))
}

fn check(a: &[u64; 4], b: &[u64; 4]) {
    let (x, y) = (Scalar::reduce(a), Scalar::reduce(b));
    let (m, n, order) = (big(a) % big(&N), big(b) % big(&N), big(&N));
    let inverse = m.modpow(&(&order - 2u32), &order);
    for (found, expected, what) in [
        (&x, m.clone(), "reduced"),
        (
            &Scalar::reduce_be_bytes(&limbs::to_be_bytes(a)),
            m.clone(),
            "read",
        ),
        (&x.add(&y), (&m + &n) % &order, "sum"),
        (&x.sub(&y), (&m + &order - &n) % &order, "difference"),
        (&x.mul(&y), &m * &n % &order, "product"),
        (&x.invert(), inverse, "inverse"),
    ] {
        assert_eq!(
            big(found.limbs()),
            expected,
            "{what} of scalars {a:x?}, {b:x?}"
        );
    }
}

#[test]
fn edge_values_agree_with_big_integers() {
    let mut edges = vec![
        [0; 4],
        [1, 0, 0, 0],
        [u64::MAX; 4],
        [u64::MAX, u64::MAX, 0, 0],
        [0, 0, 0, 1],
    ];
    for k in 0..3 {
        edges.push(limbs::sub(&N, &[k, 0, 0, 0]).0);
        edges.push(limbs::add(&N, &[k, 0, 0, 0]).0);
    }
    for a in &edges {
        for b in &edges {
            check(a, b);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn random_values_agree_with_big_integers(a in any::<[u64; 4]>(), b in any::<[u64; 4]>()) {
        check(&a, &b);
    }
}

#[test]
fn n_and_more_are_not_scalars() {
    assert!(Scalar::from_be_bytes(&limbs::to_be_bytes(&N)).is_none());
    assert!(Scalar::from_be_bytes(&[0xff; 32]).is_none());
    let below = limbs::sub(&N, &[1, 0, 0, 0]).0;
    assert!(Scalar::from_be_bytes(&limbs::to_be_bytes(&below)).is_some());
}

/// Gives one value for ever and counts how often it was asked.
struct Stuck(u8, usize);

impl Rng for Stuck {
    fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        self.1 += 1;
        out.fill(self.0);
        Ok(())
    }
}

#[test]
fn a_source_stuck_out_of_range_ends_with_an_error() {
    for value in [0x00, 0xff] {
        let mut rng = Stuck(value, 0);
        assert_eq!(Scalar::random(&mut rng).err(), Some(Error::RandomSource));
        assert_eq!(rng.1, super::MAX_DRAWS);
    }
}
