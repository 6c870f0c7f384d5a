//! The report of `bouquet evaluate`, from its records alone.

use super::{
    battery, charts,
    document::{Block, Document, Table, Text},
    glance,
    groups::distinct,
    judge::{Check, Judgement, Overall, Problem},
    number, page,
    terminal::{self, Screen},
};
use bouquet_record::{Outcome, Records};

/// The number of groups of problems shown at first.
const SHOWN: usize = 10;

pub fn document(records: &Records, judgement: &Judgement) -> Document {
    let mut details = Block::table(
        "Checks that did not pass",
        "One row per check.",
        problems(&judgement.verdict.problems),
    );
    details.extend(Block::table(
        "Rates over all points",
        "Hits over those that theory expects of all points of a filter together, with their 95 % \
         interval. Within 0.1 % of theory nothing fails, however long the run. In brackets the \
         deviation that would have been found with probability 0.999.",
        overall(&judgement.overall),
    ));
    if !judgement.is_of_locations() {
        let locations = &judgement.locations;
        let table = battery::table(records, locations);
        details.extend(Block::table(
            "Locations",
            battery::reading(locations),
            table,
        ));
    }
    let outcome = judgement.verdict.outcome;
    Document {
        title: outcome.headline(&verdict(judgement)),
        blocks: blocks(records, judgement),
        figures: charts::all(records, judgement),
        details,
    }
}

/// The summary for a terminal.
pub fn summary(records: &Records, judgement: &Judgement, screen: Screen) -> String {
    let outcome = judgement.verdict.outcome;
    let title = terminal::verdict(&verdict(judgement), outcome, screen);
    title + &page::text(&blocks(records, judgement), screen)
}

/// What was measured, what failed, and the summary table.
fn blocks(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let reading = match judgement.is_of_locations() {
        true => battery::reading(&judgement.locations),
        false => glance::SOURCE.to_owned(),
    };
    let mut blocks = vec![Block::Paragraph(scope(records, judgement).into())];
    blocks.extend(Block::listed("What failed", failures(judgement)));
    let table = table(records, judgement);
    blocks.extend(Block::table("At a glance", reading, table));
    blocks
}

/// The number of checks by outcome.
fn verdict(judgement: &Judgement) -> String {
    let verdict = &judgement.verdict;
    let count = |outcome| number::count(verdict.count(outcome));
    if verdict.checks == 0 {
        return "nothing was checked".to_owned();
    }
    format!(
        "{} of {} checks failed, {} inconclusive, {} invalid",
        count(Outcome::Fail),
        number::count(verdict.checks),
        count(Outcome::Inconclusive),
        count(Outcome::Void)
    )
}

/// The key sets, the seed, what was not tested, and what the run would have found.
fn scope(records: &Records, judgement: &Judgement) -> String {
    let named = |set: &String, keys: u64| format!("{set} ({})", number::count(keys));
    let sets = records.datasets.iter();
    let sets = sets.map(|set| named(&set.dataset, set.keys));
    let small = records.battery.iter();
    let small = small.filter(|row| row.expected_outcome == "unclaimed");
    let small = distinct(small.map(|row| named(&row.key_set, row.keys)));
    let overall = judgement.overall.iter().filter(|one| !one.is_churn);
    let found = overall.map(|one| one.check.found_from);
    let found = found.reduce(f64::max).map_or_else(String::new, |found| {
        let found = number::percent(found, 2);
        format!("a deviation of {found} with probability 0.999")
    });
    let parts = [
        ("Data sets (keys): ", number::joined(sets, ", ")),
        ("Seed: ", records.fact("seed").to_owned()),
        (
            "Too few keys to test locations: ",
            number::joined(small, ", "),
        ),
        (
            "In the FPR of any filter over all its points the run finds ",
            found,
        ),
    ];
    let parts = parts.iter().filter(|(_, words)| !words.is_empty());
    number::joined(parts.map(|(name, words)| format!("{name}{words}.")), " ")
}

/// The first of the failures, each with the command that repeats it, and how many others there are.
fn failures(judgement: &Judgement) -> Vec<Text> {
    let grave = judgement.verdict.grave();
    let mut items: Vec<Text> = grave.iter().take(SHOWN).map(item).collect();
    if grave.len() > SHOWN {
        let more = number::count((grave.len() - SHOWN) as u64);
        items.push(format!("And {more} more, in the details of the report.").into());
    }
    items
}

/// A problem, and the number of further problems of its kind.
fn item((problem, more): &(&Problem, usize)) -> Text {
    let by = number::capital(&problem.by);
    let more = match more {
        0 => String::new(),
        more => format!(" And {} more of its kind.", number::count(*more as u64)),
    };
    let text = Text::default()
        .strong(format!("{}: {}", problem.outcome.word(), problem.what))
        .plain(format!(". {by}.{more}"));
    match problem.repeat.as_str() {
        "" => text,
        repeat => text.plain(" Repeat: ").code(repeat),
    }
}

/// One row per check that did not pass.
fn problems(problems: &[Problem]) -> Table {
    Table::of(problems)
        .column("Outcome", |problem| problem.outcome)
        .column("Check", |problem| &problem.what)
        .column("By how much", |problem| &problem.by)
        .column("Repeat", |problem| Text::default().code(&problem.repeat))
        .table()
}

/// One row per filter.
fn overall(all: &[Overall]) -> Table {
    let ratio = |one: &Overall| {
        let Check { rate, theory, .. } = one.check;
        rate.over(theory).words(|ratio| number::decimal(ratio, 4))
    };
    Table::of(all)
        .column("Rate", |one| &one.what)
        .column("#Filled", |one| one.replicates)
        .column("#Measured / theory (95 % interval)", ratio)
        .column("#z", |one| number::decimal(one.z, 1))
        .column("Verdict", |one| Check::in_short(Some(one.check)))
        .table()
}

/// One row per filter, or if only locations were tested, per scheme.
pub fn table(records: &Records, judgement: &Judgement) -> Table {
    match judgement.is_of_locations() {
        true => battery::table(records, &judgement.locations),
        false => glance::table(&glance::rows(records, judgement)),
    }
}

/// The same with unformatted numbers; rates are shares.
pub fn plain(records: &Records, judgement: &Judgement) -> Table {
    match judgement.is_of_locations() {
        true => battery::plain(&judgement.locations),
        false => glance::plain(&glance::rows(records, judgement)),
    }
}
