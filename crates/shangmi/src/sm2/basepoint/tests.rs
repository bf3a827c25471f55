use super::*;
use crate::sm2::field::tests::BACKEND;
use crate::sm2::mul::tests::{by_the_book, edge_scalars};
use crate::sm2::point::G;
use proptest::prelude::*;

#[test]
fn edge_scalars_agree_with_the_book() {
    for k in edge_scalars() {
        assert_eq!(
            multiply(&k).to_affine(),
            Some(by_the_book(&k, &G)),
            "{:x?}·G, {BACKEND}",
            k.limbs()
        );
    }
}

#[test]
fn odd_multiples_are_odd_multiples() {
    for i in 0..ODD_MULTIPLES.len() {
        let k = Scalar::reduce(&[2 * i as u64 + 1, 0, 0, 0]);
        assert_eq!(
            odd_multiple_vartime(i),
            by_the_book(&k, &G),
            "{i}, {BACKEND}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn random_scalars_agree_with_the_book(words in any::<[u64; 4]>()) {
        let k = Scalar::reduce(&words);
        prop_assume!(!k.is_zero());
        let expected = Some(by_the_book(&k, &G));
        prop_assert_eq!(multiply(&k).to_affine(), expected, "{:x?}·G, {}", k.limbs(), BACKEND);
    }
}
