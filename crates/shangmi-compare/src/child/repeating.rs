//! The same program once more for one operation that is repeated: what its memory does there is that operation's doing.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::hardware::Hardware;
use crate::resident;
use crate::result::GrowthRow;
use crate::subjects::{Candidate, SignatureSchemes, Subject, aws_lc, shangmi};
use crate::workloads::public_key::{SHORT_MESSAGE, sign, verify};

/// The argument that makes a program with [`child_main`](super::child_main) repeat; the task follows as JSON.
pub(super) const ARGUMENT: &str = "--shangmi-compare-repeating-child";

/// What to repeat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    /// `sign` or `verify`.
    pub(crate) operation: String,
    pub(crate) subject: Subject,
    /// How often.
    pub(crate) operations: u64,
    /// Processor time after which it stops.
    pub(crate) limit: Duration,
}

/// A process at work.
pub(crate) struct Repeating(Child);

impl Repeating {
    /// Starts this program again for `task`.
    ///
    /// # Errors
    /// [`Error::Repeating`] when it cannot be started.
    pub(crate) fn start(task: &Task) -> Result<Self, Error> {
        let program = std::env::current_exe().map_err(failed)?;
        let task = serde_json::to_string(task).map_err(failed)?;
        let process = Command::new(program)
            .args([ARGUMENT, &task])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        process.map(Self).map_err(failed)
    }

    /// Waits for what it found; `None`: the system does not tell how much memory is resident.
    ///
    /// # Errors
    /// [`Error::Repeating`] when it failed, or does not call [`child_main`](super::child_main).
    pub(crate) fn finish(self) -> Result<Option<GrowthRow>, Error> {
        let output = self.0.wait_with_output().map_err(failed)?;
        serde_json::from_slice(&output.stdout).map_err(failed)
    }
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::Repeating(error.to_string())
}

/// The side of the process: repeats, and writes what it found.
pub(super) fn serve(task: Option<OsString>) -> ExitCode {
    let found = task
        .and_then(|task| serde_json::from_str(task.to_str()?).ok())
        .and_then(|task| repeat(&task));
    let written = found.map(|row| {
        let text = serde_json::to_vec(&row).map_err(io::Error::other)?;
        io::stdout().write_all(&text)
    });
    match written {
        Some(Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// `Some(None)`: it can be done, but the system does not tell how much memory is resident.
fn repeat(task: &Task) -> Option<Option<GrowthRow>> {
    let mut schemes: SignatureSchemes = shangmi::signature_schemes();
    schemes.extend(aws_lc::signature_schemes(&Hardware::detect()));
    let wanted = |candidate: &Candidate<_>| candidate.subject == task.subject;
    let object = schemes.into_iter().find(wanted)?.object;
    let length = SHORT_MESSAGE as usize;
    let mut bench = match task.operation.as_str() {
        "sign" => sign(object, length),
        "verify" => verify(object, length)?,
        _ => return None,
    };
    let growth = resident::growth(bench.as_mut(), task.operations, task.limit).ok()?;
    Some(growth.map(|growth| GrowthRow {
        algorithm: task.subject.algorithm.clone(),
        subject: task.subject.library.clone(),
        side: task.subject.side,
        operation: task.operation.clone(),
        operations: growth.operations,
        resident_before_bytes: growth.before.current,
        resident_after_bytes: growth.after.current,
        peak_before_bytes: growth.before.peak,
        peak_after_bytes: growth.after.peak,
    }))
}
