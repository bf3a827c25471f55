//! Curves and bars from rows.

use super::contest::{OURS, REFERENCE};
use super::metric::Metric;
use crate::report::document::{Bar, Pattern, Point, Series, Style};
use crate::report::text::{Text, phrases, terms};
use crate::result::{Execution, Row, Side};

/// Gives out styles: by family, in order; the same contender gets the same style again.
#[derive(Default)]
pub(super) struct Styles<'a> {
    given: [usize; 2],
    known: Vec<(&'a Row, Style)>,
}

impl<'a> Styles<'a> {
    /// The next style of a family.
    pub(super) fn next(&mut self, side: Side, pattern: Pattern) -> Style {
        let given = &mut self.given[usize::from(side == Side::International)];
        let style = Style {
            side,
            ordinal: *given,
            pattern,
        };
        *given += 1;
        style
    }

    /// The style of the contender that `row` belongs to, whatever its scheme.
    pub(super) fn of(&mut self, row: &'a Row) -> Style {
        self.by(row, |other| {
            other.algorithm == row.algorithm
                && other.subject == row.subject
                && other.execution == row.execution
        })
    }

    /// One style for each international algorithm, and for each library of the SM side.
    pub(super) fn of_algorithm(&mut self, row: &'a Row) -> Style {
        self.by(row, |other| {
            other.algorithm == row.algorithm
                && (row.side == Side::International || other.subject == row.subject)
        })
    }

    fn by(&mut self, row: &'a Row, same: impl Fn(&Row) -> bool) -> Style {
        if let Some((_, style)) = self.known.iter().find(|(other, _)| same(other)) {
            return *style;
        }
        let style = self.next(row.side, pattern(row));
        self.known.push((row, style));
        style
    }
}

/// The style of a stage: the library's own code stands out from the steps that lead to it.
pub(super) fn stage_style(subject: &str, side: Side, pattern: Pattern) -> Style {
    let ordinal = match subject {
        OURS => 0,
        REFERENCE => 4,
        _ => 1,
    };
    Style {
        side,
        ordinal,
        pattern,
    }
}

/// Broken where special instructions are at work.
pub(super) fn pattern(row: &Row) -> Pattern {
    match row.execution {
        Execution::Software => Pattern::Solid,
        Execution::Hardware => Pattern::Broken,
    }
}

/// Algorithm, scheme, library and kind of instructions.
pub(super) fn name(row: &Row) -> Text {
    let what = match &row.variant {
        Some(variant) => phrases::ALGORITHM_VARIANT
            .with("algorithm", &row.algorithm)
            .with("variant", terms::term(variant)),
        None => Text::from(&row.algorithm),
    };
    let kind = match row.execution {
        Execution::Software => phrases::NAME_SOFTWARE,
        Execution::Hardware => phrases::NAME_HARDWARE,
    };
    kind.with("what", what).with("subject", &row.subject)
}

fn same_contender(a: &Row, b: &Row) -> bool {
    a.algorithm == b.algorithm
        && a.variant == b.variant
        && a.subject == b.subject
        && a.execution == b.execution
        && a.threads == b.threads
}

/// Rows by contender, in the order of measurement.
pub(super) fn contenders<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Vec<&'a Row>> {
    let mut all: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        match all
            .iter_mut()
            .find(|contender| same_contender(contender[0], row))
        {
            Some(contender) => contender.push(row),
            None => all.push(vec![row]),
        }
    }
    all
}

/// Rows by contender: SM first, ours first among them.
pub(super) fn by_contender<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Vec<&'a Row>> {
    let mut all = contenders(rows);
    all.sort_by_key(|contender| {
        let first = contender[0];
        let ours = first.subject == OURS;
        (
            first.side,
            !ours,
            first.execution,
            &first.algorithm,
            &first.subject,
        )
    });
    all
}

/// A curve for each contender among `rows` that has `metric`.
pub(super) fn series<'a>(rows: impl Iterator<Item = &'a Row>, metric: Metric) -> Vec<Series> {
    let mut styles = Styles::default();
    by_contender(rows)
        .into_iter()
        .filter_map(|mut contender| {
            contender.sort_by_key(|row| row.bytes);
            let points: Vec<Point> = contender
                .iter()
                .filter_map(|row| {
                    Some(Point {
                        bytes: row.item_bytes()?,
                        value: metric.value(row)?,
                        range: metric.range(row),
                    })
                })
                .collect();
            let first = contender[0];
            (!points.is_empty()).then(|| Series {
                name: name(first),
                style: styles.next(first.side, pattern(first)),
                points,
            })
        })
        .collect()
}

/// A bar of `row`; none without `metric`.
pub(super) fn bar(row: &Row, metric: Metric, style: Style) -> Option<Bar> {
    let value = metric.value(row)?;
    Some(Bar {
        name: name(row),
        label: phrases::VALUE_UNIT
            .with("value", metric.show(value))
            .with("unit", metric.unit()),
        mark: None,
        value,
        range: metric.range(row),
        style,
    })
}
