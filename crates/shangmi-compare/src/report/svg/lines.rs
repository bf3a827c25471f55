//! Curves over message length.

use std::fmt::Write as _;

use super::scale::Scale;
use super::{Picture, Size, class, number, shortened};
use crate::report::document::{LineChart, Pattern, Point, Series};
use crate::report::format;
use crate::report::text::{Text, phrases};

/// Least distance between two lines of text.
const LINE: f64 = 16.0;

/// The frame of the plot inside the picture.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    height: f64,
}

impl Frame {
    fn of(size: Size) -> Self {
        match size {
            Size::Wide => Self {
                left: 62.0,
                right: 806.0,
                top: 30.0,
                bottom: 372.0,
                height: 420.0,
            },
            Size::Narrow => Self {
                left: 46.0,
                right: 342.0,
                top: 28.0,
                bottom: 246.0,
                height: 290.0,
            },
        }
    }
}

/// Draws `chart`; empty when no curve has a point.
pub(crate) fn lines(chart: &LineChart, size: Size) -> String {
    let frame = Frame::of(size);
    let points = || chart.series.iter().flat_map(drawable);
    let (Some(least), Some(greatest)) = (
        points().map(|p| p.bytes).min(),
        points().map(|p| p.bytes).max(),
    ) else {
        return String::new();
    };
    let x = Scale::of_lengths(least, greatest, frame.left + 8.0, frame.right - 8.0);
    let y = Scale::of_values(points().map(|p| p.value), frame.bottom, frame.top);
    let mut picture = Picture::new(
        chart.id,
        size,
        frame.height,
        &chart.title,
        &chart.description,
    );
    value_axis(&mut picture, &frame, &y, &chart.unit);
    length_axis(
        &mut picture,
        &frame,
        &x,
        points().map(|p| p.bytes).collect(),
    );
    for series in &chart.series {
        curve(&mut picture, series, &x, &y, &chart.unit);
    }
    if size == Size::Wide {
        end_labels(&mut picture, &frame, chart, &y);
    }
    picture.finish()
}

/// Only finite values above zero have a place on a logarithmic axis.
fn drawable(series: &Series) -> impl Iterator<Item = &Point> + Clone {
    series
        .points
        .iter()
        .filter(|point| point.value.is_finite() && point.value > 0.0)
}

fn value_axis(picture: &mut Picture, frame: &Frame, y: &Scale, unit: &Text) {
    for tick in y.ticks() {
        let place = y.place(tick);
        picture.line("grid", (frame.left, place), (frame.right, place));
        picture.text(
            frame.left - 7.0,
            place + 4.0,
            "tick end",
            &tick_label(tick).into(),
        );
    }
    let label = if y.is_logarithmic() {
        phrases::LOGARITHMIC.with("unit", unit.clone())
    } else {
        unit.clone()
    };
    picture.text(2.0, 15.0, "axis", &label);
    picture.line(
        "frame",
        (frame.left, frame.bottom),
        (frame.right, frame.bottom),
    );
}

/// Ticks are round already: no trailing zeros.
fn tick_label(tick: f64) -> String {
    if tick >= 1000.0 {
        return format::whole(tick.round() as u64);
    }
    format!("{}", (tick * 1e6).round() / 1e6)
}

fn length_axis(picture: &mut Picture, frame: &Frame, x: &Scale, mut lengths: Vec<u64>) {
    lengths.sort_unstable();
    lengths.dedup();
    let mut free_from = f64::NEG_INFINITY;
    for length in lengths {
        let place = x.place(length as f64);
        picture.line("frame", (place, frame.bottom), (place, frame.bottom + 5.0));
        let label = format::bytes(length);
        let half = label.len() as f64 * 3.4;
        if place - half > free_from {
            picture.text(place, frame.bottom + 20.0, "tick middle", &label.into());
            free_from = place + half + 5.0;
        }
    }
    picture.text(
        (frame.left + frame.right) / 2.0,
        frame.bottom + 39.0,
        "axis middle",
        &phrases::MESSAGE_LENGTH_LOGARITHMIC,
    );
}

fn curve(picture: &mut Picture, series: &Series, x: &Scale, y: &Scale, unit: &Text) {
    let dash = if series.style.pattern == Pattern::Broken {
        " dashed"
    } else {
        ""
    };
    let _ = write!(
        picture.out,
        "<polyline class=\"curve {}{dash}\" points=\"",
        class(series.style)
    );
    for point in drawable(series) {
        let _ = write!(
            picture.out,
            "{},{} ",
            number(x.place(point.bytes as f64)),
            number(y.place(point.value))
        );
    }
    picture.out.push_str("\"/>");
    for point in drawable(series) {
        let place = x.place(point.bytes as f64);
        if let Some((low, high)) = point.range {
            let whisker = format!("whisker {}", class(series.style));
            picture.line(&whisker, (place, y.place(low)), (place, y.place(high)));
        }
        picture.marker(
            series.style,
            place,
            y.place(point.value),
            &hover(series, point, unit),
        );
    }
}

fn hover(series: &Series, point: &Point, unit: &Text) -> Text {
    phrases::POINT
        .with("name", series.name.clone())
        .with("length", format::bytes(point.bytes))
        .with("value", format::significant(point.value))
        .with("unit", unit.clone())
}

/// Names at the right end of the curves, pushed apart where they would cover one another.
fn end_labels(picture: &mut Picture, frame: &Frame, chart: &LineChart, y: &Scale) {
    let mut labels: Vec<(f64, &Series)> = chart
        .series
        .iter()
        .filter_map(|series| Some((y.place(drawable(series).last()?.value), series)))
        .collect();
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut lowest = frame.top - LINE;
    for (place, _) in &mut labels {
        *place = place.max(lowest + LINE);
        lowest = *place;
    }
    let mut highest = frame.bottom + LINE;
    for (place, _) in labels.iter_mut().rev() {
        *place = place.min(highest - LINE);
        highest = *place;
    }
    for (place, series) in labels {
        let class = format!("label {}", class(series.style));
        picture.text(
            frame.right + 8.0,
            place + 4.0,
            &class,
            &shortened(&series.name, 32),
        );
    }
}
