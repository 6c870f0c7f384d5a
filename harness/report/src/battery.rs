//! Judges the battery: statistical tests of the locations that keys are hashed to. It computes
//! p-values from recorded statistics, and verdicts from p-values.

use super::{document::Table, groups::grouped, judge::FAMILY_ALPHA, number};
use bouquet_record::{Outcome, Records, TestRow};
use bouquet_stats::{
    CountLaw, chi_square_p, chi_square_upper_p, holm, noncentrality_seen, uniform,
};

/// The names of the tests, in the order of the report's columns.
pub const TESTS: [&str; 4] = ["T0", "T1", "T3", "T7"];
/// A deviation that the report calls detectable is found by a test with this probability.
const POWER: f64 = 0.9;

/// A text for the report: how much was tested, and how to read the table.
pub fn reading(judgement: &Judgement) -> String {
    // The smallest relative excess of one bin that test T1 detects on the largest key set.
    let sizes = judgement
        .tested()
        .filter_map(|cell| Some((cell.first.keys, cell.bins?)));
    let found = sizes.max().and_then(|(keys, bins)| {
        let excess = number::percent(excess_seen(keys, bins, judgement.threshold)?, 2);
        let [keys, bins] = [keys, bins].map(number::count);
        Some(format!(
            " With power {POWER} T1 finds {excess} more in one of {bins} bins of {keys} keys."
        ))
    });
    format!(
        "{} p-values of {} cells; by Holm's correction over all of them at 0.001 a p below {} is \
         a finding.{} A cell is a scheme on one key set at one m. Known-good schemes and ours must \
         pass, schemes with a known fault must be flagged if there are enough keys to show it. \
         Columns have the smallest p-value.",
        number::count(judgement.p_values as u64),
        number::count(judgement.cells.len() as u64),
        number::significant(judgement.threshold, 2),
        found.unwrap_or_default()
    )
}

/// The smallest relative excess e of one bin that is detected with `keys` keys in `bins` bins. An
/// excess e gives the chi-square statistic the noncentrality keys e^2 / (bins - 1).
fn excess_seen(keys: u64, bins: u64, alpha: f64) -> Option<f64> {
    let noncentrality = noncentrality_seen(bins - 1, alpha, POWER)?;
    Some((noncentrality * (bins - 1) as f64 / keys as f64).sqrt())
}

/// The smallest p-value of the test with this index in [`TESTS`].
fn smallest(cells: &[&Tested], test: usize) -> Option<f64> {
    let each = cells.iter().filter_map(|cell| cell.worst_p[test]);
    each.reduce(f64::min)
}

/// A table with one row per filter or scheme. It has the smallest p-value of each test over all key
/// sets and numbers of slots.
pub fn table(records: &Records, judgement: &Judgement) -> Table {
    let subjects = grouped(&judgement.cells, |cell| &*cell.first.subject);
    let flagged = |cells: &[&Tested]| {
        let is_flag = |test: &&str| cells.iter().any(|cell| cell.findings.contains(test));
        let flags = number::joined(TESTS.into_iter().filter(is_flag), " ");
        Some(flags).filter(|flags| !flags.is_empty())
    };
    let mut table = Table::of(&subjects)
        .column("Scheme", |(name, _)| *name)
        .column("Role", |(name, _)| records.role(name).replace('-', " "))
        .column("Verdict", |(_, cells)| gravest(cells).outcome)
        .column("Flagged by", |(_, cells)| flagged(cells))
        .column("#Cells", |(_, cells)| cells.len());
    for (at, heading) in ["#T0", "#T1", "#T3", "#T7"].into_iter().enumerate() {
        table = table.column(heading, |(_, cells)| {
            smallest(cells, at).map(number::p_value)
        });
    }
    table.table()
}

/// Groups the results that differ only in their key set.
pub fn groups(judgement: &Judgement) -> Vec<Vec<&Tested>> {
    let groups = grouped(&judgement.cells, |cell| {
        let first = &cell.first;
        (&first.subject, first.slots, first.probes, &cell.expected)
    });
    groups.into_iter().map(|(_, cells)| cells).collect()
}

