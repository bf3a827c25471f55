//! The command line of the toolkit, for the programs `shangmi` and `sm3sum`: this file knows exit
//! codes and nothing else. It is no interface for other programs.
//!
//! 0: done. 1: a negative answer (bad signature, digest mismatch, wrong passphrase, failed tag).
//! 2: usage, input or I/O.

mod bare;
mod bulk;
mod cli;
mod cmd;
mod encoding;
mod failure;
mod hex;
mod id;
mod input;
mod manifest;
mod message;
mod output;
mod passphrase;
mod progress;
mod secret;
mod threads;
mod ui;

use std::ffi::OsString;
use std::process::ExitCode;

use failure::Outcome;

/// Runs the program with its `arguments`, the name that it was called by included.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // The comparison runs this program once more, as a process that measures without the
    // processor's special instructions.
    if let Some(code) = shangmi_compare::child_main(arguments.iter().cloned()) {
        return code;
    }
    let outcome = match cli::parse(arguments) {
        Ok(cli) => {
            output::remove_temporary_files_on_interrupt();
            cmd::run(cli).unwrap_or_else(|error| ui::report(&error))
        }
        Err(stopped) => stopped,
    };
    match outcome {
        Outcome::Done => ExitCode::SUCCESS,
        Outcome::Negative => ExitCode::from(1),
        Outcome::Trouble => ExitCode::from(2),
    }
}
