//! Text with marks.

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
