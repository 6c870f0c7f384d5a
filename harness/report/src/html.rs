//! Writes a report as one HTML file that contains the styles, the charts and a script. Everything
//! is readable without the script, and the browser loads no other files.

use std::collections::HashSet;

use super::{
    columns::Column,
    document::{Block, Document, Figure, Span, Table, Text},
    explore, looks, number,
};
use bouquet_record::line::harmless;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
const EXPLORE: &str = include_str!("explore.js");
// Only pages read without a script show files as pictures.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      img-src 'self' file:";
const HOW: &str = "Lines are theory, bars 95 % intervals. Point at a mark for its values, or take the \
    arrow keys; drag over a part to see it larger, or press + and -. A name below the chart hides its \
    filter; with Shift, or by the key O, that filter stands alone.";

pub fn document(document: &Document) -> String {
    let mut writer = Writer::default();
    let mut body = writer.blocks(&document.blocks);
    let mut scripts = vec![SCRIPT];
    if let Some(data) = &document.explore {
        body += &writer.explore(data);
        scripts.push(EXPLORE);
    }
    writer.is_explored = document.explore.is_some();
    if !document.figures.is_empty() {
        body += &writer.block(&Block::heading(2, "Charts"));
        let figures = document.figures.iter();
        body.extend(figures.map(|part| writer.figure(part)));
    }
    writer.is_folding = true;
    body += &writer.blocks(&document.details);
    let (title, contents) = (escape(&document.title), writer.contents());
    let skip = match contents.is_empty() {
        true => "",
        false => "<a class=\"skip\" href=\"#content\">Skip the contents</a>\n",
    };
    let (charts, scripts) = (looks::style_sheet(), scripts.concat());
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
         name=\"color-scheme\" content=\"light dark\">\n<meta \
         http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>{title}</title>\n\
         <style>\n{STYLE}{charts}</style>\n</head>\n<body>\n{skip}<main>\n<h1 \
         id=\"top\">{title}</h1>\n{contents}<div id=\"content\" \
         tabindex=\"-1\">\n{body}</div>\n</main>\n<script>\n{scripts}</script>\n</body>\n</html>\n"
    )
}

/// Escapes text for an HTML element or a quoted attribute.
pub fn escape(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            // HTML allows no other control characters.
            c => out.push(harmless(c)),
        }
    }
    out
}

/// Writes blocks, and remembers their ids and headings.
#[derive(Default)]
struct Writer {
    ids: HashSet<String>,
    /// The ids and headings of the sections.
    sections: Vec<(String, String)>,
    /// The last heading, which names the tables below it.
    heading: String,
    /// Whether tables are hidden until the reader opens them.
    is_folding: bool,
    /// Whether the Explore view stands for some figures.
    is_explored: bool,
}

impl Writer {
    fn blocks(&mut self, blocks: &[Block]) -> String {
        blocks.iter().map(|part| self.block(part)).collect()
    }

    fn block(&mut self, block: &Block) -> String {
        match block {
            Block::Heading(level, words) => {
                let id = self.id(words);
                self.heading.clone_from(words);
                if *level == 2 {
                    self.sections.push((id.clone(), words.clone()));
                }
                format!("<h{level} id=\"{id}\">{}</h{level}>\n", escape(words))
            }
            Block::Paragraph(words) => format!("<p>{}</p>\n", text(words)),
            Block::List(items) => {
                let item = |item| format!("<li>{}</li>\n", text(item));
                format!(
                    "<ul>\n{}</ul>\n",
                    items.iter().map(item).collect::<String>()
                )
            }
            Block::Table(part) if self.is_folding => on_demand(&self.heading, part),
            Block::Table(part) => table(part),
            Block::Code(code) => format!("<pre><code>{}</code></pre>\n", escape(code)),
        }
    }

    /// A chart in which the reader chooses what to see, from data as JSON.
    fn explore(&mut self, data: &str) -> String {
        let heading = self.block(&Block::heading(2, "Explore"));
        // A name could otherwise end the script.
        let data = data.replace('<', "\\u003c").replace('&', "\\u0026");
        format!(
            "{heading}<section id=\"explore-view\" class=\"chart\" aria-label=\"Explore\" hidden=\"\">\n\
             <p>{HOW}</p>\n</section>\n<noscript><p>Without scripts, the charts below stand \
             in its place.</p></noscript>\n<script type=\"application/json\" \
             id=\"explore-data\">{data}</script>\n"
        )
    }

