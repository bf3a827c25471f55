//! What the harness prints.

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

/// Everything that was measured.
#[derive(Deserialize)]
pub(super) struct Samples {
    pub(super) rows: Vec<Row>,
    pub(super) skipped: Vec<Skipped>,
}

/// One piece of work, done by several.
#[derive(Deserialize)]
pub(super) struct Row {
    pub(super) group: String,
    pub(super) operation: String,
    pub(super) bytes: u64,
    pub(super) messages: u64,
    pub(super) lanes: Vec<Lane>,
}

/// One implementation at that work: nanoseconds of an operation, a number a sample.
#[derive(Deserialize)]
pub(super) struct Lane {
    pub(super) subject: Subject,
    pub(super) nanoseconds: Vec<f64>,
    pub(super) wall_nanoseconds: Vec<f64>,
}

/// Who did it, and with which code.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Subject {
    pub(super) peer: String,
    pub(super) algorithm: String,
    pub(super) version: String,
    pub(super) code_path: String,
}

/// A peer without rows; `install` is empty where it was refused for a wrong answer.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub(super) struct Skipped {
    pub(super) peer: String,
    pub(super) reason: String,
    pub(super) install: String,
}

/// Reads the samples.
///
/// # Errors
/// Text of another form, or a lane without samples.
pub(super) fn parse(text: &str) -> Result<Samples> {
    let samples: Samples =
        serde_json::from_str(text).context("the harness prints samples of another form")?;
    for lane in samples.rows.iter().flat_map(|row| &row.lanes) {
        let counts = [lane.nanoseconds.len(), lane.wall_nanoseconds.len()];
        let peer = &lane.subject.peer;
        ensure!(counts.iter().all(|&n| n > 0), "{peer} has no samples");
    }
    Ok(samples)
}
