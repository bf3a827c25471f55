//! SM4 against AES-128: the stages of SM4, then the modes.

use super::comparison::{Labels, ratio_cell, symmetric_entries, table};
use super::contest::{Contest, Origin, Pick, contests};
use super::curves::{self, Styles};
use super::metric::{Metric, value_cell};
use crate::report::document::{
    Bar, BarChart, Block, Cell, Column, LineChart, Panel, PanelScale, Reach, Section, Table,
};
use crate::report::format;
use crate::report::text::{labels, phrases, terms};
use crate::result::{Group, Report, Row};

/// Byte-wise, T-tables, unrolled, each of ours, another library's; AES-128.
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

/// One panel, SM4 in the order of its stages; AES-128 after it.
fn stage_panels(rows: &[&Row]) -> Vec<Panel> {
    let Some(longest) = rows.iter().filter_map(|row| row.bytes).max() else {
        return Vec::new();
    };
    let mut longest_rows: Vec<&Row> = rows
        .iter()
        .copied()
        .filter(|row| row.bytes == Some(longest))
        .collect();
    longest_rows.sort_by_key(|row| row.side);
    let bars = longest_rows
        .into_iter()
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
        .with("what", terms::term(&rows[0].operation))
        .with("length", format::bytes(longest));
    vec![Panel { title, bars }]
}

/// A row for each stage, a column for each length, and how our code compares at the greatest.
fn stage_table(rows: &[&Row]) -> Table {
    let mut lengths: Vec<u64> = rows.iter().filter_map(|row| row.bytes).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let at = |rows: &[&'_ Row], bytes: u64| rows.iter().position(|row| row.bytes == Some(bytes));
    let longest = lengths.last().copied().unwrap_or(0);
    let last: Vec<&Row> = rows
        .iter()
        .copied()
        .filter(|row| row.bytes == Some(longest))
        .collect();
    let ours = Pick::SM.from(Origin::Ours).choose(&last);
    let mut columns = vec![
        Column::words(phrases::STAGE),
        Column::words(phrases::CONSTANT_TIME),
    ];
    columns.extend(
        lengths
            .iter()
            .map(|length| Column::numbers(format::bytes(*length))),
    );
    columns.push(Column::numbers(
        phrases::OURS_AGAINST_IT.with("length", format::bytes(longest)),
    ));
    let mut stages = curves::contenders(rows.iter().copied());
    stages.sort_by_key(|stage| stage[0].side);
    let cells = stages
        .into_iter()
        .map(|stage| {
            let mut line = vec![
                Cell::new(curves::name(stage[0])),
                Cell::new(labels::constant_time(stage[0].constant_time)),
            ];
            line.extend(lengths.iter().map(|length| {
                value_cell(at(&stage, *length).map(|i| stage[i]), Metric::Megabytes)
            }));
            let other = at(&stage, longest).map(|i| stage[i]);
            line.push(match other {
                Some(other) if ours.is_some_and(|ours| std::ptr::eq(ours, other)) => Cell::absent(),
                _ => ratio_cell(ours, other),
            });
            line
        })
        .collect();
    Table {
        caption: phrases::CIPHER_STAGE_CAPTION,
        columns,
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
