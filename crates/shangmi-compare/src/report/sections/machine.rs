//! Where it ran, with which libraries, and what was left out.

use crate::report::document::{Block, Cell, Column, Reach, Section, Table};
use crate::report::format;
use crate::report::text::{Text, labels, phrases, terms};
use crate::result::{Library, LibraryStatus, Machine, Report, Row};

/// Machine, libraries, code paths, refused subjects.
pub(super) fn section(report: &Report) -> Option<Section> {
    let mut blocks = vec![Block::Facts(facts(&report.machine))];
    if !report.libraries.is_empty() {
        blocks.push(Block::Table(libraries(&report.libraries)));
    }
    if !report.rows.is_empty() {
        blocks.push(Block::Table(code_paths(&report.rows)));
    }
    if report.refused.is_empty() {
        blocks.push(Block::Paragraph(phrases::NONE_REFUSED));
    } else {
        blocks.push(Block::Warning(phrases::SOME_REFUSED));
        blocks.push(Block::Table(refused(report)));
    }
    super::section(report, "machine", phrases::MACHINE, &[], blocks)
}

fn facts(machine: &Machine) -> Vec<(Text, Text)> {
    let mut all: Vec<(Text, Text)> = vec![
        (phrases::CPU, machine.cpu_model.as_str().into()),
        (phrases::ARCHITECTURE, machine.architecture.as_str().into()),
        (phrases::CORES, machine.cores.to_string().into()),
    ];
    if let Some(memory) = machine.memory_bytes {
        all.push((phrases::MEMORY_OF_MACHINE, format::memory(memory).into()));
    }
    all.push((
        phrases::SYSTEM,
        format!("{} · {}", machine.os, machine.kernel).into(),
    ));
    let virtualised = if machine.virtualised {
        phrases::YES
    } else {
        phrases::NO
    };
    all.push((phrases::VIRTUALISED, virtualised));
    all.push((
        phrases::CPU_FEATURES,
        machine.cpu_features.join(", ").into(),
    ));
    if let Some(governor) = &machine.governor {
        all.push((phrases::GOVERNOR, governor.into()));
    }
    all.push((
        phrases::COMPILER,
        format!("{} · {}", machine.rustc, machine.build).into(),
    ));
    all.push((phrases::CLOCK, clock(machine)));
    all.retain(|(_, value)| !is_blank(value));
    all
}

fn is_blank(value: &Text) -> bool {
    value.is_same()
        && value
            .get(crate::report::Language::English)
            .trim_matches([' ', '·'])
            .is_empty()
}

fn clock(machine: &Machine) -> Text {
    match (machine.core_hertz, &machine.cycle_method) {
        (Some(hertz), Some(method)) => phrases::CLOCK_MEASURED
            .with("gigahertz", format::significant(hertz / 1e9))
            .with("method", terms::term(method)),
        _ => phrases::CLOCK_UNKNOWN,
    }
}

fn libraries(all: &[Library]) -> Table {
    let rows = all
        .iter()
        .map(|library| {
            let status = match &library.status {
                LibraryStatus::Used => Cell::new(phrases::USED),
                LibraryStatus::Absent { hint } => {
                    Cell::new(phrases::ABSENT).with_detail(terms::hint(hint))
                }
            };
            vec![
                Cell::new(&library.name),
                Cell::new(&library.version),
                status,
                Cell::new(terms::term(&library.note)),
            ]
        })
        .collect();
    Table {
        caption: phrases::LIBRARIES_CAPTION,
        columns: vec![
            Column::words(phrases::LIBRARY),
            Column::words(phrases::VERSION),
            Column::words(phrases::STATUS),
            Column::words(phrases::REMARK),
        ],
        rows,
        reach: Reach::Everywhere,
    }
}

/// Which code really ran, each combination once, in the order of measurement.
fn code_paths(rows: &[Row]) -> Table {
    let mut seen: Vec<&Row> = Vec::new();
    for row in rows {
        let known = seen.iter().any(|other| {
            other.algorithm == row.algorithm
                && other.subject == row.subject
                && other.backend == row.backend
                && other.execution == row.execution
                && other.constant_time == row.constant_time
        });
        if !known {
            seen.push(row);
        }
    }
    seen.sort_by_key(|row| (row.group, row.side));
    let cells = seen
        .into_iter()
        .map(|row| {
            vec![
                Cell::new(&row.algorithm),
                Cell::new(&row.subject),
                Cell::new(terms::term(&row.backend)),
                Cell::new(labels::execution(row.execution)),
                Cell::new(labels::constant_time(row.constant_time)),
                Cell::new(row.security_bits.to_string()),
            ]
        })
        .collect();
    Table {
        caption: phrases::CODE_PATHS_CAPTION,
        columns: vec![
            Column::words(phrases::ALGORITHM),
            Column::words(phrases::LIBRARY),
            Column::words(phrases::BACKEND),
            Column::words(phrases::EXECUTION),
            Column::words(phrases::CONSTANT_TIME),
            Column::numbers(phrases::STRENGTH),
        ],
        rows: cells,
        reach: Reach::Folded,
    }
}

fn refused(report: &Report) -> Table {
    let rows = report
        .refused
        .iter()
        .map(|one| {
            vec![
                Cell::new(&one.subject),
                Cell::new(labels::group(one.group)),
                Cell::new(&one.operation),
                Cell::new(&one.reason),
            ]
        })
        .collect();
    Table {
        caption: phrases::REFUSED_CAPTION,
        columns: vec![
            Column::words(phrases::LIBRARY),
            Column::words(phrases::PART),
            Column::words(phrases::OPERATION),
            Column::words(phrases::REASON),
        ],
        rows,
        reach: Reach::Everywhere,
    }
}