    fn figure(&mut self, figure: &Figure) -> String {
        // The figure's id is its name, which is reserved here so that no heading gets it.
        self.ids.insert(figure.name.clone());
        let heading = self.id(&format!("{} finding", figure.name));
        let (name, svg) = (escape(&figure.name), &figure.svg);
        let words = [&figure.title, &figure.finding, &figure.reading];
        let [title, finding, reading] = words.map(|words| escape(words));
        if self.is_explored && explore::CHARTS.contains(&&*figure.name) {
            return format!(
                "<noscript><figure id=\"{name}\">\n<h3 id=\"{heading}\">{title}</h3>\n\
                 <p>{finding}</p>\n<img src=\"charts/{name}.svg\" \
                 alt=\"{title}\"/>\n<figcaption>{reading}</figcaption>\n</figure></noscript>\n"
            );
        }
        let data = match figure.table.rows.is_empty() {
            true => String::new(),
            false => on_demand("Data", &figure.table),
        };
        format!(
            "<figure id=\"{name}\">\n<h3 id=\"{heading}\">{title}</h3>\n<p>{finding}</p>\n<div \
             class=\"plot\">{svg}</div>\n<figcaption>{reading}</figcaption>\n{data}</figure>\n"
        )
    }

    /// An id that no other element of the page has.
    fn id(&mut self, words: &str) -> String {
        let parts = words.split(|c: char| !c.is_ascii_alphanumeric());
        let parts = parts.filter(|part| !part.is_empty()).take(8);
        let name = number::joined(parts, "-").to_ascii_lowercase();
        let (mut id, mut number) = (name.clone(), 1);
        while id.is_empty() || !self.ids.insert(id.clone()) {
            number += 1;
            id = format!("{name}-{number}");
        }
        id
    }

    /// The table of contents; empty for a page without sections.
    fn contents(&self) -> String {
        if self.sections.is_empty() {
            return String::new();
        }
        let item = |(id, words): &(String, String)| {
            format!("<li><a href=\"#{id}\">{}</a></li>\n", escape(words))
        };
        format!(
            "<nav aria-label=\"Contents\">\n<ul>\n{}</ul>\n</nav>\n",
            self.sections.iter().map(item).collect::<String>()
        )
    }
}

/// A table that is hidden until the reader opens it.
fn on_demand(name: &str, part: &Table) -> String {
    let rows = number::plural(part.rows.len() as u64, "row");
    let (summary, inside) = (escape(&format!("{name}: {rows}")), table(part));
    format!("<details>\n<summary>{summary}</summary>\n{inside}</details>\n")
}

fn table(table: &Table) -> String {
    let class = |numeric| if numeric { " class=\"n\"" } else { "" };
    let head = table.columns.iter().map(|column| {
        let (class, name) = (class(column.numeric), escape(column.name));
        format!("<th scope=\"col\"{class}>{name}</th>")
    });
    let row = |row: Vec<Text>| {
        let cells = row.iter().zip(&table.columns);
        let cell = |(cell, column): (&Text, &Column)| {
            format!("<td{}>{}</td>", class(column.numeric), text(cell))
        };
        format!("<tr>{}</tr>\n", cells.map(cell).collect::<String>())
    };
    format!(
        "<div class=\"wide\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n\
         </table></div>\n",
        head.collect::<String>(),
        table.texts().map(row).collect::<String>()
    )
}

fn text(text: &Text) -> String {
    text.0.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Plain(words) => escape(words),
        Span::Strong(words) => format!("<strong>{}</strong>", escape(words)),
        Span::Code(words) => format!("<code>{}</code>", escape(words)),
        Span::Link { text, to } => format!("<a href=\"{}\">{}</a>", escape(to), escape(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_heading_has_an_id_of_its_own() {
        let figure = |name: &str| Figure {
            name: name.to_owned(),
            title: "A finding".to_owned(),
            finding: String::new(),
            svg: "<svg></svg>".to_owned(),
            reading: String::new(),
            table: Table::default(),
            data: Vec::new(),
        };
        let document = document(&Document {
            title: "A report".to_owned(),
            blocks: vec![Block::heading(4, "Size finding")],
            figures: vec![figure("size"), figure("speed")],
            details: vec![Block::heading(3, "A finding")],
            explore: None,
        });
        let page = document.split("<main>").nth(1).unwrap();
        let headings = page.matches("<h").count();
        let ids = page.split("<h").skip(1).map(|rest| {
            let (_, rest) = rest.split_once(" id=\"").unwrap();
            rest.split('"').next().unwrap()
        });
        let ids: HashSet<&str> = ids.collect();
        assert_eq!((headings, ids.len()), (6, 6), "{page}");
        assert!(page.contains("<h3 id=\"speed-finding\">"), "{page}");
    }

    #[test]
    fn what_was_read_cannot_break_a_page() {
        assert_eq!(
            escape("<a b=\"c\">&\u{1}"),
            "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}"
        );
    }
}
