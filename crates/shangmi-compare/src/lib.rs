//! Measures the SM algorithms against their international counterparts on the machine it runs on.
//!
//! The library measures and yields data ([`result::Report`]); it prints nothing.

pub mod report;
pub mod result;
