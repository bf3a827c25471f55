//! Every operation against big integers, in every lane, at the bounds of the limbs and at random.
extern crate std;

use num_bigint::BigUint;
use proptest::prelude::*;
use std::array;
use std::{println, vec, vec::Vec};

use super::lazy::Columns;
use super::*;
use crate::sm2::field::tests::edges;
use crate::sm2::limbs;

fn p() -> BigUint {
    from_limbs(&P)
}

fn from_limbs(limbs: &[u64; 5]) -> BigUint {
    limbs.iter().rev().fold(BigUint::ZERO, |sum, &limb| {
        (sum << RADIX) + BigUint::from(limb)
    })
}

fn to_limbs(x: &BigUint) -> [u64; 5] {
    let mut out = [0; 5];
    for (i, limb) in out.iter_mut().enumerate() {
        let part = (x >> (52 * i)) & BigUint::from(LOW);
        *limb = part.to_u64_digits().first().copied().unwrap_or(0);
    }
    out
}

/// A lane's integer as it is.
fn raw<const B: u64>(x: &Lanes<B>) -> [BigUint; LANES] {
    let words = x.0.map(Vector::store);
    array::from_fn(|lane| from_limbs(&words.map(|word| word[lane])))
}

fn lanes<const B: u64>(token: cpu::Ifma, x: &[BigUint; LANES]) -> Lanes<B> {
    let limbs = x.each_ref().map(to_limbs);
    let vector = |i: usize| Vector::load(token, &limbs.map(|limbs| limbs[i]));
    Lanes::new([vector(0), vector(1), vector(2), vector(3), vector(4)])
}

/// Integers of at most bound·p: near multiples of p, limbs of all ones, single bits, runs of ones.
fn edges_to(bound: u64) -> Vec<BigUint> {
    let most = p() * bound;
    let one = BigUint::from(1u32);
    let mut out = vec![];
    for k in 0..=bound {
        let multiple = p() * k;
        out.extend((0..3u32).map(|i| &multiple + i));
        out.extend((1..3u32).filter(|_| k > 0).map(|i| &multiple - i));
    }
    for i in (0..260)
        .step_by(4)
        .chain([51, 52, 53, 103, 155, 207, 209, 255, 257])
    {
        out.extend([&one << i, (&one << i) - 1u32]);
    }
    for limb in 0..5 {
        out.push(BigUint::from(LOW) << (52 * limb));
        out.push(((&one << 260u32) - 1u32) - (BigUint::from(LOW) << (52 * limb)));
    }
    out.push(from_limbs(&[LOW, LOW, LOW, LOW, P[4] * bound - 1]));
    out.retain(|x| *x <= most);
    out
}

/// Eight values at a time, every one of them in every lane.
fn in_all_lanes(values: &[BigUint]) -> impl Iterator<Item = [BigUint; LANES]> + '_ {
    (0..values.len())
        .map(|start| array::from_fn(|lane| values[(start + lane * 7) % values.len()].clone()))
}

/// Both are `expected` modulo p, and in the bound (which `Lanes::new` asserts).
fn check<const B: u64>(found: &Lanes<B>, expected: impl Fn(usize) -> BigUint, what: &str) {
    for (lane, found) in raw(found).into_iter().enumerate() {
        assert!(found <= p() * B, "{what}: above {B}·p in lane {lane}, ifma");
        assert_eq!(
            found % p(),
            expected(lane) % p(),
            "{what}, lane {lane}, ifma"
        );
    }
}

fn check_pair(token: cpu::Ifma, a: &[BigUint; LANES], b: &[BigUint; LANES]) {
    let inverse = (BigUint::from(1u32) << 260u32).modpow(&(p() - 2u32), &p());
    // At most 4p and 3p.
    let (x, y): (Lanes<4>, Lanes<3>) = (lanes(token, a), lanes(token, b));
    let product: Lanes<2> = x.mul(&y);
    check(&product, |i| &a[i] * &b[i] * &inverse, "product");
    check_sums(token, a, b, &x.columns().add(&y.columns()), &inverse);
    let chosen = y.select(&Lanes::<3>(product.0), 0b0011_0101);
    let products = raw(&product);
    check(
        &chosen,
        |i| {
            if 0b0011_0101 >> i & 1 == 1 {
                products[i].clone()
            } else {
                b[i].clone()
            }
        },
        "chosen",
    );
}

