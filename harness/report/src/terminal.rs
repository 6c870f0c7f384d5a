//! Formats text and tables for a terminal.

use std::iter;

use super::columns::{Column, Value};
use super::{
    document::{Block, Span, Table, Text},
    number,
};
use bouquet_record::{Outcome, line::clean};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Screen {
    pub colour: bool,
    /// The largest number of characters in a line; `None` for no limit.
    pub width: Option<usize>,
}

/// Colours words by the outcome, if the screen has colours.
pub(super) fn paint(words: &str, outcome: Outcome, screen: Screen) -> String {
    let code = outcome.colour();
    match screen.colour {
        true => format!("\u{1b}[1;{code}m{words}\u{1b}[0m"),
        false => words.to_owned(),
    }
}

/// Breaks words into lines that fit the screen.
pub fn lines(words: &str, screen: Screen) -> Vec<String> {
    broken(words, screen.width.unwrap_or(usize::MAX))
}

/// A verdict in its colour, followed by a line end.
pub fn verdict(words: &str, outcome: Outcome, screen: Screen) -> String {
    let lines = lines(&clean(&outcome.headline(words)), screen);
    let painted = lines.iter().map(|line| paint(line, outcome, screen));
    painted.map(|line| line + "\n").collect()
}

/// Formats blocks, one below the other.
pub fn text(blocks: &[Block], screen: Screen) -> String {
    let words = |words: &str| number::joined(lines(&clean(words), screen), "\n") + "\n";
    let parts = blocks.iter().map(|block| match block {
        Block::Heading(_, name) => words(name),
        Block::Paragraph(text) => words(&text.words()),
        Block::List(items) => {
            let items = items.iter().map(|item| words(&item.words()));
            number::joined(items, "\n")
        }
        Block::Table(part) => table(part, screen),
        Block::Code(code) => format!("{}\n", code.trim_end()),
    });
    number::joined(parts, "\n")
}

/// A table with columns aligned by blanks; a star marks bold cells. If it is too wide for the
/// screen, sentences are broken into lines. If it is still too wide, the last columns are left out,
/// and a line below names them. If only the first column fits, each row becomes a list. The line of
/// headings is left out if all headings are empty.
pub fn table(table: &Table, screen: Screen) -> String {
    let columns = &table.columns;
    let head: Vec<String> = columns.iter().map(|c| clean(c.name)).collect();
    let cell = |cell: &Text| match &cell.0[..] {
        [Span::Strong(words)] => format!("*{}", clean(words)),
        _ => clean(&cell.words()),
    };
    let body = table.texts().map(|row| row.iter().map(cell).collect());
    let lines: Vec<Vec<String>> = iter::once(head).chain(body).collect();
    let widths = fit(columns, &lines, screen.width);
    let is_list = columns.len() > 1 && widths.len() == 1;
    if let Some(width) = screen.width.filter(|_| is_list) {
        return row_by_row(&lines, width);
    }
    let without_head = lines[0].iter().all(String::is_empty);
    let set = lines.iter().skip(usize::from(without_head));
    let row = |cells: &Vec<String>| row(columns, cells, &widths, screen.width.is_some());
    let mut out: String = set.map(row).collect();
    if widths.len() < columns.len() {
        // The separator is `;`, since some headings contain a comma: "Hit, ns".
        let names = lines[0][widths.len()..].join("; ");
        out += &format!("too wide for the terminal: {names} (--wide shows all)\n");
    }
    out
}

/// Formats each row as a list: its first cell, and the other cells below it, indented.
fn row_by_row(lines: &[Vec<String>], width: usize) -> String {
    let mut out = String::new();
    for row in &lines[1..] {
        let cells = row.iter().zip(&lines[0]).enumerate();
        for (at, (cell, heading)) in cells.filter(|(_, (cell, _))| !cell.trim().is_empty()) {
            let (indent, words) = match (at, heading.as_str()) {
                (0, _) => (0, cell.clone()),
                (_, "") => (GAP.min(width - 1), cell.clone()),
                (_, heading) => (GAP.min(width - 1), format!("{heading}: {cell}")),
            };
            for line in broken(words.trim_end(), width - indent) {
                out += &format!("{:indent$}{line}\n", "");
            }
        }
    }
    out
}

/// Each row as a list, with one line per value; missing values are left out.
pub fn lists(table: &Table, screen: Screen) -> Vec<String> {
    let list = |row: &Vec<Value>| {
        let full = table.columns.iter().zip(row);
        let full = full.filter(|(_, value)| **value != Value::Nothing);
        let of = Table::answer(full.collect::<Vec<_>>().iter())
            .column("", |(column, _)| column.name)
            .column("", |(column, value)| {
                format!("{} {}", value.words(), column.unit)
            })
            .table();
        self::table(&of, screen)
    };
    table.rows.iter().map(list).collect()
}

