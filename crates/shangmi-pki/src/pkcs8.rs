//! Private keys as PKCS#8 `PrivateKeyInfo` (RFC 5208, RFC 5958), DER; not encrypted.
//!
//! The encrypted form is in [`crate::pbes2`].
use ::pkcs8::{PrivateKeyInfo, PrivateKeyInfoRef};
use der::{
    Decode, Encode,
    asn1::{BitStringRef, OctetStringRef},
};
use shangmi::sm2::PrivateKey;
use zeroize::Zeroizing;

use crate::{Error, Result, curve, sec1, spki};

/// The label of the PEM form.
pub const LABEL: &str = "PRIVATE KEY";

/// Reads a private key.
///
/// `PrivateKeyInfo` = SEQUENCE { 0, SEQUENCE { id-ecPublicKey, curve }, OCTET STRING { `ECPrivateKey` }, ... }
///
/// - `der`: the whole structure and nothing else; attributes are skipped; the inner key may leave
///   out its curve and its public key; version 1 with a public key of its own is read as well
/// # Errors
/// As [`sec1::read`], and [`Error::WrongAlgorithm`].
/// # Timing
/// Constant in d.
/// # Standard
/// RFC 5208, section 5; RFC 5958, section 2
pub fn read(der: &[u8]) -> Result<PrivateKey> {
    from_info(&PrivateKeyInfoRef::from_der(der).map_err(Error::der("PrivateKeyInfo"))?)
}

/// The private key in a structure whose DER has been read.
pub(crate) fn from_info(info: &PrivateKeyInfoRef<'_>) -> Result<PrivateKey> {
    curve::check_algorithm(&info.algorithm)?;
    let key = sec1::read_inner(info.private_key.as_bytes())?;
    if let Some(bits) = info.public_key {
        sec1::check_pair(&key, &spki::point(bits)?)?;
    }
    Ok(key)
}

/// Writes a private key: the curve outside, the public key in the inner structure (138 bytes).
///
/// # Timing
/// Constant in d.
/// # Standard
/// RFC 5208, section 5
#[must_use]
pub fn write(key: &PrivateKey) -> Zeroizing<Vec<u8>> {
    let inner = sec1::write_inner(key);
    let info = OctetStringRef::new(&inner)
        .map(|octets| PrivateKeyInfo::<_, _, BitStringRef<'_>>::new(spki::algorithm(), octets));
    Zeroizing::new(spki::encoded(info.and_then(|info| info.to_der())))
}
