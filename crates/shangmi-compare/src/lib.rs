//! Measures the SM algorithms against their international counterparts on the machine it runs on.
//!
//! [`run`](run()) yields a [`Report`](result::Report), plain data; the library prints nothing. A program that
//! calls it starts its `main` with [`child_main`]: the software rows of SHA-256 and AES come from the same
//! program run once more with the processor's special instructions masked.

mod child;
mod clock;
mod hardware;
mod known_answer;
mod machine;
mod mapped;
mod options;
mod published;
pub mod report;
mod resident;
pub mod result;
mod run;
mod runner;
mod stack_probe;
mod statistics;
mod subjects;
mod utc;
mod workloads;

pub use child::child_main;
pub use options::{Error, Event, Options, Profile};
pub use run::run;