/// The same operations with carries left to later.
fn check_lazy(token: cpu::Ifma, a: &[BigUint; LANES], b: &[BigUint; LANES]) {
    let inverse = (BigUint::from(1u32) << 260u32).modpow(&(p() - 2u32), &p());
    let (x, y): (Lanes<4>, Lanes<3>) = (lanes(token, a), lanes(token, b));
    // As much above 52 bits as a carried limb may have.
    let factor = x.columns().double::<8>().carry();
    let product: Columns<3> = factor.mul(&y.factor());
    check(
        &product.carry().lanes(),
        |i| &a[i] * &b[i] * 2u32 * &inverse,
        "lazy product",
    );
    let square: Columns<5> = factor.square();
    check(
        &square.carry().lanes(),
        |i| &a[i] * &a[i] * 4u32 * &inverse,
        "lazy square",
    );
    let both: Columns<5> = factor.mul_add(&y.factor(), &factor, &x.factor());
    let expected = |i: usize| (&b[i] + &a[i]) * &a[i] * 2u32 * &inverse;
    check(&both.carry().lanes(), expected, "two lazy products");
    let both: Columns<4> = factor.mul_add_square(&y.factor(), &y.factor());
    let expected = |i: usize| (&a[i] * 2u32 + &b[i]) * &b[i] * &inverse;
    check(&both.carry().lanes(), expected, "lazy product and square");
    let sum: Columns<14> = x.columns().add::<3, 7>(&y.columns()).double();
    check(&sum.carry().lanes(), |i| (&a[i] + &b[i]) * 2u32, "lazy sum");
    check(
        &sum.reduce(),
        |i| (&a[i] + &b[i]) * 2u32,
        "lazy sum, reduced",
    );
    let difference: Columns<8> = product.sub(&square);
    let expected =
        |i: usize| (&a[i] * &b[i] + (p() * p() * 32u32 - &a[i] * &a[i] * 2u32)) * 2u32 * &inverse;
    check(&difference.carry().lanes(), expected, "lazy difference");
    check(&difference.reduce(), expected, "lazy difference, reduced");
    let negative = y.columns().negate_if(0b1010_0101).carry().lanes();
    check(
        &negative,
        |i| {
            if 0b1010_0101 >> i & 1 == 1 {
                p() * 3u32 - &b[i]
            } else {
                b[i].clone()
            }
        },
        "lazy negative",
    );
}

/// What the ladder makes of sums that are not carried; `sum` is a + b, at most 7p.
fn check_sums(
    token: cpu::Ifma,
    a: &[BigUint; LANES],
    b: &[BigUint; LANES],
    sum: &Columns<7>,
    inverse: &BigUint,
) {
    let x: Lanes<4> = lanes(token, a);
    let total = |i: usize| &a[i] + &b[i];
    let square: Columns<5> = sum.carry().mul_awaited(&sum.carry());
    check(
        &square.carry().lanes(),
        |i| total(i).pow(2) * inverse,
        "square of a sum",
    );
    let mixed: Columns<3> = x.factor().mul_awaited(&sum.carry());
    check(
        &mixed.carry().lanes(),
        |i| &a[i] * total(i) * inverse,
        "product by a sum",
    );
    let order = [3, 1, 4, 1, 5, 0, 2, 6];
    let permuted = sum.permuted(Vector::load(token, &order.map(|i| i as u64)));
    check(&permuted.carry().lanes(), |i| total(order[i]), "permuted");
    let negative = sum.negate_if(0b0110_0011);
    let signed = |i: usize| match 0b0110_0011 >> i & 1 {
        1 => p() * 7u32 - total(i),
        _ => total(i),
    };
    check(&negative.carry().lanes(), signed, "negative sum");
    let added: Columns<14> = negative.add_where(0b1001_0010, sum);
    let expected = |i: usize| signed(i) + total(i) * (0b1001_0010u32 >> i & 1);
    check(&added.carry().lanes(), expected, "added in some lanes");
    let powers = [0, 1, 64, 1, 0, 64, 1, 0];
    let shifted: Columns<14> = sum.times_powers(Vector::load(token, &powers));
    let expected = |i: usize| match powers[i] {
        64 => BigUint::ZERO,
        n => total(i) << n,
    };
    check(&shifted.carry().lanes(), expected, "times powers of two");
}

