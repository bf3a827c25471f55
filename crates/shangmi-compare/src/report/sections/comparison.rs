//! Contenders side by side: their ratio in words, and the tables of contests.

use super::contest::{Contest, Origin, Pick};
use super::metric::{Metric, value_cell};
use crate::report::document::{Cell, Column, Outcome, Reach, Table, Tone};
use crate::report::format;
use crate::report::text::{Text, phrases};
use crate::result::{Execution, Row, Side};

/// Closer than this, two run times count as even.
const EVEN_WITHIN: f64 = 0.05;

/// Who won, by the ratio of run times SM : international.
pub(super) fn outcome(ratio: f64) -> Outcome {
    if ratio > 1.0 + EVEN_WITHIN {
        Outcome::SmLoses
    } else if ratio < 1.0 / (1.0 + EVEN_WITHIN) {
        Outcome::SmWins
    } else {
        Outcome::Even
    }
}

/// `1.82× slower`, `3.40× faster`, `on a par`.
pub(super) fn ratio_words(ratio: f64) -> Text {
    match outcome(ratio) {
        Outcome::SmLoses => phrases::TIMES_SLOWER.with("times", format::times(ratio)),
        Outcome::SmWins => phrases::TIMES_FASTER.with("times", format::times(1.0 / ratio)),
        Outcome::Even => phrases::ON_A_PAR.with("times", format::times(ratio)),
    }
}

/// The ratio of run times of two contenders, in words and as a number.
pub(super) fn ratio_cell(sm: Option<&Row>, other: Option<&Row>) -> Cell {
    match (sm, other) {
        (Some(sm), Some(other)) => number_ratio_cell(sm.time_ratio(other)),
        _ => Cell::absent(),
    }
}

/// A ratio of any two amounts of which less is better.
pub(super) fn number_ratio_cell(ratio: f64) -> Cell {
    if !(ratio.is_finite() && ratio > 0.0) {
        return Cell::absent();
    }
    Cell::new(ratio_words(ratio)).with_tone(Tone::Verdict(outcome(ratio)))
}

/// A column of a table of contests.
pub(super) enum Entry {
    /// The number of a contender.
    Value(Text, Pick),
    /// The ratio of two.
    Ratio(Text, Pick, Pick),
}

impl Entry {
    fn cell(&self, contest: &Contest<'_>, metric: Metric) -> Cell {
        match self {
            Self::Value(_, pick) => value_cell(pick.choose(&contest.rows), metric),
            Self::Ratio(_, sm, other) => {
                ratio_cell(sm.choose(&contest.rows), other.choose(&contest.rows))
            }
        }
    }

    fn column(&self) -> Column {
        let column = match self {
            Self::Value(head, pick) => Column::of_side(head.clone(), pick.side),
            Self::Ratio(head, ..) => Column::numbers(head.clone()),
        };
        if self.is_extra() {
            column.extra()
        } else {
            column
        }
    }

    /// Another library's SM code, and RSA-3072 beside RSA-2048, are the first to go where room is scarce.
    fn is_extra(&self) -> bool {
        let (Self::Value(_, pick) | Self::Ratio(_, _, pick)) = self;
        (pick.side == Side::Sm && pick.origin == Origin::Others)
            || pick.algorithm == Some("RSA-3072")
    }
}

/// What names the rows of a table of contests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Labels {
    /// The length.
    Length,
    /// The operation and the length.
    OperationAndLength,
}

/// A table of `contests` with `entries` as columns; columns in which nothing stands are left out.
pub(super) fn table(
    caption: Text,
    contests: &[Contest<'_>],
    labels: Labels,
    entries: Vec<Entry>,
    metric: Metric,
) -> Table {
    let entries: Vec<Entry> = entries
        .into_iter()
        .filter(|entry| {
            contests
                .iter()
                .any(|contest| entry.cell(contest, metric).tone != Tone::Muted)
        })
        .collect();
    let mut columns = Vec::new();
    if labels == Labels::OperationAndLength {
        columns.push(Column::words(phrases::OPERATION));
    }
    columns.push(Column::numbers(phrases::LENGTH));
    columns.extend(entries.iter().map(Entry::column));
    let rows = contests
        .iter()
        .map(|contest| {
            let mut row = Vec::new();
            if labels == Labels::OperationAndLength {
                row.push(Cell::new(contest.operation_label()));
            }
            row.push(Cell::new(contest.length_label()));
            row.extend(entries.iter().map(|entry| entry.cell(contest, metric)));
            row
        })
        .collect();
    Table {
        caption,
        columns,
        rows,
        reach: Reach::Everywhere,
    }
}

/// The columns that hold for every symmetric pair: software, hardware, and the ratios of like with like.
pub(super) fn symmetric_entries(sm: &str, international: &str) -> Vec<Entry> {
    use Execution::{Hardware, Software};
    let ours = Pick::SM.from(Origin::Ours);
    let other_sm = Pick::SM.from(Origin::Others);
    let named = |phrase: Text, name: &str| phrase.with("name", name);
    vec![
        Entry::Value(named(phrases::OURS_SOFTWARE, sm), ours.on(Software)),
        Entry::Value(named(phrases::OTHERS_SOFTWARE, sm), other_sm.on(Software)),
        Entry::Value(
            named(phrases::IN_SOFTWARE, international),
            Pick::INTERNATIONAL.on(Software),
        ),
        Entry::Ratio(
            phrases::RATIO_SOFTWARE,
            Pick::SM.on(Software),
            Pick::INTERNATIONAL.on(Software),
        ),
        Entry::Value(
            named(phrases::IN_HARDWARE, sm),
            Pick::SM.from(Origin::Any).on(Hardware),
        ),
        Entry::Value(
            named(phrases::IN_HARDWARE, international),
            Pick::INTERNATIONAL.on(Hardware),
        ),
        Entry::Ratio(phrases::RATIO_BEST, Pick::SM, Pick::INTERNATIONAL),
    ]
}
