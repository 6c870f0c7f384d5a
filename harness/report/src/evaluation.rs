//! The report of `bouquet evaluate`, made only from the records of the run.

use super::{
    battery, charts,
    document::{Block, Document, Table, Text},
    groups::distinct,
    judge::{Judgement, Overall, Point, Problem, pool},
    number,
    terminal::{self, Screen},
};
use bouquet_record::{Observation, Outcome, Records, SubjectRow, Sweep, is_only_reported};

/// The largest number of failures that a report lists at its top.
const SHOWN: usize = 10;

pub fn document(records: &Records, judgement: &Judgement) -> Document {
    let problems = Table::of(&judgement.verdict.problems)
        .column("Outcome", |problem| problem.outcome)
        .column("Check", |problem| &problem.what)
        .column("By how much", |problem| &problem.by)
        .column("Repeat", |problem| Text::default().code(&problem.repeat));
    let mut details = Block::titled(2, "Checks that did not pass", problems.table());
    let ratio = |one: &Overall| one.check.rate.over(one.check.theory);
    let found = |one: &Overall| number::percent(one.check.found_from, 2);
    let rates = Table::of(&judgement.overall)
        .column("Rate", |one| &one.what)
        .column("#Measured / theory (95 % interval)", |one| {
            ratio(one).words(|ratio| number::decimal(ratio, 4))
        })
        .column("Verdict", |one| one.check.outcome)
        .column("#Found with probability 0.999", found);
    let reading = "All points of a filter together, with the deviation that would have been found. \
                   Within 0.1 % of theory nothing fails.";
    details.extend(Block::table(
        "Rates over all points",
        reading,
        rates.table(),
    ));
    if !judgement.is_of_locations() {
        let table = battery::table(records, &judgement.locations);
        let reading = battery::reading(&judgement.locations);
        details.extend(Block::table("Locations", reading, table));
    }
    let outcome = judgement.verdict.outcome;
    Document {
        title: outcome.headline(&verdict(judgement)),
        blocks: blocks(records, judgement),
        figures: charts::all(records, judgement),
        details,
        ..Document::default()
    }
}

pub fn summary(records: &Records, judgement: &Judgement, screen: Screen) -> String {
    let outcome = judgement.verdict.outcome;
    let title = terminal::verdict(&verdict(judgement), outcome, screen);
    title + &terminal::text(&blocks(records, judgement), screen)
}

/// The first part of the report: what was measured, what failed, and the summary table.
fn blocks(records: &Records, judgement: &Judgement) -> Vec<Block> {
    let reading = match judgement.is_of_locations() {
        true => battery::reading(&judgement.locations),
        false if judgement.points.is_empty() => String::new(),
        false => SOURCE.to_owned(),
    };
    let mut blocks = vec![Block::Paragraph(scope(records, judgement).into())];
    blocks.extend(Block::listed("What failed", failures(judgement)));
    let (table, _) = tables(records, judgement);
    blocks.extend(Block::table("At a glance", reading, table));
    blocks
}

/// A sentence with the number of checks by outcome.
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

/// Sentences on what was measured: the key sets, the seed, the key sets that are too small to test,
/// and the smallest deviation that the run would have detected.
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
    let found_name = "In the FPR of any filter over all its points the run finds ";
    let small = number::joined(small, ", ");
    let parts = [
        ("Data sets (keys): ", number::joined(sets, ", ")),
        ("Seed: ", records.fact("seed").to_owned()),
        ("Too few keys to test locations: ", small),
        (found_name, found),
    ];
    let parts = parts.iter().filter(|(_, words)| !words.is_empty());
    number::joined(parts.map(|(name, words)| format!("{name}{words}.")), " ")
}

/// The first failures, each with the command that repeats it, and the number of other failures.
fn failures(judgement: &Judgement) -> Vec<Text> {
    let grave = judgement.verdict.grave();
    let mut items: Vec<Text> = grave.iter().take(SHOWN).map(item).collect();
    if grave.len() > SHOWN {
        let more = number::count((grave.len() - SHOWN) as u64);
        items.push(format!("And {more} more, in the details of the report.").into());
    }
    items
}

/// A sentence on a problem, and how many other problems have its outcome, filter and key set.
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

/// Two tables with one row per filter, or per scheme if only locations were tested: a table to
/// show, and a table of unformatted numbers, where rates are fractions of 1.
pub fn tables(records: &Records, judgement: &Judgement) -> (Table, Table) {
    let (rows, locations) = (glances(records, judgement), &judgement.locations);
    if judgement.is_of_locations() {
        return (
            battery::table(records, locations),
            battery::plain(locations),
        );
    }
    (shown(&rows), unformatted(&rows))
}

/// If a filter was not measured at load 1, the table shows it at the bits per key nearest to this.
const USUAL_BITS: f64 = 10.0;

/// The results of one filter.
pub struct Glance<'a> {
    pub subject: &'a SubjectRow,
    pub verdict: &'static str,
    /// The point of a sweep, such as load 1, whose values the table shows.
    point: Option<Point>,
    worst_uniformity_p: Option<f64>,
    /// The number of members looked up in the whole run, by single calls and in batches.
    positive_queries: u64,
    pub false_negatives: u64,
}

/// The sentence below the table that says at which sizes and loads its FPRs were measured.
const SOURCE: &str = "FPR of filters full to capacity, pooled over the data sets: at load 1, or at \
     the bits per key nearest to 10, or for the first target. False negatives are of the whole run.";

