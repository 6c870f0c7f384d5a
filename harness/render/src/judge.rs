//! Records to verdicts.

pub(super) mod check;
mod churn;
mod fpr;
mod location_sets;
mod overall;

pub use check::Check;
pub use churn::Lifecycle;
pub use fpr::{Point, point, pool, sum};
pub use location_sets::SharedLocations;
pub use overall::Overall;

pub use bouquet_ground::Outcome;

use super::{
    battery,
    groups::{distinct, grouped},
    levels::{COMPUTED, FAMILY_ALPHA},
    number,
    repeat::repeat,
};
use bouquet_ground::record::{Observation, Records, TestRow, is_only_reported};

/// How many checks came out how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub checks: u64,
    pub failed: u64,
    pub inconclusive: u64,
    pub void: u64,
}

impl Counts {
    fn add(&mut self, outcome: Outcome) {
        self.checks += 1;
        match outcome {
            Outcome::Pass => {}
            Outcome::Inconclusive => self.inconclusive += 1,
            Outcome::Fail => self.failed += 1,
            Outcome::Void => self.void += 1,
        }
    }
}

/// A check that did not pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    pub outcome: Outcome,
    /// The filter or scheme.
    pub subject: String,
    pub dataset: String,
    /// What was checked, on which keys.
    pub what: String,
    /// By how much it missed.
    pub by: String,
    /// The command that repeats it; empty if the run recorded none.
    pub repeat: String,
}

impl Verdict {
    /// Problems in groups that one command repeats, the gravest first, each
    /// by its first and how many more there are. The inconclusive are left
    /// out.
    pub fn grave(&self) -> Vec<(&Problem, usize)> {
        let groups = grouped(&self.problems, |problem| {
            (problem.outcome, &problem.subject, &problem.dataset)
        });
        let groups = groups.iter().map(|(_, group)| (group[0], group.len() - 1));
        groups
            .filter(|(problem, _)| problem.outcome > Outcome::Inconclusive)
            .collect()
    }
}

/// The verdict of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    pub outcome: Outcome,
    pub counts: Counts,
    /// Of the baselines, whose failures are reported but fail nothing.
    pub baselines: Counts,
    /// The gravest first; those of baselines are not among them.
    pub problems: Vec<Problem>,
    /// What the baselines missed.
    pub baseline_problems: Vec<Problem>,
}

/// A verdict with what it rests on.
#[derive(Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// By the battery.
    pub locations: battery::Judgement,
    pub points: Vec<Point>,
    pub overall: Vec<Overall>,
    /// Of filters of which keys were removed, on each data set.
    pub lifecycles: Vec<Lifecycle>,
    pub shared_locations: Vec<SharedLocations>,
}

impl Judgement {
    /// Whether nothing but locations was tested: of these the tables are then.
    pub fn is_of_locations(&self) -> bool {
        self.points.is_empty() && self.lifecycles.is_empty() && !self.locations.cells.is_empty()
    }
}

/// The rows of a point, or of a filter of which keys were removed.
type Rows<'a> = Vec<&'a Observation>;

/// Collects checks as they are judged.
struct Collector<'a> {
    records: &'a Records,
    /// The level of one check of a point, and of a filter over all its points or after the churn,
    /// with which all of them together keep the family's alpha: Bonferroni, half of it for either.
    alpha: f64,
    overall_alpha: f64,
    verdict: Verdict,
}

impl<'a> Collector<'a> {
    /// For the points of sweeps and the lifecycles of these records.
    fn new(records: &'a Records, points: &[Rows<'_>], lifecycles: &[Rows<'_>]) -> Self {
        let is_judged = |name: &str| !is_of_a_peer(records, name);
        let judged = |groups: &[Rows<'_>]| {
            let groups = groups.iter();
            groups.filter(|rows| is_judged(&rows[0].filter)).count()
        };
        let (points, lifecycles) = (judged(points), judged(lifecycles));
        let checks = fpr::CHECKS * points + lifecycles + records.location_sets.len();
        let filters = records.fpr.iter().map(|row| &row.filter);
        let filters = distinct(filters.filter(|name| is_judged(name))).len();
        let level = |checks: usize| FAMILY_ALPHA / (2 * checks.max(1)) as f64;
        Self {
            records,
            alpha: level(checks),
            overall_alpha: level(filters + lifecycles),
            verdict: Verdict {
                outcome: Outcome::Pass,
                counts: Counts::default(),
                baselines: Counts::default(),
                problems: Vec::new(),
                baseline_problems: Vec::new(),
            },
        }
    }

    /// Takes a check of a filter or scheme on a key set: what was checked, and by how
    /// much it missed. Of the crates of others nothing is checked: what they say of their
    /// FPR is often a bound, and no law.
    fn add(&mut self, outcome: Outcome, (name, dataset): (&str, &str), what: String, by: String) {
        if is_of_a_peer(self.records, name) {
            return;
        }
        let baseline = is_reported(self.records, name);
        let verdict = &mut self.verdict;
        let (counts, problems) = if baseline {
            (&mut verdict.baselines, &mut verdict.baseline_problems)
        } else {
            (&mut verdict.counts, &mut verdict.problems)
        };
        counts.add(outcome);
        if outcome == Outcome::Pass {
            return;
        }
        if !baseline {
            verdict.outcome = verdict.outcome.max(outcome);
        }
        problems.push(Problem {
            outcome,
            subject: name.to_owned(),
            dataset: dataset.to_owned(),
            repeat: repeat(self.records, name, dataset),
            what,
            by,
        });
    }
}

