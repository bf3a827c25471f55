//! Which curve a key says it is on: only SM2 is let through, by name or by equal parameters.
use der::{
    Sequence, Tag, Tagged,
    asn1::{AnyRef, BitStringRef, ObjectIdentifier, OctetStringRef, UintRef},
};
use spki::AlgorithmIdentifierRef;

use crate::{Error, Result, oid};

const HIGH: u32 = u32::MAX;
/// p = 2^256 - 2^224 - 2^96 + 2^64 - 1
const P: [u8; 32] = bytes([HIGH - 1, HIGH, HIGH, HIGH, HIGH, 0, HIGH, HIGH]);
/// a = p - 3
const A: [u8; 32] = bytes([HIGH - 1, HIGH, HIGH, HIGH, HIGH, 0, HIGH, HIGH - 3]);
const B: [u8; 32] = bytes([
    0x28e9_fa9e,
    0x9d9f_5e34,
    0x4d5a_9e4b,
    0xcf65_09a7,
    0xf397_89f5,
    0x15ab_8f92,
    0xddbc_bd41,
    0x4d94_0e93,
]);
const N: [u8; 32] = bytes([
    HIGH - 1,
    HIGH,
    HIGH,
    HIGH,
    0x7203_df6b,
    0x21c6_052b,
    0x53bb_f409,
    0x39d5_4123,
]);
const GX: [u8; 32] = bytes([
    0x32c4_ae2c,
    0x1f19_8119,
    0x5f99_0446,
    0x6a39_c994,
    0x8fe3_0bbf,
    0xf266_0be1,
    0x715a_4589,
    0x334c_74c7,
]);
const GY: [u8; 32] = bytes([
    0xbc37_36a2,
    0xf4f6_779c,
    0x59bd_cee3,
    0x6b69_2153,
    0xd0a9_877c,
    0xc62a_4740,
    0x02df_32e5,
    0x2139_f0a0,
]);

/// SEC 1, C.2: `SpecifiedECDomain`, versions 1 to 3.
#[derive(Sequence)]
struct SpecifiedDomain<'a> {
    version: u8,
    field: FieldId<'a>,
    curve: Curve<'a>,
    base: &'a OctetStringRef,
    order: UintRef<'a>,
    #[asn1(optional = "true")]
    cofactor: Option<UintRef<'a>>,
    #[asn1(optional = "true")]
    hash: Option<AlgorithmIdentifierRef<'a>>,
}

#[derive(Sequence)]
struct FieldId<'a> {
    field_type: ObjectIdentifier,
    prime: AnyRef<'a>,
}

#[derive(Sequence)]
struct Curve<'a> {
    a: &'a OctetStringRef,
    b: &'a OctetStringRef,
    #[asn1(optional = "true")]
    seed: Option<BitStringRef<'a>>,
}

/// Checks the `AlgorithmIdentifier` of a key: id-ecPublicKey on SM2, or SM2 in both places.
pub(crate) fn check_algorithm(algorithm: &AlgorithmIdentifierRef<'_>) -> Result<()> {
    if algorithm.oid != oid::EC_PUBLIC_KEY && algorithm.oid != oid::SM2 {
        return Err(Error::WrongAlgorithm { oid: algorithm.oid });
    }
    check_parameters(algorithm.parameters.ok_or(Error::NoCurve)?)
}

/// Checks `ECParameters`: the name of SM2, or parameters equal to those of SM2.
pub(crate) fn check_parameters(parameters: AnyRef<'_>) -> Result<()> {
    match parameters.tag() {
        Tag::ObjectIdentifier => {
            let oid = parameters
                .decode_as()
                .map_err(Error::der("ECParameters.namedCurve"))?;
            if oid == oid::SM2 {
                Ok(())
            } else {
                Err(Error::WrongCurve { oid })
            }
        }
        Tag::Sequence => check_explicit(parameters),
        _ => Err(Error::NoCurve),
    }
}

fn check_explicit(parameters: AnyRef<'_>) -> Result<()> {
    const PATH: &str = "ECParameters.specifiedCurve";
    let domain: SpecifiedDomain<'_> = parameters.decode_as().map_err(Error::der(PATH))?;
    if !(1..=3).contains(&domain.version) {
        return Err(Error::Unsupported {
            what: "version of explicit curve parameters",
        });
    }
    let prime_field = domain.field.field_type == oid::PRIME_FIELD;
    same("field", prime_field)?;
    let prime: UintRef<'_> = domain.field.prime.decode_as().map_err(Error::der(PATH))?;
    same("p", prime.as_bytes() == P)?;
    same("a", domain.curve.a.as_bytes() == A)?;
    same("b", domain.curve.b.as_bytes() == B)?;
    same("G", is_generator(domain.base.as_bytes()))?;
    same("n", domain.order.as_bytes() == N)?;
    same("h", domain.cofactor.is_none_or(|h| h.as_bytes() == [1]))
}

fn same(what: &'static str, equal: bool) -> Result<()> {
    if equal {
        Ok(())
    } else {
        Err(Error::WrongParameters { what })
    }
}

/// Whether `point` is G, uncompressed or compressed (y of G is even).
fn is_generator(point: &[u8]) -> bool {
    match point.split_first() {
        Some((4, xy)) => xy.split_at_checked(32) == Some((&GX, &GY)),
        Some((2, x)) => x == GX,
        _ => false,
    }
}

const fn bytes(words: [u32; 8]) -> [u8; 32] {
    let mut out = [0; 32];
    let mut i = 0;
    while i < 32 {
        out[i] = words[i / 4].to_be_bytes()[i % 4];
        i += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use der::{Decode, Encode};

    use super::*;

    fn domain(order: &[u8; 32], base: &[u8]) -> Vec<u8> {
        SpecifiedDomain {
            version: 1,
            field: FieldId {
                field_type: oid::PRIME_FIELD,
                prime: AnyRef::from_der(&UintRef::new(&P).unwrap().to_der().unwrap()).unwrap(),
            },
            curve: Curve {
                a: OctetStringRef::new(&A).unwrap(),
                b: OctetStringRef::new(&B).unwrap(),
                seed: None,
            },
            base: OctetStringRef::new(base).unwrap(),
            order: UintRef::new(order).unwrap(),
            cofactor: Some(UintRef::new(&[1]).unwrap()),
            hash: None,
        }
        .to_der()
        .unwrap()
    }

    #[test]
    fn explicit_parameters_must_be_those_of_sm2() {
        let check = |der: &[u8]| check_parameters(AnyRef::from_der(der).unwrap());
        let uncompressed = [&[4][..], &GX, &GY].concat();
        let compressed = [&[2][..], &GX].concat();
        assert!(check(&domain(&N, &uncompressed)).is_ok());
        assert!(check(&domain(&N, &compressed)).is_ok());
        let mut other = N;
        other[31] ^= 2;
        assert!(matches!(
            check(&domain(&other, &uncompressed)),
            Err(Error::WrongParameters { what: "n" })
        ));
        assert!(matches!(
            check(&domain(&N, &uncompressed[..64])),
            Err(Error::WrongParameters { what: "G" })
        ));
    }

    #[test]
    fn other_curves_are_named() {
        let p256 = ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7")
            .to_der()
            .unwrap();
        let error = check_parameters(AnyRef::from_der(&p256).unwrap()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "key is on P-256 (1.2.840.10045.3.1.7), not SM2"
        );
        assert!(matches!(
            check_parameters(AnyRef::NULL),
            Err(Error::NoCurve)
        ));
    }
}
