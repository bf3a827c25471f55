//! The hashes from the textbook to the library, and what that gains by length.

use super::contest::{Metric, Origin, Pick, REFERENCE};
use super::curves::{self, Styles};
use crate::report::document::{
    BarChart, Block, Cell, Column, LineChart, Panel, PanelScale, Pattern, Point, Reach, Section,
    Series, Table,
};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Execution, Group, Report, Row, Side};

/// Bars of the stages, then the gain of the optimised over the plain code.
pub(super) fn section(report: &Report) -> Option<Section> {
    let mut blocks = Vec::new();
    let sides = [Side::Sm, Side::International];
    let panels: Vec<Panel> = sides
        .into_iter()
        .filter_map(|side| panel(report, side))
        .collect();
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
    let gains: Vec<Gain<'_>> = sides
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

/// Software only: special instructions are no stage of a program.
fn rows(report: &Report, side: Side) -> impl Iterator<Item = &Row> {
    report.rows.iter().filter(move |row| {
        row.group == Group::HashStage && row.side == side && row.execution == Execution::Software
    })
}

/// The stages of one hash at the greatest length.
fn panel(report: &Report, side: Side) -> Option<Panel> {
    let longest = rows(report, side).filter_map(|row| row.bytes).max()?;
    let own = rows(report, side).filter(|row| row.bytes == Some(longest));
    let algorithm = &rows(report, side).next()?.algorithm;
    let bars = own
        .filter_map(|row| {
            let style = curves::stage_style(&row.subject, row.side, Pattern::Solid);
            curves::bar(row, Metric::Megabytes, style)
        })
        .collect();
    let title = phrases::PANEL_AT
        .with("what", algorithm)
        .with("length", format::bytes(longest));
    Some(Panel { title, bars })
}

/// How much faster the optimised code of one algorithm is than the plain one, by length.
struct Gain<'a> {
    algorithm: &'a str,
    side: Side,
    points: Vec<(u64, &'a Row, &'a Row)>,
}

impl<'a> Gain<'a> {
    fn of(report: &'a Report, side: Side) -> Option<Self> {
        // The plain implementation is the first stage in the order of measurement.
        let first = rows(report, side).find(|row| row.subject == REFERENCE)?;
        let pick = Pick {
            side,
            origin: Origin::OursElseOthers,
            ..Pick::SM
        };
        let mut points: Vec<(u64, &Row, &Row)> = rows(report, side)
            .filter(|row| row.subject == REFERENCE && row.variant == first.variant)
            .filter_map(|plain| {
                let libraries: Vec<&Row> = rows(report, side)
                    .filter(|row| row.subject != REFERENCE && row.bytes == plain.bytes)
                    .collect();
                Some((plain.bytes?, plain, pick.choose(&libraries)?))
            })
            .collect();
        points.sort_by_key(|point| point.0);
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
