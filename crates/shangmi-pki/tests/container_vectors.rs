//! The test files of `testdata/container`: those that must be read for ever, and those that must be refused.
#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod common;

use common::{cases, hex, private_key};
use serde::Deserialize;
use shangmi::sm2::PrivateKey;
use shangmi_pki::{
    Error,
    container::{Identity, open},
};

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    why: String,
    #[serde(default)]
    private_keys: Vec<String>,
    passphrase: Option<String>,
    sealed: Option<String>,
    text: Option<String>,
    /// Of a file that must be read.
    content: Option<String>,
    /// Of one that must not.
    error: Option<String>,
    exit: Option<u8>,
}

impl Case {
    fn file(&self) -> Vec<u8> {
        match (&self.sealed, &self.text) {
            (Some(digits), None) => hex(digits),
            (None, Some(text)) => text.as_bytes().to_vec(),
            _ => panic!("one of both"),
        }
    }

    /// What each of the keys and the passphrase makes of it.
    fn answers(&self) -> Vec<Result<Vec<u8>, Error>> {
        let keys: Vec<PrivateKey> = self.private_keys.iter().map(|d| private_key(d)).collect();
        let passphrase = self.passphrase.as_deref().map(str::as_bytes);
        let identities = keys.iter().map(Identity::Sm2);
        identities
            .chain(passphrase.map(Identity::Passphrase))
            .map(|identity| {
                let mut out = Vec::new();
                open(&self.file()[..], &mut out, identity).map(|_| out)
            })
            .collect()
    }
}

#[test]
fn files_that_must_be_read() {
    for list in [
        include_str!("../../../testdata/container/v1.json"),
        include_str!("../../../testdata/container/v1_passphrase.json"),
    ] {
        for case in cases::<Case>(list) {
            let content = hex(case.content.as_deref().unwrap());
            for answer in case.answers() {
                assert_eq!(answer.unwrap(), content);
            }
        }
    }
}

#[test]
fn files_that_must_be_refused() {
    let list = include_str!("../../../testdata/container/v1_refused.json");
    for case in cases::<Case>(list) {
        for answer in case.answers() {
            let error = answer.unwrap_err();
            let name = format!("{error:?}");
            let name = name.split([' ', '(', '{']).next().unwrap();
            assert_eq!(Some(name), case.error.as_deref(), "{}", case.why);
            let exit = if error.is_negative() { 1 } else { 2 };
            assert_eq!(Some(exit), case.exit, "{}", case.why);
        }
    }
}
