//! CMAC and CBC-MAC against the standard's examples and `reference`.
use crate::common::{array, hex, lengths, painted, unhex};
use reference::sm4::{Sm4 as Book, Stage, modes as book};
use serde::Deserialize;
use shangmi::{
    Error,
    modes::{
        cbc_mac::CbcMac,
        cmac::{Cmac, CmacKey},
    },
};

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

#[derive(Deserialize)]
struct Examples {
    cases: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    source: String,
    algorithm: String,
    key: String,
    message: String,
    tag: String,
}

#[test]
fn examples_of_the_standard() {
    let json = include_str!("../../../../testdata/gbt/sm4_mac.json");
    let examples: Examples = serde_json::from_str(json).unwrap();
    assert_eq!(examples.cases.len(), 5);
    for example in examples.cases {
        let (key, message) = (array(&example.key), unhex(&example.message));
        let tag = match example.algorithm.as_str() {
            "cmac" => CmacKey::new(&key).mac(&message),
            "cbc-mac" => {
                let mac = CbcMac::new(&key, message.len()).unwrap();
                mac.mac(&message).unwrap()
            }
            other => panic!("algorithm {other}"),
        };
        assert_eq!(hex(&tag), example.tag, "{}", example.source);
    }
}

#[test]
fn cmac_is_the_references() {
    let (key, book) = (CmacKey::new(&KEY), Book::new(&KEY, Stage::TTable));
    for length in lengths() {
        let message = painted(19, length);
        let expected = book::cmac::cmac(&book, &message);
        assert_eq!(
            hex(&key.mac(&message)),
            hex(&expected),
            "{length} bytes at once"
        );
        // Pieces of 0, 1, 2 ... bytes.
        let (mut mac, mut rest, mut n) = (key.start(), &message[..], 0);
        while let Some((now, later)) = rest.split_at_checked(n) {
            mac.update(now);
            (rest, n) = (later, n + 1);
        }
        mac.update(rest);
        assert_eq!(
            hex(&mac.clone().finalize()),
            hex(&expected),
            "{length} bytes in pieces"
        );
        mac.verify(&expected).unwrap();
    }
    let (mut whole, message) = (Cmac::new(&KEY), painted(0, 64));
    whole.update(&message);
    assert_eq!(whole.finalize(), key.mac(&message));
}

#[test]
fn cbc_mac_is_the_references() {
    let book = Book::new(&KEY, Stage::TTable);
    for length in lengths().skip(1) {
        let message = painted(23, length);
        let tag = CbcMac::new(&KEY, length).unwrap().mac(&message).unwrap();
        let expected = book::cbc_mac::cbc_mac(&book, &message);
        assert_eq!(hex(&tag), hex(&expected), "{length} bytes");
    }
}

/// Another length of message is an error, so that nobody extends one.
#[test]
fn cbc_mac_has_one_length() {
    let mac = CbcMac::new(&KEY, 32).unwrap();
    for found in [0, 16, 31, 33, 48, 64] {
        let refused = Error::InvalidLength {
            what: "message under this CBC-MAC key",
            expected: 32,
            found,
        };
        assert_eq!(mac.mac(&vec![0; found]), Err(refused));
        assert_eq!(mac.verify(&vec![0; found], &[0; 16]), Err(refused));
    }
    assert!(matches!(
        CbcMac::new(&KEY, 0),
        Err(Error::LengthOutOfRange {
            min: 1,
            found: 0,
            ..
        })
    ));
}

#[test]
fn macs_refuse_any_change() {
    let (cmac, cbc_mac) = (CmacKey::new(&KEY), CbcMac::new(&KEY, 40).unwrap());
    let mut message = painted(2, 40);
    let (tag, fixed_tag) = (cmac.mac(&message), cbc_mac.mac(&message).unwrap());
    for bit in 0..128 {
        let (mut a, mut b) = (tag, fixed_tag);
        a[bit / 8] ^= 1 << (bit % 8);
        b[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(cmac.verify(&message, &a), Err(Error::BadMac));
        assert_eq!(cbc_mac.verify(&message, &b), Err(Error::BadMac));
    }
    for bit in 0..320 {
        message[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(cmac.verify(&message, &tag), Err(Error::BadMac));
        assert_eq!(cbc_mac.verify(&message, &fixed_tag), Err(Error::BadMac));
        message[bit / 8] ^= 1 << (bit % 8);
    }
    cmac.verify(&message, &tag).unwrap();
    cbc_mac.verify(&message, &fixed_tag).unwrap();
}

#[test]
fn short_cmac_tags_are_the_first_bytes() {
    let key = CmacKey::new(&KEY);
    let (whole, mut short) = (key.mac(b"message"), key.mac_with_tag::<8>(b"message"));
    assert_eq!(short, whole[..8]);
    key.verify(b"message", &short).unwrap();
    short[7] ^= 0x80;
    assert_eq!(key.verify(b"message", &short), Err(Error::BadMac));
    assert_eq!(key.mac_with_tag::<13>(b"message"), whole[..13]);
}

/// With an empty last block, and with the padding's bytes in the message, tags still differ.
#[test]
fn cmac_padding_is_unambiguous() {
    let key = CmacKey::new(&KEY);
    let mut padded = [0; 16];
    padded[..3].copy_from_slice(b"abc");
    padded[3] = 0x80;
    assert_ne!(key.mac(b"abc"), key.mac(&padded));
    assert_ne!(key.mac(b""), key.mac(&[0; 16]));
}
