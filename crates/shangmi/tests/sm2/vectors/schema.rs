//! Reading the files under `testdata/sm2`, which have the format of project Wycheproof.
#![allow(dead_code, reason = "each test crate uses a part of it")]

use std::collections::{BTreeMap, BTreeSet};

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};

/// What an implementation must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Verdict {
    /// Accept.
    Valid,
    /// Refuse.
    Invalid,
    /// Either.
    Acceptable,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<H, B> {
    number_of_tests: usize,
    notes: BTreeMap<String, serde::de::IgnoredAny>,
    test_groups: Vec<Group<H, B>>,
}

/// Tests that share what is in `H`.
#[derive(Deserialize)]
pub(crate) struct Group<H, B> {
    #[serde(flatten)]
    pub(crate) head: H,
    pub(crate) tests: Vec<Test<B>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Test<B> {
    pub(crate) tc_id: usize,
    pub(crate) comment: String,
    pub(crate) flags: Vec<String>,
    pub(crate) result: Verdict,
    #[serde(flatten)]
    pub(crate) body: B,
}

impl<B> Test<B> {
    pub(crate) fn has_flag(&self, flag: &str) -> bool {
        self.flags.iter().any(|has| has == flag)
    }
}

/// The groups of a file, whose numbers and notes are complete.
pub(crate) fn load<H: DeserializeOwned, B: DeserializeOwned>(json: &str) -> Vec<Group<H, B>> {
    let file: File<H, B> = serde_json::from_str(json).expect("a file of this shape");
    let tests = || file.test_groups.iter().flat_map(|group| &group.tests);
    assert!(tests().map(|test| test.tc_id).eq(1..=file.number_of_tests));
    let flags: BTreeSet<_> = tests().flat_map(|test| &test.flags).collect();
    assert!(flags.into_iter().eq(file.notes.keys()));
    file.test_groups
}

/// Counts what was judged, so that no test is left out in any way of asking.
#[derive(Default)]
pub(crate) struct Tally(BTreeMap<String, usize>);

impl Tally {
    /// The answer that was given to a test in one way of asking; it must be as the test says.
    pub(crate) fn judge<B>(&mut self, way: &str, test: &Test<B>, accepted: bool) {
        let Test { tc_id, comment, .. } = test;
        match test.result {
            Verdict::Valid => assert!(accepted, "{way} refuses test {tc_id}: {comment}"),
            Verdict::Invalid => assert!(!accepted, "{way} accepts test {tc_id}: {comment}"),
            Verdict::Acceptable => {}
        }
        *self.0.entry(way.to_owned()).or_default() += 1;
    }

    /// Every way was asked for every test of these groups.
    pub(crate) fn finish<H, B>(&self, ways: usize, groups: &[Group<H, B>]) {
        let all: usize = groups.iter().map(|group| group.tests.len()).sum();
        assert!(all > 0);
        assert_eq!(self.0.len(), ways, "{:?}", self.0);
        assert!(
            self.0.values().all(|count| *count == all),
            "{all}: {:?}",
            self.0
        );
    }
}

/// Hexadecimal digits.
#[derive(Clone)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let digits = String::deserialize(deserializer)?;
        let byte = |i| u8::from_str_radix(&digits[i..i + 2], 16).map_err(D::Error::custom);
        (0..digits.len())
            .step_by(2)
            .map(byte)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[derive(Deserialize)]
pub(crate) struct EcPublicKey {
    pub(crate) uncompressed: Bytes,
}

/// Of files with signatures.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SignerHead {
    pub(crate) public_key: EcPublicKey,
    pub(crate) public_key_der: Bytes,
    pub(crate) public_key_pem: String,
    /// Not where the digest is given.
    pub(crate) id: Option<Bytes>,
}

#[derive(Deserialize)]
pub(crate) struct SignedMessage {
    pub(crate) msg: Bytes,
    pub(crate) sig: Bytes,
}

#[derive(Deserialize)]
pub(crate) struct SignedDigest {
    pub(crate) digest: Bytes,
    pub(crate) sig: Bytes,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RecipientHead {
    pub(crate) public_key: EcPublicKey,
    pub(crate) private_key: Bytes,
    pub(crate) private_key_pkcs8: Bytes,
    pub(crate) private_key_pem: String,
    pub(crate) encoding: String,
}

#[derive(Deserialize)]
pub(crate) struct Encrypted {
    pub(crate) msg: Bytes,
    pub(crate) ct: Bytes,
}

#[derive(Deserialize)]
pub(crate) struct KeyHead {
    pub(crate) encoding: String,
}

#[derive(Deserialize)]
pub(crate) struct EncodedKey {
    pub(crate) encoded: Bytes,
    pub(crate) wx: Option<Bytes>,
    pub(crate) wy: Option<Bytes>,
}

impl EncodedKey {
    /// 04 || x || y of the key that it stands for, if it may be read at all.
    pub(crate) fn uncompressed(&self) -> Option<[u8; 65]> {
        let mut out = [0; 65];
        out[0] = 4;
        for (half, value) in [(1..33, self.wx.as_ref()?), (33..65, self.wy.as_ref()?)] {
            for (to, from) in out[half].iter_mut().rev().zip(value.0.iter().rev()) {
                *to = *from;
            }
        }
        Some(out)
    }
}
