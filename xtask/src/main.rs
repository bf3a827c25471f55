//! Checks and generators that run from the checkout: `cargo xtask --help`.

mod aarch64;
mod basepoint_table;
mod bench_peers;
mod checkout;
mod ct;
mod differential;
mod gmsm;
mod layers;
mod no_std;
mod sm2_vectors;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about, version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the tests of SM3 and SM4 for aarch64 under emulation
    Aarch64,
    /// Write the tables of multiples of the SM2 base point, or check them
    BasepointTable(basepoint_table::Arguments),
    /// Build other implementations and time them beside ours
    BenchPeers(bench_peers::Arguments),
    /// Look for branches, addresses and divisions that depend on secrets, with valgrind
    Ct(ct::Arguments),
    /// Compare with another implementation on random input, at length
    Differential(differential::Arguments),
    /// Check that dependencies point down and that `unsafe` stays in its files
    Layers,
    /// Check that `shangmi` without its features needs neither `std` nor an allocator
    NoStd,
    /// Write the test vectors for SM2 under testdata, or check them
    Sm2Vectors(sm2_vectors::Arguments),
}

#[expect(clippy::print_stderr, reason = "main reports a failure to the user")]
fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Aarch64 => aarch64::run(),
        Command::BasepointTable(arguments) => basepoint_table::run(&arguments),
        Command::BenchPeers(arguments) => bench_peers::run(&arguments),
        Command::Ct(arguments) => ct::run(&arguments),
        Command::Differential(arguments) => differential::run(&arguments),
        Command::Layers => layers::run(),
        Command::NoStd => no_std::run(),
        Command::Sm2Vectors(arguments) => sm2_vectors::run(&arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
