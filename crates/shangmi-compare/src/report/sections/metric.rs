//! What is read off a row: speed, cycles, rate, time.

use crate::report::document::Cell;
use crate::report::format;
use crate::report::text::{Text, phrases};
use crate::result::Row;

/// What is read off a row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Metric {
    /// Decimal megabytes a second.
    Megabytes,
    /// Core cycles a byte.
    CyclesPerByte,
    /// Operations a second; each counts where one call does many.
    Operations,
    /// Messages a second, where an operation takes many.
    Messages,
    /// Files a second, where an operation takes many.
    Files,
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
            Self::Messages => phrases::MESSAGES_PER_SECOND,
            Self::Files => phrases::FILES_PER_SECOND,
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
            Self::Operations | Self::Messages | Self::Files => {
                row.items.unwrap_or(1) as f64 * 1e9 / nanoseconds
            }
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
