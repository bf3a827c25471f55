//! SM3 against SHA-256: lengths, files, stages, HMAC.

use super::contest::{
    Labels, Metric, OURS, Origin, Pick, REFERENCE, contests, symmetric_entries, table,
};
use super::curves::{self, Styles};
use crate::report::document::{
    BarChart, Block, Cell, Column, LineChart, Panel, PanelScale, Pattern, Point, Reach, Section,
    Series, Table,
};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Execution, Group, Report, Row, Side};

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
        for (caption, metric) in [
            (phrases::HMAC_LATENCY_CAPTION, Metric::Latency),
            (phrases::HMAC_OPERATIONS_CAPTION, Metric::Operations),
        ] {
            let entries = symmetric_entries("HMAC-SM3", "HMAC-SHA256");
            let labels = Labels::OperationAndLength;
            blocks.push(Block::Table(table(caption, &all, labels, entries, metric)));
        }
    }
    super::section(report, "hmac", phrases::HMAC, &[Group::Mac], blocks)
}

/// From the textbook to the library, and what that gains by length.
pub(super) fn stages(report: &Report) -> Option<Section> {
    let mut blocks = Vec::new();
    let panels = stage_panels(report);
    if !panels.is_empty() {
        blocks.push(Block::Paragraph(phrases::STAGE_INTRO));
        blocks.push(Block::Bars(BarChart {
            id: "hash-stages",
            title: phrases::STAGE_TITLE,
            description: phrases::STAGE_DESCRIPTION,
            scale: PanelScale::Shared,
            panels,
        }));
    }
    let gains: Vec<Gain> = [Side::Sm, Side::International]
        .into_iter()
        .filter_map(|side| Gain::of(report, side))
        .collect();
    if !gains.is_empty() {
        blocks.push(Block::Paragraph(phrases::GAIN_INTRO));
        blocks.push(Block::Lines(gain_chart(&gains)));
        blocks.push(Block::Table(gain_table(&gains)));
    }
    super::section(
        report,
        "stages",
        phrases::STAGES,
        &[Group::HashStage],
        blocks,
    )
}

/// One panel for each algorithm, at the greatest length that has the most stages.
fn stage_panels(report: &Report) -> Vec<Panel> {
    let rows = || {
        report
            .rows
            .iter()
            .filter(|row| row.group == Group::HashStage)
    };
    let mut algorithms: Vec<&str> = Vec::new();
    for row in rows() {
        if !algorithms.contains(&row.algorithm.as_str()) {
            algorithms.push(&row.algorithm);
        }
    }
    algorithms
        .into_iter()
        .filter_map(|algorithm| {
            let own = || rows().filter(move |row| row.algorithm == algorithm);
            let longest = own().filter_map(|row| row.bytes).max()?;
            let stages = own().filter(|row| row.bytes == Some(longest));
            let bars = stages
                .chain(library(report, algorithm, longest))
                .filter_map(|row| {
                    curves::bar(
                        row,
                        Metric::Megabytes,
                        curves::stage_style(&row.subject, row.side, curves::pattern(row)),
                    )
                })
                .collect();
            let title = phrases::PANEL_AT
                .with("what", algorithm)
                .with("length", format::bytes(longest));
            Some(Panel { title, bars })
        })
        .collect()
}

/// The libraries at the end of the stages, where the group does not hold them itself.
fn library<'a>(report: &'a Report, algorithm: &str, bytes: u64) -> Option<&'a Row> {
    let held = report.rows.iter().any(|row| {
        row.group == Group::HashStage && row.algorithm == algorithm && row.subject != REFERENCE
    });
    let all = contests(report, Group::Hash);
    let contest = all.iter().find(|contest| contest.bytes == Some(bytes))?;
    let rows: Vec<&Row> = contest
        .rows
        .iter()
        .copied()
        .filter(|row| row.algorithm == algorithm)
        .collect();
    let side = rows.first()?.side;
    let pick = Pick {
        side,
        origin: Origin::OursElseOthers,
        ..Pick::SM.on(Execution::Software)
    };
    if held { None } else { pick.choose(&rows) }
}

