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
            let code = lines.join("\n");
            let fence = fence(&code, 3);
            format!("{fence}text\n{code}\n{fence}\n\n")
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

/// Backticks that no run in the code ends: one more than the longest has.
fn fence(code: &str, least: usize) -> String {
    let runs = code.split(|c| c != '`').map(str::len);
    "`".repeat(least.max(1 + runs.max().unwrap_or_default()))
}

/// Code within a line, fit for a cell too.
pub fn code(words: &str) -> String {
    // A table would end the cell at that bar, and code has no other way to write it.
    if words.contains("\\|") {
        return format!("<code>{}</code>", escape(words));
    }
    let fence = fence(words, 1);
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

    /// A recorded command and a file name can have any backticks.
    #[test]
    fn no_code_ends_before_its_fence() {
        for run in 0..6 {
            let inside = format!("a{}b", "`".repeat(run));
            let page = block(&Block::Code(format!("{inside}\n<script>")));
            let lines: Vec<&str> = page.trim_end().lines().collect();
            let fence = "`".repeat(3.max(run + 1));
            let wanted = [&*format!("{fence}text"), &inside, "<script>", &fence];
            assert_eq!(lines, wanted);
            let fence = "`".repeat(run + 1);
            let pad = if run > 0 { " " } else { "" };
            assert_eq!(code(&inside), format!("{fence}{pad}{inside}{pad}{fence}"));
        }
        assert_eq!(code("`` ` ```"), "```` `` ` ``` ````");
        assert_eq!(code("a\\|<b>"), "<code>a\\\\\\|&lt;b></code>");
    }
}
