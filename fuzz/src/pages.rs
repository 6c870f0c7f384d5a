//! Parses written pages again: whatever the texts in a report, the page has no elements but the
//! report's own.

mod parsed;

pub use self::parsed::{Shape, check_files, check_html, check_markdown};

use bouquet_report::{
    columns::Table,
    document::{Block, Document, Figure, Text},
    html, markdown,
    splice::splice,
};

/// Generates texts and choices from bytes.
struct Words<'a> {
    rest: &'a [u8],
    /// Whether all texts consist of one letter; the choices stay the same.
    is_plain: bool,
}

impl<'a> Words<'a> {
    fn new(rest: &'a [u8]) -> Self {
        Self {
            rest,
            is_plain: false,
        }
    }

    fn plain(rest: &'a [u8]) -> Self {
        Self {
            rest,
            is_plain: true,
        }
    }

    fn byte(&mut self) -> u8 {
        match self.rest {
            [first, rest @ ..] => {
                self.rest = rest;
                *first
            }
            [] => 0,
        }
    }

    /// Takes some of the next bytes as text.
    fn words(&mut self) -> String {
        let len = usize::from(self.byte() % 32).min(self.rest.len());
        let (now, rest) = self.rest.split_at(len);
        self.rest = rest;
        if self.is_plain {
            return "x".repeat(len);
        }
        String::from_utf8_lossy(now).into_owned()
    }

    fn text(&mut self) -> Text {
        let text = Text::default().plain("so: ");
        match self.byte() % 4 {
            0 => text.plain(self.words()),
            1 => text.strong(self.words()),
            2 => text.code(self.words()),
            _ => text.plain(self.words()).link(self.words(), "records/a.csv"),
        }
    }

    fn table(&mut self) -> Table {
        let rows: Vec<(Text, String)> = (0..self.byte() % 3)
            .map(|_| (self.text(), self.words()))
            .collect();
        let table = Table::of(0..rows.len());
        table
            .column("name", |row| rows[row].0.clone())
            .column("#words", |row| rows[row].1.clone())
            .table()
    }

    fn block(&mut self) -> Block {
        match self.byte() % 5 {
            0 => Block::heading(2 + self.byte() % 3, self.words()),
            1 => Block::Paragraph(self.text()),
            2 => Block::List((0..self.byte() % 3).map(|_| self.text()).collect()),
            3 => Block::Table(self.table()),
            _ => Block::Code(self.words() + &self.words()),
        }
    }

    fn figure(&mut self) -> Figure {
        Figure {
            name: "chart".to_owned(),
            title: self.words(),
            finding: self.words(),
            svg: "<svg></svg>".to_owned(),
            reading: self.words(),
            table: self.table(),
            data: Vec::new(),
        }
    }

    fn document(&mut self) -> Document {
        let title = self.words();
        let figures = (0..self.byte() % 2).map(|_| self.figure()).collect();
        let details = (0..self.byte() % 3).map(|_| self.block()).collect();
        let mut blocks = Vec::new();
        while !self.rest.is_empty() && blocks.len() < 12 {
            blocks.push(self.block());
        }
        Document {
            title,
            blocks,
            figures,
            details,
        }
    }
}

/// The expected shape of a document in Markdown.
fn shape(document: &Document) -> Shape {
    let mut shape = Shape {
        headings: 1,
        ..Shape::default()
    };
    document.blocks.iter().for_each(|block| shape.add(block));
    if !document.figures.is_empty() {
        shape.headings += 1 + document.figures.len();
        shape.images += document.figures.len();
    }
    if !document.details.is_empty() {
        shape.headings += 1;
        shape.links += 2;
    }
    shape
}

impl Shape {
    fn add(&mut self, block: &Block) {
        match block {
            Block::Heading(..) => self.headings += 1,
            Block::Paragraph(text) => self.text(text),
            Block::List(items) => items.iter().for_each(|text| self.text(text)),
            Block::Table(table) => self.table(table),
            Block::Code(_) => self.codes += 1,
        }
    }

    fn table(&mut self, table: &Table) {
        self.tables += 1;
        table
            .texts()
            .for_each(|row| row.iter().for_each(|text| self.text(text)));
    }

    fn text(&mut self, text: &Text) {
        let links = text
            .0
            .iter()
            .filter(|span| matches!(span, bouquet_report::document::Span::Link { .. }));
        self.links += links.count();
    }
}

/// Writes a document as Markdown and checks it.
pub fn in_markdown(data: &[u8]) {
    let document = Words::new(data).document();
    check_markdown(&markdown::document(&document), Some(&shape(&document)));
}

/// Writes a document as HTML and checks that it has the same elements as with plain texts.
pub fn in_html(data: &[u8]) {
    let page = html::document(&Words::new(data).document());
    let plain = html::document(&Words::plain(data).document());
    assert_eq!(
        check_html(&page),
        check_html(&plain),
        "words are elements in:\n{page}"
    );
}

/// Inserts tables between marks in any text.
pub fn into_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let put = |text: &str| {
        splice(text, |part| match part {
            "figures" => Ok(Some("| a |\n".to_owned())),
            "speed" => Ok(None),
            _ => Ok(Some("costs".to_owned())),
        })
    };
    let Ok(once) = put(&text) else {
        return;
    };
    assert_eq!(
        put(&once).ok().as_ref(),
        Some(&once),
        "spliced twice, it is another"
    );
    let marks = |text: &str| text.lines().filter(|line| line.contains("<!-- ")).count();
    assert!(marks(&once) <= marks(&text), "marks came in");
    let first = |text: &str| text.find("<!-- ").map(|at| text[..at].to_owned());
    assert_eq!(first(&once), first(&text), "changed before the first mark");
}
