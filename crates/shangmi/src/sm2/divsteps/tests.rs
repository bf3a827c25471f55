extern crate std;

use super::Modulus;
use crate::sm2::limbs;
use crate::sm2::{field, scalar};
use num_bigint::BigUint;
use proptest::prelude::*;

fn big(limbs: &[u64; 4]) -> BigUint {
    BigUint::from_bytes_be(&limbs::to_be_bytes(limbs))
}

fn check(x: &[u64; 4]) {
    for m in [&field::P, &scalar::N] {
        if limbs::less_mask(x, m) == 0 {
            continue;
        }
        let inverse = big(&Modulus::new(m).invert(x));
        let expected = big(x).modpow(&(big(m) - 2u32), &big(m));
        assert_eq!(inverse, expected, "division steps: 1/{x:x?} modulo {m:x?}");
    }
}

#[test]
fn edge_values_agree_with_big_integers() {
    check(&[0; 4]);
    for m in [&field::P, &scalar::N] {
        for k in 1..5 {
            check(&limbs::sub(m, &[k, 0, 0, 0]).0);
        }
    }
    for i in 0..256 {
        let mut power = [0; 4];
        power[i / 64] = 1 << (i % 64);
        check(&power);
        check(&limbs::sub(&power, &[1, 0, 0, 0]).0);
        check(&limbs::sub(&field::P, &power).0);
        check(&limbs::sub(&scalar::N, &power).0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]
    #[test]
    fn random_values_agree_with_big_integers(x in any::<[u64; 4]>()) {
        check(&x);
    }
}