/// The number of blanks between two columns.
const GAP: usize = 2;
/// A text column wider than `SENTENCE` is taken to have sentences. These may be broken into lines
/// of at least `LEAST` characters.
const SENTENCE: usize = 30;
const LEAST: usize = 24;
/// The largest width of a column if the screen has no limit; longer cells extend beyond it.
const WIDEST: usize = 1 << 10;

/// The widths of the columns that fit into `limit`. The first of `lines` has the headings. To make
/// the table fit, headings and sentences are broken into several lines; if this is not enough, the
/// last columns are left out, but never the first one.
fn fit(columns: &[Column], lines: &[Vec<String>], limit: Option<usize>) -> Vec<usize> {
    let longest = |at: usize, from: usize| {
        let cells = lines[from..].iter().map(|line| length(&line[at]));
        let usual = cells.filter(|length| limit.is_some() || *length <= WIDEST);
        usual.max().unwrap_or(0)
    };
    let most = limit.unwrap_or(usize::MAX);
    // The wanted width and the least width of each column.
    let column = |at: usize| {
        let heading = words(&lines[0][at]).iter().map(|word| length(word)).max();
        let cells = match longest(at, 1) {
            cells if cells > SENTENCE && !columns[at].numeric => LEAST,
            cells => cells,
        };
        (longest(at, 0).min(most), heading.unwrap_or(0).max(cells))
    };
    let (mut widths, mut least): (Vec<usize>, Vec<usize>) = (0..columns.len()).map(column).unzip();
    let fits = |widths: &[usize]| {
        let total: usize = widths.iter().map(|width| width + GAP).sum();
        total.saturating_sub(GAP) <= most
    };
    while !fits(&least) && least.len() > 1 {
        least.pop();
    }
    widths.truncate(least.len());
    while !fits(&widths) {
        let spare = widths.iter_mut().zip(&least);
        let spare = spare.filter(|(width, least)| **width > **least);
        match spare.max_by_key(|(width, _)| **width) {
            Some((widest, _)) => *widest -= 1,
            None => break,
        }
    }
    widths
}

/// One row of a table; if `is_limited`, its cells may take several lines.
fn row(columns: &[Column], cells: &[String], widths: &[usize], is_limited: bool) -> String {
    let parts = |(cell, width): (&String, &usize)| match is_limited {
        true => broken(cell, *width),
        false => vec![cell.clone()],
    };
    let parts: Vec<Vec<String>> = cells.iter().zip(widths).map(parts).collect();
    let mut out = String::new();
    for line in 0..parts.iter().map(Vec::len).max().unwrap_or(0) {
        let cell = |((column, width), parts): ((&Column, &usize), &Vec<String>)| {
            let cell = parts.get(line).map_or("", String::as_str);
            // `format!` cannot pad to more than 65,535 characters, so it is not used here.
            let room = " ".repeat(width.saturating_sub(length(cell)));
            match column.numeric {
                true => room + cell,
                false => cell.to_owned() + &room,
            }
        };
        let cells = columns.iter().zip(widths).zip(&parts).map(cell);
        let cells: Vec<String> = cells.collect();
        out += cells.join("  ").trim_end();
        out.push('\n');
    }
    out
}

fn length(cell: &str) -> usize {
    cell.chars().count()
}

/// The words of a cell; a number and its percent sign are one word.
fn words(cell: &str) -> Vec<String> {
    let joined = cell.replace(" %", "\u{a0}%");
    let words = joined.split(' ').map(|word| word.replace('\u{a0}', " "));
    words.collect()
}

