//! `shangmi key convert`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::json;
use shangmi::rng::OsRng;
use shangmi_pki::{Key, KeyFormat, key};
use zeroize::Zeroizing;

use crate::failure::{Failure, Outcome};
use crate::output::{self, Content, Existing, Output};
use crate::passphrase::{self, PassphraseArgs};
use crate::secret::{self, Secret};
use crate::ui::{self, Format};

/// Write a key in another format
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi key convert --to spki-pem key.pem -o pub.pem     the public key of a private key
  shangmi key convert --to sec1-pem --passphrase-env PASS key.pem -o plain.pem
  shangmi key convert --to encrypted-pem --new-passphrase-env NEW plain.pem -o key.pem
  shangmi key convert --to hex --public key.pem            04, x and y

Formats for private keys only (pkcs8-*, encrypted-*, sec1-*) and for public keys only
(spki-*, *-xy, *-compressed) decide which key is written. raw and hex write the kind
that was read, unless --public asks for the public key.")]
pub(crate) struct Args {
    /// Format to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Target,
    /// Write the public key of a private key
    #[arg(long)]
    public: bool,
    /// Key to read: PEM, DER, raw bytes or hex; or '-'
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Passphrase of the new file: the text in environment variable VAR
    #[arg(long, value_name = "VAR", help_heading = "Passphrase")]
    new_passphrase_env: Option<String>,
    /// Passphrase of the new file: the text in FILE, without a line feed at its end
    #[arg(long, value_name = "FILE", help_heading = "Passphrase")]
    #[arg(conflicts_with = "new_passphrase_env")]
    new_passphrase_file: Option<PathBuf>,
    /// Replace an existing file with a private key
    #[arg(long)]
    force: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// Private: PKCS#8, the standard form
    Pkcs8Pem,
    Pkcs8Der,
    /// Private: PKCS#8 encrypted with a passphrase
    EncryptedPem,
    EncryptedDer,
    /// Private: 'EC PRIVATE KEY'
    Sec1Pem,
    Sec1Der,
    /// Public: the standard form, 'PUBLIC KEY'
    SpkiPem,
    SpkiDer,
    /// Bare bytes: d, or 04, x and y
    Raw,
    /// Public: x and y
    RawXy,
    /// Public: 02 or 03, and x
    RawCompressed,
    /// Hex digits: d, or 04, x and y
    Hex,
    HexXy,
    HexCompressed,
}

/// Which keys a format can hold.
#[derive(PartialEq, Eq)]
enum Holds {
    Private,
    Public,
    Either,
}

impl Target {
    fn format(self) -> (KeyFormat, Holds, Content) {
        use Content::{Binary, Text};
        match self {
            Self::Pkcs8Pem => (KeyFormat::Pkcs8Pem, Holds::Private, Text),
            Self::Pkcs8Der => (KeyFormat::Pkcs8Der, Holds::Private, Binary),
            Self::EncryptedPem => (KeyFormat::EncryptedPkcs8Pem, Holds::Private, Text),
            Self::EncryptedDer => (KeyFormat::EncryptedPkcs8Der, Holds::Private, Binary),
            Self::Sec1Pem => (KeyFormat::Sec1Pem, Holds::Private, Text),
            Self::Sec1Der => (KeyFormat::Sec1Der, Holds::Private, Binary),
            Self::SpkiPem => (KeyFormat::SpkiPem, Holds::Public, Text),
            Self::SpkiDer => (KeyFormat::SpkiDer, Holds::Public, Binary),
            Self::Raw => (KeyFormat::Raw, Holds::Either, Binary),
            Self::RawXy => (KeyFormat::RawXy, Holds::Public, Binary),
            Self::RawCompressed => (KeyFormat::RawCompressed, Holds::Public, Binary),
            Self::Hex => (KeyFormat::Hex, Holds::Either, Text),
            Self::HexXy => (KeyFormat::HexXy, Holds::Public, Text),
            Self::HexCompressed => (KeyFormat::HexCompressed, Holds::Public, Text),
        }
    }
}

/// Converts the key.
pub(crate) fn run(args: &Args, json_or_text: Format) -> Result<Outcome> {
    output::check_json(json_or_text, args.output.as_deref())?;
    let (format, holds, content) = args.to.format();
    args.check_passphrase_options()?;
    let (key, from, id) = passphrase::read_key(&args.file, &args.passphrase)?;
    let inputs: Vec<_> = id.into_iter().collect();
    let path = args.output.as_deref();
    let cannot_convert = || format!("cannot convert {}", ui::quote(&args.file));

    let (mut out, file) = match &key {
        Key::Private(key) if holds != Holds::Public && !args.public => {
            let existing = if args.force {
                Existing::Replace
            } else {
                Existing::Refuse
            };
            let out = Output::create_secret(path, content, &inputs, existing)?;
            let file = match args.to {
                Target::EncryptedPem | Target::EncryptedDer => {
                    let new = args.new_passphrase()?;
                    key::write_encrypted_private_key(key, &new, format, &mut OsRng)
                        .map(Zeroizing::new)
                }
                _ => key::write_private_key(key, format),
            };
            (out, file.with_context(cannot_convert)?)
        }
        _ => {
            let out = Output::create(path, content, &inputs)?;
            let file =
                key::write_public_key(key.public_key(), format).with_context(cannot_convert)?;
            (out, Zeroizing::new(file))
        }
    };
    out.put(&file)?;
    out.commit()?;
    if json_or_text == Format::Json {
        ui::print_json(&json!({
            "from": from.to_string(), "to": format.to_string(), "output": args.output,
        }))?;
    }
    Ok(Outcome::Done)
}

impl Args {
    /// A new passphrase for a format that has none would silently protect nothing.
    fn check_passphrase_options(&self) -> Result<()> {
        let given = self.new_passphrase_env.is_some() || self.new_passphrase_file.is_some();
        if given && !matches!(self.to, Target::EncryptedPem | Target::EncryptedDer) {
            return Err(Failure::trouble(
                "the format has no passphrase",
                "write the key with --to encrypted-pem",
            )
            .into());
        }
        Ok(())
    }

    fn new_passphrase(&self) -> Result<Secret> {
        let given = if let Some(variable) = &self.new_passphrase_env {
            Some(secret::environment(variable)?)
        } else if let Some(path) = &self.new_passphrase_file {
            Some(passphrase::from_file(path)?)
        } else {
            passphrase::prompt_twice()?
        };
        given.ok_or_else(|| {
            Failure::trouble(
                "no passphrase for the new file",
                "give --new-passphrase-env VAR or --new-passphrase-file FILE",
            )
            .into()
        })
    }
}
