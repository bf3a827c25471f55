//! User IDs of signatures.

use std::borrow::Cow;

use anyhow::Result;
use shangmi::sm2::{DEFAULT_ID, PrivateKey, PublicKey, Signer, Verifier};

use crate::failure::Failure;
use crate::hex;

/// The signer's user ID.
#[derive(clap::Args, Debug)]
#[group(multiple = false)]
pub(crate) struct IdArgs {
    /// User ID as text [default: 1234567812345678]
    #[arg(
        long,
        value_name = "ID",
        help_heading = "User ID",
        conflicts_with = "digest"
    )]
    id: Option<String>,
    /// User ID as hex digits
    #[arg(
        long,
        value_name = "HEX",
        help_heading = "User ID",
        conflicts_with = "digest"
    )]
    id_hex: Option<String>,
    /// The empty user ID, as OpenSSL before 4.0 uses unless told otherwise
    #[arg(long, help_heading = "User ID", conflicts_with = "digest")]
    empty_id: bool,
}

impl IdArgs {
    /// The ID; empty only when it was asked for by name.
    pub(crate) fn get(&self) -> Result<Cow<'_, [u8]>> {
        if self.empty_id {
            return Ok(Cow::Borrowed(b""));
        }
        let id = match (&self.id, &self.id_hex) {
            (Some(text), _) => Cow::Borrowed(text.as_bytes()),
            (None, Some(digits)) => Cow::Owned(hex::decode("--id-hex", digits)?.to_vec()),
            (None, None) => Cow::Borrowed(DEFAULT_ID),
        };
        if id.is_empty() {
            return Err(Failure::trouble(
                "the user ID is empty",
                "leave the option out for the default ID; --empty-id asks for the empty one",
            )
            .into());
        }
        Ok(id)
    }
}

/// A signer under an ID that may be empty.
pub(crate) fn signer(key: &PrivateKey, id: &[u8]) -> Result<Signer> {
    Ok(if id.is_empty() {
        Signer::with_empty_id(key)
    } else {
        Signer::new(key, id)
    }?)
}

/// A verifier under an ID that may be empty.
pub(crate) fn verifier(key: &PublicKey, id: &[u8]) -> Result<Verifier> {
    Ok(if id.is_empty() {
        Verifier::with_empty_id(key)
    } else {
        Verifier::new(key, id)
    }?)
}

/// The ID for messages: as text where it is printable, in hex otherwise.
pub(crate) fn describe(id: &[u8]) -> String {
    match std::str::from_utf8(id) {
        Ok("") => "the empty ID".to_owned(),
        Ok(text) if !text.chars().any(char::is_control) => format!("ID '{text}'"),
        _ => format!("ID {} (hex)", hex::encode(id)),
    }
}
