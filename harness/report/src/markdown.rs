//! Writes a report as GitHub's Markdown. Charts are linked by relative paths. The details are only
//! in the HTML page, which is linked.

use super::{
    columns::Column,
    document::{Block, Document, Figure, Span, Table, Text},
    number,
};
use bouquet_record::line::{clean, harmless};

const PAGE: &str = "[index.html](index.html)";

pub fn document(document: &Document) -> String {
    let mut all = heading(1, &document.title);
    all.extend(document.blocks.iter().map(block));
    if !document.figures.is_empty() {
        all += &heading(2, "Charts");
        all.extend(document.figures.iter().map(figure));
    }
    if !document.details.is_empty() {
        all += &heading(2, "Details");
        all += &format!(
            "The data of the charts, all other tables and how this was made: {PAGE}. Raw rows: \
             [records](records/).\n"
        );
    }
    all.trim_end().to_owned() + "\n"
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, words) => heading(*level, words),
        Block::Paragraph(words) => format!("{}\n\n", begun(&text(words))),
        Block::List(items) => {
            let item = |item| format!("- {}\n", begun(&text(item)));
            items.iter().map(item).collect::<String>() + "\n"
        }
        Block::Table(part) => first_rows(part),
        Block::Code(code) => {
            let code = number::joined(code.trim_end().lines().map(clean), "\n");
            let fence = fence(&code, 3);
            format!("{fence}text\n{code}\n{fence}\n\n")
        }
    }
}

fn heading(level: u8, words: &str) -> String {
    format!("{} {}\n\n", "#".repeat(level.into()), escape(words))
}

fn figure(figure: &Figure) -> String {
    format!(
        "{}{}\n\n![{}]({})\n\n",
        heading(3, &figure.title),
        begun(&escape(&figure.finding)),
        escape(&figure.title),
        destination(&format!("charts/{}.svg", figure.name))
    )
}

/// The largest number of rows of a table; the HTML page has all rows.
const MOST_ROWS: usize = 40;

fn first_rows(part: &Table) -> String {
    let more = part.rows.len().saturating_sub(MOST_ROWS) as u64;
    let mut first = part.clone();
    first.rows.truncate(MOST_ROWS);
    let rest = format!("And {} more, in {PAGE}.\n\n", number::count(more));
    table(&first) + "\n" + if more > 0 { &rest } else { "" }
}

/// A table with its name above it.
pub fn titled(name: &str, part: &Table) -> String {
    format!("{}\n\n{}", begun(&escape(name)), table(part))
}

/// A table, ending in a line feed.
pub fn table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let cell = |cell: &Text| cell.0.iter().map(cell_span).collect();
    let head = table.columns.iter().map(|c| escape(c.name));
    let rule = |c: &Column| if c.numeric { "---:" } else { "---" }.to_owned();
    let rules = table.columns.iter().map(rule);
    let mut out = line(head.collect()) + &line(rules.collect());
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
        Span::Link { text, to } => format!("[{}]({})", escape(text), destination(to)),
    }
}

/// Formats a span in a table cell, where a `|` would end the cell, even in code.
fn cell_span(part: &Span) -> String {
    match part {
        // In a table cell, backticks cannot contain a backslash followed by `|`.
        Span::Code(words) if words.contains("\\|") => format!("<code>{}</code>", escape(words)),
        Span::Code(words) => code(words).replace('|', "\\|"),
        other => span(other),
    }
}

/// Percent-encodes all bytes except ASCII letters, digits and those in `kept`.
pub fn encoded(to: &str, kept: &[u8]) -> String {
    let encode = |byte: u8| match byte.is_ascii_alphanumeric() || kept.contains(&byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    to.bytes().map(encode).collect()
}

/// The target of a link, with all characters escaped that could end the link.
fn destination(to: &str) -> String {
    encoded(to, b"-._/:#%")
}

/// A fence of at least `least` backticks that is longer than any run of backticks in the code.
fn fence(code: &str, least: usize) -> String {
    let runs = code.split(|c| c != '`').map(str::len);
    "`".repeat(least.max(1 + runs.max().unwrap_or_default()))
}

/// Formats inline code.
pub fn code(words: &str) -> String {
    let words = clean(words);
    if words.is_empty() {
        return words;
    }
    let fence = fence(&words, 1);
    // Markdown strips one space at each end of code that begins and ends with a space.
    let is_spaced = words.starts_with(' ') && words.ends_with(' ') && !words.trim().is_empty();
    let pad = " ".repeat((is_spaced || words.contains('`')).into());
    format!("{fence}{pad}{words}{pad}{fence}")
}

/// Escapes text at the beginning of a line, where it could start a quotation or a list.
fn begun(words: &str) -> String {
    let words = words.trim_start();
    let (first, rest) = words.split_at(words.bytes().take_while(u8::is_ascii_digit).count());
    let is_mark = match first {
        "" => rest.starts_with(['>', '-', '+']),
        _ => rest.starts_with(['.', ')']),
    };
    format!("{first}{}{rest}", if is_mark { "\\" } else { "" })
}

/// Escapes words for any place except the beginning of a line.
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
    // A `!` before a link would make it an image.
    if out.ends_with('!') {
        out.insert(out.len() - 1, '\\');
    }
    unlinked(&out)
}

