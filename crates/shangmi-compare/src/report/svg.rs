//! Charts as inline SVG. Colours come from the page's style sheet by class, so that they follow its theme.
//!
//! Each chart is drawn twice, wide and narrow, and the page shows the one that fits: a picture that
//! is merely shrunk has letters that nobody can read on a phone.

mod bars;
mod lines;
mod scale;

use std::fmt::Write as _;

pub(crate) use bars::bars;
pub(crate) use lines::lines;

use super::document::{Pattern, Style};
use super::html::{escape, localised_title};
use super::text::{Language, Text, columns};
use crate::result::Side;

/// The two sizes of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// For a desktop.
    Wide,
    /// For a phone.
    Narrow,
}

impl Size {
    /// Both.
    pub(crate) const ALL: [Self; 2] = [Self::Wide, Self::Narrow];

    fn name(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }

    fn width(self) -> f64 {
        match self {
            Self::Wide => 1040.0,
            Self::Narrow => 350.0,
        }
    }
}

/// Class of a curve or bar: `sm0`, `sm1`, ..., `in0`, `in1`, ...
pub(crate) fn class(style: Style) -> String {
    let family = match style.side {
        Side::Sm => "sm",
        Side::International => "in",
    };
    format!("{family}{}", style.ordinal.min(4))
}

/// An SVG element under construction.
struct Picture {
    out: String,
    id: String,
    /// Classes whose stripes are defined already.
    striped: Vec<String>,
}

impl Picture {
    fn new(chart: &str, size: Size, height: f64, title: &Text, description: &Text) -> Self {
        let id = format!("{chart}-{}", size.name());
        let mut out = String::new();
        let _ = write!(
            out,
            "<svg class=\"{}\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\">",
            size.name(),
            number(size.width()),
            number(height),
        );
        out.push_str(&localised_title("title", &format!(" id=\"{id}-t\""), title));
        out.push_str(&localised_title(
            "desc",
            &format!(" id=\"{id}-d\""),
            description,
        ));
        Self {
            out,
            id,
            striped: Vec::new(),
        }
    }

    fn text(&mut self, x: f64, y: f64, class: &str, text: &Text) {
        let _ = write!(
            self.out,
            "<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>",
            number(x),
            number(y),
            localised_spans(text)
        );
    }

    fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let _ = write!(
            self.out,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1)
        );
    }

    /// A mark of the series' own shape, so that curves differ without colour.
    fn marker(&mut self, style: Style, x: f64, y: f64, hover: &Text) {
        let _ = write!(self.out, "<g class=\"mark {}\">", class(style));
        self.out.push_str(&localised_title("title", "", hover));
        let _ = write!(
            self.out,
            "<circle class=\"hit\" cx=\"{}\" cy=\"{}\" r=\"11\"/>",
            number(x),
            number(y)
        );
        self.out.push_str(&shape(style, x, y));
        self.out.push_str("</g>");
    }

    /// Stripes in the colour of `style` for bars that are not full.
    fn stripes(&mut self, style: Style) -> String {
        let class = class(style);
        let id = format!("{}-{class}", self.id);
        if !self.striped.contains(&class) {
            let _ = write!(
                self.out,
                "<defs><pattern id=\"{id}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
                 patternTransform=\"rotate(45)\"><rect class=\"bar {class} pale\" width=\"6\" height=\"6\"/>\
                 <rect class=\"bar {class}\" width=\"3\" height=\"6\"/></pattern></defs>"
            );
            self.striped.push(class);
        }
        id
    }

    fn bar(&mut self, style: Style, at: (f64, f64), size: (f64, f64), hover: &Text) {
        let fill = match style.pattern {
            Pattern::Solid => String::new(),
            Pattern::Broken => format!(" style=\"fill:url(#{})\"", self.stripes(style)),
        };
        let _ = write!(
            self.out,
            "<rect class=\"bar {}\"{fill} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\">{}</rect>",
            class(style),
            number(at.0),
            number(at.1),
            number(size.0),
            number(size.1),
            localised_title("title", "", hover)
        );
    }

    fn finish(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }
}

/// The mark of a series in a legend.
pub(crate) fn swatch(style: Style) -> String {
    let dash = match style.pattern {
        Pattern::Solid => "",
        Pattern::Broken => " dashed",
    };
    format!(
        "<svg class=\"swatch\" viewBox=\"0 0 34 14\" aria-hidden=\"true\"><line class=\"curve {0}{dash}\" \
         x1=\"1\" y1=\"7\" x2=\"33\" y2=\"7\"/><g class=\"mark {0}\">{1}</g></svg>",
        class(style),
        shape(style, 17.0, 7.0)
    )
}

/// SM has round and pointed marks, the international side square ones.
fn shape(style: Style, x: f64, y: f64) -> String {
    let path = |points: &[(f64, f64)]| {
        let points: Vec<String> = points
            .iter()
            .map(|(dx, dy)| format!("{},{}", number(x + dx), number(y + dy)))
            .collect();
        format!("<polygon points=\"{}\"/>", points.join(" "))
    };
    match (style.side, style.ordinal % 3) {
        (Side::Sm, 0) => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"4\"/>",
            number(x),
            number(y)
        ),
        (Side::Sm, 1) => path(&[(0.0, -5.0), (4.8, 3.6), (-4.8, 3.6)]),
        (Side::Sm, _) => path(&[(0.0, 5.0), (4.8, -3.6), (-4.8, -3.6)]),
        (Side::International, 0) => path(&[(-3.7, -3.7), (3.7, -3.7), (3.7, 3.7), (-3.7, 3.7)]),
        (Side::International, 1) => path(&[(0.0, -5.4), (5.4, 0.0), (0.0, 5.4), (-5.4, 0.0)]),
        (Side::International, _) => path(&[(-5.0, -2.2), (5.0, -2.2), (5.0, 2.2), (-5.0, 2.2)]),
    }
}

/// Text of an SVG in both languages; the style sheet shows one.
fn localised_spans(text: &Text) -> String {
    if text.is_same() {
        return escape(text.get(Language::English));
    }
    format!(
        "<tspan lang=\"en\">{}</tspan><tspan lang=\"zh-CN\">{}</tspan>",
        escape(text.get(Language::English)),
        escape(text.get(Language::Chinese))
    )
}

/// A coordinate with at most one decimal.
fn number(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    // No negative zero.
    format!("{}", rounded + 0.0)
}

/// `text` cut to `limit` columns in each language.
fn shortened(text: &Text, limit: usize) -> Text {
    let short = |language| {
        let full = text.get(language);
        if columns(full) <= limit {
            return full.to_owned();
        }
        let mut width = 1;
        let mut out = String::new();
        for character in full.chars() {
            width += if character.is_ascii() { 1 } else { 2 };
            if width > limit {
                break;
            }
            out.push(character);
        }
        out.trim_end().to_owned() + "…"
    };
    Text::owned(short(Language::English), short(Language::Chinese))
}
