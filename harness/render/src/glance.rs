//! The table at a glance: a row a filter.

use anyhow::Result;
use serde::Serialize;

use super::{
    document::{Table, Text},
    judge::{Judgement, Outcome, Point, pool},
    number,
};
use bouquet_ground::record::{Records, SubjectRow, is_only_reported};
use bouquet_stats::Interval;

/// Bits per key at which filters are compared if none was filled to capacity.
const USUAL_BITS: f64 = 10.0;

/// What is known of one filter, in plain numbers; rates are shares.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Glance {
    pub filter: String,
    pub role: String,
    pub verdict: &'static str,
    pub capacity: Option<u64>,
    pub bits_per_key: Option<f64>,
    pub target_fpr: Option<f64>,
    pub expected_fpr: Option<f64>,
    pub measured_fpr: Option<f64>,
    pub measured_low: Option<f64>,
    pub measured_high: Option<f64>,
    pub false_positives: Option<u64>,
    pub strangers_asked: Option<u64>,
    pub exposes_locations: bool,
    pub worst_uniformity_p: Option<f64>,
    pub members_asked: u64,
    pub false_negatives: u64,
    pub removes: bool,
    pub grows: bool,
    pub concurrent: bool,
}

/// A row a filter, in the order of the records.
pub fn rows(records: &Records, judgement: &Judgement) -> Vec<Glance> {
    // Peers that only the scoreboard has stand there.
    let judged = |s: &SubjectRow| {
        let name = &s.subject;
        judgement.points.iter().any(|point| point.filter == *name)
            || judgement.lives.iter().any(|life| life.filter == *name)
    };
    let filters = records.subjects.iter().filter(|s| s.kind == "filter");
    filters
        .filter(|s| s.role != "peer" || judged(s))
        .map(|subject| row(judgement, subject))
        .collect()
}

/// Where the rates come from, for the line below the table.
pub fn source(judgement: &Judgement) -> &'static str {
    if judgement.points.iter().any(|p| p.is_full() && p.asked > 0) {
        "FPR at capacity (load 1), with its 95 % interval, pooled over the data sets. Bits per key \
         are those really allocated. False negatives are those of the whole run; of a filter that \
         does not promise to have none, those at this load and while keys were removed. Bold is \
         the best of its column."
    } else if judgement.points.iter().all(|p| p.sweep == "target-fpr") {
        "FPR of filters made for a target, the first that was asked for, and full to capacity, \
         with its 95 % interval, pooled over the data sets. Bits per key are those really \
         allocated. Bold is the best of its column."
    } else {
        "FPR of filters full to capacity, with its 95 % interval, at the number of bits per key \
         nearest to 10, pooled over the data sets. Bits per key are those really allocated. False \
         negatives are those of the whole run; of a filter that does not promise to have none, \
         those at this size and while keys were removed. Bold is the best of its column."
    }
}

/// The points that speak for a filter.
fn speakers<'a>(points: &'a [Point], filter: &str) -> Vec<&'a Point> {
    let own: Vec<&Point> = points
        .iter()
        .filter(|p| p.filter == filter && p.asked > 0)
        .collect();
    let full: Vec<&Point> = own.iter().copied().filter(|p| p.is_full()).collect();
    if let Some(first) = full.first() {
        // Of several experiments and sizes the first: different rates do not pool.
        let of = |p: &Point| (p.experiment.clone(), p.capacity, p.target_fpr);
        return full
            .iter()
            .copied()
            .filter(|p| of(p) == of(first))
            .collect();
    }
    let by_bits = own.iter().copied().filter(|p| p.sweep == "bits-per-key");
    // A run of `fpr` has filters made for targets alone: the first speaks.
    if let (None, Some(first)) = (by_bits.clone().next(), own.first()) {
        let of = |p: &Point| (p.experiment.clone(), p.capacity, p.x.to_bits());
        return own.iter().copied().filter(|p| of(p) == of(first)).collect();
    }
    let distance = |p: &Point| (p.x - USUAL_BITS).abs();
    let nearest = by_bits
        .clone()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)));
    by_bits
        .filter(|p| nearest.is_some_and(|n| n.x == p.x && n.capacity == p.capacity))
        .collect()
}

fn row(judgement: &Judgement, subject: &SubjectRow) -> Glance {
    let name = &subject.subject;
    let point = pool(speakers(&judgement.points, name));
    let (members_asked, false_negatives) = members(judgement, subject, point.as_ref());
    Glance {
        filter: name.clone(),
        role: subject.role.clone(),
        verdict: outcome(judgement, name, &subject.role),
        capacity: point.as_ref().map(|p| p.capacity),
        bits_per_key: point
            .as_ref()
            .map(|p| 8.0 * p.memory_bytes as f64 / p.capacity as f64),
        target_fpr: point.as_ref().and_then(|p| p.target_fpr),
        expected_fpr: point.as_ref().map(|p| p.expected_fpr),
        measured_fpr: point.as_ref().map(Point::measured),
        measured_low: point.as_ref().map(|p| p.interval.low),
        measured_high: point.as_ref().map(|p| p.interval.high),
        false_positives: point.as_ref().map(|p| p.hits),
        strangers_asked: point.as_ref().map(|p| p.asked),
        exposes_locations: subject.exposes_locations,
        worst_uniformity_p: uniformity(judgement, subject),
        members_asked,
        false_negatives,
        removes: subject.removes,
        grows: subject.grows,
        concurrent: subject.concurrent,
    }
}

