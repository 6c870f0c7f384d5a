//! Computes verdicts from records.

pub(super) mod check;
mod point;

pub use check::Check;
pub use point::{Point, point, pool};

pub use bouquet_record::Outcome;

use super::{
    battery,
    groups::grouped,
    levels::{COMPUTED, FAMILY_ALPHA},
    number,
    repeat::repeat,
};
use bouquet_record::{Observation, Records, Sweep, is_only_reported};
use bouquet_stats::z_two_sided;

/// The FPR of one filter over all its points, compared with theory.
#[derive(Clone, PartialEq, Debug)]
pub struct Overall {
    /// The filter and its points, in words.
    pub what: String,
    /// Whether only points after removals count.
    pub is_churn: bool,
    /// The number of filter instances that were filled and queried.
    pub replicates: usize,
    pub check: Check,
    pub z: f64,
}

/// A check that did not pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    pub outcome: Outcome,
    /// The filter or scheme.
    pub subject: String,
    /// The key set; empty if the check is of several.
    pub dataset: String,
    /// What was checked, and on which keys.
    pub what: String,
    /// By how much the check failed.
    pub by: String,
    /// The command that repeats it; empty if the run recorded none.
    pub repeat: String,
}

/// The verdict of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    pub outcome: Outcome,
    pub checks: u64,
    /// The gravest first.
    pub problems: Vec<Problem>,
}

impl Verdict {
    /// The number of checks with this outcome, which is not a pass.
    pub fn count(&self, outcome: Outcome) -> u64 {
        let problems = self.problems.iter();
        problems.filter(|one| one.outcome == outcome).count() as u64
    }

    /// Groups the problems that one command repeats, the gravest first: the first problem of each
    /// group, and the number of the others. Inconclusive checks are left out.
    pub fn grave(&self) -> Vec<(&Problem, usize)> {
        let grave = self.problems.iter();
        let grave = grave.filter(|problem| problem.outcome > Outcome::Inconclusive);
        let groups = grouped(grave, |problem| {
            (problem.outcome, &problem.subject, &problem.dataset)
        });
        let groups = groups.iter().map(|(_, group)| (group[0], group.len() - 1));
        groups.collect()
    }
}

/// A verdict with the results that it is based on.
#[derive(Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// The results of the battery.
    pub locations: battery::Judgement,
    /// All points, those after rounds of removals last.
    pub points: Vec<Point>,
    pub overall: Vec<Overall>,
}

impl Judgement {
    /// Whether only locations were tested, so that the tables show locations.
    pub fn is_of_locations(&self) -> bool {
        self.points.is_empty() && !self.locations.cells.is_empty()
    }
}

/// Collects checks as they are made.
struct Collector<'a> {
    records: &'a Records,
    verdict: Verdict,
}

impl Collector<'_> {
    /// Adds a check of a filter or scheme on a key set: what was checked, and by how much it
    /// missed. Filters of other crates are measured and not judged: the FPR that they state is
    /// often a bound and not the exact expected value.
    fn add(&mut self, outcome: Outcome, (name, dataset): (&str, &str), what: String, by: String) {
        if is_reported(self.records, name) {
            return;
        }
        self.verdict.outcome = outcome.max(self.verdict.outcome);
        self.verdict.checks += 1;
        if outcome != Outcome::Pass {
            self.verdict.problems.push(Problem {
                outcome,
                subject: name.to_owned(),
                dataset: dataset.to_owned(),
                repeat: repeat(self.records, name, dataset),
                what,
                by,
            });
        }
    }
}

/// "`count` of `whole`" with a description.
fn of(count: u64, whole: u64, words: &str) -> String {
    let (count, whole) = (number::count(count), number::count(whole));
    format!("{count} of {whole} {words}")
}

/// Whether a subject is measured and not judged.
pub(super) fn is_reported(records: &Records, name: &str) -> bool {
    is_only_reported(records.role(name))
}

/// The significance level of one of so many checks, by Bonferroni's correction. All checks of points
/// together get half of the family's alpha, and all checks of filters the other half.
fn level(checks: usize) -> f64 {
    FAMILY_ALPHA / (2 * checks.max(1)) as f64
}

