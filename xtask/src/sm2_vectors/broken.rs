//! Encodings that must be refused, in what signatures, ciphertexts and keys have in common.

use num_bigint::BigInt;

use super::der::{
    BIT_STRING, BOOLEAN, ENUMERATED, INTEGER, NULL, OBJECT_IDENTIFIER, OCTET_STRING, REAL,
    SEQUENCE, SET, UTF8_STRING, integer_content, long_length, sequence, tlv, tlv_with,
};

/// One of them: its flag, what is wrong, its bytes.
pub(super) struct Bad {
    pub(super) flag: &'static str,
    pub(super) comment: String,
    pub(super) bytes: Vec<u8>,
}

/// Some of them.
#[derive(Default)]
pub(super) struct Broken(pub(super) Vec<Bad>);

impl Broken {
    pub(super) fn add(
        &mut self,
        flag: &'static str,
        comment: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
    ) {
        self.0.push(Bad {
            flag,
            comment: comment.into(),
            bytes: bytes.into(),
        });
    }

    pub(super) fn invalid(&mut self, comment: &str, bytes: impl Into<Vec<u8>>) {
        self.add("InvalidEncoding", comment, bytes);
    }

    pub(super) fn ber(&mut self, comment: &str, bytes: impl Into<Vec<u8>>) {
        self.add("BerEncoding", comment, bytes);
    }

    pub(super) fn trailing(&mut self, comment: &str, bytes: impl Into<Vec<u8>>) {
        self.add("TrailingData", comment, bytes);
    }

    /// The beginnings of `whole` with these lengths.
    pub(super) fn cut(&mut self, flag: &'static str, whole: &[u8], lengths: &[usize]) {
        for length in lengths {
            self.add(flag, format!("the first {length} bytes"), &whole[..*length]);
        }
    }

    /// The SEQUENCE of `content` with other lengths, tags and ends.
    pub(super) fn sequences(&mut self, content: &[u8]) {
        self.lengths(content);
        self.tags(content);
        let whole = tlv(SEQUENCE, content);
        let after = |bytes: &[u8]| [&whole[..], bytes].concat();
        self.trailing("a byte 00 after the SEQUENCE", after(&[0]));
        self.trailing("two bytes 00 after the SEQUENCE", after(&[0, 0]));
        self.trailing("NULL after the SEQUENCE", after(&[NULL, 0]));
        self.trailing("the whole twice", whole.repeat(2));
        let more = |bytes: &[u8]| sequence(&[content, bytes]);
        self.trailing("two bytes 00 at the end of the SEQUENCE", more(&[0, 0]));
        self.trailing("NULL at the end of the SEQUENCE", more(&[NULL, 0]));
        self.trailing("0 at the end of the SEQUENCE", more(&[INTEGER, 1, 0]));
        self.invalid(
            "NULL before the SEQUENCE",
            [&[NULL, 0], &whole[..]].concat(),
        );
        self.invalid("an empty SEQUENCE", sequence(&[]));
        self.invalid("no SEQUENCE around the parts", content);
        self.invalid("a SEQUENCE around the SEQUENCE", sequence(&[&whole]));
        self.invalid("in an OCTET STRING", tlv(OCTET_STRING, &whole));
        let bits = tlv(BIT_STRING, &[&[0], &whole[..]].concat());
        self.invalid("in a BIT STRING", bits);
    }

    fn lengths(&mut self, content: &[u8]) {
        let count = content.len();
        let with = |length: &[u8]| tlv_with(SEQUENCE, length, content);
        self.ber("indefinite length", [&with(&[0x80])[..], &[0, 0]].concat());
        for bytes in [1, 2, 4, 9] {
            let plural = if bytes == 1 { "" } else { "s" };
            let comment = format!("a length in the long form, {bytes} byte{plural}");
            let whole = with(&long_length(count, bytes));
            // The shortest form, where the content is long.
            if whole != tlv(SEQUENCE, content) {
                self.ber(&comment, whole);
            }
        }
        self.invalid("indefinite length without an end", with(&[0x80]));
        self.invalid("a length of 0", with(&[0]));
        self.invalid("a length of 127", with(&[127]));
        self.invalid("a length with the reserved byte ff", with(&[0xff]));
        self.invalid("a length too short by 1", with(&short_form(count - 1)));
        self.invalid("a length too long by 1", with(&short_form(count + 1)));
        self.invalid("a length of 2^32-1", with(&[0x84, 0xff, 0xff, 0xff, 0xff]));
        let most = [&[0x88][..], &[0xff; 8]].concat();
        self.invalid("a length of 2^64-1", with(&most));
        let low = u8::try_from(count).expect("less than 256 bytes");
        self.invalid("a length of 2^32 more", with(&[0x85, 1, 0, 0, 0, low]));
        let high = [&[0x89, 1][..], &(count as u64).to_be_bytes()].concat();
        self.invalid("a length of 2^64 more", with(&high));
    }

