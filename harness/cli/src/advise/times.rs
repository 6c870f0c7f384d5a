//! The times of candidates, interpolated between measured times.

use std::{collections::BTreeMap, sync::Arc};

use anyhow::{Context, Result};

use super::candidates::{Candidate, Class};
use bouquet_record::{TimeRow, of_csv};

/// The times per key of each operation, in ns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operations {
    pub hit: f64,
    pub miss: f64,
    pub insert: f64,
}

impl Operations {
    /// The values of `TimeRow::operation`.
    pub const NAMES: [&'static str; 3] = ["insert", "hit", "miss"];
}

/// Measured times, and the hash and the growth for which they are looked up.
#[derive(Clone, Debug)]
pub struct Times {
    /// The measured rows by candidate name; all rows are for one kind of key.
    rows: Arc<BTreeMap<String, Vec<TimeRow>>>,
    hash: &'static str,
    growth: f64,
}

pub const HASHES: [&str; 2] = ["default", "keyed"];

impl Times {
    pub fn new(rows: Vec<TimeRow>, keys: &str, keyed: bool) -> Self {
        let mut all: BTreeMap<String, Vec<TimeRow>> = BTreeMap::new();
        for row in rows.into_iter().filter(|row| row.keys == keys) {
            all.entry(row.candidate.clone()).or_default().push(row);
        }
        Self {
            rows: Arc::new(all),
            hash: HASHES[usize::from(keyed)],
            growth: 1.0,
        }
    }

    /// Selects the times of sets that grew to this many times their initial capacity.
    pub fn grown(mut self, times: f64) -> Self {
        self.growth = times;
        self
    }

    /// The times that come with the program.
    ///
    /// # Errors
    ///
    /// The rows cannot be read, which a test rules out.
    pub fn committed(keys: &str, keyed: bool) -> Result<Self> {
        let text = include_str!("../../data/times.csv");
        let rows = of_csv(text.as_bytes()).context("the times that came with the program")?;
        Ok(Self::new(rows, keys, keyed))
    }

    #[cfg(test)]
    pub fn rows(&self) -> impl Iterator<Item = &TimeRow> {
        self.rows.values().flatten()
    }

    /// The times of a candidate with this many keys, sized for a target FPR; `None` if the candidate
    /// was not measured.
    pub fn of(&self, candidate: Candidate, keys: u64, target_fpr: f64) -> Option<Operations> {
        let time = |name| match candidate {
            Candidate::None => Some(0.0),
            _ => self.operation(candidate, name, keys, target_fpr, |row| row.net_ns_per_key),
        };
        let (hit, miss, insert) = (time("hit")?, time("miss")?, time("insert")?);
        Some(Operations { hit, miss, insert })
    }

