//! Bytes as text, as they stand in JSON, forms and mail: hexadecimal or Base64.

use std::borrow::Cow;

use anyhow::Result;
use base64ct::{Base64, Encoding as _};
use clap::ValueEnum;

use crate::failure::Failure;
use crate::hex;
use crate::output::Content;

/// How bytes are written as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Encoding {
    /// Two hex digits a byte, as JavaScript libraries write
    Hex,
    /// Base64 with padding (RFC 4648, section 4)
    Base64,
}

impl Encoding {
    /// The text, on one line.
    fn encode(self, bytes: &[u8]) -> String {
        let mut text = match self {
            Self::Hex => hex::encode(bytes),
            Self::Base64 => Base64::encode_string(bytes),
        };
        text.push('\n');
        text
    }

    /// The bytes behind a text on any number of lines; `what` it is goes into messages.
    pub(crate) fn decode(self, what: &str, text: &[u8]) -> Result<Vec<u8>> {
        let text = without_white_space(text);
        match self {
            Self::Hex => Ok(hex::decode(what, &String::from_utf8_lossy(&text))?.to_vec()),
            Self::Base64 => {
                let mut bytes = text;
                let length = Base64::decode_in_place(&mut bytes).map(<[u8]>::len);
                let length = length.map_err(|_| not_base64(what))?;
                bytes.truncate(length);
                Ok(bytes)
            }
        }
    }

    /// The encoding that a file is in if it is text of one, and no bytes by all odds.
    pub(crate) fn guess(file: &[u8]) -> Option<Self> {
        let text = without_white_space(file);
        let all = |is_one: fn(&u8) -> bool| !text.is_empty() && text.iter().all(is_one);
        if all(u8::is_ascii_hexdigit) {
            return Some(Self::Hex);
        }
        let digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/=".contains(byte);
        (all(digit) && text.len().is_multiple_of(4)).then_some(Self::Base64)
    }

    /// The value of `--encoding` that names it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hex => "hex",
            Self::Base64 => "base64",
        }
    }
}

/// What a result is when it is written so.
pub(crate) fn content(encoding: Option<Encoding>) -> Content {
    encoding.map_or(Content::Binary, |_| Content::Text)
}

/// A result as it is written: as text if that was asked for.
pub(crate) fn written(bytes: &[u8], encoding: Option<Encoding>) -> Cow<'_, [u8]> {
    encoding.map_or(Cow::Borrowed(bytes), |encoding| {
        Cow::Owned(encoding.encode(bytes).into_bytes())
    })
}

fn without_white_space(text: &[u8]) -> Vec<u8> {
    let bytes = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    bytes.copied().collect()
}

fn not_base64(what: &str) -> Failure {
    Failure::trouble(
        format!("{what} is no Base64 text"),
        "Base64 has letters, digits, + and /, and = at its end; was it copied completely?",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_go_round_and_are_told_apart() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        for encoding in [Encoding::Hex, Encoding::Base64] {
            for length in 1..=bytes.len() {
                let text = encoding.encode(&bytes[..length]);
                assert_eq!(text.lines().count(), 1);
                // As `fold` and mail break it, and with a carriage return.
                let lines: Vec<&[u8]> = text.trim().as_bytes().chunks(60).collect();
                let wrapped = [b"\n ", &lines.join(&b"\r\n"[..])[..], b"\r\n"].concat();
                assert_eq!(encoding.decode("x", &wrapped).unwrap(), bytes[..length]);
            }
            let text = encoding.encode(&bytes);
            assert_eq!(Encoding::guess(text.as_bytes()), Some(encoding));
        }
    }

    #[test]
    fn bytes_are_no_text() {
        for file in [&b""[..], b"\n", b"\x04abcdef", b"abcde!", b"xyz"] {
            assert_eq!(Encoding::guess(file), None, "{file:?}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (encoding, text, says) in [
            (
                Encoding::Hex,
                &b"012"[..],
                "the text has 3 hex digits, an odd number",
            ),
            (
                Encoding::Hex,
                b"01\xff2",
                "the text: character 3 is not a hex digit",
            ),
            (Encoding::Base64, b"AAA", "the text is no Base64 text"),
            (Encoding::Base64, b"AAE$", "the text is no Base64 text"),
        ] {
            let error = encoding.decode("the text", text).unwrap_err();
            assert_eq!(error.to_string(), says);
        }
    }
}
