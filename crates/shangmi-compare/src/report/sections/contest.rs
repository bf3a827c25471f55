//! Who is set beside whom: rows of the same work, the contenders among them, and their ratio.

use crate::report::document::{Cell, Column, Outcome, Reach, Table, Tone};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Execution, Group, Report, Row, Side};

/// Our own library.
pub(super) const OURS: &str = "shangmi";
/// The teaching implementations: shown as stages, never as a contender.
pub(super) const REFERENCE: &str = "reference";
/// Closer than this, two run times count as even.
const EVEN_WITHIN: f64 = 0.05;

/// Rows that did the same work.
pub(super) struct Contest<'a> {
    /// [`Row::operation`].
    pub(super) operation: &'a str,
    /// [`Row::bytes`].
    pub(super) bytes: Option<u64>,
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
                && contest.threads == row.threads
        });
        match same {
            Some(contest) => contest.rows.push(row),
            None => all.push(Contest {
                operation: &row.operation,
                bytes: row.bytes,
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
        self.bytes
            .map_or_else(|| format::ABSENT.to_owned(), format::bytes)
            .into()
    }
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
}

impl Pick {
    /// Our SM code, or another library's where ours is missing.
    pub(super) const SM: Self = Self {
        side: Side::Sm,
        origin: Origin::OursElseOthers,
        execution: None,
        algorithm: None,
    };
    /// The fastest international row.
    pub(super) const INTERNATIONAL: Self = Self {
        side: Side::International,
        origin: Origin::Any,
        execution: None,
        algorithm: None,
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
    }
}

/// What is read off a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    /// Decimal megabytes a second.
    Megabytes,
    /// Core cycles a byte.
    CyclesPerByte,
    /// Operations a second.
    Operations,
    /// Time of one operation.
    Latency,
}

impl Metric {
    /// The unit of [`Self::value`].
    pub(super) fn unit(self) -> Text {
        match self {
            Self::Megabytes => "MB/s".into(),
            Self::CyclesPerByte => phrases::CYCLES_PER_BYTE,
            Self::Operations => phrases::OPERATIONS_PER_SECOND,
            Self::Latency => "ns".into(),
        }
    }

    /// The metric of `row` if one operation had taken `nanoseconds`.
    fn at(self, row: &Row, nanoseconds: f64) -> Option<f64> {
        let value = match self {
            Self::Megabytes => row.bytes? as f64 * 1e3 / nanoseconds,
            Self::CyclesPerByte => {
                row.cycles_per_byte? * nanoseconds / row.timing.median_nanoseconds
            }
            Self::Operations => 1e9 / nanoseconds,
            Self::Latency => nanoseconds,
        };
        value.is_finite().then_some(value)
    }

    /// By the median.
    pub(super) fn value(self, row: &Row) -> Option<f64> {
        self.at(row, row.timing.median_nanoseconds)
    }

    /// Between the tenth and the ninetieth percentile, ascending.
    pub(super) fn range(self, row: &Row) -> Option<(f64, f64)> {
        let a = self.at(row, row.timing.p10_nanoseconds)?;
        let b = self.at(row, row.timing.p90_nanoseconds)?;
        Some((a.min(b), a.max(b)))
    }

    /// The number as a table has it: the unit stands in the caption, but a time carries its own.
    pub(super) fn show(self, value: f64) -> String {
        match self {
            Self::Latency => format::nanoseconds(value),
            _ => format::significant(value),
        }
    }
}

/// Median over who it was and the spread.
pub(super) fn value_cell(row: Option<&Row>, metric: Metric) -> Cell {
    let Some((row, value)) = row.and_then(|row| Some((row, metric.value(row)?))) else {
        return Cell::absent();
    };
    let cell = Cell::new(metric.show(value));
    let Some((low, high)) = metric.range(row) else {
        return cell.with_detail(&row.subject);
    };
    let percent = (row.spread() * 100.0).round().clamp(0.0, 999.0);
    cell.with_detail(
        phrases::SUBJECT_SPREAD
            .with("subject", &row.subject)
            .with("low", metric.show(low))
            .with("high", metric.show(high)),
    )
    .with_brief(format!("{} ±{percent}%", metric.show(value)))
}

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
