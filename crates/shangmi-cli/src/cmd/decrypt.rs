//! `shangmi decrypt`.

mod part;
mod raw;

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::json;
use shangmi::sm2::PrivateKey;
use shangmi_pki::Error;
use shangmi_pki::container::{Header, Identity, armor};

use self::part::PartArgs;
use self::raw::RawArgs;
use crate::failure::Outcome;
use crate::input::{self, Input};
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
  shangmi decrypt --key key.pem --raw auto --encoding hex key.txt -o key.bin

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
    #[command(flatten)]
    raw: RawArgs,
    /// File to decrypt, or '-'
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
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
    let bytes = if args.raw.is_given() {
        args.raw.decrypt(key.as_ref(), &mut input, &mut out)
    } else {
        open(args, key.as_ref(), &mut input, &mut out)
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
