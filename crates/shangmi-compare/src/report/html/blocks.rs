//! The pieces of a section as HTML.

use std::fmt::Write as _;

use super::{localised, localised_label, localised_whole};
use crate::report::document::{
    Align, BarChart, Block, Card, Cell, Column, LineChart, Meter, Outcome, Reach, Table, Tally,
    Tone,
};
use crate::report::svg::{self, Size};
use crate::report::text::{Language, Text, phrases};
use crate::result::Side;

/// Appends `block` to `out`.
pub(super) fn block(out: &mut String, block: &Block) {
    match block {
        Block::Paragraph(text) => {
            let _ = writeln!(out, "<p>{}</p>", localised(text));
        }
        Block::Finding(text) => {
            let _ = writeln!(out, "<p class=\"finding\">{}</p>", localised(text));
        }
        Block::Warning(text) => {
            let _ = writeln!(
                out,
                "<p class=\"warning\"><strong>{}</strong> {}</p>",
                localised(&phrases::MIND),
                localised(text)
            );
        }
        Block::List(lead, items) => list(out, lead, items),
        Block::Facts(facts) => {
            out.push_str("<dl class=\"facts\">\n");
            for (name, value) in facts {
                let _ = writeln!(
                    out,
                    "<div><dt>{}</dt><dd>{}</dd></div>",
                    localised(name),
                    localised(value)
                );
            }
            out.push_str("</dl>\n");
        }
        Block::Tally(parts) => {
            out.push_str("<div class=\"columns\">\n");
            parts.iter().for_each(|part| tally(out, part));
            out.push_str("</div>\n");
        }
        Block::Cards(cards) => {
            out.push_str("<div class=\"cards\">\n");
            for one in cards {
                card(out, one);
            }
            out.push_str("</div>\n");
        }
        Block::Table(one) => table(out, one),
        Block::Lines(chart) => line_chart(out, chart),
        Block::Bars(chart) => bar_chart(out, chart),
    }
}

fn list(out: &mut String, lead: &Text, items: &[Text]) {
    let _ = writeln!(
        out,
        "<p class=\"lead\">{}</p>\n<ul class=\"notes\">",
        localised(lead)
    );
    for item in items {
        let _ = writeln!(out, "<li>{}</li>", localised(item));
    }
    out.push_str("</ul>\n");
}

fn tally(out: &mut String, tally: &Tally) {
    let _ = write!(
        out,
        "<div class=\"{}\"><h3>{}</h3><ul>",
        outcome_class(tally.outcome),
        localised_whole(&tally.lead)
    );
    for (what, ratio) in &tally.items {
        let _ = write!(
            out,
            "<li><span>{}</span><b>{}</b></li>",
            localised_whole(what),
            localised_whole(ratio)
        );
    }
    out.push_str("</ul></div>\n");
}

fn outcome_class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::SmWins => "wins",
        Outcome::SmLoses => "loses",
        Outcome::Even => "even",
    }
}

fn side_class(side: Side) -> &'static str {
    match side {
        Side::Sm => "sm",
        Side::International => "in",
    }
}

