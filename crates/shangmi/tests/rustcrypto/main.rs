//! The crates and traits of RustCrypto with our types: feature `rustcrypto`.
#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

mod signature;
mod symmetric;