/// The first result with the gravest outcome.
pub fn gravest<'a>(cells: &[&'a Tested]) -> &'a Tested {
    let gravest = cells.iter().rev().max_by_key(|cell| cell.outcome);
    gravest.unwrap_or(&cells[0])
}

/// A table of unformatted numbers, with one row per scheme and number of slots.
pub fn plain(judgement: &Judgement) -> Table {
    let groups = groups(judgement);
    let keys = |cells: &[&Tested]| cells.iter().map(|cell| cell.first.keys).collect::<Vec<_>>();
    let mut table = Table::of(&groups)
        .column("subject", |cells| &cells[0].first.subject)
        .column("slots", |cells| cells[0].first.slots)
        .column("least_keys", |cells| keys(cells).into_iter().min())
        .column("most_keys", |cells| keys(cells).into_iter().max())
        .column("cells", |cells| cells.len());
    for (at, key) in ["t0_p", "t1_p", "t3_p", "t7_p"].into_iter().enumerate() {
        table = table.column(key, |cells| smallest(cells, at));
    }
    table
        .column("expected", |cells| &cells[0].expected)
        .column("observed", |cells| &gravest(cells).observed)
        .column("verdict", |cells| gravest(cells).outcome)
        .table()
}

/// The results of the uniformity tests of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    pub outcome: Outcome,
    /// The results per scheme, key set and number of slots, in the order of the records.
    pub cells: Vec<Tested>,
    pub p_values: usize,
    /// A p-value below this is a finding: its test flags the scheme.
    pub threshold: f64,
}

/// The result of a cell: one scheme tested on one key set, with one number of slots.
#[derive(Clone, PartialEq, Debug)]
pub struct Tested {
    /// The first row of the cell.
    pub first: TestRow,
    pub tests: u64,
    /// The number of bins of test T1.
    pub bins: Option<u64>,
    /// The smallest p-value of each test.
    pub worst_p: [Option<f64>; TESTS.len()],
    /// The smallest p-value of the cell after Holm's correction over the run, with the names of the
    /// test and of what it tested; 1 if the cell could not be tested.
    pub least: (f64, String),
    /// The p-value that decides whether the cell is flagged. If certain tests must flag it, this is
    /// the largest of their p-values, else the smallest of all.
    pub nearest_miss: f64,
    pub findings: Vec<&'static str>,
    pub outcome: Outcome,
    pub expected: String,
    pub observed: String,
}

/// A row with its p-value, before and after Holm's correction over the run.
type WithP<'a> = (&'a TestRow, (f64, f64));

/// Judges the battery of a run. An error is a failure, except for subjects with role `baseline` and
/// for sizes that the layout of a scheme does not support.
pub fn judge(records: &Records) -> Judgement {
    let rows = &records.battery;
    let sound = rows.iter().filter(|row| row.error.is_empty());
    let p: Vec<f64> = sound.map(p_value).collect();
    let adjusted = holm(&p);
    let rejected = adjusted.iter().filter(|p| **p < FAMILY_ALPHA).count();
    let threshold = FAMILY_ALPHA / (p.len() - rejected).max(1) as f64;
    let p_values = p.len();
    let mut each = p.into_iter().zip(adjusted);
    let judged = rows.iter().map(|row| match &*row.error {
        "" => (row, each.next().unwrap_or((1.0, 1.0))),
        _ => (row, (1.0, 1.0)),
    });
    let judged: Vec<WithP<'_>> = judged.collect();
    let cells = judged.chunk_by(|a, b| a.0.is_beside(b.0));
    let cells: Vec<Tested> = cells.map(|rows| cell(records, rows)).collect();
    let worst = cells.iter().map(|cell| cell.outcome).max();
    Judgement {
        // Without a scheme that must be flagged, nothing shows that the tests would detect a fault.
        outcome: match worst {
            Some(worst) if worst > Outcome::Inconclusive => worst,
            _ if cells.iter().any(Tested::must_flag) => Outcome::Pass,
            _ => Outcome::Inconclusive,
        },
        cells,
        p_values,
        threshold,
    }
}

