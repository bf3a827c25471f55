//! One way in for keys of every form, one way out for each.
use core::fmt;

use shangmi::{
    rng::Rng,
    sm2::{PrivateKey, PublicKey},
};
use zeroize::Zeroizing;

use crate::{Error, Result, hex_key, pbes2, pem, pkcs8, sec1, spki, structure::Structure};

/// The form of a key in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyFormat {
    /// Private: PKCS#8 as PEM, the standard form.
    Pkcs8Pem,
    /// Private: PKCS#8 as DER.
    Pkcs8Der,
    /// Private: PKCS#8 encrypted with a passphrase, as PEM.
    EncryptedPkcs8Pem,
    /// Private: PKCS#8 encrypted with a passphrase, as DER.
    EncryptedPkcs8Der,
    /// Private: SEC 1 as PEM (`EC PRIVATE KEY`).
    Sec1Pem,
    /// Private: SEC 1 as DER.
    Sec1Der,
    /// Public: `SubjectPublicKeyInfo` as PEM, the standard form.
    SpkiPem,
    /// Public: `SubjectPublicKeyInfo` as DER.
    SpkiDer,
    /// Bare bytes: d (32), or 04, x and y (65).
    Raw,
    /// Public, bare bytes: x and y (64).
    RawXy,
    /// Public, bare bytes: 02 or 03, and x (33).
    RawCompressed,
    /// Hex digits: d (64), or 04, x and y (130).
    Hex,
    /// Private: 00 and d as 66 hex digits, as signed big integers are printed.
    HexSigned,
    /// Public: x and y as 128 hex digits.
    HexXy,
    /// Public: 02 or 03, and x, as 66 hex digits.
    HexCompressed,
}

impl fmt::Display for KeyFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pkcs8Pem => "PKCS#8 PEM",
            Self::Pkcs8Der => "PKCS#8 DER",
            Self::EncryptedPkcs8Pem => "encrypted PKCS#8 PEM",
            Self::EncryptedPkcs8Der => "encrypted PKCS#8 DER",
            Self::Sec1Pem => "SEC 1 PEM",
            Self::Sec1Der => "SEC 1 DER",
            Self::SpkiPem => "SubjectPublicKeyInfo PEM",
            Self::SpkiDer => "SubjectPublicKeyInfo DER",
            Self::Raw => "raw bytes",
            Self::RawXy => "raw x and y",
            Self::RawCompressed => "raw compressed point",
            Self::Hex => "hex",
            Self::HexSigned => "hex with a leading 00",
            Self::HexXy => "hex x and y",
            Self::HexCompressed => "hex compressed point",
        })
    }
}

/// A key of either kind.
#[derive(Clone, Debug)]
pub enum Key {
    /// A private key, with its public key.
    Private(PrivateKey),
    /// A public key.
    Public(PublicKey),
}

impl Key {
    /// The public key of either kind.
    #[must_use]
    pub fn public_key(&self) -> &PublicKey {
        match self {
            Self::Private(key) => key.public_key(),
            Self::Public(key) => key,
        }
    }
}

/// Where a passphrase comes from when a file turns out to need one.
type Passphrase<'a> = Option<&'a [u8]>;

/// Reads a private key of any form that is not encrypted.
///
/// - `file`: the whole file. PEM may have text around it and may hold other blocks (`EC
///   PARAMETERS`, public keys, certificates), but only one private key. Hex may have white space
///   around it. DER and raw bytes stand alone.
/// - returns: the key, and the form that it had
/// # Errors
/// [`Error::PassphraseNeeded`] for an encrypted key, [`Error::PublicKeyGiven`] for a public key,
/// [`Error::CertificateGiven`] for a certificate, [`Error::Ambiguous`] for several private keys,
/// [`Error::HexLength`] for too few or too many digits, [`Error::NotRecognised`] for something
/// else; the errors of [`pkcs8::read`] and [`sec1::read`]; and those of [`pbes2::decrypt`] for an
/// encrypted key that no passphrase would open.
/// # Timing
/// Constant in the key, except for which form the file has.
/// # Example
/// ```
/// use shangmi_pki::{KeyFormat, key};
/// let digits = b"3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8\n";
/// let (private_key, format) = key::read_private_key(digits)?;
/// assert_eq!(format, KeyFormat::Hex);
/// let pem = key::write_private_key(&private_key, KeyFormat::Pkcs8Pem)?;
/// assert_eq!(key::read_private_key(&pem)?.1, KeyFormat::Pkcs8Pem);
/// # Ok::<(), shangmi_pki::Error>(())
/// ```
pub fn read_private_key(file: &[u8]) -> Result<(PrivateKey, KeyFormat)> {
    private(file, None)
}

