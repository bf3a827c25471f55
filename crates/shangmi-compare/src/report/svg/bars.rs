//! Horizontal bars in panels. A bar's length is true to its value: the axis starts at zero and is linear.

use super::{Picture, Size, shortened};
use crate::report::document::{Bar, BarChart, Panel, PanelScale};
use crate::report::text::{Language, columns, phrases};

/// Where things stand inside a panel.
struct Layout {
    size: Size,
    bar_left: f64,
    bar_room: f64,
    row: f64,
    thickness: f64,
}

/// Above the bars of a panel.
const PANEL_HEAD: f64 = 30.0;
/// Columns of text that a narrow chart has room for.
const NARROW_COLUMNS: usize = 45;
/// Below them.
const PANEL_FOOT: f64 = 10.0;

impl Layout {
    fn of(size: Size) -> Self {
        match size {
            Size::Wide => Self {
                size,
                bar_left: 300.0,
                bar_room: 500.0,
                row: 25.0,
                thickness: 16.0,
            },
            Size::Narrow => Self {
                size,
                bar_left: 2.0,
                bar_room: 344.0,
                row: 36.0,
                thickness: 10.0,
            },
        }
    }

    fn panel_height(&self, panel: &Panel) -> f64 {
        PANEL_HEAD + PANEL_FOOT + self.row * panel.bars.len() as f64
    }
}

/// Draws `chart`; empty when no panel has a bar.
pub(crate) fn bars(chart: &BarChart, size: Size) -> String {
    let layout = Layout::of(size);
    let panels: Vec<&Panel> = chart
        .panels
        .iter()
        .filter(|panel| !panel.bars.is_empty())
        .collect();
    if panels.is_empty() {
        return String::new();
    }
    let height = panels.iter().map(|panel| layout.panel_height(panel)).sum();
    let mut picture = Picture::new(chart.id, size, height, &chart.title, &chart.description);
    let all = panels.iter().copied().map(longest).fold(0.0, f64::max);
    let mut top = 0.0;
    for panel in panels {
        let full = match chart.scale {
            PanelScale::Own => longest(panel),
            PanelScale::Shared => all,
        };
        draw_panel(&mut picture, &layout, panel, full, top);
        top += layout.panel_height(panel);
    }
    picture.finish()
}

/// The greatest value of a panel, above zero even where there is none.
fn longest(panel: &Panel) -> f64 {
    panel
        .bars
        .iter()
        .map(|bar| bar.value)
        .filter(|value| value.is_finite())
        .fold(f64::MIN_POSITIVE, f64::max)
}

fn draw_panel(picture: &mut Picture, layout: &Layout, panel: &Panel, full: f64, top: f64) {
    picture.text(2.0, top + 18.0, "panel", &panel.title);
    for (i, bar) in panel.bars.iter().enumerate() {
        let row = top + PANEL_HEAD + layout.row * i as f64;
        draw_bar(picture, layout, bar, full, row);
    }
    if layout.size == Size::Wide {
        let bottom = top + layout.panel_height(panel) - PANEL_FOOT + 2.0;
        picture.line(
            "frame",
            (layout.bar_left, top + PANEL_HEAD - 4.0),
            (layout.bar_left, bottom),
        );
    }
}

fn draw_bar(picture: &mut Picture, layout: &Layout, bar: &Bar, full: f64, row: f64) {
    let length = |value: f64| (value / full).clamp(0.0, 1.0) * layout.bar_room;
    let own = if bar.value.is_finite() {
        length(bar.value).max(1.0)
    } else {
        0.0
    };
    let value = match &bar.mark {
        Some(mark) => phrases::VALUE_MARK
            .with("value", bar.label.clone())
            .with("mark", mark.clone()),
        None => bar.label.clone(),
    };
    let hover = phrases::BAR
        .with("name", bar.name.clone())
        .with("value", value.clone());
    let bar_top = match layout.size {
        Size::Wide => row + 1.0,
        Size::Narrow => row + 19.0,
    };
    picture.bar(
        bar.style,
        (layout.bar_left, bar_top),
        (own, layout.thickness),
        &hover,
    );
    if let Some((low, high)) = bar.range {
        let middle = bar_top + layout.thickness / 2.0;
        let place = |value| layout.bar_left + length(value);
        picture.line("spread", (place(low), middle), (place(high), middle));
        for end in [low, high] {
            picture.line(
                "spread",
                (place(end), middle - 3.0),
                (place(end), middle + 3.0),
            );
        }
    }
    match layout.size {
        Size::Wide => {
            let name = shortened(&bar.name, 40);
            picture.text(layout.bar_left - 8.0, row + 14.0, "name end", &name);
            let after = bar.range.map_or(own, |(_, high)| own.max(length(high)));
            picture.text(layout.bar_left + after + 8.0, row + 14.0, "value", &value);
        }
        Size::Narrow => {
            let room = NARROW_COLUMNS
                - Language::ALL
                    .map(|l| columns(value.get(l)))
                    .into_iter()
                    .max()
                    .unwrap_or(0)
                    .min(NARROW_COLUMNS / 2);
            picture.text(2.0, row + 13.0, "name", &shortened(&bar.name, room));
            picture.text(348.0, row + 13.0, "value end", &value);
        }
    }
}
