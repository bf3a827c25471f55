//! Hexadecimal text of keys, IVs and digests.

use anyhow::Result;
use zeroize::Zeroizing;

use crate::failure::Failure;

/// Lower-case hex digits of `bytes`.
pub(crate) fn encode(bytes: &[u8]) -> String {
    bytes
        .iter()
        .flat_map(|&byte| digits(byte))
        .map(char::from)
        .collect()
}

/// Appends the lower-case hex digits of `bytes` to `text`.
pub(crate) fn append(text: &mut Vec<u8>, bytes: &[u8]) {
    // A digest at a time, which a vector holds: a list has one on every line.
    for chunk in bytes.chunks(32) {
        let mut pairs = [[0; 2]; 32];
        for (pair, &byte) in pairs.iter_mut().zip(chunk) {
            *pair = digits(byte);
        }
        text.extend_from_slice(pairs[..chunk.len()].as_flattened());
    }
}

fn digits(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 15].map(|value| {
        if value < 10 {
            b'0' + value
        } else {
            b'a' + value - 10
        }
    })
}

/// The bytes behind hex digits of either case, nothing between them.
///
/// The time depends on the length and on the place of a wrong digit, not on the value.
pub(crate) fn decode(what: &str, text: &str) -> Result<Zeroizing<Vec<u8>>> {
    let digits = text.trim().as_bytes();
    let mut bytes = Zeroizing::new(Vec::with_capacity(digits.len() / 2));
    for (i, &digit) in digits.iter().enumerate() {
        if nibble(digit) < 0 {
            return Err(Failure::trouble(
                format!("{what}: character {} is not a hex digit", i + 1),
                "use the digits 0 to 9 and a to f only, without 0x, spaces or colons",
            )
            .into());
        }
    }
    let (pairs, rest) = digits.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(Failure::trouble(
            format!("{what} has {} hex digits, an odd number", digits.len()),
            "two digits make a byte: a digit is missing or one too many",
        )
        .into());
    }
    bytes.extend(
        pairs
            .iter()
            .map(|&[high, low]| (nibble(high) << 4 | nibble(low)).to_le_bytes()[0]),
    );
    Ok(bytes)
}

/// Value of a hex digit or -1, without a branch or a table look-up on the digit.
fn nibble(digit: u8) -> i16 {
    let digit = i16::from(digit);
    // All ones when `first <= digit <= last`: both differences are then negative.
    let within = |first: u8, last: u8| {
        ((i16::from(first) - 1 - digit) & (digit - i16::from(last) - 1)) >> 15
    };
    let value = |first: u8, last: u8, value: i16| {
        within(first, last) & (digit - i16::from(first) + value + 1)
    };
    value(b'0', b'9', 0) + value(b'a', b'f', 10) + value(b'A', b'F', 10) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nibble_agrees_with_the_standard_library() {
        for byte in 0..=u8::MAX {
            let expected = char::from(byte).to_digit(16).map_or(-1, |v| v as i16);
            assert_eq!(nibble(byte), expected, "{byte:02x}");
        }
    }

    #[test]
    fn every_byte_survives() {
        let bytes: Vec<u8> = (0..=u8::MAX).collect();
        assert_eq!(*decode("x", &encode(&bytes)).unwrap(), bytes);
        assert_eq!(*decode("x", &encode(&bytes).to_uppercase()).unwrap(), bytes);
        for length in [0, 1, 31, 32, 33, 256] {
            let mut text = b"before".to_vec();
            append(&mut text, &bytes[..length]);
            assert_eq!(
                text,
                format!("before{}", encode(&bytes[..length])).as_bytes()
            );
        }
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            decode("key", "abc").unwrap_err().to_string(),
            "key has 3 hex digits, an odd number"
        );
        assert_eq!(
            decode("key", "0x12").unwrap_err().to_string(),
            "key: character 2 is not a hex digit"
        );
    }
}
