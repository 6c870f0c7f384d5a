//! Computes verdicts from records.

mod point;

pub use bouquet_record::Outcome;
pub use point::{Check, Point, overall, point, pool};

use super::{battery, groups::grouped, number, repeat::repeat};
use bouquet_record::{Observation, Records, Sweep, is_only_reported};
use bouquet_stats::z_two_sided;

/// The probability that at least one test of locations fails by chance in a run of correct filters.
/// It is also the probability that at least one check of a rate or fill ratio fails by chance.
pub const FAMILY_ALPHA: f64 = 1e-3;
/// The relative numerical error that is allowed in an FPR computed by theory.
const COMPUTED: f64 = 1e-8;

/// The FPR of a filter over all points of its sweeps (sizes, loads or targets), against theory.
#[derive(Clone, PartialEq, Debug)]
pub struct Overall {
    /// The filter and its points, in words.
    pub what: String,
    /// Whether the points were measured after removals of keys.
    pub is_churn: bool,
    pub check: Check,
}

/// A check that did not pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    pub outcome: Outcome,
    /// The name of the filter or scheme.
    pub subject: String,
    /// The name of the key set; empty if the check covers several.
    pub dataset: String,
    /// What was checked, and on which keys.
    pub what: String,
    /// How far the measurement is from what was expected, in words.
    pub by: String,
    /// The command that repeats the check; empty if the run did not record its command.
    pub repeat: String,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Verdict {
    pub outcome: Outcome,
    pub checks: u64,
    /// The checks that did not pass, those with the gravest outcome first.
    pub problems: Vec<Problem>,
}

impl Verdict {
    /// The number of checks with this outcome, which must not be [`Outcome::Pass`].
    pub fn count(&self, outcome: Outcome) -> u64 {
        let problems = self.problems.iter();
        problems.filter(|one| one.outcome == outcome).count() as u64
    }

    /// Groups the problems that can be repeated by the same command, the gravest first. Returns
    /// each group's first problem and number of other problems. Leaves out inconclusive checks.
    pub fn grave(&self) -> Vec<(&Problem, usize)> {
        let grave = self.problems.iter();
        let grave = grave.filter(|problem| problem.outcome > Outcome::Inconclusive);
        let groups = grouped(grave, |one| (one.outcome, &one.subject, &one.dataset)).into_iter();
        groups.map(|(_, all)| (all[0], all.len() - 1)).collect()
    }

    /// Adds the outcome of a check. `of` names the filter or scheme and the key set; `words` say
    /// what was checked and by how much it failed. Filters of other crates are not judged, because
    /// the FPR that they state is often a bound and not the exact expected value.
    fn add(&mut self, records: &Records, outcome: Outcome, of: (&str, &str), words: [String; 2]) {
        let ((name, dataset), [what, by]) = (of, words);
        if is_reported(records, name) {
            return;
        }
        self.outcome = outcome.max(self.outcome);
        self.checks += 1;
        if outcome != Outcome::Pass {
            self.problems.push(Problem {
                outcome,
                subject: name.to_owned(),
                dataset: dataset.to_owned(),
                repeat: repeat(records, name, dataset),
                what,
                by,
            });
        }
    }
}

/// A verdict with the results that it is based on.
#[derive(Debug)]
pub struct Judgement {
    pub verdict: Verdict,
    /// The results of the tests of locations.
    pub locations: battery::Judgement,
    /// The points of all sweeps; points that follow rounds of removals come last.
    pub points: Vec<Point>,
    pub overall: Vec<Overall>,
}

impl Judgement {
    /// Whether only locations were tested, so that the tables show locations.
    pub fn is_of_locations(&self) -> bool {
        self.points.is_empty() && !self.locations.cells.is_empty()
    }
}

fn of(count: u64, whole: u64, words: &str) -> String {
    let (count, whole) = (number::count(count), number::count(whole));
    format!("{count} of {whole} {words}")
}

/// Whether a filter or scheme is measured but not judged.
pub(super) fn is_reported(records: &Records, name: &str) -> bool {
    is_only_reported(records.role(name))
}

/// The significance level of each of `checks` checks, by Bonferroni's correction. Half of
/// [`FAMILY_ALPHA`] is for the checks of single points, and half for the checks of whole filters.
fn level(checks: usize) -> f64 {
    FAMILY_ALPHA / (2 * checks.max(1)) as f64
}

