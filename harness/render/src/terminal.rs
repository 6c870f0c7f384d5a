//! The report in short, for a terminal.

use super::{
    compose,
    document::Table,
    glance,
    judge::{Judgement, Outcome},
    number,
};
use bouquet_ground::{line::clean, record::Records};

/// So many groups of problems are shown; the report has them all.
const SHOWN: usize = 10;

/// Verdict, what failed, the table at a glance. ANSI colour only if asked for.
pub fn summary(records: &Records, judgement: &Judgement, colour: bool) -> String {
    let mut out = verdict(records, judgement, colour);
    let rows = glance::rows(records, judgement);
    if !rows.is_empty() {
        out.push_str(&format!("\n{}", table(&glance::table(&rows))));
    }
    out
}

/// Verdict and what failed.
pub(super) fn verdict(records: &Records, judgement: &Judgement, colour: bool) -> String {
    let verdict = &judgement.verdict;
    let headline = clean(&compose::headline(judgement));
    let mut out = paint(&headline, verdict.outcome, colour);
    out.push_str(&format!(
        "\n{}\n",
        clean(&compose::scope(records, judgement))
    ));
    if let Some(words) = compose::baselines(judgement) {
        out.push_str(&format!("{}\n", clean(&words)));
    }
    let grave = verdict.grave();
    for (problem, more) in grave.iter().take(SHOWN) {
        let word = paint(problem.outcome.word(), problem.outcome, colour);
        let (what, by) = (clean(&problem.what), clean(&problem.by));
        out.push_str(&format!("\n{word}: {what}\n  {by}\n"));
        if let Some(words) = compose::and_more(problem, *more) {
            out.push_str(&format!("  {words}\n"));
        }
        if !problem.repeat.is_empty() {
            out.push_str(&format!("  repeat: {}\n", clean(&problem.repeat)));
        }
    }
    if grave.len() > SHOWN {
        let more = number::count((grave.len() - SHOWN) as u64);
        out.push_str(&format!("\nand {more} more, see the report\n"));
    }
    out
}

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
