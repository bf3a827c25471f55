//! Keys that give their curve by its parameters.

use num_bigint::BigUint;
use reference::sm2::{Point, curve};

use super::spki::{oid, with};
use super::{Tests, push_bad, push_key};
use crate::sm2_vectors::der::{octets, sequence, unsigned};
use crate::sm2_vectors::format::Verdict::Acceptable;
use crate::sm2_vectors::keys::{EC_PUBLIC_KEY, bytes32, compressed, uncompressed};

/// prime-field, 1.2.840.10045.1.1.
const PRIME_FIELD: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x01];
/// characteristic-two-field, 1.2.840.10045.1.2.
const BINARY_FIELD: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x02];

/// `SpecifiedECDomain` of SEC 1, C.2.
struct Domain {
    version: u32,
    field: &'static [u8],
    p: BigUint,
    a: BigUint,
    b: BigUint,
    base: Vec<u8>,
    n: BigUint,
    h: Option<u32>,
}

impl Domain {
    /// The parameters of SM2, changed.
    fn changed(change: impl FnOnce(&mut Self)) -> Vec<u8> {
        let curve = curve();
        let mut domain = Self {
            version: 1,
            field: PRIME_FIELD,
            p: curve.p.clone(),
            a: curve.a.clone(),
            b: curve.b.clone(),
            base: uncompressed(&curve.g),
            n: curve.n.clone(),
            h: Some(1),
        };
        change(&mut domain);
        domain.der()
    }

    fn der(&self) -> Vec<u8> {
        let field = sequence(&[&oid(self.field), &unsigned(&self.p)]);
        let [a, b] = [&self.a, &self.b].map(|value| octets(&bytes32(value)));
        let coefficients = sequence(&[&a, &b]);
        let h = self.h.map(|h| unsigned(&h.into())).unwrap_or_default();
        let version = unsigned(&self.version.into());
        let (base, n) = (octets(&self.base), unsigned(&self.n));
        sequence(&[&version, &field, &coefficients, &base, &n, &h])
    }
}

pub(super) fn add(group: &mut Tests, point: &Point) {
    let encoded = |domain: &[u8]| with(&oid(EC_PUBLIC_KEY), domain, &uncompressed(point));
    let compressed = Domain::changed(|domain| domain.base = compressed(&curve().g));
    for (comment, domain) in [
        ("the curve by its parameters", Domain::changed(|_| ())),
        ("the curve by its parameters, G compressed", compressed),
        (
            "the curve by its parameters, no cofactor",
            Domain::changed(|domain| domain.h = None),
        ),
    ] {
        let both = (encoded(&domain), point);
        push_key(group, Acceptable, "ExplicitParameters", comment, both);
    }
    let of_base =
        bases(point).map(|(what, base)| (what, Domain::changed(|domain| domain.base = base)));
    for (what, domain) in of_base.into_iter().chain(numbers()) {
        let comment = format!("the curve by its parameters, {what}");
        push_bad(group, "WrongParameters", comment, encoded(&domain));
    }
}

/// Other generators.
fn bases(point: &Point) -> [(&'static str, Vec<u8>); 4] {
    let g = &curve().g;
    [
        (
            "the generator is the public key: d = 1",
            uncompressed(point),
        ),
        ("the generator is 2G", uncompressed(&g.double())),
        ("the generator is -G", uncompressed(&g.negate())),
        ("the generator is infinity", vec![0]),
    ]
}

/// Other numbers.
fn numbers() -> [(&'static str, Vec<u8>); 10] {
    [
        ("b + 1", Domain::changed(|domain| domain.b += 1u32)),
        ("a - 1", Domain::changed(|domain| domain.a -= 1u32)),
        ("p + 2", Domain::changed(|domain| domain.p += 2u32)),
        ("n + 2", Domain::changed(|domain| domain.n += 2u32)),
        ("n = 1", Domain::changed(|domain| domain.n = 1u32.into())),
        ("n = 0", Domain::changed(|domain| domain.n = 0u32.into())),
        ("cofactor 2", Domain::changed(|domain| domain.h = Some(2))),
        ("cofactor 0", Domain::changed(|domain| domain.h = Some(0))),
        ("version 0", Domain::changed(|domain| domain.version = 0)),
        (
            "a binary field",
            Domain::changed(|domain| domain.field = BINARY_FIELD),
        ),
    ]
}
