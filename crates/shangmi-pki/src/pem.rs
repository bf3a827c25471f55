//! PEM: DER as text between BEGIN and END lines (RFC 7468).
//!
//! Reading allows text around the blocks, several blocks, any line width, spaces and CR LF, since
//! files travel through mail and web pages. Writing follows the RFC: 64 columns and LF.
use core::str;

use der::pem::{Base64Decoder, LineEnding};
use zeroize::Zeroizing;

use crate::{Error, Result};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const DASHES: &[u8] = b"-----";

/// One block of a PEM file.
pub struct Block<'a> {
    /// The words after BEGIN, such as `PRIVATE KEY`.
    pub label: &'a str,
    /// The bytes within.
    pub der: Zeroizing<Vec<u8>>,
}

/// Whether `text` holds the beginning of a PEM block.
#[must_use]
pub fn is_pem(text: &[u8]) -> bool {
    find(text, BEGIN).is_some()
}

/// All blocks of a PEM file, in order; text around them is skipped.
///
/// - `text`: the file, any bytes
/// - returns: the blocks, none if there is no BEGIN line
/// # Errors
/// [`Error::Pem`] for a block without an END line of the same label or with bad Base64,
/// [`Error::Unsupported`] for the old encryption in PEM headers (`Proc-Type: 4,ENCRYPTED`).
/// # Timing
/// The Base64 is decoded in constant time; the rest depends on the layout of the text.
/// # Standard
/// RFC 7468
pub fn blocks(text: &[u8]) -> Result<Vec<Block<'_>>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = find(rest, BEGIN) {
        let number = found.len() + 1;
        let (block, after) = block(&rest[at + BEGIN.len()..], number)?;
        found.push(block);
        rest = after;
    }
    Ok(found)
}

/// Writes one block: 64 columns, LF.
///
/// - `label`: such as `PRIVATE KEY`
/// - `der`: the bytes within
/// - returns: the text, with a line break at its end
/// # Errors
/// [`Error::Pem`] if the label is not one (the labels of this crate are).
/// # Timing
/// The Base64 is encoded in constant time.
/// # Standard
/// RFC 7468
/// # Example
/// ```
/// let text = shangmi_pki::pem::encode("PUBLIC KEY", b"not really")?;
/// let blocks = shangmi_pki::pem::blocks(text.as_bytes())?;
/// assert_eq!((blocks[0].label, &blocks[0].der[..]), ("PUBLIC KEY", &b"not really"[..]));
/// # Ok::<(), shangmi_pki::Error>(())
/// ```
pub fn encode(label: &str, der: &[u8]) -> Result<Zeroizing<String>> {
    der::pem::encode_string(label, LineEnding::LF, der)
        .map(Zeroizing::new)
        .map_err(|cause| Error::Pem { number: 1, cause })
}

/// Reads what follows `-----BEGIN `; returns the block and what follows it.
fn block(text: &[u8], number: usize) -> Result<(Block<'_>, &[u8])> {
    let fail = |cause| Error::Pem { number, cause };
    let begin_end = find(text, DASHES).ok_or(fail(der::pem::Error::PreEncapsulationBoundary))?;
    let label = label(&text[..begin_end]).ok_or(fail(der::pem::Error::Label))?;
    let body = &text[begin_end + DASHES.len()..];
    let body_end = find(body, END).ok_or(fail(der::pem::Error::PostEncapsulationBoundary))?;
    let after = body[body_end + END.len()..]
        .strip_prefix(label.as_bytes())
        .and_then(|rest| rest.strip_prefix(DASHES))
        .ok_or(fail(der::pem::Error::PostEncapsulationBoundary))?;
    let body = &body[..body_end];
    if body.contains(&b':') {
        return Err(Error::Unsupported {
            what: "PEM headers (the encryption of old OpenSSL)",
        });
    }
    let der = base64(body).map_err(fail)?;
    Ok((Block { label, der }, after))
}

fn label(bytes: &[u8]) -> Option<&str> {
    let text = str::from_utf8(bytes).ok()?;
    text.bytes()
        .all(|b| matches!(b, b' '..=b'~'))
        .then_some(text)
}

fn base64(body: &[u8]) -> der::pem::Result<Zeroizing<Vec<u8>>> {
    // Room for all at once: a buffer that grows would leave copies of a private key behind.
    let mut digits = Zeroizing::new(Vec::with_capacity(body.len()));
    digits.extend(body.iter().filter(|b| !b.is_ascii_whitespace()));
    if digits.is_empty() {
        return Err(der::pem::Error::Length);
    }
    let mut decoder = Base64Decoder::new(&digits)?;
    let mut der = Zeroizing::new(vec![0; decoder.remaining_len()]);
    decoder.decode(&mut der)?;
    Ok(der)
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack
        .windows(needle.len())
        .position(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "\u{feff}Some text\r\n-----BEGIN EC PARAMETERS-----\r\nBggqgRzPVQGCLQ==\r\n\
        -----END EC PARAMETERS-----\nand more:\n-----BEGIN A-----\n AAEC \n AwQ=\n\n-----END A-----";

    #[test]
    fn text_around_several_blocks_and_spaces() {
        let blocks = blocks(TWO.as_bytes()).unwrap();
        assert_eq!(blocks.len(), 2);
        assert_eq!(blocks[0].label, "EC PARAMETERS");
        assert_eq!(&blocks[0].der[..], [6, 8, 42, 129, 28, 207, 85, 1, 130, 45]);
        assert_eq!(
            (blocks[1].label, &blocks[1].der[..]),
            ("A", &[0, 1, 2, 3, 4][..])
        );
    }

    #[test]
    fn damaged_blocks_are_refused() {
        for text in [
            "-----BEGIN A",
            "-----BEGIN A-----",
            "-----BEGIN A-----\nAAEC\n",
            "-----BEGIN A-----\nAAEC\n-----END B-----",
            "-----BEGIN A-----\nAAEC\n-----END A----",
            "-----BEGIN A-----\n-----END A-----",
            "-----BEGIN A-----\nAAE\n-----END A-----",
            "-----BEGIN A-----\nAA=C\n-----END A-----",
            "-----BEGIN A-----\nAAE$\n-----END A-----",
            "-----BEGIN A-----\nAAF=\n-----END A-----",
            "-----BEGIN A-----\nAAEC\n-----END A-----\n-----BEGIN B-----",
        ] {
            assert!(
                matches!(blocks(text.as_bytes()), Err(Error::Pem { .. })),
                "{text}"
            );
        }
        let old = "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAEC\n-----END EC PRIVATE KEY-----";
        assert!(matches!(
            blocks(old.as_bytes()),
            Err(Error::Unsupported { .. })
        ));
    }

    #[test]
    fn no_block_is_no_error() {
        assert!(blocks(b"nothing here").unwrap().is_empty());
        assert!(!is_pem(b"-----BEGIN"));
    }
}
