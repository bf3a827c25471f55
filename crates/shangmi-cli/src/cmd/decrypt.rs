//! `shangmi decrypt`.

mod part;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::ValueEnum;
use serde_json::json;
use shangmi::sm2::PrivateKey;
use shangmi_pki::container::{Header, Identity, armor};
use shangmi_pki::{CiphertextFormat, Error, ciphertext};

use self::part::PartArgs;
use crate::failure::{Failure, Outcome};
use crate::input::{self, IN_MEMORY, Input};
use crate::output::{self, Content, Output};
use crate::passphrase::{self, PassphraseArgs};
use crate::progress::{Progress, Watched};
use crate::threads::ThreadArgs;
use crate::ui::{self, Format};

/// Decrypt a file with an SM2 private key or a passphrase
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi decrypt --key key.pem FILE.sealed -o FILE
  shangmi decrypt --key key.pem DIR.sealed | tar x
  shangmi decrypt --passphrase-env PASS FILE.sealed -o FILE
  shangmi decrypt --key key.pem --offset 1000000 --length 500 FILE.sealed
  shangmi decrypt --key key.pem --raw auto key.enc -o key.bin

With --key, a passphrase is that of the key's file; without, that of FILE, and it is
asked for on the terminal unless an option gives it.

Sealed files are read as they are and as text (encrypt --armor). With --offset or
--length only the needed parts of FILE and its end are read and checked: what comes out
is what was sealed at that place; the rest of FILE may be damaged.

Nothing is written that was not authenticated before. With -o, OUT appears only when
the whole file is right; a pipe gets each part of 64 KiB once it has been checked, so
look at the exit status before you use what came through it.
Exit status: 0 done; 1 wrong key or passphrase, or the file was changed; 2 otherwise.")]
pub(crate) struct Args {
    /// Private key: PEM, DER, raw bytes or hex
    #[arg(short, long, value_name = "KEY")]
    key: Option<PathBuf>,
    #[command(flatten)]
    passphrase: PassphraseArgs,
    #[command(flatten)]
    part: PartArgs,
    #[command(flatten)]
    threads: ThreadArgs,
    /// FILE is one bare SM2 ciphertext in this form
    #[arg(long, value_enum, value_name = "FORM")]
    raw: Option<RawForm>,
    /// File to decrypt, or '-'
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

/// The forms that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RawForm {
    /// Whichever fits
    Auto,
    /// SEQUENCE { x, y, C3, C2 }: OpenSSL, GmSSL
    Der,
    /// 04, x, y, C3, C2: today's standard order
    #[value(name = "c1c3c2")]
    C1C3C2,
    /// 04, x, y, C2, C3: the old order
    #[value(name = "c1c2c3")]
    C1C2C3,
    /// x, y, C3, C2: without the 04, as JavaScript libraries write it
    #[value(name = "bare-c1c3c2")]
    BareC1C3C2,
    /// x, y, C2, C3: without the 04
    #[value(name = "bare-c1c2c3")]
    BareC1C2C3,
}

/// Decrypts the file.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    output::check_json(format, args.output.as_deref())?;
    let paths = args.key.iter().chain([&args.file]).map(PathBuf::as_path);
    input::check_one_stdin(&paths.collect::<Vec<_>>())?;
    let key = args.key.as_deref();
    let key = key.map(|path| passphrase::read_private_key(path, &args.passphrase));
    let (key, key_id) = key.transpose()?.unzip();
    let mut input = Input::open(&args.file)?;
    let inputs: Vec<_> = key_id.flatten().into_iter().chain(input.id()).collect();
    let mut out = Output::create(args.output.as_deref(), Content::Binary, &inputs)?;
    let cannot_decrypt = format!("cannot decrypt {}", input.name());
    let bytes = match args.raw {
        None => open(args, key.as_ref(), &mut input, &mut out),
        Some(form) => raw(key.as_ref(), form, &mut input, &mut out),
    }
    .context(cannot_decrypt)?;
    out.commit()?;
    if format == Format::Json {
        ui::print_json(&json!({ "output": args.output, "bytes_written": bytes }))?;
    }
    Ok(Outcome::Done)
}

fn open(args: &Args, key: Option<&PrivateKey>, input: &mut Input, out: &mut Output) -> Result<u64> {
    let name = input.name().to_owned();
    let unlock = |header: &Header| match key {
        Some(key) => Ok(header.unlock(key)?),
        None if header.takes_passphrase() => {
            let passphrase = args.passphrase.existing(&name)?;
            Ok(header.unlock(Identity::Passphrase(&passphrase))?)
        }
        None => Err(Error::NotForAPassphrase.into()),
    };
    if args.part.is_given() {
        return part::open(&args.part, unlock, input, out);
    }
    let (progress, threads) = (Progress::new(input.length()), args.threads.number(input));
    let mut reader = armor::Reader::new(Watched::new(input, &progress))?;
    let payload = unlock(&Header::read(&mut reader)?)?;
    Ok(payload.open_all_on(threads, reader, out)?)
}

fn raw(
    key: Option<&PrivateKey>,
    form: RawForm,
    input: &mut Input,
    out: &mut Output,
) -> Result<u64> {
    let key = key.ok_or_else(|| {
        Failure::trouble(
            "a bare SM2 ciphertext is for a private key",
            "name it with --key",
        )
    })?;
    let bytes = input.read_all(IN_MEMORY)?;
    let form = match form {
        RawForm::Auto => None,
        RawForm::Der => Some(CiphertextFormat::Der),
        RawForm::C1C3C2 => Some(CiphertextFormat::C1C3C2),
        RawForm::C1C2C3 => Some(CiphertextFormat::C1C2C3),
        RawForm::BareC1C3C2 => Some(CiphertextFormat::BareC1C3C2),
        RawForm::BareC1C2C3 => Some(CiphertextFormat::BareC1C2C3),
    };
    let plaintext = match form {
        None => ciphertext::decrypt_auto(&bytes, key)?.0,
        Some(form) => ciphertext::decrypt(&bytes, form, key)?,
    };
    out.put(&plaintext)?;
    Ok(plaintext.len() as u64)
}