/// Members asked for, singly and in batches, and how many were denied: of who promises none over the
/// whole run, of others at the point that speaks for them and among removals.
fn members(judgement: &Judgement, subject: &SubjectRow, point: Option<&Point>) -> (u64, u64) {
    let name = &subject.subject;
    let counts = |p: &&Point| {
        let speaks = |at: &Point| at.sweep == p.sweep && at.x == p.x;
        p.filter == *name && (subject.promises_no_false_negatives || point.is_some_and(speaks))
    };
    let points = judgement.points.iter().filter(counts);
    let points = points.flat_map(|p| {
        let in_batches = p.batches.map(|own| (p.members_asked, own.false_negatives));
        [Some((p.members_asked, p.false_negatives)), in_batches]
    });
    let lives = judgement.lives.iter().filter(|l| l.filter == *name);
    let lives = lives.map(|l| (l.sum(|r| r.members_asked), l.sum(|r| r.false_negatives)));
    let told = points.flatten().chain(lives);
    told.fold((0, 0), |(all, lost), (asked, denied)| {
        (all + asked, lost + denied)
    })
}

fn uniformity(judgement: &Judgement, subject: &SubjectRow) -> Option<f64> {
    if !subject.exposes_locations {
        return None;
    }
    let worst = |scheme: &str| {
        let locations = &judgement.locations;
        let own = locations.tested();
        let own = own.filter(|cell| cell.subject == scheme && !cell.must_flag);
        let adjusted = own.flat_map(|cell| &locations.adjusted[cell.rows.clone()]);
        adjusted.copied().min_by(f64::total_cmp)
    };
    worst(&subject.subject).or_else(|| worst(&subject.scheme))
}

fn outcome(judgement: &Judgement, name: &str, role: &str) -> &'static str {
    let pointed = judgement.points.iter().any(|p| p.filter == name);
    if !pointed && !judgement.lives.iter().any(|life| life.filter == name) {
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
pub fn table(rows: &[Glance]) -> Table {
    let mut table = Table::new(&[
        "Filter",
        "Verdict",
        "#Bits per key",
        "#FPR asked",
        "#FPR expected",
        "#FPR measured (95 % interval)",
        "#Worst uniformity p",
        "#False negatives",
        "Removes",
        "Grows",
        "Threads",
    ]);
    let least = |of: fn(&Glance) -> Option<f64>| {
        rows.iter()
            .filter_map(of)
            .min_by(f64::total_cmp)
            .filter(|_| rows.len() > 1)
    };
    let (bits, rate) = (least(|r| r.bits_per_key), least(|r| r.measured_fpr));
    let yes = |is: bool| Text::from(if is { "yes" } else { "no" });
    for row in rows {
        let name = if is_only_reported(&row.role) {
            format!("{} ({})", row.filter, row.role)
        } else {
            row.filter.clone()
        };
        let fpr = |rate: Option<f64>| rate.map_or("–".into(), |x| number::share(x, 4));
        let shown_bits = row
            .bits_per_key
            .map_or("–".into(), |b| number::decimal(b, 2));
        table.row([
            name.into(),
            row.verdict.into(),
            mark(
                shown_bits,
                row.bits_per_key.is_some() && row.bits_per_key == bits,
            ),
            fpr(row.target_fpr).into(),
            fpr(row.expected_fpr).into(),
            mark(
                measured(row),
                row.measured_fpr.is_some() && row.measured_fpr == rate,
            ),
            p_value(row).into(),
            if row.members_asked > 0 {
                number::part(row.false_negatives, row.members_asked)
            } else {
                "–".into()
            }
            .into(),
            yes(row.removes),
            yes(row.grows),
            yes(row.concurrent),
        ]);
    }
    table
}

fn mark(words: String, best: bool) -> Text {
    if best {
        Text::default().strong(words)
    } else {
        Text::from(words)
    }
}

fn measured(row: &Glance) -> String {
    match (row.measured_fpr, row.measured_low, row.measured_high) {
        (Some(rate), Some(low), Some(high)) => {
            number::measured_with_interval(rate, Interval { low, high })
        }
        _ => "–".into(),
    }
}

fn p_value(row: &Glance) -> String {
    match row.worst_uniformity_p {
        Some(p) => number::p_value(p),
        None if !row.exposes_locations => "locations not exposed".into(),
        None => "–".into(),
    }
}

/// The rows as CSV.
pub fn csv(rows: &[Glance]) -> Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
