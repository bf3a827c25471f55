//! Secrets: from a file, a descriptor, an environment variable or a prompt.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use anyhow::Result;
use zeroize::Zeroizing;

use crate::failure::Failure;
use crate::input::Small;
use crate::{hex, ui};

/// Bytes that are wiped when dropped.
pub(crate) type Secret = Zeroizing<Vec<u8>>;

/// Where a symmetric key comes from.
#[derive(clap::Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct KeyArgs {
    /// Key: the raw bytes of FILE
    #[arg(long, value_name = "FILE", help_heading = "Key")]
    key_file: Option<PathBuf>,
    /// Key: the raw bytes that file descriptor N delivers
    #[arg(long, value_name = "N", help_heading = "Key")]
    key_fd: Option<u32>,
    /// Key: the hex digits in environment variable VAR
    #[arg(long, value_name = "VAR", help_heading = "Key")]
    key_env: Option<String>,
    /// Key: the text in environment variable VAR, as its bytes
    #[arg(long, value_name = "VAR", help_heading = "Key")]
    key_text_env: Option<String>,
    /// Key: these hex digits; other users can see them, so for test vectors only
    #[arg(long, value_name = "HEX", help_heading = "Key")]
    key_hex: Option<String>,
}

impl KeyArgs {
    /// The key, at least one byte long.
    pub(crate) fn read(&self) -> Result<Secret> {
        let key = self.read_any()?;
        if key.is_empty() {
            return Err(Failure::trouble(
                "the key is empty",
                "check that the variable or file holds the key",
            )
            .into());
        }
        Ok(key)
    }

    fn read_any(&self) -> Result<Secret> {
        if let Some(path) = &self.key_file {
            return read_key_file(path);
        }
        if let Some(descriptor) = self.key_fd {
            return Ok(Small::read(&descriptor_path(descriptor), "key")?.bytes);
        }
        if let Some(variable) = &self.key_env {
            let value = environment(variable)?;
            let text = std::str::from_utf8(&value).map_err(|_| {
                Failure::trouble(
                    format!("environment variable {variable} does not hold hex digits"),
                    "write the key in hex, or use --key-text-env for text",
                )
            })?;
            return hex::decode(&format!("environment variable {variable}"), text);
        }
        if let Some(variable) = &self.key_text_env {
            return environment(variable);
        }
        let digits = self
            .key_hex
            .as_deref()
            .expect("clap demands one of the key options");
        ui::warn("other users can see a key on the command line; --key-file and --key-env hide it");
        hex::decode("--key-hex", digits)
    }
}

fn read_key_file(path: &Path) -> Result<Secret> {
    let key = Small::read(path, "key file")?.bytes;
    let text = key.trim_ascii();
    if text.len() >= 16 && text.iter().all(u8::is_ascii_hexdigit) {
        ui::warn(format_args!(
            "{} holds hex digits, but its {} bytes are used as they are; \
             'xxd -r -p' turns hex digits into bytes",
            ui::quote(path),
            key.len()
        ));
    }
    Ok(key)
}

/// The name under which the system offers an inherited file descriptor.
pub(crate) fn descriptor_path(descriptor: u32) -> PathBuf {
    PathBuf::from(format!("/dev/fd/{descriptor}"))
}

/// The bytes of an environment variable that must be set.
pub(crate) fn environment(variable: &str) -> Result<Secret> {
    match std::env::var_os(variable).map(OsString::into_vec) {
        Some(value) => Ok(Zeroizing::new(value)),
        None => Err(Failure::trouble(
            format!("environment variable {variable} is not set"),
            "export it first; the option takes the name of the variable, not the secret",
        )
        .into()),
    }
}
