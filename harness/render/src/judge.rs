//! Computes verdicts from records.

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

/// The FPR of one filter over all its points, compared with theory.
#[derive(Clone, PartialEq, Debug)]
pub struct Overall {
    pub filter: String,
    /// The number of filter instances that were filled and queried.
    pub replicates: usize,
    pub check: Check,
    pub z: f64,
}

/// The number of key pairs that share all their locations, compared with chance, for one geometry.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedLocations {
    pub of: TestRow,
    pub expected_pairs: f64,
    pub outcome: Outcome,
}

/// The number of checks by outcome.
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
    /// What was checked, and on which keys.
    pub what: String,
    /// By how much the check failed.
    pub by: String,
    /// The command that repeats it; empty if the run recorded none.
    pub repeat: String,
}

impl Verdict {
    /// Groups the problems that one command repeats, the gravest first: the first problem of each
    /// group, and the number of the others. Inconclusive checks are left out.
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
    /// The checks of baselines, whose failures are reported but do not fail the run.
    pub baselines: Counts,
    /// The problems, the gravest first, without those of baselines.
    pub problems: Vec<Problem>,
    /// The problems of baselines.
    pub baseline_problems: Vec<Problem>,
}

/// A verdict with the results that it is based on.
#[derive(Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// The results of the battery.
    pub locations: battery::Judgement,
    pub points: Vec<Point>,
    pub overall: Vec<Overall>,
    /// The results of filters from which keys were removed, on each data set.
    pub lifecycles: Vec<Lifecycle>,
    pub shared_locations: Vec<SharedLocations>,
}

impl Judgement {
    /// Whether only locations were tested, so that the tables show locations.
    pub fn is_of_locations(&self) -> bool {
        self.points.is_empty() && self.lifecycles.is_empty() && !self.locations.cells.is_empty()
    }
}

/// The rows of one point, or of one filter from which keys were removed.
type Rows<'a> = Vec<&'a Observation>;

/// Collects checks as they are judged.
struct Collector<'a> {
    records: &'a Records,
    /// The significance level of one check of a point (`alpha`), and of one check of a filter over
    /// all its points or after the churn (`overall_alpha`). By Bonferroni's correction, all checks
    /// together keep the family's alpha; each kind gets half of it.
    alpha: f64,
    overall_alpha: f64,
    verdict: Verdict,
}

impl<'a> Collector<'a> {
    /// A collector for the points of sweeps and the lifecycles of these records.
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

    /// Adds a check of a filter or scheme on a key set: what was checked, and by how much it
    /// missed. Checks of other crates are ignored: the FPR that they state is often a bound and not
    /// the exact expected value.
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

/// The first error among these rows, in words.
fn error<'a>(errors: impl IntoIterator<Item = &'a String>) -> Option<String> {
    let error = errors.into_iter().find(|error| !error.is_empty());
    error.map(|error| format!("error: {error}"))
}

/// "`count` of `whole`" with a description.
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

/// Judges a run. A run without any check is invalid, since it shows nothing.
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
    // Without a control, nothing shows that the tests would detect a fault.
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
    // If all key sets are too small to claim anything, they are reported as inconclusive.
    if !collector.has_checks() {
        locations_of(&mut collector, &locations, false);
    }
    if !collector.has_checks() {
        collector.verdict.outcome = Outcome::Void;
    }
    let mut verdict = collector.verdict;
    for problems in [&mut verdict.problems, &mut verdict.baseline_problems] {
        // The sort is stable: problems of the same outcome keep the order of the records.
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

/// Adds the tests of locations, one check per cell: either the cells with a claimed outcome, or
/// those whose keys are too few to claim one.
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
        // The row with the smallest p-value.
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

/// Compares all rates of each filter together with theory.
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

/// Checks that filters distinguish keys: that no more pairs of keys share all their locations than
/// chance explains. Only rows with an expected distribution are checked.
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

/// Checks that the size that a filter chose for a target FPR keeps the target and has room for its
/// keys. A filter that leaves no choice is not checked.
fn memory(collector: &mut Collector<'_>) {
    let records = collector.records;
    for row in records.memory.iter().filter(|row| row.note.is_empty()) {
        let (got, asked) = (row.expected_fpr, row.x);
        let missed = || {
            (got > asked * (1.0 + COMPUTED))
                .then(|| format!("expected FPR {got:e}, {asked:e} was asked"))
        };
        let wrong = || {
            let some =
                |(count, words): (u64, &str)| (count > 0).then(|| of(count, row.keys, words));
            let counts = [
                (row.rejected, "keys rejected within the capacity"),
                (row.false_negatives, "members are false negatives"),
                (row.batch_differ.unwrap_or(0), fpr::OTHERWISE),
            ];
            counts.into_iter().find_map(some)
        };
        let by = error([&row.error]).or_else(missed).or_else(wrong);
        let what = format!("size of {} for {} keys", row.filter, row.capacity);
        let outcome = Outcome::fails_if(by.is_some());
        collector.add(outcome, (&row.filter, ""), what, by.unwrap_or_default());
    }
}
