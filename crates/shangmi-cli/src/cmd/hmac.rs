//! `shangmi hmac`: HMAC-SM3 of files.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::json;
use shangmi::sm3::hmac::HmacKey;

use super::hash::sums;
use crate::failure::{Failure, Outcome};
use crate::hex;
use crate::input::Input;
use crate::output::{Content, Output};
use crate::progress::Progress;
use crate::secret::KeyArgs;
use crate::ui::{self, Format};

/// Print or verify the HMAC-SM3 of files
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  shangmi hmac --key-file KEY FILE          the key is the raw bytes of KEY
  shangmi hmac --key-env MAC_KEY FILE       the key is in hex in $MAC_KEY
  shangmi hmac --key-file KEY --verify 2e87f1d1...d391ff82 FILE
  shangmi hmac --key-fd 3 FILE 3< KEY       the key comes from descriptor 3

Without FILE, standard input is read. Exit status with --verify: 0 it matches,
1 it does not.")]
pub(crate) struct Args {
    #[command(flatten)]
    key: KeyArgs,
    /// Compare with this HMAC of 64 hex digits instead of printing it
    #[arg(long, value_name = "HEX")]
    verify: Option<String>,
    /// Files, or '-'
    #[arg(value_name = "FILE", default_value = "-", hide_default_value = true)]
    files: Vec<PathBuf>,
}

/// Prints HMACs, or verifies one.
pub(crate) fn run(args: &Args, format: Format) -> Result<Outcome> {
    let key = HmacKey::new(&args.key.read()?);
    match &args.verify {
        Some(expected) => verify(&key, expected, &args.files, format),
        None => print(&key, &args.files, format),
    }
}

fn print(key: &HmacKey, files: &[PathBuf], format: Format) -> Result<Outcome> {
    let mut outcome = Outcome::Done;
    let mut results = Vec::new();
    let mut out = Output::create(None, Content::Text, &[])?;
    for path in files {
        match mac(key, path) {
            Ok((mac, length)) if format == Format::Json => results.push(json!({
                "file": path.to_string_lossy(), "bytes": length, "hmac_sm3": hex::encode(&mac),
            })),
            Ok((mac, _)) => {
                out.put(&sums::plain_line(&mac, path.as_os_str().as_bytes()))?;
                out.show()?;
            }
            Err(error) => {
                ui::report(&error);
                outcome = Outcome::Trouble;
            }
        }
    }
    if format == Format::Json {
        out.put(format!("{:#}\n", json!({ "files": results })).as_bytes())?;
    }
    out.commit()?;
    Ok(outcome)
}

fn verify(key: &HmacKey, expected: &str, files: &[PathBuf], format: Format) -> Result<Outcome> {
    let [path] = files else {
        return Err(Failure::trouble(
            format!("--verify takes one file, found {}", files.len()),
            "verify the files one by one",
        )
        .into());
    };
    let expected = hex::decode("--verify", expected)?;
    if expected.len() != 32 {
        return Err(Failure::trouble(
            format!("--verify must be 32 bytes, found {}", expected.len()),
            "an HMAC-SM3 has 64 hex digits; shortened ones are not accepted",
        )
        .into());
    }
    let (mac, length) = mac(key, path)?;
    let valid = shangmi::ct::eq(&mac, &expected);
    if format == Format::Json {
        ui::print_json(&json!({
            "file": path.to_string_lossy(), "bytes": length, "valid": valid,
        }))?;
    }
    if !valid {
        return Err(Failure::negative(
            format!("the HMAC of {} does not match", ui::quote(path)),
            "the key is not the right one, or the file was changed; \
             text and hex keys have options of their own",
        )
        .into());
    }
    if format == Format::Text {
        let mut out = Output::create(None, Content::Text, &[])?;
        out.put(&sums::result_line(path.as_os_str().as_bytes(), "OK"))?;
        out.commit()?;
    }
    Ok(Outcome::Done)
}

fn mac(key: &HmacKey, path: &Path) -> Result<([u8; 32], u64)> {
    let mut input = Input::open(path)?;
    let progress = Progress::new(input.length());
    let mut mac = key.start();
    let length = input.for_each_chunk(&progress, |chunk| {
        mac.update(chunk);
        Ok(())
    })?;
    Ok((mac.finalize(), length))
}
