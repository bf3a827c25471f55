//! Times `shangmi` beside other implementations, and prints the samples as JSON.
//!
//! `cargo xtask bench-peers` builds this program, starts it and evaluates what it prints. A peer is a file in
//! `peers/`, a set of rows is a module (`sm3`); a further algorithm adds a field to [`peer::Peer`] and a module.

mod clock;
mod files;
mod known_answer;
mod measure;
mod output;
mod peer;
mod peers;
mod sm2;
mod sm3;
mod sm4;
mod work;

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};

use measure::Effort;
use output::Output;

/// Times shangmi beside other implementations, and prints the samples as JSON
#[derive(Parser)]
struct Arguments {
    /// Measure these only
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Rows>,
    /// Fewer samples, fewer files
    #[arg(long)]
    quick: bool,
    /// The program `shangmi`; without it there are no rows over files
    #[arg(long, value_name = "PROGRAM")]
    shangmi: Option<PathBuf>,
    #[command(flatten)]
    built: peers::Built,
}

/// A module of rows.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Rows {
    Sm2,
    Sm3,
    Sm4,
    Files,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let mut output = Output::default();
    let wanted = |one| arguments.only.is_empty() || arguments.only.contains(&one);
    let effort = Effort::new(arguments.quick);
    let in_memory = [Rows::Sm2, Rows::Sm3, Rows::Sm4].into_iter().any(wanted);
    let mut peers = match in_memory {
        true => peers::open(&arguments.built, wanted(Rows::Sm2), &mut output),
        false => Vec::new(),
    };
    if wanted(Rows::Sm3) {
        sm3::measure(&mut peers, effort, &mut output);
    }
    if wanted(Rows::Sm4) {
        sm4::measure(&mut peers, effort, &mut output);
    }
    if wanted(Rows::Sm2) {
        sm2::measure(&mut peers, effort, &mut output);
    }
    if let Some(program) = arguments.shangmi.filter(|_| wanted(Rows::Files)) {
        files::measure(&program, arguments.quick, &mut output)?;
    }
    let mut text = serde_json::to_string(&output).context("the samples are not JSON")?;
    text.push('\n');
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("cannot write the samples")
}
