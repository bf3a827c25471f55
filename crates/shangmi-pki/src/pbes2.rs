//! Private keys under a passphrase: PBES2 (RFC 8018) with PBKDF2 and SM4-CBC.
//!
//! Written: PBKDF2 with HMAC-SM3 (1.2.156.10197.1.401.2), a salt of 16 bytes, 65,536 iterations,
//! keyLength 16; SM4-CBC with a random IV. Read: that, and its dialects: HMAC-SM3 under OpenSSL's
//! object identifier, or HMAC-SHA-256, parameters NULL or absent, keyLength left out.
use der::{
    Decode, Encode, Sequence,
    asn1::{AnyRef, OctetStringRef},
};
use shangmi::{
    modes::cbc::{CbcDecryptor, CbcEncryptor},
    padding::Padding,
    rng::{Rng, random},
    sm3,
    sm4::{self, Sm4},
};
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

use crate::{Error, Result, oid};

/// The label of the PEM form.
pub const LABEL: &str = "ENCRYPTED PRIVATE KEY";
/// PBKDF2 iterations of the files that we write.
pub const ITERATIONS: u32 = 65_536;
/// Most PBKDF2 iterations that are done for a file: more would let a file stop the reader for minutes.
pub const MAX_ITERATIONS: u32 = 10_000_000;

const SALT_LEN: usize = 16;
const PATH: &str = "EncryptedPrivateKeyInfo";

#[derive(Sequence)]
struct EncryptedPrivateKeyInfo<'a> {
    algorithm: AlgorithmIdentifierRef<'a>,
    encrypted_data: &'a OctetStringRef,
}

#[derive(Sequence)]
struct Pbes2Params<'a> {
    derivation: AlgorithmIdentifierRef<'a>,
    encryption: AlgorithmIdentifierRef<'a>,
}

#[derive(Sequence)]
struct Pbkdf2Params<'a> {
    /// An OCTET STRING; the standard's other choice is not in use.
    salt: AnyRef<'a>,
    iterations: u64,
    #[asn1(optional = "true")]
    key_length: Option<u64>,
    #[asn1(optional = "true")]
    prf: Option<AlgorithmIdentifierRef<'a>>,
}

/// The pseudo-random functions of PBKDF2 that are read.
#[derive(Clone, Copy)]
enum Prf {
    HmacSm3,
    HmacSha256,
}

/// How the key comes from the passphrase.
struct Derivation<'a> {
    prf: Prf,
    salt: &'a [u8],
    iterations: u32,
}

/// An encrypted key whose every algorithm is known.
struct Encrypted<'a> {
    derivation: Derivation<'a>,
    iv: sm4::Block,
    /// Whole blocks, at least one.
    data: &'a [u8],
}

type SecretKey = Zeroizing<[u8; sm4::KEY_LEN]>;

/// Decrypts an `EncryptedPrivateKeyInfo`.
///
/// key = PBKDF2(passphrase, salt, iterations); `PrivateKeyInfo` = unpad(SM4-CBC(key, IV, data))
///
/// - `der`: the whole structure and nothing else
/// - `passphrase`: bytes
/// - returns: the `PrivateKeyInfo` as DER, for [`crate::pkcs8::read`]. A wrong passphrase gives
///   rubbish instead of an error once in 256 times.
/// # Errors
/// [`Error::WrongPassphrase`]; [`Error::Der`]; [`Error::Unsupported`] and
/// [`Error::UnsupportedAlgorithm`], which names it; [`Error::TooManyIterations`].
/// # Timing
/// Constant in the passphrase's bytes and the key; linear in the iterations that the file asks for.
/// # Standard
/// RFC 8018, sections 5.2 and 6.2; RFC 5958, section 3
pub fn decrypt(der: &[u8], passphrase: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
    let Encrypted {
        derivation,
        iv,
        data,
    } = parse(der)?;
    let key = derive(derivation, passphrase)?;
    let mut plain = Zeroizing::new(data.to_vec());
    CbcDecryptor::new(&Sm4::new(&key), &iv).decrypt_in_place(&mut plain)?;
    let (rest, last) = plain.split_last_chunk().ok_or(Error::WrongPassphrase)?;
    let kept = Padding::Pkcs7
        .unpad(last)
        .map_err(|_| Error::WrongPassphrase)?;
    let len = rest.len() + kept;
    plain.truncate(len);
    Ok(plain)
}

