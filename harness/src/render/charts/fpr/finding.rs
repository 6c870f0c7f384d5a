//! What a sweep shows, in words.

use super::{Sweep, unit};
use crate::{
    record::Records,
    render::{
        judge::{DELTA, Point, subject},
        number,
    },
};

/// The finding of a sweep.
pub fn title(records: &Records, sweep: &Sweep<'_>) -> String {
    match sweep.kind {
        "load" => load_finding(sweep),
        _ => theory_finding(records, sweep),
    }
}

/// The finding on a filter of which points failed.
fn departure(filter: &str, sweep: &Sweep<'_>) -> Option<String> {
    let own: Vec<&&Point> = sweep.failed.iter().filter(|p| p.filter == filter).collect();
    let mut datasets: Vec<&str> = Vec::new();
    for point in &own {
        if !datasets.contains(&point.dataset.as_str()) {
            datasets.push(&point.dataset);
        }
    }
    let (many, datasets) = (own.len(), datasets.join(", "));
    let points = if many == 1 { "point" } else { "points" };
    (many > 0).then(|| format!("{filter} departs from theory at {many} {points} on {datasets}"))
}

/// How far the measured rates of a line lie from theory, at most, and between
/// which x; only points whose interval is narrow enough to say so.
fn farthest(line: &[Point]) -> Option<(f64, f64, f64)> {
    let told: Vec<&Point> = line
        .iter()
        .filter(|p| p.hits > 0 && p.interval.half_width() < DELTA * p.expected_fpr)
        .collect();
    let off = told
        .iter()
        .map(|p| (p.measured() / p.expected_fpr - 1.0).abs())
        .fold(0.0, f64::max);
    Some((off, told.first()?.x, told.last()?.x))
}

fn theory_finding(records: &Records, sweep: &Sweep<'_>) -> String {
    let ours = |name: &str| subject(records, name).is_none_or(|s| s.role != "baseline");
    let mut sentences = Vec::new();
    for (filter, line) in sweep.lines.iter().filter(|(name, _)| ours(name)) {
        if let Some(departure) = departure(filter, sweep) {
            sentences.push(departure);
            continue;
        }
        sentences.push(match farthest(line) {
            Some((off, from, to)) => format!(
                "{filter} follows theory within {} % from {} to {} {}",
                number::significant((off * 1000.0).ceil() / 10.0, 2),
                number::significant(from, 3),
                number::significant(to, 3),
                unit(sweep.kind)
            ),
            None => format!("{filter} had too few hits to be held against theory"),
        });
    }
    if sentences.is_empty() {
        "FPR of the baselines".to_owned()
    } else {
        sentences.join("; ")
    }
}

fn load_finding(sweep: &Sweep<'_>) -> String {
    let mut sentences = Vec::new();
    for (filter, line) in &sweep.lines {
        sentences.extend(departure(filter, sweep));
        sentences.extend(denials(filter, line));
        let full = line.iter().find(|p| (p.x - 1.0).abs() < 1e-9);
        if let (Some(full), Some(last)) = (full, line.last().filter(|p| p.x > 1.0)) {
            sentences.push(format!(
                "{filter} goes from {} at capacity to {} at load {}",
                number::share(full.measured(), 3),
                number::share(last.measured(), 2),
                number::significant(last.x, 3)
            ));
        }
    }
    if sentences.is_empty() {
        "FPR below capacity".to_owned()
    } else {
        sentences.join("; ")
    }
}

/// Which share of the keys that it took a filter denies, where it denies any: at
/// the first load that shows it and at the last.
fn denials(filter: &str, line: &[Point]) -> Option<String> {
    let share =
        |p: &Point| number::share(p.false_negatives as f64 / p.members_asked.max(1) as f64, 2);
    let first = line.iter().find(|p| p.false_negatives > 0)?;
    let last = line.last()?;
    Some(format!(
        "{filter} denies {} of the keys it took at load {}, {} at load {}",
        share(first),
        number::significant(first.x, 3),
        share(last),
        number::significant(last.x, 3)
    ))
}

/// How to read the picture, and how not to.
pub fn reading(kind: &str) -> String {
    let own = match kind {
        "load" => {
            "Load 1 is the capacity that was asked for. Beyond it a Bloom filter gets worse \
             gradually, while a cuckoo filter refuses keys: its points beyond 1 are for the keys \
             it took."
        }
        _ => {
            "The information bound is the least FPR that any structure can have in so many bits; a \
             filter lower on the picture is not better if it allocates more than it is charged \
             for here: the table at a glance has the bits really allocated."
        }
    };
    format!(
        "Lines are theory, points are measured and pooled over the data sets, bars are 95 % \
         intervals; an open triangle is the upper bound where nothing was hit; a red ring is one \
         data set that failed by itself. {own} The lower panel divides measured by theory; the \
         band is the ±{} % that the verdict allows. A point outside the band whose bar reaches \
         into it says too few hits, not a fault.",
        number::significant(DELTA * 100.0, 2)
    )
}
