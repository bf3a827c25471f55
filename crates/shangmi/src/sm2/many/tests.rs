extern crate std;

use super::*;
use crate::sm2::limbs;
use crate::sm2::mul::tests::{by_the_book, edge_scalars};
use crate::sm2::prepared::{LOW_ROWS, ROWS};
use crate::sm2::scalar::N;
use proptest::prelude::*;
use std::{vec, vec::Vec};

/// Every code path of this machine.
fn engines() -> Vec<Engine> {
    let mut engines = vec![Engine::One];
    if !matches!(Engine::detect(), Engine::One) {
        engines.push(Engine::detect());
    }
    engines
}

/// Compares all products with those of one scalar and one point at a time.
fn check(scalars: &[Scalar], points: &[Affine]) {
    for engine in engines() {
        for k in scalars {
            let found = engine.multiply_base_one(k).to_affine();
            let expected = Some(by_the_book(k, &G));
            let name = engine.name_of_one();
            assert_eq!(found, expected, "{:x?}·G, {name}", k.limbs());
        }
        for scalars in scalars.chunks(CHUNK) {
            let mut found = vec![G; scalars.len()];
            engine.multiply_base(scalars, &mut found);
            for (k, found) in scalars.iter().zip(found) {
                let expected = by_the_book(k, &G);
                assert_eq!(found, expected, "{:x?}·G, {}", k.limbs(), engine.name());
            }
        }
        for (k, point) in scalars.iter().zip(points.iter().cycle()) {
            let found = engine.multiply_one(k, point).to_affine();
            let expected = Some(by_the_book(k, point));
            let name = engine.name_of_one();
            assert_eq!(found, expected, "{:x?}·P, {name}", k.limbs());
        }
        let points: Vec<_> = points.iter().copied().cycle().take(11).collect();
        for k in scalars {
            let mut found = vec![G; points.len()];
            engine.multiply(k, &points, &mut found);
            for (point, found) in points.iter().zip(found).take(8) {
                let expected = by_the_book(k, point);
                assert_eq!(found, expected, "{:x?}·P, {}", k.limbs(), engine.name());
            }
        }
    }
}

/// Every number of items around the widths of lanes and chunks, and each item in its place.
#[test]
fn any_number_of_items() {
    for engine in engines() {
        for count in [0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64] {
            let scalars: Vec<_> = (0..count)
                .map(|i| Scalar::reduce(&[i + 5, 3, 2, 1]))
                .collect();
            let mut points = vec![G; scalars.len()];
            engine.multiply_base(&scalars, &mut points);
            let expected: Vec<_> = scalars.iter().map(|k| by_the_book(k, &G)).collect();
            assert_eq!(points, expected, "{count} items, {}", engine.name());
            let k = Scalar::reduce(&[6, 7, 8, 9]);
            let mut products = vec![G; points.len()];
            engine.multiply(&k, &points, &mut products);
            let expected: Vec<_> = points.iter().map(|point| by_the_book(&k, point)).collect();
            assert_eq!(products, expected, "{count} items, {}", engine.name());
        }
    }
}

#[test]
fn edge_scalars_agree_with_the_book() {
    let scalars: Vec<_> = edge_scalars().collect();
    let point = by_the_book(&Scalar::reduce(&[0x1234_5678, 9, 8, 7]), &G);
    // A ladder that divides by x(P) must not meet this one.
    let on_the_axis = Affine::decompress(Field::ZERO, false).expect("b is a square");
    check(&scalars, &[point, G]);
    check(&scalars, &[on_the_axis]);
}

#[test]
fn tables_of_keys_agree() {
    // A ladder that divides by x(P) must not meet this one.
    let on_the_axis = Affine::decompress(Field::ZERO, false).expect("b is a square");
    let points = edge_scalars().step_by(9).map(|k| by_the_book(&k, &G));
    for point in points.chain([on_the_axis]) {
        let expected = KeyTable::new(&point, ROWS);
        for engine in engines() {
            let found = engine.key_table(&point);
            let rows = match engine {
                Engine::One => LOW_ROWS,
                _ => ROWS,
            };
            let equal = found.0[..rows] == expected.0[..rows];
            assert!(equal, "{point:x?}, {}", engine.name_of_one());
        }
    }
}

