//! The document as GitHub's Markdown; charts by relative path.

use super::{
    document::{Block, Document, Figure, Span, Table, Text},
    html,
};
use bouquet_ground::line::{clean, harmless};

/// The whole document.
pub fn document(document: &Document) -> String {
    let all = heading(1, &document.title) + &blocks(&document.blocks);
    all.trim_end().to_owned() + "\n"
}

fn blocks(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect()
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, words) => heading(*level, words),
        Block::Paragraph(words) => format!("{}\n\n", text(words)),
        Block::List(items) => {
            let item = |item| format!("- {}\n", text(item));
            items.iter().map(item).collect::<String>() + "\n"
        }
        Block::Table(part) => table(part) + "\n",
        Block::Code(code) => {
            let lines: Vec<_> = code.trim_end().lines().map(clean).collect();
            format!("```text\n{}\n```\n\n", lines.join("\n"))
        }
        Block::Figure(part) => figure(part),
        Block::Folded { summary, inside } => fold(summary, &blocks(inside)),
    }
}

fn heading(level: u8, words: &str) -> String {
    format!("{} {}\n\n", "#".repeat(level.into()), escape(words))
}

fn fold(summary: &str, inside: &str) -> String {
    let summary = html::escape(summary);
    format!("<details>\n<summary>{summary}</summary>\n\n{inside}</details>\n\n")
}

fn figure(figure: &Figure) -> String {
    let data = match figure.table.rows.is_empty() {
        true => String::new(),
        false => fold("Data", &(table(&figure.table) + "\n")),
    };
    format!(
        "{}![{}](charts/{}.svg)\n\n{}\n\n{data}Records: [{4}]({4})\n\n",
        heading(3, &figure.title),
        escape(&figure.title),
        figure.name,
        escape(&figure.reading),
        figure.source
    )
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
