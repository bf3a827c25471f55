//! `shangmi sm4`: bare SM4 in every mode.

mod aead;
mod stream;

use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Subcommand, ValueEnum};
use serde_json::json;
use shangmi::padding::Padding;
use shangmi::rng::{OsRng, Rng};
use shangmi::sm4::BLOCK_LEN;

use crate::failure::{Failure, Outcome};
use crate::hex;
use crate::input::Input;
use crate::output::{self, Content, Output};
use crate::secret::{KeyArgs, Secret};
use crate::ui::{self, Format};

/// Encrypt or decrypt with SM4 in a chosen mode; 'shangmi encrypt' is the safe choice for files
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi sm4 encrypt --mode gcm --key-file KEY --prepend-iv FILE -o FILE.sm4
  shangmi sm4 decrypt --mode gcm --key-file KEY --prepend-iv FILE.sm4 -o FILE
  shangmi sm4 encrypt --mode cbc --key-env K --iv-hex 00112233445566778899aabbccddeeff FILE -o OUT

  openssl enc -sm4-cbc -K HEX -iv HEX and its relatives give the same bytes.")]
pub(crate) struct Args {
    #[command(subcommand)]
    direction: Direction,
}

#[derive(Debug, Subcommand)]
enum Direction {
    /// Encrypt FILE
    #[command(after_help = NOTES)]
    Encrypt(Options),
    /// Decrypt FILE
    #[command(after_help = NOTES)]
    Decrypt(Options),
}

const NOTES: &str = "\
Examples:
  shangmi sm4 encrypt --mode gcm --key-file KEY --prepend-iv FILE -o FILE.sm4
  shangmi sm4 decrypt --mode gcm --key-file KEY --prepend-iv FILE.sm4 -o FILE
  shangmi sm4 encrypt --mode ctr --key-env K --iv-hex 00112233445566778899aabbccddeeff - < FILE
  shangmi sm4 decrypt --mode ecb --key-text-env K --key-fold mysql VALUE

Keys have 16 bytes (XTS: 32). IVs have 16 bytes; the nonce of GCM 1 or more (12 is
the usual length), of CCM 7 to 13. GCM and CCM append a tag of 16 bytes and write
nothing when it is wrong. GCM, CCM and XTS hold the file in memory: at most 1 GiB;
a nonce of n bytes limits CCM to 256^(15-n) bytes. XTS takes the file as one data unit
of at least 16 bytes, with --iv-hex as its tweak. Never use a key and an IV twice.

--key-fold mysql and --iv-pad zero are for values that a database encrypted: its functions
take keys of any length and short IVs. Do not fold a key of your own: different keys
become one.";

/// How SM4 is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    /// Blocks one by one; shows repetitions, for interoperability only
    Ecb,
    /// Chained blocks, padded
    Cbc,
    /// Cipher feedback of 128 bits
    Cfb,
    /// Output feedback
    Ofb,
    /// Counter
    Ctr,
    /// Counter with authentication
    Gcm,
    /// Counter with CBC-MAC authentication
    Ccm,
    /// XTS as GB/T 17964 defines it
    XtsGb,
    /// XTS as IEEE 1619 defines it
    XtsIeee,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PaddingName {
    Pkcs7,
    /// Zeros, then the number of bytes added
    X923,
    /// 80, then zeros
    Iso7816,
    /// Zeros up to the block; not reversible when the data ends in zeros
    Zero,
    /// The length must be a multiple of 16
    None,
}

/// How a key of another length becomes one of 16 bytes.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum KeyFold {
    /// Byte i is added (XOR) to byte i mod 16, as MySQL and its relatives fold the keys of their functions
    Mysql,
}

/// How a short IV becomes one of 16 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum IvPad {
    /// Zeros behind it
    Zero,
}

