//! Lines of digests as coreutils writes and reads them.
//!
//! `hex  name`, `hex *name` and the tagged `SM3 (name) = hex`; OpenSSL's `SM3(name)= hex` is read.
//! A name with a backslash or a line break is escaped, and the line then begins with a backslash.

use std::borrow::Cow;

use crate::bulk::{Algorithm, Digest};
use crate::hex;

/// How a line ends; with NUL, names are written as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    Newline,
    Nul,
}

impl Ending {
    pub(crate) fn byte(self) -> u8 {
        match self {
            Self::Newline => b'\n',
            Self::Nul => 0,
        }
    }
}

/// A line that was read; `algorithm` is `None` when the line does not name one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) algorithm: Option<Algorithm>,
    pub(crate) digest: Digest,
    pub(crate) name: Vec<u8>,
}

/// How a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// `hex  name`
    Plain,
    /// `hex *name`, which some systems tell from the first and ours do not.
    Binary,
    /// `SM3 (name) = hex`
    Tagged,
    /// `SM3(name)= hex`
    OpenSsl,
}

/// Appends a line to `out`, its ending included.
pub(crate) fn put_line(
    out: &mut Vec<u8>,
    style: Style,
    ending: Ending,
    (algorithm, digest): (Algorithm, &Digest),
    name: &[u8],
) {
    let (name, end) = match ending {
        Ending::Newline => (escape(name), b'\n'),
        Ending::Nul => (Cow::Borrowed(name), 0),
    };
    if matches!(name, Cow::Owned(_)) {
        out.push(b'\\');
    }
    let (open, close): (&[u8], &[u8]) = match style {
        Style::Plain | Style::Binary => {
            hex::append(out, digest);
            let mark: &[u8] = if style == Style::Plain { b"  " } else { b" *" };
            (mark, b"")
        }
        Style::Tagged => {
            out.extend_from_slice(algorithm.tag().as_bytes());
            (b" (", b") = ")
        }
        Style::OpenSsl => {
            out.extend_from_slice(algorithm.openssl_tag().as_bytes());
            (b"(", b")= ")
        }
    };
    for part in [open, &name, close] {
        out.extend_from_slice(part);
    }
    if !close.is_empty() {
        hex::append(out, digest);
    }
    out.push(end);
}

/// `hex  name`, the ending included.
pub(crate) fn plain_line(digest: &Digest, name: &[u8]) -> Vec<u8> {
    let mut line = Vec::new();
    let digest = (Algorithm::Sm3, digest);
    put_line(&mut line, Style::Plain, Ending::Newline, digest, name);
    line
}

/// A line of a check's output: `name: OK`.
pub(crate) fn result_line(name: &[u8], result: &str) -> Vec<u8> {
    let name = escape(name);
    let mark: &[u8] = if matches!(name, Cow::Owned(_)) {
        b"\\"
    } else {
        b""
    };
    [mark, &name, b": ", result.as_bytes(), b"\n"].concat()
}

/// Reads a line without its ending; `None` when it is badly formatted.
pub(crate) fn parse(line: &[u8], ending: Ending) -> Option<Line> {
    let line = match ending {
        Ending::Newline => line.strip_suffix(b"\r").unwrap_or(line).trim_ascii_start(),
        Ending::Nul => line,
    };
    let (escaped, line) = match line.strip_prefix(b"\\") {
        Some(rest) if ending == Ending::Newline => (true, rest),
        _ => (false, line),
    };
    let (algorithm, digest, name) = parse_tagged(line).or_else(|| parse_plain(line))?;
    let name = if escaped {
        unescape(name)?
    } else {
        name.to_vec()
    };
    (!name.is_empty()).then_some(Line {
        algorithm,
        digest,
        name,
    })
}

type Parts<'a> = (Option<Algorithm>, Digest, &'a [u8]);

fn parse_plain(line: &[u8]) -> Option<Parts<'_>> {
    let (digest, rest) = line.split_at_checked(2 * size_of::<Digest>())?;
    let name = rest
        .strip_prefix(b"  ")
        .or_else(|| rest.strip_prefix(b" *"))?;
    Some((None, parse_digest(digest)?, name))
}

