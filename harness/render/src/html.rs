//! The document as one HTML file: styles, charts and a script of ours inside.
//! Without the script everything is there to read; the browser must load
//! nothing else.

use super::{
    columns::Column,
    document::{Block, Document, Figure, Span, Table, Text},
};
use bouquet_ground::line::harmless;

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The whole page.
pub fn document(document: &Document) -> String {
    let title = escape(&document.title);
    let body = blocks(&document.blocks);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
         name=\"color-scheme\" content=\"light dark\">\n<meta \
         http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n{body}</main>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n"
    )
}

/// Text fit for an element or a quoted attribute.
pub fn escape(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            // No other control character may be in a document.
            c => out.push(harmless(c)),
        }
    }
    out
}

fn blocks(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, words) => format!("<h{level}>{}</h{level}>\n", escape(words)),
        Block::Paragraph(words) => format!("<p>{}</p>\n", text(words)),
        Block::List(items) => {
            let item = |item| format!("<li>{}</li>\n", text(item));
            format!(
                "<ul>\n{}</ul>\n",
                items.iter().map(item).collect::<String>()
            )
        }
        Block::Table(part) => table(part),
        Block::Code(code) => format!("<pre><code>{}</code></pre>\n", escape(code)),
        Block::Figure(part) => figure(part),
        Block::Folded { summary, inside } => fold(summary, &blocks(inside)),
    }
}

fn fold(summary: &str, inside: &str) -> String {
    let summary = escape(summary);
    format!("<details>\n<summary>{summary}</summary>\n{inside}</details>\n")
}

fn figure(figure: &Figure) -> String {
    let source = escape(&figure.source);
    format!(
        "<figure id=\"{}\">\n<h3>{}</h3>\n<div class=\"plot\">{}</div>\n\
         <figcaption>{}</figcaption>\n{}<p class=\"source\">Records: \
         <a href=\"{source}\">{source}</a></p>\n</figure>\n",
        escape(&figure.name),
        escape(&figure.title),
        figure.svg,
        escape(&figure.reading),
        fold("Data", &table(&figure.table))
    )
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
    fn what_was_read_cannot_break_a_page() {
        assert_eq!(
            escape("<a b=\"c\">&\u{1}"),
            "&lt;a b=&quot;c&quot;&gt;&amp;\u{fffd}"
        );
    }
}
