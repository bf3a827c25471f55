//! SM2 and the others under an equal load: share of a core, and memory after many operations.

use super::contest::contests;
use super::curves::Styles;
use crate::report::document::{
    Bar, BarChart, Block, Cell, Column, Panel, PanelScale, Pattern, Reach, Section, Table,
};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Group, GrowthRow, LoadRow, Report};

/// Share of a core, then memory.
pub(super) fn section(report: &Report) -> Option<Section> {
    let mut blocks = shares(report);
    blocks.extend(growth(&report.growth));
    super::section(report, "load", phrases::LOAD, &[Group::Load], blocks)
}

/// `0.813 %`, of a part of one.
fn percent(share: f64) -> String {
    format!("{} %", format::significant(share * 100.0))
}

fn shares(report: &Report) -> Vec<Block> {
    let rows = &report.load;
    let Some(first) = rows.first() else {
        return Vec::new();
    };
    let rate = format::significant(first.offered_per_second);
    let mut blocks = vec![Block::Paragraph(
        phrases::LOAD_INTRO.with("rate", rate.as_str()),
    )];
    let operations = operations(rows);
    blocks.extend(operations.iter().map(|operation| {
        let each = of_operation(rows, operation).map(|row| {
            phrases::LOAD_SHARE
                .with("name", name(row))
                .with("share", percent(row.share()))
        });
        let list: Vec<Text> = each.collect();
        Block::Finding(
            phrases::LOAD_FINDING
                .with("operation", terms::term(operation))
                .with("rate", rate.as_str())
                .with("list", Text::join(&list, &phrases::COMMA)),
        )
    }));
    blocks.push(Block::Bars(BarChart {
        id: "load",
        title: phrases::LOAD_TITLE.with("rate", rate.as_str()),
        description: phrases::LOAD_DESCRIPTION,
        scale: PanelScale::Own,
        panels: operations
            .iter()
            .map(|operation| panel(rows, operation))
            .collect(),
    }));
    blocks.push(Block::Table(share_table(report)));
    blocks
}

/// Each operation once, in the order of measurement.
fn operations(rows: &[LoadRow]) -> Vec<&str> {
    let mut all: Vec<&str> = Vec::new();
    for row in rows {
        if !all.contains(&row.operation.as_str()) {
            all.push(&row.operation);
        }
    }
    all
}

fn of_operation<'a>(rows: &'a [LoadRow], operation: &str) -> impl Iterator<Item = &'a LoadRow> {
    rows.iter().filter(move |row| row.operation == operation)
}

/// The algorithm; with its variant where there are several of SM2.
fn name(row: &LoadRow) -> Text {
    match row.variant.as_deref() {
        Some(variant) if variant == KEY_PREPARED => phrases::ALGORITHM_VARIANT
            .with("algorithm", &row.algorithm)
            .with("variant", terms::term(variant)),
        _ => Text::from(&row.algorithm),
    }
}

/// The variant that verifies with a prepared key.
const KEY_PREPARED: &str = "key prepared";

fn panel(rows: &[LoadRow], operation: &str) -> Panel {
    let mut styles = Styles::default();
    let bars = of_operation(rows, operation)
        .map(|row| Bar {
            name: phrases::NAME_SOFTWARE
                .with("what", name(row))
                .with("subject", &row.subject),
            label: percent(row.share()).into(),
            mark: None,
            value: row.share(),
            range: None,
            style: styles.next(row.side, Pattern::Solid),
        })
        .collect();
    Panel {
        title: terms::term(operation),
        bars,
    }
}

