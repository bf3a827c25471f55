//! Curves and bars from rows.

use super::contest::{Metric, OURS, REFERENCE};
use crate::report::document::{Bar, Pattern, Point, Series, Style};
use crate::report::text::{Text, phrases, terms};
use crate::result::{Execution, Row, Side};

/// Gives out styles: by family, in order.
#[derive(Default)]
pub(super) struct Styles {
    given: [usize; 2],
}

impl Styles {
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
}

/// The style of a stage: the library's own code stands out from the steps that lead to it.
pub(super) fn stage_style(row: &Row) -> Style {
    let ordinal = match row.subject.as_str() {
        OURS => 0,
        REFERENCE => 4,
        _ => 1,
    };
    Style {
        side: row.side,
        ordinal,
        pattern: pattern(row),
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

/// Rows by contender: SM first, ours first among them.
pub(super) fn by_contender<'a>(rows: impl Iterator<Item = &'a Row>) -> Vec<Vec<&'a Row>> {
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
    all.sort_by_key(|contender| (contender[0].side, contender[0].subject != OURS));
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
                        bytes: row.bytes?,
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
    Some(Bar {
        name: name(row),
        mark: None,
        value: metric.value(row)?,
        range: metric.range(row),
        style,
    })
}