    fn tags(&mut self, content: &[u8]) {
        for (what, tag) in [
            ("SET for SEQUENCE", SET),
            ("SEQUENCE, but primitive", 0x10),
            ("APPLICATION 16 for SEQUENCE", 0x70),
            ("context 16 for SEQUENCE", 0xb0),
            ("context 0 for SEQUENCE", 0xa0),
            ("tag 00 for SEQUENCE", 0),
        ] {
            self.invalid(what, tlv(tag, content));
        }
        let high = [&[0x3f, SEQUENCE & 0x1f][..], &tlv(0, content)[1..]].concat();
        self.ber("SEQUENCE in the form for high tags", high);
    }

    /// Other ways to write an INTEGER, each wrong; `around` makes the whole of it.
    pub(super) fn integers(
        &mut self,
        name: &str,
        value: &BigInt,
        around: impl Fn(&[u8]) -> Vec<u8>,
    ) {
        let content = integer_content(value);
        for (flag, what, bytes) in integer_lengths(&content) {
            self.add(flag, format!("{name}: {what}"), around(&bytes));
        }
        for (what, bytes) in integer_types(&content) {
            self.add("InvalidEncoding", format!("{name}: {what}"), around(&bytes));
        }
    }
}

/// The length in one byte, or in two where it is 128 and more.
fn short_form(length: usize) -> Vec<u8> {
    match u8::try_from(length) {
        Ok(short) if short < 0x80 => vec![short],
        _ => long_length(length, 1),
    }
}

fn integer_lengths(content: &[u8]) -> Vec<(&'static str, &'static str, Vec<u8>)> {
    const BER: &str = "BerEncoding";
    const INVALID: &str = "InvalidEncoding";
    let count = content.len();
    let with = |length: &[u8]| tlv_with(INTEGER, length, content);
    let padded = |front: &[u8]| tlv(INTEGER, &[front, content].concat());
    let open = [&with(&[0x80])[..], &[0, 0]].concat();
    let most = with(&[0x84, 0xff, 0xff, 0xff, 0xff]);
    vec![
        (
            BER,
            "a length in the long form",
            with(&long_length(count, 1)),
        ),
        (
            BER,
            "a length with a leading 00",
            with(&long_length(count, 2)),
        ),
        (BER, "a leading 00 too many", padded(&[0])),
        (BER, "300 leading 00 too many", padded(&[0; 300])),
        (INVALID, "indefinite length", open),
        (
            INVALID,
            "a length too short by 1",
            with(&short_form(count - 1)),
        ),
        (
            INVALID,
            "a length too long by 1",
            with(&short_form(count + 1)),
        ),
        (INVALID, "a length of 2^32-1", most),
        (INVALID, "ff in front", padded(&[0xff])),
        (INVALID, "an INTEGER of no bytes", vec![INTEGER, 0]),
    ]
}

fn integer_types(content: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let hex: String = content.iter().map(|byte| format!("{byte:02x}")).collect();
    let with = |tag: u8| tlv(tag, content);
    vec![
        ("BIT STRING for INTEGER", with(BIT_STRING)),
        ("OCTET STRING for INTEGER", with(OCTET_STRING)),
        ("ENUMERATED for INTEGER", with(ENUMERATED)),
        ("OBJECT IDENTIFIER for INTEGER", with(OBJECT_IDENTIFIER)),
        ("INTEGER, but constructed", with(0x20 | INTEGER)),
        ("context 2 for INTEGER", with(0x80 | INTEGER)),
        (
            "a string of hexadecimal digits",
            tlv(UTF8_STRING, hex.as_bytes()),
        ),
        ("TRUE", tlv(BOOLEAN, &[0xff])),
        ("NULL", tlv(NULL, &[])),
        ("an empty SEQUENCE", sequence(&[])),
        ("the REAL 0.25", tlv(REAL, &[0x80, 0xfe, 0x01])),
    ]
}
