//! Passphrases, and the private keys that they protect.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use shangmi::sm2::PrivateKey;
use shangmi_pki::{Error, Key, KeyFormat, key};
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::input::{FileId, Small};
use crate::secret::{self, Secret};

/// Where a passphrase comes from.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
pub(crate) struct PassphraseArgs {
    /// Passphrase: the text in environment variable VAR
    #[arg(long, value_name = "VAR", help_heading = "Passphrase")]
    passphrase_env: Option<String>,
    /// Passphrase: the text in FILE, without a line feed at its end
    #[arg(long, value_name = "FILE", help_heading = "Passphrase")]
    passphrase_file: Option<PathBuf>,
    /// Passphrase: the text that file descriptor N delivers
    #[arg(long, value_name = "N", help_heading = "Passphrase")]
    passphrase_fd: Option<u32>,
}

impl PassphraseArgs {
    /// The passphrase, if an option names one.
    pub(crate) fn given(&self) -> Result<Option<Secret>> {
        if let Some(variable) = &self.passphrase_env {
            return not_empty(secret::environment(variable)?).map(Some);
        }
        let descriptor = self.passphrase_fd.map(secret::descriptor_path);
        match self.passphrase_file.as_ref().or(descriptor.as_ref()) {
            Some(path) => not_empty(from_file(path)?).map(Some),
            None => Ok(None),
        }
    }

    /// The passphrase of what turned out to need one: given or prompted for.
    pub(crate) fn existing(&self, name: &str) -> Result<Secret> {
        match self.given()? {
            Some(passphrase) => Ok(passphrase),
            None => prompt(&format!("Passphrase of {name}: "))?.ok_or_else(|| {
                Failure::trouble(
                    format!("{name} is encrypted and no passphrase was given"),
                    "give --passphrase-env VAR or --passphrase-file FILE",
                )
                .into()
            }),
        }
    }

    /// The passphrase of a new file: given, or prompted for twice; `None` when nobody can be asked.
    pub(crate) fn new_one(&self) -> Result<Option<Secret>> {
        if let Some(passphrase) = self.given()? {
            return Ok(Some(passphrase));
        }
        prompt_twice()
    }
}

/// A new passphrase from the terminal; `None` when there is none.
pub(crate) fn prompt_twice() -> Result<Option<Secret>> {
    let Some(first) = prompt("New passphrase: ")? else {
        return Ok(None);
    };
    let first = not_empty(first)?;
    match prompt("The same again: ")? {
        Some(second) if shangmi::ct::eq(&first, &second) => Ok(Some(first)),
        _ => Err(Failure::trouble(
            "the two passphrases differ",
            "nothing was written; try again",
        )
        .into()),
    }
}

/// A private key file and its passphrase.
#[derive(clap::Args, Debug)]
pub(crate) struct PrivateKeyArgs {
    /// Private key: PEM, DER, raw bytes or hex
    #[arg(short, long, value_name = "KEY")]
    pub(crate) key: PathBuf,
    #[command(flatten)]
    passphrase: PassphraseArgs,
}

impl PrivateKeyArgs {
    /// The key, and the identity of its file.
    pub(crate) fn read(&self) -> Result<(PrivateKey, Option<FileId>)> {
        read_private_key(&self.key, &self.passphrase)
    }
}

/// Reads a private key; asks for a passphrase when it needs one.
pub(crate) fn read_private_key(
    path: &Path,
    passphrase: &PassphraseArgs,
) -> Result<(PrivateKey, Option<FileId>)> {
    let file = Small::read(path, "private key")?;
    let key = match key::read_private_key(&file.bytes) {
        Ok((key, _)) => key,
        Err(error) => unlock(&file, error, passphrase)?.0,
    };
    Ok((key, file.id))
}

/// Reads a key of either kind; asks for a passphrase when it needs one.
pub(crate) fn read_key(
    path: &Path,
    passphrase: &PassphraseArgs,
) -> Result<(Key, KeyFormat, Option<FileId>)> {
    let file = Small::read(path, "key")?;
    let (key, format) = match key::read_key(&file.bytes) {
        Ok(read) => read,
        Err(error) => {
            let (key, format) = unlock(&file, error, passphrase)?;
            (Key::Private(key), format)
        }
    };
    Ok((key, format, file.id))
}

/// Tries again with a passphrase when that is all that was missing.
fn unlock(
    file: &Small,
    error: Error,
    passphrase: &PassphraseArgs,
) -> Result<(PrivateKey, KeyFormat)> {
    let cannot_read = || format!("cannot read key {}", file.name);
    if !matches!(error, Error::PassphraseNeeded) {
        return Err(error).with_context(cannot_read);
    }
    let passphrase = passphrase.existing(&file.name)?;
    key::read_private_key_with(&file.bytes, &passphrase).with_context(cannot_read)
}

/// A passphrase file: one line feed at its end does not count.
pub(crate) fn from_file(path: &Path) -> Result<Secret> {
    let mut text = Small::read(path, "passphrase file")?.bytes;
    if text.last() == Some(&b'\n') {
        text.pop();
        if text.last() == Some(&b'\r') {
            text.pop();
        }
    }
    Ok(text)
}

fn not_empty(passphrase: Secret) -> Result<Secret> {
    if passphrase.is_empty() {
        return Err(Error::EmptyPassphrase.into());
    }
    Ok(passphrase)
}

/// Asks on the terminal; `None` when there is none.
fn prompt(question: &str) -> Result<Option<Secret>> {
    if !io::stderr().is_terminal() {
        return Ok(None);
    }
    let answer = rpassword::prompt_password(question).context("cannot read the passphrase")?;
    Ok(Some(Zeroizing::new(answer.into_bytes())))
}
