//! Working memory: stack of one operation, state, tables.

use super::curves::stage_style;
use super::sizes::size_ratio;
use crate::report::document::{
    Bar, BarChart, Block, Cell, Column, Panel, PanelScale, Pattern, Reach, Section, Table,
};
use crate::report::format;
use crate::report::text::{Text, labels, phrases, terms};
use crate::result::{Group, MemoryMeasure, MemoryRow, Report, Side};

/// The international algorithm that an SM algorithm is set beside.
fn counterpart(algorithm: &str) -> Option<&'static str> {
    match algorithm {
        "SM3" => Some("SHA-256"),
        "HMAC-SM3" => Some("HMAC-SHA256"),
        "SM4" => Some("AES-128"),
        "SM2" => Some("P-256"),
        _ => None,
    }
}

/// Stack of one operation, state, tables.
pub(super) fn section(report: &Report) -> Option<Section> {
    let mut blocks = Vec::new();
    if !report.memory.is_empty() {
        blocks.push(Block::Paragraph(phrases::MEMORY_INTRO));
        blocks.push(Block::Bars(BarChart {
            id: "memory",
            title: phrases::MEMORY_TITLE,
            description: phrases::MEMORY_DESCRIPTION,
            scale: PanelScale::Own,
            panels: memory_panels(&report.memory),
        }));
        blocks.push(Block::Table(memory_table(&report.memory)));
    }
    super::section(report, "memory", phrases::MEMORY, &[Group::Memory], blocks)
}

fn memory_name(row: &MemoryRow) -> Text {
    // Several states of one algorithm differ by what they are.
    let which = match row.measure {
        MemoryMeasure::State => Some(&row.note),
        _ => row.variant.as_ref(),
    };
    let what = match which {
        Some(which) => phrases::ALGORITHM_VARIANT
            .with("algorithm", &row.algorithm)
            .with("variant", terms::term(which)),
        None => Text::from(&row.algorithm),
    };
    phrases::NAME_SOFTWARE
        .with("what", what)
        .with("subject", &row.subject)
}

/// Families of algorithms whose stack can be compared.
const FAMILIES: [&[&str]; 3] = [
    &["SM3", "SHA-256"],
    &["SM4", "AES-128"],
    &["SM2", "P-256", "RSA-2048", "RSA-3072"],
];

/// The stack by family, then all states, then all tables.
fn memory_panels(rows: &[MemoryRow]) -> Vec<Panel> {
    let mut panels: Vec<Panel> = FAMILIES
        .into_iter()
        .map(|family| {
            let present: Vec<&str> = family
                .iter()
                .copied()
                .filter(|algorithm| rows.iter().any(|row| row.algorithm == *algorithm))
                .collect();
            let title = phrases::STACK_OF.with("family", present.join(", "));
            panel(rows, title, |row| {
                row.measure == MemoryMeasure::StackHighWater
                    && family.contains(&row.algorithm.as_str())
            })
        })
        .collect();
    panels.extend(
        [MemoryMeasure::State, MemoryMeasure::Tables]
            .into_iter()
            .map(|measure| panel(rows, labels::measure(measure), |row| row.measure == measure)),
    );
    panels
}

fn panel(rows: &[MemoryRow], title: Text, belongs: impl Fn(&MemoryRow) -> bool) -> Panel {
    let mut own: Vec<&MemoryRow> = rows.iter().filter(|row| belongs(row)).collect();
    own.sort_by_key(|row| row.side);
    let bars = own
        .into_iter()
        .map(|row| Bar {
            name: memory_name(row),
            label: format!("{} B", format::whole(row.bytes)).into(),
            mark: None,
            value: row.bytes as f64,
            range: None,
            style: stage_style(&row.subject, row.side, Pattern::Solid),
        })
        .collect();
    Panel { title, bars }
}

/// SM with the like international row and the ratio, then the international rows that nothing stands beside.
fn memory_table(rows: &[MemoryRow]) -> Table {
    let like = |sm: &MemoryRow| {
        let wanted = counterpart(&sm.algorithm)?;
        let all = || {
            rows.iter()
                .filter(move |row| row.algorithm == wanted && row.measure == sm.measure)
        };
        all()
            .find(|row| row.variant == sm.variant)
            .or_else(|| all().min_by_key(|row| row.bytes))
    };
    let cells = rows
        .iter()
        .map(|row| {
            let other = (row.side == Side::Sm).then(|| like(row)).flatten();
            vec![
                Cell::new(memory_name(row)),
                Cell::new(labels::measure(row.measure)),
                Cell::new(format::whole(row.bytes)),
                other.map_or_else(Cell::absent, |other| {
                    Cell::new(format::whole(other.bytes)).with_detail(memory_name(other))
                }),
                size_ratio(Some(row.bytes), other.map(|other| other.bytes)),
                Cell::new(terms::term(&row.note)),
            ]
        })
        .collect();
    Table {
        caption: phrases::MEMORY_CAPTION,
        columns: vec![
            Column::words(phrases::ALGORITHM),
            Column::words(phrases::MEASURE),
            Column::numbers(phrases::BYTES),
            Column::of_side(phrases::INTERNATIONAL, Side::International),
            Column::numbers(phrases::RATIO),
            Column::words(phrases::REMARK),
        ],
        rows: cells,
        reach: Reach::Files,
    }
}
