//! The report as a document: what it says, before anyone decides how it looks.
//!
//! `report/sections` makes a [`Document`] of a result; `html`, `markdown` and `terminal` draw it.

use super::text::Text;
use crate::result::Side;

/// The whole report.
pub(crate) struct Document {
    /// Heading of the page.
    pub(crate) title: Text,
    /// Where, when and by what it was measured.
    pub(crate) subtitle: Text,
    /// In the order of reading.
    pub(crate) sections: Vec<Section>,
}

/// A part with a heading of its own.
pub(crate) struct Section {
    /// Anchor.
    pub(crate) id: &'static str,
    /// Heading.
    pub(crate) title: Text,
    /// What stands under the heading.
    pub(crate) blocks: Vec<Block>,
}

/// A piece of a section.
pub(crate) enum Block {
    /// Running text.
    Paragraph(Text),
    /// What came out, in a sentence or two: shown wherever the report is.
    Finding(Text),
    /// A warning that must not be overlooked.
    Warning(Text),
    /// A list of remarks under a lead-in.
    List(Text, Vec<Text>),
    /// Names and values.
    Facts(Vec<(Text, Text)>),
    /// What was won, lost and drawn, each with its ratio.
    Tally(Vec<Tally>),
    /// Verdicts.
    Cards(Vec<Card>),
    /// A table.
    Table(Table),
    /// Curves.
    Lines(LineChart),
    /// Bars.
    Bars(BarChart),
}

/// Who won a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// SM needs less.
    SmWins,
    /// SM needs more.
    SmLoses,
    /// Too close to call.
    Even,
}

/// All comparisons of one outcome.
pub(crate) struct Tally {
    /// Over the list.
    pub(crate) lead: Text,
    /// The outcome that they share.
    pub(crate) outcome: Outcome,
    /// What was compared, and the ratio in words.
    pub(crate) items: Vec<(Text, Text)>,
}

/// A verdict.
pub(crate) struct Card {
    /// What is compared.
    pub(crate) title: Text,
    /// Under which conditions.
    pub(crate) condition: Text,
    /// Who won.
    pub(crate) outcome: Outcome,
    /// `1.8× slower`.
    pub(crate) headline: Text,
    /// The same in a sentence.
    pub(crate) sentence: Text,
    /// Both sides: name, value in words, length of the bar (the longer one is 1).
    pub(crate) meters: Vec<Meter>,
    /// What is not alike.
    pub(crate) notes: Vec<Text>,
}

/// One side of a verdict.
pub(crate) struct Meter {
    /// Algorithm and library.
    pub(crate) name: Text,
    /// The number with its unit.
    pub(crate) value: Text,
    /// Part of the greater of both.
    pub(crate) fraction: f64,
    /// SM or international.
    pub(crate) side: Side,
}

/// Rows under a caption.
pub(crate) struct Table {
    /// What it shows, with units.
    pub(crate) caption: Text,
    /// Heads.
    pub(crate) columns: Vec<Column>,
    /// Each as long as `columns`.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// Where it is shown.
    pub(crate) reach: Reach,
}

/// Where a table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// In the files and on the terminal.
    Everywhere,
    /// In the files only.
    Files,
    /// In the files only, folded where that can be done.
    Folded,
}

/// Head of a column.
#[derive(Clone)]
pub(crate) struct Column {
    /// The words.
    pub(crate) head: Text,
    /// Numbers stand right.
    pub(crate) align: Align,
    /// The family that it is about.
    pub(crate) side: Option<Side>,
    /// Left out where room is scarce.
    pub(crate) is_extra: bool,
}

/// Where the content of a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

impl Column {
    /// A column of words.
    pub(crate) fn words(head: impl Into<Text>) -> Self {
        Self {
            head: head.into(),
            align: Align::Left,
            side: None,
            is_extra: false,
        }
    }

    /// A column of numbers.
    pub(crate) fn numbers(head: impl Into<Text>) -> Self {
        Self {
            head: head.into(),
            align: Align::Right,
            side: None,
            is_extra: false,
        }
    }

    /// The same column, to be left out where room is scarce.
    pub(crate) fn extra(self) -> Self {
        Self {
            is_extra: true,
            ..self
        }
    }

