//! One module a verb.

pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod decrypt;
pub(crate) mod encrypt;
pub(crate) mod hash;
pub(crate) mod hmac;
pub(crate) mod key;
pub(crate) mod man;
pub(crate) mod manifest;
pub(crate) mod sign;
pub(crate) mod sm4;
pub(crate) mod verify;

use anyhow::Result;

use crate::cli::{Cli, Verb};
use crate::failure::Outcome;
use crate::ui::Format;

/// Runs the verb.
pub(crate) fn run(cli: Cli) -> Result<Outcome> {
    let format = if cli.json { Format::Json } else { Format::Text };
    match cli.verb {
        Verb::Hash(args) => hash::run(&args, format),
        Verb::Hmac(args) => hmac::run(&args, format),
        Verb::Key(args) => key::run(&args, format),
        Verb::Sign(args) => sign::run(&args, format),
        Verb::Verify(args) => verify::run(&args, format),
        Verb::Encrypt(args) => encrypt::run(&args, format),
        Verb::Decrypt(args) => decrypt::run(&args, format),
        Verb::Sm4(args) => sm4::run(&args, format),
        Verb::Compare(args) => compare::run(&args, format),
        Verb::Completions(args) => completions::run(&args),
        Verb::Manifest(args) => manifest::run(&args, format),
        Verb::Man(args) => man::run(&args),
    }
}