/// The results of each filter, in the order of the records.
pub fn glances<'a>(records: &'a Records, judgement: &Judgement) -> Vec<Glance<'a>> {
    let filters = records.subjects.iter().filter(|s| s.kind == "filter");
    filters
        .map(|subject| row(records, judgement, subject))
        .collect()
}

fn row<'a>(records: &Records, judgement: &Judgement, subject: &'a SubjectRow) -> Glance<'a> {
    let points = judgement.points.iter();
    let own = points.filter(|point| point.of.filter == subject.subject);
    let points: Vec<&Point> = own.collect();
    let sum = |of: fn(&Observation) -> u64| points.iter().map(|point| of(&point.of)).sum();
    let problems = judgement.verdict.problems.iter();
    let own = problems.filter(|problem| problem.subject == subject.subject);
    let worst = own.map(|problem| problem.outcome).max();
    let mut memory = records.memory.iter();
    let has_memory = memory.any(|row| row.filter == subject.subject);
    Glance {
        subject,
        verdict: match worst {
            _ if points.is_empty() && !has_memory => "not judged",
            _ if is_only_reported(&subject.role) => "reported",
            worst => worst.unwrap_or(Outcome::Pass).word(),
        },
        point: typical(&points),
        worst_uniformity_p: uniformity(judgement, subject),
        positive_queries: sum(|of| {
            of.members * (1 + u64::from(of.batch_false_negatives.is_some()))
        }),
        false_negatives: sum(|of| of.false_negatives + of.batch_false_negatives.unwrap_or(0)),
    }
}

/// The point of a sweep whose values the table shows for a filter, pooled over the data sets.
/// Points of other experiments or sizes have different rates and are left out.
fn typical(own: &[&Point]) -> Option<Point> {
    let asked = || own.iter().copied().filter(|p| p.of.non_members > 0);
    let distance = |p: &Point| match p.of.sweep {
        Sweep::BitsPerKey => 1.0 + (p.of.x - USUAL_BITS).abs(),
        Sweep::Load if p.is_full() => 0.0,
        Sweep::Load | Sweep::TargetFpr | Sweep::Churn | Sweep::Memory => f64::MAX,
    };
    let best = asked().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    pool(asked().filter(|p| p.of.point() == best.of.point()))
}

/// The smallest p-value for the filter's locations; if they were not tested, for its scheme.
fn uniformity(judgement: &Judgement, subject: &SubjectRow) -> Option<f64> {
    let worst = |name: &str| {
        let own = judgement.locations.tested();
        let own = own.filter(|cell| cell.first.subject == name && !cell.must_flag());
        own.map(|cell| cell.least.0).reduce(f64::min)
    };
    let p = worst(&subject.subject).or_else(|| worst(&subject.scheme));
    p.filter(|_| subject.exposes_locations)
}

fn shown(rows: &[Glance<'_>]) -> Table {
    let name = |row: &Glance<'_>| match is_only_reported(&row.subject.role) {
        true => format!("{} ({})", row.subject.subject, row.subject.role),
        false => row.subject.subject.clone(),
    };
    let bits = |p: &Point| number::decimal(p.of.bits_per_key(), 2);
    let measured = |p: &Point| p.rate.in_words();
    let share = |x| number::share(x, 4);
    let are_tested = rows.iter().any(|row| row.worst_uniformity_p.is_some());
    let p_value = |row: &Glance<'_>| match row.worst_uniformity_p {
        Some(p) => Some(number::p_value(p)),
        None if row.subject.exposes_locations || !are_tested => None,
        None => Some("locations not exposed".to_owned()),
    };
    let missing = |row: &Glance<'_>| {
        let counts = [row.false_negatives, row.positive_queries];
        (counts[1] > 0).then(|| counts.map(number::count).join(" of "))
    };
    Table::of(rows)
        .column("Filter", name)
        .column("Verdict", |row| row.verdict)
        .column("#Bits per key", |row| row.of(bits))
        .column("#FPR measured (95 % interval)", |row| row.of(measured))
        .column("#FPR expected", |row| row.of(|p| share(p.of.expected_fpr)))
        .column("#False negatives", missing)
        .column("#Target FPR", |row| row.of(|p| p.of.target_fpr.map(share)))
        .column("#Worst uniformity p (Holm)", p_value)
        .table()
        .without_empty_columns()
}

fn unformatted(rows: &[Glance<'_>]) -> Table {
    Table::of(rows)
        .column("filter", |row| &row.subject.subject)
        .column("role", |row| &row.subject.role)
        .column("verdict", |row| row.verdict)
        .column("capacity", |row| row.of(|p| p.of.capacity))
        .column("bits_per_key", |row| row.of(|p| p.of.bits_per_key()))
        .column("target_fpr", |row| row.of(|p| p.of.target_fpr))
        .column("expected_fpr", |row| row.of(|p| p.of.expected_fpr))
        .with_interval(["measured_fpr", "measured_low", "measured_high"], |row| {
            row.of(|p| p.rate)
        })
        .column("false_positives", |row| row.of(|p| p.of.false_positives))
        .column("negative_queries", |row| row.of(|p| p.of.non_members))
        .column("exposes_locations", |row| row.subject.exposes_locations)
        .column("worst_uniformity_p", |row| row.worst_uniformity_p)
        .column("positive_queries", |row| row.positive_queries)
        .column("false_negatives", |row| row.false_negatives)
        .table()
}

impl Glance<'_> {
    fn of<T>(&self, value: impl Fn(&Point) -> T) -> Option<T> {
        self.point.as_ref().map(value)
    }
}
