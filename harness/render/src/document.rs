//! What a report says, before it is Markdown, HTML or terminal text: all say
//! the same in the same words.

pub use super::{
    columns::Table,
    text::{Span, Text},
};

/// A chart with everything that belongs to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Figure {
    /// The file's name without `.svg`.
    pub name: String,
    /// Fixed words, at most eight.
    pub title: String,
    /// What it shows, in one sentence; empty for none.
    pub finding: String,
    /// The SVG, without the styles that all share.
    pub svg: String,
    /// How to read it, and how not to.
    pub reading: String,
    /// What it shows, in figures.
    pub table: Table,
    /// The file of records that it comes from.
    pub source: String,
}

impl Figure {
    pub fn finding(self, finding: String) -> Self {
        Self { finding, ..self }
    }
}

/// A part of the document.
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    Heading(u8, String),
    Paragraph(Text),
    List(Vec<Text>),
    Table(Table),
    Code(String),
    Figure(Box<Figure>),
    /// Shown on demand.
    Folded {
        summary: String,
        inside: Vec<Block>,
    },
}

impl Block {
    pub fn heading(level: u8, words: impl Into<String>) -> Self {
        Self::Heading(level, words.into())
    }

    /// Shown on demand.
    pub fn folded(summary: impl Into<String>, inside: Self) -> Self {
        Self::Folded {
            summary: summary.into(),
            inside: vec![inside],
        }
    }

    /// A heading and what belongs below it; nothing if that is nothing.
    pub fn section(level: u8, words: &str, inside: impl IntoIterator<Item = Self>) -> Vec<Self> {
        let mut blocks = vec![Self::heading(level, words)];
        blocks.extend(inside);
        if blocks.len() == 1 {
            blocks.clear();
        }
        blocks
    }

    /// A list under a heading; nothing without items.
    pub fn listed(level: u8, words: &str, items: Vec<Text>) -> Vec<Self> {
        let list = (!items.is_empty()).then_some(Self::List(items));
        Self::section(level, words, list)
    }

    /// A table under a heading with what is to be known of it; nothing without rows.
    pub fn table(words: &str, reading: impl Into<Text>, table: Table) -> Vec<Self> {
        let (reading, is_full) = (Self::Paragraph(reading.into()), !table.rows.is_empty());
        let both = is_full.then_some([reading, Self::Table(table)]);
        Self::section(2, words, both.into_iter().flatten())
    }

    /// Figures under a heading; nothing without any.
    pub fn charts(figures: impl IntoIterator<Item = Figure>) -> Vec<Self> {
        Self::section(2, "Charts", figures.into_iter().map(Self::from))
    }
}

impl From<Figure> for Block {
    fn from(figure: Figure) -> Self {
        Self::Figure(Box::new(figure))
    }
}

/// A whole report.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    pub title: String,
    pub blocks: Vec<Block>,
}

impl Document {
    /// All its figures.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Figure(figure) => Some(&**figure),
            _ => None,
        })
    }
}
