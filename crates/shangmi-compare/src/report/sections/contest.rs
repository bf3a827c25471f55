//! Who is set beside whom: rows of the same work, the contenders among them, and their ratio.

use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Execution, Group, Report, Row, Side};

/// Our own library.
pub(super) const OURS: &str = "shangmi";
/// The teaching implementations: shown as stages, never as a contender.
pub(super) const REFERENCE: &str = "reference";

/// Rows that did the same work.
pub(super) struct Contest<'a> {
    /// [`Row::operation`].
    pub(super) operation: &'a str,
    /// [`Row::bytes`].
    pub(super) bytes: Option<u64>,
    /// [`Row::items`].
    pub(super) items: Option<u64>,
    /// [`Row::threads`].
    pub(super) threads: u32,
    /// Both sides, teaching implementations left out.
    pub(super) rows: Vec<&'a Row>,
}

/// The contests of a group: operations in the order of measurement, lengths ascending.
pub(super) fn contests(report: &Report, group: Group) -> Vec<Contest<'_>> {
    let mut all: Vec<Contest<'_>> = Vec::new();
    for row in report
        .rows
        .iter()
        .filter(|row| row.group == group && row.subject != REFERENCE)
    {
        let same = all.iter_mut().find(|contest| {
            contest.operation == row.operation
                && contest.bytes == row.bytes
                && contest.items == row.items
                && contest.threads == row.threads
        });
        match same {
            Some(contest) => contest.rows.push(row),
            None => all.push(Contest {
                operation: &row.operation,
                bytes: row.bytes,
                items: row.items,
                threads: row.threads,
                rows: vec![row],
            }),
        }
    }
    let mut order: Vec<&str> = Vec::new();
    for contest in &all {
        if !order.contains(&contest.operation) {
            order.push(contest.operation);
        }
    }
    all.sort_by_key(|contest| {
        let place = order
            .iter()
            .position(|operation| *operation == contest.operation);
        (place, contest.threads, contest.bytes)
    });
    all
}

impl Contest<'_> {
    /// `Sign`, with the number of threads where it is not one.
    pub(super) fn operation_label(&self) -> Text {
        let operation = terms::term(self.operation);
        if self.threads == 1 {
            return operation;
        }
        phrases::WITH_THREADS
            .with("what", operation)
            .with("threads", self.threads.to_string())
    }

    /// `4 KiB`, or a dash for an operation without a length.
    pub(super) fn length_label(&self) -> Text {
        length_label(self.rows[0])
    }
}

/// `4 KiB`, `64 × 4 KiB` where an operation takes several, or a dash for an operation without a length.
pub(super) fn length_label(row: &Row) -> Text {
    let length = row.item_bytes();
    let length = length.map_or_else(|| format::ABSENT.to_owned(), format::bytes);
    match row.items {
        Some(items) => format!("{} × {length}", format::whole(items)),
        None => length,
    }
    .into()
}

/// Whose rows are admitted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Our own.
    Ours,
    /// Other libraries.
    Others,
    /// Our own where there is one, else another library.
    OursElseOthers,
    /// All.
    Any,
}

/// A contender: the fastest row that fits.
#[derive(Clone, Copy)]
pub(super) struct Pick {
    /// SM or international.
    pub(super) side: Side,
    /// Whose.
    pub(super) origin: Origin,
    /// Software, hardware, or whichever is faster.
    pub(super) execution: Option<Execution>,
    /// One algorithm only.
    pub(super) algorithm: Option<&'static str>,
    /// One variant only.
    pub(super) variant: Option<&'static str>,
}

impl Pick {
    /// Our SM code, or another library's where ours is missing.
    pub(super) const SM: Self = Self {
        side: Side::Sm,
        origin: Origin::OursElseOthers,
        execution: None,
        algorithm: None,
        variant: None,
    };
    /// The fastest international row.
    pub(super) const INTERNATIONAL: Self = Self {
        side: Side::International,
        origin: Origin::Any,
        execution: None,
        algorithm: None,
        variant: None,
    };

    /// The same contender on one kind of instructions.
    pub(super) const fn on(self, execution: Execution) -> Self {
        Self {
            execution: Some(execution),
            ..self
        }
    }

    /// The same contender of one origin.
    pub(super) const fn from(self, origin: Origin) -> Self {
        Self { origin, ..self }
    }

    /// The same contender of one algorithm.
    pub(super) const fn of(self, algorithm: &'static str) -> Self {
        Self {
            algorithm: Some(algorithm),
            ..self
        }
    }

    /// The same contender of one variant.
    pub(super) const fn by(self, variant: &'static str) -> Self {
        Self {
            variant: Some(variant),
            ..self
        }
    }

    /// The fastest of `rows` that fits.
    pub(super) fn choose<'a>(&self, rows: &[&'a Row]) -> Option<&'a Row> {
        let fastest = |ours: Option<bool>| {
            rows.iter()
                .copied()
                .filter(|row| {
                    self.admits(row) && ours.is_none_or(|ours| ours == (row.subject == OURS))
                })
                .min_by(|a, b| {
                    a.timing
                        .median_nanoseconds
                        .total_cmp(&b.timing.median_nanoseconds)
                })
        };
        match self.origin {
            Origin::Ours => fastest(Some(true)),
            Origin::Others => fastest(Some(false)),
            Origin::OursElseOthers => fastest(Some(true)).or_else(|| fastest(Some(false))),
            Origin::Any => fastest(None),
        }
    }

    fn admits(&self, row: &Row) -> bool {
        row.side == self.side
            && self
                .execution
                .is_none_or(|execution| execution == row.execution)
            && self
                .algorithm
                .is_none_or(|algorithm| algorithm == row.algorithm)
            && self
                .variant
                .is_none_or(|variant| row.variant.as_deref() == Some(variant))
    }
}