/// Equations with P = d·G, all s and t of `some`, the right x and a wrong one, and whether each holds.
fn under_key(d: &Scalar, some: &[Scalar]) -> (Vec<Equation>, Vec<bool>) {
    let point = by_the_book(d, &G);
    let (mut equations, mut expected) = (vec![], vec![]);
    for (s, t) in some.iter().flat_map(|s| some.iter().map(move |t| (s, t))) {
        let sum = s.add(&t.mul(d));
        let x = (!sum.is_zero()).then(|| by_the_book(&sum, &G).x);
        for (u, right) in [(x.unwrap_or(G.x), x.is_some()), (point.y, false)] {
            let (s, t) = (s.clone(), t.clone());
            equations.push(Equation { s, t, point, u });
            expected.push(right);
        }
    }
    (equations, expected)
}

/// s·G + t·P for s, t and P in every relation: sums that are infinity, doubles, negatives.
#[test]
fn equations_hold_or_do_not() {
    let minus = |k: u64| limbs::sub(&N, &[k, 0, 0, 0]).0;
    let some: Vec<_> = [
        [1, 0, 0, 0],
        [2, 0, 0, 0],
        [7, 0, 0, 0],
        minus(7),
        minus(1),
        [5, 6, 7, 8],
    ]
    .iter()
    .map(Scalar::reduce)
    .collect();
    let (mut equations, mut expected) = (vec![], vec![]);
    for d in &some {
        let (some_equations, answers) = under_key(d, &some);
        equations.extend(some_equations);
        expected.extend(answers);
    }
    for engine in engines() {
        for count in [0, 1, 2, 7, 8, 9, 15, 16] {
            for (equations, expected) in equations
                .chunks(count.max(1))
                .zip(expected.chunks(count.max(1)))
            {
                let some =
                    array::from_fn(|lane| equations.get(lane).filter(|_| lane < count).cloned());
                let wanted =
                    array::from_fn(|lane| lane < count && expected.get(lane) == Some(&true));
                assert_eq!(engine.hold_vartime(&some), wanted, "{}", engine.name());
            }
        }
    }
}

