//! Modes of operation
pub mod cbc;
pub mod ccm;
pub mod cfb;
pub mod ctr;
pub mod ecb;
pub mod gcm;
pub mod ofb;
pub mod xts;