/// Reads a private key of any form, encrypted or not.
///
/// - `file`: as for [`read_private_key`]
/// - `passphrase`: bytes; not looked at when the key is not encrypted
/// - returns: the key, and the form that it had
/// # Errors
/// As [`read_private_key`], and those of [`pbes2::decrypt`].
/// # Timing
/// Constant in the key and the passphrase's bytes.
pub fn read_private_key_with(file: &[u8], passphrase: &[u8]) -> Result<(PrivateKey, KeyFormat)> {
    private(file, Some(passphrase))
}

/// Reads a public key of any form.
///
/// - `file`: the whole file, as for [`read_private_key`]. A PEM file may also hold private keys,
///   but a private key alone is refused: use [`read_key`] to take its public key knowingly.
/// - returns: the key, and the form that it had
/// # Errors
/// [`Error::PrivateKeyGiven`] for a private key, [`Error::Ambiguous`] for several public keys,
/// [`Error::CertificateGiven`] for a certificate, [`Error::HexLength`], [`Error::NotRecognised`]; and
/// the errors of [`spki::read`].
/// # Timing
/// Variable: all inputs are public.
pub fn read_public_key(file: &[u8]) -> Result<(PublicKey, KeyFormat)> {
    if pem::is_pem(file) {
        return pem_public(&pem::blocks(file)?);
    }
    if let Some(digits) = hex_key::digits(file) {
        return hex_key::public_key(digits);
    }
    if let Some(raw) = hex_key::raw_public_key(file) {
        return raw;
    }
    if file.len() == 32 {
        return Err(Error::PrivateKeyGiven);
    }
    match Structure::of(file) {
        Some(Structure::SubjectPublicKeyInfo) => Ok((spki::read(file)?, KeyFormat::SpkiDer)),
        Some(Structure::Certificate) => Err(Error::CertificateGiven),
        Some(_) => Err(Error::PrivateKeyGiven),
        None => Err(NO_PUBLIC),
    }
}

/// Reads a key of either kind: the private key of a file that has one, else the public key.
///
/// - `file`: as for [`read_private_key`]
/// - returns: the key, and the form that it had
/// # Errors
/// As [`read_private_key`] and [`read_public_key`].
/// # Timing
/// As [`read_private_key`].
pub fn read_key(file: &[u8]) -> Result<(Key, KeyFormat)> {
    let public = match read_private_key(file) {
        Ok((key, format)) => return Ok((Key::Private(key), format)),
        Err(Error::PublicKeyGiven | Error::NotRecognised { .. }) => read_public_key(file),
        Err(e) => Err(e),
    };
    match public {
        Ok((key, format)) => Ok((Key::Public(key), format)),
        Err(Error::NotRecognised { .. }) => Err(Error::NotRecognised { what: "a key" }),
        Err(Error::HexLength { found, .. }) => Err(Error::HexLength {
            what: "key",
            expected: "64 (private), or 66, 128 or 130 (public)",
            found,
        }),
        Err(e) => Err(e),
    }
}

