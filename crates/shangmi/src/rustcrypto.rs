//! The traits of the RustCrypto project for the types of this crate: feature `rustcrypto`.
//!
//! | type | traits |
//! |---|---|
//! | [`Sm3`](crate::sm3::Sm3) | `Digest` (`Update`, `FixedOutput`, `FixedOutputReset`, ...), `EagerHash` for `hmac::Hmac` |
//! | [`HmacSm3`](crate::sm3::hmac::HmacSm3), [`Cmac`](crate::modes::cmac::Cmac) | `Mac`, `KeyInit` |
//! | [`Sm4`](crate::sm4::Sm4) | `BlockCipherEncrypt`, `BlockCipherDecrypt` (64 blocks side by side), `KeyInit` |
//! | [`Sm4Gcm`](crate::modes::gcm::Sm4Gcm), [`Sm4Ccm`](crate::modes::ccm::Sm4Ccm) | `AeadInOut` (nonce 12 bytes, tag 16), `KeyInit` |
//!
//! So they fit code that is generic over those traits, such as the crates `hmac`, `cmac`, `ctr`, `cbc` and `ccm`. Methods of
//! the types themselves have precedence over a trait's of the same name.
//!
//! The traits are those of `digest` 0.11, `cipher` 0.5 and `aead` 0.6, before their version 1: when these crates change,
//! the implementations move along, and that is no breaking change of this crate. The feature only adds; nothing else
//! behaves differently with it.
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
mod aead;
mod cipher;
mod digest;
mod mac;

pub use digest::Sm3Core;
