//! `shangmi key generate`.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;
use shangmi::rng::OsRng;
use shangmi::sm2::PrivateKey;
use shangmi_pki::{KeyFormat, key};
use zeroize::Zeroizing;

use super::show::fingerprint;
use crate::failure::{Failure, Outcome};
use crate::hex;
use crate::output::{self, Content, Existing, Output};
use crate::passphrase::PassphraseArgs;
use crate::secret::Secret;
use crate::ui::{self, Format};

/// Make a new SM2 key pair
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi key generate -o key.pem --public pub.pem     asks for a passphrase
  shangmi key generate --passphrase-env PASS -o key.pem
  shangmi key generate --no-passphrase                 prints an unprotected key

The private key is PKCS#8 in PEM, encrypted with SM4 when it has a passphrase, and
its file can be read by its owner alone. An existing file is left alone.")]
pub(crate) struct Args {
    /// File for the private key [default: standard output]
    #[arg(short, long, value_name = "KEY")]
    output: Option<PathBuf>,
    /// File for the public key
    #[arg(long, value_name = "PUB")]
    public: Option<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Write the private key without protection
    #[arg(
        long,
        help_heading = "Passphrase",
        conflicts_with_all = ["passphrase_env", "passphrase_file", "passphrase_fd"]
    )]
    no_passphrase: bool,
    /// Replace existing files
    #[arg(long)]
    force: bool,
}

/// Makes the key pair.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    output::check_json(format, args.output.as_deref())?;
    let existing = if args.force {
        Existing::Replace
    } else {
        Existing::Refuse
    };
    // The places come first: nobody types a passphrase for a file that cannot be written.
    let mut key_out = Output::create_secret(args.output.as_deref(), Content::Text, &[], existing)?;
    let public_out = args
        .public
        .as_deref()
        .map(|path| Output::create_new(path, existing));
    let public_out = public_out.transpose()?;
    if let Some(public_out) = &public_out {
        public_out.check_differs_from(&key_out)?;
    }
    let passphrase = args.passphrase()?;
    let private = PrivateKey::generate(&mut OsRng)?;
    key_out.put(&encode(&private, passphrase)?)?;
    // The public key goes first: it can be made again from the private key, but not the reverse.
    if let Some(mut public_out) = public_out {
        public_out.put(&key::write_public_key(
            private.public_key(),
            KeyFormat::SpkiPem,
        )?)?;
        public_out.commit()?;
    }
    key_out.commit()?;
    if format == Format::Json {
        ui::print_json(&json!({
            "key": args.output,
            "public": args.public,
            "public_key": hex::encode(&private.public_key().to_uncompressed()),
            "fingerprint": fingerprint(private.public_key()),
        }))?;
    }
    Ok(Outcome::Done)
}

impl Args {
    /// `None` only when no passphrase is wanted.
    fn passphrase(&self) -> Result<Option<Secret>> {
        if self.no_passphrase {
            return Ok(None);
        }
        match self.passphrase.new_one()? {
            Some(passphrase) => Ok(Some(passphrase)),
            None => Err(Failure::trouble(
                "no passphrase for the private key",
                "give --passphrase-env VAR or --passphrase-file FILE, \
                 or --no-passphrase for an unprotected key",
            )
            .into()),
        }
    }
}

fn encode(private: &PrivateKey, passphrase: Option<Secret>) -> Result<Zeroizing<Vec<u8>>> {
    Ok(match passphrase {
        Some(passphrase) => Zeroizing::new(key::write_encrypted_private_key(
            private,
            &passphrase,
            KeyFormat::EncryptedPkcs8Pem,
            &mut OsRng,
        )?),
        None => key::write_private_key(private, KeyFormat::Pkcs8Pem)?,
    })
}
