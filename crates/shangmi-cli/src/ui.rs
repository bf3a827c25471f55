//! How the program talks.
//!
//! - Results go to standard output, everything else to standard error.
//! - An error is two lines: `shangmi: error: what is wrong`, `shangmi: hint: what to do next`.
//! - One sentence in lower case, without a full stop; names of files in single quotes.
//! - Colour only on a terminal and only on the word after `shangmi:`.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::builder::styling::{AnsiColor, Style};

use crate::failure::{self, Outcome};
use crate::output::{Content, Output};

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Json,
}

/// Says what went wrong and what to do next.
pub(crate) fn report(error: &anyhow::Error) -> Outcome {
    if failure::is_broken_pipe(error) {
        return Outcome::Trouble;
    }
    let (outcome, hint) = failure::diagnose(error);
    say_error(&without_error_numbers(&format!("{error:#}")), &hint);
    outcome
}

/// The system's messages without the numbers that the standard library appends.
fn without_error_numbers(message: &str) -> String {
    let mut parts = message.split(" (os error ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once(')').map_or(part, |(_, after)| after));
    }
    text
}

/// The two lines of an error.
pub(crate) fn say_error(message: &str, hint: &str) {
    say(ERROR, "error", message);
    say(HINT, "hint", hint);
}

/// A warning: the run goes on.
pub(crate) fn warn(message: impl Display) {
    say(WARNING, "warning", message);
}

/// A line that is no problem, only news.
pub(crate) fn note(message: impl Display) {
    say(HINT, "note", message);
}

fn say(style: Style, word: &str, message: impl Display) {
    // Standard error may be closed; there is nowhere left to complain.
    let _ = writeln!(
        anstream::stderr().lock(),
        "shangmi: {style}{word}:{style:#} {message}"
    );
}

/// Prints one JSON document on standard output.
pub(crate) fn print_json(document: &serde_json::Value) -> Result<()> {
    let mut out = Output::create(None, Content::Text, &[])?;
    out.put(format!("{document:#}\n").as_bytes())?;
    out.commit()
}

/// A path in quotes, with control characters escaped so that a name cannot steer a terminal.
pub(crate) fn quote(path: &Path) -> String {
    if path == Path::new("-") {
        return "standard input".to_owned();
    }
    let mut quoted = String::from("'");
    for c in path.to_string_lossy().chars() {
        if c.is_control() {
            quoted.extend(c.escape_default());
        } else {
            quoted.push(c);
        }
    }
    quoted.push('\'');
    quoted
}

/// `1 file`, `2 files`.
pub(crate) fn count(n: u64, one: &str, many: &str) -> String {
    if n == 1 {
        format!("1 {one}")
    } else {
        format!("{n} {many}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_numbers_are_dropped() {
        let error = std::io::Error::from_raw_os_error(2);
        assert_eq!(
            without_error_numbers(&error.to_string()),
            "No such file or directory"
        );
        assert_eq!(without_error_numbers("a (os error 5): b"), "a: b");
    }

    #[test]
    fn quote_keeps_control_characters_off_the_terminal() {
        assert_eq!(quote(Path::new("a\u{1b}[31mb")), r"'a\u{1b}[31mb'");
        assert_eq!(quote(Path::new("国密.txt")), "'国密.txt'");
        assert_eq!(quote(Path::new("-")), "standard input");
    }
}
