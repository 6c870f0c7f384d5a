//! The parts of a report that only evaluations have.

use std::collections::BTreeSet;

use super::{
    battery, charts,
    document::{Block, Document, Table, Text},
    glance,
    headline::{and_more, baselines, headline, item, scope},
    judge::{Check, Judgement, Overall, Point, SharedLocations, Verdict},
    number,
    terminal::{self, Screen},
};
use bouquet_ground::{line::clean, record::Records};

/// The number of groups of problems shown at first, on a page and in a terminal.
const SHOWN: usize = 20;
const SHOWN_IN_TERMINAL: usize = 10;

pub fn document(records: &Records, judgement: &Judgement) -> Document {
    let mut details = Block::table(
        "Checks that did not pass",
        "Those of baselines fail nothing.",
        problems(&judgement.verdict),
    );
    details.extend(Block::table(
        "Rates over all points",
        "Hits over those that theory expects of all points of a filter together, with their 95 % \
         interval. Within 0.1 % of theory nothing fails, however long the run. In brackets the \
         deviation that would have been found with probability 0.999.",
        overall(&judgement.overall),
    ));
    details.extend(Block::table(
        "Keys that share their locations",
        "No filter tells two keys apart that share all their locations, whatever its size.",
        shared_locations(&judgement.shared_locations),
    ));
    let locations = &judgement.locations;
    details.extend(battery::details(locations));
    details.extend(Block::table(
        "Sizes",
        "One row a size, whatever the data set.",
        sizes(&judgement.points),
    ));
    let (glance, reading) = match judgement.is_of_locations() {
        true => (
            battery::glance(records, locations),
            battery::reading(locations),
        ),
        false => (table(records, judgement), glance::SOURCE.to_owned()),
    };
    let mut blocks = verdict(records, judgement);
    blocks.extend(Block::table("At a glance", reading, glance));
    Document {
        title: headline(judgement),
        blocks,
        figures: charts::all(records, judgement),
        details,
    }
}

fn verdict(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(scope(records, judgement).into())];
    blocks.extend(baselines(judgement).map(|words| Block::Paragraph(words.into())));
    let grave = judgement.verdict.grave();
    let first = grave.iter().take(SHOWN);
    let mut items: Vec<Text> = first.map(|(problem, more)| item(problem, *more)).collect();
    if grave.len() > SHOWN {
        let more = number::count((grave.len() - SHOWN) as u64);
        items.push(format!("And {more} more, in the details.").into());
    }
    blocks.extend(Block::listed("What failed", items));
    blocks
}

/// One row per check that did not pass, including those of baselines.
fn problems(verdict: &Verdict) -> Table {
    let all = verdict.problems.iter().chain(&verdict.baseline_problems);
    Table::of(all)
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
        .column("Filter", |one| &one.filter)
        .column("#Filled", |one| one.replicates)
        .column("#Measured / theory (95 % interval)", ratio)
        .column("#z", |one| number::decimal(one.z, 1))
        .column("Verdict", |one| Check::in_short(Some(one.check)))
        .table()
}

/// One row per geometry and data set.
fn shared_locations(all: &[SharedLocations]) -> Table {
    Table::of(all)
        .column("Filter", |shared| &shared.of.subject)
        .column("Keys", |shared| &shared.of.key_set)
        .column("#m", |shared| shared.of.slots)
        .column("#k", |shared| shared.of.probes)
        .column("#Located", |shared| shared.of.keys)
        .column("#By chance", |shared| {
            number::significant(shared.expected_pairs, 2)
        })
        .column("#Pairs", |shared| shared.of.statistic as u64)
        .column("Verdict", |shared| shared.outcome)
        .table()
}

fn sizes(points: &[Point]) -> Table {
    let mut seen = BTreeSet::new();
    let new = points.iter().filter(|p| {
        let of = &p.of;
        let x = of.x.to_bits();
        seen.insert((&of.filter, of.sweep, x, of.capacity, of.size_bits))
    });
    Table::of(new)
        .column("Filter", |p| &p.of.filter)
        .column("Sweep", |p| p.of.sweep.name())
        .column("#x", |p| number::significant(p.of.x, 4))
        .column("#Capacity, keys", |p| p.of.capacity)
        .column("#m, bits", |p| p.of.size_bits)
        .column("#k", |p| Some(p.of.hashes).filter(|k| *k > 0))
        .column("#FPR expected", |p| number::share(p.of.expected_fpr, 4))
        .table()
}

/// The summary for a terminal: verdict, failures and the summary table.
pub fn summary(records: &Records, judgement: &Judgement, screen: Screen) -> String {
    let outcome = judgement.verdict.outcome;
    let mut out = terminal::paint(&clean(&headline(judgement)), outcome, screen);
    out += &format!("\n{}\n", clean(&scope(records, judgement)));
    if let Some(words) = baselines(judgement) {
        out += &format!("{}\n", clean(&words));
    }
    let grave = judgement.verdict.grave();
    for (problem, more) in grave.iter().take(SHOWN_IN_TERMINAL) {
        let word = terminal::paint(problem.outcome.word(), problem.outcome, screen);
        let (what, by) = (clean(&problem.what), clean(&problem.by));
        out += &format!("\n{word}: {what}\n  {by}\n");
        if let Some(words) = and_more(problem, *more) {
            out += &format!("  {words}\n");
        }
        if !problem.repeat.is_empty() {
            out += &format!("  repeat: {}\n", clean(&problem.repeat));
        }
    }
    if grave.len() > SHOWN_IN_TERMINAL {
        let more = number::count((grave.len() - SHOWN_IN_TERMINAL) as u64);
        out += &format!("\nand {more} more, see the report\n");
    }
    let table = table(records, judgement);
    if !table.rows.is_empty() {
        out += &format!("\n{}", terminal::table(&table, screen));
    }
    out
}

/// One row per filter, or if only locations were tested, one row per scheme and size.
pub fn table(records: &Records, judgement: &Judgement) -> Table {
    match judgement.is_of_locations() {
        true => battery::table(&judgement.locations),
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
