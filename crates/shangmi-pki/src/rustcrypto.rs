//! The traits of RustCrypto for SM2 keys and signatures in DER: feature `rustcrypto`.
//!
//! | type | traits |
//! |---|---|
//! | [`SigningKey`] | `signature`'s `Signer`, `RandomizedSigner` and `Keypair`; `spki`'s `SignatureAlgorithmIdentifier`; `pkcs8`'s `EncodePrivateKey`, `DecodePrivateKey` |
//! | [`VerifyingKey`] | `signature`'s `Verifier`; `spki`'s `SignatureAlgorithmIdentifier`, `EncodePublicKey`, `DecodePublicKey` |
//! | [`DerSignature`] | `signature`'s `SignatureEncoding`; `spki`'s `SignatureBitStringEncoding`, `AssociatedAlgorithmIdentifier` |
//!
//! So the builders of the crate `x509-cert` sign certificates, requests and revocation lists with SM2. The algorithm that
//! they name is SM2-with-SM3, 1.2.156.10197.1.501, without parameters. `Signer` takes fresh random bytes from the operating
//! system for every signature, `RandomizedSigner` from the generator that it is given. Messages and signatures that are not DER are for
//! the types of [`shangmi::sm2`], which have the traits of `signature` themselves.
//!
//! A key without an ID (`From`, and the `Decode` traits) takes the default ID, which certificates are signed under. OpenSSL
//! before 4.0 takes the empty ID: tell `openssl verify` and `openssl req` the other one with `-vfyopt distid:1234567812345678`,
//! which counts for the last certificate of a chain only, or sign under the empty ID ([`SigningKey::with_empty_id`]).
//!
//! The traits are those of `signature` 3, `spki` 0.8 and `pkcs8` 0.11: when these crates change, the implementations move
//! along, and that is no breaking change of this crate.
//!
//! # Example
//! A self-signed certificate, and the check of its signature:
//! ```
//! use std::{str::FromStr, time::Duration};
//!
//! use der::{DecodePem, Encode, EncodePem, pem::LineEnding, referenced::OwnedToRef};
//! use shangmi::{rng::OsRng, sm2::PrivateKey};
//! use shangmi_pki::{oid, rustcrypto::{DerSignature, SigningKey, VerifyingKey}};
//! use signature::{Keypair, Verifier};
//! use spki::SubjectPublicKeyInfo;
//! use x509_cert::{
//!     Certificate,
//!     builder::{Builder, CertificateBuilder, profile::cabf::Root},
//!     name::Name, serial_number::SerialNumber, time::Validity,
//! };
//!
//! let key = SigningKey::from(PrivateKey::generate(&mut OsRng)?);
//! let builder = CertificateBuilder::new(
//!     Root::new(false, Name::from_str("CN=SM2 Root,O=Example,C=CN")?)?,
//!     SerialNumber::from(1_u32),
//!     Validity::from_now(Duration::from_secs(3600))?,
//!     SubjectPublicKeyInfo::from_key(&key.verifying_key())?,
//! )?;
//! let pem = builder.build(&key)?.to_pem(LineEnding::LF)?;
//!
//! let certificate = Certificate::from_pem(&pem)?;
//! assert_eq!(certificate.signature_algorithm().oid, oid::SM2_WITH_SM3);
//! let signed = certificate.tbs_certificate();
//! let key = VerifyingKey::try_from(signed.subject_public_key_info().owned_to_ref())?;
//! let signature = DerSignature::try_from(certificate.signature().raw_bytes())?;
//! key.verify(&signed.to_der()?, &signature)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
mod keys;
mod signature;

pub use keys::{SigningKey, VerifyingKey};
pub use signature::DerSignature;
