//! One bare SM2 ciphertext, without a file around it.

use anyhow::Result;
use clap::ValueEnum;
use clap::builder::PossibleValue;
use shangmi::Error as Crypto;
use shangmi::sm2::PrivateKey;
use shangmi_pki::container::{Header, armor};
use shangmi_pki::{Error, ciphertext};
use zeroize::Zeroizing;

use crate::bare;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::input::{IN_MEMORY, Input};
use crate::output::Output;

/// How FILE is read when it is a bare ciphertext.
#[derive(clap::Args, Debug)]
pub(super) struct RawArgs {
    /// FILE is one bare SM2 ciphertext in this form
    #[arg(long, value_enum, value_name = "FORM")]
    raw: Option<Form>,
    /// The ciphertext is text [default: bytes as they are]
    #[arg(long, value_enum, value_name = "ENCODING", requires = "raw")]
    encoding: Option<Encoding>,
}

/// The forms that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Auto,
    Of(bare::Form),
}

impl ValueEnum for Form {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Auto,
            Self::Of(bare::Form::Der),
            Self::Of(bare::Form::C1C3C2),
            Self::Of(bare::Form::C1C2C3),
            Self::Of(bare::Form::BareC1C3C2),
            Self::Of(bare::Form::BareC1C2C3),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Auto => Some(PossibleValue::new("auto").help("Whichever fits")),
            Self::Of(form) => form.to_possible_value(),
        }
    }
}

impl RawArgs {
    pub(super) fn is_given(&self) -> bool {
        self.raw.is_some()
    }

    /// Decrypts the ciphertext; returns the bytes of the plaintext.
    pub(super) fn decrypt(
        &self,
        key: Option<&PrivateKey>,
        input: &mut Input,
        out: &mut Output,
    ) -> Result<u64> {
        let key = key.ok_or_else(|| {
            Failure::trouble(
                "a bare SM2 ciphertext is for a private key",
                "name it with --key",
            )
        })?;
        let file = input.read_all(IN_MEMORY)?;
        let plaintext = match self.encoding {
            None => self.open(&file, key)?,
            Some(encoding) => self.open(&decoded(&file, encoding)?, key)?,
        };
        out.put(&plaintext)?;
        Ok(plaintext.len() as u64)
    }

    fn open(&self, bytes: &[u8], key: &PrivateKey) -> Result<Zeroizing<Vec<u8>>> {
        let opened = match self.raw {
            Some(Form::Of(form)) => ciphertext::decrypt(bytes, form.format(), key),
            _ => ciphertext::decrypt_auto(bytes, key).map(|(plaintext, _)| plaintext),
        };
        opened.map_err(|error| match error {
            // The writer's fault, and its message says which.
            Error::NegativeInteger { .. } => error.into(),
            _ => self.explained(&error, bytes, key).into(),
        })
    }

    /// The failure with its likeliest cause: the other forms are tried for that. A plaintext that
    /// one of them gives is wiped here and goes nowhere, for it was not asked for.
    fn explained(&self, error: &Error, bytes: &[u8], key: &PrivateKey) -> Failure {
        let hint = match ciphertext::decrypt_auto(bytes, key) {
            Ok((_, format)) => format!(
                "the ciphertext has another form: it opens with --raw {}",
                bare::Form::name(format)
            ),
            Err(Error::Crypto(Crypto::DecryptFailed)) => {
                "no form of --raw opens it: it is for another key, or its bytes were changed"
                    .to_owned()
            }
            Err(_) => self.hint_for_no_ciphertext(bytes),
        };
        if error.is_negative() {
            Failure::negative(error.to_string(), hint)
        } else {
            Failure::trouble(error.to_string(), hint)
        }
    }

    fn hint_for_no_ciphertext(&self, bytes: &[u8]) -> String {
        let sealed =
            armor::Reader::new(bytes).is_ok_and(|mut file| Header::read(&mut file).is_ok());
        if sealed {
            return "it is a sealed file: leave --raw out".to_owned();
        }
        match (self.encoding, Encoding::guess(bytes)) {
            (None, Some(guess)) => format!("it is text: add --encoding {}", guess.name()),
            (Some(_), _) => {
                "it has no form of --raw: is it the right file, whole, and in this encoding?"
                    .to_owned()
            }
            (None, None) => "it has no form of --raw: is it the right file, and whole? \
                     for hex digits or Base64 there is --encoding"
                .to_owned(),
        }
    }
}

/// The bytes behind a text, or what to do where it is none.
fn decoded(file: &[u8], encoding: Encoding) -> Result<Vec<u8>> {
    encoding.decode("the ciphertext", file).map_err(|error| {
        let hint = match Encoding::guess(file) {
            Some(other) if other != encoding => format!("try --encoding {}", other.name()),
            None if !file.is_ascii() => "the file is no text: leave --encoding out".to_owned(),
            _ => return error,
        };
        Failure::trouble(error.to_string(), hint).into()
    })
}
