//! `shangmi key show`.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;
use shangmi::sm2::PublicKey;
use shangmi::sm3;
use shangmi_pki::Key;
use zeroize::Zeroizing;

use crate::failure::{Failure, Outcome};
use crate::hex;
use crate::output::{Content, Output};
use crate::passphrase::{self, PassphraseArgs};
use crate::ui::{self, Format};

/// Show what a key file holds
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi key show pub.pem
  shangmi key show --passphrase-env PASS key.pem
  shangmi key show --private key.pem         also the private key, in hex

The fingerprint is SM3 of 04, x and y; its first 16 digits are the ID by which a
file of 'shangmi encrypt' names its recipient.")]
pub(crate) struct Args {
    /// Key of either kind: PEM, DER, raw bytes or hex; or '-'
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Show the private key, too
    #[arg(long)]
    private: bool,
}

/// SM3(04 || x || y) in hex.
pub(crate) fn fingerprint(key: &PublicKey) -> String {
    hex::encode(&sm3::digest(&key.to_uncompressed()))
}

/// Shows the key.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    let (key, form, _) = passphrase::read_key(&args.file, &args.passphrase)?;
    let kind = match &key {
        Key::Private(_) => "private key",
        Key::Public(_) => "public key",
    };
    let public = hex::encode(&key.public_key().to_uncompressed());
    let scalar = match &key {
        Key::Private(key) if args.private => Some(Zeroizing::new(hex::encode(&key.to_bytes()[..]))),
        Key::Public(_) if args.private => {
            return Err(Failure::trouble(
                format!("{} holds no private key", ui::quote(&args.file)),
                "leave --private out, or name the file of the private key",
            )
            .into());
        }
        _ => None,
    };
    if format == Format::Json {
        let mut document = json!({
            "kind": kind, "format": form.to_string(), "curve": "sm2p256v1",
            "public_key": public, "fingerprint": fingerprint(key.public_key()),
        });
        if let Some(scalar) = scalar {
            document["private_key"] = json!(*scalar);
        }
        ui::print_json(&document)?;
        return Ok(Outcome::Done);
    }
    let mut out = Output::create(None, Content::Text, &[])?;
    out.put(
        format!(
            "kind:         {kind}\nformat:       {form}\ncurve:        sm2p256v1\n\
             public key:   {public}\nfingerprint:  {}\n",
            fingerprint(key.public_key())
        )
        .as_bytes(),
    )?;
    if let Some(scalar) = scalar {
        out.put(Zeroizing::new(format!("private key:  {}\n", *scalar)).as_bytes())?;
    }
    out.commit()?;
    Ok(Outcome::Done)
}
