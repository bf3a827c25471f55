//! `shangmi encrypt`.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::value_parser;
use serde_json::json;
use shangmi::rng::OsRng;
use shangmi::sm2::PublicKey;
use shangmi_pki::container::{
    Header, ITERATIONS, MAX_ITERATIONS, MIN_ITERATIONS, Passphrase, Recipient, armor,
};
use shangmi_pki::{ciphertext, key};

use crate::bare::Form;
use crate::encoding::{self, Encoding};
use crate::failure::{Failure, Outcome};
use crate::input::{self, FileId, IN_MEMORY, Input, Small};
use crate::output::{self, Content, Output};
use crate::passphrase::PassphraseArgs;
use crate::progress::{Progress, Watched};
use crate::threads::ThreadArgs;
use crate::ui::{self, Format};

/// Encrypt a file of any size to SM2 public keys, with a passphrase, or both
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi encrypt --to pub.pem FILE -o FILE.sealed
  shangmi encrypt --to alice.pem --to bob.pem FILE -o FILE.sealed
  shangmi encrypt --passphrase-env PASS FILE -o FILE.sealed
  shangmi encrypt --armor --to pub.pem FILE -o FILE.txt
  tar c DIR | shangmi encrypt --to pub.pem - > DIR.sealed
  shangmi encrypt --raw der --to pub.pem key.bin -o key.enc
  shangmi encrypt --raw bare-c1c3c2 --encoding hex --to pub.pem key.bin -o key.txt

Each recipient alone opens the file, and so does the passphrase: beside keys, it makes
the file as easy to open as it is to guess. Without --to it is asked for on the terminal
unless an option gives it.

The sealed file hides its content and shows every change to it, but not who made it:
sign the content where that matters. --raw writes one bare SM2 ciphertext for another
tool: der for 'openssl pkeyutl -decrypt', bare-c1c3c2 in hex for sm-crypto and other
JavaScript. It is meant for keys, not for files.")]
pub(crate) struct Args {
    /// Public key of a recipient; may be given several times
    #[arg(short, long, value_name = "PUB")]
    to: Vec<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    /// Work of a guess at the passphrase, in PBKDF2 iterations [default: 1000000]
    #[arg(
        long,
        value_name = "N",
        value_parser = value_parser!(u32).range(i64::from(MIN_ITERATIONS)..=i64::from(MAX_ITERATIONS)),
        help_heading = "Passphrase"
    )]
    iterations: Option<u32>,
    /// Write text (Base64 between BEGIN and END lines) for mail and forms
    #[arg(long, conflicts_with = "raw")]
    armor: bool,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write one bare SM2 ciphertext in this form
    #[arg(long, value_enum, value_name = "FORM")]
    raw: Option<Form>,
    /// Write the bare ciphertext as text [default: bytes as they are]
    #[arg(long, value_enum, value_name = "ENCODING", requires = "raw")]
    encoding: Option<Encoding>,
    /// File to encrypt, or '-'
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

impl Args {
    fn content(&self) -> Content {
        if self.armor {
            Content::Text
        } else {
            encoding::content(self.encoding)
        }
    }
}

/// Encrypts the file.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    output::check_json(format, args.output.as_deref())?;
    let paths = args.to.iter().chain([&args.file]).map(PathBuf::as_path);
    input::check_one_stdin(&paths.collect::<Vec<_>>())?;
    let mut inputs = Vec::new();
    let keys: Result<Vec<_>> = args
        .to
        .iter()
        .map(|path| read_public(path, &mut inputs))
        .collect();
    let keys = keys?;
    let passphrase = passphrase(args)?;
    let mut input = Input::open(&args.file)?;
    inputs.extend(input.id());
    let mut out = Output::create(args.output.as_deref(), args.content(), &inputs)?;
    let cannot_encrypt = format!("cannot encrypt {}", input.name());
    let recipients = keys.len() + usize::from(passphrase.is_some());
    let bytes = match args.raw {
        None => seal(args, &keys, passphrase, &mut input, &mut out),
        Some(form) => recipient(&keys, passphrase.is_some())
            .and_then(|key| raw(args, form, key, &mut input, &mut out)),
    }
    .context(cannot_encrypt)?;
    out.commit()?;
    if format == Format::Json {
        ui::print_json(&json!({
            "output": args.output, "bytes_read": bytes, "recipients": recipients,
            "form": if args.raw.is_some() { "bare SM2 ciphertext" } else { "sealed file" },
        }))?;
    }
    Ok(Outcome::Done)
}

