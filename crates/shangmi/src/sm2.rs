//! SM2: signatures, public-key encryption, key exchange and Diffie-Hellman on the curve sm2p256v1.
//!
//! There are three ways into a signature, from safe to sharp:
//!
//! 1. [`Signer::sign`] takes the message;
//! 2. [`Signer::sign_digest`] takes e = SM3(Z_A ‖ M), for messages that come in pieces
//!    ([`Signer::hasher`]) or are hashed elsewhere;
//! 3. [`hazmat`] takes raw scalars, the nonce among them.
//!
//! All but the last draw fresh random bytes; [`sign_deterministic`] does without (RFC 6979).
//!
//! Z_A binds the signer's ID and key into e. Where nothing else was agreed, the ID is
//! [`DEFAULT_ID`].
//!
//! Many operations at once are [`generate_many`], [`sign_many`], [`verify_many`] and [`decrypt_many`]: the same results,
//! several times as fast where the processor has vectors for it ([`many_backend`]). With the feature `rayon`, the functions of
//! `parallel` do the same on all cores.
//!
//! # Timing
//! Everything with a private key, a nonce or a plaintext is constant-time. [`Verifier`] is
//! variable-time: all its inputs are public.
//!
//! # Standard
//! GB/T 32918-2016, parts 1 to 4; the curve is that of part 5 (2017).
mod basepoint;
mod basepoint_table;
mod batch;
mod deterministic;
mod divsteps;
mod encrypt;
pub mod exchange;
mod field;
pub mod hazmat;
mod key;
mod limbs;
mod many;
mod mul;
#[cfg(feature = "rayon")]
pub mod parallel;
mod point;
mod prepared;
mod recoding;
mod scalar;
mod sign;
mod verify;
mod verify_many;
mod za;

#[cfg(feature = "alloc")]
pub use batch::generate_many;
pub use batch::{decrypt_many, many_backend, sign_many};
pub use deterministic::{sign_deterministic, sign_digest_deterministic};
pub use encrypt::{Ciphertext, decrypt, encrypt};
pub use key::{PointForm, PrivateKey, PublicKey};
pub use sign::{Signature, Signer};
pub use verify::{PreparedVerifier, Verifier};
pub use verify_many::{Verification, verify_many};
pub use za::{DEFAULT_ID, MAX_ID_LEN, za};