/// s·G + t·P side by side under one key, of which P is a small multiple of G: sums that meet a term or its negative on the way, where the
/// lanes leave the answer to the portable code, and sums that are infinity.
#[test]
fn equations_under_one_key_hold_or_do_not() {
    let minus = |k: &Scalar| Scalar::reduce(&limbs::sub(&N, k.limbs()).0);
    // The lowest digits of s = 1 are -127; so 127·G + s·G begins with 127 - 127, and t = n - 127 with a doubling.
    let small = [1, 2, 126, 127, 128].map(|k| Scalar::reduce(&[k, 0, 0, 0]));
    let mut some: Vec<_> = small
        .iter()
        .map(minus)
        .chain(small.iter().cloned())
        .collect();
    some.push(Scalar::reduce(&[5, 6, 7, 8]));
    for d in &some {
        let point = by_the_book(d, &G);
        let (equations, expected) = under_key(d, &some);
        for engine in engines() {
            let table = engine.key_table(&point);
            for count in [1, 2, 3, 7, 8, 9, 15, 16] {
                for (equations, expected) in equations.chunks(count).zip(expected.chunks(count)) {
                    let some = array::from_fn(|i| equations.get(i).cloned());
                    let wanted = array::from_fn(|i| expected.get(i) == Some(&true));
                    let found = engine.hold_prepared_vartime(&table, &some);
                    assert_eq!(found, wanted, "{d:?}·G, {count}, {}", engine.name());
                }
            }
        }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[test]
fn a_lane_whose_sum_meets_a_term_is_unknown() {
    let Engine::Ifma(token) = Engine::detect() else {
        return;
    };
    let table = Engine::detect().key_table(&G);
    let equations = array::from_fn(|lane| {
        let t = [127, 126, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 127, 17][lane];
        let (s, t) = (Scalar::ONE, Scalar::reduce(&[t, 0, 0, 0]));
        let u = by_the_book(&s.add(&t), &G).x;
        Some(Equation { s, t, point: G, u })
    });
    let found = x86_64_ifma::hold_prepared_vartime(token, &table, &equations);
    let expected = array::from_fn(|lane| (lane % 14 != 0).then_some(true));
    assert_eq!(found, expected);
}

/// With keys so small that lanes meet themselves and their negatives on the way, and sums vanish or double.
#[test]
fn verifications_agree_for_small_keys() {
    for d in [1, 2, 3, 1 << 20] {
        let point = by_the_book(&Scalar::reduce(&[d, 0, 0, 0]), &G);
        let tables = engines().into_iter().map(|engine| engine.key_table(&point));
        let tables: Vec<_> = tables.collect();
        for (s, t) in edge_scalars().zip(edge_scalars().skip(3)).step_by(3) {
            let expected = tables[0].double_multiply_vartime(&s, &t).to_affine();
            for (engine, table) in engines().into_iter().zip(&tables) {
                let multiples = engine.odd_multiples(&point);
                let multiples = multiples.as_ref();
                let alone = engine.double_multiply_vartime(&point, multiples, &s, &t);
                let prepared = engine.double_multiply_prepared_vartime(table, &s, &t);
                let found = [alone, prepared].map(Jacobian::to_affine);
                let name = engine.name_of_one();
                assert_eq!(
                    found,
                    [expected; 2],
                    "{:x?}, {:x?}, {name}",
                    s.limbs(),
                    t.limbs()
                );
            }
        }
    }
}

#[test]
fn zero_gives_infinity() {
    for engine in engines() {
        let found = engine.multiply_one(&Scalar::ZERO, &G).to_affine();
        assert_eq!(found, None, "0·P, {}", engine.name_of_one());
    }
}

/// Scalars built from partial sums that meet in the last addition of single multiplications: k = n - 2·(n mod 2^120) and what
/// is near it, and such that differ from n in the lower windows only; the same for 2^119.
#[test]
fn scalars_whose_halves_nearly_meet() {
    for bit in [55, 56] {
        let low = [N[0], N[1] & ((1 << bit) - 1), 0, 0];
        let twice = limbs::add(&low, &low).0;
        for i in 0..64 {
            let near = limbs::sub(&limbs::sub(&N, &twice).0, &[i, 0, 0, 0]).0;
            let above = limbs::sub(&limbs::sub(&N, &[0, 1 << bit, 0, 0]).0, &[i, 0, 0, 0]).0;
            for k in [near, above, limbs::sub(&N, &[2 * i + 1, 0, 0, 0]).0] {
                one_agrees(&Scalar::reduce(&k));
            }
        }
    }
}

/// Single multiplications of G, by a secret and by a public scalar.
fn one_agrees(k: &Scalar) {
    let expected = Some(by_the_book(k, &G));
    for engine in engines() {
        let name = engine.name_of_one();
        let found = engine.multiply_base_one(k).to_affine();
        assert_eq!(found, expected, "{:x?}·G, {name}", k.limbs());
        let with_g = engine
            .double_multiply_vartime(&G, engine.odd_multiples(&G).as_ref(), k, &Scalar::ONE)
            .to_affine();
        let next = k.add(&Scalar::ONE);
        let expected = (!next.is_zero()).then(|| by_the_book(&next, &G));
        assert_eq!(with_g, expected, "{:x?}·G + G, {name}", k.limbs());
    }
}

fn scalar() -> impl Strategy<Value = Scalar> {
    any::<[u64; 4]>()
        .prop_map(|words| Scalar::reduce(&words))
        .prop_filter("not zero", |k| !k.is_zero())
}

impl core::fmt::Debug for Scalar {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:x?}", self.limbs())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    #[test]
    fn random_scalars_agree_with_the_book(
        scalars in proptest::collection::vec(scalar(), 1..20),
        d in scalar(),
    ) {
        check(&scalars, &[by_the_book(&d, &G)]);
    }
}