fn check_one(token: cpu::Ifma, a: &[BigUint; LANES]) {
    let x: Lanes<16> = lanes(token, a);
    check(&x.columns().reduce(), |i| a[i].clone(), "reduced");
    let square: Lanes<17> = Lanes(carry(reduced_columns(square_columns(&x.0))));
    let inverse = (BigUint::from(1u32) << 260u32).modpow(&(p() - 2u32), &p());
    check(&square, |i| &a[i] * &a[i] * &inverse, "square of 16p");
    let zero = x.is_zero();
    let fields = x.to_fields();
    // 2^260 in front and 2^256 behind: a quotient of 16.
    let sixteenth = BigUint::from(16u32).modpow(&(p() - 2u32), &p());
    for (lane, a) in a.iter().enumerate() {
        assert_eq!(
            zero >> lane & 1 == 1,
            a % p() == BigUint::ZERO,
            "zero, ifma"
        );
        let found = BigUint::from_bytes_be(&limbs::to_be_bytes(&fields[lane].0));
        assert_eq!(found, a * &sixteenth % p(), "out of lane {lane}, ifma");
    }
    let again = Lanes::from_fields(token, fields).to_fields();
    assert_eq!(again, fields, "in and out, ifma");
    let all = Lanes::splat(token, &fields[3]).to_fields();
    assert_eq!(all, [fields[3]; LANES], "one in all lanes, ifma");
}

fn token() -> Option<cpu::Ifma> {
    let token = cpu::Ifma::detect();
    if token.is_none() {
        println!("not run: the processor has no IFMA, or it is hidden");
    }
    token
}

#[test]
fn edge_values_agree_with_big_integers() {
    let Some(token) = token() else { return };
    for a in in_all_lanes(&edges_to(16)) {
        check_one(token, &a);
    }
    let (left, right) = (edges_to(4), edges_to(3));
    for a in in_all_lanes(&left).step_by(3) {
        for b in in_all_lanes(&right).step_by(5) {
            check_pair(token, &a, &b);
            check_lazy(token, &a, &b);
        }
    }
}

#[test]
fn elements_go_in_and_out() {
    let Some(token) = token() else { return };
    for edge in edges() {
        let mut fields = [Field::ONE; LANES];
        for lane in 0..LANES {
            fields[lane] = Field(edge);
            let again = Lanes::from_fields(token, fields).to_fields();
            assert_eq!(again, fields, "lane {lane}, ifma");
        }
    }
}

#[test]
fn every_entry_of_a_table_is_found() {
    every_entry_is_found::<32>();
    every_entry_is_found::<64>();
}

fn every_entry_is_found<const N: usize>() {
    let Some(token) = token() else { return };
    let table: [u64; N] = array::from_fn(|i| 1000 + i as u64);
    for start in 0..N {
        let index = array::from_fn(|lane| ((start + 11 * lane) % N) as u64);
        let found = Vector::load(token, &index).look_up(&table).store();
        assert_eq!(found, index.map(|i| 1000 + i), "entries {index:?}, ifma");
    }
}

#[test]
fn every_multiple_is_found_in_its_column() {
    let Some(token) = token() else { return };
    let table = array::from_fn(|j| array::from_fn(|lane| (100 * j + lane) as u64));
    for start in 0..16 {
        let index = array::from_fn(|lane| (start + 5 * lane as u64) % 16);
        let found = Vector::load(token, &index).gather_vartime(&table).store();
        assert_eq!(
            found,
            array::from_fn(|lane| 100 * index[lane] + lane as u64)
        );
    }
}

#[test]
fn every_word_of_an_entry_is_gathered() {
    let Some(token) = token() else { return };
    let table: [_; 32] = array::from_fn(|i| {
        [0, 1].map(|half| array::from_fn(|word| (8 * i + 4 * half + word) as u64))
    });
    for start in 0..32 {
        let index = array::from_fn(|lane| (start + 5 * lane as u64) % 32);
        for word in 0..8 {
            let index_vector = Vector::load(token, &index);
            let found = index_vector.gather_word_vartime(&table, word).store();
            assert_eq!(found, index.map(|i| 8 * i + word as u64));
        }
    }
}

#[test]
fn bounds_are_noticed() {
    let Some(token) = token() else { return };
    let most = splat(token, &to_limbs(&(p() * 3u32)));
    assert!(at_most(&most, 3));
    assert!(!at_most(&most, 2));
    let above = splat(token, &to_limbs(&(p() * 3u32 + 1u32)));
    assert!(!at_most(&above, 3));
    let wide = splat(token, &[LOW + 1, 0, 0, 0, 0]);
    assert!(!at_most(&wide, 3));
}

fn below(bound: u64) -> impl Strategy<Value = BigUint> {
    any::<[u64; 5]>().prop_map(move |words| {
        let big = words.iter().fold(BigUint::ZERO, |x, &w| (x << 64u32) + w);
        big % (p() * bound + 1u32)
    })
}

fn eight(bound: u64) -> impl Strategy<Value = [BigUint; LANES]> {
    proptest::array::uniform8(below(bound))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]
    #[test]
    fn random_values_agree_with_big_integers(a in eight(4), b in eight(3), c in eight(16)) {
        let Some(token) = token() else { return Ok(()) };
        check_pair(token, &a, &b);
        check_lazy(token, &a, &b);
        check_one(token, &c);
    }
}
