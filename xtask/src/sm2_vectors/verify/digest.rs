//! Signatures of a given digest e. Where e is free, a signature with any s and t can be made for any public key.

use anyhow::Result;
use num_bigint::BigUint;
use reference::sm2::{self, Point, curve, multiply};
use serde::Serialize;

use super::signer::{Pair, construct, invert, main_key, sign_digest, subtract, x_of};
use super::{Head, p1363};
use crate::sm2_vectors::format::{
    self, Group, Hex, Title,
    Verdict::{self, Invalid, Valid},
};
use crate::sm2_vectors::keys::{KeyPair, bytes32, next_point, scalar};

#[derive(Serialize)]
struct Body {
    digest: Hex,
    sig: Hex,
}

type Tests = Group<Head, Body>;

pub(in crate::sm2_vectors) fn file() -> Result<String> {
    let key = main_key();
    let mut first = group(&key.public);
    add_special_digests(&mut first, &key);
    add_multiplications(&mut first, &key);
    add_points(&mut first, &key);
    add_zeros(&mut first, &key);
    add_modulo_p(&mut first, &key);
    let mut groups = vec![first];
    groups.extend(special_keys());
    groups.extend(x_above_n());
    let title = Title {
        algorithm: "SM2",
        schema: "sm2_verify_digest_schema.json",
        header: &[
            "Test vectors of type Sm2VerifyDigest are meant for the verification",
            "of SM2 signatures (GB/T 32918.2) of a digest e = SM3(Z || M) that is given.",
            "Signatures are r || s, 64 bytes.",
        ],
    };
    format::write(&title, groups)
}

fn group(public: &Point) -> Tests {
    Tests::new("Sm2VerifyDigest", Head::new(public, None))
}

fn push(
    group: &mut Tests,
    result: Verdict,
    flag: &'static str,
    comment: impl Into<String>,
    (e, (r, s)): (&BigUint, &Pair),
) {
    let (digest, sig) = (Hex(bytes32(e).to_vec()), Hex(p1363::both(r, s)));
    group.push(result, flag, comment, Body { digest, sig });
}

fn add_special_digests(group: &mut Tests, key: &KeyPair) {
    let (n, p) = (&curve().n, &curve().p);
    let one = BigUint::from(1u32);
    for (what, e) in [
        ("0", BigUint::ZERO),
        ("1", one.clone()),
        ("2^128", &one << 128),
        ("2^255", &one << 255),
        ("n-1", n - 1u32),
        ("n", n.clone()),
        ("n+1", n + 1u32),
        ("p", p.clone()),
        ("2^256-2^32", (&one << 256) - (&one << 32)),
        ("2^256-1", (&one << 256) - 1u32),
    ] {
        let pair = sign_digest(key, &bytes32(&e), "nonce for digests");
        let comment = format!("e = {what}");
        push(group, Valid, "SpecialDigest", comment, (&e, &pair));
        let other = if e.bit(0) { &e - 1u32 } else { &e + 1u32 };
        let comment = format!("made for e = {what}, last bit of e changed");
        push(
            group,
            Invalid,
            "ModifiedSignature",
            comment,
            (&other, &pair),
        );
    }
}

fn add_multiplications(group: &mut Tests, key: &KeyPair) {
    let n = &curve().n;
    let one = BigUint::from(1u32);
    let values = [
        ("1", one.clone()),
        ("2", BigUint::from(2u32)),
        ("2^64", &one << 64),
        ("2^128-1", (&one << 128) - 1u32),
        ("2^255", &one << 255),
        ("2^256-2^225", (&one << 256) - (&one << 225)),
        ("(n-1)/2", (n - 1u32) / 2u32),
        ("n-2", n - 2u32),
        ("n-1", n - 1u32),
    ];
    let multiples = |point: &Point| values.clone().map(|(_, k)| multiply(&k, point));
    let (of_g, of_p) = (multiples(sm2::generator()), multiples(&key.public));
    for ((s_name, s), s_g) in values.iter().zip(&of_g) {
        for ((t_name, t), t_p) in values.iter().zip(&of_p) {
            let r = subtract(t, s);
            if r == BigUint::ZERO {
                continue;
            }
            let e = subtract(&r, &(x_of(&s_g.add(t_p)) % n));
            let comment = format!("s = {s_name}, t = {t_name}");
            let pair = (r, s.clone());
            push(group, Valid, "EdgeCaseMultiplication", comment, (&e, &pair));
        }
    }
}

/// s*G and t*P are equal or opposite.
fn add_points(group: &mut Tests, key: &KeyPair) {
    let n = &curve().n;
    let r = scalar("r of special points");
    // s = t d with t = r + s.
    let s = &r * &key.d % n * invert(&subtract(&BigUint::from(1u32), &key.d)) % n;
    let t = (&r + &s) % n;
    let (e, pair) = construct(&key.public, &s, &t);
    push(group, Valid, "PointDuplication", "s*G = t*P", (&e, &pair));
    let comment = "s*G = t*P, and e as if the sum had x = 0";
    push(group, Invalid, "PointDuplication", comment, (&r, &pair));
    // s = -t d.
    let s = subtract(
        &BigUint::ZERO,
        &(&r * &key.d % n * invert(&(&key.d + 1u32)) % n),
    );
    let pair = (r.clone(), s.clone());
    let x_of_s_g = x_of(&multiply(&s, sm2::generator())) % n;
    for (what, x) in [
        ("0", BigUint::ZERO),
        ("1", 1u32.into()),
        ("x of s*G", x_of_s_g),
        ("x of G", x_of(sm2::generator())),
    ] {
        let comment = format!("s*G = -t*P, and e as if the sum had x = {what}");
        push(
            group,
            Invalid,
            "PointDuplication",
            comment,
            (&subtract(&r, &x), &pair),
        );
    }
}

