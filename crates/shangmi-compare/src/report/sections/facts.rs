//! What is not a matter of time: sizes, operation counts, memory, attacks.

use super::curves::stage_style;
use crate::report::document::{
    Bar, BarChart, Block, Cell, Column, Panel, PanelScale, Pattern, Reach, Section, Table,
};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{
    AttackRow, CountOrigin, CountPhase, CountRow, Group, MemoryMeasure, MemoryRow, Report, Side,
    SizeRow,
};

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

/// Keys, signatures, ciphertexts, digests.
pub(super) fn sizes(report: &Report) -> Option<Section> {
    let is_hash = |row: &&SizeRow| row.what == "digest";
    let keys: Vec<&SizeRow> = report.sizes.iter().filter(|row| !is_hash(row)).collect();
    let digests: Vec<&SizeRow> = report.sizes.iter().filter(is_hash).collect();
    let mut blocks = Vec::new();
    for (caption, rows) in [
        (phrases::SIZE_CAPTION, keys),
        (phrases::DIGEST_CAPTION, digests),
    ] {
        if !rows.is_empty() {
            blocks.push(Block::Table(size_table(caption, &rows)));
        }
    }
    if !blocks.is_empty() {
        blocks.insert(0, Block::Paragraph(phrases::SIZE_INTRO));
    }
    super::section(report, "sizes", phrases::SIZES, &[], blocks)
}

fn distinct<'a, T: PartialEq>(rows: &[&'a SizeRow], key: impl Fn(&'a SizeRow) -> T) -> Vec<T> {
    let mut all = Vec::new();
    for row in rows {
        let one = key(row);
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

/// One row for each thing and encoding, one column for each algorithm, and SM2 against each.
fn size_table(caption: Text, rows: &[&SizeRow]) -> Table {
    let mut algorithms = distinct(rows, |row| (row.side, row.algorithm.as_str()));
    algorithms.sort_by_key(|(side, _)| *side);
    let find = |(what, encoding): (&str, &str), algorithm: &str| {
        rows.iter()
            .find(|row| row.what == what && row.encoding == encoding && row.algorithm == algorithm)
    };
    let mut columns = vec![
        Column::words(phrases::THING),
        Column::words(phrases::ENCODING),
    ];
    for (side, algorithm) in &algorithms {
        columns.push(Column::of_side(*algorithm, *side));
        if *side == Side::International {
            columns.push(Column::numbers(phrases::SM_OVER.with("name", *algorithm)));
        }
    }
    let cells = distinct(rows, |row| (row.what.as_str(), row.encoding.as_str()))
        .into_iter()
        .map(|thing| {
            let mut line = vec![
                Cell::new(terms::term(thing.0)),
                Cell::new(terms::term(thing.1)),
            ];
            let sm = algorithms
                .iter()
                .find(|(side, _)| *side == Side::Sm)
                .and_then(|(_, algorithm)| find(thing, algorithm));
            for (side, algorithm) in &algorithms {
                let own = find(thing, algorithm);
                line.push(own.map_or_else(Cell::absent, |row| Cell::new(format::whole(row.bytes))));
                if *side == Side::International {
                    line.push(size_ratio(
                        sm.map(|row| row.bytes),
                        own.map(|row| row.bytes),
                    ));
                }
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

/// A plain number: fewer bytes are neither faster nor slower.
fn size_ratio(sm: Option<u64>, other: Option<u64>) -> Cell {
    match (sm, other) {
        (Some(sm), Some(other)) if other > 0 => {
            Cell::new(format!("{}×", format::times(sm as f64 / other as f64)))
        }
        _ => Cell::absent(),
    }
}

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
                Cell::new(terms::phase(row.phase)),
                Cell::new(terms::origin(row.origin)),
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
        let (sm, other) = (sum("SM3", origin)?, sum("SHA-256", origin)?);
        Some(vec![
            Cell::new(terms::origin(origin)),
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

/// Stack of one operation, state, tables.
pub(super) fn memory(report: &Report) -> Option<Section> {
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
    let what = match &row.variant {
        Some(variant) => phrases::ALGORITHM_VARIANT
            .with("algorithm", &row.algorithm)
            .with("variant", terms::term(variant)),
        None => Text::from(&row.algorithm),
    };
    phrases::NAME_SOFTWARE
        .with("what", what)
        .with("subject", &row.subject)
}

fn memory_panels(rows: &[MemoryRow]) -> Vec<Panel> {
    [
        MemoryMeasure::StackHighWater,
        MemoryMeasure::State,
        MemoryMeasure::Tables,
    ]
    .into_iter()
    .map(|measure| {
        let mut own: Vec<&MemoryRow> = rows.iter().filter(|row| row.measure == measure).collect();
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
        Panel {
            title: terms::measure(measure),
            bars,
        }
    })
    .collect()
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
                Cell::new(terms::measure(row.measure)),
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
