use super::*;
use crate::sm2::field::tests::BACKEND;
use crate::sm2::point::G;
use crate::sm2::scalar::N;
use proptest::prelude::*;

/// Scalars around every place where a recoding or an addition could go wrong.
pub(in crate::sm2) fn edge_scalars() -> impl Iterator<Item = Scalar> {
    let small = (1..=70).map(|k| [k, 0, 0, 0]);
    let large = (1..=70).map(|k| limbs::sub(&N, &[k, 0, 0, 0]).0);
    let powers = (0..256).map(|i| {
        let mut power = [0; 4];
        power[i / 64] = 1 << (i % 64);
        power
    });
    let below = (1..256).map(|i| {
        let mut power = [0; 4];
        power[i / 64] = 1 << (i % 64);
        limbs::sub(&power, &[1, 0, 0, 0]).0
    });
    small
        .chain(large)
        .chain(powers)
        .chain(below)
        .map(|k| Scalar::reduce(&k))
}

/// k·P bit by bit over the complete addition.
pub(in crate::sm2) fn by_the_book(k: &Scalar, point: &Affine) -> Affine {
    let mut acc = Jacobian::INFINITY;
    for i in (0..256).rev() {
        acc = acc.double();
        if k.limbs()[i / 64] >> (i % 64) & 1 == 1 {
            acc = acc.add_complete(&(*point).into());
        }
    }
    acc.to_affine().expect("k is not a multiple of n")
}

fn check(k: &Scalar, point: &Affine) {
    let expected = Some(by_the_book(k, point));
    let limbs = k.limbs();
    let found = multiply(k, point).to_affine();
    assert_eq!(found, expected, "{limbs:x?}·P, {BACKEND}");
    let vartime = OddMultiples::new(point).multiply_vartime(k);
    assert_eq!(
        vartime.to_affine(),
        expected,
        "{limbs:x?}·P, vartime, {BACKEND}"
    );
}

#[test]
fn edge_scalars_agree_with_the_book() {
    let point = by_the_book(&Scalar::reduce(&[0x1234_5678, 9, 8, 7]), &G);
    for k in edge_scalars() {
        check(&k, &point);
    }
}

#[test]
fn zero_gives_infinity() {
    assert_eq!(multiply(&Scalar::ZERO, &G).to_affine(), None, "{BACKEND}");
}

#[test]
fn double_multiplication_handles_zero_and_opposite_terms() {
    let multiples = OddMultiples::new(&G);
    let seven = Scalar::reduce(&[7, 0, 0, 0]);
    let minus_seven = Scalar::ZERO.sub(&seven);
    let both = |s, t| multiples.double_multiply_vartime(s, t).to_affine();
    let expected = Some(by_the_book(&seven, &G));
    let fourteen = Some(by_the_book(&seven.add(&seven), &G));
    for (s, t, expected) in [
        (&Scalar::ZERO, &Scalar::ZERO, None),
        (&seven, &minus_seven, None),
        (&seven, &Scalar::ZERO, expected),
        (&Scalar::ZERO, &seven, expected),
        (&seven, &seven, fourteen),
    ] {
        let limbs = (s.limbs(), t.limbs());
        assert_eq!(both(s, t), expected, "{limbs:x?}, {BACKEND}");
    }
}

fn nonzero() -> impl Strategy<Value = [u64; 4]> {
    any::<[u64; 4]>().prop_filter("not zero", |x| !Scalar::reduce(x).is_zero())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn random_scalars_agree_with_the_book(k in nonzero(), s in nonzero()) {
        let (k, s) = (Scalar::reduce(&k), Scalar::reduce(&s));
        let point = by_the_book(&s, &G);
        check(&k, &point);
        let both = OddMultiples::new(&point).double_multiply_vartime(&s, &k);
        let expected = multiply(&s, &G).add_complete(&multiply(&k, &point));
        prop_assert_eq!(both.to_affine(), expected.to_affine(), "{}", BACKEND);
    }
}
