//! What several test files need.
#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod openssl;
#[path = "../../../shangmi/tests/sm2/vectors/schema.rs"]
pub(crate) mod schema;

use serde::Deserialize;
use shangmi::{rng::Rng, sm2::PrivateKey, sm3};

/// A file of cases in `testdata`.
#[derive(Deserialize)]
pub(crate) struct Cases<T> {
    pub(crate) cases: Vec<T>,
}

pub(crate) fn cases<T: for<'a> Deserialize<'a>>(json: &str) -> Vec<T> {
    serde_json::from_str::<Cases<T>>(json).unwrap().cases
}

pub(crate) fn hex(digits: &str) -> Vec<u8> {
    base16ct::mixed::decode_vec(digits).unwrap()
}

/// A file whose bytes are given as hex, or whose text is given.
pub(crate) fn file(kind: &str, content: &str) -> Vec<u8> {
    if kind == "hex" {
        hex(content)
    } else {
        content.as_bytes().to_vec()
    }
}

pub(crate) fn private_key(digits: &str) -> PrivateKey {
    PrivateKey::from_slice(&hex(digits)).unwrap()
}

/// The private key of the examples in GB/T 32918.
pub(crate) fn standard_key() -> PrivateKey {
    private_key("3945208f7b2144b13f36e38ac6d39f95889393692860b51a42fb81ef4df7c5b8")
}

/// The same bytes in every run: SM3 of a counter.
#[derive(Default)]
pub(crate) struct TestRng(u64);

impl Rng for TestRng {
    fn fill(&mut self, out: &mut [u8]) -> shangmi::Result<()> {
        for chunk in out.chunks_mut(sm3::DIGEST_LEN) {
            self.0 += 1;
            chunk.copy_from_slice(&sm3::digest(&self.0.to_be_bytes())[..chunk.len()]);
        }
        Ok(())
    }
}
