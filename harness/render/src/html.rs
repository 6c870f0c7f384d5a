//! The document as one HTML file: styles, pictures and a script of ours inside.
//! Without the script everything is there to read; the browser is told to load
//! nothing else.

use super::document::{Block, Document, Figure, Span, Table, Text};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The whole page.
pub fn document(document: &Document) -> String {
    let title = escape(&document.title);
    let mut body = format!("<h1>{title}</h1>\n");
    for part in &document.blocks {
        block(&mut body, part);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta \
         name=\"color-scheme\" content=\"light dark\">\n<meta \
         http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n<title>{title}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n\
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
            // No other control character may stand in a document.
            c if c.is_control() && !matches!(c, '\n' | '\t') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

fn block(out: &mut String, block: &Block) {
    match block {
        Block::Heading(level, words) => {
            out.push_str(&format!("<h{level}>{}</h{level}>\n", escape(words)));
        }
        Block::Paragraph(words) => out.push_str(&format!("<p>{}</p>\n", text(words))),
        Block::List(items) => {
            out.push_str("<ul>\n");
            for item in items {
                out.push_str(&format!("<li>{}</li>\n", text(item)));
            }
            out.push_str("</ul>\n");
        }
        Block::Table(part) => table(out, part),
        Block::Code(code) => {
            out.push_str(&format!("<pre><code>{}</code></pre>\n", escape(code)));
        }
        Block::Figure(part) => figure(out, part),
        Block::Folded { summary, inside } => fold(out, summary, inside),
    }
}

fn fold(out: &mut String, summary: &str, inside: &[Block]) {
    out.push_str(&format!(
        "<details>\n<summary>{}</summary>\n",
        escape(summary)
    ));
    for part in inside {
        block(out, part);
    }
    out.push_str("</details>\n");
}

fn figure(out: &mut String, figure: &Figure) {
    out.push_str(&format!(
        "<figure id=\"{}\">\n<h3>{}</h3>\n<div class=\"picture\">{}</div>\n\
         <figcaption>{}</figcaption>\n",
        escape(&figure.name),
        escape(&figure.title),
        figure.svg,
        escape(&figure.reading)
    ));
    fold(
        out,
        "The figures behind it",
        &[Block::Table(figure.table.clone())],
    );
    let source = escape(&figure.source);
    out.push_str(&format!(
        "<p class=\"source\">Records: <a href=\"{source}\">{source}</a></p>\n</figure>\n"
    ));
}

fn table(out: &mut String, table: &Table) {
    let class = |numeric| if numeric { " class=\"n\"" } else { "" };
    out.push_str("<div class=\"wide\"><table>\n<thead><tr>");
    for column in &table.columns {
        let head = escape(column.name);
        out.push_str(&format!(
            "<th scope=\"col\"{}>{head}</th>",
            class(column.numeric)
        ));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in table.texts() {
        out.push_str("<tr>");
        for (cell, column) in row.iter().zip(&table.columns) {
            out.push_str(&format!("<td{}>{}</td>", class(column.numeric), text(cell)));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
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