/// Encrypts a `PrivateKeyInfo` in the standard form (see the [module](self)).
///
/// - `private_key_info`: DER, from [`crate::pkcs8::write`]
/// - `passphrase`: bytes, not empty
/// - returns: `EncryptedPrivateKeyInfo` as DER
/// # Errors
/// [`Error::EmptyPassphrase`]; [`Error::Crypto`] when the random number generator fails.
/// # Timing
/// Constant in the passphrase's bytes and the key.
/// # Standard
/// RFC 8018, sections 5.2 and 6.2; RFC 5958, section 3
pub fn encrypt(
    private_key_info: &[u8],
    passphrase: &[u8],
    rng: &mut (impl Rng + ?Sized),
) -> Result<Vec<u8>> {
    if passphrase.is_empty() {
        return Err(Error::EmptyPassphrase);
    }
    let salt: [u8; SALT_LEN] = random(rng)?;
    let iv: [u8; sm4::BLOCK_LEN] = random(rng)?;
    let derivation = Derivation {
        prf: Prf::HmacSm3,
        salt: &salt,
        iterations: ITERATIONS,
    };
    let key = derive(derivation, passphrase)?;
    let data = encrypt_cbc(&key, &iv, private_key_info)?;
    encode(&salt, &iv, &data).map_err(Error::der(PATH))
}

/// Whether a passphrase is all that is missing to decrypt the key.
pub(crate) fn check(der: &[u8]) -> Result<()> {
    parse(der).map(drop)
}

fn parse(der: &[u8]) -> Result<Encrypted<'_>> {
    let info = EncryptedPrivateKeyInfo::from_der(der).map_err(Error::der(PATH))?;
    let what = "encryption of the private key";
    let params: Pbes2Params<'_> = parameters(&info.algorithm, oid::PBES2, what)?;
    let iv: &OctetStringRef = parameters(&params.encryption, oid::SM4_CBC, what)?;
    let iv = iv.as_bytes().try_into().map_err(|_| Error::Length {
        what: "IV of SM4-CBC",
        expected: "16",
        found: iv.as_bytes().len(),
    })?;
    let data = info.encrypted_data.as_bytes();
    if data.is_empty() || !data.len().is_multiple_of(sm4::BLOCK_LEN) {
        return Err(Error::Length {
            what: "encrypted private key",
            expected: "a multiple of 16",
            found: data.len(),
        });
    }
    Ok(Encrypted {
        derivation: derivation(&params.derivation)?,
        iv,
        data,
    })
}

fn encrypt_cbc(key: &SecretKey, iv: &sm4::Block, plain: &[u8]) -> Result<Vec<u8>> {
    let (blocks, tail) = plain.as_chunks::<{ sm4::BLOCK_LEN }>();
    // Full size from the start: a buffer that grows would leave copies of the key behind.
    let mut data = Vec::with_capacity(plain.len() + sm4::BLOCK_LEN);
    data.extend_from_slice(blocks.as_flattened());
    if let Some(last) = Padding::Pkcs7.pad(tail)? {
        data.extend_from_slice(&*Zeroizing::new(last));
    }
    CbcEncryptor::new(&Sm4::new(key), iv).encrypt_in_place(&mut data)?;
    Ok(data)
}

