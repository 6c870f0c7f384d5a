//! The report in short, for a terminal.

use super::{
    battery, glance, headline,
    judge::Judgement,
    number,
    terminal::{self, Screen},
};
use bouquet_ground::{line::clean, record::Records};

/// So many groups of problems are shown; the report has them all.
const SHOWN: usize = 10;

/// Verdict, what failed, the table at a glance. In colour only if asked for.
pub fn summary(records: &Records, judgement: &Judgement, screen: Screen) -> String {
    let mut out = verdict(records, judgement, screen);
    let rows = glance::rows(records, judgement);
    if judgement.is_of_locations() {
        let table = battery::table(&judgement.locations);
        out.push_str(&format!("\n{}", terminal::table(&table, screen)));
    } else if !rows.is_empty() {
        out.push_str(&format!(
            "\n{}",
            terminal::table(&glance::table(&rows), screen)
        ));
    }
    out
}

/// Verdict and what failed.
fn verdict(records: &Records, judgement: &Judgement, screen: Screen) -> String {
    let verdict = &judgement.verdict;
    let headline = clean(&headline::headline(judgement));
    let mut out = terminal::paint(&headline, verdict.outcome, screen);
    out.push_str(&format!(
        "\n{}\n",
        clean(&headline::scope(records, judgement))
    ));
    if let Some(words) = headline::baselines(judgement) {
        out.push_str(&format!("{}\n", clean(&words)));
    }
    let grave = verdict.grave();
    for (problem, more) in grave.iter().take(SHOWN) {
        let word = terminal::paint(problem.outcome.word(), problem.outcome, screen);
        let (what, by) = (clean(&problem.what), clean(&problem.by));
        out.push_str(&format!("\n{word}: {what}\n  {by}\n"));
        if let Some(words) = headline::and_more(problem, *more) {
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