    /// A column of numbers of one family.
    pub(crate) fn of_side(head: impl Into<Text>, side: Side) -> Self {
        Self {
            side: Some(side),
            ..Self::numbers(head)
        }
    }
}

/// One cell.
#[derive(Clone)]
pub(crate) struct Cell {
    /// The content.
    pub(crate) text: Text,
    /// Smaller, under or behind it: the spread, the code path.
    pub(crate) detail: Option<Text>,
    /// Instead of both where room is scarce.
    pub(crate) brief: Option<Text>,
    /// Colour, which only repeats what the words say.
    pub(crate) tone: Tone,
}

/// Emphasis of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// None.
    Plain,
    /// The verdict of a ratio.
    Verdict(Outcome),
    /// Nothing to see.
    Muted,
}

impl Cell {
    /// A cell without detail.
    pub(crate) fn new(text: impl Into<Text>) -> Self {
        Self {
            text: text.into(),
            detail: None,
            brief: None,
            tone: Tone::Plain,
        }
    }

    /// A cell that has nothing to show.
    pub(crate) fn absent() -> Self {
        Self {
            tone: Tone::Muted,
            ..Self::new(super::format::ABSENT)
        }
    }

    /// The same cell with a smaller remark.
    pub(crate) fn with_detail(self, detail: impl Into<Text>) -> Self {
        Self {
            detail: Some(detail.into()),
            ..self
        }
    }

    /// The same cell with words for where room is scarce.
    pub(crate) fn with_brief(self, brief: impl Into<Text>) -> Self {
        Self {
            brief: Some(brief.into()),
            ..self
        }
    }

    /// The same cell with emphasis.
    pub(crate) fn with_tone(self, tone: Tone) -> Self {
        Self { tone, ..self }
    }
}

/// What marks a curve or a bar: hue by family, the rest by order and kind, so that colour is never alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// SM or international.
    pub(crate) side: Side,
    /// How many of the same family came before.
    pub(crate) ordinal: usize,
    /// Drawn dashed or hatched: special instructions, or published elsewhere.
    pub(crate) pattern: Pattern,
}

/// Fill or dash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    /// Full.
    Solid,
    /// Dashed line, hatched bar.
    Broken,
}

/// Curves over a logarithmic axis of lengths.
pub(crate) struct LineChart {
    /// Unique in the document.
    pub(crate) id: &'static str,
    /// Above the picture.
    pub(crate) title: Text,
    /// What it shows, for those who cannot see it.
    pub(crate) description: Text,
    /// Beside the vertical axis.
    pub(crate) unit: Text,
    /// The curves.
    pub(crate) series: Vec<Series>,
}

/// One curve.
pub(crate) struct Series {
    /// In the legend.
    pub(crate) name: Text,
    /// Its marks.
    pub(crate) style: Style,
    /// By length.
    pub(crate) points: Vec<Point>,
}

/// One point of a curve.
pub(crate) struct Point {
    /// Length in bytes.
    pub(crate) bytes: u64,
    /// Height.
    pub(crate) value: f64,
    /// Lower and upper end of the spread.
    pub(crate) range: Option<(f64, f64)>,
}

/// Bars in panels.
pub(crate) struct BarChart {
    /// Unique in the document.
    pub(crate) id: &'static str,
    /// Above the picture.
    pub(crate) title: Text,
    /// What it shows, for those who cannot see it.
    pub(crate) description: Text,
    /// Whether panels can be compared with one another.
    pub(crate) scale: PanelScale,
    /// The panels.
    pub(crate) panels: Vec<Panel>,
}

/// What a full bar stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PanelScale {
    /// The greatest value of its panel.
    Own,
    /// The greatest value of all panels.
    Shared,
}

/// Bars of one scale.
pub(crate) struct Panel {
    /// Above the bars.
    pub(crate) title: Text,
    /// The bars.
    pub(crate) bars: Vec<Bar>,
}

/// One bar.
pub(crate) struct Bar {
    /// Before it.
    pub(crate) name: Text,
    /// Behind it: the number with its unit.
    pub(crate) label: Text,
    /// After the number: `constant time`.
    pub(crate) mark: Option<Text>,
    /// Length.
    pub(crate) value: f64,
    /// Lower and upper end of the spread.
    pub(crate) range: Option<(f64, f64)>,
    /// Its look.
    pub(crate) style: Style,
}
