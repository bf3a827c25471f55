extern crate std;

use super::{BATCH, Matrix, Modulus, Signed, arithmetic, portable};
use crate::sm2::limbs;
use crate::sm2::{field, scalar};
use num_bigint::{BigInt, BigUint};
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

fn from_signed(x: &Signed) -> BigInt {
    let limbs = x.iter().rev();
    limbs.fold(BigInt::ZERO, |sum, limb| (sum << BATCH) + limb)
}

fn to_signed(x: &BigInt) -> Signed {
    let radix = BigInt::from(1) << BATCH;
    let mut rest = x.clone();
    let mut out = [0; 5];
    for limb in &mut out[..4] {
        let low = (&rest % &radix + &radix) % &radix;
        *limb = i64::try_from(&low).expect("one limb");
        rest = (rest - low) >> BATCH;
    }
    out[4] = i64::try_from(&rest).expect("a small top limb");
    out
}

/// The ends of the bounds under the matrices that move most: inputs of inversions do not come near.
#[test]
fn cofactors_stay_in_their_bounds() {
    const ONE: i64 = 1 << BATCH;
    const HALF: i64 = ONE / 2;
    let rows = [
        (ONE, 0),
        (0, -ONE),
        (HALF, HALF),
        (HALF, -HALF),
        (-HALF, HALF),
        (-HALF, -HALF),
        (HALF - 1, HALF + 1),
        (1 - HALF, -1 - HALF),
        (-1, 1 - ONE),
    ];
    for m in [&field::P, &scalar::N] {
        let modulus = Modulus::new(m);
        let m = BigInt::from(big(m));
        let ends = [1 - &m * 2, -&m, BigInt::from(-1), BigInt::ZERO, &m - 1];
        for (d, e) in ends.iter().flat_map(|d| ends.iter().map(move |e| (d, e))) {
            for (u, v) in rows {
                let (q, r) = (v, u);
                let (mut new_d, mut new_e) = (to_signed(d), to_signed(e));
                modulus.update_cofactors(&mut new_d, &mut new_e, &Matrix { u, v, q, r });
                for (new, (x, y)) in [(new_d, (u, v)), (new_e, (q, r))] {
                    let what = "division steps";
                    assert!(modulus.is_bounded(&new), "{what}: {x}·{d} + {y}·{e}");
                    let rest = (from_signed(&new) << BATCH) - d * x - e * y;
                    assert_eq!(rest % &m, BigInt::ZERO, "{what}: {x}·{d} + {y}·{e}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5000))]
    #[test]
    fn steps_are_those_of_the_portable_code(zeta in -600..600_i64, f in any::<i64>(), g in any::<i64>()) {
        let f = f | 1;
        prop_assert_eq!(arithmetic::run(zeta, f, g), portable::run(zeta, f, g));
    }

    #[test]
    fn random_values_agree_with_big_integers(x in any::<[u64; 4]>()) {
        check(&x);
    }
}
