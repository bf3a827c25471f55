//! Files for SM2, SM3 and SM4: what other programs write, read; what they can read, written.
//!
//! | need | start at |
//! |---|---|
//! | a private or public key from a file, whatever its form | [`key::read_private_key`], [`key::read_public_key`] |
//! | to write a key | [`key::write_private_key`], [`key::write_public_key`] |
//! | a private key under a passphrase | [`key::write_encrypted_private_key`], [`pbes2`] |
//! | a signature's bytes | [`signature`] |
//! | one bare SM2 ciphertext | [`ciphertext`] |
//! | to seal a file of any size to public keys | [`container`] |
//! | certificates and requests, with the crate `x509-cert` | the module `rustcrypto`, behind the feature of that name |
//!
//! Reading is tolerant in the form (PEM, DER, raw, hex; every common dialect) and strict in the
//! content (minimal DER, nothing trailing, points on the curve, keys in range). Writing has one
//! standard form, or the one that you name. No function panics on any input.
#![forbid(unsafe_code)]

pub mod ciphertext;
pub mod container;
mod curve;
mod error;
mod hex_key;
pub mod key;
pub mod oid;
pub mod pbes2;
pub mod pem;
pub mod pkcs8;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
pub mod sec1;
pub mod signature;
pub mod spki;
mod structure;

pub use ciphertext::{CiphertextBuf, CiphertextFormat};
pub use error::{Error, Result};
pub use key::{Key, KeyFormat};
pub use signature::SignatureFormat;

/// The Rust code of the project's README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
