//! `sm3sum`: `shangmi hash` under the name that goes with `sha256sum`.

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os();
    // Whatever name the program was given: what it does is known here.
    arguments.next();
    shangmi_cli::main(std::iter::once("sm3sum".into()).chain(arguments))
}
