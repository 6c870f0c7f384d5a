//! The contents of a report, from which its Markdown and its HTML are written.

pub use super::columns::Table;
use super::plot::Datum;

/// A chart with its texts and its data.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The name of the chart's file, without `.svg`.
    pub name: String,
    /// A fixed title of at most eight words.
    pub title: String,
    /// The result that the chart shows, in one sentence.
    pub finding: String,
    /// The SVG, without the styles that all charts share.
    pub svg: String,
    /// How to read the chart, and how not to read it.
    pub reading: String,
    pub table: Table,
    pub data: Vec<Datum>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    Heading(u8, String),
    Paragraph(Text),
    List(Vec<Text>),
    Table(Table),
    Code(String),
}

impl Block {
    pub fn heading(level: u8, words: impl Into<String>) -> Self {
        Self::Heading(level, words.into())
    }

    /// A list under a heading; no blocks if there are no items.
    pub fn listed(words: &str, items: Vec<Text>) -> Vec<Self> {
        match items.is_empty() {
            true => Vec::new(),
            false => vec![Self::heading(2, words), Self::List(items)],
        }
    }

    /// A table under a heading; no blocks if the table has no rows.
    pub fn titled(level: u8, words: &str, table: Table) -> Vec<Self> {
        match table.rows.is_empty() {
            true => Vec::new(),
            false => vec![Self::heading(level, words), Self::Table(table)],
        }
    }

    /// A heading, a table and a paragraph on how to read it; no blocks if the table has no rows.
    pub fn table(words: &str, reading: impl Into<Text>, table: Table) -> Vec<Self> {
        let mut blocks = Self::titled(2, words, table);
        let reading = (!blocks.is_empty()).then(|| Self::Paragraph(reading.into()));
        blocks.extend(reading);
        blocks
    }
}

#[derive(Clone, Debug, Default)]
pub struct Document {
    pub title: String,
    pub blocks: Vec<Block>,
    pub figures: Vec<Figure>,
    /// The data of the Explore view as JSON, which stands for some of the figures where scripts run;
    /// only in the HTML page.
    pub explore: Option<String>,
    /// Blocks that are only in the HTML page, not in the Markdown.
    pub details: Vec<Block>,
}

/// A piece of the text of a paragraph or a table cell, in a single style.
#[derive(Clone, PartialEq, Debug)]
pub enum Span {
    Plain(String),
    Strong(String),
    Code(String),
    Link { text: String, to: String },
}

/// The text of a paragraph or a table cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Text(pub Vec<Span>);

impl Text {
    fn with(mut self, span: Span) -> Self {
        self.0.push(span);
        self
    }

    pub fn plain(self, text: impl Into<String>) -> Self {
        self.with(Span::Plain(text.into()))
    }

    pub fn strong(self, text: impl Into<String>) -> Self {
        self.with(Span::Strong(text.into()))
    }

    pub fn code(self, text: impl Into<String>) -> Self {
        self.with(Span::Code(text.into()))
    }

    pub fn link(self, text: impl Into<String>, to: impl Into<String>) -> Self {
        let (text, to) = (text.into(), to.into());
        self.with(Span::Link { text, to })
    }

    /// The text without any markup.
    pub fn words(&self) -> String {
        let words = self.0.iter().map(|span| match span {
            Span::Plain(text) | Span::Strong(text) | Span::Code(text) => text.as_str(),
            Span::Link { text, .. } => text,
        });
        words.collect()
    }
}

impl<T: Into<String>> From<T> for Text {
    fn from(text: T) -> Self {
        Self::default().plain(text)
    }
}
