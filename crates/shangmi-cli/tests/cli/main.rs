//! The program as its users meet it: each test runs the built binary in a directory of its own.

mod bad_input;
mod compare;
mod encrypt;
mod hash;
mod hmac;
mod key;
mod openssl;
mod output;
mod sign;
mod sm4;
mod support;
mod usage;
