//! SM4 against AES-128: the stages of SM4, then the modes.

use super::contest::{Contest, Labels, Metric, contests, symmetric_entries, table};
use super::curves::{self, Styles};
use crate::report::document::{
    Bar, BarChart, Block, Cell, Column, LineChart, Panel, PanelScale, Reach, Section, Table,
};
use crate::report::format;
use crate::report::text::{phrases, terms};
use crate::result::{Group, Report, Row};

/// Byte-wise, T-tables, unrolled, ours.
pub(super) fn stages(report: &Report) -> Option<Section> {
    let rows: Vec<&Row> = report
        .rows
        .iter()
        .filter(|row| row.group == Group::CipherStage)
        .collect();
    let mut blocks = Vec::new();
    if !rows.is_empty() {
        blocks.push(Block::Paragraph(phrases::CIPHER_STAGE_INTRO));
        blocks.push(Block::Bars(BarChart {
            id: "cipher-stages",
            title: phrases::CIPHER_STAGE_TITLE,
            description: phrases::CIPHER_STAGE_DESCRIPTION,
            scale: PanelScale::Own,
            panels: stage_panels(&rows),
        }));
        blocks.push(Block::Table(stage_table(&rows)));
    }
    super::section(
        report,
        "sm4-stages",
        phrases::CIPHER_STAGES,
        &[Group::CipherStage],
        blocks,
    )
}

/// One panel for each operation, at its greatest length.
fn stage_panels(rows: &[&Row]) -> Vec<Panel> {
    let mut operations: Vec<&str> = Vec::new();
    for row in rows {
        if !operations.contains(&row.operation.as_str()) {
            operations.push(&row.operation);
        }
    }
    operations
        .into_iter()
        .filter_map(|operation| {
            let own = || rows.iter().filter(move |row| row.operation == operation);
            let longest = own().filter_map(|row| row.bytes).max()?;
            let bars = own()
                .filter(|row| row.bytes == Some(longest))
                .filter_map(|row| {
                    let style = curves::stage_style(&row.subject, row.side, curves::pattern(row));
                    let mark = row.constant_time.map(|constant| match constant {
                        true => phrases::MARK_CONSTANT_TIME,
                        false => phrases::MARK_LEAKS,
                    });
                    Some(Bar {
                        mark,
                        ..curves::bar(row, Metric::Megabytes, style)?
                    })
                })
                .collect();
            let title = phrases::PANEL_AT
                .with("what", terms::term(operation))
                .with("length", format::bytes(longest));
            Some(Panel { title, bars })
        })
        .collect()
}

fn stage_table(rows: &[&Row]) -> Table {
    // What each stage brings is seen against the slowest one of the same operation and length.
    let slowest = |row: &Row| {
        rows.iter()
            .filter(|other| other.is_alike(row) && other.algorithm == row.algorithm)
            .map(|other| other.timing.median_nanoseconds)
            .fold(0.0, f64::max)
    };
    let cells = rows
        .iter()
        .map(|row| {
            vec![
                Cell::new(curves::name(row)),
                Cell::new(terms::term(&row.operation)),
                Cell::new(
                    row.bytes
                        .map_or_else(|| format::ABSENT.to_owned(), format::bytes),
                ),
                super::contest::value_cell(Some(row), Metric::Megabytes),
                Cell::new(format!(
                    "{}×",
                    format::times(slowest(row) / row.timing.median_nanoseconds)
                )),
                Cell::new(terms::constant_time(row.constant_time)),
            ]
        })
        .collect();
    Table {
        caption: phrases::CIPHER_STAGE_CAPTION,
        columns: vec![
            Column::words(phrases::STAGE),
            Column::words(phrases::OPERATION),
            Column::numbers(phrases::LENGTH),
            Column::numbers("MB/s"),
            Column::numbers(phrases::AGAINST_SLOWEST),
            Column::words(phrases::CONSTANT_TIME),
        ],
        rows: cells,
        reach: Reach::Everywhere,
    }
}

/// ECB, CBC, CTR, GCM, ...
pub(super) fn modes(report: &Report) -> Option<Section> {
    let all = contests(report, Group::CipherMode);
    let mut blocks = Vec::new();
    if !all.is_empty() {
        blocks.push(Block::Paragraph(phrases::MODE_INTRO));
        blocks.push(Block::Bars(BarChart {
            id: "modes",
            title: phrases::MODE_TITLE,
            description: phrases::MODE_DESCRIPTION,
            scale: PanelScale::Own,
            panels: mode_panels(&all),
        }));
        let gcm = all
            .iter()
            .filter(|contest| contest.operation == "gcm-encrypt");
        blocks.push(Block::Lines(LineChart {
            id: "gcm-speed",
            title: phrases::GCM_TITLE,
            description: phrases::GCM_DESCRIPTION,
            unit: Metric::Megabytes.unit(),
            series: curves::series(
                gcm.flat_map(|contest| contest.rows.iter().copied()),
                Metric::Megabytes,
            ),
        }));
        let entries = symmetric_entries("SM4", "AES-128");
        let labels = Labels::OperationAndLength;
        let caption = phrases::MODE_CAPTION;
        blocks.push(Block::Table(table(
            caption,
            &all,
            labels,
            entries,
            Metric::Megabytes,
        )));
    }
    super::section(
        report,
        "modes",
        phrases::MODES,
        &[Group::CipherMode],
        blocks,
    )
}

/// One panel for each mode, at its greatest length.
fn mode_panels(all: &[Contest<'_>]) -> Vec<Panel> {
    let mut styles = Styles::default();
    let longest = |contest: &&Contest<'_>| {
        !all.iter().any(|other| {
            other.operation == contest.operation
                && other.threads == contest.threads
                && other.bytes > contest.bytes
        })
    };
    all.iter()
        .filter(longest)
        .map(|contest| {
            let bars = curves::by_contender(contest.rows.iter().copied())
                .into_iter()
                .filter_map(|rows| curves::bar(rows[0], Metric::Megabytes, styles.of(rows[0])))
                .collect();
            let title = phrases::PANEL_AT
                .with("what", contest.operation_label())
                .with("length", contest.length_label());
            Panel { title, bars }
        })
        .collect()
}
