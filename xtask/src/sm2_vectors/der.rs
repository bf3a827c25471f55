//! DER, byte by byte, so that it can be written wrong on purpose.

use num_bigint::{BigInt, BigUint};

pub(super) const BOOLEAN: u8 = 0x01;
pub(super) const INTEGER: u8 = 0x02;
pub(super) const BIT_STRING: u8 = 0x03;
pub(super) const OCTET_STRING: u8 = 0x04;
pub(super) const NULL: u8 = 0x05;
pub(super) const OBJECT_IDENTIFIER: u8 = 0x06;
pub(super) const REAL: u8 = 0x09;
pub(super) const ENUMERATED: u8 = 0x0a;
pub(super) const UTF8_STRING: u8 = 0x0c;
pub(super) const SEQUENCE: u8 = 0x30;
pub(super) const SET: u8 = 0x31;

/// Tag, the shortest length, content.
pub(super) fn tlv(tag: u8, content: &[u8]) -> Vec<u8> {
    tlv_with(tag, &length(content.len()), content)
}

/// Tag, these bytes for a length, content.
pub(super) fn tlv_with(tag: u8, length: &[u8], content: &[u8]) -> Vec<u8> {
    [&[tag], length, content].concat()
}

/// The shortest form of a length.
fn length(bytes: usize) -> Vec<u8> {
    let digits: Vec<u8> = bytes
        .to_be_bytes()
        .into_iter()
        .skip_while(|byte| *byte == 0)
        .collect();
    match digits[..] {
        [] => vec![0],
        [short] if short < 0x80 => vec![short],
        _ => long_length(bytes, digits.len()),
    }
}

/// A length in the long form with so many bytes, leading zeros included.
pub(super) fn long_length(bytes: usize, count: usize) -> Vec<u8> {
    let all = (bytes as u128).to_be_bytes();
    let mut out = vec![0x80 | u8::try_from(count).expect("at most 16")];
    out.extend_from_slice(&all[all.len() - count..]);
    out
}

/// The content of an INTEGER.
pub(super) fn integer_content(value: &BigInt) -> Vec<u8> {
    value.to_signed_bytes_be()
}

pub(super) fn integer(value: &BigInt) -> Vec<u8> {
    tlv(INTEGER, &integer_content(value))
}

pub(super) fn unsigned(value: &BigUint) -> Vec<u8> {
    integer(&BigInt::from(value.clone()))
}

pub(super) fn octets(content: &[u8]) -> Vec<u8> {
    tlv(OCTET_STRING, content)
}

pub(super) fn sequence(parts: &[&[u8]]) -> Vec<u8> {
    tlv(SEQUENCE, &parts.concat())
}

/// A BIT STRING of whole bytes.
pub(super) fn bit_string(content: &[u8]) -> Vec<u8> {
    tlv(BIT_STRING, &[&[0], content].concat())
}
