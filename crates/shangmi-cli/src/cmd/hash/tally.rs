//! What became of the lines of a check.

use serde_json::{Value, json};

use super::check::Options;
use crate::bulk::Algorithm;
use crate::failure::Outcome;
use crate::ui::{self, count};

/// What became of one line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Matched,
    Mismatched,
    Unreadable,
    Missing,
}

impl Verdict {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Matched => "OK",
            Self::Mismatched => "FAILED",
            Self::Unreadable | Self::Missing => "FAILED open or read",
        }
    }

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Matched => "matched",
            Self::Mismatched => "mismatched",
            Self::Unreadable => "unreadable",
            Self::Missing => "missing",
        }
    }
}

/// What became of all lines.
#[derive(Default)]
pub(super) struct Tally {
    matched: u64,
    mismatched: u64,
    /// Of the matched ones, those whose line does not name its algorithm; and of the mismatched.
    untagged_matched: u64,
    untagged_mismatched: u64,
    unreadable: u64,
    missing: u64,
    pub(super) malformed: u64,
    /// Lists that could not be read or had no usable line.
    pub(super) bad_lists: u64,
}

impl Tally {
    pub(super) fn add(&mut self, verdict: Verdict, tag: Option<Algorithm>) {
        *match verdict {
            Verdict::Matched => &mut self.matched,
            Verdict::Mismatched => &mut self.mismatched,
            Verdict::Unreadable => &mut self.unreadable,
            Verdict::Missing => &mut self.missing,
        } += 1;
        match (verdict, tag) {
            (Verdict::Matched, None) => self.untagged_matched += 1,
            (Verdict::Mismatched, None) => self.untagged_mismatched += 1,
            _ => {}
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "matched": self.matched,
            "mismatched": self.mismatched,
            "missing": self.missing,
            "unreadable": self.unreadable,
            "malformed_lines": self.malformed,
            "unusable_lists": self.bad_lists,
        })
    }

    /// Warnings for what stays without consequence, and one error for what does not.
    pub(super) fn sum_up(&self, options: Options, assumed: Algorithm) {
        let missing = if options.ignore_missing {
            0
        } else {
            self.missing
        };
        for (n, one, many) in [
            (
                missing,
                "listed file is missing",
                "listed files are missing",
            ),
            (
                self.unreadable,
                "listed file could not be read",
                "listed files could not be read",
            ),
        ] {
            if n > 0 {
                ui::warn(count(n, one, many));
            }
        }
        if self.malformed > 0 {
            let malformed = count(
                self.malformed,
                "line is badly formatted",
                "lines are badly formatted",
            );
            if options.strict && self.mismatched == 0 {
                ui::say_error(&malformed, "--warn points out each of them");
            } else {
                ui::warn(malformed);
            }
        }
        if self.mismatched > 0 {
            let mismatched = count(
                self.mismatched,
                "file does not match its digest",
                "files do not match their digests",
            );
            ui::say_error(&mismatched, self.mismatch_hint(assumed));
        } else if self.none_was_checked(options) {
            ui::say_error(
                "no file was checked",
                "run it in the directory that the names start from",
            );
        }
    }

    fn mismatch_hint(&self, assumed: Algorithm) -> &'static str {
        let all_untagged_fail = self.untagged_mismatched > 0 && self.untagged_matched == 0;
        match assumed {
            Algorithm::Sm3 if all_untagged_fail => {
                "the files were changed, or the digests are not SM3: -a sha256 takes them as SHA-256"
            }
            Algorithm::Sha256 if all_untagged_fail => {
                "the files were changed, or the digests are not SHA-256: -a sm3 takes them as SM3"
            }
            _ => "the files were changed, or the list belongs to another version of them",
        }
    }

    fn none_was_checked(&self, options: Options) -> bool {
        options.ignore_missing && self.missing > 0 && self.matched + self.mismatched == 0
    }

    /// A digest that differs is a fact that no unreadable file can change: it comes first.
    pub(super) fn outcome(&self, options: Options) -> Outcome {
        let missing = self.missing > 0 && !options.ignore_missing;
        let malformed = self.malformed > 0 && options.strict;
        if self.mismatched > 0 {
            Outcome::Negative
        } else if missing
            || malformed
            || self.unreadable > 0
            || self.bad_lists > 0
            || self.none_was_checked(options)
        {
            Outcome::Trouble
        } else {
            Outcome::Done
        }
    }
}
