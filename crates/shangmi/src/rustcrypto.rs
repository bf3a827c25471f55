//! The traits of the RustCrypto project for the types of this crate: feature `rustcrypto`.
//!
//! | type | traits |
//! |---|---|
//! | [`Sm3`](crate::sm3::Sm3) | `Digest` (`Update`, `FixedOutput`, `FixedOutputReset`, ...), `EagerHash` for `hmac::Hmac` |
//! | [`HmacSm3`](crate::sm3::hmac::HmacSm3), [`Cmac`](crate::modes::cmac::Cmac) | `Mac`, `KeyInit` |
//! | [`Sm4`](crate::sm4::Sm4) | `BlockCipherEncrypt`, `BlockCipherDecrypt` (64 blocks side by side), `KeyInit` |
//! | [`Sm4Gcm`](crate::modes::gcm::Sm4Gcm), [`Sm4Ccm`](crate::modes::ccm::Sm4Ccm) | `AeadInOut` (nonce 12 bytes, tag 16), `KeyInit` |
//! | [`Signer`](crate::sm2::Signer) | `RandomizedSigner`, with `os-rng` `Signer`; both for several parts, a `Digest` and a prehash; `Keypair` |
//! | [`Verifier`](crate::sm2::Verifier), [`PreparedVerifier`](crate::sm2::PreparedVerifier) | `Verifier`, also for several parts, a `Digest` and a prehash |
//! | [`Signature`](crate::sm2::Signature) | `SignatureEncoding`: r ‖ s, 64 bytes (the crate `shangmi-pki` has DER, and the traits of keys) |
//! | [`OsRng`](crate::rng::OsRng) | `TryCryptoRng`; the other way round, [`RandCore`] takes a generator of `rand_core` |
//!
//! So they fit code that is generic over those traits, such as the crates `hmac`, `cmac`, `ctr`, `cbc` and `ccm`. Methods of
//! the types themselves have precedence over a trait's of the same name.
//!
//! A signature's nonce is hedged here, too: it depends on the key, the message and fresh random bytes. The traits that are
//! passed no generator take the bytes from the operating system; so they need the feature `os-rng`, and their methods that
//! return no `Result` panic when the system cannot deliver. Without a generator there is
//! [`sign_deterministic`](crate::sm2::sign_deterministic), by its name only: other crates' `Signer` may be deterministic,
//! this one is not. A prehash is e = SM3(Z_A ‖ M), not SM3(M); and a hasher that is handed out has absorbed Z_A.
//!
//! The traits are those of `digest` 0.11, `cipher` 0.5, `aead` 0.6 and `signature` 3 (with `rand_core` 0.10): when these crates
//! change, the implementations move along, and that is no breaking change of this crate. The feature only adds; nothing
//! else behaves differently with it.
//!
//! # Example
//! ```
//! use aead::{AeadInOut, KeyInit};
//! use digest::Digest;
//! use shangmi::{modes::gcm::Sm4Gcm, sm3::Sm3};
//!
//! fn seal<A: AeadInOut<NonceSize = aead::consts::U12> + KeyInit>(key: &[u8], data: &mut Vec<u8>) {
//!     let aead = A::new_from_slice(key).expect("the key has the right length");
//!     let nonce = [7; 12];
//!     aead.encrypt_in_place(&nonce.into(), b"header", data).expect("the data is short enough");
//! }
//!
//! let mut data = b"secret".to_vec();
//! seal::<Sm4Gcm>(&[1; 16], &mut data);
//! assert_eq!(data.len(), 6 + 16);
//! assert_eq!(<Sm3 as Digest>::digest(b"abc")[..], shangmi::sm3::digest(b"abc"));
//! ```
//!
//! Signatures, with a generator and with the system's:
//! ```
//! # #[cfg(feature = "os-rng")] {
//! use shangmi::{rng::OsRng, sm2::{self, DEFAULT_ID, PrivateKey, Signature}};
//! use signature::{Keypair, RandomizedSigner, Signer, Verifier};
//!
//! fn sign_and_verify<S>(signer: &S) -> Result<(), signature::Error>
//! where
//!     S: RandomizedSigner<Signature> + Signer<Signature> + Keypair<VerifyingKey: Verifier<Signature>>,
//! {
//!     let verifier = signer.verifying_key();
//!     verifier.verify(b"message", &signer.try_sign_with_rng(&mut OsRng, b"message")?)?;
//!     verifier.verify(b"message", &signer.try_sign(b"message")?)
//! }
//!
//! let key = PrivateKey::generate(&mut OsRng)?;
//! sign_and_verify(&sm2::Signer::new(&key, DEFAULT_ID)?)?;
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
mod aead;
mod cipher;
mod digest;
mod mac;
mod rng;
mod signature;

pub use digest::Sm3Core;
pub use rng::RandCore;