/// Signatures that lack nothing but the range of r, s or t.
fn add_zeros(group: &mut Tests, key: &KeyPair) {
    let n = &curve().n;
    let (zero, some) = (BigUint::ZERO, scalar("the other number"));
    let (e, _) = construct(&key.public, &some, &some);
    for (name, r) in [("0", &zero), ("n", n)] {
        let comment = format!("r = {name}, and the equation holds");
        push(
            group,
            Invalid,
            "ZeroValue",
            comment,
            (&e, &(r.clone(), some.clone())),
        );
    }
    let (e, (r, _)) = construct(&key.public, &zero, &some);
    for (name, s) in [("0", &zero), ("n", n)] {
        let comment = format!("s = {name}, and the equation holds");
        push(
            group,
            Invalid,
            "ZeroValue",
            comment,
            (&e, &(r.clone(), s.clone())),
        );
    }
    let (e, pair) = construct(&key.public, &some, &zero);
    let comment = "r + s = n, and the equation holds for every public key";
    push(group, Invalid, "ZeroSum", comment, (&e, &pair));
    // Nothing is multiplied by anything, and e = 0.
    for (r_name, r) in [("0", &zero), ("n", n)] {
        for (s_name, s) in [("0", &zero), ("n", n)] {
            let comment = format!("e = 0, r = {r_name}, s = {s_name}");
            push(
                group,
                Invalid,
                "ZeroValue",
                comment,
                (&zero, &(r.clone(), s.clone())),
            );
        }
    }
}

/// e + x is at least p, and was reduced by p instead of n.
fn add_modulo_p(group: &mut Tests, key: &KeyPair) {
    let (n, p) = (&curve().n, &curve().p);
    let t = scalar("t modulo p");
    let (r, s, x) = (0u32..)
        .map(|i| {
            let s = scalar(&format!("s modulo p, {i}"));
            let sum = multiply(&s, sm2::generator()).add(&multiply(&t, &key.public));
            (subtract(&t, &s), s, x_of(&sum))
        })
        .find(|(r, _, x)| r < x)
        .expect("r is below x in one case of two");
    let e = &r + p - &x;
    push(
        group,
        Invalid,
        "ModuloP",
        "r = e + x mod p",
        (&e, &(r.clone(), s.clone())),
    );
    let e = (&r + n - x % n) % n;
    push(
        group,
        Valid,
        "ValidSignature",
        "the same s and t with r = e + x mod n",
        (&e, &(r, s)),
    );
}

/// Public keys that are special points; for most of them nobody knows the private key.
fn special_keys() -> Vec<Tests> {
    let p = &curve().p;
    let zero = next_point(&BigUint::ZERO);
    let two_to_224 = BigUint::from(1u32) << 224;
    let last = (1u32..)
        .find_map(|i| Point::decompress(&(p - i), true).ok())
        .expect("about every second x is on the curve");
    let points = [
        ("a small x, even y", zero.clone()),
        ("a small x, odd y", zero.negate()),
        ("a large x", last),
        ("x about 2^224", next_point(&two_to_224)),
        ("G", sm2::generator().clone()),
    ];
    points
        .into_iter()
        .map(|(what, public)| special_key(what, &public))
        .collect()
}

fn special_key(what: &str, public: &Point) -> Tests {
    let mut tests = group(public);
    let (s, t) = (scalar("s of special keys"), scalar("t of special keys"));
    let (e, pair) = construct(public, &s, &t);
    let comment = format!("the public key has {what}");
    push(&mut tests, Valid, "EdgeCasePublicKey", comment, (&e, &pair));
    let (_, other) = construct(&public.negate(), &s, &t);
    let comment = "made for the opposite public key";
    let (r, s) = &other;
    let opposite_e = construct(&public.negate(), s, &t).0;
    push(
        &mut tests,
        Invalid,
        "WrongKey",
        comment,
        (&opposite_e, &(r.clone(), s.clone())),
    );
    tests
}

/// Signatures for which x lies in [n, p): the point is chosen, and the public key follows from it.
fn x_above_n() -> Vec<Tests> {
    let first = next_point(&curve().n);
    let second = next_point(&(x_of(&first) + 1u32));
    let last = (1u32..)
        .find_map(|i| Point::decompress(&(&curve().p - i), false).ok())
        .expect("about every second x is on the curve");
    [
        ("the least x above n", first.clone()),
        ("the least x above n, odd y", first.negate()),
        ("the next x above n", second),
        ("the largest x", last),
    ]
    .into_iter()
    .map(|(what, point)| x_above_n_of(what, &point))
    .collect()
}

fn x_above_n_of(what: &str, point: &Point) -> Tests {
    let n = &curve().n;
    let (s, t) = (scalar("s above n"), scalar("t above n"));
    let minus_s_g = multiply(&s, sm2::generator()).negate();
    let public = multiply(&invert(&t), &point.add(&minus_s_g));
    let mut tests = group(&public);
    let (e, pair) = construct(&public, &s, &t);
    push(&mut tests, Valid, "XAboveN", what, (&e, &pair));
    for (change, e) in [
        ("e + 1", &e + 1u32),
        ("e + p - n", (&e + &curve().p - n) % n),
    ] {
        let comment = format!("{what}, {change}");
        push(
            &mut tests,
            Invalid,
            "ModifiedSignature",
            comment,
            (&e, &pair),
        );
    }
    tests
}
