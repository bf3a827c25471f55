//! What others published, for other machines, beside what this run found.

use super::curves::Styles;
use crate::report::document::{
    Block, Cell, Column, LineChart, Pattern, Point, Reach, Section, Series, Style, Table,
};
use crate::report::format;
use crate::report::text::{Text, phrases, terms};
use crate::result::{Group, PublishedRow, Report, Side};

/// Claims, each with the like figure of this run.
pub(super) fn section(report: &Report) -> Option<Section> {
    let mut blocks = Vec::new();
    if !report.published.is_empty() {
        blocks.push(Block::Warning(phrases::PUBLISHED_INTRO));
        blocks.push(Block::Lines(ratio_chart(&report.published)));
        blocks.push(Block::Table(table(&report.published)));
    }
    super::section(report, "published", phrases::PUBLISHED, &[], blocks)
}

/// Curves of the hash ratios by length: what this run found, then what others claim.
fn ratio_chart(all: &[PublishedRow]) -> LineChart {
    let ratios: Vec<&PublishedRow> = all
        .iter()
        .filter(|row| row.group == Group::Hash && row.claimed.parse::<f64>().is_ok())
        .collect();
    let mut styles = Styles::default();
    let mut series = curves(
        &ratios,
        |row| &row.measured_as,
        |row| row.measured,
        |as_what| {
            let name = phrases::MEASURED_HERE.with("what", terms::term(as_what));
            (name, styles.next(Side::Sm, Pattern::Solid))
        },
    );
    series.extend(curves(
        &ratios,
        |row| &row.origin,
        |row| row.claimed.parse().ok(),
        |origin| {
            let name = phrases::CLAIMED_BY.with("origin", terms::term(origin));
            (name, styles.next(Side::International, Pattern::Broken))
        },
    ));
    LineChart {
        id: "published-ratios",
        title: phrases::PUBLISHED_CHART_TITLE,
        description: phrases::PUBLISHED_CHART_DESCRIPTION,
        unit: phrases::RUN_TIME_RATIO,
        series,
    }
}

/// A curve for each `key` among `rows` that has a value.
fn curves(
    rows: &[&PublishedRow],
    key: impl Fn(&PublishedRow) -> &String,
    value: impl Fn(&PublishedRow) -> Option<f64>,
    mut look: impl FnMut(&str) -> (Text, Style),
) -> Vec<Series> {
    let mut all: Vec<(&String, Vec<Point>)> = Vec::new();
    for row in rows {
        let (Some(bytes), Some(value)) = (row.bytes, value(row)) else {
            continue;
        };
        let point = Point {
            bytes,
            value,
            range: None,
        };
        match all.iter_mut().find(|(known, _)| *known == key(row)) {
            Some((_, points)) => points.push(point),
            None => all.push((key(row), vec![point])),
        }
    }
    all.into_iter()
        .map(|(key, mut points)| {
            points.sort_by_key(|point| point.bytes);
            let (name, style) = look(key);
            Series {
                name,
                style,
                points,
            }
        })
        .collect()
}

fn table(all: &[PublishedRow]) -> Table {
    let rows = all
        .iter()
        .map(|row| {
            let length = row
                .bytes
                .map_or_else(|| format::ABSENT.to_owned(), format::bytes);
            let measured = row.measured.map_or_else(Cell::absent, |value| {
                Cell::new(format::significant(value)).with_detail(terms::term(&row.measured_as))
            });
            vec![
                Cell::new(terms::term(&row.claim)).with_detail(terms::term(&row.origin)),
                Cell::new(length),
                Cell::new(terms::term(&row.claimed)),
                measured,
                Cell::new(terms::term(&row.unit)),
            ]
        })
        .collect();
    Table {
        caption: phrases::PUBLISHED_CAPTION,
        columns: vec![
            Column::words(phrases::CLAIM),
            Column::numbers(phrases::LENGTH),
            Column::numbers(phrases::PUBLISHED_ELSEWHERE),
            Column::numbers(phrases::THIS_RUN),
            Column::words(phrases::UNIT),
        ],
        rows,
        reach: Reach::Files,
    }
}
