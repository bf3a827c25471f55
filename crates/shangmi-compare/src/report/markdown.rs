//! The report as Markdown, one language a file.

use std::fmt::Write as _;

use super::document::{Align, Block, Card, Cell, Document, Table};
use super::text::{Language, Text, phrases};

/// Draws `document` in `language`.
pub(crate) fn render(document: &Document, language: Language) -> String {
    let mut out = String::new();
    let page = Page { language };
    let _ = write!(
        out,
        "# {}\n\n{}\n\n{}\n",
        page.words(&document.title),
        phrases::OTHER_FILE.get(language),
        page.words(&document.subtitle)
    );
    let _ = writeln!(out, "\n{}", page.words(&phrases::CHART_ELSEWHERE));
    for section in &document.sections {
        let _ = writeln!(out, "\n## {}", page.words(&section.title));
        for block in &section.blocks {
            page.block(&mut out, block);
        }
    }
    out
}

struct Page {
    language: Language,
}

impl Page {
    /// `text` on one line, with what means something to Markdown made harmless.
    fn words(&self, text: &Text) -> String {
        let mut out = String::new();
        for character in text.get(self.language).chars() {
            match character {
                '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' => {
                    out.push('\\');
                    out.push(character);
                }
                c if c.is_control() => out.push(' '),
                c => out.push(c),
            }
        }
        out
    }

    fn block(&self, out: &mut String, block: &Block) {
        let _ = match block {
            Block::Paragraph(text) => writeln!(out, "\n{}", self.words(text)),
            Block::Finding(text) => writeln!(out, "\n**{}**", self.words(text)),
            Block::Warning(text) => {
                writeln!(
                    out,
                    "\n> **{}** {}",
                    self.words(&phrases::MIND),
                    self.words(text)
                )
            }
            Block::List(lead, items) => {
                let items: Vec<String> = items
                    .iter()
                    .map(|item| format!("- {}", self.words(item)))
                    .collect();
                writeln!(out, "\n**{}**\n\n{}", self.words(lead), items.join("\n"))
            }
            Block::Facts(facts) => {
                let facts: Vec<String> = facts
                    .iter()
                    .map(|(name, value)| {
                        format!("- **{}**: {}", self.words(name), self.words(value))
                    })
                    .collect();
                writeln!(out, "\n{}", facts.join("\n"))
            }
            Block::Tally(parts) => {
                for part in parts {
                    let _ = writeln!(out, "\n**{}**\n", self.words(&part.lead));
                    for (what, ratio) in &part.items {
                        let _ = writeln!(out, "- {}: **{}**", self.words(what), self.words(ratio));
                    }
                }
                Ok(())
            }
            Block::Cards(cards) => {
                cards.iter().for_each(|card| self.card(out, card));
                Ok(())
            }
            Block::Table(table) => {
                self.table(out, table);
                Ok(())
            }
            // Pictures are for the page; their numbers stand in the tables.
            Block::Lines(_) | Block::Bars(_) => Ok(()),
        };
    }

    fn card(&self, out: &mut String, card: &Card) {
        let _ = writeln!(
            out,
            "\n### {} — {}\n\n*{}.* {}\n",
            self.words(&card.title),
            self.words(&card.headline),
            self.words(&card.condition),
            self.words(&card.sentence)
        );
        for meter in &card.meters {
            let _ = writeln!(
                out,
                "- {}: **{}**",
                self.words(&meter.name),
                self.words(&meter.value)
            );
        }
        for note in &card.notes {
            let _ = writeln!(out, "- *{}*", self.words(note));
        }
    }

    fn table(&self, out: &mut String, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        let _ = writeln!(out, "\n**{}**\n", self.words(&table.caption));
        let heads: Vec<String> = table
            .columns
            .iter()
            .map(|column| self.words(&column.head))
            .collect();
        let rules: Vec<&str> = table
            .columns
            .iter()
            .map(|column| match column.align {
                Align::Left => ":---",
                Align::Right => "---:",
            })
            .collect();
        let _ = writeln!(out, "| {} |\n| {} |", heads.join(" | "), rules.join(" | "));
        for row in &table.rows {
            let cells: Vec<String> = row.iter().map(|cell| self.cell(cell)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
    }

    fn cell(&self, cell: &Cell) -> String {
        match &cell.detail {
            Some(detail) => format!("{} ({})", self.words(&cell.text), self.words(detail)),
            None => self.words(&cell.text),
        }
    }
}
