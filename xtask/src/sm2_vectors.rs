//! `cargo xtask sm2-vectors`: test vectors for SM2 in the format of project Wycheproof, `testdata/sm2`.
//!
//! Each case is built by the rules of the standards with the executable specification, and its result is what they say of such a
//! case. Nothing here asks the fast code.

mod broken;
mod decrypt;
mod der;
mod format;
mod key_agreement;
mod keys;
mod points;
mod public_key;
mod verify;

use std::fs;

use anyhow::{Context, Result, bail};

use crate::checkout;

const DIRECTORY: &str = "testdata/sm2";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Compare with the committed files and write nothing
    #[arg(long)]
    check: bool,
}

/// The name of a file and its content.
type Generated = (&'static str, String);

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let directory = checkout::root()?.join(DIRECTORY);
    for (name, content) in generate()? {
        let path = directory.join(name);
        if !arguments.check {
            fs::write(&path, content)
                .with_context(|| format!("cannot write {DIRECTORY}/{name}"))?;
            continue;
        }
        let committed =
            fs::read_to_string(&path).with_context(|| format!("cannot read {DIRECTORY}/{name}"))?;
        if let Some(line) = checkout::first_difference(&committed, &content) {
            bail!("{DIRECTORY}/{name}:{line} differs: run `cargo xtask sm2-vectors`");
        }
    }
    Ok(())
}

fn generate() -> Result<Vec<Generated>> {
    Ok(vec![
        ("sm2_verify_test.json", verify::asn()?),
        ("sm2_verify_p1363_test.json", verify::p1363()?),
        ("sm2_verify_digest_test.json", verify::digest()?),
        ("sm2_decrypt_test.json", decrypt::file()?),
        ("sm2_key_agreement_test.json", key_agreement::file()?),
        ("sm2_public_key_test.json", public_key::file()?),
    ])
}

#[cfg(test)]
mod tests;
