//! Words and tables on a terminal.

mod fit;

use self::fit::Fit;
use super::columns::Value;
use super::document::Table;
use bouquet_ground::{Outcome, line::clean};

/// What a terminal takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Screen {
    pub colour: bool,
    /// So many characters a line; without a bound none is too long.
    pub width: Option<usize>,
    /// No character but those of ASCII.
    pub ascii: bool,
}

/// In the colour of the outcome, if colours are taken.
pub(super) fn paint(words: &str, outcome: Outcome, screen: Screen) -> String {
    let code = outcome.colour();
    if screen.colour {
        format!("\u{1b}[1;{code}m{words}\u{1b}[0m")
    } else {
        words.to_owned()
    }
}

/// What stands in ASCII for the characters that tables and verdicts have.
const IN_ASCII: [(&[char], &str); 14] = [
    (&['–', '−', '‑'], "-"),
    (&['—', '─'], "--"),
    (&['…'], "..."),
    (&['×'], "x"),
    (&['≤'], "<="),
    (&['≥'], ">="),
    (&['≈'], "~"),
    (&['→'], "->"),
    (&['µ', 'μ'], "u"),
    (&['│'], "|"),
    (&['█', '▉', '▊', '▋', '▌'], "#"),
    (&['▍', '▎', '▏'], " "),
    (&['✓'], "+"),
    (&['✗', '∅'], "!"),
];

/// In ASCII alone; what has no likeness there is a question mark.
pub fn ascii(words: &str) -> String {
    let plain = |c: char| match IN_ASCII.iter().find(|(all, _)| all.contains(&c)) {
        Some((_, instead)) => (*instead).to_owned(),
        None if c.is_ascii() => c.into(),
        None => "?".into(),
    };
    words.chars().map(plain).collect()
}

/// Columns set with blanks. Where they are too wide for the screen, sentences are set in
/// several lines and columns are left out, which is said below.
pub fn table(table: &Table, screen: Screen) -> String {
    let shown = |words: &str| match screen.ascii {
        true => ascii(&clean(words)),
        false => clean(words),
    };
    let head = table.columns.iter().map(|c| shown(c.name)).collect();
    let body = table
        .texts()
        .map(|row| row.iter().map(|cell| shown(&cell.words())).collect());
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(body).collect();
    let fit = Fit::of(&table.columns, &lines, screen.width);
    let mut out: String = lines.iter().map(|line| fit.line(line)).collect();
    let left_out: Vec<&str> = fit.left_out().map(|at| &*lines[0][at]).collect();
    if !left_out.is_empty() {
        let names = left_out.join(", ");
        out += &format!("too wide for the terminal: {names} (--wide shows all)\n");
    }
    out
}

/// A row after the other as a list: a line for each quantity that it has.
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
        let set = self::table(&of, screen);
        // The headings are empty.
        set.split_once('\n').map_or("", |(_, rest)| rest).to_owned()
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
            .column("Verdict", |(.., verdict)| verdict)
            .kept()
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
    fn columns_go_from_the_right_and_those_that_are_kept_last() {
        assert_eq!(at(300), table(&wide(), Screen::default()));
        assert_eq!(
            at(50).lines().next(),
            Some("Filter    Bits per key  Verdict")
        );
        assert!(at(50).ends_with("too wide for the terminal: FPR measured (--wide shows all)\n"));
        assert_eq!(at(20).lines().next(), Some("Filter    Verdict"));
        assert_eq!(at(10).lines().next(), Some("Filter"));
        // A name that is too long is broken.
        assert_eq!(at(5).lines().take(2).collect::<Vec<_>>(), ["Filte", "r"]);
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
    fn a_screen_for_ascii_gets_nothing_else() {
        let of = Table::of([()])
            .column("a", |()| "✓ 3 µs – ключ")
            .column("b", |()| None::<f64>);
        let screen = Screen {
            ascii: true,
            ..Screen::default()
        };
        assert_eq!(
            table(&of.table(), screen),
            "a              b\n+ 3 us - ????  -\n"
        );
    }
}
