//! Private keys as `ECPrivateKey` (SEC 1, RFC 5915), DER: also the inner part of PKCS#8.
use ::sec1::{EcParameters, EcPrivateKey};
use der::{
    Decode, Encode, Sequence,
    asn1::{AnyRef, BitStringRef, OctetStringRef},
};
use shangmi::sm2::{PrivateKey, PublicKey};
use zeroize::Zeroizing;

use crate::{Error, Result, curve, oid, spki};

const PATH: &str = "ECPrivateKey";

/// The label of the PEM form.
pub const LABEL: &str = "EC PRIVATE KEY";
/// The label that OpenSSL 3 gives to SM2 keys of this structure (`openssl ec`).
pub const OPENSSL_LABEL: &str = "SM2 PRIVATE KEY";

/// RFC 5915's `ECPrivateKey` for reading. The type of the crate `sec1`, which writes here, knows only
/// named curves; this one also takes explicit parameters in.
#[derive(Sequence)]
struct AnyEcPrivateKey<'a> {
    version: u8,
    private_key: &'a OctetStringRef,
    #[asn1(context_specific = "0", tag_mode = "EXPLICIT", optional = "true")]
    parameters: Option<AnyRef<'a>>,
    #[asn1(context_specific = "1", tag_mode = "EXPLICIT", optional = "true")]
    public_key: Option<BitStringRef<'a>>,
}

/// Reads a private key that stands alone: it must say that it is on SM2.
///
/// `ECPrivateKey` = SEQUENCE { 1, OCTET STRING d, \[0\] curve, \[1\] BIT STRING point OPTIONAL }
///
/// - `der`: the whole structure and nothing else; d has 32 bytes
/// # Errors
/// [`Error::Der`], [`Error::NoCurve`], [`Error::WrongCurve`], [`Error::WrongParameters`],
/// [`Error::Length`] for a d of another length, [`Error::PublicKeyMismatch`] for a point that is not d * G,
/// [`Error::Crypto`] for d outside [1, n-2] or a bad point.
/// # Timing
/// Constant in d.
/// # Standard
/// RFC 5915, section 3
pub fn read(der: &[u8]) -> Result<PrivateKey> {
    let key = AnyEcPrivateKey::from_der(der).map_err(Error::der(PATH))?;
    curve::check_parameters(key.parameters.ok_or(Error::NoCurve)?)?;
    private_key(&key)
}

/// Reads the private key inside PKCS#8, where the curve may be named outside only.
pub(crate) fn read_inner(der: &[u8]) -> Result<PrivateKey> {
    let key = AnyEcPrivateKey::from_der(der).map_err(Error::der("PrivateKeyInfo.privateKey"))?;
    key.parameters.map_or(Ok(()), curve::check_parameters)?;
    private_key(&key)
}

/// Writes a private key with its curve and its public key (121 bytes).
///
/// # Timing
/// Constant in d.
/// # Standard
/// RFC 5915, section 3
#[must_use]
pub fn write(key: &PrivateKey) -> Zeroizing<Vec<u8>> {
    encode(key, Some(EcParameters::NamedCurve(oid::SM2)))
}

/// Writes the private key that goes into PKCS#8, where the curve stands outside.
pub(crate) fn write_inner(key: &PrivateKey) -> Zeroizing<Vec<u8>> {
    encode(key, None)
}

fn encode(key: &PrivateKey, parameters: Option<EcParameters>) -> Zeroizing<Vec<u8>> {
    let d = key.to_bytes();
    let point = key.public_key().to_uncompressed();
    let der = EcPrivateKey {
        private_key: &d[..],
        parameters,
        public_key: Some(&point),
    }
    .to_der();
    Zeroizing::new(spki::encoded(der))
}

fn private_key(fields: &AnyEcPrivateKey<'_>) -> Result<PrivateKey> {
    if fields.version != 1 {
        return Err(Error::Unsupported {
            what: "version of ECPrivateKey",
        });
    }
    let d = fields.private_key.as_bytes();
    if d.len() != 32 {
        return Err(Error::Length {
            what: "private key",
            expected: "32",
            found: d.len(),
        });
    }
    let key = PrivateKey::from_slice(d)?;
    if let Some(bits) = fields.public_key {
        check_pair(&key, &spki::point(bits)?)?;
    }
    Ok(key)
}

/// Refuses a private key whose stored public key is not its own: a signature made with such a
/// pair can give the private key away, and nobody could verify it.
pub(crate) fn check_pair(key: &PrivateKey, stored: &PublicKey) -> Result<()> {
    if key.public_key() == stored {
        Ok(())
    } else {
        Err(Error::PublicKeyMismatch)
    }
}
