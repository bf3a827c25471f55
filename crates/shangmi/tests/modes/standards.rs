//! The examples of GB/T 17964-2021 and of draft-ribose-cfrg-sm4-10, both ways.
use crate::common::{array, hex, unhex};
use serde::Deserialize;
use shangmi::{
    Result,
    modes::{cbc, cfb, ctr, ecb, ofb, xts},
    sm4::Sm4,
};

#[derive(Deserialize)]
struct Examples {
    cases: Vec<Example>,
}

#[derive(Deserialize)]
struct Example {
    source: String,
    mode: String,
    key: String,
    #[serde(default)]
    iv: String,
    plaintext: String,
    ciphertext: String,
}

impl Example {
    fn encrypt(&self, data: &mut [u8]) -> Result<()> {
        let (sm4, iv) = (|| Sm4::new(&array(&self.key)), || array(&self.iv));
        match self.mode.as_str() {
            "ecb" => ecb::encrypt_in_place(&sm4(), data),
            "cbc" => cbc::CbcEncryptor::new(&sm4(), &iv()).encrypt_in_place(data),
            "cfb" => cfb::CfbEncryptor::new(&sm4(), &iv()).encrypt_in_place(data),
            "ofb" => ofb::Ofb::new(&sm4(), &iv()).apply_in_place(data),
            "ctr" => ctr::Ctr::new(&sm4(), &iv()).apply_in_place(data),
            "xts-gb" => xts::XtsGb::new(&array(&self.key))?.encrypt_in_place(&iv(), data),
            other => panic!("mode {other}"),
        }
    }

    fn decrypt(&self, data: &mut [u8]) -> Result<()> {
        let (sm4, iv) = (|| Sm4::new(&array(&self.key)), || array(&self.iv));
        match self.mode.as_str() {
            "ecb" => ecb::decrypt_in_place(&sm4(), data),
            "cbc" => cbc::CbcDecryptor::new(&sm4(), &iv()).decrypt_in_place(data),
            "cfb" => cfb::CfbDecryptor::new(&sm4(), &iv()).decrypt_in_place(data),
            "xts-gb" => xts::XtsGb::new(&array(&self.key))?.decrypt_in_place(&iv(), data),
            // The others are one thing both ways.
            _ => self.encrypt(data),
        }
    }
}

#[test]
fn examples_of_the_standards() {
    for (json, count) in [
        (include_str!("../../../../testdata/gbt/sm4_modes.json"), 5),
        (include_str!("../../../../testdata/ietf/sm4_modes.json"), 10),
    ] {
        let examples: Examples = serde_json::from_str(json).unwrap();
        assert_eq!(examples.cases.len(), count);
        for example in examples.cases {
            let mut data = unhex(&example.plaintext);
            example.encrypt(&mut data).unwrap();
            assert_eq!(hex(&data), example.ciphertext, "{}", example.source);
            example.decrypt(&mut data).unwrap();
            assert_eq!(hex(&data), example.plaintext, "{}", example.source);
        }
    }
}
