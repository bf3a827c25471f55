//! The shape of the files: that of project Wycheproof.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use num_bigint::{BigInt, BigUint};
use serde::{Deserialize, Serialize, Serializer};

/// What each flag means. A CVE stands there only if it is about the fault that the note describes, in SM2 or
/// (the older ones, and CVE-2022-21449) in ECDSA.
const NOTES: &str = include_str!("notes.json");

/// Why a case is in a file, and where the fault was seen.
#[derive(Clone, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Note {
    bug_type: String,
    description: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    effect: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cves: Vec<String>,
}

type Notes = BTreeMap<String, Note>;

/// What an implementation must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Verdict {
    /// Accept.
    Valid,
    /// Refuse.
    Invalid,
    /// Either: the standards leave it open, or implementations differ for good reasons.
    Acceptable,
}

/// Bytes, in hexadecimal digits.
pub(super) struct Hex(pub(super) Vec<u8>);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let digits: String = self.0.iter().map(|byte| format!("{byte:02x}")).collect();
        serializer.serialize_str(&digits)
    }
}

/// An integer as Wycheproof writes it: two's complement, so that a top bit of 1 has 00 in front.
pub(super) fn big_int(value: &BigUint) -> Hex {
    Hex(BigInt::from(value.clone()).to_signed_bytes_be())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Test<B> {
    tc_id: usize,
    comment: String,
    flags: [&'static str; 1],
    #[serde(flatten)]
    body: B,
    result: Verdict,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
    version: &'static str,
}

/// Tests that share what stands in `H`.
#[derive(Serialize)]
pub(super) struct Group<H, B> {
    #[serde(rename = "type")]
    kind: &'static str,
    source: Source,
    #[serde(flatten)]
    head: H,
    tests: Vec<Test<B>>,
}

impl<H, B> Group<H, B> {
    pub(super) const fn new(kind: &'static str, head: H) -> Self {
        Self {
            kind,
            source: Source {
                name: "shangmi",
                version: "1",
            },
            head,
            tests: Vec::new(),
        }
    }

    /// Adds a test; it gets its number when the file is written.
    pub(super) fn push(
        &mut self,
        result: Verdict,
        flag: &'static str,
        comment: impl Into<String>,
        body: B,
    ) {
        self.tests.push(Test {
            tc_id: 0,
            comment: comment.into(),
            flags: [flag],
            body,
            result,
        });
    }
}

/// What a file says of itself.
pub(super) struct Title {
    pub(super) algorithm: &'static str,
    pub(super) schema: &'static str,
    pub(super) header: &'static [&'static str],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a, H, B> {
    algorithm: &'static str,
    schema: &'static str,
    number_of_tests: usize,
    header: &'static [&'static str],
    notes: Notes,
    test_groups: &'a [Group<H, B>],
}

/// A file of these groups, its tests numbered from 1.
pub(super) fn write<H: Serialize, B: Serialize>(
    title: &Title,
    mut groups: Vec<Group<H, B>>,
) -> Result<String> {
    let all: Notes = serde_json::from_str(NOTES).context("notes.json")?;
    let mut notes = Notes::new();
    let mut number_of_tests = 0;
    for group in &mut groups {
        ensure!(
            !group.tests.is_empty(),
            "a group of {} is empty",
            group.kind
        );
        for test in &mut group.tests {
            number_of_tests += 1;
            test.tc_id = number_of_tests;
            let flag = test.flags[0];
            let note = all.get(flag).with_context(|| format!("no note {flag}"))?;
            notes.insert(flag.to_owned(), note.clone());
        }
    }
    let file = File {
        algorithm: title.algorithm,
        schema: title.schema,
        number_of_tests,
        header: title.header,
        notes,
        test_groups: &groups,
    };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}