fn parse_tagged(line: &[u8]) -> Option<Parts<'_>> {
    let open = line.iter().position(|&byte| byte == b'(')?;
    let algorithm = Algorithm::from_tag(line[..open].trim_ascii_end())?;
    // A name may hold anything: the last ")" before the digest ends it.
    let (rest, digest) = line[open + 1..].split_last_chunk::<{ 2 * size_of::<Digest>() }>()?;
    let rest = rest.trim_ascii_end().strip_suffix(b"=")?;
    let name = rest.trim_ascii_end().strip_suffix(b")")?;
    Some((Some(algorithm), parse_digest(digest)?, name))
}

fn parse_digest(digits: &[u8]) -> Option<Digest> {
    // Without whitespace, which `decode` would trim.
    let digits = std::str::from_utf8(digits)
        .ok()
        .filter(|digits| digits.trim() == *digits)?;
    hex::decode("digest", digits)
        .ok()?
        .as_slice()
        .try_into()
        .ok()
}

fn escape(name: &[u8]) -> Cow<'_, [u8]> {
    // Without an early end, the compiler looks at many bytes at once.
    let odd = |odd, byte: &u8| odd | matches!(byte, b'\\' | b'\n' | b'\r');
    if !name.iter().fold(false, odd) {
        return Cow::Borrowed(name);
    }
    let mut escaped = Vec::with_capacity(name.len() + 1);
    for &byte in name {
        match byte {
            b'\\' => escaped.extend_from_slice(b"\\\\"),
            b'\n' => escaped.extend_from_slice(b"\\n"),
            b'\r' => escaped.extend_from_slice(b"\\r"),
            byte => escaped.push(byte),
        }
    }
    Cow::Owned(escaped)
}

fn unescape(name: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::with_capacity(name.len());
    let mut bytes = name.iter();
    while let Some(&byte) = bytes.next() {
        plain.push(match byte {
            b'\\' => match bytes.next()? {
                b'\\' => b'\\',
                b'n' => b'\n',
                b'r' => b'\r',
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIGEST: Digest = [0xab; 32];

    #[test]
    fn what_is_written_is_read() {
        for name in [
            &b"plain"[..],
            b"a b",
            b"back\\slash",
            b"line\nfeed\r",
            b") = (",
            b"\xff\xfe",
            b"*",
        ] {
            for (style, named) in [
                (Style::Plain, None),
                (Style::Binary, None),
                (Style::Tagged, Some(Algorithm::Sha256)),
                (Style::OpenSsl, Some(Algorithm::Sha256)),
            ] {
                let mut written = Vec::new();
                let digest = (Algorithm::Sha256, &DIGEST);
                put_line(&mut written, style, Ending::Newline, digest, name);
                let read = parse(written.strip_suffix(b"\n").unwrap(), Ending::Newline);
                assert_eq!(
                    read,
                    Some(Line {
                        algorithm: named,
                        digest: DIGEST,
                        name: name.to_vec()
                    })
                );
            }
        }
    }

    #[test]
    fn other_tools_lines_are_read() {
        let hex = "AB".repeat(32);
        for (text, algorithm) in [
            (format!("{hex} *f"), None),
            (format!("{hex}  f\r"), None),
            (format!("SM3(f)= {hex}"), Some(Algorithm::Sm3)),
            (format!("SHA2-256(f)= {hex}"), Some(Algorithm::Sha256)),
            (format!("SHA256 (f) = {hex}"), Some(Algorithm::Sha256)),
        ] {
            let expected = Line {
                algorithm,
                digest: DIGEST,
                name: b"f".to_vec(),
            };
            assert_eq!(
                parse(text.as_bytes(), Ending::Newline),
                Some(expected),
                "{text}"
            );
        }
    }

    #[test]
    fn bad_lines_are_refused() {
        let hex = "ab".repeat(32);
        for text in [
            String::new(),
            hex.clone(),
            format!("{hex}  "),
            format!("{hex} f"),
            format!("{}  f", &hex[2..]),
            format!("g{}  f", &hex[1..]),
            format!("{hex}00  f"),
            format!("MD5 (f) = {hex}"),
            format!("SM3 (f) = {}", &hex[2..]),
            format!("SM3 (f = {hex}"),
            format!("\\{hex}  f\\q"),
            format!("\\{hex}  f\\"),
        ] {
            assert_eq!(parse(text.as_bytes(), Ending::Newline), None, "{text}");
        }
    }
}