    /// Interpolates a value between neighbouring capacities, growth factors and target FPRs, all on
    /// a logarithmic scale; outside of the measured range, the nearest row is used.
    pub fn operation(
        &self,
        candidate: Candidate,
        name: &str,
        keys: u64,
        fpr: f64,
        value: Value,
    ) -> Option<f64> {
        // Candidates that are not filters of ours have their own hash, recorded as the default.
        let is_ours = candidate.class() == Class::Ours;
        let hash = if is_ours { self.hash } else { HASHES[0] };
        let own = self.rows.get(candidate.name())?.iter();
        let own = own.filter(|row| row.operation == name && row.hash == hash);
        let axes: [(Value, f64); 3] = [
            (|row| (row.capacity as f64).ln(), (keys as f64).ln()),
            (|row| row.grown.ln(), self.growth.ln()),
            (|row| depth(row.target_fpr), depth(fpr)),
        ];
        among(&own.collect::<Vec<_>>(), &axes, value)
    }
}

/// A function that reads a time from a row, or the row's coordinate along an axis.
type Value = fn(&TimeRow) -> f64;

fn depth(fpr: f64) -> f64 {
    -fpr.max(1e-300).ln()
}

/// Interpolates linearly along the first axis, between values interpolated along the other axes.
/// Outside of the measured range, the nearest point is used.
fn among(rows: &[&TimeRow], axes: &[(Value, f64)], value: Value) -> Option<f64> {
    let Some(((axis, x), rest)) = axes.split_first() else {
        return rows.last().map(|row| value(row));
    };
    let mut places: Vec<f64> = rows.iter().map(|row| axis(row)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let at = |place: f64| {
        let here = rows.iter().filter(|row| axis(row) == place).copied();
        among(&here.collect::<Vec<_>>(), rest, value)
    };
    let after = places.partition_point(|place| place < x);
    let (before, after) = (places.get(after.wrapping_sub(1)), places.get(after));
    let (Some(before), Some(after)) = (before, after) else {
        return at(*before.or(after)?);
    };
    let (low, high) = (at(*before)?, at(*after)?);
    Some(low + (x - before) / (after - before) * (high - low))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::advise::candidates::named;

    fn row(capacity: u64, target_fpr: f64, ns: f64) -> TimeRow {
        TimeRow {
            candidate: "standard".into(),
            hash: "default".into(),
            keys: "u64".into(),
            capacity,
            grown: 1.0,
            target_fpr,
            operation: "hit".into(),
            net_ns_per_key: ns,
            low: ns - 1.0,
            high: ns + 1.0,
            source: String::new(),
        }
    }

    /// A row with these values for each operation.
    fn all(capacity: u64, grown: f64, ns: f64) -> impl Iterator<Item = TimeRow> {
        Operations::NAMES.into_iter().map(move |operation| TimeRow {
            operation: operation.into(),
            grown,
            ..row(capacity, 0.01, ns)
        })
    }

    #[test]
    fn between_rows_times_go_by_logarithms() {
        let rows = vec![
            row(100, 0.1, 10.0),
            row(100, 0.001, 30.0),
            row(10_000, 0.1, 20.0),
            row(10_000, 0.001, 40.0),
        ];
        let times = Times::new(rows, "u64", false);
        let hit = |keys, fpr| {
            let at = |value| {
                times
                    .operation(Candidate::PLAIN, "hit", keys, fpr, value)
                    .unwrap()
            };
            assert!((at(|row| row.high) - at(|row| row.low) - 2.0).abs() < 1e-9);
            (at(|row| row.net_ns_per_key) * 1e6).round() / 1e6
        };
        assert_eq!(hit(100, 0.1), 10.0);
        assert_eq!(hit(100, 0.01), 20.0);
        assert_eq!(hit(1_000, 0.01), 25.0);
        assert_eq!(hit(1_000_000, 1e-9), 40.0);
        assert_eq!(hit(1, 0.9), 10.0);
        assert!(times.of(Candidate::PLAIN, 100, 0.1).is_none());
        assert!(times.of(named("cuckoo"), 100, 0.1).is_none());
    }

    #[test]
    fn beyond_the_rows_the_nearest_stands() {
        let rows = all(1_000, 1.0, 10.0).chain(all(4_000, 1.0, 12.0)).collect();
        let times = Times::new(rows, "u64", false);
        let hit = |keys, fpr| times.of(Candidate::PLAIN, keys, fpr).unwrap().hit;
        assert_eq!([hit(20, 0.01), hit(1 << 40, 1e-9)], [10.0, 12.0]);
    }

    #[test]
    fn what_has_grown_has_times_of_its_own() {
        let rows = all(1_000, 1.0, 10.0)
            .chain(all(1_000, 16.0, 50.0))
            .collect();
        let times = Times::new(rows, "u64", false);
        let hit = |growth: f64| {
            let all = times
                .clone()
                .grown(growth)
                .of(Candidate::PLAIN, 1_000, 0.01);
            all.unwrap().hit
        };
        assert_eq!(
            (hit(1.0), hit(4.0), hit(16.0), hit(99.0)),
            (10.0, 30.0, 50.0, 50.0)
        );
    }

    #[test]
    fn no_committed_time_is_shorter_than_can_be() {
        let times = Times::committed("u64", false).unwrap();
        for row in times.rows() {
            // No operation takes less than 0.1 ns, a third of a cycle at 3 GHz.
            assert!(row.net_ns_per_key >= 0.1, "{row:?}");
            assert!((0.0..=row.net_ns_per_key).contains(&row.low), "{row:?}");
        }
    }

    #[test]
    fn every_candidate_has_committed_times() {
        for keys in ["u64", "url"] {
            for keyed in [false, true] {
                let times = Times::committed(keys, keyed).unwrap();
                for candidate in Candidate::all() {
                    let times = times.of(candidate, 1_000_000, 0.01);
                    let has_none = candidate.takes_integers_only() && keys == "url";
                    assert_eq!(
                        times.is_none(),
                        has_none,
                        "{} {keys} {keyed}",
                        candidate.name()
                    );
                }
            }
        }
    }
}
