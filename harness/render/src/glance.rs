//! The summary table: one row per filter.

use super::{
    document::Table,
    judge::{Judgement, Outcome, Point, pool},
    number,
};
use bouquet_ground::record::{Records, SubjectRow, Sweep, is_only_reported};

/// The bits per key at which filters are compared if none was filled to capacity.
const USUAL_BITS: f64 = 10.0;

/// The results of one filter.
pub struct Glance<'a> {
    pub subject: &'a SubjectRow,
    pub verdict: &'static str,
    /// The point that represents the filter in the table.
    point: Option<Point>,
    worst_uniformity_p: Option<f64>,
    members_asked: u64,
    pub false_negatives: u64,
}

/// One row per filter, in the order of the records.
pub fn rows<'a>(records: &'a Records, judgement: &Judgement) -> Vec<Glance<'a>> {
    let filters = records.subjects.iter().filter(|s| s.kind == "filter");
    filters.map(|subject| row(judgement, subject)).collect()
}

fn is_judged(judgement: &Judgement, name: &str) -> bool {
    judgement.points.iter().any(|point| point.of.filter == name)
        || judgement
            .lifecycles
            .iter()
            .any(|lifecycle| lifecycle.of.filter == name)
}

/// The line below the table that says where the rates come from.
pub const SOURCE: &str = "FPR of filters full to capacity, with its 95 % interval, pooled over the \
     data sets: at load 1, or at the number of bits per key nearest to 10, or for the first target. \
     Bits per key are those really allocated. False negatives are those of the whole run.";

/// The points that represent a filter. Of several experiments and sizes only the best is used,
/// since different rates must not be pooled.
fn speakers<'a>(points: &'a [Point], filter: &str) -> Vec<&'a Point> {
    let own = || {
        let own = points.iter().filter(|p| p.of.filter == filter);
        own.filter(|p| p.of.non_members > 0)
    };
    let distance = |p: &Point| match p.of.sweep {
        Sweep::BitsPerKey => 1.0 + (p.of.x - USUAL_BITS).abs(),
        Sweep::Load if p.is_full() => 0.0,
        Sweep::Load | Sweep::TargetFpr | Sweep::Churn | Sweep::Memory => f64::MAX,
    };
    let Some(best) = own().min_by(|a, b| distance(a).total_cmp(&distance(b))) else {
        return Vec::new();
    };
    own().filter(|p| p.of.point() == best.of.point()).collect()
}

fn row<'a>(judgement: &Judgement, subject: &'a SubjectRow) -> Glance<'a> {
    let (members_asked, false_negatives) = members(judgement, &subject.subject);
    Glance {
        subject,
        verdict: outcome(judgement, &subject.subject, &subject.role),
        point: pool(speakers(&judgement.points, &subject.subject)),
        worst_uniformity_p: uniformity(judgement, subject),
        members_asked,
        false_negatives,
    }
}

/// The number of members looked up in the whole run, singly and in batches, and of false negatives.
fn members(judgement: &Judgement, name: &str) -> (u64, u64) {
    let rounds = judgement.lifecycles.iter().flat_map(|l| &l.rounds);
    let all = judgement.points.iter().chain(rounds);
    let (mut asked, mut missing) = (0, 0);
    for Point { of, .. } in all.filter(|p| p.of.filter == name) {
        let found = [Some(of.false_negatives), of.batch_false_negatives];
        for own in found.into_iter().flatten() {
            (asked, missing) = (asked + of.members, missing + own);
        }
    }
    (asked, missing)
}

fn uniformity(judgement: &Judgement, subject: &SubjectRow) -> Option<f64> {
    if !subject.exposes_locations {
        return None;
    }
    let worst = |scheme: &str| {
        let locations = &judgement.locations;
        let own = locations.tested();
        let own = own.filter(|cell| cell.first.subject == scheme && !cell.must_flag());
        let adjusted = own.flat_map(|cell| &locations.adjusted[cell.rows.clone()]);
        adjusted.copied().min_by(f64::total_cmp)
    };
    worst(&subject.subject).or_else(|| worst(&subject.scheme))
}

fn outcome(judgement: &Judgement, name: &str, role: &str) -> &'static str {
    if !is_judged(judgement, name) {
        return "not judged";
    }
    if is_only_reported(role) {
        return "reported";
    }
    let verdict = &judgement.verdict;
    let problems = verdict.problems.iter().chain(&verdict.baseline_problems);
    let worst = problems
        .filter(|p| p.subject == name)
        .map(|p| p.outcome)
        .max();
    worst.unwrap_or(Outcome::Pass).word()
}

/// The rows as they are shown.
pub fn table(rows: &[Glance<'_>]) -> Table {
    let name = |row: &Glance<'_>| match row.subject.role.as_str() {
        role if is_only_reported(role) => format!("{} ({role})", row.subject.subject),
        _ => row.subject.subject.clone(),
    };
    let share = |x| number::share(x, 4);
    let bits = |p: &Point| number::decimal(p.of.bits_per_key(), 2);
    let missing = |row: &Glance<'_>| {
        let asked = Some(row.members_asked).filter(|asked| *asked > 0);
        asked.map(|asked| number::part(row.false_negatives, asked))
    };
    let are_tested = rows.iter().any(|row| row.worst_uniformity_p.is_some());
    Table::of(rows)
        .column("Filter", name)
        .column("Verdict", |row| row.verdict)
        .kept(4)
        .column("#Bits per key", |row| row.of(bits))
        .kept(1)
        .column("#Target FPR", |row| row.of(|p| p.of.target_fpr.map(share)))
        .column("#FPR expected", |row| row.of(|p| share(p.of.expected_fpr)))
        .column("#FPR measured (95 % interval)", |row| {
            row.of(|p| p.rate.in_words())
        })
        .kept(3)
        .column("#Worst uniformity p", |row| {
            p_value(row).filter(|_| are_tested)
        })
        .column("#False negatives", missing)
        .kept(2)
        .table()
        .without_empty_columns()
}

fn p_value(row: &Glance<'_>) -> Option<String> {
    let hidden = || "locations not exposed".to_owned();
    let p = row.worst_uniformity_p.map(number::p_value);
    p.or_else(|| (!row.subject.exposes_locations).then(hidden))
}

/// The rows with unformatted numbers; rates are shares.
pub fn plain(rows: &[Glance<'_>]) -> Table {
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
        .column("non_members_asked", |row| row.of(|p| p.of.non_members))
        .column("exposes_locations", |row| row.subject.exposes_locations)
        .column("worst_uniformity_p", |row| row.worst_uniformity_p)
        .column("members_asked", |row| row.members_asked)
        .column("false_negatives", |row| row.false_negatives)
        .table()
}

impl Glance<'_> {
    fn of<T>(&self, value: impl Fn(&Point) -> T) -> Option<T> {
        self.point.as_ref().map(value)
    }
}
