//! SM2 through the traits of RustCrypto: feature `rustcrypto`.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod certificates;
#[path = "../common/mod.rs"]
mod common;
mod keys;

use shangmi::rng::OsRng;
use signature::rand_core::{CryptoRng, UnwrapErr};

/// A generator as the traits want it.
fn rng() -> impl CryptoRng {
    UnwrapErr(OsRng)
}