fn card(out: &mut String, card: &Card) {
    let _ = write!(
        out,
        "<article class=\"card {}\">\n<h3>{}</h3>\n<p class=\"condition\">{}</p>\n<p class=\"headline\">{}</p>\n<p>{}</p>\n",
        outcome_class(card.outcome),
        localised_whole(&card.title),
        localised_whole(&card.condition),
        localised_whole(&card.headline),
        localised_whole(&card.sentence)
    );
    for one in &card.meters {
        meter(out, one);
    }
    if !card.notes.is_empty() {
        let _ = write!(
            out,
            "<p class=\"unlike\">{}</p><ul class=\"unlike\">",
            localised_whole(&phrases::NOT_ALIKE)
        );
        for note in &card.notes {
            let _ = write!(out, "<li>{}</li>", localised_whole(note));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</article>\n");
}

/// Its numbers stand in words beside the bar, so the bar itself is hidden from screen readers.
fn meter(out: &mut String, meter: &Meter) {
    let width = (meter.fraction.clamp(0.0, 1.0) * 1000.0).round() / 10.0;
    let _ = writeln!(
        out,
        "<div class=\"meter\"><span>{}</span><span class=\"amount\">{}</span>\
         <svg aria-hidden=\"true\" height=\"8\"><rect class=\"rail\" width=\"100%\" height=\"8\" rx=\"2\"/>\
         <rect class=\"bar {}0\" width=\"{width}%\" height=\"8\" rx=\"2\"/></svg></div>",
        localised_whole(&meter.name),
        localised_whole(&meter.value),
        side_class(meter.side)
    );
}

fn table(out: &mut String, table: &Table) {
    if table.rows.is_empty() {
        return;
    }
    let folded = table.reach == Reach::Folded;
    if folded {
        let _ = writeln!(
            out,
            "<details><summary>{}</summary>",
            localised(&table.caption)
        );
    }
    // The box scrolls, not the page; it takes the focus so that a keyboard can scroll it.
    let label = localised_label(
        "div class=\"box\" role=\"region\" tabindex=\"0\"",
        &table.caption,
    );
    let _ = writeln!(out, "{label}<table>");
    let _ = write!(
        out,
        "<caption><div>{}</div></caption>\n<thead><tr>",
        localised(&table.caption)
    );
    for column in &table.columns {
        let _ = write!(
            out,
            "<th scope=\"col\" class=\"{}\">{}</th>",
            column_class(column),
            localised_whole(&column.head)
        );
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for (i, (cell, column)) in row.iter().zip(&table.columns).enumerate() {
            table_cell(out, cell, column, i == 0);
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if folded {
        out.push_str("</details>\n");
    }
}

fn column_class(column: &Column) -> String {
    let align = match column.align {
        Align::Left => "left",
        Align::Right => "right",
    };
    match column.side {
        Some(side) => format!("{align} {}", side_class(side)),
        None => align.to_owned(),
    }
}

fn table_cell(out: &mut String, cell: &Cell, column: &Column, is_head: bool) {
    let tone = match cell.tone {
        Tone::Plain => String::new(),
        Tone::Muted => " muted".to_owned(),
        Tone::Verdict(outcome) => format!(" {}", outcome_class(outcome)),
    };
    // Long words get a wide column, so that the row does not become a tower.
    let long = if cell.text.get(Language::English).len() > 36 {
        " long"
    } else {
        ""
    };
    let (open, close) = if is_head {
        ("th scope=\"row\"", "th")
    } else {
        ("td", "td")
    };
    let _ = write!(
        out,
        "<{open} class=\"{}{tone}{long}\">{}",
        column_class(column),
        localised(&cell.text)
    );
    if let Some(detail) = &cell.detail {
        let _ = write!(out, "<small>{}</small>", localised(detail));
    }
    let _ = write!(out, "</{close}>");
}

fn figure(out: &mut String, title: &Text, legend: &str, draw: impl Fn(Size) -> String) {
    let pictures: Vec<String> = Size::ALL.into_iter().map(draw).collect();
    if pictures.iter().any(String::is_empty) {
        return;
    }
    let _ = writeln!(
        out,
        "<figure><figcaption>{}</figcaption>{legend}{}</figure>",
        localised(title),
        pictures.concat()
    );
}

fn line_chart(out: &mut String, chart: &LineChart) {
    let mut legend = String::from("<ul class=\"legend\">");
    for series in &chart.series {
        let _ = write!(
            legend,
            "<li>{}{}</li>",
            svg::swatch(series.style),
            localised(&series.name)
        );
    }
    legend.push_str("</ul>");
    figure(out, &chart.title, &legend, |size| svg::lines(chart, size));
}

fn bar_chart(out: &mut String, chart: &BarChart) {
    figure(out, &chart.title, "", |size| svg::bars(chart, size));
}
