//! Points with short coordinates, and pairs of numbers that are no points of the curve.

use num_bigint::BigUint;
use reference::sm2::{Point, curve};

use super::keys::{next_point, scalar, xy};

/// x of a point with y = 1: a root of x^3 + ax + b - 1.
const X_FOR_Y_ONE: &str = "9c17043effe1a805a74a9a5e70b9d659705d3242094a566dc016f49311178d1f";
/// The least x of a point with a y, or its negative, below 2^240.
const X_FOR_SHORT_Y: u32 = 39631;
/// The base point of P-256 (FIPS 186), x and y.
const P256_G: [&str; 2] = [
    "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296",
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
];

fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).expect("constants are hexadecimal")
}

/// The point with y = 1.
pub(super) fn y_is_one() -> Point {
    Point::new(hex(X_FOR_Y_ONE), 1u32.into())
}

/// A point with x below 2^16 and y below 2^240.
pub(super) fn both_short() -> Point {
    let point = next_point(&X_FOR_SHORT_Y.into());
    if xy(&point).1.bits() <= 240 {
        point
    } else {
        point.negate()
    }
}

/// The point with the largest x, and an even y.
pub(super) fn largest_x() -> Point {
    (1u32..)
        .find_map(|i| Point::decompress(&(&curve().p - i), false).ok())
        .expect("about every second x is on the curve")
}

/// The base point of P-256.
pub(super) fn p256_g() -> Point {
    let [x, y] = P256_G.map(hex);
    Point::new(x, y)
}

/// Two numbers that a program must not take for a point.
pub(super) struct InvalidPoint {
    pub(super) flag: &'static str,
    pub(super) comment: &'static str,
    pub(super) x: BigUint,
    pub(super) y: BigUint,
    /// What a program computes with that does not check them, but reduces them.
    pub(super) same: Point,
}

/// What has 32 bytes for each coordinate, and no infinity among it.
pub(super) fn invalid() -> Vec<InvalidPoint> {
    let p = &curve().p;
    let not_on_curve = |comment, point: Point| {
        let (x, y) = xy(&point);
        InvalidPoint {
            flag: "InvalidCurve",
            comment,
            x,
            y,
            same: point,
        }
    };
    let too_large = |comment, point: Point, dx: &BigUint, dy: &BigUint| {
        let (x, y) = xy(&point);
        let (x, y) = (x + dx, y + dy);
        InvalidPoint {
            flag: "CoordinateRange",
            comment,
            x,
            y,
            same: point,
        }
    };
    let g = xy(&curve().g);
    let moved = |dx: u32, dy: u32| Point::new(&g.0 + dx, &g.1 + dy);
    let zero = BigUint::ZERO;
    let small = next_point(&BigUint::from(1u32));
    vec![
        not_on_curve("a point of order 2 on another curve", order_two()),
        not_on_curve("a point of order 3 on another curve", order_three()),
        not_on_curve("a point of the curve with b + 1", other_b()),
        not_on_curve("the base point of P-256", p256_g()),
        not_on_curve("(x of G, y of G + 1)", moved(0, 1)),
        not_on_curve("(x of G + 1, y of G)", moved(1, 0)),
        not_on_curve("(y of G, x of G)", Point::new(g.1.clone(), g.0.clone())),
        not_on_curve("(1, 1)", Point::new(1u32.into(), 1u32.into())),
        not_on_curve("(p-1, p-1)", Point::new(p - 1u32, p - 1u32)),
        too_large("x + p", small, p, &zero),
        too_large("p for x = 0", next_point(&zero), p, &zero),
        too_large("y + p", y_is_one(), &zero, p),
    ]
}

/// (x, 0) is its own opposite, on the curve with b' = -x^3 - ax.
fn order_two() -> Point {
    Point::new(scalar("x of order 2"), BigUint::ZERO)
}

/// 3P = O where 3x^4 + 6ax^2 + 12b'x - a^2 = 0: b' follows from x, and y from both.
fn order_three() -> Point {
    let (p, a) = (&curve().p, &curve().a);
    (0u32..)
        .find_map(|i| {
            let x = scalar(&format!("x of order 3, {i}")) % p;
            let x2 = &x * &x % p;
            let known = (3u32 * &x2 * &x2 + 6u32 * a * &x2) % p;
            let divisor = (12u32 * &x % p).modinv(p)?;
            let b = (a * a + p - known) % p * divisor % p;
            point_with(&x, &b)
        })
        .expect("about every second number is a square")
}

fn other_b() -> Point {
    (0u32..)
        .find_map(|i| point_with(&scalar(&format!("x for b + 1, {i}")), &(&curve().b + 1u32)))
        .expect("about every second number is a square")
}

/// The point with this x of y^2 = x^3 + ax + b.
fn point_with(x: &BigUint, b: &BigUint) -> Option<Point> {
    let (p, a) = (&curve().p, &curve().a);
    let square = (x.pow(3) + a * x + b) % p;
    let y = square.modpow(&((p + 1u32) / 4u32), p);
    (&y * &y % p == square).then(|| Point::new(x % p, y))
}

#[cfg(test)]
mod tests {
    use reference::sm2::multiply;

    use super::*;

    #[test]
    fn points_are_what_they_say() {
        assert!(y_is_one().is_on_curve() && both_short().is_on_curve());
        assert!(largest_x().is_on_curve());
        assert!(xy(&both_short()).1.bits() <= 240);
        assert_eq!(order_two().double(), Point::Infinity);
        assert_eq!(multiply(&3u32.into(), &order_three()), Point::Infinity);
        assert_ne!(order_three(), Point::Infinity);
        for InvalidPoint { comment, x, y, .. } in invalid() {
            assert!(x.bits() <= 256 && y.bits() <= 256, "{comment}");
            assert!(!Point::new(x, y).is_on_curve(), "{comment}");
        }
    }
}
