//! How it was measured, and every row of it.

use super::contest::length_label;
use crate::report::document::{Block, Cell, Column, Reach, Section, Table};
use crate::report::format;
use crate::report::text::{Text, labels, phrases, terms};
use crate::result::{Report, Row};

/// Method and remarks on the whole run.
pub(super) fn section(report: &Report) -> Option<Section> {
    let general: Vec<Text> = report
        .notes
        .iter()
        .filter(|note| note.group.is_none())
        .map(|note| Text::owned(note.english.clone(), note.chinese.clone()))
        .collect();
    let mut blocks = vec![Block::List(
        phrases::METHOD_LEAD,
        vec![
            phrases::METHOD_MEDIAN,
            phrases::METHOD_RATIO,
            phrases::METHOD_ALIKE,
            phrases::METHOD_KNOWN_ANSWER,
            phrases::METHOD_UNITS,
            phrases::METHOD_JSON,
        ],
    )];
    if !general.is_empty() {
        blocks.push(Block::List(phrases::REMARKS, general));
    }
    super::section(report, "method", phrases::METHOD, &[], blocks)
}

/// The raw table.
pub(super) fn every_row(report: &Report) -> Option<Section> {
    if report.rows.is_empty() {
        return None;
    }
    let table = Table {
        caption: phrases::EVERY_ROW_CAPTION.with("count", report.rows.len().to_string()),
        columns: vec![
            Column::words(phrases::PART),
            Column::words(phrases::OPERATION),
            Column::words(phrases::ALGORITHM),
            Column::words(phrases::LIBRARY),
            Column::words(phrases::BACKEND),
            Column::numbers(phrases::LENGTH),
            Column::numbers(phrases::THREADS),
            Column::numbers(phrases::MEDIAN),
            Column::numbers(phrases::RANGE),
            Column::numbers("MB/s"),
            Column::numbers(phrases::CYCLES_PER_BYTE),
            Column::numbers(phrases::OPERATIONS_PER_SECOND),
            Column::numbers(phrases::ONE_TIME),
            Column::numbers(phrases::STRENGTH),
        ],
        rows: report.rows.iter().map(cells).collect(),
        reach: Reach::Folded,
    };
    Some(Section {
        id: "rows",
        title: phrases::EVERY_ROW,
        blocks: vec![Block::Table(table)],
    })
}

fn cells(row: &Row) -> Vec<Cell> {
    let optional = |value: Option<String>| value.map_or_else(Cell::absent, Cell::new);
    let algorithm = Cell::new(&row.algorithm);
    let algorithm = match &row.variant {
        Some(variant) => algorithm.with_detail(terms::term(variant)),
        None => algorithm,
    };
    vec![
        Cell::new(labels::group(row.group)),
        Cell::new(terms::term(&row.operation)),
        algorithm,
        Cell::new(&row.subject),
        Cell::new(terms::term(&row.backend)).with_detail(labels::execution(row.execution)),
        Cell::new(length_label(row)),
        Cell::new(row.threads.to_string()),
        Cell::new(format::nanoseconds(row.timing.median_nanoseconds)),
        Cell::new(format!(
            "{} – {}",
            format::nanoseconds(row.timing.p10_nanoseconds),
            format::nanoseconds(row.timing.p90_nanoseconds)
        )),
        optional(row.bytes_per_second().map(format::megabytes)),
        optional(row.cycles_per_byte.map(format::significant)),
        Cell::new(format::significant(row.operations_per_second())),
        optional(row.one_time_nanoseconds.map(format::nanoseconds)),
        Cell::new(row.security_bits.to_string()),
    ]
}