/// Breaks words into lines of at most `width` characters; a longer word is split.
fn broken(cell: &str, width: usize) -> Vec<String> {
    if length(cell) <= width {
        return vec![cell.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in words(cell) {
        let letters: Vec<char> = word.chars().collect();
        for part in letters.chunks(width.max(1)) {
            let last = lines.len() - 1;
            match length(&lines[last]) {
                0 => lines[last].extend(part),
                begun if begun + 1 + letters.len() <= width => {
                    lines[last].push(' ');
                    lines[last].extend(part);
                }
                _ => lines.push(part.iter().collect()),
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide() -> Table {
        Table::of([("standard", 10.05, "pass"), ("blocked", 9.5, "fail")])
            .column("Filter", |(name, ..)| name)
            .column("Verdict", |(.., verdict)| verdict)
            .column("#FPR measured", |_| "1.00 % (0.99 to 1.01)")
            .column("#Bits per key", |(_, bits, _)| bits)
            .column("#Locations", |_| 4_096_u64)
            .table()
    }

    fn at(width: usize) -> String {
        let width = Some(width);
        table(
            &wide(),
            Screen {
                width,
                ..Screen::default()
            },
        )
    }

    #[test]
    fn headings_break_then_the_last_columns_go() {
        assert_eq!(at(300), table(&wide(), Screen::default()));
        let head = |width| at(width).lines().take(2).collect::<Vec<_>>().join("\n");
        let left_out = |width| {
            let last = at(width).lines().last().unwrap_or_default().to_owned();
            let names = last.strip_prefix("too wide for the terminal: ")?;
            names.strip_suffix(" (--wide shows all)").map(str::to_owned)
        };
        assert_eq!(
            head(60),
            "Filter    Verdict           FPR measured     Bits  Locations\n                                          per key"
        );
        assert_eq!(left_out(60), None);
        assert_eq!(left_out(48).as_deref(), Some("Locations"));
        assert_eq!(left_out(40).as_deref(), Some("Bits per key; Locations"));
        let all = "FPR measured; Bits per key; Locations";
        assert_eq!(left_out(35).as_deref(), Some(all));
        // If the screen is too narrow for a table, each row becomes a list.
        assert_eq!(
            at(12),
            "standard\n  Verdict:\n  pass\n  FPR\n  measured:\n  1.00 %\n  (0.99 to\n  1.01)\n  \
             Bits per\n  key: 10.05\n  Locations:\n  4,096\nblocked\n  Verdict:\n  fail\n  FPR\n  \
             measured:\n  1.00 %\n  (0.99 to\n  1.01)\n  Bits per\n  key: 9.5\n  Locations:\n  4,096\n"
        );
        // A name that is wider than the screen is broken into lines.
        assert_eq!(head(5), "stand\nard");
    }

    #[test]
    fn a_sign_stays_with_its_figure() {
        let cell = |_: ()| "60,221 of 3,539,724 (1.7 %)";
        let of = Table::of([()]).column("a", |()| "b").column("#c", cell);
        let screen = Screen {
            width: Some(18),
            ..Screen::default()
        };
        let text = table(&of.table(), screen);
        assert!(text.ends_with(" (1.7 %)\n"), "{text}");
    }

    #[test]
    fn a_list_has_its_values_however_narrow() {
        let of = Table::answer([()])
            .column("estimated_keys", |()| 1_000_u64)
            .unit("keys, from the slots")
            .table();
        let list = |width| {
            let screen = Screen {
                width: Some(width),
                ..Screen::default()
            };
            lists(&of, screen).concat()
        };
        for width in 42..80 {
            assert_eq!(list(width), "estimated_keys  1,000 keys, from the slots\n");
        }
        assert_eq!(list(41), "estimated_keys\n  1,000 keys, from the slots\n");
        assert_eq!(
            list(20),
            "estimated_keys\n  1,000 keys, from\n  the slots\n"
        );
    }

    #[test]
    fn sentences_take_several_lines() {
        let about = "Fills a filter over its capacity and asks it for members and non-members";
        let of = Table::of([()])
            .column("name", |()| "load")
            .column("about", |()| about);
        let screen = Screen {
            width: Some(40),
            ..Screen::default()
        };
        assert_eq!(
            table(&of.table(), screen),
            "name  about\nload  Fills a filter over its capacity\n      and asks it for members \
             and\n      non-members\n"
        );
    }

    #[test]
    fn a_cell_is_as_long_as_it_likes_and_the_others_are_not_padded_to_it() {
        for length in [1_024, 65_535, 65_536, 1 << 20] {
            let key = "k".repeat(length);
            let keys = ["a", &key, "b"];
            let long = Table::of(keys)
                .column("Key", |key| key)
                .column("#Bytes", |key| key.len() as u64)
                .table();
            let text = table(&long, Screen::default());
            assert_eq!(text.lines().count(), 4, "{length}");
            assert!(text.contains(&key), "{length}");
            assert!(text.len() < length + 10_000, "{length}");
            let screen = Screen {
                width: Some(40),
                ..Screen::default()
            };
            let text = table(&long, screen);
            assert_eq!(text.matches('k').count(), length);
            assert!(text.lines().all(|line| line.len() <= 40), "{length}");
        }
    }
}
