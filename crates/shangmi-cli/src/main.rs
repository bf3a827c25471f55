//! The command line of the toolkit: this file knows exit codes and nothing else.
//!
//! 0: done. 1: a negative answer (bad signature, digest mismatch, wrong passphrase, failed tag).
//! 2: usage, input or I/O.

mod bulk;
mod cli;
mod cmd;
mod failure;
mod hex;
mod id;
mod input;
mod message;
mod output;
mod passphrase;
mod progress;
mod secret;
mod ui;

use std::process::ExitCode;

use failure::Outcome;

fn main() -> ExitCode {
    // The comparison runs this program once more, as a process that measures without the
    // processor's special instructions.
    if let Some(code) = shangmi_compare::child_main(std::env::args_os()) {
        return code;
    }
    let outcome = match cli::parse() {
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
