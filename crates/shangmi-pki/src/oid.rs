//! Object identifiers, and their names for messages.
use core::fmt;

use der::asn1::ObjectIdentifier;

const fn oid(dotted: &str) -> ObjectIdentifier {
    ObjectIdentifier::new_unwrap(dotted)
}

/// id-ecPublicKey: a key on an elliptic curve that the parameters name.
pub const EC_PUBLIC_KEY: ObjectIdentifier = oid("1.2.840.10045.2.1");
/// prime-field, in explicit curve parameters.
pub const PRIME_FIELD: ObjectIdentifier = oid("1.2.840.10045.1.1");
/// The SM2 curve, sm2p256v1.
pub const SM2: ObjectIdentifier = oid("1.2.156.10197.1.301");
/// A signature with SM2 of a message hashed with SM3.
pub const SM2_WITH_SM3: ObjectIdentifier = oid("1.2.156.10197.1.501");
/// SM4 in CBC mode; the parameters are the IV.
pub const SM4_CBC: ObjectIdentifier = oid("1.2.156.10197.1.104.2");
/// HMAC-SM3 as GmSSL, Botan and gmsm write it, and as we do.
pub const HMAC_SM3: ObjectIdentifier = oid("1.2.156.10197.1.401.2");
/// HMAC-SM3 as OpenSSL and Tongsuo write it.
pub const HMAC_SM3_OPENSSL: ObjectIdentifier = oid("1.2.156.10197.1.401.3.1");
/// HMAC-SHA-1, the PRF of PBKDF2 when none is named.
pub const HMAC_SHA1: ObjectIdentifier = oid("1.2.840.113549.2.7");
/// HMAC-SHA-256.
pub const HMAC_SHA256: ObjectIdentifier = oid("1.2.840.113549.2.9");
/// PBES2: encryption under a passphrase.
pub const PBES2: ObjectIdentifier = oid("1.2.840.113549.1.5.13");
/// PBKDF2: a key from a passphrase.
pub const PBKDF2: ObjectIdentifier = oid("1.2.840.113549.1.5.12");

/// What people call the foreign algorithms and curves that turn up in place of ours.
const NAMES: [(&str, &str); 24] = [
    ("1.2.840.10045.3.1.1", "P-192"),
    ("1.3.132.0.33", "P-224"),
    ("1.2.840.10045.3.1.7", "P-256"),
    ("1.3.132.0.34", "P-384"),
    ("1.3.132.0.35", "P-521"),
    ("1.3.132.0.10", "secp256k1"),
    ("1.3.36.3.3.2.8.1.1.7", "brainpoolP256r1"),
    ("1.2.840.113549.1.1.1", "RSA"),
    ("1.2.840.113549.1.1.10", "RSA-PSS"),
    ("1.2.840.10040.4.1", "DSA"),
    ("1.2.840.113549.1.3.1", "Diffie-Hellman"),
    ("1.3.101.110", "X25519"),
    ("1.3.101.112", "Ed25519"),
    ("1.3.101.113", "Ed448"),
    ("1.2.156.10197.1.301", "SM2"),
    ("1.2.840.113549.2.7", "HMAC-SHA-1"),
    ("1.2.840.113549.2.9", "HMAC-SHA-256"),
    ("1.2.840.113549.2.11", "HMAC-SHA-512"),
    ("1.2.840.113549.3.7", "DES-EDE3-CBC"),
    ("2.16.840.1.101.3.4.1.2", "AES-128-CBC"),
    ("2.16.840.1.101.3.4.1.42", "AES-256-CBC"),
    ("1.3.6.1.4.1.11591.4.11", "scrypt"),
    ("1.2.156.10197.6.4.1.5.1", "SM-PBKDF2"),
    ("1.2.156.10197.6.4.1.5.2", "SM-PBES"),
];

/// The common name of an algorithm or a curve, if it has one here.
///
/// # Example
/// ```
/// let oid = der::asn1::ObjectIdentifier::new("1.2.840.10045.3.1.7")?;
/// assert_eq!(shangmi_pki::oid::name(&oid), Some("P-256"));
/// # Ok::<(), der::Error>(())
/// ```
#[must_use]
pub fn name(oid: &ObjectIdentifier) -> Option<&'static str> {
    NAMES
        .iter()
        .find(|(dotted, _)| ObjectIdentifier::new(dotted).as_ref() == Ok(oid))
        .map(|n| n.1)
}

/// Shows an object identifier with its name where it has one: `P-256 (1.2.840.10045.3.1.7)`.
pub(crate) struct Named<'a>(pub(crate) &'a ObjectIdentifier);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match name(self.0) {
            Some(name) => write!(f, "{name} ({})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        for (i, (dotted, _)) in NAMES.iter().enumerate() {
            assert!(ObjectIdentifier::new(dotted).is_ok(), "{dotted}");
            assert!(
                NAMES[..i].iter().all(|(other, _)| other != dotted),
                "{dotted}"
            );
        }
        assert_eq!(Named(&oid("1.2.3.4")).to_string(), "1.2.3.4");
        assert_eq!(Named(&SM2).to_string(), "SM2 (1.2.156.10197.1.301)");
    }
}
