//! SM2 one at a time, with a prepared key, and many at once.

use super::comparison::number_ratio_cell;
use super::contest::{Contest, Pick, contests};
use super::metric::{Metric, value_cell};
use crate::report::document::{Block, Cell, Column, Reach, Table};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Group, Report, Row, Side};

/// How an operation can be done: [`Row::operation`] and the words for it, the plain way first.
type Ways = &'static [(&'static str, Text)];

const WAYS: [Ways; 4] = [
    &[
        ("generate-key", phrases::ONE_AT_A_TIME),
        ("generate-key-many", phrases::MANY_AT_ONCE),
    ],
    &[
        ("sign", phrases::ONE_AT_A_TIME),
        ("sign-many", phrases::MANY_AT_ONCE),
    ],
    &[
        ("verify", phrases::NEW_KEY),
        ("verify-prepared", phrases::PREPARED_KEY),
        ("verify-many", phrases::MANY_AT_ONCE),
        ("verify-many-one-key", phrases::MANY_UNDER_ONE_KEY),
    ],
    &[
        ("decrypt", phrases::ONE_AT_A_TIME),
        ("decrypt-many", phrases::MANY_AT_ONCE),
    ],
];

/// Our SM2, or another library's where ours is missing: as the cards have it.
pub(super) const SM2: Pick = Pick::SM.of("SM2");

/// One way of doing an operation, as it was measured.
pub(super) struct Way<'a> {
    /// The operation done plainly, which the others are set beside.
    pub(super) plain: &'static str,
    /// What is special about it.
    pub(super) label: Text,
    pub(super) row: &'a Row,
}

/// The ways of doing `plain` that were measured, the plain one first.
pub(super) fn of<'a>(all: &[Contest<'a>], plain: &str) -> Vec<Way<'a>> {
    let ways = WAYS.into_iter().find(|ways| ways[0].0 == plain);
    let way = |(operation, label): &(&str, Text)| {
        let row = shortest(all, operation, SM2)?;
        let label = label
            .clone()
            .with("count", format::whole(row.items.unwrap_or(1)));
        Some(Way {
            plain: ways?[0].0,
            label,
            row,
        })
    };
    ways.into_iter().flatten().filter_map(way).collect()
}

/// Whether `operation` is another way of doing a plain one.
pub(super) fn is_another(operation: &str) -> bool {
    WAYS.iter().any(|ways| is_way_of(ways[0].0, operation))
}

/// Whether `operation` is another way of doing `plain`.
pub(super) fn is_way_of(plain: &str, operation: &str) -> bool {
    let ways = WAYS.iter().find(|ways| ways[0].0 == plain);
    ways.is_some_and(|ways| ways[1..].iter().any(|(other, _)| *other == operation))
}

/// The contender's row of an operation on the shortest message.
pub(super) fn shortest<'a>(all: &[Contest<'a>], operation: &str, pick: Pick) -> Option<&'a Row> {
    let contest = all
        .iter()
        .find(|contest| contest.operation == operation && contest.threads == 1)?;
    pick.choose(&contest.rows)
}

/// The table of all ways; none where there is but the plain one of each.
pub(super) fn blocks(report: &Report) -> Vec<Block> {
    let all = contests(report, Group::PublicKey);
    let ways: Vec<Way<'_>> = WAYS.iter().flat_map(|ways| of(&all, ways[0].0)).collect();
    if !ways.iter().any(|way| is_another(&way.row.operation)) {
        return Vec::new();
    }
    vec![
        Block::Paragraph(phrases::WAYS_INTRO),
        Block::Table(table(&all, &ways)),
    ]
}

const OTHERS: [&str; 2] = ["P-256", "RSA-2048"];

fn table(all: &[Contest<'_>], ways: &[Way<'_>]) -> Table {
    let against = |name: &'static str| Column::numbers(phrases::SM2_AGAINST.with("name", name));
    let mut columns = vec![
        Column::words(phrases::OPERATION),
        Column::words(phrases::WAY),
        Column::words(phrases::BACKEND),
        Column::of_side(phrases::OPERATIONS_PER_SECOND, Side::Sm),
        Column::of_side(phrases::TIME_OF_ONE, Side::Sm),
    ];
    columns.extend(OTHERS.map(against));
    columns.push(Column::numbers(phrases::ONE_TIME).extra());
    Table {
        caption: phrases::WAYS_CAPTION,
        columns,
        rows: ways.iter().map(|way| cells(all, way)).collect(),
        reach: Reach::Everywhere,
    }
}

fn cells(all: &[Contest<'_>], way: &Way<'_>) -> Vec<Cell> {
    let row = way.row;
    let mut cells = vec![
        Cell::new(terms::term(way.plain)),
        Cell::new(way.label.clone()),
        Cell::new(terms::term(&row.backend)),
        value_cell(Some(row), Metric::Operations),
        Cell::new(format::nanoseconds(row.item_nanoseconds())),
    ];
    cells.extend(OTHERS.map(|name| {
        let other = shortest(all, way.plain, Pick::INTERNATIONAL.of(name));
        other.map_or_else(Cell::absent, |other| {
            number_ratio_cell(row.item_time_ratio(other))
        })
    }));
    let once = row.one_time_nanoseconds.map(format::nanoseconds);
    cells.push(once.map_or_else(Cell::absent, Cell::new));
    cells
}