/// The p-value of a row without an error. If the statistic is a count, the p-value is randomised by
/// a number computed from the row's seed and names. A statistic that is not finite has p-value 0.
fn p_value(row: &TestRow) -> f64 {
    let is_upper = row.sides == "upper";
    let p = match (row.degrees_of_freedom, count_law(row)) {
        _ if !row.statistic.is_finite() => Some(0.0),
        (Some(df), _) if is_upper => chi_square_upper_p(row.statistic, df),
        (Some(df), _) => chi_square_p(row.statistic, df),
        (_, law) => law.map(|law| {
            let u = uniform(row.seed, &[&row.test, &row.item]);
            let tails = law.tails(row.statistic, u);
            match is_upper {
                true => tails.upper,
                false => tails.two_sided(),
            }
        }),
    };
    p.unwrap_or(1.0)
}

/// The expected distribution of a statistic that is a count; `None` for other statistics.
pub fn count_law(row: &TestRow) -> Option<CountLaw> {
    let mean = row.mean?;
    Some(match (row.trials, row.variance, row.third_cumulant) {
        (Some(trials), ..) => CountLaw::Binomial(trials, mean / trials as f64),
        (_, Some(variance), Some(third)) => CountLaw::Skewed(mean, variance, third),
        _ => CountLaw::Poisson(mean),
    })
}

