//! Public keys as `SubjectPublicKeyInfo` (RFC 5480), DER.
use ::spki::{AlgorithmIdentifier, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef};
use der::{
    Decode, Encode,
    asn1::{BitStringRef, ObjectIdentifier},
};
use shangmi::sm2::PublicKey;

use crate::{Error, Result, curve, oid};

const PATH: &str = "SubjectPublicKeyInfo";

/// The label of the PEM form.
pub const LABEL: &str = "PUBLIC KEY";

/// Reads a public key.
///
/// `SubjectPublicKeyInfo` = SEQUENCE { SEQUENCE { algorithm, curve }, BIT STRING point }
///
/// - `der`: the whole structure and nothing else; the algorithm is id-ecPublicKey or (a dialect)
///   that of the curve; the curve is named, or given by parameters equal to those of SM2; the
///   point is compressed or not
/// # Errors
/// [`Error::Der`], [`Error::WrongAlgorithm`], [`Error::WrongCurve`], [`Error::WrongParameters`],
/// [`Error::NoCurve`]; [`Error::Crypto`] for a point that is not on the curve.
/// # Timing
/// Variable: all inputs are public.
/// # Standard
/// RFC 5480, section 2
pub fn read(der: &[u8]) -> Result<PublicKey> {
    from_info(&SubjectPublicKeyInfoRef::from_der(der).map_err(Error::der(PATH))?)
}

/// The public key in a structure whose DER has been read.
pub(crate) fn from_info(info: &SubjectPublicKeyInfoRef<'_>) -> Result<PublicKey> {
    curve::check_algorithm(&info.algorithm)?;
    point(info.subject_public_key)
}

/// Writes a public key: id-ecPublicKey, named curve, uncompressed point (91 bytes).
///
/// # Timing
/// Constant.
/// # Standard
/// RFC 5480, section 2
#[must_use]
pub fn write(key: &PublicKey) -> Vec<u8> {
    let point = key.to_uncompressed();
    let info = BitStringRef::from_bytes(&point).map(|subject_public_key| SubjectPublicKeyInfo {
        algorithm: algorithm(),
        subject_public_key,
    });
    encoded(info.and_then(|info| info.to_der()))
}

/// The bytes of a structure of a small and bounded size: its encoding cannot fail.
pub(crate) fn encoded(der: der::Result<Vec<u8>>) -> Vec<u8> {
    der.expect("a small structure can be encoded")
}

/// The `AlgorithmIdentifier` of every SM2 key that we write.
pub(crate) fn algorithm() -> AlgorithmIdentifier<ObjectIdentifier> {
    AlgorithmIdentifier {
        oid: oid::EC_PUBLIC_KEY,
        parameters: Some(oid::SM2),
    }
}

/// The point in a BIT STRING.
pub(crate) fn point(bits: BitStringRef<'_>) -> Result<PublicKey> {
    let bytes = bits.as_bytes().ok_or(Error::Length {
        what: "public key",
        expected: "whole bytes; 33 or 65",
        found: bits.raw_bytes().len(),
    })?;
    Ok(PublicKey::from_sec1(bytes)?)
}
