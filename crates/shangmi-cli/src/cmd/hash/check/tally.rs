//! What became of the lines of the lists.

use serde_json::{Value, json};

use super::Options;
use crate::failure::Outcome;
use crate::ui::{self, count};

/// What became of the lines.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) matched: u64,
    pub(super) mismatched: u64,
    pub(super) unreadable: u64,
    pub(super) missing: u64,
    pub(super) malformed: u64,
    /// Lists that could not be read or had no usable line.
    pub(super) bad_lists: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Matched,
    Mismatched,
    Unreadable,
    Missing,
}

impl Tally {
    pub(super) fn add(&mut self, verdict: Verdict) {
        *match verdict {
            Verdict::Matched => &mut self.matched,
            Verdict::Mismatched => &mut self.mismatched,
            Verdict::Unreadable => &mut self.unreadable,
            Verdict::Missing => &mut self.missing,
        } += 1;
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

    pub(super) fn warn(&self, options: Options) {
        let missing = if options.ignore_missing {
            0
        } else {
            self.missing
        };
        for (n, one, many) in [
            (
                self.mismatched,
                "file does not match its digest",
                "files do not match their digests",
            ),
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
            (
                self.malformed,
                "line is badly formatted",
                "lines are badly formatted",
            ),
        ] {
            if n > 0 {
                ui::warn(count(n, one, many));
            }
        }
    }

    /// A digest that differs is a fact that no unreadable file can change: it comes first.
    pub(super) fn outcome(&self, options: Options) -> Outcome {
        let missing = self.missing > 0 && !options.ignore_missing;
        let malformed = self.malformed > 0 && options.strict;
        if self.mismatched > 0 {
            Outcome::Negative
        } else if missing || malformed || self.unreadable > 0 || self.bad_lists > 0 {
            Outcome::Trouble
        } else {
            Outcome::Done
        }
    }
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
