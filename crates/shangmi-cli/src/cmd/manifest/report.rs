//! What the verbs of `shangmi manifest` have to say, in words and in JSON.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};

use crate::failure::Outcome;
use crate::manifest::Kind;
use crate::manifest::compare::{Difference, Verdict};
use crate::manifest::escape::{self, escape};
use crate::output::{Content, Output};
use crate::ui::{self, Format, count};

/// The bytes of a path.
pub(super) fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

/// A JSON object with a name in it.
pub(super) fn named(key: &str, name: &[u8]) -> Map<String, Value> {
    let mut object = Map::new();
    escape::put(&mut object, key, name);
    object
}

/// Tells of what is no file.
pub(super) fn warn_of(name: &[u8], kind: Kind, detail: &[u8]) {
    let (name, detail) = (escape(name), escape(detail));
    match kind {
        Kind::Special => ui::warn(format_args!("'{name}' is no regular file: {detail}")),
        Kind::Loop => ui::warn(format_args!("'{name}' leads back to a directory above it")),
        Kind::Unreadable => ui::warn(format_args!("cannot read '{name}': {detail}")),
        Kind::Changed => ui::warn(format_args!("'{name}': {detail}")),
        Kind::Link => ui::warn(format_args!("'{name}' is a symbolic link")),
    }
}

/// Words for one kind of verdict; `check` and `compare` look at them from two sides.
pub(super) struct Words {
    pub(super) added: &'static str,
    pub(super) removed: &'static str,
    /// What follows when there is a difference.
    pub(super) differ: &'static str,
    pub(super) agree: &'static str,
}

impl Words {
    fn of(&self, verdict: &Verdict) -> &'static str {
        match verdict {
            Verdict::Added => self.added,
            Verdict::Removed => self.removed,
            Verdict::Moved { .. } => "moved",
            Verdict::Changed(_) => "changed",
            Verdict::Unreadable(_) => "unreadable",
            Verdict::Unrecorded => "unrecorded",
        }
    }
}

/// Prints all differences and sums up.
pub(super) fn print(differences: &[Difference], words: &Words, format: Format) -> Result<Outcome> {
    let mut counts = Map::new();
    for word in [
        words.added,
        words.removed,
        "moved",
        "changed",
        "unreadable",
        "unrecorded",
    ] {
        let n = differences
            .iter()
            .filter(|found| words.of(&found.verdict) == word);
        counts.insert(word.to_owned(), n.count().into());
    }
    if format == Format::Json {
        let results: Vec<Value> = differences
            .iter()
            .map(|found| value(found, words))
            .collect();
        ui::print_json(&json!({ "differences": results, "summary": counts }))?;
    } else {
        let mut out = Output::create(None, Content::Text, &[])?;
        for difference in differences {
            out.put(line(difference, words).as_bytes())?;
        }
        out.commit()?;
    }
    let differ = differences
        .iter()
        .filter(|found| found.verdict.is_difference())
        .count();
    let unknown = differences.len() - differ;
    if unknown > 0 {
        let names = count(unknown as u64, "name", "names");
        ui::warn(format_args!("{names} could not be compared"));
    }
    let outcome = if differ > 0 {
        ui::note(format_args!(
            "{}: {}",
            words.differ,
            count(differ as u64, "name", "names")
        ));
        Outcome::Negative
    } else if unknown > 0 {
        Outcome::Trouble
    } else {
        ui::note(words.agree);
        Outcome::Done
    };
    Ok(outcome)
}

/// A line: the word, the name, and more about it.
fn line(difference: &Difference, words: &Words) -> String {
    let word = words.of(&difference.verdict);
    let name = escape(&difference.name);
    match &difference.verdict {
        Verdict::Moved { from } => format!("{word:<10}  {} -> {name}\n", escape(from)),
        Verdict::Changed(change) => format!("{word:<10}  {name} ({})\n", change.word()),
        Verdict::Unreadable(why) => format!("{word:<10}  {name} ({})\n", escape(why)),
        Verdict::Added | Verdict::Removed | Verdict::Unrecorded => format!("{word:<10}  {name}\n"),
    }
}

fn value(difference: &Difference, words: &Words) -> Value {
    let mut object = named("path", &difference.name);
    object.insert("result".to_owned(), words.of(&difference.verdict).into());
    match &difference.verdict {
        Verdict::Moved { from } => escape::put(&mut object, "from", from),
        Verdict::Changed(change) => {
            object.insert("what".to_owned(), change.word().into());
        }
        Verdict::Unreadable(why) => escape::put(&mut object, "reason", why),
        Verdict::Added | Verdict::Removed | Verdict::Unrecorded => {}
    }
    object.into()
}
