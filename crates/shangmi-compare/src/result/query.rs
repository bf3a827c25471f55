//! Questions to a report, shared by its renderings and by the tests.

use super::{Execution, Group, Report, Row, Side};

/// Which rows are meant; a field that is `None` admits every value.
#[derive(Clone, Copy, Debug, Default)]
pub struct Filter<'a> {
    /// [`Row::group`].
    pub group: Option<Group>,
    /// [`Row::operation`].
    pub operation: Option<&'a str>,
    /// [`Row::algorithm`].
    pub algorithm: Option<&'a str>,
    /// [`Row::variant`].
    pub variant: Option<&'a str>,
    /// [`Row::subject`].
    pub subject: Option<&'a str>,
    /// [`Row::side`].
    pub side: Option<Side>,
    /// [`Row::execution`].
    pub execution: Option<Execution>,
    /// [`Row::bytes`].
    pub bytes: Option<u64>,
}

impl Filter<'_> {
    /// Whether `row` is one of those meant.
    #[must_use]
    pub fn admits(&self, row: &Row) -> bool {
        fn same<T: PartialEq>(wanted: Option<T>, found: T) -> bool {
            wanted.is_none_or(|wanted| wanted == found)
        }
        same(self.group, row.group)
            && same(self.operation, row.operation.as_str())
            && same(self.algorithm, row.algorithm.as_str())
            && self
                .variant
                .is_none_or(|wanted| row.variant.as_deref() == Some(wanted))
            && same(self.subject, row.subject.as_str())
            && same(self.side, row.side)
            && same(self.execution, row.execution)
            && self.bytes.is_none_or(|wanted| row.bytes == Some(wanted))
    }
}

impl Row {
    /// Operations in a second on one core, by the median.
    #[must_use]
    pub fn operations_per_second(&self) -> f64 {
        1e9 / self.timing.median_nanoseconds
    }

    /// Bytes in a second, by the median; `None` for an operation without a length.
    #[must_use]
    pub fn bytes_per_second(&self) -> Option<f64> {
        self.bytes
            .map(|bytes| bytes as f64 * self.operations_per_second())
    }

    /// Messages or files in a second, by the median; operations where an operation takes one.
    #[must_use]
    pub fn items_per_second(&self) -> f64 {
        self.items.unwrap_or(1) as f64 * self.operations_per_second()
    }

    /// Time of one message or file, the mean where an operation takes several; by the median.
    #[must_use]
    pub fn item_nanoseconds(&self) -> f64 {
        self.timing.median_nanoseconds / self.items.unwrap_or(1).max(1) as f64
    }

    /// How many times as long as `other` this took for one message: for rows that take different numbers of them.
    #[must_use]
    pub fn item_time_ratio(&self, other: &Self) -> f64 {
        self.item_nanoseconds() / other.item_nanoseconds()
    }

    /// Bytes of one message or file, the mean where an operation takes several.
    #[must_use]
    pub fn item_bytes(&self) -> Option<u64> {
        Some(self.bytes? / self.items.unwrap_or(1).max(1))
    }

    /// Half the width of the middle four fifths of the samples, as a part of the median.
    #[must_use]
    pub fn spread(&self) -> f64 {
        (self.timing.p90_nanoseconds - self.timing.p10_nanoseconds)
            / 2.0
            / self.timing.median_nanoseconds
    }

    /// How many times as long as `other` this took: above 1 it is slower.
    #[must_use]
    pub fn time_ratio(&self, other: &Self) -> f64 {
        self.timing.median_nanoseconds / other.timing.median_nanoseconds
    }

    /// Whether the two rows did the same work, so that a ratio means something.
    #[must_use]
    pub fn is_alike(&self, other: &Self) -> bool {
        self.group == other.group
            && self.operation == other.operation
            && self.bytes == other.bytes
            && self.items == other.items
            && self.threads == other.threads
    }
}

impl Report {
    /// The rows that `filter` admits, in the order of measurement.
    pub fn rows_of<'a>(&'a self, filter: Filter<'a>) -> impl Iterator<Item = &'a Row> {
        self.rows.iter().filter(move |row| filter.admits(row))
    }

    /// The first row that `filter` admits.
    #[must_use]
    pub fn find(&self, filter: Filter<'_>) -> Option<&Row> {
        self.rows.iter().find(|row| filter.admits(row))
    }

    /// The fastest row that `filter` admits.
    #[must_use]
    pub fn fastest(&self, filter: Filter<'_>) -> Option<&Row> {
        self.rows
            .iter()
            .filter(|row| filter.admits(row))
            .min_by(|a, b| {
                a.timing
                    .median_nanoseconds
                    .total_cmp(&b.timing.median_nanoseconds)
            })
    }

    /// The lengths at which rows of `filter` were measured, ascending, each once.
    #[must_use]
    pub fn lengths(&self, filter: Filter<'_>) -> Vec<u64> {
        let mut lengths: Vec<u64> = self
            .rows
            .iter()
            .filter(|row| filter.admits(row))
            .filter_map(|row| row.bytes)
            .collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    /// The fastest row of the other side that did the same work on the same kind of instructions.
    #[must_use]
    pub fn counterpart(&self, row: &Row) -> Option<&Row> {
        let other = self.rows.iter().filter(|other| {
            row.is_alike(other) && other.side != row.side && other.execution == row.execution
        });
        other.min_by(|a, b| {
            a.timing
                .median_nanoseconds
                .total_cmp(&b.timing.median_nanoseconds)
        })
    }
}

/// The geometric mean of ratios; `None` of no ratios.
#[must_use]
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    if ratios.is_empty() {
        return None;
    }
    Some((ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp())
}
