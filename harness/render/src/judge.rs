//! Records to verdicts.

pub(super) mod check;
mod churn;
mod fpr;

pub use check::Check;
pub use churn::Lifecycle;
pub use fpr::{Point, point, pool, sum};

pub use bouquet_ground::Outcome;

use super::{
    battery,
    groups::{distinct, grouped},
    levels::{COMPUTED, FAMILY_ALPHA},
    number,
    repeat::repeat,
};
use bouquet_ground::record::{Observation, Records, TestRow, is_only_reported};

/// A filter over all its points.
#[derive(Clone, PartialEq, Debug)]
pub struct Overall {
    pub filter: String,
    /// Filters that were filled and asked.
    pub replicates: usize,
    pub check: Check,
    pub z: f64,
}

/// Keys of a geometry that share all their locations, against chance.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedLocations {
    pub of: TestRow,
    pub expected_pairs: f64,
    pub outcome: Outcome,
}

/// How many checks came out how.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    pub checks: u64,
    pub failed: u64,
    pub inconclusive: u64,
    pub void: u64,
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
            verdict.outcome = verdict.outcome.max(outcome);
            (&mut verdict.counts, &mut verdict.problems)
        };
        counts.checks += 1;
        match outcome {
            Outcome::Pass => return,
            Outcome::Inconclusive => counts.inconclusive += 1,
            Outcome::Fail => counts.failed += 1,
            Outcome::Void => counts.void += 1,
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

    fn has_checks(&self) -> bool {
        self.verdict.counts.checks + self.verdict.baselines.checks > 0
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
    let overall = overall(&mut collector);
    let lifecycles = churn::judge(&mut collector, &lifecycles);
    let shared_locations = shared_locations(&mut collector);
    memory(&mut collector);
    // Without a control nothing shows that a fault would be found.
    let has_rates = !(points.is_empty() && lifecycles.is_empty() && records.memory.is_empty());
    if locations.outcome == Outcome::Inconclusive
        && !has_rates
        && !locations.cells.is_empty()
        && collector.verdict.counts.checks > 0
    {
        let by = "no scheme that must be flagged took part".to_owned();
        let what = "locations without a control".to_owned();
        collector.add(Outcome::Inconclusive, ("", ""), what, by);
    }
    // Of nothing but too few keys for any claim nothing can be said, and that is said.
    if !collector.has_checks() {
        locations_of(&mut collector, &locations, false);
    }
    if !collector.has_checks() {
        collector.verdict.outcome = Outcome::Void;
    }
    let mut verdict = collector.verdict;
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
        let row = &cell.first;
        let what = format!(
            "locations of {} on {} over {} slots",
            row.subject,
            row.key_set,
            number::count(row.slots)
        );
        let mut by = cell.by();
        // The part or pair with the smallest p.
        let adjusted = |at: &usize| judgement.adjusted[*at];
        let least = cell
            .rows
            .clone()
            .min_by(|a, b| adjusted(a).total_cmp(&adjusted(b)));
        if let Some(at) = least.filter(|_| !cell.findings.is_empty()) {
            let p = number::p_value(adjusted(&at));
            by += &format!(", p {p} after Holm in {}", records.battery[at].item);
        }
        collector.add(cell.outcome, (&row.subject, &row.key_set), what, by);
    }
}

/// All rates of each filter together against theory.
fn overall(collector: &mut Collector<'_>) -> Vec<Overall> {
    let records = collector.records;
    let is_judged =
        |row: &&Observation| row.error.is_empty() && !is_of_a_peer(records, &row.filter);
    let mut all = Vec::new();
    for (filter, rows) in grouped(records.fpr.iter().filter(is_judged), |row| &row.filter) {
        let Some((check, z)) = check::overall(&rows, collector.overall_alpha) else {
            continue;
        };
        let what = format!("FPR of {filter} over all its points");
        collector.add(check.outcome, (filter, ""), what, check.by_how_much());
        all.push(Overall {
            filter: filter.clone(),
            replicates: rows.len(),
            check,
            z,
        });
    }
    all
}

/// Whether filters can distinguish keys: all of which something is claimed.
fn shared_locations(collector: &mut Collector<'_>) -> Vec<SharedLocations> {
    let mut all = Vec::new();
    for row in &collector.records.location_sets {
        let law = battery::count_law(row);
        let (outcome, by) = match law {
            _ if !row.error.is_empty() => (Outcome::Fail, format!("error: {}", row.error)),
            None => continue,
            Some(law) => {
                let outcome =
                    Outcome::fails_if(law.tails(row.statistic, 0.0).upper < collector.alpha);
                let pairs = number::count(row.statistic as u64);
                let expected = number::significant(law.mean(), 2);
                (outcome, format!("{pairs} pairs, {expected} by chance"))
            }
        };
        let what = format!("keys of {} that share all locations", row.subject);
        collector.add(outcome, (&row.subject, &row.key_set), what, by);
        all.extend(law.map(|law| SharedLocations {
            of: row.clone(),
            expected_pairs: law.mean(),
            outcome,
        }));
    }
    all
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
