//! The report as one HTML file that needs no network: style, script and pictures are inside.

mod blocks;

use std::fmt::Write as _;

use super::document::{Document, Section};
use super::text::{Language, Text, phrases};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Nothing may be loaded, whatever the data holds; the page's own style and script are inline.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// Draws `document` as a page.
pub(crate) fn render(document: &Document) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\" data-lang=\"en\">\n<head>\n");
    out.push_str("<meta charset=\"utf-8\"/>\n");
    let _ = writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\"/>"
    );
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    out.push_str("<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    out.push_str(&localised_title("title", "", &document.title));
    let _ = write!(
        out,
        "\n<style>\n{STYLE}</style>\n<script>\n{SCRIPT}</script>\n</head>\n<body>\n"
    );
    header(&mut out, document);
    out.push_str("<main id=\"content\">\n");
    for part in &document.sections {
        section(&mut out, part);
    }
    out.push_str("</main>\n");
    let _ = writeln!(
        out,
        "<footer><p>{}</p></footer>",
        localised(&phrases::FOOTER)
    );
    out.push_str("</body>\n</html>\n");
    out
}

fn header(out: &mut String, document: &Document) {
    let _ = write!(
        out,
        "<a class=\"skip\" href=\"#content\">{}</a>\n<header>\n<div class=\"bar\">\n<h1>{}</h1>\n",
        localised(&phrases::SKIP),
        localised(&document.title)
    );
    let _ = write!(
        out,
        "<div class=\"tools\"><button type=\"button\" id=\"language\">{}</button>\
         <button type=\"button\" id=\"theme\">{}</button></div>\n</div>\n",
        localised(&phrases::OTHER_LANGUAGE),
        localised(&phrases::THEME)
    );
    let _ = writeln!(
        out,
        "<p class=\"subtitle\">{}</p>",
        localised(&document.subtitle)
    );
    out.push_str("<nav>");
    out.push_str(&localised_label("ul", &phrases::CONTENTS));
    for part in &document.sections {
        let _ = write!(
            out,
            "<li><a href=\"#{}\">{}</a></li>",
            part.id,
            localised(&part.title)
        );
    }
    out.push_str("</ul></nav>\n</header>\n");
}

fn section(out: &mut String, part: &Section) {
    let _ = writeln!(
        out,
        "<section id=\"{0}\" aria-labelledby=\"{0}-h\">\n<h2 id=\"{0}-h\">{1}</h2>",
        part.id,
        localised(&part.title)
    );
    for block in &part.blocks {
        blocks::block(out, block);
    }
    out.push_str("</section>\n");
}

/// `text` with the five characters that mean something to HTML written as entities.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // Control characters have no place in a page, whatever the data holds.
            c if c.is_control() && c != '\n' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Both languages; the style sheet shows one.
fn localised(text: &Text) -> String {
    if text.is_same() {
        return escape(text.get(Language::English));
    }
    format!(
        "<span lang=\"en\">{}</span><span lang=\"zh-CN\">{}</span>",
        escape(text.get(Language::English)),
        escape(text.get(Language::Chinese))
    )
}

/// Names that look torn when a line breaks at their hyphen.
const UNBROKEN: [&str; 6] = [
    "P-256",
    "SHA-256",
    "RSA-2048",
    "RSA-3072",
    "AES-128-GCM",
    "aws-lc",
];

/// Units that look torn when a line breaks before them.
const UNITS: [&str; 5] = ["KiB", "MiB", "MB", "MB/s", "ops/s"];

/// [`localised`] with the names of [`UNBROKEN`] and the numbers before [`UNITS`] kept whole.
fn localised_whole(text: &Text) -> String {
    let text = UNITS.iter().fold(localised(text), |text, unit| {
        text.replace(&format!(" {unit}"), &format!("\u{a0}{unit}"))
    });
    UNBROKEN.iter().fold(text, |text, name| {
        text.replace(name, &format!("<span class=\"nb\">{name}</span>"))
    })
}

/// An element that can hold only plain text (`title`, `desc`): the script puts the chosen language in.
pub(crate) fn localised_title(element: &str, attributes: &str, text: &Text) -> String {
    let english = escape(text.get(Language::English));
    if text.is_same() {
        return format!("<{element}{attributes}>{english}</{element}>");
    }
    let chinese = escape(text.get(Language::Chinese));
    format!(
        "<{element}{attributes} data-en=\"{english}\" data-zh=\"{chinese}\">{english}</{element}>"
    )
}

/// The opening tag of an element whose accessible name the script keeps in the chosen language.
fn localised_label(element: &str, text: &Text) -> String {
    let english = escape(text.get(Language::English));
    let chinese = escape(text.get(Language::Chinese));
    format!(
        "<{element} aria-label=\"{english}\" data-label-en=\"{english}\" data-label-zh=\"{chinese}\">"
    )
}
