//! The report for a terminal: the verdict and the main tables.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ContentArrangement, LineStyle, Table as Grid, presets};

use super::document::{Align, Block, Card, Cell, Document, Reach, Table};
use super::text::{Language, Text, phrases};

/// Draws `document` in `language`, at most `width` columns wide; without a width the tables are as wide as they need.
pub(crate) fn render(document: &Document, language: Language, width: Option<u16>) -> String {
    let screen = Screen { language, width };
    let mut out = String::new();
    let _ = writeln!(out, "{}", screen.words(&document.subtitle));
    for section in &document.sections {
        let mut body = String::new();
        for block in &section.blocks {
            screen.block(&mut body, block);
        }
        if !body.is_empty() {
            let _ = write!(out, "\n== {} ==\n{body}", screen.words(&section.title));
        }
    }
    out
}

/// Columns from which on there is room for the spread beside each number.
const WIDE: u16 = 100;

struct Screen {
    language: Language,
    width: Option<u16>,
}

impl Screen {
    /// The words in the screen's language; control characters in the data must not reach a terminal.
    fn words(&self, text: &Text) -> String {
        text.get(self.language)
            .replace(char::is_control, "\u{fffd}")
    }

    fn block(&self, out: &mut String, block: &Block) {
        match block {
            Block::Warning(text) => {
                let _ = writeln!(out, "! {} {}", self.words(&phrases::MIND), self.words(text));
            }
            Block::Cards(cards) => self.cards(out, cards),
            Block::Table(table) if table.reach == Reach::Everywhere => self.table(out, table),
            // The rest is for reading at leisure, in the files.
            _ => {}
        }
    }

    fn grid(&self) -> Grid {
        let mut grid = Grid::new();
        grid.load_style(presets::UTF8_HORIZONTAL_ONLY.row_separator(LineStyle::none()));
        if let Some(width) = self.width {
            grid.set_content_arrangement(ContentArrangement::Dynamic);
            grid.set_width(width);
        }
        grid
    }

    fn cards(&self, out: &mut String, cards: &[Card]) {
        let mut grid = self.grid();
        let heads = [
            phrases::COMPARED,
            phrases::CONDITIONS,
            phrases::SM,
            phrases::OTHER_SIDE,
            phrases::SM_IS,
        ];
        grid.set_header(heads.iter().map(|head| self.words(head)));
        for card in cards {
            let mut row = vec![self.words(&card.title), self.words(&card.condition)];
            row.extend(card.meters.iter().map(|meter| self.words(&meter.value)));
            row.push(self.words(&card.headline));
            grid.add_row(row);
        }
        let _ = writeln!(out, "{grid}");
    }

    /// Too narrow for every column and for the spread beside each number.
    fn is_narrow(&self) -> bool {
        self.width.is_some_and(|width| width < WIDE)
    }

    fn table(&self, out: &mut String, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        let shown = |i: usize| !(self.is_narrow() && table.columns[i].is_extra);
        let columns: Vec<usize> = (0..table.columns.len()).filter(|i| shown(*i)).collect();
        let mut grid = self.grid();
        grid.set_header(columns.iter().map(|i| self.words(&table.columns[*i].head)));
        for row in &table.rows {
            grid.add_row(
                columns
                    .iter()
                    .filter_map(|i| row.get(*i))
                    .map(|cell| self.cell(cell)),
            );
        }
        for (place, i) in columns.iter().enumerate() {
            if let (Align::Right, Some(drawn)) = (table.columns[*i].align, grid.column_mut(place)) {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
        }
        let _ = writeln!(out, "{}\n{grid}", self.words(&table.caption));
    }

    fn cell(&self, cell: &Cell) -> String {
        match (&cell.brief, &cell.detail) {
            (Some(_), _) if self.is_narrow() => self.words(&cell.text),
            (Some(brief), _) => self.words(brief),
            (None, Some(detail)) => format!("{}\n{}", self.words(&cell.text), self.words(detail)),
            (None, None) => self.words(&cell.text),
        }
    }
}
