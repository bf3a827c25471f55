//! Sizes of keys, signatures, ciphertexts and digests.

use crate::report::document::{Block, Cell, Column, Reach, Section, Table};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Report, Side, SizeRow};

/// Keys, signatures, ciphertexts; digests apart.
pub(super) fn section(report: &Report) -> Option<Section> {
    let is_hash = |row: &&SizeRow| row.what == "digest";
    let keys: Vec<&SizeRow> = report.sizes.iter().filter(|row| !is_hash(row)).collect();
    let digests: Vec<&SizeRow> = report.sizes.iter().filter(is_hash).collect();
    let mut blocks = Vec::new();
    for (caption, rows) in [
        (phrases::SIZE_CAPTION, keys),
        (phrases::DIGEST_CAPTION, digests),
    ] {
        if !rows.is_empty() {
            blocks.push(Block::Table(table(caption, &rows)));
        }
    }
    if !blocks.is_empty() {
        blocks.insert(0, Block::Paragraph(phrases::SIZE_INTRO));
    }
    super::section(report, "sizes", phrases::SIZES, &[], blocks)
}

/// The algorithms of `rows`, SM first.
fn algorithms<'a>(rows: &[&'a SizeRow]) -> Vec<(Side, &'a str)> {
    let mut all: Vec<(Side, &str)> = Vec::new();
    for row in rows {
        let one = (row.side, row.algorithm.as_str());
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all.sort_by_key(|(side, _)| *side);
    all
}

/// The row of `algorithm` to set beside `row`: in the same encoding, else the shortest one in an encoding that SM
/// does not have (an RSA signature has but one).
fn beside<'a>(rows: &[&'a SizeRow], row: &SizeRow, algorithm: &str) -> Option<&'a SizeRow> {
    let all = || {
        rows.iter()
            .copied()
            .filter(|other| other.algorithm == algorithm && other.what == row.what)
    };
    let foreign = |other: &&SizeRow| {
        !rows
            .iter()
            .any(|sm| sm.side == Side::Sm && sm.what == other.what && sm.encoding == other.encoding)
    };
    all()
        .find(|other| other.encoding == row.encoding)
        .or_else(|| all().filter(foreign).min_by_key(|other| other.bytes))
}

/// A row for each SM size, and after it what each international algorithm needs for the same.
fn table(caption: Text, rows: &[&SizeRow]) -> Table {
    let algorithms = algorithms(rows);
    let others = || {
        algorithms
            .iter()
            .filter(|(side, _)| *side == Side::International)
    };
    let sm = algorithms.first().map_or("", |(_, algorithm)| *algorithm);
    let mut columns = vec![
        Column::words(phrases::THING),
        Column::words(phrases::ENCODING),
        Column::of_side(sm, Side::Sm),
    ];
    for (side, algorithm) in others() {
        let pair = [
            Column::of_side(*algorithm, *side),
            Column::numbers(phrases::SM_OVER.with("name", *algorithm)),
        ];
        // What RSA-2048 shows, RSA-3072 shows again.
        let is_extra = *algorithm == "RSA-3072";
        columns.extend(pair.map(|column| if is_extra { column.extra() } else { column }));
    }
    let cells = rows
        .iter()
        .filter(|row| row.side == Side::Sm)
        .map(|row| {
            let mut line = vec![
                Cell::new(terms::term(&row.what)),
                Cell::new(terms::term(&row.encoding)),
                Cell::new(format::whole(row.bytes)),
            ];
            for (_, algorithm) in others() {
                let other = beside(rows, row, algorithm);
                line.push(other.map_or_else(Cell::absent, |other| size_cell(row, other)));
                line.push(size_ratio(Some(row.bytes), other.map(|other| other.bytes)));
            }
            line
        })
        .collect();
    Table {
        caption,
        columns,
        rows: cells,
        reach: Reach::Everywhere,
    }
}

/// The number, and the encoding where it is not the one of `row`.
fn size_cell(row: &SizeRow, other: &SizeRow) -> Cell {
    let cell = Cell::new(format::whole(other.bytes));
    if other.encoding == row.encoding {
        return cell;
    }
    cell.with_detail(terms::term(&other.encoding))
        .with_brief(format::whole(other.bytes))
}

/// A plain number: fewer bytes are neither faster nor slower.
pub(super) fn size_ratio(sm: Option<u64>, other: Option<u64>) -> Cell {
    match (sm, other) {
        (Some(sm), Some(other)) if other > 0 => {
            Cell::new(format!("{}×", format::times(sm as f64 / other as f64)))
        }
        _ => Cell::absent(),
    }
}
