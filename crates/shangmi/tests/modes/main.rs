//! The modes of SM4: against `reference`, the standards' examples and other programs.
#![expect(clippy::unwrap_used, reason = "the helpers of tests are tests")]

mod aead;
mod common;
mod gmac;
mod groups;
mod interop;
mod mac;
mod many;
mod openssl;
mod padding;
mod standards;
mod statistics;
mod unauthenticated;
