//! What holds on any machine: operation counts, and the best public attacks.

use super::sizes::size_ratio;
use crate::report::document::{Block, Cell, Column, Reach, Section, Table};
use crate::report::format;
use crate::report::text::{labels, phrases, terms};
use crate::result::{AttackRow, CountOrigin, CountPhase, CountRow, Group, Report, Side};

/// Operations of one compression, as counted and as published.
pub(super) fn counts(report: &Report) -> Option<Section> {
    let mut blocks = Vec::new();
    if !report.operation_counts.is_empty() {
        blocks.push(Block::Paragraph(phrases::COUNT_INTRO));
        blocks.push(Block::Table(count_table(&report.operation_counts)));
        let totals = count_totals(&report.operation_counts);
        if !totals.rows.is_empty() {
            blocks.push(Block::Table(totals));
        }
    }
    super::section(report, "counts", phrases::COUNTS, &[Group::Counts], blocks)
}

fn count_table(rows: &[CountRow]) -> Table {
    let cells = rows
        .iter()
        .map(|row| {
            let number = |value: u32| Cell::new(format::whole(value.into()));
            vec![
                Cell::new(&row.algorithm),
                Cell::new(labels::phase(row.phase)),
                Cell::new(labels::origin(row.origin)),
                number(row.shifts),
                number(row.logic),
                number(row.additions),
                number(total(row)),
                Cell::new(terms::term(&row.note)),
            ]
        })
        .collect();
    Table {
        caption: phrases::COUNT_CAPTION,
        columns: vec![
            Column::words(phrases::ALGORITHM),
            Column::words(phrases::PHASE),
            Column::words(phrases::ORIGIN),
            Column::numbers(phrases::SHIFTS),
            Column::numbers(phrases::LOGIC),
            Column::numbers(phrases::ADDITIONS),
            Column::numbers(phrases::TOTAL),
            Column::words(phrases::REMARK),
        ],
        rows: cells,
        reach: Reach::Files,
    }
}

fn total(row: &CountRow) -> u32 {
    row.shifts
        .saturating_add(row.logic)
        .saturating_add(row.additions)
}

/// Both phases together, SM3 beside SHA-256, for each origin that has both.
fn count_totals(rows: &[CountRow]) -> Table {
    let sum = |algorithm: &str, origin: CountOrigin| {
        let own = || {
            rows.iter()
                .filter(move |row| row.algorithm == algorithm && row.origin == origin)
        };
        let complete = [CountPhase::Expansion, CountPhase::StateUpdate]
            .into_iter()
            .all(|phase| own().any(|row| row.phase == phase));
        complete.then(|| own().map(total).sum::<u32>())
    };
    let cells = [
        CountOrigin::Counted,
        CountOrigin::CountedShared,
        CountOrigin::Published,
    ]
    .into_iter()
    .filter_map(|origin| {
        // Sharing saves SHA-256 nothing, so it has no row of its own there.
        let plain = || {
            sum("SHA-256", CountOrigin::Counted).filter(|_| origin == CountOrigin::CountedShared)
        };
        let (sm, other) = (sum("SM3", origin)?, sum("SHA-256", origin).or_else(plain)?);
        Some(vec![
            Cell::new(labels::origin(origin)),
            Cell::new(format::whole(sm.into())),
            Cell::new(format::whole(other.into())),
            size_ratio(Some(sm.into()), Some(other.into())),
        ])
    })
    .collect();
    Table {
        caption: phrases::COUNT_TOTAL_CAPTION,
        columns: vec![
            Column::words(phrases::ORIGIN),
            Column::of_side("SM3", Side::Sm),
            Column::of_side("SHA-256", Side::International),
            Column::numbers(phrases::SM_OVER.with("name", "SHA-256")),
        ],
        rows: cells,
        reach: Reach::Files,
    }
}

/// The best public attacks.
pub(super) fn attacks(report: &Report) -> Option<Section> {
    let mut blocks = Vec::new();
    if let Some(first) = report.attacks.first() {
        blocks.push(Block::Paragraph(phrases::ATTACK_INTRO));
        blocks.push(Block::Table(attack_table(&report.attacks, &first.as_of)));
    }
    super::section(report, "attacks", phrases::ATTACKS, &[], blocks)
}

fn attack_table(rows: &[AttackRow], as_of: &str) -> Table {
    let cells = rows
        .iter()
        .map(|row| {
            vec![
                Cell::new(&row.algorithm),
                Cell::new(terms::term(&row.attack)),
                Cell::new(
                    phrases::STEPS_OF
                        .with("steps", &row.steps)
                        .with("total", row.total_steps.to_string()),
                ),
                Cell::new(terms::term(&row.cost)),
                Cell::new(terms::term(&row.source)),
            ]
        })
        .collect();
    Table {
        caption: phrases::ATTACK_CAPTION.with("date", as_of),
        columns: vec![
            Column::words(phrases::ALGORITHM),
            Column::words(phrases::ATTACK),
            Column::numbers(phrases::STEPS),
            Column::words(phrases::COST),
            Column::words(phrases::SOURCE),
        ],
        rows: cells,
        reach: Reach::Files,
    }
}
