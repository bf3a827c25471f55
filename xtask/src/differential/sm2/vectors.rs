//! The key agreements of `testdata/sm2`, put to a peer that lets its ephemeral key be given.

use std::fs;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use super::peer::{Answer, Port, Request, shown, unhex};
use crate::checkout;

const FILE: &str = "testdata/sm2/sm2_key_agreement_test.json";

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    test_groups: Vec<Group>,
}

/// One side.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    role: String,
    id: String,
    private_key: String,
    ephemeral_private_key: String,
    tests: Vec<Test>,
}

/// What comes from the other side, and what must come of it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    comment: String,
    result: String,
    peer_id: String,
    peer_public_key: String,
    peer_ephemeral_public_key: String,
    peer_confirmation: String,
    key_length: u8,
    shared: String,
    confirmation: String,
}

fn request(group: &Group, test: &Test) -> Request {
    let word = |request: Request, digits: &String| {
        let none = digits.is_empty();
        request.word(if none { "-" } else { digits })
    };
    let begin = Request::new("agree").word(&group.role);
    let begin = word(begin, &group.ephemeral_private_key).bytes(&[test.key_length]);
    [
        &group.private_key,
        &group.id,
        &test.peer_public_key,
        &test.peer_id,
        &test.peer_ephemeral_public_key,
        &test.peer_confirmation,
    ]
    .into_iter()
    .fold(begin, word)
}

/// Whether the answer is the one that the test asks for.
fn is_right(test: &Test, answer: &Answer) -> bool {
    let right = [&test.shared, &test.confirmation].map(|digits| unhex(digits));
    match (test.result.as_str(), answer) {
        ("invalid", answer) => answer.is_err(),
        ("acceptable", Err(_)) => true,
        (_, Ok(fields)) => fields.iter().cloned().map(Some).eq(right),
        (_, Err(_)) => false,
    }
}

/// Asks for every test, and returns how many there were.
///
/// # Errors
/// A wrong answer.
pub(super) fn ask(port: &mut dyn Port) -> Result<usize> {
    let text = fs::read_to_string(checkout::root()?.join(FILE)).context(FILE)?;
    let file: File = serde_json::from_str(&text).context(FILE)?;
    let groups = file.test_groups.iter();
    let tests: Vec<_> = groups
        .flat_map(|group| group.tests.iter().map(move |test| (group, test)))
        .collect();
    let requests: Vec<_> = tests.iter().map(|(g, test)| request(g, test)).collect();
    let answers = port.answer(&requests)?;
    ensure!(answers.len() == tests.len(), "answers are missing");
    let judged = tests.iter().zip(&answers);
    let wrong = judged.filter(|((_, test), answer)| !is_right(test, answer));
    let wrong: Vec<_> = wrong
        .map(|((group, test), answer)| {
            let (role, comment) = (&group.role, &test.comment);
            format!("{role}, {comment} ({}): {}", test.result, shown(answer))
        })
        .collect();
    ensure!(wrong.is_empty(), "{FILE}:\n{}", wrong.join("\n"));
    Ok(tests.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(result: &str) -> Test {
        let text = |digits: &str| digits.to_owned();
        Test {
            comment: text("a test"),
            result: text(result),
            peer_id: text(""),
            peer_public_key: text("04"),
            peer_ephemeral_public_key: text("05"),
            peer_confirmation: text("06"),
            key_length: 16,
            shared: text("a5"),
            confirmation: text("5a"),
        }
    }

    #[test]
    fn a_request_has_what_the_protocol_says() {
        let group = Group {
            role: "initiator".to_owned(),
            id: "01".to_owned(),
            private_key: "02".to_owned(),
            ephemeral_private_key: "03".to_owned(),
            tests: Vec::new(),
        };
        let line = "agree initiator 03 10 02 01 04 - 05 06";
        assert_eq!(request(&group, &test("valid")).line(), line);
    }

    #[test]
    fn answers_are_judged_by_the_result_and_the_outputs() {
        let right = Ok(vec![vec![0xa5], vec![0x5a]]);
        let wrong = [
            Ok(vec![vec![0xa5], vec![0x5b]]),
            Ok(vec![vec![0xa4], vec![0x5a]]),
            Ok(vec![vec![0xa5]]),
        ];
        let refused = Err("no".to_owned());
        for (result, takes, refuses) in [
            ("valid", true, false),
            ("acceptable", true, true),
            ("invalid", false, true),
        ] {
            let test = test(result);
            assert_eq!(is_right(&test, &right), takes, "{result}");
            assert_eq!(is_right(&test, &refused), refuses, "{result}");
            for wrong in &wrong {
                assert!(!is_right(&test, wrong), "{result}: {wrong:?}");
            }
        }
    }
}