/// How much faster the optimised code of one algorithm is than the plain one, by length.
struct Gain<'a> {
    algorithm: &'a str,
    side: Side,
    points: Vec<(u64, &'a Row, &'a Row)>,
}

impl<'a> Gain<'a> {
    fn of(report: &'a Report, side: Side) -> Option<Self> {
        let rows = || {
            report.rows.iter().filter(move |row| {
                matches!(row.group, Group::Hash | Group::HashStage)
                    && row.side == side
                    && row.operation == "digest"
                    && row.execution == Execution::Software
            })
        };
        // The plain implementation is the first stage in the order of measurement.
        let first = rows().find(|row| row.subject == REFERENCE)?;
        let plain = rows().filter(|row| row.subject == REFERENCE && row.variant == first.variant);
        let mut points: Vec<(u64, &Row, &Row)> = plain
            .filter_map(|plain| {
                let library = |ours: bool| {
                    rows()
                        .filter(|row| row.subject != REFERENCE && row.bytes == plain.bytes)
                        .filter(|row| !ours || row.subject == OURS)
                        .min_by(|a, b| {
                            a.timing
                                .median_nanoseconds
                                .total_cmp(&b.timing.median_nanoseconds)
                        })
                };
                let optimised = library(true).or_else(|| library(false))?;
                Some((plain.bytes?, plain, optimised))
            })
            .collect();
        points.sort_by_key(|point| point.0);
        points.dedup_by_key(|point| point.0);
        (!points.is_empty()).then_some(Self {
            algorithm: &first.algorithm,
            side,
            points,
        })
    }

    fn at(&self, bytes: u64) -> Option<&(u64, &'a Row, &'a Row)> {
        self.points.iter().find(|point| point.0 == bytes)
    }
}

fn gain_chart(gains: &[Gain<'_>]) -> LineChart {
    let mut styles = Styles::default();
    let series = gains
        .iter()
        .map(|gain| Series {
            name: gain.algorithm.into(),
            style: styles.next(gain.side, Pattern::Solid),
            points: gain
                .points
                .iter()
                .map(|(bytes, plain, optimised)| Point {
                    bytes: *bytes,
                    value: plain.time_ratio(optimised),
                    range: None,
                })
                .collect(),
        })
        .collect();
    LineChart {
        id: "hash-gain",
        title: phrases::GAIN_TITLE,
        description: phrases::GAIN_DESCRIPTION,
        unit: phrases::TIMES_PLAIN,
        series,
    }
}

fn gain_table(gains: &[Gain<'_>]) -> Table {
    let mut lengths: Vec<u64> = gains
        .iter()
        .flat_map(|gain| gain.points.iter().map(|point| point.0))
        .collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut columns = vec![Column::numbers(phrases::LENGTH)];
    for gain in gains {
        for head in [phrases::PLAIN, phrases::OPTIMISED, phrases::GAIN] {
            columns.push(Column::of_side(
                head.with("name", gain.algorithm),
                gain.side,
            ));
        }
    }
    let rows = lengths
        .into_iter()
        .map(|bytes| {
            let mut row = vec![Cell::new(format::bytes(bytes))];
            row.extend(gains.iter().flat_map(|gain| gain_cells(gain, bytes)));
            row
        })
        .collect();
    Table {
        caption: phrases::GAIN_CAPTION,
        columns,
        rows,
        reach: Reach::Files,
    }
}

fn gain_cells(gain: &Gain<'_>, bytes: u64) -> [Cell; 3] {
    let Some((_, plain, optimised)) = gain.at(bytes) else {
        return [Cell::absent(), Cell::absent(), Cell::absent()];
    };
    let stage = plain
        .variant
        .as_deref()
        .map_or(Text::from(&plain.subject), terms::term);
    let value = |row: &Row| Metric::Megabytes.value(row).map(format::significant);
    let shown = |row: &Row| Cell::new(value(row).unwrap_or_else(|| format::ABSENT.to_owned()));
    let times = format!("{}×", format::times(plain.time_ratio(optimised)));
    [
        shown(plain).with_detail(stage),
        shown(optimised).with_detail(&optimised.subject),
        Cell::new(times),
    ]
}
