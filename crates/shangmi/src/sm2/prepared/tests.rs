use super::*;
use crate::sm2::field::tests::BACKEND;
use crate::sm2::limbs;
use crate::sm2::mul::tests::{by_the_book, edge_scalars};
use crate::sm2::point::G;
use crate::sm2::scalar::N;

#[test]
fn edge_scalars_agree_with_the_book() {
    let point = by_the_book(&Scalar::reduce(&[0x1234_5678, 9, 8, 7]), &G);
    let table = KeyTable::new(&point, LOW_ROWS);
    for (s, t) in edge_scalars().zip(edge_scalars().skip(50)) {
        let found = table.double_multiply_vartime(&s, &t).to_affine();
        let sum = Jacobian::from(by_the_book(&s, &G));
        let expected = sum
            .add_complete(&by_the_book(&t, &point).into())
            .to_affine();
        let what = (s.limbs(), t.limbs());
        assert_eq!(found, expected, "{what:x?}, {BACKEND}");
    }
}

/// P = G: sums that double, and sums that vanish.
#[test]
fn equal_and_opposite_terms_are_added() {
    let table = KeyTable::new(&G, LOW_ROWS);
    for s in edge_scalars() {
        let minus = Scalar::reduce(&limbs::sub(&N, s.limbs()).0);
        let vanishes = table.double_multiply_vartime(&s, &minus).to_affine();
        let doubles = table.double_multiply_vartime(&s, &s).to_affine();
        let twice = by_the_book(&s.add(&s), &G);
        let what = s.limbs();
        assert_eq!(
            (vanishes, doubles),
            (None, Some(twice)),
            "{what:x?}, {BACKEND}"
        );
    }
}
