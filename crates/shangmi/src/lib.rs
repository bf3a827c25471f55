//! SM2, SM3 and SM4, the Chinese national cryptography (国密, ShangMi), in constant time.
//!
//! | need | start at |
//! |---|---|
//! | a digest | [`sm3::digest`], [`sm3::Sm3`] |
//! | a MAC, or keys from a key or a password | [`sm3::hmac`], [`sm3::hkdf`], [`sm3::pbkdf2`] |
//! | to encrypt with authentication | [`modes::gcm::Sm4Gcm`] |
//! | another mode of SM4 | [`modes`] |
//! | to sign and verify | [`sm2::Signer`], [`sm2::Verifier`] |
//! | to encrypt to a public key | [`sm2::encrypt()`], [`sm2::decrypt`] |
//! | to agree on a key | [`sm2::exchange`] |
//!
//! The crate computes and does nothing else: it reads no file, no clock and no environment variable,
//! and knows no DER (the crate `shangmi-pki` does). Everything that touches a secret runs in
//! constant time; a function whose time depends on its (public) input says `_vartime`.
//!
//! # Features
//!
//! - `std` (default): [`core::error::Error`] sources and the two features below
//! - `alloc`: functions that return a `Vec`
//! - `os-rng`: [`rng::OsRng`], randomness from the operating system
//! - `rayon`: `sm2::parallel`, many operations on all cores
//! - `rustcrypto`: the traits of the crates `digest`, `cipher`, `aead` and `signature` for the types of this one; moves with those crates
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod cpu;
pub mod ct;
mod error;
mod ghash;
pub mod modes;
pub mod padding;
pub mod rng;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
pub mod sm2;
pub mod sm3;
pub mod sm4;

pub use error::{Error, PointError, Result};