#[derive(clap::Args, Debug)]
struct Options {
    /// Mode of operation
    #[arg(short, long, value_enum)]
    mode: Mode,
    #[command(flatten)]
    key: KeyArgs,
    /// Fold a key of any length into 16 bytes, to read what a database wrote; for ecb and cbc
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Key")]
    key_fold: Option<KeyFold>,
    /// Lengthen a short IV, to read what a database wrote; for cbc
    #[arg(long, value_enum, value_name = "HOW")]
    iv_pad: Option<IvPad>,
    /// IV, nonce or tweak
    #[arg(long, value_name = "HEX")]
    iv_hex: Option<String>,
    /// Keep the IV in front of the ciphertext; encryption draws a random one unless --iv-hex is given
    #[arg(long)]
    prepend_iv: bool,
    /// Additional data that GCM and CCM authenticate
    #[arg(long, value_name = "HEX")]
    aad_hex: Option<String>,
    /// Padding of ECB and CBC [default: pkcs7]
    #[arg(long, value_enum)]
    padding: Option<PaddingName>,
    /// File to read, or '-'
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Encrypt,
    Decrypt,
}

/// Encrypts or decrypts.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    let (way, options) = match &args.direction {
        Direction::Encrypt(options) => (Way::Encrypt, options),
        Direction::Decrypt(options) => (Way::Decrypt, options),
    };
    options.check()?;
    output::check_json(format, options.output.as_deref())?;
    let key = options.key()?;
    let aad = options
        .aad_hex
        .as_deref()
        .map(|digits| hex::decode("--aad-hex", digits));
    let aad = aad.transpose()?.unwrap_or_default();

    let mut input = Input::open(&options.file)?;
    let iv = options.iv(way, &mut input)?;
    let inputs: Vec<_> = input.id().into_iter().collect();
    let mut out = Output::create(options.output.as_deref(), Content::Binary, &inputs)?;
    if options.prepend_iv && way == Way::Encrypt {
        out.put(&iv)?;
    }
    let bytes = match options.mode {
        Mode::Gcm | Mode::Ccm | Mode::XtsGb | Mode::XtsIeee => {
            aead::run(options.mode, way, (&key, &iv, &aad), &mut input, &mut out)
        }
        _ => stream::run(
            options.mode,
            way,
            (&key, &iv, options.padding()),
            &mut input,
            &mut out,
        ),
    }
    .with_context(|| match way {
        Way::Encrypt => format!("cannot encrypt {}", input.name()),
        Way::Decrypt => format!("cannot decrypt {}", input.name()),
    })?;
    out.commit()?;
    if format == Format::Json {
        ui::print_json(&json!({
            "mode": options.mode.name(),
            "iv": hex::encode(&iv),
            "bytes_read": bytes,
            "output": options.output,
        }))?;
    }
    Ok(Outcome::Done)
}

impl Mode {
    fn name(self) -> String {
        self.to_possible_value()
            .map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Bytes of an IV drawn at random; the lengths allowed.
    fn iv_lengths(self) -> (usize, std::ops::RangeInclusive<usize>) {
        match self {
            Self::Ecb => (0, 0..=0),
            Self::Gcm => (12, 1..=1 << 16),
            Self::Ccm => (12, 7..=13),
            _ => (16, 16..=16),
        }
    }
}

impl Options {
    /// Options that the mode has no use for are mistakes.
    fn check(&self) -> Result<()> {
        let mode = self.mode;
        let refuse = |option: &str, users: &str| {
            let message = format!("mode {} takes no {option}", mode.name());
            Err(Failure::trouble(message, format!("{option} is for {users}")).into())
        };
        if self.aad_hex.is_some() && !matches!(mode, Mode::Gcm | Mode::Ccm) {
            return refuse("--aad-hex", "gcm and ccm");
        }
        if self.padding.is_some() && !matches!(mode, Mode::Ecb | Mode::Cbc) {
            return refuse("--padding", "ecb and cbc");
        }
        if self.key_fold.is_some() && !matches!(mode, Mode::Ecb | Mode::Cbc) {
            return refuse("--key-fold", "ecb and cbc");
        }
        if self.iv_pad.is_some() && mode != Mode::Cbc {
            return refuse("--iv-pad", "cbc");
        }
        if mode == Mode::Ecb && self.iv_hex.is_some() {
            return refuse("--iv-hex", "every other mode");
        }
        if mode == Mode::Ecb && self.prepend_iv {
            return refuse("--prepend-iv", "every other mode");
        }
        Ok(())
    }

