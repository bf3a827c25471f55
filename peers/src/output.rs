//! What is printed: samples, not conclusions.

use serde::Serialize;

/// Everything that was measured.
#[derive(Default, Serialize)]
pub(crate) struct Output {
    pub(crate) rows: Vec<Row>,
    pub(crate) skipped: Vec<Skipped>,
}

/// One piece of work, done by several.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) group: &'static str,
    pub(crate) operation: String,
    /// Bytes that one operation takes in.
    pub(crate) bytes: u64,
    /// Messages or files of one operation.
    pub(crate) messages: u64,
    pub(crate) lanes: Vec<Lane>,
}

/// One implementation at that work.
#[derive(Serialize)]
pub(crate) struct Lane {
    pub(crate) subject: Subject,
    /// Processor time of one operation, a number a sample.
    pub(crate) nanoseconds: Vec<f64>,
    /// Time on the wall of one operation, for the same samples.
    pub(crate) wall_nanoseconds: Vec<f64>,
}

/// Who does it.
#[derive(Clone, Serialize)]
pub(crate) struct Subject {
    /// `shangmi` for ours.
    pub(crate) peer: String,
    pub(crate) algorithm: String,
    pub(crate) version: String,
    /// The code that runs, as far as it can be known from outside.
    pub(crate) code_path: String,
}

/// A peer without rows.
#[derive(Serialize)]
pub(crate) struct Skipped {
    pub(crate) peer: String,
    pub(crate) reason: String,
    /// The line that installs it; empty where it is installed and refused.
    pub(crate) install: String,
}