fn cell(records: &Records, rows: &[WithP<'_>]) -> Tested {
    let first = rows[0].0.clone();
    let of_test = |test: &'static str| rows.iter().filter(move |(row, _)| row.test == test);
    let is_found = |test: &&'static str| of_test(test).any(|(_, (_, p))| *p < FAMILY_ALPHA);
    let findings: Vec<&str> = TESTS.into_iter().filter(is_found).collect();
    let worst_p = TESTS.map(|test| of_test(test).map(|(_, (p, _))| *p).reduce(f64::min));
    let least = rows.iter().min_by(|a, b| a.1.1.total_cmp(&b.1.1));
    let (row, (_, p)) = least.unwrap_or(&rows[0]);
    let least = (*p, format!("{} {}", row.test, row.item));
    // A required test that was not run counts as a test that did not flag the subject.
    let named: Vec<&str> = first.expected_tests.split_whitespace().collect();
    let required = TESTS.iter().zip(worst_p);
    let required = required.filter(|(test, _)| named.contains(test));
    let farthest = required.map(|(_, p)| p.unwrap_or(1.0)).reduce(f64::max);
    let smallest = worst_p.into_iter().flatten().fold(1.0, f64::min);
    let bins = of_test("T1").filter_map(|(row, _)| Some(row.degrees_of_freedom? + 1));
    let by = |outcome: &str, tests: &str| match tests {
        "" => outcome.to_owned(),
        _ => format!("{outcome} by {tests}"),
    };
    Tested {
        tests: rows.len() as u64,
        bins: bins.max(),
        worst_p,
        least,
        nearest_miss: farthest.unwrap_or(smallest),
        outcome: outcome(&first, records.role(&first.subject), &findings),
        expected: by(&first.expected_outcome, &first.expected_tests),
        observed: match &*first.error {
            "" if findings.is_empty() => "passed".into(),
            "" => by("flagged", &findings.join(" ")),
            _ if first.expected_outcome == "impossible" => "rejected the size".into(),
            error => error.into(),
        },
        findings,
        first,
    }
}

fn outcome(first: &TestRow, role: &str, findings: &[&str]) -> Outcome {
    let is_error = !first.error.is_empty();
    let mut named = first.expected_tests.split_whitespace();
    let is_kept = match first.expected_outcome.as_str() {
        "unclaimed" => return Outcome::Inconclusive,
        "impossible" => is_error,
        _ if is_error => false,
        "flagged" => !findings.is_empty() && named.all(|test| findings.contains(&test)),
        _ => findings.is_empty(),
    };
    match role {
        _ if is_kept => Outcome::Pass,
        "baseline" => Outcome::Pass,
        "ours" => Outcome::Fail,
        _ if is_error || first.expected_outcome == "impossible" => Outcome::Fail,
        _ => Outcome::Void,
    }
}

impl Tested {
    pub fn must_flag(&self) -> bool {
        self.first.expected_outcome == "flagged"
    }
}

impl Judgement {
    /// The cells that could be tested. Any other cell has a single row, with an error.
    pub fn tested(&self) -> impl Iterator<Item = &Tested> {
        let cells = self.cells.iter();
        cells.filter(|cell| cell.first.error.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouquet_record::Outcome::{Fail, Inconclusive, Pass, Void};
    use bouquet_record::SubjectRow;

    fn row(subject: &str, expected: &str, test: &str, statistic: f64) -> TestRow {
        let (expected, tests) = expected.split_once(" by ").unwrap_or((expected, ""));
        TestRow {
            subject: subject.into(),
            expected_outcome: expected.into(),
            expected_tests: tests.into(),
            test: test.into(),
            statistic,
            degrees_of_freedom: Some(63),
            error: if test.is_empty() { "no" } else { "" }.into(),
            ..TestRow::default()
        }
    }

    fn judge(rows: &[TestRow]) -> Judgement {
        let roles = [
            ("good", "known-good"),
            ("bad", "known-bad"),
            ("rare", "known-bad"),
            ("ours", "ours"),
            ("theirs", "baseline"),
        ];
        let subject = |(subject, role): (&str, &str)| SubjectRow {
            subject: subject.into(),
            role: role.into(),
            ..SubjectRow::default()
        };
        super::judge(&Records {
            battery: rows.to_vec(),
            subjects: roles.map(subject).into(),
            ..Records::default()
        })
    }

    #[test]
    fn what_a_table_asks_for_is_kept_or_not() {
        let control = || row("bad", "flagged", "T1", 1e4);
        for (rows, outcome) in [
            (vec![row("good", "passes", "T1", 63.0), control()], Pass),
            (vec![row("good", "passes", "T1", 63.0)], Inconclusive),
            (vec![row("bad", "flagged", "T1", 63.0)], Void),
            (vec![row("good", "passes", "T1", 1e4), control()], Void),
            (vec![row("ours", "passes", "T1", 1e4), control()], Fail),
            (vec![row("theirs", "passes", "T1", 1e4), control()], Pass),
            (
                vec![row("rare", "undetectable", "T1", 1e4), control()],
                Void,
            ),
            // T1 flags the scheme, but it was expected that T3 does.
            (vec![row("bad", "flagged by T3", "T1", 1e4)], Void),
            (
                ["T1", "T3"]
                    .map(|test| row("bad", "flagged by T3", test, 1e4))
                    .into(),
                Pass,
            ),
            // A chi-square of 0: the counts are too even to be random, so the scheme is flagged.
            (vec![row("bad", "flagged", "T1", 0.0)], Pass),
            // An error is a failure, except for an impossible size, which must be rejected.
            (vec![row("ours", "passes", "", 0.0), control()], Fail),
            (vec![row("ours", "impossible", "", 0.0), control()], Pass),
            (vec![row("ours", "impossible", "T1", 63.0), control()], Fail),
        ] {
            let judgement = judge(&rows);
            assert_eq!(judgement.outcome, outcome, "{rows:?}");
            let tested = rows.iter().filter(|row| row.error.is_empty());
            assert_eq!(judgement.p_values, tested.count());
        }
        assert_eq!(p_value(&row("bad", "flagged", "T3", f64::INFINITY)), 0.0);
    }

    /// Detecting an excess of 1 % in one of 1,024 bins takes 2.9e9 locations at alpha 5e-6 and
    /// power 0.9.
    #[test]
    fn an_excess_is_that_of_the_reference() {
        let excess = excess_seen(2_906_000_000, 1_024, 5e-6).unwrap();
        assert!((excess / 0.01 - 1.0).abs() < 2e-3, "{excess}");
    }
}