/// Whether a false negative of this filter fails the run.
fn promises(records: &Records, filter: &str) -> bool {
    records
        .subject(filter)
        .is_some_and(|subject| subject.promises_no_false_negatives)
}

/// What the first of these rows that could not be measured says of it.
fn error<'a>(errors: impl IntoIterator<Item = &'a String>) -> Option<String> {
    let error = errors.into_iter().find(|error| !error.is_empty());
    error.map(|error| format!("error: {error}"))
}

/// So many of a whole, in words.
fn of(count: u64, whole: u64, words: &str) -> String {
    let (count, whole) = (number::count(count), number::count(whole));
    format!("{count} of {whole} {words}")
}

fn false_negatives_of(count: u64, whole: u64, keys: &str) -> String {
    not_allowed(count, whole, &format!("{keys} are false negatives"))
}

/// What may not happen at all.
fn not_allowed(count: u64, whole: u64, what: &str) -> String {
    of(count, whole, &format!("{what}, 0 allowed"))
}

/// Answers that batches give otherwise than single calls.
const OTHERWISE: &str = "keys answered otherwise than by single calls";

pub(super) fn is_reported(records: &Records, name: &str) -> bool {
    is_only_reported(records.role(name))
}

fn is_of_a_peer(records: &Records, name: &str) -> bool {
    records.role(name) == "peer"
}

/// Judges a run. A run without a single check is invalid: it shows nothing.
pub fn judge(records: &Records) -> Judgement {
    let (points, lifecycles) = (fpr::groups(&records.fpr), churn::groups(&records.churn));
    let mut collector = Collector::new(records, &points, &lifecycles);
    let locations = battery::judge(records);
    locations_of(&mut collector, &locations, true);
    let points = fpr::judge(&mut collector, &points);
    let overall = overall::judge(&mut collector);
    let lifecycles = churn::judge(&mut collector, &lifecycles);
    let shared_locations = location_sets::judge(&mut collector);
    memory(&mut collector);
    let only_locations = collector.verdict.counts.checks > 0
        && !locations.cells.is_empty()
        && points.is_empty()
        && lifecycles.is_empty()
        && records.memory.is_empty();
    // Without a control nothing shows that a fault would be found.
    if only_locations && locations.outcome == Outcome::Inconclusive {
        let by = "no scheme that must be flagged took part".to_owned();
        let what = "locations without a control".to_owned();
        collector.add(Outcome::Inconclusive, ("", ""), what, by);
    }
    // Of nothing but too few keys for any claim nothing can be said, and that is said.
    if collector.verdict.counts.checks + collector.verdict.baselines.checks == 0 {
        locations_of(&mut collector, &locations, false);
    }
    let mut verdict = collector.verdict;
    if verdict.counts.checks + verdict.baselines.checks == 0 {
        verdict.outcome = Outcome::Void;
    }
    for problems in [&mut verdict.problems, &mut verdict.baseline_problems] {
        // Stable: within an outcome the order of the records stays.
        problems.sort_by_key(|problem| std::cmp::Reverse(problem.outcome));
    }
    Judgement {
        verdict,
        locations,
        points,
        overall,
        lifecycles,
        shared_locations,
    }
}

/// Adds the tests of locations, a check a cell: those of which something is claimed, or the
/// others, whose keys are too few for any claim.
fn locations_of(collector: &mut Collector<'_>, judgement: &battery::Judgement, are_claimed: bool) {
    let records = collector.records;
    let is_claimed = |cell: &battery::Tested| cell.outcome != Outcome::Inconclusive;
    let cells = judgement.cells.iter();
    for cell in cells.filter(|cell| is_claimed(cell) == are_claimed) {
        let row = &records.battery[cell.rows.start];
        let what = format!(
            "locations of {} on {} over {} slots",
            row.subject,
            row.key_set,
            number::count(row.slots)
        );
        let by = cell.by() + &where_it_shows(judgement, cell, &records.battery);
        collector.add(cell.outcome, (&row.subject, &row.key_set), what, by);
    }
}

/// The part or pair with the smallest p of a cell that has a finding.
fn where_it_shows(
    judgement: &battery::Judgement,
    cell: &battery::Tested,
    rows: &[TestRow],
) -> String {
    let by_p = |a: &usize, b: &usize| judgement.adjusted[*a].total_cmp(&judgement.adjusted[*b]);
    match cell.rows.clone().min_by(by_p) {
        Some(at) if !cell.findings.is_empty() => format!(
            ", p {} after Holm in {}",
            number::p_value(judgement.adjusted[at]),
            rows[at].item
        ),
        _ => String::new(),
    }
}

/// Of memory one thing is judged: that the size which a filter chose for a target
/// keeps it. Where the filter leaves no choice there is nothing to keep.
fn memory(collector: &mut Collector<'_>) {
    let records = collector.records;
    for row in records.memory.iter().filter(|row| row.note.is_empty()) {
        let (got, asked) = (row.expected_fpr, row.x);
        let missed = || {
            (got > asked * (1.0 + COMPUTED))
                .then(|| format!("expected FPR {got:e}, {asked:e} was asked"))
        };
        let by = error([&row.error]).or_else(missed);
        let what = format!("size of {} for {} keys", row.filter, row.capacity);
        let outcome = Outcome::fails_if(by.is_some());
        collector.add(outcome, (&row.filter, ""), what, by.unwrap_or_default());
    }
}
