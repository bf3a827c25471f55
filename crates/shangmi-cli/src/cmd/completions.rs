//! `shangmi completions`: completion scripts for shells.

use anyhow::Result;
use clap_complete::Shell;

use crate::cli;
use crate::failure::Outcome;
use crate::output::{Content, Output};

/// Print a completion script for a shell
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi completions bash > ~/.local/share/bash-completion/completions/shangmi
  shangmi completions fish > ~/.config/fish/completions/shangmi.fish
  shangmi completions zsh > ~/.zfunc/_shangmi")]
pub(crate) struct Args {
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(args: &Args) -> Result<Outcome> {
    // The generator writes to memory: it panics when a write fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli::command(), "shangmi", &mut script);
    let mut out = Output::create(None, Content::Text, &[])?;
    out.put(&script)?;
    out.commit()?;
    Ok(Outcome::Done)
}
