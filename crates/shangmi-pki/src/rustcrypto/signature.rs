//! Signatures that are DER as bytes.
use ::signature::SignatureEncoding;
use ::spki::{
    AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SignatureBitStringEncoding,
    der::{self, AnyRef, asn1::BitString},
};
use shangmi::sm2::Signature;

use crate::{Error, Result, SignatureFormat, oid, signature};

/// A signature that is SEQUENCE { r INTEGER, s INTEGER } as bytes: the form in certificates.
///
/// Implements [`SignatureEncoding`], [`SignatureBitStringEncoding`] and [`AssociatedAlgorithmIdentifier`]. A [`Signature`] itself is
/// r ‖ s under `SignatureEncoding`.
///
/// # Standard
/// GM/T 0009-2012, section 7.3
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerSignature(pub Signature);

impl TryFrom<&[u8]> for DerSignature {
    type Error = Error;

    fn try_from(der: &[u8]) -> Result<Self> {
        signature::read_der(der).map(Self)
    }
}

impl From<DerSignature> for Vec<u8> {
    fn from(signature: DerSignature) -> Self {
        signature::write(&signature.0, SignatureFormat::Der)
    }
}

impl SignatureEncoding for DerSignature {
    type Repr = Vec<u8>;
}

impl SignatureBitStringEncoding for DerSignature {
    fn to_bitstring(&self) -> der::Result<BitString> {
        BitString::from_bytes(&self.to_bytes())
    }
}

impl AssociatedAlgorithmIdentifier for DerSignature {
    type Params = AnyRef<'static>;

    const ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> = SM2_WITH_SM3;
}

/// What certificates name their signature's algorithm; there are no parameters, not even NULL.
pub(super) const SM2_WITH_SM3: AlgorithmIdentifier<AnyRef<'static>> = AlgorithmIdentifier {
    oid: oid::SM2_WITH_SM3,
    parameters: None,
};
