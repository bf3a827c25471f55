//! The protocol of the peers: a request is a line, and so is its answer.
//!
//! A request is an operation and its arguments, apart by spaces. Bytes are in hexadecimal, none of them is `-`. The
//! answer is `ok` with bytes, or `refused` with a reason.
//!
//! | operation | arguments | bytes in the answer |
//! |---|---|---|
//! | `version` | | text |
//! | `public` | d | public key |
//! | `sign` | form, d, ID, message | signature |
//! | `verify` | form, public key, ID, message, signature | |
//! | `encrypt` | form, public key, plaintext | ciphertext |
//! | `decrypt` | form, d, ciphertext | plaintext |
//! | `initiate` | name, length, d, ID, other's public key and ID | `R_A` |
//! | `finish` | name, `R_B`, `S_B` | shared key, `S_A` |
//! | `respond` | name, length, d, ID, other's public key and ID, `R_A` | `R_B`, `S_B` |
//! | `confirm` | name, `S_A` | shared key |
//! | `agree` | role, own r, then as `respond` from length to other's ID, other's R and S | shared key, own S |
//!
//! d has 32 bytes, a point is 04 ‖ x ‖ y, the length of a shared key one byte. Forms are `der` and `raw` for
//! signatures, `der`, `c1c3c2` and `c1c2c3` for ciphertexts. The name is that of an exchange which waits for the
//! other side. `agree` has none: there the ephemeral key r is given, and the role is `initiator` or `responder`.

mod libcrypto;
mod list;
mod process;

use std::fmt::Write as _;
use std::path::Path;

use anyhow::Result;
use shangmi_pki::{CiphertextFormat, SignatureFormat};

use super::case::Case;
use super::check::Kind;

pub(super) use list::PEERS;

/// Another implementation, and what it has.
pub(super) struct Peer {
    pub(super) name: &'static str,
    /// What installs it.
    pub(super) install: &'static str,
    pub(super) signatures: &'static [SignatureFormat],
    pub(super) ciphertexts: &'static [CiphertextFormat],
    /// Whether it has the key exchange.
    pub(super) exchange: bool,
    /// Whether it has `agree`.
    pub(super) agrees: bool,
    pub(super) faults: &'static [Fault],
    /// Starts it; the argument is the root of the checkout.
    pub(super) open: fn(&Path) -> Result<Box<dyn Port>>,
}

/// A known fault of a peer. What it explains is counted and named, and is no failure.
pub(super) struct Fault {
    pub(super) name: &'static str,
    /// Whether the same request seldom meets it: then it is asked again, and the answer must be right.
    pub(super) by_chance: bool,
    pub(super) explains: fn(&Case, Kind, &Answer) -> bool,
}

/// Where requests go.
pub(super) trait Port: Send {
    /// The answers to all of the lines, in their order.
    fn answer(&mut self, requests: &[Request]) -> Result<Vec<Answer>>;
}

/// The bytes, or why there are none.
pub(super) type Answer = Result<Vec<Vec<u8>>, String>;

/// Digits of a word that are shown.
const MOST_SHOWN: usize = 600;

/// A line.
#[derive(Clone, Debug)]
pub(super) struct Request(String);

impl Request {
    pub(super) fn new(operation: &str) -> Self {
        Self(operation.to_owned())
    }

    pub(super) fn word(mut self, word: &str) -> Self {
        self.0.push(' ');
        self.0.push_str(word);
        self
    }

    pub(super) fn bytes(self, bytes: &[u8]) -> Self {
        self.word(&hex(bytes))
    }

    pub(super) fn line(&self) -> &str {
        &self.0
    }

    /// The line for people, who need no more than the beginning of an ID of 8191 bytes.
    pub(super) fn shown(&self) -> String {
        let words = self.0.split(' ').map(|word| match word.get(..MOST_SHOWN) {
            Some(beginning) => format!("{beginning}...({} digits)", word.len()),
            None => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }
}

/// An answer as its line.
pub(super) fn shown(answer: &Answer) -> String {
    match answer {
        Ok(fields) => fields
            .iter()
            .fold("ok".to_owned(), |line, field| line + " " + &hex(field)),
        Err(reason) => format!("refused {reason}"),
    }
}

/// The word for bytes.
fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() {
        return "-".to_owned();
    }
    let mut word = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(word, "{byte:02x}");
    }
    word
}

/// The bytes of a word.
pub(super) fn unhex(word: &str) -> Option<Vec<u8>> {
    if word == "-" {
        return Some(Vec::new());
    }
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let pair = |[high, low]: &[u8; 2]| Some((16 * digit(*high)? + digit(*low)?) as u8);
    let (pairs, rest) = word.as_bytes().as_chunks();
    let bytes = pairs.iter().map(pair).collect::<Option<_>>();
    bytes.filter(|_| rest.is_empty())
}

/// What the line says; `None` when it is no answer.
fn read_answer(line: &str) -> Option<Answer> {
    let mut words = line.split_whitespace();
    match words.next()? {
        "ok" => words.map(unhex).collect::<Option<_>>().map(Ok),
        "refused" => Some(Err(words.collect::<Vec<_>>().join(" "))),
        _ => None,
    }
}

/// The answer to `version`.
pub(super) fn version(port: &mut dyn Port) -> Result<String> {
    let answers = port.answer(&[Request::new("version")])?;
    let answer = answers.into_iter().next();
    let text = answer.and_then(Result::ok).and_then(|mut it| it.pop());
    Ok(text.map_or_else(String::new, |text| {
        String::from_utf8_lossy(&text).into_owned()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_a_line_of_words() {
        let request = Request::new("sign")
            .word("der")
            .bytes(&[0, 0xa5])
            .bytes(&[]);
        assert_eq!(request.line(), "sign der 00a5 -");
    }

    #[test]
    fn answers_are_read() {
        let bytes = |fields: &[&[u8]]| Some(Ok(fields.iter().map(|it| it.to_vec()).collect()));
        assert_eq!(read_answer("ok"), bytes(&[]));
        let line = "ok 00a5 - ff";
        assert_eq!(shown(&read_answer(line).unwrap()), line);
        assert_eq!(
            read_answer("ok 00a5 - ff\n"),
            bytes(&[&[0, 0xa5], &[], &[0xff]])
        );
        assert_eq!(
            read_answer("refused not valid"),
            Some(Err("not valid".to_owned()))
        );
        for bad in ["", "yes", "ok 0", "ok 0g", "ok +1"] {
            assert_eq!(read_answer(bad), None, "{bad}");
        }
    }
}
