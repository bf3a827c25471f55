//! The executable specification: SM2, SM3, SM4 and SHA-256 as their standards
//! describe them, one file an algorithm.
//!
//! It is the truth that the fast code is tested against, and it shows what each
//! optimisation stage brings. It is **not for secrets**: look-ups and branches
//! depend on keys and messages, nothing is wiped, and nothing is constant-time.

pub mod hash;
pub mod hmac;
pub mod sha256;
pub mod sm2;
pub mod sm3;
pub mod sm4;
pub mod word;
