//! Programs over a tree of small files.

use super::comparison::ratio_cell;
use super::contest::contests;
use super::metric::Metric;
use crate::report::document::{Block, Cell, Column, Reach, Section, Table};
use crate::report::format;
use crate::report::text::{phrases, terms};
use crate::result::{Group, RefusedSubject, Report, Row};

/// The program that the others are set beside.
const YARDSTICK: &str = "cksum";

/// A row for each program, those that were left out with the reason.
pub(super) fn section(report: &Report) -> Option<Section> {
    let all = contests(report, Group::HashTree);
    let rows: &[&Row] = all.first().map_or(&[], |contest| &contest.rows);
    let left_out: Vec<&RefusedSubject> = report
        .skipped
        .iter()
        .filter(|one| one.group == Group::HashTree)
        .collect();
    let mut blocks = Vec::new();
    if let Some(first) = rows.first() {
        let count = format::whole(first.items.unwrap_or(1));
        blocks.push(Block::Paragraph(phrases::TREE_INTRO.with("count", count)));
    }
    if !rows.is_empty() || !left_out.is_empty() {
        blocks.push(Block::Table(table(rows, &left_out)));
    }
    super::section(report, "tree", phrases::TREE, &[Group::HashTree], blocks)
}

fn table(rows: &[&Row], left_out: &[&RefusedSubject]) -> Table {
    let yardstick = rows.iter().copied().find(|row| row.subject == YARDSTICK);
    let timed = rows.iter().map(|row| timed(row, yardstick));
    let left_out = left_out.iter().map(|one| {
        let reason = phrases::LEFT_OUT.with("reason", terms::term(&one.reason));
        let name = Cell::new(&one.operation).with_detail(reason);
        [vec![name], vec![Cell::absent(); 5]].concat()
    });
    Table {
        caption: phrases::TREE_CAPTION,
        columns: vec![
            Column::words(phrases::PROGRAM),
            Column::words(phrases::ALGORITHM),
            Column::numbers(phrases::FILES_PER_SECOND),
            Column::numbers("MB/s"),
            Column::numbers(phrases::TIME_OF_ALL).extra(),
            Column::numbers(phrases::AGAINST_CKSUM),
        ],
        rows: timed.chain(left_out).collect(),
        reach: Reach::Everywhere,
    }
}

fn timed(row: &Row, yardstick: Option<&Row>) -> Vec<Cell> {
    let shown = |metric: Metric| {
        let value = metric.value(row);
        value.map_or_else(Cell::absent, |value| Cell::new(metric.show(value)))
    };
    let name = row.variant.as_ref().unwrap_or(&row.subject);
    let is_yardstick = yardstick.is_some_and(|other| std::ptr::eq(other, row));
    vec![
        Cell::new(name),
        Cell::new(&row.algorithm),
        shown(Metric::Files),
        shown(Metric::Megabytes),
        shown(Metric::Latency),
        match is_yardstick {
            true => Cell::absent(),
            false => ratio_cell(Some(row), yardstick),
        },
    ]
}
