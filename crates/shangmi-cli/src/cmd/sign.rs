//! `shangmi sign`.

use std::path::PathBuf;

use anyhow::Result;
use clap::ValueEnum;
use serde_json::json;
use shangmi::rng::OsRng;
use shangmi::sm2::DEFAULT_ID;
use shangmi_pki::{SignatureFormat, signature};

use crate::encoding::{self, Encoding};
use crate::failure::Outcome;
use crate::id::{self, IdArgs};
use crate::input::{self, Input};
use crate::output::{self, Output};
use crate::passphrase::PrivateKeyArgs;
use crate::ui::{self, Format};
use crate::{hex, message};

/// Sign a file with SM2
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi sign --key key.pem FILE -o FILE.sig
  shangmi sign --key key.pem --id alice@example.org FILE -o FILE.sig
  shangmi sign --key key.pem --digest e.bin -o e.sig
  shangmi sign --key key.pem --format raw --encoding hex FILE

OpenSSL verifies the signature with
  openssl dgst -sm3 -verify pub.pem -sigopt distid:1234567812345678 -signature FILE.sig FILE
With --digest, FILE holds e = SM3(Z_A || message) as 32 bytes or 64 hex digits.")]
pub(crate) struct Args {
    #[command(flatten)]
    key: PrivateKeyArgs,
    #[command(flatten)]
    id: IdArgs,
    /// Form of the signature
    #[arg(long, value_enum, default_value = "der")]
    format: Form,
    /// Write the signature as text [default: bytes as they are]
    #[arg(long, value_enum, value_name = "ENCODING")]
    encoding: Option<Encoding>,
    /// FILE holds the digest e, not the message
    #[arg(long)]
    digest: bool,
    /// File to sign, or '-'
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File for the signature [default: standard output]
    #[arg(short, long, value_name = "SIG")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// SEQUENCE { r, s }, the standard form
    Der,
    /// r || s, 64 bytes
    Raw,
}

/// Signs the file.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    output::check_json(format, args.output.as_deref())?;
    input::check_one_stdin(&[&args.key.key, &args.file])?;
    let (key, key_id) = args.key.read()?;
    let user_id = args.id.get()?;
    let signer = id::signer(&key, &user_id)?;
    let (e, file_id) = if args.digest {
        let (e, file) = message::read_digest(&args.file)?;
        (e, file.id)
    } else {
        let mut input = Input::open(&args.file)?;
        let mut hashers = [signer.hasher()];
        message::hash(&mut input, &mut hashers)?;
        let [hasher] = hashers;
        (hasher.finalize(), input.id())
    };
    let inputs: Vec<_> = key_id.into_iter().chain(file_id).collect();
    let content = encoding::content(args.encoding);
    let mut out = Output::create(args.output.as_deref(), content, &inputs)?;
    let signed = signer.sign_digest(&e, &mut OsRng)?;
    let bytes = signature::write(
        &signed,
        match args.format {
            Form::Der => SignatureFormat::Der,
            Form::Raw => SignatureFormat::Raw,
        },
    );
    out.put(&encoding::written(&bytes, args.encoding))?;
    out.commit()?;
    if format == Format::Json {
        ui::print_json(&json!({
            "output": args.output,
            "signature": hex::encode(&bytes),
            "id_hex": (!args.digest).then(|| hex::encode(&user_id)),
            "default_id": !args.digest && *user_id == *DEFAULT_ID,
        }))?;
    }
    Ok(Outcome::Done)
}
