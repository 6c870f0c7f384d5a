//! Pages that are written, parsed again: whatever words a report is given, no element is in it
//! but its own.

use std::{fs, path::Path};

use bouquet_render::{
    columns::Table,
    document::{Block, Document, Figure, Text},
    html, markdown,
    splice::{Part, splice},
};
use html5gum::{Token, Tokenizer};
use pulldown_cmark::{Event, Options, Parser, Tag};

/// The elements of our pages.
const ELEMENTS: &[&str] = &[
    "a",
    "body",
    "code",
    "details",
    "div",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "h4",
    "head",
    "html",
    "li",
    "main",
    "meta",
    "nav",
    "p",
    "pre",
    "script",
    "strong",
    "style",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
];
/// Those of a chart.
const OF_CHARTS: &[&str] = &[
    "circle", "clippath", "defs", "desc", "ellipse", "g", "line", "path", "pattern", "polygon",
    "polyline", "rect", "text", "tspan", "use",
];
/// Their attributes, besides those of charts.
const ATTRIBUTES: &[&str] = &[
    "aria-label",
    "charset",
    "class",
    "content",
    "href",
    "http-equiv",
    "id",
    "lang",
    "name",
    "scope",
];
/// The elements of Markdown that are written as HTML; code is where a cell has a bar that
/// Markdown's own cannot have.
const IN_MARKDOWN: &[&str] = &["details", "summary", "code"];

/// The most of a page, the same in all: not parsed again each time.
const STYLE: &str = include_str!("../../harness/render/src/report.css");
const SCRIPT: &str = include_str!("../../harness/render/src/report.js");

/// What a document is made of, counted.
#[derive(Default, PartialEq, Debug)]
pub struct Shape {
    headings: usize,
    tables: usize,
    codes: usize,
    images: usize,
    details: usize,
    links: usize,
}

/// Checks the pages in a folder of a report.
pub fn check_files(folder: &Path) {
    for name in ["README.md", "index.html", html::TABLES] {
        let Ok(text) = fs::read_to_string(folder.join(name)) else {
            continue;
        };
        if name.ends_with(".md") {
            check_markdown(&text, None);
        } else {
            check_html(&text);
        }
    }
}

/// Checks that there is no HTML in it but the elements of ours, and that it has this shape, if
/// that is known.
pub fn check_markdown(text: &str, shape: Option<&Shape>) {
    let mut found = Shape::default();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => {
                for name in elements(&html, |_, _| false) {
                    assert!(
                        IN_MARKDOWN.contains(&&*name),
                        "<{name}> in Markdown:\n{text}"
                    );
                    found.details += usize::from(name == "details");
                }
            }
            Event::Start(Tag::Heading { .. }) => found.headings += 1,
            Event::Start(Tag::Table(_)) => found.tables += 1,
            Event::Start(Tag::CodeBlock(_)) => found.codes += 1,
            Event::Start(Tag::Image { .. }) => found.images += 1,
            Event::Start(Tag::Link { .. }) => found.links += 1,
            _ => {}
        }
    }
    if let Some(shape) = shape {
        assert_eq!(&found, shape, "another shape:\n{text}");
    }
}

/// Checks that there are no elements, no attributes and no addresses in a page but ours.
pub fn check_html(page: &str) {
    let is_ours = |name: &str, value: &str| match name {
        "href" => {
            let is_page = value.ends_with(".html") || value.contains(".html#");
            is_page || value.starts_with(['#', 'r']) || value.starts_with("../../harness/")
        }
        name => ATTRIBUTES.contains(&name),
    };
    let mut scripts = 0;
    let own = page.replacen(STYLE, "", 1).replacen(SCRIPT, "", 1);
    assert!(
        own.len() + STYLE.len() + SCRIPT.len() == page.len(),
        "another style or script"
    );
    for name in elements(&own, is_ours) {
        scripts += usize::from(name == "script");
        let is_known = ELEMENTS.contains(&&*name) || OF_CHARTS.contains(&&*name);
        assert!(is_known, "<{name}> in a page:\n{page}");
    }
    assert_eq!(scripts, 1, "another script:\n{page}");
}