/// Writes a private key.
///
/// - `format`: one of the forms for private keys that is not encrypted, [`KeyFormat::Pkcs8Pem`]
///   if there is no reason for another
/// - returns: the file
/// # Errors
/// [`Error::FormatMismatch`] for another format.
/// # Timing
/// Constant in the key.
pub fn write_private_key(key: &PrivateKey, format: KeyFormat) -> Result<Zeroizing<Vec<u8>>> {
    match format {
        KeyFormat::Pkcs8Der => Ok(pkcs8::write(key)),
        KeyFormat::Pkcs8Pem => armor(pkcs8::LABEL, &pkcs8::write(key)),
        KeyFormat::Sec1Der => Ok(sec1::write(key)),
        KeyFormat::Sec1Pem => armor(sec1::LABEL, &sec1::write(key)),
        KeyFormat::Raw => Ok(Zeroizing::new(key.to_bytes().to_vec())),
        KeyFormat::Hex => Ok(hex_key::line(&key.to_bytes()[..])),
        _ => Err(Error::FormatMismatch {
            what: "private key",
            format,
        }),
    }
}

/// Writes a private key under a passphrase (PBES2; see [`pbes2`] for the algorithms).
///
/// - `passphrase`: bytes, not empty
/// - `format`: [`KeyFormat::EncryptedPkcs8Pem`] or [`KeyFormat::EncryptedPkcs8Der`]
/// - `rng`: gives the salt and the IV
/// - returns: the file
/// # Errors
/// [`Error::EmptyPassphrase`]; [`Error::FormatMismatch`] for another format; [`Error::Crypto`]
/// when the random number generator fails.
/// # Timing
/// Constant in the key and the passphrase's bytes.
pub fn write_encrypted_private_key(
    key: &PrivateKey,
    passphrase: &[u8],
    format: KeyFormat,
    rng: &mut (impl Rng + ?Sized),
) -> Result<Vec<u8>> {
    match format {
        KeyFormat::EncryptedPkcs8Der => pbes2::encrypt(&pkcs8::write(key), passphrase, rng),
        KeyFormat::EncryptedPkcs8Pem => {
            let der = pbes2::encrypt(&pkcs8::write(key), passphrase, rng)?;
            Ok(pem::encode(pbes2::LABEL, &der)?.as_bytes().to_vec())
        }
        _ => Err(Error::FormatMismatch {
            what: "private key under a passphrase",
            format,
        }),
    }
}

/// Writes a public key.
///
/// - `format`: one of the forms for public keys, [`KeyFormat::SpkiPem`] if there is no reason for
///   another
/// - returns: the file
/// # Errors
/// [`Error::FormatMismatch`] for another format.
/// # Timing
/// Constant.
pub fn write_public_key(key: &PublicKey, format: KeyFormat) -> Result<Vec<u8>> {
    let hex = |bytes: &[u8]| hex_key::line(bytes).to_vec();
    Ok(match format {
        KeyFormat::SpkiDer => spki::write(key),
        KeyFormat::SpkiPem => pem::encode(spki::LABEL, &spki::write(key))?
            .as_bytes()
            .to_vec(),
        KeyFormat::Raw => key.to_uncompressed().to_vec(),
        KeyFormat::RawXy => key.to_uncompressed()[1..].to_vec(),
        KeyFormat::RawCompressed => key.to_compressed().to_vec(),
        KeyFormat::Hex => hex(&key.to_uncompressed()),
        KeyFormat::HexXy => hex(&key.to_uncompressed()[1..]),
        KeyFormat::HexCompressed => hex(&key.to_compressed()),
        _ => {
            return Err(Error::FormatMismatch {
                what: "public key",
                format,
            });
        }
    })
}

const CERTIFICATE: &str = "CERTIFICATE";
const NO_PRIVATE: Error = Error::NotRecognised {
    what: "a private key",
};
const NO_PUBLIC: Error = Error::NotRecognised {
    what: "a public key",
};

fn private(file: &[u8], passphrase: Passphrase<'_>) -> Result<(PrivateKey, KeyFormat)> {
    if pem::is_pem(file) {
        return pem_private(&pem::blocks(file)?, passphrase);
    }
    if let Some(digits) = hex_key::digits(file) {
        return hex_key::private_key(digits);
    }
    if file.len() == 32 {
        return Ok((PrivateKey::from_slice(file)?, KeyFormat::Raw));
    }
    // Only 64 bytes are not marked as a point by their first: those may be anything.
    if hex_key::raw_public_key(file).is_some_and(|key| key.is_ok() || file.len() != 64) {
        return Err(Error::PublicKeyGiven);
    }
    der_private(file, passphrase)
}

