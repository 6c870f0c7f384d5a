//! Words and tables on a terminal.

use super::document::Table;
use bouquet_ground::{Outcome, line::clean};

/// In the colour of the outcome, if colours are taken.
pub(super) fn paint(words: &str, outcome: Outcome, colour: bool) -> String {
    let code = outcome.colour();
    if colour {
        format!("\u{1b}[1;{code}m{words}\u{1b}[0m")
    } else {
        words.to_owned()
    }
}

/// Columns set with blanks.
pub fn table(table: &Table) -> String {
    let head = table.columns.iter().map(|c| clean(c.name)).collect();
    let body = table
        .texts()
        .map(|row| row.iter().map(|cell| clean(&cell.words())).collect());
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(body).collect();
    let width = |at: usize| {
        let widths = lines.iter().map(|line| line[at].chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..table.columns.len()).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let each = line.iter().zip(&widths).zip(&table.columns);
        let cells = each.map(|((cell, &width), column)| match column.numeric {
            true => format!("{cell:>width$}"),
            false => format!("{cell:<width$}"),
        });
        out.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        out.push('\n');
    }
    out
}
