//! SM2 against RSA and P-256.

use super::comparison::{Entry, Labels, table};
use super::contest::{Contest, Origin, Pick, contests};
use super::curves::{self, Styles};
use super::metric::Metric;
use super::ways;
use crate::report::document::{BarChart, Block, Panel, PanelScale, Reach, Section, Table};
use crate::report::text::phrases;
use crate::result::{Group, Report};

/// Operations a second of each operation, with the ratios.
pub(super) fn section(report: &Report) -> Option<Section> {
    let (others, all): (Vec<Contest<'_>>, Vec<Contest<'_>>) = contests(report, Group::PublicKey)
        .into_iter()
        .partition(|contest| ways::is_another(contest.operation));
    let mut blocks = Vec::new();
    if !all.is_empty() {
        blocks.push(Block::Paragraph(phrases::PUBLIC_KEY_INTRO));
        blocks.push(Block::Table(table(
            phrases::PUBLIC_KEY_CAPTION,
            &all,
            Labels::OperationAndLength,
            entries(),
            Metric::Operations,
        )));
        blocks.push(Block::Bars(BarChart {
            id: "public-key",
            title: phrases::PUBLIC_KEY_TITLE,
            description: phrases::PUBLIC_KEY_DESCRIPTION,
            scale: PanelScale::Own,
            panels: panels(&all, &others),
        }));
        blocks.extend(ways::blocks(report));
        let latency = table(
            phrases::PUBLIC_KEY_LATENCY_CAPTION,
            &all,
            Labels::OperationAndLength,
            entries(),
            Metric::Latency,
        );
        blocks.push(Block::Table(Table {
            reach: Reach::Folded,
            ..latency
        }));
    }
    super::section(
        report,
        "public-key",
        phrases::PUBLIC_KEY,
        &[Group::PublicKey],
        blocks,
    )
}

fn entries() -> Vec<Entry> {
    let ours = Pick::SM.from(Origin::Ours);
    let others = Pick::SM.from(Origin::Others);
    let mut all = vec![
        Entry::Value(phrases::OURS.with("name", "SM2"), ours),
        Entry::Value(phrases::OTHERS.with("name", "SM2"), others),
    ];
    for algorithm in ["P-256", "RSA-2048", "RSA-3072"] {
        let other = Pick::INTERNATIONAL.of(algorithm);
        all.push(Entry::Value(algorithm.into(), other));
        all.push(Entry::Ratio(
            phrases::SM2_AGAINST.with("name", algorithm),
            Pick::SM,
            other,
        ));
    }
    all
}

/// One panel for each operation and length, with the rows of `others` that are another way of doing it.
fn panels(all: &[Contest<'_>], others: &[Contest<'_>]) -> Vec<Panel> {
    let mut styles = Styles::default();
    all.iter()
        .map(|contest| {
            let same = |other: &&Contest<'_>| {
                ways::is_way_of(contest.operation, other.operation)
                    && contest.rows[0].item_bytes() == other.rows[0].item_bytes()
            };
            let others = others.iter().filter(same).flat_map(|other| &other.rows);
            let bars = curves::by_contender(contest.rows.iter().chain(others).copied())
                .into_iter()
                .filter_map(|rows| {
                    curves::bar(rows[0], Metric::Operations, styles.of_algorithm(rows[0]))
                })
                .collect();
            let title = match contest.bytes {
                Some(_) => phrases::PANEL_AT
                    .with("what", contest.operation_label())
                    .with("length", contest.length_label()),
                None => contest.operation_label(),
            };
            Panel { title, bars }
        })
        .collect()
}