/// The names of the elements that begin in it; outside charts each attribute must be allowed.
fn elements(html: &str, is_allowed: impl Fn(&str, &str) -> bool) -> Vec<String> {
    let mut emitter = html5gum::DefaultEmitter::default();
    emitter.naively_switch_states(true);
    let (mut names, mut in_chart) = (Vec::new(), false);
    for token in Tokenizer::new_with_emitter(html, emitter) {
        let Ok(token) = token;
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match token {
            Token::StartTag(tag) => {
                let name = lossy(&tag.name);
                in_chart |= name == "svg";
                for (key, value) in &tag.attributes {
                    let (key, value) = (lossy(key), lossy(value));
                    assert!(!key.starts_with("on"), "{key} of <{name}> in:\n{html}");
                    let is_known = in_chart || is_allowed(&key, &value);
                    assert!(is_known, "{key}={value} of <{name}> in:\n{html}");
                }
                names.push(name);
            }
            Token::EndTag(tag) if &*tag.name == b"svg" => in_chart = false,
            _ => {}
        }
    }
    names
}

/// Words and choices from bytes.
struct Words<'a>(&'a [u8]);

impl Words<'_> {
    fn byte(&mut self) -> u8 {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
            [] => 0,
        }
    }

    /// Some of the next bytes as text.
    fn words(&mut self) -> String {
        let len = usize::from(self.byte() % 32).min(self.0.len());
        let (now, rest) = self.0.split_at(len);
        self.0 = rest;
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

    fn block(&mut self, depth: u8) -> Block {
        match self.byte() % 7 {
            0 => Block::heading(2 + self.byte() % 3, self.words()),
            1 => Block::Paragraph(self.text()),
            2 => Block::List((0..self.byte() % 3).map(|_| self.text()).collect()),
            3 => Block::Table(self.table()),
            4 => Block::Code(self.words() + &self.words()),
            5 if depth < 2 => Block::Folded {
                summary: self.words(),
                inside: (0..self.byte() % 3)
                    .map(|_| self.block(depth + 1))
                    .collect(),
            },
            _ => Figure {
                name: "chart".to_owned(),
                title: self.words(),
                svg: "<svg></svg>".to_owned(),
                narrow: None,
                reading: self.words(),
                table: self.table(),
                source: "records/a.csv".to_owned(),
            }
            .into(),
        }
    }

    fn document(&mut self) -> Document {
        let title = self.words();
        let mut blocks = Vec::new();
        while !self.0.is_empty() && blocks.len() < 12 {
            blocks.push(self.block(0));
        }
        Document { title, blocks }
    }
}

/// The shape that a document has in Markdown.
fn shape(document: &Document) -> Shape {
    let mut shape = Shape {
        headings: 1,
        ..Shape::default()
    };
    document.blocks.iter().for_each(|block| shape.add(block));
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
            Block::Figure(figure) => {
                self.headings += 1;
                self.images += 1;
                self.links += 1;
                if !figure.table.rows.is_empty() {
                    self.details += 1;
                    self.table(&figure.table);
                }
            }
            Block::Folded { inside, .. } => {
                self.details += 1;
                inside.iter().for_each(|block| self.add(block));
            }
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
            .filter(|span| matches!(span, bouquet_render::document::Span::Link { .. }));
        self.links += links.count();
    }
}

/// A document as Markdown.
pub fn in_markdown(data: &[u8]) {
    let document = Words(data).document();
    check_markdown(&markdown::document(&document), Some(&shape(&document)));
}

/// A document as HTML.
pub fn in_html(data: &[u8]) {
    let pages = html::pages(&Words(data).document());
    check_html(&pages.index);
    pages.tables.iter().for_each(|page| check_html(page));
}

/// Figures put between marks of any text.
pub fn into_text(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let put = |text: &str| {
        splice(text, |part| match part {
            Part::Figures => Ok(Some("| a |\n".to_owned())),
            Part::Cost(filter) => Ok((!filter.is_empty()).then(|| "costs".to_owned())),
            Part::Speed => Ok(None),
            Part::Peers => anyhow::bail!("no peers"),
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
