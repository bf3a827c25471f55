//! SM3 against SHA-256: lengths, files, HMAC.

use super::contest::{Labels, Metric, contests, symmetric_entries, table};
use super::curves;
use crate::report::document::{Block, LineChart, Reach, Section, Table};
use crate::report::text::phrases;
use crate::result::{Group, Report};

/// By message length.
pub(super) fn lengths(report: &Report) -> Option<Section> {
    let all = contests(report, Group::Hash);
    let mut blocks = Vec::new();
    if !all.is_empty() {
        let rows = || all.iter().flat_map(|contest| contest.rows.iter().copied());
        blocks.push(Block::Paragraph(phrases::HASH_INTRO));
        blocks.push(Block::Lines(LineChart {
            id: "hash-speed",
            title: phrases::HASH_SPEED_TITLE,
            description: phrases::HASH_SPEED_DESCRIPTION,
            unit: Metric::Megabytes.unit(),
            series: curves::series(rows(), Metric::Megabytes),
        }));
        let caption = phrases::HASH_TABLE_CAPTION;
        let entries = symmetric_entries("SM3", "SHA-256");
        blocks.push(Block::Table(table(
            caption,
            &all,
            Labels::Length,
            entries,
            Metric::Megabytes,
        )));
        let cycles = curves::series(rows(), Metric::CyclesPerByte);
        if cycles.is_empty() {
            blocks.push(Block::Paragraph(phrases::NO_CYCLES));
        } else {
            blocks.push(Block::Lines(LineChart {
                id: "hash-cycles",
                title: phrases::HASH_CYCLES_TITLE,
                description: phrases::HASH_CYCLES_DESCRIPTION,
                unit: Metric::CyclesPerByte.unit(),
                series: cycles,
            }));
            let caption = phrases::HASH_CYCLES_CAPTION;
            let entries = symmetric_entries("SM3", "SHA-256");
            let cycles = table(
                caption,
                &all,
                Labels::Length,
                entries,
                Metric::CyclesPerByte,
            );
            blocks.push(Block::Table(Table {
                reach: Reach::Folded,
                ..cycles
            }));
        }
    }
    super::section(report, "hash", phrases::HASH, &[Group::Hash], blocks)
}

/// Over files.
pub(super) fn files(report: &Report) -> Option<Section> {
    let all = contests(report, Group::HashFile);
    let mut blocks = Vec::new();
    if !all.is_empty() {
        blocks.push(Block::Paragraph(phrases::FILE_INTRO));
        let entries = symmetric_entries("SM3", "SHA-256");
        let caption = phrases::FILE_CAPTION;
        let labels = Labels::OperationAndLength;
        blocks.push(Block::Table(table(
            caption,
            &all,
            labels,
            entries,
            Metric::Megabytes,
        )));
    }
    super::section(report, "file", phrases::FILES, &[Group::HashFile], blocks)
}

/// HMAC over short messages.
pub(super) fn hmac(report: &Report) -> Option<Section> {
    let all = contests(report, Group::Mac);
    let mut blocks = Vec::new();
    if !all.is_empty() {
        blocks.push(Block::Paragraph(phrases::HMAC_INTRO));
        let labels = Labels::OperationAndLength;
        let entries = symmetric_entries("SM3", "SHA-256");
        let caption = phrases::HMAC_LATENCY_CAPTION;
        blocks.push(Block::Table(table(
            caption,
            &all,
            labels,
            entries,
            Metric::Latency,
        )));
        let entries = symmetric_entries("SM3", "SHA-256");
        let caption = phrases::HMAC_OPERATIONS_CAPTION;
        let rates = table(caption, &all, labels, entries, Metric::Operations);
        blocks.push(Block::Table(Table {
            reach: Reach::Files,
            ..rates
        }));
    }
    super::section(report, "hmac", phrases::HMAC, &[Group::Mac], blocks)
}
