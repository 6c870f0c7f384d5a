//! The document as GitHub's Markdown; pictures by relative path.

use super::{
    document::{Block, Document, Figure, Span, Table, Text},
    html,
    terminal::{clean, harmless},
};

/// The whole document.
pub fn document(document: &Document) -> String {
    let mut out = String::new();
    heading(&mut out, 1, &document.title);
    for part in &document.blocks {
        block(&mut out, part);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn block(out: &mut String, block: &Block) {
    match block {
        Block::Heading(level, words) => heading(out, *level, words),
        Block::Paragraph(words) => out.push_str(&format!("{}\n\n", text(words))),
        Block::List(items) => {
            for item in items {
                out.push_str(&format!("- {}\n", text(item)));
            }
            out.push('\n');
        }
        Block::Table(part) => out.push_str(&format!("{}\n", table(part))),
        Block::Code(code) => {
            let lines: Vec<_> = code.trim_end().lines().map(clean).collect();
            out.push_str(&format!("```text\n{}\n```\n\n", lines.join("\n")));
        }
        Block::Figure(part) => figure(out, part),
        Block::Folded { summary, inside } => fold(out, summary, inside),
    }
}

fn heading(out: &mut String, level: u8, words: &str) {
    out.push_str(&format!(
        "{} {}\n\n",
        "#".repeat(level.into()),
        escape(words)
    ));
}

fn fold(out: &mut String, summary: &str, inside: &[Block]) {
    out.push_str(&format!(
        "<details>\n<summary>{}</summary>\n\n",
        html::escape(summary)
    ));
    for part in inside {
        block(out, part);
    }
    out.push_str("</details>\n\n");
}

fn figure(out: &mut String, figure: &Figure) {
    heading(out, 3, &figure.title);
    out.push_str(&format!(
        "![{}](charts/{}.svg)\n\n",
        escape(&figure.title),
        figure.name
    ));
    out.push_str(&format!("{}\n\n", escape(&figure.reading)));
    fold(
        out,
        "The figures behind it",
        &[Block::Table(figure.table.clone())],
    );
    out.push_str(&format!("Records: [{0}]({0})\n\n", figure.source));
}

/// A table, ending in a line feed.
pub fn table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let name = if table.is_answer { bars } else { escape };
    let cell = |cell: &Text| match table.is_answer {
        true => bars(&cell.words()),
        false => text(cell),
    };
    let mut out = line(table.columns.iter().map(|c| name(c.name)).collect());
    let rule = |numeric| if numeric { "---:" } else { "---" }.to_owned();
    out.push_str(&line(
        table.columns.iter().map(|c| rule(c.numeric)).collect(),
    ));
    for row in table.texts() {
        out.push_str(&line(row.iter().map(cell).collect()));
    }
    out
}

fn text(text: &Text) -> String {
    text.0.iter().map(span).collect()
}

fn span(span: &Span) -> String {
    match span {
        Span::Plain(words) => escape(words),
        Span::Strong(words) => format!("**{}**", escape(words)),
        Span::Code(words) => code(words),
        Span::Link { text, to } => format!("[{}]({to})", escape(text)),
    }
}

/// Code holds anything but its own fence; a table would end at a bar.
fn code(words: &str) -> String {
    let fence = if words.contains('`') { "``" } else { "`" };
    let pad = if words.contains('`') { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", bars(words))
}

/// Words that are Markdown already, fit for a cell: a table would end at a bar.
pub fn bars(words: &str) -> String {
    clean(words).replace('|', "\\|")
}

/// Words fit for anywhere.
pub fn escape(words: &str) -> String {
    let mut out = String::new();
    for c in words.chars() {
        match harmless(c) {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' => out.extend(['\\', c]),
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_cannot_break_a_table() {
        let wild = Table::of([()])
            .column("a", |()| "x | <b>*y*\nz\u{1b}")
            .column("#b", |()| Text::default().code("p|q`r"))
            .table();
        assert_eq!(
            table(&wild),
            "| a | b |\n| --- | ---: |\n| x \\| &lt;b>\\*y\\* z\u{fffd} | `` p\\|q`r `` |\n"
        );
    }
}
