//! `shangmi key`: makes, shows and converts SM2 keys.

mod convert;
mod generate;
mod show;

use anyhow::Result;

use crate::failure::Outcome;
use crate::ui::Format;

/// Make, show and convert SM2 keys
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi key generate -o key.pem --public pub.pem
  shangmi key show key.pem
  shangmi key convert --to spki-pem key.pem -o pub.pem")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Generate(generate::Args),
    Show(show::Args),
    Convert(convert::Args),
}

/// Runs the action.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    match &args.action {
        Action::Generate(args) => generate::run(args, format),
        Action::Show(args) => show::run(args, format),
        Action::Convert(args) => convert::run(args, format),
    }
}
