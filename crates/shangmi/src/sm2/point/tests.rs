use super::*;
use crate::sm2::{basepoint, field::tests::BACKEND, scalar::Scalar};

fn g_times(k: u64) -> Jacobian {
    // The ladder by the book, over the complete addition.
    let mut acc = Jacobian::INFINITY;
    for i in (0..64).rev() {
        acc = acc.double();
        if k >> i & 1 == 1 {
            acc = acc.add_complete(&G.into());
        }
    }
    acc
}

fn affine(point: &Jacobian) -> Option<Affine> {
    point.to_affine()
}

#[test]
fn the_base_point_is_on_the_curve() {
    assert_eq!(Affine::new(G.x, G.y), Ok(G));
    assert_eq!(Affine::decompress(G.x, false), Ok(G));
    assert_eq!(Affine::decompress(G.x, true), Ok(G.negate_if(u64::MAX)));
    assert_eq!(
        Affine::new(G.x, G.x).err(),
        Some(PointError::NotOnCurve.into())
    );
}

/// All pairs of 0, ±1, ..., ±5 times G through each addition that may take them.
#[test]
fn additions_agree_with_one_another() {
    let multiple = |k: i64| g_times(k.unsigned_abs()).negate_if(u64::from(k < 0).wrapping_neg());
    for a in -5..=5 {
        for b in -5..=5 {
            // A doubling puts both on a denominator that is not one.
            let (p, q) = (multiple(a), multiple(b));
            let expected = affine(&multiple(a + b));
            assert_eq!(
                affine(&p.add_complete(&q)),
                expected,
                "{a} + {b}, {BACKEND}"
            );
            if let Some(q) = affine(&q) {
                assert_eq!(
                    affine(&p.add_affine_vartime(&q)),
                    expected,
                    "{a} + {b}, {BACKEND}"
                );
                if a != 0 && a != b {
                    assert_eq!(affine(&p.add_affine(&q)), expected, "{a} + {b}, {BACKEND}");
                }
            }
        }
        let doubled = affine(&multiple(a).double());
        assert_eq!(doubled, affine(&multiple(2 * a)), "2 * {a}, {BACKEND}");
    }
}

#[test]
fn x_is_compared_without_inversion() {
    let point = g_times(5);
    let x = affine(&point).expect("5·G is not infinity").x;
    assert!(point.has_x_vartime(&x));
    assert_eq!(point.affine_x(), x);
    assert!(!point.has_x_vartime(&x.double()));
    assert!(!Jacobian::INFINITY.has_x_vartime(&Field::ZERO));
}

#[test]
fn an_array_with_infinity_has_no_affine_form() {
    let five = basepoint::multiply(&Scalar::reduce(&[5, 0, 0, 0]));
    assert!(Jacobian::to_affine_array([five, g_times(7)]).is_some());
    assert!(Jacobian::to_affine_array([five, Jacobian::INFINITY, five]).is_none());
}
