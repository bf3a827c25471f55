//! The grammar of the command line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};

use crate::cmd;
use crate::failure::Outcome;
use crate::ui;

/// SM2, SM3 and SM4: digests, keys, signatures and encryption with Chinese national cryptography
#[derive(Debug, Parser)]
#[command(name = "shangmi", version, after_help = EXAMPLES, infer_long_args = false)]
#[command(arg_required_else_help = true, disable_help_subcommand = false)]
pub(crate) struct Cli {
    /// Print the result as one JSON document on standard output
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  shangmi hash FILE                                  SM3 digest of a file
  shangmi key generate -o key.pem --public pub.pem   a key pair
  shangmi sign --key key.pem FILE -o FILE.sig        sign a file
  shangmi verify --public pub.pem --signature FILE.sig FILE

FILE may be '-' for standard input or output.
Exit status: 0 done; 1 a negative answer (bad signature, digest mismatch, wrong
passphrase, failed tag); 2 wrong usage, bad input, or the system refused.";

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Hash(cmd::hash::Args),
    Hmac(cmd::hmac::Args),
    Key(cmd::key::Args),
    Sign(cmd::sign::Args),
    Verify(cmd::verify::Args),
    Encrypt(cmd::encrypt::Args),
    Decrypt(cmd::decrypt::Args),
    Sm4(cmd::sm4::Args),
    Manifest(cmd::manifest::Args),
    Compare(cmd::compare::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}

/// Parses the command line; what clap has to say (help, version, a mistake) is said here.
pub(crate) fn parse(given: Vec<OsString>) -> Result<Cli, Outcome> {
    Cli::try_parse_from(arguments(given)).map_err(|error| say(&error))
}

/// The whole grammar, for completions and manual pages.
pub(crate) fn command() -> clap::Command {
    Cli::command()
}

/// `sm3sum ...` is `shangmi hash ...`.
fn arguments(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let called = arguments
        .first()
        .and_then(|name| Path::new(name).file_stem());
    if called == Some(OsStr::new("sm3sum")) {
        arguments.insert(1, OsString::from("hash"));
    }
    arguments
}

/// Prints help as it is, and a mistake in the form of every other error.
fn say(error: &clap::Error) -> Outcome {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => match error.print() {
            Ok(()) => return Outcome::Done,
            Err(error) => return ui::report(&error.into()),
        },
        // Standard error may be closed; there is nowhere left to complain.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => drop(error.print()),
        _ => {
            let (message, hint) = message_and_hint(&error.to_string());
            ui::say_error(&message, &hint);
        }
    }
    Outcome::Trouble
}

/// Clap's text is "error: ...", then maybe tips, then "Usage: ..." and a pointer to --help.
fn message_and_hint(text: &str) -> (String, String) {
    let text = text.strip_prefix("error: ").unwrap_or(text);
    let one_line = |part: &str| part.split_whitespace().collect::<Vec<_>>().join(" ");
    let (said, usage) = text.split_once("Usage:").unwrap_or((text, ""));
    let (said, tip) = said.split_once("tip:").unwrap_or((said, ""));
    let said = said.split("For more information").next().unwrap_or(said);
    let hint = if !tip.trim().is_empty() {
        one_line(tip.split("For more information").next().unwrap_or(tip))
    } else if let Some(usage) = usage.lines().find(|line| !line.trim().is_empty()) {
        format!("usage: {}; '--help' has examples", one_line(usage))
    } else {
        "'--help' lists the options and has examples".to_owned()
    };
    (one_line(said), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn sm3sum_means_hash() {
        let given = |name: &str| arguments(vec![OsString::from(name), OsString::from("f")]);
        assert_eq!(given("/usr/bin/sm3sum"), ["/usr/bin/sm3sum", "hash", "f"]);
        assert_eq!(given("shangmi"), ["shangmi", "f"]);
    }
}
