//! Signatures as bytes: DER, or 64 bytes r and s.
use der::{Decode, Encode, Sequence, asn1::UintRef};
use shangmi::sm2::Signature;

use crate::{Error, Result, spki};

const PATH: &str = "SM2Signature";

/// The form of a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SignatureFormat {
    /// SEQUENCE { r INTEGER, s INTEGER }, the standard form; 70 to 72 bytes, rarely fewer.
    Der,
    /// r || s, big-endian, exactly 64 bytes.
    Raw,
}

#[derive(Sequence)]
struct DerSignature<'a> {
    r: UintRef<'a>,
    s: UintRef<'a>,
}

/// Reads a signature of either form.
///
/// - `bytes`: the signature and nothing else
/// - returns: the signature, and its form. 64 bytes are r || s unless they are a whole DER
///   structure, which those of a raw signature are not by accident.
/// # Errors
/// [`Error::Der`], [`Error::NegativeInteger`], [`Error::Length`], [`Error::Crypto`] for r or s outside [1, n-1].
/// # Timing
/// Variable: signatures are public.
/// # Standard
/// GM/T 0009-2012, section 7.3
/// # Example
/// ```
/// use shangmi_pki::signature;
/// let raw = [0x11; 64];
/// let (signature, _) = signature::read(&raw)?;
/// let der = signature::write(&signature, signature::SignatureFormat::Der);
/// assert_eq!(signature::read_der(&der)?, signature);
/// # Ok::<(), shangmi_pki::Error>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<(Signature, SignatureFormat)> {
    match read_der(bytes) {
        Ok(signature) => Ok((signature, SignatureFormat::Der)),
        Err(_) if bytes.len() == 64 => Ok((read_raw(bytes)?, SignatureFormat::Raw)),
        Err(e) => Err(e),
    }
}

/// Reads a DER signature: minimal INTEGERs, nothing trailing.
///
/// # Errors
/// [`Error::Der`]; [`Error::NegativeInteger`] where a 00 is missing, as some writers do;
/// [`Error::Crypto`] for r or s outside [1, n-1].
/// # Timing
/// Variable: signatures are public.
/// # Standard
/// GM/T 0009-2012, section 7.3
pub fn read_der(bytes: &[u8]) -> Result<Signature> {
    let fields = DerSignature::from_der(bytes).map_err(Error::der(PATH))?;
    let r = fixed(fields.r).ok_or(shangmi::Error::SignatureOutOfRange)?;
    let s = fixed(fields.s).ok_or(shangmi::Error::SignatureOutOfRange)?;
    Ok(Signature::from_scalars(&r, &s)?)
}

/// Reads r || s.
///
/// # Errors
/// [`Error::Length`] unless there are 64 bytes, [`Error::Crypto`] for r or s outside [1, n-1].
/// # Timing
/// Variable: signatures are public.
pub fn read_raw(bytes: &[u8]) -> Result<Signature> {
    if bytes.len() != 64 {
        return Err(Error::Length {
            what: "raw signature",
            expected: "64",
            found: bytes.len(),
        });
    }
    Ok(Signature::from_slice(bytes)?)
}

/// Writes a signature.
///
/// # Timing
/// Variable: signatures are public.
/// # Standard
/// GM/T 0009-2012, section 7.3
#[must_use]
pub fn write(signature: &Signature, format: SignatureFormat) -> Vec<u8> {
    match format {
        SignatureFormat::Raw => signature.to_bytes().to_vec(),
        SignatureFormat::Der => spki::encoded(
            DerSignature {
                r: uint(signature.r()),
                s: uint(signature.s()),
            }
            .to_der(),
        ),
    }
}

/// The number as 32 bytes, if it fits.
pub(crate) fn fixed(number: UintRef<'_>) -> Option<[u8; 32]> {
    let mut out = [0; 32];
    let start = 32_usize.checked_sub(number.as_bytes().len())?;
    out[start..].copy_from_slice(number.as_bytes());
    Some(out)
}

/// 32 bytes as an INTEGER.
pub(crate) fn uint(bytes: &[u8; 32]) -> UintRef<'_> {
    UintRef::new(bytes).expect("32 bytes are an INTEGER")
}
