//! The report for a terminal: the verdict and the main tables.

use std::fmt::Write as _;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table as Grid, Width, presets,
};

use super::document::{Align, Block, Card, Cell, Column, Document, Reach, Table};
use super::text::{Language, Text, columns, phrases};

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
            Block::Finding(text) => {
                let _ = writeln!(out, "{}", self.words(text));
            }
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

    fn table(&self, out: &mut String, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        // Given up in this order until it fits: the columns that matter least, the spreads, room for words.
        let drafts = [
            (true, true, 14),
            (false, true, 14),
            (false, false, 14),
            (false, false, 8),
        ];
        let drafts = drafts.map(|(extras, spreads, words)| Draft {
            words,
            ..self.draft(table, extras, spreads)
        });
        let fits = |draft: &Draft| self.width.is_none_or(|width| draft.width() <= width.into());
        let Some(draft) = drafts.iter().find(|draft| fits(draft)).or(drafts.last()) else {
            return;
        };
        let mut grid = self.grid();
        grid.set_header(draft.columns.iter().map(|column| self.words(&column.head)));
        grid.add_rows(draft.rows.iter().cloned());
        for (place, column) in draft.columns.iter().enumerate() {
            let Some(drawn) = grid.column_mut(place) else {
                continue;
            };
            if column.align == Align::Right {
                drawn.set_cell_alignment(CellAlignment::Right);
            }
            if let (true, Ok(least)) = (fits(draft), u16::try_from(draft.least(place))) {
                drawn.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
            }
        }
        let _ = writeln!(out, "{}\n{grid}", self.words(&table.caption));
    }

    fn draft<'a>(&self, table: &'a Table, extras: bool, spreads: bool) -> Draft<'a> {
        let shown = |column: &Column| extras || !column.is_extra;
        let cells = |row: &[Cell]| {
            let cells = row
                .iter()
                .zip(&table.columns)
                .filter(|(_, column)| shown(column));
            cells.map(|(cell, _)| self.cell(cell, spreads)).collect()
        };
        Draft {
            columns: table
                .columns
                .iter()
                .filter(|column| shown(column))
                .collect(),
            rows: table.rows.iter().map(|row| cells(row)).collect(),
            words: 0,
            language: self.language,
        }
    }

    fn cell(&self, cell: &Cell, spreads: bool) -> String {
        match (&cell.brief, &cell.detail) {
            (Some(_), _) if !spreads => self.words(&cell.text),
            (Some(brief), _) => self.words(brief),
            (None, Some(detail)) => format!("{}\n{}", self.words(&cell.text), self.words(detail)),
            (None, None) => self.words(&cell.text),
        }
    }
}

/// A table as it might be drawn.
struct Draft<'a> {
    columns: Vec<&'a Column>,
    rows: Vec<Vec<String>>,
    /// Least room for a column of words.
    words: usize,
    language: Language,
}

impl Draft<'_> {
    /// What a column needs: numbers and the words of its head do not break, other words may.
    fn least(&self, place: usize) -> usize {
        const PADDING: usize = 2;
        let cells = self.rows.iter().filter_map(|row| row.get(place));
        let longest = cells
            .flat_map(|cell| cell.lines())
            .map(columns)
            .max()
            .unwrap_or(0);
        let needed = match self.columns[place].align {
            Align::Left => longest.min(self.words),
            Align::Right => longest,
        };
        needed.max(self.head_word(place)) + PADDING
    }

    /// The longest word of a head; Chinese may break anywhere.
    fn head_word(&self, place: usize) -> usize {
        let words = self.columns[place].head.get(self.language).split(' ');
        words
            .filter(|word| word.is_ascii())
            .map(str::len)
            .max()
            .unwrap_or(0)
    }

    /// With the space between columns.
    fn width(&self) -> usize {
        let count = self.columns.len();
        (0..count).map(|place| self.least(place) + 1).sum()
    }
}