fn share_table(report: &Report) -> Table {
    let cells = report.load.iter().map(|row| {
        let computed = computed(report, row).map(percent);
        vec![
            Cell::new(terms::term(&row.operation)),
            Cell::new(name(row)),
            Cell::new(&row.subject),
            Cell::new(format::significant(row.served_per_second())),
            Cell::new(percent(row.share())),
            computed.map_or_else(Cell::absent, Cell::new),
            Cell::new(percent(row.idle_share)),
        ]
    });
    Table {
        caption: phrases::LOAD_CAPTION,
        columns: vec![
            Column::words(phrases::OPERATION),
            Column::words(phrases::ALGORITHM),
            Column::words(phrases::LIBRARY),
            Column::numbers(phrases::SERVED_PER_SECOND),
            Column::numbers(phrases::SHARE_OF_CORE),
            Column::numbers(phrases::RATE_TIMES_TIME),
            Column::numbers(phrases::SHARE_IDLE).extra(),
        ],
        rows: cells.collect(),
        reach: Reach::Everywhere,
    }
}

/// The rate times the time of one operation, as the timed rows have it.
fn computed(report: &Report, load: &LoadRow) -> Option<f64> {
    let is_prepared = load.variant.as_deref() == Some(KEY_PREPARED);
    let operation = match is_prepared {
        true => "verify-prepared",
        false => load.operation.as_str(),
    };
    let all = contests(report, Group::PublicKey);
    let row = all
        .iter()
        .filter(|contest| contest.operation == operation)
        .flat_map(|contest| &contest.rows)
        .find(|row| row.algorithm == load.algorithm && row.subject == load.subject)?;
    Some(load.offered_per_second * row.item_nanoseconds() / 1e9)
}

fn growth(rows: &[GrowthRow]) -> Vec<Block> {
    if rows.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Paragraph(phrases::GROWTH_INTRO)];
    let grown: Vec<Text> = rows
        .iter()
        .filter(|row| row.has_grown())
        .map(grown)
        .collect();
    blocks.push(match grown.is_empty() {
        true => Block::Finding(phrases::GROWTH_NONE),
        false => Block::Warning(
            phrases::GROWTH_SOME.with("list", Text::join(&grown, &phrases::SEMICOLON)),
        ),
    });
    blocks.push(Block::Table(growth_table(rows)));
    blocks
}

fn grown(row: &GrowthRow) -> Text {
    phrases::GROWTH_OF
        .with("operation", terms::term(&row.operation))
        .with("name", &row.algorithm)
        .with("subject", &row.subject)
        .with("amount", kibibytes(row.grown_bytes()))
        .with("count", format::whole(row.operations))
}

fn kibibytes(bytes: u64) -> String {
    format!("{} KiB", format::whole(bytes >> 10))
}

fn growth_table(rows: &[GrowthRow]) -> Table {
    let cells = rows.iter().map(|row| {
        let each = row.grown_bytes() as f64 / row.operations as f64;
        vec![
            Cell::new(terms::term(&row.operation)),
            Cell::new(&row.algorithm),
            Cell::new(&row.subject),
            Cell::new(format::whole(row.operations)),
            Cell::new(kibibytes(row.resident_before_bytes)),
            Cell::new(kibibytes(row.resident_after_bytes)),
            Cell::new(kibibytes(row.peak_before_bytes)),
            Cell::new(kibibytes(row.peak_after_bytes)),
            Cell::new(kibibytes(row.grown_bytes())),
            Cell::new(format::significant(each)),
        ]
    });
    Table {
        caption: phrases::GROWTH_CAPTION,
        columns: vec![
            Column::words(phrases::OPERATION),
            Column::words(phrases::ALGORITHM),
            Column::words(phrases::LIBRARY),
            Column::numbers(phrases::REPEATED),
            Column::numbers(phrases::RESIDENT_BEFORE),
            Column::numbers(phrases::RESIDENT_AFTER),
            Column::numbers(phrases::PEAK_BEFORE).extra(),
            Column::numbers(phrases::PEAK_AFTER).extra(),
            Column::numbers(phrases::GROWN),
            Column::numbers(phrases::GROWN_EACH),
        ],
        rows: cells.collect(),
        reach: Reach::Everywhere,
    }
}
