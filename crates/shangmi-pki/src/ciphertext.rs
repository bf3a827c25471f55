//! One bare SM2 ciphertext as bytes: DER, C1C3C2 or C1C2C3, for exchange with other programs.
//!
//! For files use [`crate::container`]: a bare ciphertext must be held in memory whole, and says nothing about
//! its form.
use der::{
    Decode, Encode, Sequence,
    asn1::{OctetStringRef, UintRef},
};
use shangmi::{
    rng::Rng,
    sm2::{self, Ciphertext, PrivateKey, PublicKey},
};
use zeroize::Zeroizing;

use crate::{
    Error, Result,
    signature::{fixed, uint},
};

const PATH: &str = "SM2Cipher";
const C3_LEN: usize = 32;

/// The form of a ciphertext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CiphertextFormat {
    /// `SM2Cipher`, SEQUENCE { x, y, C3, C2 }: what OpenSSL and GmSSL write.
    Der,
    /// 04 || x || y || C3 || C2, the order of today's standard.
    C1C3C2,
    /// 04 || x || y || C2 || C3, the old order.
    C1C2C3,
    /// x || y || C3 || C2: C1C3C2 without its 04, as JavaScript libraries write it.
    BareC1C3C2,
    /// x || y || C2 || C3: C1C2C3 without its 04.
    BareC1C2C3,
}

/// The raw forms, likeliest first.
const RAW_FORMATS: [CiphertextFormat; 4] = [
    CiphertextFormat::C1C3C2,
    CiphertextFormat::BareC1C3C2,
    CiphertextFormat::C1C2C3,
    CiphertextFormat::BareC1C2C3,
];

/// A ciphertext that owns its C2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CiphertextBuf {
    /// The sender's ephemeral point.
    pub c1: PublicKey,
    /// The digest that detects changes, 32 bytes.
    pub c3: [u8; C3_LEN],
    /// As long as the plaintext.
    pub c2: Vec<u8>,
}

impl CiphertextBuf {
    /// The same ciphertext, borrowed.
    #[must_use]
    pub fn as_ciphertext(&self) -> Ciphertext<'_> {
        Ciphertext {
            c1: self.c1,
            c3: self.c3,
            c2: &self.c2,
        }
    }
}

#[derive(Sequence)]
struct DerCiphertext<'a> {
    x: UintRef<'a>,
    y: UintRef<'a>,
    hash: &'a OctetStringRef,
    cipher: &'a OctetStringRef,
}

/// Reads a ciphertext of a known form.
///
/// # Errors
/// [`Error::Der`], [`Error::NegativeInteger`]; [`Error::Length`] if C3 is not 32 bytes, C2 is
/// empty or bytes are missing; [`Error::Crypto`] if C1 is not on the curve.
/// # Timing
/// Variable: ciphertexts are public.
/// # Standard
/// GM/T 0009-2012, section 7.2 (DER); GB/T 32918.4-2016, section 6.1 (C1C3C2)
pub fn read(bytes: &[u8], format: CiphertextFormat) -> Result<CiphertextBuf> {
    let (bytes, c3_first) = match format {
        CiphertextFormat::Der => return read_der(bytes),
        CiphertextFormat::C1C3C2 => (without_prefix(bytes)?, true),
        CiphertextFormat::C1C2C3 => (without_prefix(bytes)?, false),
        CiphertextFormat::BareC1C3C2 => (bytes, true),
        CiphertextFormat::BareC1C2C3 => (bytes, false),
    };
    let too_short = TOO_SHORT(bytes.len());
    let (x, rest) = bytes.split_first_chunk().ok_or(too_short)?;
    let (y, rest) = rest.split_first_chunk().ok_or(TOO_SHORT(bytes.len()))?;
    let (c3, c2) = if c3_first {
        rest.split_first_chunk()
    } else {
        rest.split_last_chunk().map(|(c2, c3)| (c3, c2))
    }
    .filter(|(_, c2)| !c2.is_empty())
    .ok_or(TOO_SHORT(bytes.len()))?;
    Ok(CiphertextBuf {
        c1: PublicKey::from_coordinates(x, y)?,
        c3: *c3,
        c2: c2.to_vec(),
    })
}

/// Writes a ciphertext.
///
/// # Errors
/// [`Error::Der`] for a C2 of 256 MiB and more as DER: the DER writer's limit.
/// # Timing
/// Variable: ciphertexts are public.
/// # Standard
/// As [`read`].
pub fn write(ciphertext: &Ciphertext<'_>, format: CiphertextFormat) -> Result<Vec<u8>> {
    let (x, y) = (ciphertext.c1.x(), ciphertext.c1.y());
    let (c3, c2) = (&ciphertext.c3[..], ciphertext.c2);
    Ok(match format {
        CiphertextFormat::Der => return write_der(ciphertext),
        CiphertextFormat::C1C3C2 => [&[4], &x[..], &y, c3, c2].concat(),
        CiphertextFormat::C1C2C3 => [&[4], &x[..], &y, c2, c3].concat(),
        CiphertextFormat::BareC1C3C2 => [&x[..], &y, c3, c2].concat(),
        CiphertextFormat::BareC1C2C3 => [&x[..], &y, c2, c3].concat(),
    })
}

