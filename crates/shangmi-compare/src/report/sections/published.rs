//! What others published, for other machines, beside what this run found.

use super::curves::Styles;
use crate::report::document::{
    Block, Cell, Column, LineChart, Pattern, Point, Reach, Section, Series, Table,
};
use crate::report::format;
use crate::report::text::{phrases, terms};
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

/// Curves of the hash ratios by length: each origin's claim, and ours.
fn ratio_chart(all: &[PublishedRow]) -> LineChart {
    let ratios: Vec<&PublishedRow> = all
        .iter()
        .filter(|row| {
            row.group == Group::Hash && row.bytes.is_some() && row.claimed.parse::<f64>().is_ok()
        })
        .collect();
    let mut styles = Styles::default();
    let mut series: Vec<Series> = Vec::new();
    let mut measured: Vec<Point> = ratios
        .iter()
        .filter_map(|row| {
            Some(Point {
                bytes: row.bytes?,
                value: row.measured?,
                range: None,
            })
        })
        .collect();
    measured.sort_by_key(|point| point.bytes);
    measured.dedup_by_key(|point| point.bytes);
    if !measured.is_empty() {
        let style = styles.next(Side::Sm, Pattern::Solid);
        series.push(Series {
            name: phrases::THIS_RUN,
            style,
            points: measured,
        });
    }
    let mut origins: Vec<&str> = Vec::new();
    for row in &ratios {
        if !origins.contains(&row.origin.as_str()) {
            origins.push(&row.origin);
        }
    }
    for origin in origins {
        let mut points: Vec<Point> = ratios
            .iter()
            .filter(|row| row.origin == origin)
            .filter_map(|row| {
                Some(Point {
                    bytes: row.bytes?,
                    value: row.claimed.parse().ok()?,
                    range: None,
                })
            })
            .collect();
        points.sort_by_key(|point| point.bytes);
        let name = phrases::CLAIMED_BY.with("origin", terms::term(origin));
        let style = styles.next(Side::International, Pattern::Broken);
        series.push(Series {
            name,
            style,
            points,
        });
    }
    LineChart {
        id: "published-ratios",
        title: phrases::PUBLISHED_CHART_TITLE,
        description: phrases::PUBLISHED_CHART_DESCRIPTION,
        unit: phrases::RUN_TIME_RATIO,
        series,
    }
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
