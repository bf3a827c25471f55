//! SM3 against SHA-256: lengths, files, HMAC.

use super::comparison::{Labels, symmetric_entries, table};
use super::contest::{Contest, contests};
use super::curves;
use super::metric::Metric;
use crate::report::document::{Block, LineChart, Reach, Section, Table};
use crate::report::text::{Text, phrases};
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

/// HMAC over short messages, CMAC over longer ones as well.
pub(super) fn macs(report: &Report) -> Option<Section> {
    let (cmac, hmac): (Vec<Contest<'_>>, Vec<Contest<'_>>) = contests(report, Group::Mac)
        .into_iter()
        .partition(|contest| contest.operation.starts_with("cmac"));
    let mut blocks = Vec::new();
    if !hmac.is_empty() {
        blocks.push(Block::Paragraph(phrases::HMAC_INTRO));
        let captions = [
            phrases::HMAC_LATENCY_CAPTION,
            phrases::HMAC_OPERATIONS_CAPTION,
        ];
        blocks.extend(mac_tables(&hmac, ["SM3", "SHA-256"], captions));
    }
    if !cmac.is_empty() {
        blocks.push(Block::Paragraph(phrases::CMAC_INTRO));
        let captions = [
            phrases::CMAC_LATENCY_CAPTION,
            phrases::CMAC_OPERATIONS_CAPTION,
        ];
        blocks.extend(mac_tables(&cmac, ["SM4", "AES-128"], captions));
    }
    super::section(report, "hmac", phrases::MACS, &[Group::Mac], blocks)
}

/// Times on the terminal as well; messages a second in the files.
fn mac_tables(all: &[Contest<'_>], names: [&str; 2], captions: [Text; 2]) -> [Block; 2] {
    let labels = Labels::OperationAndLength;
    let entries = || symmetric_entries(names[0], names[1]);
    let [latency, rate] = captions;
    let rates = table(rate, all, labels, entries(), Metric::Messages);
    [
        Block::Table(table(latency, all, labels, entries(), Metric::Latency)),
        Block::Table(Table {
            reach: Reach::Files,
            ..rates
        }),
    ]
}