/// The passphrase to seal with: given, or asked for when nobody else could open the file.
fn passphrase(args: &Args) -> Result<Option<Passphrase>> {
    let secret = if args.to.is_empty() {
        args.passphrase.new_one()?
    } else {
        args.passphrase.given()?
    };
    let Some(secret) = secret else {
        let (message, hint) = if args.to.is_empty() {
            let hint = "give --to PUB, or --passphrase-env VAR";
            ("nobody could open the file", hint)
        } else if args.iterations.is_some() {
            let hint = "add --passphrase-env VAR, or leave it out";
            ("--iterations is for a passphrase", hint)
        } else {
            return Ok(None);
        };
        return Err(Failure::trouble(message, hint).into());
    };
    let passphrase = Passphrase::new(&secret)?;
    let iterations = args.iterations.unwrap_or(ITERATIONS);
    Ok(Some(passphrase.with_iterations(iterations)?))
}

fn read_public(path: &Path, inputs: &mut Vec<FileId>) -> Result<PublicKey> {
    let file = Small::read(path, "public key")?;
    inputs.extend(file.id);
    let (key, _) = key::read_public_key(&file.bytes)
        .with_context(|| format!("cannot read public key {}", file.name))?;
    Ok(key)
}

fn seal(
    args: &Args,
    keys: &[PublicKey],
    passphrase: Option<Passphrase>,
    input: &mut Input,
    out: &mut Output,
) -> Result<u64> {
    let keys = keys.iter().map(|&key| Recipient::Sm2(key));
    let recipients: Vec<_> = keys.chain(passphrase.map(Recipient::Passphrase)).collect();
    let (progress, threads) = (Progress::new(input.length()), args.threads.number(input));
    let (header, payload) = Header::create(&recipients, &mut OsRng)?;
    let content = Watched::new(input, &progress);
    if args.armor {
        let mut text = armor::Writer::new(out)?;
        text.write_all(&header.to_bytes())?;
        let bytes = payload.seal_all_on(threads, content, &mut text)?;
        text.finish()?;
        return Ok(bytes);
    }
    out.put(&header.to_bytes())?;
    Ok(payload.seal_all_on(threads, content, out)?)
}

/// The one recipient of a bare ciphertext.
fn recipient(keys: &[PublicKey], has_passphrase: bool) -> Result<&PublicKey> {
    let ([key], false) = (keys, has_passphrase) else {
        let found = match (keys.len(), has_passphrase) {
            (count, false) => count.to_string(),
            _ => "a passphrase".to_owned(),
        };
        return Err(Failure::trouble(
            format!("a bare SM2 ciphertext has one recipient, found {found}"),
            "leave --raw out to encrypt a file to several keys or with a passphrase",
        )
        .into());
    };
    Ok(key)
}

fn raw(
    args: &Args,
    form: Form,
    key: &PublicKey,
    input: &mut Input,
    out: &mut Output,
) -> Result<u64> {
    let plaintext = input.read_all(IN_MEMORY)?;
    if plaintext.is_empty() {
        return Err(Failure::trouble(
            format!(
                "{} is empty, and SM2 encrypts one byte or more",
                input.name()
            ),
            "leave --raw out: a sealed file can hold an empty one",
        )
        .into());
    }
    let bytes = ciphertext::encrypt(key, &plaintext, form.format(), &mut OsRng)?;
    out.put(&encoding::written(&bytes, args.encoding))?;
    Ok(plaintext.len() as u64)
}
