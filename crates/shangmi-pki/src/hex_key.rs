//! Keys without any structure: bare bytes or hex digits.
use base16ct::{lower, mixed};
use shangmi::sm2::{PrivateKey, PublicKey};
use zeroize::Zeroizing;

use crate::{Error, KeyFormat, Result};

/// The hex digits of a file without the white space around them, if it is a line of hex and nothing else.
pub(crate) fn digits(file: &[u8]) -> Option<&[u8]> {
    let text = file.trim_ascii();
    (!text.is_empty() && text.iter().all(u8::is_ascii_hexdigit)).then_some(text)
}

/// A private key as 64 digits, or as 66 with 00 in front (Java's signed `BigInteger`).
pub(crate) fn private_key(digits: &[u8]) -> Result<(PrivateKey, KeyFormat)> {
    let (digits, format) = match digits.len() {
        64 => (digits, KeyFormat::Hex),
        66 if digits.starts_with(b"00") => (&digits[2..], KeyFormat::HexSigned),
        66 | 128 | 130 => return Err(Error::PublicKeyGiven),
        found => {
            return Err(Error::HexLength {
                what: "private key",
                expected: "64",
                found,
            });
        }
    };
    let mut d = Zeroizing::new([0; 32]);
    mixed::decode(digits, &mut d[..]).map_err(|_| NOT_HEX)?;
    Ok((PrivateKey::from_bytes(&d)?, format))
}

/// A public key as 128 digits (x, y), 130 (04, x, y) or 66 (02 or 03, x).
pub(crate) fn public_key(digits: &[u8]) -> Result<(PublicKey, KeyFormat)> {
    let format = match digits.len() {
        128 => KeyFormat::HexXy,
        130 => KeyFormat::Hex,
        66 if !digits.starts_with(b"00") => KeyFormat::HexCompressed,
        64 | 66 => return Err(Error::PrivateKeyGiven),
        found => {
            return Err(Error::HexLength {
                what: "public key",
                expected: "128, 130 or 66",
                found,
            });
        }
    };
    let bytes = mixed::decode_vec(digits).map_err(|_| NOT_HEX)?;
    Ok((raw_point(&bytes)?, format))
}

/// A public key as bare bytes: 64 (x, y), 65 (04, x, y) or 33 (02 or 03, x).
pub(crate) fn raw_public_key(bytes: &[u8]) -> Option<Result<(PublicKey, KeyFormat)>> {
    let format = match (bytes.len(), bytes.first()?) {
        (64, _) => KeyFormat::RawXy,
        (65, 4) => KeyFormat::Raw,
        (33, 2 | 3) => KeyFormat::RawCompressed,
        _ => return None,
    };
    Some(raw_point(bytes).map(|key| (key, format)))
}

/// Lower-case digits and a line break.
pub(crate) fn line(bytes: &[u8]) -> Zeroizing<Vec<u8>> {
    let mut out = Zeroizing::new(vec![b'\n'; 2 * bytes.len() + 1]);
    let digits = 2 * bytes.len();
    lower::encode(bytes, &mut out[..digits]).expect("two digits a byte fit");
    out
}

const NOT_HEX: Error = Error::NotRecognised { what: "hex digits" };

fn raw_point(bytes: &[u8]) -> Result<PublicKey> {
    match bytes.split_first_chunk::<32>() {
        Some((x, y)) if bytes.len() == 64 => {
            let y = y.try_into().expect("64 bytes are two times 32");
            Ok(PublicKey::from_coordinates(x, y)?)
        }
        _ => Ok(PublicKey::from_sec1(bytes)?),
    }
}