fn encode(salt: &[u8], iv: &sm4::Block, data: &[u8]) -> der::Result<Vec<u8>> {
    let algorithm = |oid, parameters| AlgorithmIdentifierRef { oid, parameters };
    let derivation = Pbkdf2Params {
        salt: OctetStringRef::new(salt)?.into(),
        iterations: ITERATIONS.into(),
        key_length: Some(sm4::KEY_LEN as u64),
        prf: Some(algorithm(oid::HMAC_SM3, None)),
    }
    .to_der()?;
    let params = Pbes2Params {
        derivation: algorithm(oid::PBKDF2, Some(AnyRef::from_der(&derivation)?)),
        encryption: algorithm(oid::SM4_CBC, Some(OctetStringRef::new(iv)?.into())),
    }
    .to_der()?;
    EncryptedPrivateKeyInfo {
        algorithm: algorithm(oid::PBES2, Some(AnyRef::from_der(&params)?)),
        encrypted_data: OctetStringRef::new(data)?,
    }
    .to_der()
}

/// The parameters of an algorithm that must be the one expected.
fn parameters<'a, T>(
    algorithm: &AlgorithmIdentifierRef<'a>,
    expected: der::asn1::ObjectIdentifier,
    what: &'static str,
) -> Result<T>
where
    T: der::DecodeValue<'a, Error = der::Error> + der::FixedTag + 'a,
{
    if algorithm.oid != expected {
        return Err(Error::UnsupportedAlgorithm {
            what,
            oid: algorithm.oid,
        });
    }
    let parameters = algorithm.parameters.unwrap_or(AnyRef::NULL);
    parameters.decode_as().map_err(Error::der("PBES2-params"))
}

fn derivation<'a>(derivation: &AlgorithmIdentifierRef<'a>) -> Result<Derivation<'a>> {
    let what = "key derivation of the private key's encryption";
    let params: Pbkdf2Params<'_> = parameters(derivation, oid::PBKDF2, what)?;
    if params
        .key_length
        .is_some_and(|len| len != sm4::KEY_LEN as u64)
    {
        return Err(Error::Unsupported {
            what: "key length of SM4",
        });
    }
    let limit = u64::from(MAX_ITERATIONS);
    let iterations = u32::try_from(params.iterations)
        .ok()
        .filter(|&n| n <= MAX_ITERATIONS);
    let iterations = iterations.ok_or(Error::TooManyIterations {
        found: params.iterations,
        limit,
    })?;
    if iterations == 0 {
        return Err(Error::Unsupported {
            what: "PBKDF2 without iterations",
        });
    }
    let salt: &OctetStringRef = params
        .salt
        .decode_as()
        .map_err(Error::der("PBKDF2-params.salt"))?;
    Ok(Derivation {
        prf: prf(params.prf.as_ref())?,
        salt: salt.as_bytes(),
        iterations,
    })
}

fn prf(algorithm: Option<&AlgorithmIdentifierRef<'_>>) -> Result<Prf> {
    let oid = algorithm.map_or(oid::HMAC_SHA1, |algorithm| algorithm.oid);
    if algorithm
        .and_then(|a| a.parameters)
        .is_some_and(|parameters| !parameters.is_null())
    {
        return Err(Error::Unsupported {
            what: "parameters of the PRF of PBKDF2",
        });
    }
    match oid {
        oid::HMAC_SM3 | oid::HMAC_SM3_OPENSSL => Ok(Prf::HmacSm3),
        oid::HMAC_SHA256 => Ok(Prf::HmacSha256),
        _ => Err(Error::UnsupportedAlgorithm {
            what: "PRF of PBKDF2",
            oid,
        }),
    }
}

fn derive(derivation: Derivation<'_>, passphrase: &[u8]) -> Result<SecretKey> {
    let Derivation {
        prf,
        salt,
        iterations,
    } = derivation;
    let mut key = SecretKey::default();
    match prf {
        Prf::HmacSm3 => sm3::pbkdf2::derive(passphrase, salt, iterations, &mut key[..])?,
        Prf::HmacSha256 => {
            pbkdf2::pbkdf2_hmac::<sha2::Sha256>(passphrase, salt, iterations, &mut key[..]);
        }
    }
    Ok(key)
}

#[cfg(test)]
mod tests;
