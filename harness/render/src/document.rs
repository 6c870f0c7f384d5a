//! What a report says, before it is Markdown or HTML: all say the same in the same words.

pub use super::columns::Table;
use super::plot::Datum;

/// A chart with everything that belongs to it.
#[derive(Clone, Debug)]
pub struct Figure {
    /// The file's name without `.svg`.
    pub name: String,
    /// Fixed words, at most eight.
    pub title: String,
    /// What it shows, in one sentence.
    pub finding: String,
    /// The SVG, without the styles that all share.
    pub svg: String,
    /// How to read it, and how not to.
    pub reading: String,
    /// What it shows, in figures.
    pub table: Table,
    pub data: Vec<Datum>,
}

/// A part of the document.
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

    /// A list under a heading; nothing without items.
    pub fn listed(words: &str, items: Vec<Text>) -> Vec<Self> {
        match items.is_empty() {
            true => Vec::new(),
            false => vec![Self::heading(2, words), Self::List(items)],
        }
    }

    /// A table under a heading, with what is to be known of it; nothing without rows.
    pub fn table(words: &str, reading: impl Into<Text>, table: Table) -> Vec<Self> {
        let reading = Self::Paragraph(reading.into());
        match table.rows.is_empty() {
            true => Vec::new(),
            false => vec![Self::heading(2, words), Self::Table(table), reading],
        }
    }
}

/// A whole report.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub title: String,
    pub blocks: Vec<Block>,
    pub figures: Vec<Figure>,
    /// What only the page for a browser has.
    pub details: Vec<Block>,
}

/// A run of text within a paragraph or a cell.
#[derive(Clone, PartialEq, Debug)]
pub enum Span {
    Plain(String),
    Strong(String),
    Code(String),
    Link { text: String, to: String },
}

/// A paragraph's or a cell's text.
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

    /// Strong if this is so, else plain.
    pub fn strong_if(self, is_strong: bool, text: impl Into<String>) -> Self {
        if is_strong {
            self.strong(text)
        } else {
            self.plain(text)
        }
    }

    pub fn code(self, text: impl Into<String>) -> Self {
        self.with(Span::Code(text.into()))
    }

    pub fn link(self, text: impl Into<String>, to: impl Into<String>) -> Self {
        let (text, to) = (text.into(), to.into());
        self.with(Span::Link { text, to })
    }

    /// A star before what is bold.
    pub(super) fn star(&mut self) {
        for span in &mut self.0 {
            if let Span::Strong(words) = span {
                words.insert(0, '*');
            }
        }
    }

    /// Its words without any marks.
    pub fn words(&self) -> String {
        self.0.iter().map(Span::words).collect()
    }
}

impl Span {
    fn words(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Strong(text) | Self::Code(text) => text,
            Self::Link { text, .. } => text,
        }
    }
}

impl<T: Into<String>> From<T> for Text {
    fn from(text: T) -> Self {
        Self::default().plain(text)
    }
}