/// Judges a run. A run without any rows is invalid, because it shows nothing.
pub fn judge(records: &Records) -> Judgement {
    let mut verdict = Verdict {
        outcome: Outcome::Pass,
        checks: 0,
        problems: Vec::new(),
    };
    let locations = battery::judge(records);
    let is_open = |cell: &&battery::Tested| cell.outcome == Outcome::Inconclusive;
    let (open, claimed): (Vec<_>, Vec<_>) = locations.cells.iter().partition(is_open);
    for cell in &claimed {
        of_cell(&mut verdict, records, cell);
    }
    let rows = records.fpr.iter().chain(&records.churn);
    let groups = grouped(rows, |row| (row.point(), &row.key_set));
    let judged = groups.iter();
    let judged = judged.filter(|(_, rows)| !is_reported(records, &rows[0].filter));
    let alpha = level(point::CHECKS * judged.count() + records.location_sets.len());
    let points = groups.iter().map(|(_, rows)| point(rows, alpha));
    let points: Vec<Point> = points.collect();
    let fill_limit = z_two_sided(1.0 - alpha);
    for point in &points {
        let (filter, key_set) = (&point.of.filter, &point.of.key_set);
        let place = point::place(&point.of);
        for (name, outcome, by) in point.checks(records.subject(filter), fill_limit) {
            let what = format!("{name} of {filter} on {key_set} {place}");
            verdict.add(records, outcome, (filter, key_set), [what, by]);
        }
    }
    let overall = over_all_points(&mut verdict, records);
    shared_locations(&mut verdict, records, alpha);
    memory(&mut verdict, records);
    let has_rates = !(points.is_empty() && records.memory.is_empty());
    if verdict.checks == 0 {
        // Key sets that are too small to test are reported only if there are no other results.
        for cell in open {
            of_cell(&mut verdict, records, cell);
        }
    } else if locations.outcome == Outcome::Inconclusive && !has_rates && !claimed.is_empty() {
        // Without a scheme that must be flagged, nothing shows that the tests would detect a fault.
        let by = "no scheme that must be flagged took part".to_owned();
        let what = "locations without a control".to_owned();
        verdict.add(records, Outcome::Inconclusive, ("", ""), [what, by]);
    }
    if verdict.checks == 0 {
        verdict.outcome = match has_rates {
            true => Outcome::Inconclusive,
            false => Outcome::Void,
        };
    }
    // The sort is stable: problems of the same outcome keep the order of the records.
    let problems = &mut verdict.problems;
    problems.sort_by_key(|problem| std::cmp::Reverse(problem.outcome));
    Judgement {
        verdict,
        locations,
        points,
        overall,
    }
}

/// Adds all tests of the locations of one scheme on one key set as one check.
fn of_cell(verdict: &mut Verdict, records: &Records, cell: &battery::Tested) {
    let (name, key_set) = (&*cell.first.subject, &*cell.first.key_set);
    let slots = number::count(cell.first.slots);
    let what = format!("locations of {name} on {key_set} over {slots} slots");
    let mut by = format!("expected: {}; observed: {}", cell.expected, cell.observed);
    if !cell.findings.is_empty() {
        let (p, test) = (number::p_value(cell.least.0), &cell.least.1);
        by += &format!(", p {p} after Holm in {test}");
    }
    verdict.add(records, cell.outcome, (name, key_set), [what, by]);
}

/// Compares the FPR of each filter over all its points with theory. If keys were removed in rounds,
/// only the points after the last round count: the rounds share keys, so they are not independent
/// samples, and a drift of the FPR is largest at the end.
fn over_all_points(verdict: &mut Verdict, records: &Records) -> Vec<Overall> {
    let rows = records.fpr.iter().chain(&records.churn);
    let rows = rows.filter(|row| row.error.is_empty() && !is_reported(records, &row.filter));
    let churn = |row: &Observation| (row.sweep == Sweep::Churn).then(|| row.experiment.clone());
    let groups = grouped(rows, |row| (&row.filter, churn(row)));
    let alpha = level(groups.len());
    let mut all = Vec::new();
    for ((filter, churn), mut rows) in groups {
        let last = rows.iter().map(|row| row.step).max();
        rows.retain(|row| Some(row.step) == last);
        let Some(check) = overall(&rows, alpha) else {
            continue;
        };
        let over = match churn {
            Some(_) => point::place(rows[0]),
            None => "over all its points".to_owned(),
        };
        let what = format!("FPR of {filter} {over}");
        let by = check.by_how_much();
        verdict.add(records, check.outcome, (filter, ""), [what.clone(), by]);
        all.push(Overall {
            what,
            is_churn: churn.is_some(),
            check,
        });
    }
    all
}

/// Checks that filters distinguish keys: the number of pairs of keys that share all their locations
/// must be explained by chance. Rows without an expected distribution are not checked.
fn shared_locations(verdict: &mut Verdict, records: &Records, alpha: f64) {
    for row in &records.location_sets {
        let (is_bad, by) = match battery::count_law(row) {
            _ if !row.error.is_empty() => (true, format!("error: {}", row.error)),
            None => continue,
            Some(law) => {
                let pairs = number::count(row.statistic as u64);
                let expected = number::significant(law.mean(), 2);
                let is_bad = law.tails(row.statistic, 0.0).upper < alpha;
                (is_bad, format!("{pairs} pairs, {expected} by chance"))
            }
        };
        let what = format!("keys of {} that share all locations", row.subject);
        let of = (&*row.subject, &*row.key_set);
        verdict.add(records, Outcome::fails_if(is_bad), of, [what, by]);
    }
}

/// Checks that a filter sized for a target FPR keeps the target and has room for its keys. Filters
/// that cannot be sized for a target are not checked.
fn memory(verdict: &mut Verdict, records: &Records) {
    for row in records.memory.iter().filter(|row| row.note.is_empty()) {
        let (got, asked) = (row.expected_fpr, row.x);
        let counts = [
            (row.rejected, "keys rejected within the capacity"),
            (row.false_negatives, "members are false negatives"),
            (row.batch_differ.unwrap_or(0), point::OTHERWISE),
        ];
        let by = match counts.into_iter().find(|(count, _)| *count > 0) {
            _ if !row.error.is_empty() => format!("error: {}", row.error),
            _ if got > asked * (1.0 + COMPUTED) => {
                format!("expected FPR {got:e}, the target is {asked:e}")
            }
            Some((count, words)) => of(count, row.keys, words),
            None => String::new(),
        };
        let what = format!("size of {} for {} keys", row.filter, row.capacity);
        let outcome = Outcome::fails_if(!by.is_empty());
        verdict.add(records, outcome, (&row.filter, ""), [what, by]);
    }
}
