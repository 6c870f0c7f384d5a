//! Formats words and tables for a terminal.

mod fit;

use self::fit::{Fit, GAP, broken};
use super::columns::{Column, Value};
use super::document::Table;
use bouquet_ground::{Outcome, line::clean};

/// The properties of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Screen {
    pub colour: bool,
    /// The largest number of characters in a line; `None` for no limit.
    pub width: Option<usize>,
}

/// Paints words in the colour of the outcome, if the screen has colours.
pub(super) fn paint(words: &str, outcome: Outcome, screen: Screen) -> String {
    let code = outcome.colour();
    if screen.colour {
        format!("\u{1b}[1;{code}m{words}\u{1b}[0m")
    } else {
        words.to_owned()
    }
}

/// Breaks words into lines that fit the screen.
pub fn lines(words: &str, screen: Screen) -> Vec<String> {
    match screen.width {
        Some(width) => broken(words, width),
        None => vec![words.to_owned()],
    }
}

/// A verdict in its colour, followed by a line end.
pub fn verdict(words: &str, outcome: Outcome, screen: Screen) -> String {
    let lines = lines(&clean(&outcome.headline(words)), screen).into_iter();
    lines
        .map(|line| paint(&line, outcome, screen) + "\n")
        .collect()
}

/// A table with columns aligned by blanks. If it is too wide for the screen, sentences are broken
/// into several lines and columns are left out, which a line below says; if only the first column
/// fits, each row becomes a list. A table without headings begins with its first row.
pub fn table(table: &Table, screen: Screen) -> String {
    let head: Vec<String> = table.columns.iter().map(|c| clean(c.name)).collect();
    let body = table
        .texts()
        .map(|row| row.iter().map(|cell| clean(&cell.words())).collect());
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(body).collect();
    let fit = Fit::of(&table.columns, &lines, screen.width);
    let (out, left_out) = match screen.width.filter(|_| fit.is_first_alone()) {
        Some(width) => row_by_row(&table.columns, &lines, width),
        None => {
            let has_headings = lines[0].iter().any(|heading| !heading.is_empty());
            let set = lines.iter().skip(usize::from(!has_headings));
            (
                set.map(|line| fit.line(line)).collect(),
                fit.left_out().collect(),
            )
        }
    };
    if left_out.is_empty() {
        return out;
    }
    let names: Vec<&str> = left_out.iter().map(|at| &*lines[0][*at]).collect();
    // The separator is `;`, since some headings contain a comma: "Hit, ns".
    let names = names.join("; ");
    format!("{out}too wide for the terminal: {names} (--wide shows all)\n")
}

/// Each row as a list below its first cell, and the indices of the columns left out. If any column
/// has a rank, only those with a rank are listed.
fn row_by_row(columns: &[Column], lines: &[Vec<String>], width: usize) -> (String, Vec<usize>) {
    let any_kept = columns.iter().any(|column| column.kept > 0);
    let (listed, left_out): (Vec<usize>, Vec<usize>) =
        (1..columns.len()).partition(|at| columns[*at].kept > 0 || !any_kept);
    let indent = GAP.min(width.saturating_sub(1));
    let mut out = String::new();
    for row in &lines[1..] {
        let name = (0, row[0].clone());
        let full = listed.iter().filter(|at| !row[**at].trim().is_empty());
        let rest = full.map(|at| match &*lines[0][*at] {
            "" => (indent, row[*at].clone()),
            heading => (indent, format!("{heading}: {}", row[*at])),
        });
        for (indent, cell) in std::iter::once(name).chain(rest) {
            for line in broken(cell.trim_end(), width - indent) {
                out += &format!("{:indent$}{line}\n", "");
            }
        }
    }
    (out, left_out)
}

/// Each row as a list, with one line per value that it has.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn wide() -> Table {
        Table::of([("standard", 10.05, "pass"), ("blocked", 9.5, "fail")])
            .column("Filter", |(name, ..)| name)
            .column("#Bits per key", |(_, bits, _)| bits)
            .column("#FPR measured", |_| "1.00 % (0.99 to 1.01)")
            .kept(1)
            .column("#Locations", |_| 4_096_u64)
            .column("Verdict", |(.., verdict)| verdict)
            .kept(2)
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
    fn headings_break_then_columns_go_then_cells_break_and_what_matters_goes_last() {
        assert_eq!(at(300), table(&wide(), Screen::default()));
        let head = |width| at(width).lines().take(2).collect::<Vec<_>>().join("\n");
        let left_out = |width| {
            let last = at(width).lines().last().unwrap_or_default().to_owned();
            let names = last.strip_prefix("too wide for the terminal: ")?;
            names.strip_suffix(" (--wide shows all)").map(str::to_owned)
        };
        assert_eq!(
            head(60),
            "Filter       Bits           FPR measured  Locations  Verdict\n          per key"
        );
        assert_eq!(left_out(60), None);
        assert_eq!(left_out(48).as_deref(), Some("Locations"));
        assert_eq!(left_out(40).as_deref(), Some("Bits per key; Locations"));
        assert_eq!(
            at(35).lines().take(3).collect::<Vec<_>>(),
            [
                "Filter        FPR measured  Verdict",
                "standard   1.00 % (0.99 to  pass",
                "                     1.01)"
            ]
        );
        assert_eq!(
            left_out(20).as_deref(),
            Some("Bits per key; FPR measured; Locations")
        );
        // If the screen is too narrow for a table, each row becomes a list.
        assert_eq!(
            at(12),
            "standard\n  FPR\n  measured:\n  1.00 %\n  (0.99 to\n  1.01)\n  Verdict:\n  pass\n\
             blocked\n  FPR\n  measured:\n  1.00 %\n  (0.99 to\n  1.01)\n  Verdict:\n  fail\n\
             too wide for the terminal: Bits per key; Locations (--wide shows all)\n"
        );
        // A name that is too long is broken.
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
        let text = table(&of.kept(1).table(), screen);
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
