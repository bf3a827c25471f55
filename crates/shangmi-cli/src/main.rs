//! `shangmi`, the program.

use std::process::ExitCode;

fn main() -> ExitCode {
    shangmi_cli::main(std::env::args_os())
}