/// Judges a run. A run without any rows is invalid, since it shows nothing.
pub fn judge(records: &Records) -> Judgement {
    let mut collector = Collector {
        records,
        verdict: Verdict {
            outcome: Outcome::Pass,
            checks: 0,
            problems: Vec::new(),
        },
    };
    let locations = battery::judge(records);
    let (claimed, open): (Vec<_>, Vec<_>) = locations
        .cells
        .iter()
        .partition(|cell| cell.outcome != Outcome::Inconclusive);
    claimed
        .iter()
        .for_each(|cell| of_cell(&mut collector, cell));
    let rows = records.fpr.iter().chain(&records.churn);
    let groups = grouped(rows, |row| (row.point(), &row.key_set));
    let judged = groups
        .iter()
        .filter(|(_, rows)| !is_reported(records, &rows[0].filter));
    let alpha = level(point::CHECKS * judged.count() + records.location_sets.len());
    let points = groups.iter().map(|(_, rows)| point(rows, alpha));
    let points: Vec<Point> = points.collect();
    let fill_limit = z_two_sided(1.0 - alpha);
    for point in &points {
        let Observation {
            filter, key_set, ..
        } = &point.of;
        for (name, outcome, by) in point.checks(records.subject(filter), fill_limit) {
            let what = format!(
                "{name} of {filter} on {key_set} {}",
                point::place(&point.of)
            );
            collector.add(outcome, (filter, key_set), what, by);
        }
    }
    let overall = overall(&mut collector);
    shared_locations(&mut collector, alpha);
    memory(&mut collector);
    let has_rates = !(points.is_empty() && records.memory.is_empty());
    if collector.verdict.checks == 0 {
        // Key sets that are too small to claim anything are reported if there is nothing else.
        open.iter().for_each(|cell| of_cell(&mut collector, cell));
    } else if locations.outcome == Outcome::Inconclusive && !has_rates && !claimed.is_empty() {
        // Without a control, nothing shows that the tests would detect a fault.
        let by = "no scheme that must be flagged took part".to_owned();
        let what = "locations without a control".to_owned();
        collector.add(Outcome::Inconclusive, ("", ""), what, by);
    }
    let mut verdict = collector.verdict;
    if verdict.checks == 0 {
        verdict.outcome = match has_rates {
            true => Outcome::Inconclusive,
            false => Outcome::Void,
        };
    }
    // The sort is stable: problems of the same outcome keep the order of the records.
    verdict
        .problems
        .sort_by_key(|problem| std::cmp::Reverse(problem.outcome));
    Judgement {
        verdict,
        locations,
        points,
        overall,
    }
}

/// Adds the tests of the locations of one cell as one check.
fn of_cell(collector: &mut Collector<'_>, cell: &battery::Tested) {
    let (name, key_set) = (&*cell.first.subject, &*cell.first.key_set);
    let slots = number::count(cell.first.slots);
    let what = format!("locations of {name} on {key_set} over {slots} slots");
    let mut by = format!("expected: {}; observed: {}", cell.expected, cell.observed);
    if !cell.findings.is_empty() {
        let (p, test) = (number::p_value(cell.least.0), &cell.least.1);
        by += &format!(", p {p} after Holm in {test}");
    }
    collector.add(cell.outcome, (name, key_set), what, by);
}

/// Compares all rates of each filter together with theory. Of a filter from which keys were removed
/// only those after the last round count: the rounds share keys, so they are not independent
/// samples, and a drift is largest at the end.
fn overall(collector: &mut Collector<'_>) -> Vec<Overall> {
    let records = collector.records;
    let rows = records.fpr.iter().chain(&records.churn);
    let rows = rows.filter(|row| row.error.is_empty() && !is_reported(records, &row.filter));
    let churn = |row: &Observation| (row.sweep == Sweep::Churn).then(|| row.experiment.clone());
    let groups = grouped(rows, |row| (&row.filter, churn(row)));
    let alpha = level(groups.len());
    let mut all = Vec::new();
    for ((filter, churn), mut rows) in groups {
        let last = rows.iter().map(|row| row.step).max();
        rows.retain(|row| Some(row.step) == last);
        let Some((check, z)) = check::overall(&rows, alpha) else {
            continue;
        };
        let is_churn = churn.is_some();
        let over = match is_churn {
            true => point::place(rows[0]),
            false => "over all its points".to_owned(),
        };
        let what = format!("FPR of {filter} {over}");
        let by = check.by_how_much();
        collector.add(check.outcome, (filter, ""), what.clone(), by);
        all.push(Overall {
            what,
            is_churn,
            replicates: rows.len(),
            check,
            z,
        });
    }
    all
}

/// Checks that filters distinguish keys: that no more pairs of keys share all their locations than
/// chance explains. Only rows with an expected distribution are checked.
fn shared_locations(collector: &mut Collector<'_>, alpha: f64) {
    for row in &collector.records.location_sets {
        let (outcome, by) = match battery::count_law(row) {
            _ if !row.error.is_empty() => (Outcome::Fail, format!("error: {}", row.error)),
            None => continue,
            Some(law) => {
                let pairs = number::count(row.statistic as u64);
                let expected = number::significant(law.mean(), 2);
                let is_bad = law.tails(row.statistic, 0.0).upper < alpha;
                let by = format!("{pairs} pairs, {expected} by chance");
                (Outcome::fails_if(is_bad), by)
            }
        };
        let what = format!("keys of {} that share all locations", row.subject);
        collector.add(outcome, (&row.subject, &row.key_set), what, by);
    }
}

/// Checks that the size that a filter chose for a target FPR keeps the target and has room for its
/// keys. A filter that leaves no choice is not checked.
fn memory(collector: &mut Collector<'_>) {
    for row in &collector.records.memory {
        let (got, asked) = (row.expected_fpr, row.x);
        let counts = [
            (row.rejected, "keys rejected within the capacity"),
            (row.false_negatives, "members are false negatives"),
            (row.batch_differ.unwrap_or(0), point::OTHERWISE),
        ];
        let wrong = counts.into_iter().find(|(count, _)| *count > 0);
        let by = match wrong {
            _ if !row.note.is_empty() => continue,
            _ if !row.error.is_empty() => format!("error: {}", row.error),
            _ if got > asked * (1.0 + COMPUTED) => {
                format!("expected FPR {got:e}, the target is {asked:e}")
            }
            Some((count, words)) => of(count, row.keys, words),
            None => String::new(),
        };
        let what = format!("size of {} for {} keys", row.filter, row.capacity);
        let outcome = Outcome::fails_if(!by.is_empty());
        collector.add(outcome, (&row.filter, ""), what, by);
    }
}