/// Encrypts to a public key.
///
/// - `plaintext`: at least one byte
/// - returns: the ciphertext in the form asked for
/// # Errors
/// [`Error::Crypto`] for an empty plaintext or a failing random number generator.
/// # Timing
/// Constant in the plaintext's bytes.
/// # Standard
/// GB/T 32918.4-2016, section 6.1
pub fn encrypt(
    key: &PublicKey,
    plaintext: &[u8],
    format: CiphertextFormat,
    rng: &mut (impl Rng + ?Sized),
) -> Result<Vec<u8>> {
    let mut c2 = vec![0; plaintext.len()];
    write(&sm2::encrypt(key, plaintext, &mut c2, rng)?, format)
}

/// Decrypts a ciphertext of a known form.
///
/// - returns: the plaintext
/// # Errors
/// As [`read`], and [`Error::Crypto`] with `DecryptFailed` if C3 does not match: another key,
/// another form, or changed bytes.
/// # Timing
/// Constant in the key and the plaintext's bytes.
/// # Standard
/// GB/T 32918.4-2016, section 7.1
pub fn decrypt(
    bytes: &[u8],
    format: CiphertextFormat,
    key: &PrivateKey,
) -> Result<Zeroizing<Vec<u8>>> {
    open(&read(bytes, format)?, key)
}

/// Decrypts a ciphertext whose form is not known.
///
/// The form is that under which C1 is on the curve and C3 matches. The first byte alone decides
/// nothing: x begins with 04 in one of 256 ciphertexts that have no 04 in front.
///
/// - returns: the plaintext, and the form
/// # Errors
/// [`Error::NotRecognised`] if the bytes are a ciphertext under no form; [`Error::Crypto`] with `DecryptFailed` if they are but C3 matches under none.
/// # Timing
/// Constant in the key and the plaintext's bytes; which form fits can be seen.
/// # Standard
/// GB/T 32918.4-2016, section 7.1
pub fn decrypt_auto(
    bytes: &[u8],
    key: &PrivateKey,
) -> Result<(Zeroizing<Vec<u8>>, CiphertextFormat)> {
    if let Ok(ciphertext) = read_der(bytes) {
        return Ok((open(&ciphertext, key)?, CiphertextFormat::Der));
    }
    let mut readable = false;
    for format in RAW_FORMATS {
        let Ok(ciphertext) = read(bytes, format) else {
            continue;
        };
        readable = true;
        match open(&ciphertext, key) {
            Ok(plaintext) => return Ok((plaintext, format)),
            Err(Error::Crypto(shangmi::Error::DecryptFailed)) => {}
            Err(e) => return Err(e),
        }
    }
    Err(if readable {
        shangmi::Error::DecryptFailed.into()
    } else {
        Error::NotRecognised {
            what: "an SM2 ciphertext",
        }
    })
}

const TOO_SHORT: fn(usize) -> Error = |found| Error::Length {
    what: "SM2 ciphertext",
    expected: "more than 96 without its 04",
    found,
};

fn open(ciphertext: &CiphertextBuf, key: &PrivateKey) -> Result<Zeroizing<Vec<u8>>> {
    let mut plaintext = Zeroizing::new(vec![0; ciphertext.c2.len()]);
    sm2::decrypt(key, &ciphertext.as_ciphertext(), &mut plaintext)?;
    Ok(plaintext)
}

fn without_prefix(bytes: &[u8]) -> Result<&[u8]> {
    match bytes.split_first() {
        Some((4, rest)) => Ok(rest),
        Some(_) => Err(shangmi::Error::InvalidPoint(shangmi::PointError::UnknownForm).into()),
        None => Err(TOO_SHORT(0)),
    }
}

fn read_der(bytes: &[u8]) -> Result<CiphertextBuf> {
    const OUTSIDE: shangmi::Error =
        shangmi::Error::InvalidPoint(shangmi::PointError::CoordinateOutOfRange);
    let fields = DerCiphertext::from_der(bytes).map_err(Error::der(PATH))?;
    let x = fixed(fields.x).ok_or(OUTSIDE)?;
    let y = fixed(fields.y).ok_or(OUTSIDE)?;
    let hash = fields.hash.as_bytes();
    let c3 = hash.try_into().map_err(|_| Error::Length {
        what: "C3 of the SM2 ciphertext",
        expected: "32",
        found: hash.len(),
    })?;
    let c2 = fields.cipher.as_bytes().to_vec();
    if c2.is_empty() {
        return Err(Error::Length {
            what: "C2 of the SM2 ciphertext",
            expected: "1 or more",
            found: 0,
        });
    }
    Ok(CiphertextBuf {
        c1: PublicKey::from_coordinates(&x, &y)?,
        c3,
        c2,
    })
}

fn write_der(ciphertext: &Ciphertext<'_>) -> Result<Vec<u8>> {
    let (x, y) = (ciphertext.c1.x(), ciphertext.c1.y());
    let encode = || {
        DerCiphertext {
            x: uint(&x),
            y: uint(&y),
            hash: OctetStringRef::new(&ciphertext.c3)?,
            cipher: OctetStringRef::new(ciphertext.c2)?,
        }
        .to_der()
    };
    encode().map_err(Error::der(PATH))
}
