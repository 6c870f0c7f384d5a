//! The summary table: one row per filter.

use super::{
    document::Table,
    judge::{Judgement, Outcome, Point, pool},
    number,
};
use bouquet_record::{Records, SubjectRow, Sweep, is_only_reported};

/// The bits per key at which filters are compared if none was filled to capacity.
const USUAL_BITS: f64 = 10.0;

/// The results of one filter.
pub struct Glance<'a> {
    pub subject: &'a SubjectRow,
    pub verdict: &'static str,
    /// The point that represents the filter in the table.
    point: Option<Point>,
    worst_uniformity_p: Option<f64>,
    /// The number of members looked up in the whole run, singly and in batches.
    members_asked: u64,
    pub false_negatives: u64,
}

/// The line below the table that says where the rates come from.
pub const SOURCE: &str = "FPR of filters full to capacity, with its 95 % interval, pooled over the \
     data sets: at load 1, or at the number of bits per key nearest to 10, or for the first target. \
     Bits per key are those really allocated. False negatives are those of the whole run.";

/// One row per filter, in the order of the records.
pub fn rows<'a>(records: &'a Records, judgement: &Judgement) -> Vec<Glance<'a>> {
    let filters = records.subjects.iter().filter(|s| s.kind == "filter");
    filters.map(|subject| row(judgement, subject)).collect()
}

fn row<'a>(judgement: &Judgement, subject: &'a SubjectRow) -> Glance<'a> {
    let points = judgement.points.iter();
    let points: Vec<&Point> = points
        .filter(|point| point.of.filter == subject.subject)
        .collect();
    let (mut members_asked, mut false_negatives) = (0, 0);
    for Point { of, .. } in &points {
        let found = [Some(of.false_negatives), of.batch_false_negatives];
        for own in found.into_iter().flatten() {
            members_asked += of.members;
            false_negatives += own;
        }
    }
    let problems = judgement.verdict.problems.iter();
    let worst = problems
        .filter(|problem| problem.subject == subject.subject)
        .map(|problem| problem.outcome)
        .max();
    Glance {
        subject,
        verdict: match worst {
            _ if points.is_empty() => "not judged",
            _ if is_only_reported(&subject.role) => "reported",
            worst => worst.unwrap_or(Outcome::Pass).word(),
        },
        point: typical(&points),
        worst_uniformity_p: uniformity(judgement, subject),
        members_asked,
        false_negatives,
    }
}

/// The point that represents a filter, pooled over the data sets. Of several experiments and sizes
/// only the best is used, since different rates must not be pooled.
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

/// The smallest p-value of the filter's locations, or of those of its scheme.
fn uniformity(judgement: &Judgement, subject: &SubjectRow) -> Option<f64> {
    let worst = |name: &str| {
        let own = judgement.locations.tested();
        let own = own.filter(|cell| cell.first.subject == name && !cell.must_flag());
        own.map(|cell| cell.least.0).reduce(f64::min)
    };
    let p = worst(&subject.subject).or_else(|| worst(&subject.scheme));
    p.filter(|_| subject.exposes_locations)
}

/// The rows as they are shown.
pub fn table(rows: &[Glance<'_>]) -> Table {
    let name = |row: &Glance<'_>| match is_only_reported(&row.subject.role) {
        true => format!("{} ({})", row.subject.subject, row.subject.role),
        false => row.subject.subject.clone(),
    };
    let share = |x| number::share(x, 4);
    let are_tested = rows.iter().any(|row| row.worst_uniformity_p.is_some());
    let p_value = |row: &Glance<'_>| match row.worst_uniformity_p {
        Some(p) => Some(number::p_value(p)),
        None if row.subject.exposes_locations || !are_tested => None,
        None => Some("locations not exposed".to_owned()),
    };
    let missing = |row: &Glance<'_>| {
        let asked = Some(row.members_asked).filter(|asked| *asked > 0);
        asked.map(|asked| number::part(row.false_negatives, asked))
    };
    Table::of(rows)
        .column("Filter", name)
        .column("Verdict", |row| row.verdict)
        .kept(4)
        .column("#Bits per key", |row| {
            row.of(|p| number::decimal(p.of.bits_per_key(), 2))
        })
        .kept(1)
        .column("#Target FPR", |row| row.of(|p| p.of.target_fpr.map(share)))
        .column("#FPR expected", |row| row.of(|p| share(p.of.expected_fpr)))
        .column("#FPR measured (95 % interval)", |row| {
            row.of(|p| p.rate.in_words())
        })
        .kept(3)
        .column("#Worst uniformity p", p_value)
        .column("#False negatives", missing)
        .kept(2)
        .table()
        .without_empty_columns()
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
