//! Runs shangmi with its secrets marked as undefined memory, under valgrind's memcheck, which then complains of
//! every branch and every address that depends on them.
//!
//! `cargo xtask ct` builds and starts it, and judges what it prints: a line for each operation, with its code path
//! and the number of complaints.

mod marks;
mod operations;
#[cfg(feature = "leaks")]
mod planted;

use std::process::ExitCode;

use clap::Parser;

/// Without an option: every operation, which must give no complaint
#[derive(Parser)]
struct Arguments {
    /// The operations with a planted fault, each of which must give complaints
    #[cfg(feature = "leaks")]
    #[arg(long)]
    planted: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if !marks::begin() {
        eprintln!("this program says nothing outside of valgrind: cargo xtask ct");
        return ExitCode::FAILURE;
    }
    #[cfg(feature = "leaks")]
    if arguments.planted {
        planted::run();
        return ExitCode::SUCCESS;
    }
    let _ = arguments;
    for operation in operations::ALL {
        report(operation.name, operation);
    }
    ExitCode::SUCCESS
}

/// Runs an operation and prints its line.
fn report(name: &str, operation: &operations::Operation) {
    let (backend, complaints) = marks::complaints_of(operation.run);
    println!("{name}\t{backend}\t{complaints}");
}
