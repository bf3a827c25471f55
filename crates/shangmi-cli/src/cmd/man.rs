//! `shangmi man`: manual pages.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap_mangen::Man;

use crate::cli;
use crate::failure::{Failure, Outcome};
use crate::output::{Content, Output};
use crate::ui;

/// Print the manual page of the program or of one command, or write all pages to a directory
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi man | man -l -
  shangmi man sign | man -l -
  shangmi man --out ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Command whose page is printed, such as 'sign' or 'key generate'
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Write every page to this directory, which is made when missing
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// Prints a page, or writes all.
pub(crate) fn run(args: &Args) -> Result<Outcome> {
    let mut root = cli::command().disable_help_subcommand(true);
    root.build();
    match &args.out {
        Some(directory) => {
            std::fs::create_dir_all(directory)
                .with_context(|| format!("cannot make {}", ui::quote(directory)))?;
            write_all(&root, directory)?;
        }
        None => write(find(&root, &args.command)?, None)?,
    }
    Ok(Outcome::Done)
}

fn find<'a>(root: &'a clap::Command, names: &[String]) -> Result<&'a clap::Command> {
    names.iter().try_fold(root, |command, name| {
        command.find_subcommand(name).ok_or_else(|| {
            Failure::trouble(
                format!("there is no command '{}'", names.join(" ")),
                "'shangmi --help' lists the commands",
            )
            .into()
        })
    })
}

/// The page of `command` and of all commands below it.
fn write_all(command: &clap::Command, directory: &Path) -> Result<()> {
    let name = command.get_display_name().unwrap_or(command.get_name());
    write(command, Some(&directory.join(format!("{name}.1"))))?;
    command
        .get_subcommands()
        .try_for_each(|child| write_all(child, directory))
}

fn write(command: &clap::Command, path: Option<&Path>) -> Result<()> {
    let mut page = Vec::new();
    Man::new(command.clone())
        .render(&mut page)
        .context("cannot render the manual page")?;
    let mut out = Output::create(path, Content::Text, &[])?;
    out.put(&page)?;
    out.commit()
}