fn der_private(der: &[u8], passphrase: Passphrase<'_>) -> Result<(PrivateKey, KeyFormat)> {
    match Structure::of(der) {
        Some(Structure::PrivateKeyInfo) => Ok((pkcs8::read(der)?, KeyFormat::Pkcs8Der)),
        Some(Structure::EncryptedPrivateKeyInfo) => {
            Ok((decrypt(der, passphrase)?, KeyFormat::EncryptedPkcs8Der))
        }
        Some(Structure::EcPrivateKey) => Ok((sec1::read(der)?, KeyFormat::Sec1Der)),
        Some(Structure::SubjectPublicKeyInfo) => Err(Error::PublicKeyGiven),
        Some(Structure::Certificate) => Err(Error::CertificateGiven),
        None => Err(NO_PRIVATE),
    }
}

fn pem_private(
    blocks: &[pem::Block<'_>],
    passphrase: Passphrase<'_>,
) -> Result<(PrivateKey, KeyFormat)> {
    const LABELS: [&str; 4] = [pkcs8::LABEL, pbes2::LABEL, sec1::LABEL, sec1::OPENSSL_LABEL];
    let Some(block) = only(blocks, "private key", |label| LABELS.contains(&label))? else {
        return Err(if has(blocks, spki::LABEL) {
            Error::PublicKeyGiven
        } else if has(blocks, CERTIFICATE) {
            Error::CertificateGiven
        } else {
            NO_PRIVATE
        });
    };
    match block.label {
        pkcs8::LABEL => Ok((pkcs8::read(&block.der)?, KeyFormat::Pkcs8Pem)),
        pbes2::LABEL => Ok((
            decrypt(&block.der, passphrase)?,
            KeyFormat::EncryptedPkcs8Pem,
        )),
        _ => Ok((sec1::read(&block.der)?, KeyFormat::Sec1Pem)),
    }
}

fn pem_public(blocks: &[pem::Block<'_>]) -> Result<(PublicKey, KeyFormat)> {
    if let Some(block) = only(blocks, "public key", |label| label == spki::LABEL)? {
        return Ok((spki::read(&block.der)?, KeyFormat::SpkiPem));
    }
    Err(if has(blocks, "PRIVATE KEY") {
        Error::PrivateKeyGiven
    } else if has(blocks, CERTIFICATE) {
        Error::CertificateGiven
    } else {
        NO_PUBLIC
    })
}

/// Whether the label of a block ends so: `X509 CERTIFICATE` and `SM2 PRIVATE KEY` are in use, too.
fn has(blocks: &[pem::Block<'_>], end: &str) -> bool {
    blocks.iter().any(|block| block.label.ends_with(end))
}

/// The one block that fits, if any; several are refused, for a silent choice could be the wrong one.
fn only<'a, 'b>(
    blocks: &'b [pem::Block<'a>],
    what: &'static str,
    fits: impl Fn(&str) -> bool,
) -> Result<Option<&'b pem::Block<'a>>> {
    let mut fitting = blocks.iter().filter(|block| fits(block.label));
    let first = fitting.next();
    match fitting.count() {
        0 => Ok(first),
        more => Err(Error::Ambiguous {
            what,
            count: more + 1,
        }),
    }
}

fn decrypt(der: &[u8], passphrase: Passphrase<'_>) -> Result<PrivateKey> {
    let Some(passphrase) = passphrase else {
        pbes2::check(der)?;
        return Err(Error::PassphraseNeeded);
    };
    let info = pbes2::decrypt(der, passphrase)?;
    match pkcs8::read(&info) {
        // The wrong passphrase gives well padded rubbish once in 256 times.
        Err(Error::Der {
            path: "PrivateKeyInfo",
            ..
        }) => Err(Error::WrongPassphrase),
        other => other,
    }
}

fn armor(label: &str, der: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    Ok(Zeroizing::new(pem::encode(label, der)?.as_bytes().to_vec()))
}