    fn key(&self) -> Result<Secret> {
        let key = self.key.read()?;
        if let Some(KeyFold::Mysql) = self.key_fold {
            return Ok(fold(&key));
        }
        check_key(self.mode, key.len())?;
        Ok(key)
    }

    fn padding(&self) -> Padding {
        match self.padding {
            None | Some(PaddingName::Pkcs7) => Padding::Pkcs7,
            Some(PaddingName::X923) => Padding::AnsiX923,
            Some(PaddingName::Iso7816) => Padding::Iso7816,
            Some(PaddingName::Zero) => Padding::Zero,
            Some(PaddingName::None) => Padding::None,
        }
    }

    /// The IV: given, drawn at random, or read from the front of the input.
    fn iv(&self, way: Way, input: &mut Input) -> Result<Vec<u8>> {
        let (usual, allowed) = self.mode.iv_lengths();
        match (&self.iv_hex, way) {
            (Some(_), Way::Decrypt) if self.prepend_iv => Err(Failure::trouble(
                "--iv-hex and --prepend-iv both name the IV",
                "leave --iv-hex out: the IV is in front of the ciphertext",
            )
            .into()),
            (Some(digits), _) => {
                let mut iv = hex::decode("--iv-hex", digits)?;
                if self.iv_pad == Some(IvPad::Zero) && iv.len() < usual {
                    iv.resize(usual, 0);
                }
                if !allowed.contains(&iv.len()) {
                    return Err(wrong_iv_length(self.mode, &allowed, iv.len()).into());
                }
                Ok(iv.to_vec())
            }
            (None, _) if self.mode == Mode::Ecb => Ok(Vec::new()),
            (None, Way::Encrypt) if self.prepend_iv => {
                let mut iv = vec![0; usual];
                OsRng.fill(&mut iv)?;
                Ok(iv)
            }
            (None, Way::Decrypt) if self.prepend_iv => {
                let mut iv = vec![0; usual];
                let name = input.name().to_owned();
                input
                    .read_exact(&mut iv)
                    .with_context(|| format!("cannot read the IV of {name}"))?;
                Ok(iv)
            }
            (None, _) => Err(Failure::trouble(
                format!("mode {} needs an IV of {usual} bytes", self.mode.name()),
                "give --iv-hex, or --prepend-iv to keep a random one in front of the ciphertext",
            )
            .into()),
        }
    }
}

/// folded[i] = key[i] XOR key[i + 16] XOR key[i + 32] ...
fn fold(key: &[u8]) -> Secret {
    let mut folded = Secret::new(vec![0; BLOCK_LEN]);
    for piece in key.chunks(BLOCK_LEN) {
        for (out, byte) in folded.iter_mut().zip(piece) {
            *out ^= byte;
        }
    }
    folded
}

fn wrong_iv_length(mode: Mode, allowed: &std::ops::RangeInclusive<usize>, found: usize) -> Failure {
    let (min, max) = (allowed.start(), allowed.end());
    let expected = if min == max {
        format!("{min}")
    } else {
        format!("{min} to {max}")
    };
    Failure::trouble(
        format!("the IV must be {expected} bytes, found {found}"),
        format!(
            "mode {} was asked for; two hex digits make a byte",
            mode.name()
        ),
    )
}

fn check_key(mode: Mode, found: usize) -> Result<()> {
    let expected = if matches!(mode, Mode::XtsGb | Mode::XtsIeee) {
        32
    } else {
        16
    };
    if found == expected {
        return Ok(());
    }
    let hint = if found == 2 * expected || found == 2 * expected + 1 {
        "is the key written in hex? a key file holds raw bytes, --key-env takes hex digits"
    } else if found == expected + 1 {
        "does the key file end in a line feed? it must hold the raw bytes only"
    } else {
        "SM4 has keys of 16 bytes (32 hex digits); XTS takes two of them, one after the other"
    };
    Err(Failure::trouble(
        format!("the key must be {expected} bytes, found {found}"),
        hint,
    )
    .into())
}
