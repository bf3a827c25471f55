//! SM3 and SHA-256 over many independent messages.

use super::comparison::{Entry, Labels, table};
use super::contest::{Contest, Origin, Pick, contests};
use super::curves;
use super::metric::Metric;
use crate::report::document::{Block, LineChart, Reach, Section, Table};
use crate::report::format;
use crate::report::text::phrases;
use crate::result::{Execution, Group, Report};

/// The variant of rows that take many messages at once.
pub(super) const MANY_LANES: &str = "many lanes";
const ONE_STREAM: &str = "one stream";

/// By message length.
pub(super) fn section(report: &Report) -> Option<Section> {
    let all = contests(report, Group::HashMany);
    let mut blocks = Vec::new();
    if !all.is_empty() {
        let count = all[0].items.unwrap_or(1);
        blocks.push(Block::Paragraph(
            phrases::MANY_INTRO.with("count", format::whole(count)),
        ));
        let rows = all.iter().flat_map(|contest| contest.rows.iter().copied());
        blocks.push(Block::Lines(LineChart {
            id: "many-speed",
            title: phrases::MANY_TITLE,
            description: phrases::MANY_DESCRIPTION,
            unit: Metric::Megabytes.unit(),
            series: curves::series(rows, Metric::Megabytes),
        }));
        blocks.push(Block::Table(speeds(&all, Metric::Megabytes)));
        let messages = speeds(&all, Metric::Messages);
        blocks.push(Block::Table(Table {
            caption: phrases::MANY_MESSAGES_CAPTION,
            reach: Reach::Folded,
            ..messages
        }));
    }
    super::section(report, "many", phrases::MANY, &[Group::HashMany], blocks)
}

fn speeds(all: &[Contest<'_>], metric: Metric) -> Table {
    use Execution::{Hardware, Software};
    let lanes = Pick::SM.from(Origin::Ours).by(MANY_LANES);
    let stream = Pick::SM.by(ONE_STREAM);
    let sha = |execution| Pick::INTERNATIONAL.on(execution);
    let named = |phrase: crate::report::text::Text| phrase.with("name", "SHA-256");
    let entries = vec![
        Entry::Value(phrases::MANY_LANES_OURS, lanes),
        Entry::Value(phrases::ONE_STREAM_OURS, stream.from(Origin::Ours)),
        Entry::Value(phrases::ONE_STREAM_OTHERS, stream.from(Origin::Others)),
        Entry::Value(named(phrases::IN_SOFTWARE), sha(Software)),
        Entry::Value(named(phrases::IN_HARDWARE), sha(Hardware)),
        Entry::Ratio(phrases::LANES_AGAINST_SOFTWARE, lanes, sha(Software)),
        Entry::Ratio(phrases::LANES_AGAINST_HARDWARE, lanes, sha(Hardware)),
    ];
    table(phrases::MANY_CAPTION, all, Labels::Length, entries, metric)
}
