//! The program as its users meet it: each test runs the built binary in a directory of its own.

#![expect(
    clippy::unwrap_used,
    reason = "a helper that fails shall fail its test"
)]
#![expect(clippy::print_stdout, reason = "a skipped test says so")]

mod bad_input;
mod bare;
mod bulk;
mod compare;
mod encrypt;
mod hash;
mod hints;
mod hmac;
mod key;
mod manifest;
mod openssl;
mod output;
mod refusals;
mod sealed_files;
mod sign;
mod sm4;
mod sm4_database;

mod support;
mod terminal;
mod usage;
