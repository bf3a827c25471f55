//! Times shangmi over two classes of secrets, for the code paths that valgrind cannot run.
//!
//! `cargo xtask ct --timing` builds and starts it, and works out what the times say. A line is an operation, its code
//! path, the two classes, and the nanoseconds of each sample of the one class and of the other.

mod cases;
mod sampler;
mod secrets;

use std::fmt::Display;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Parser;

use cases::Case;
use sampler::Times;
use secrets::Contrast;

/// Without an option: every operation
#[derive(Parser)]
struct Arguments {
    /// Samples of each operation over both classes
    #[arg(long)]
    samples: usize,
    /// The operations whose names contain this
    #[arg(long, default_value = "")]
    only: String,
    /// The operations that have a planted fault, with it
    #[cfg(feature = "leaks")]
    #[arg(long)]
    planted: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let cases = cases::all();
    let cases = cases
        .iter()
        .filter(|case| case.name.contains(&arguments.only));
    #[cfg(feature = "leaks")]
    if arguments.planted {
        use shangmi::ct::leaks::{Leak, plant};
        plant(Some(Leak::Branch));
        let cases = cases.filter(|case| cases::WITH_FAULTS.contains(&case.name));
        return run(cases.map(|case| (case, Contrast::Fixed)), arguments.samples);
    }
    let rows = cases.flat_map(|case| case.contrasts.iter().map(move |contrast| (case, *contrast)));
    run(rows, arguments.samples)
}

/// Takes samples and prints a line for each operation with its classes.
fn run<'a>(rows: impl Iterator<Item = (&'a Case, Contrast)>, samples: usize) -> ExitCode {
    for (case, contrast) in rows {
        let times = (case.sample)(contrast, samples);
        if let Err(error) = print(case, contrast, &times) {
            eprintln!("cannot write to standard output: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn print(case: &Case, contrast: Contrast, times: &Times) -> io::Result<()> {
    let [one, other] = times.each_ref().map(|times| list(times));
    let (name, backend) = (case.name, (case.backend)());
    writeln!(
        io::stdout().lock(),
        "{name}\t{backend}\t{}\t{one}\t{other}",
        contrast.name()
    )
}

fn list(numbers: &[impl Display]) -> String {
    let numbers: Vec<_> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}
