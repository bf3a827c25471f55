//! The executable specification on the values of the standards, of other programs,
//! and of public failures.

mod data;
mod hashes;
mod sm2;
mod sm4;