/// Escapes addresses, which GitHub turns into links even if they have no link syntax.
pub fn unlinked(escaped: &str) -> String {
    escaped
        .replace("://", "&#58;//")
        .replace("www.", "www&#46;")
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

    /// A recorded command or a file name can contain any number of backticks.
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
    }

    /// A `|` in code is escaped only in a table: elsewhere the backslash would show.
    #[test]
    fn code_is_as_it_was_within_a_table_and_without() {
        let cases = [
            ("a|b", "`a|b`", "`a\\|b`"),
            ("a\\|<b>", "`a\\|<b>`", "<code>a\\\\\\|&lt;b></code>"),
            (" a ", "`  a  `", "`  a  `"),
            (" ", "` `", "` `"),
            ("", "", ""),
            ("a\n\n# b", "`a  # b`", "`a  # b`"),
        ];
        for (words, line, cell) in cases {
            assert_eq!(code(words), line);
            assert_eq!(cell_span(&Span::Code(words.into())), cell);
        }
    }

    /// Commands also print names of files and filters that others chose, which must be escaped.
    #[test]
    fn an_answer_is_text_too() {
        let wild = Table::answer(["<script>x</script>", "a|`b`\n\n# c", "[d](e) _f_"])
            .column("a_b", |words| words)
            .table();
        assert_eq!(
            table(&wild),
            "| a\\_b |\n| --- |\n| &lt;script>x&lt;/script> |\n| a\\|\\`b\\`  \\# c |\n\
             | \\[d\\](e) \\_f\\_ |\n"
        );
        let named = titled("1. <b>", &Table::of([()]).column("a", |()| "").table());
        assert_eq!(named, "1\\. &lt;b>\n\n| a |\n| --- |\n|  |\n");
    }

    #[test]
    fn an_address_that_was_read_is_no_link() {
        let cases = [
            ("see https://a.b/c_d", "see https&#58;//a.b/c\\_d"),
            ("ftp://www.a.b:80", "ftp&#58;//www&#46;a.b:80"),
            ("a: b // c www", "a: b // c www"),
        ];
        for (words, wanted) in cases {
            assert_eq!(escape(words), wanted);
        }
    }

    /// A paragraph or a list item may begin with characters that start a list or a quotation.
    #[test]
    fn words_at_the_begin_of_a_line_are_words() {
        let cases = [
            ("- a", "\\- a"),
            ("+ a", "\\+ a"),
            ("-", "\\-"),
            ("- - -", "\\- - -"),
            ("---", "\\---"),
            ("> a", "\\> a"),
            (">a", "\\>a"),
            ("12. a", "12\\. a"),
            ("3) a", "3\\) a"),
            ("    a", "a"),
            ("# a", "\\# a"),
            ("\n\n- a", "\\- a"),
            ("-1 a", "\\-1 a"),
            ("1.5 a", "1\\.5 a"),
            ("a - b > c", "a - b > c"),
        ];
        for (words, wanted) in cases {
            let paragraph = block(&Block::Paragraph(words.into()));
            assert_eq!(paragraph, format!("{wanted}\n\n"));
            let list = block(&Block::List(vec![words.into()]));
            assert_eq!(list, format!("- {wanted}\n\n"));
        }
    }

    #[test]
    fn a_long_table_goes_on_in_the_page() {
        let rows = |rows| {
            let long = Table::of(vec![(); rows]).column("a", |()| "x").table();
            block(&Block::Table(long))
        };
        assert!(!rows(MOST_ROWS).contains("more"));
        let long = rows(MOST_ROWS + 2);
        assert!(long.ends_with("| x |\n\nAnd 2 more, in [index.html](index.html).\n\n"));
        assert_eq!(long.matches("| x |").count(), MOST_ROWS);
    }

    #[test]
    fn a_link_ends_where_it_should() {
        let link = Text::default().link("a](b)", "x.svg)<img src=y>\n[z](w");
        let wanted = "[a\\](b)](x.svg%29%3Cimg%20src%3Dy%3E%0A%5Bz%5D%28w)";
        assert_eq!(text(&link), wanted);
        let link = Text::default().plain("a! b!").link("c", "d.csv");
        assert_eq!(text(&link), "a! b\\![c](d.csv)");
    }
}
