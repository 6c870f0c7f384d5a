//! How long candidates take: by rows that were measured, with what lies between
//! them.

use anyhow::{Context, Result};

use super::candidates::{Candidate, Class};
use crate::record::TimeRow;

/// A median and its interval, ns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Time {
    pub median: f64,
    pub low: f64,
    pub high: f64,
}

/// Of a key.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operations {
    pub hit: Time,
    pub miss: Time,
    pub insert: Time,
}

/// One of the operations.
type Pick = fn(&Operations) -> Time;

impl Operations {
    /// By the names that the rows have for them.
    pub const ALL: [(&'static str, Pick); 3] = [
        ("insert", |all| all.insert),
        ("hit", |all| all.hit),
        ("miss", |all| all.miss),
    ];
}

/// Rows, and what to ask of them.
#[derive(Clone, Debug)]
pub struct Times {
    rows: Vec<TimeRow>,
    keys: String,
    hash: &'static str,
}

pub const HASHES: [&str; 2] = ["default", "keyed"];

impl Times {
    pub fn new(rows: Vec<TimeRow>, keys: &str, keyed: bool) -> Self {
        Self {
            rows,
            keys: keys.to_owned(),
            hash: HASHES[usize::from(keyed)],
        }
    }

    /// The rows that came with the program.
    ///
    /// # Errors
    ///
    /// They cannot be read, which a test would find.
    pub fn committed(keys: &str, keyed: bool) -> Result<Self> {
        let text = include_str!("../../../reports/recommend/records/times.csv");
        let rows = csv::Reader::from_reader(text.as_bytes())
            .into_deserialize()
            .collect::<Result<Vec<TimeRow>, _>>()
            .context("the times that came with the program")?;
        Ok(Self::new(rows, keys, keyed))
    }

    /// The most keys that there is a time for.
    pub fn most_keys(&self) -> u64 {
        self.rows.iter().map(|row| row.capacity).max().unwrap_or(0)
    }

    /// The times of a candidate with so many keys, made for a target; `None` if
    /// it was not measured.
    pub fn of(&self, candidate: Candidate, keys: u64, target_fpr: f64) -> Option<Operations> {
        if candidate == Candidate::None {
            let nothing = Time {
                median: 0.0,
                low: 0.0,
                high: 0.0,
            };
            return Some(Operations {
                hit: nothing,
                miss: nothing,
                insert: nothing,
            });
        }
        let operation = |name: &str| self.operation(candidate, name, keys, target_fpr);
        Some(Operations {
            hit: operation("hit")?,
            miss: operation("miss")?,
            insert: operation("insert")?,
        })
    }

    /// Between the two capacities around it by the logarithm, and so between two
    /// targets; beyond the last the last.
    fn operation(&self, candidate: Candidate, name: &str, keys: u64, fpr: f64) -> Option<Time> {
        // Sets that hold keys have a hash of their own.
        let hash = if candidate.class() == Class::Ours {
            self.hash
        } else {
            HASHES[0]
        };
        let own = self.rows.iter().filter(|row| {
            row.candidate == candidate.name()
                && row.operation == name
                && row.hash == hash
                && row.keys == self.keys
        });
        let own: Vec<&TimeRow> = own.collect();
        let mut capacities: Vec<u64> = own.iter().map(|row| row.capacity).collect();
        capacities.sort_unstable();
        capacities.dedup();
        let at_capacity = |capacity: u64| {
            let rows = own.iter().filter(|row| row.capacity == capacity);
            let points = rows.map(|row| (-row.target_fpr.max(1e-300).ln(), time(row)));
            between(points.collect(), -fpr.max(1e-300).ln())
        };
        let points = capacities
            .iter()
            .filter_map(|capacity| Some(((*capacity as f64).ln(), at_capacity(*capacity)?)));
        between(points.collect(), (keys as f64).ln())
    }
}

fn time(row: &TimeRow) -> Time {
    Time {
        median: row.net_ns_per_key,
        low: row.low,
        high: row.high,
    }
}

/// On the line between the neighbours of x; at the ends the end.
fn between(mut points: Vec<(f64, Time)>, x: f64) -> Option<Time> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let after = points.iter().position(|point| point.0 >= x);
    let (low, high) = match after {
        None => (points.last()?, points.last()?),
        Some(0) => (&points[0], &points[0]),
        Some(at) => (&points[at - 1], &points[at]),
    };
    let width = high.0 - low.0;
    let share = if width > 0.0 {
        ((x - low.0) / width).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let mix = |a: f64, b: f64| a + share * (b - a);
    Some(Time {
        median: mix(low.1.median, high.1.median),
        low: mix(low.1.low, high.1.low),
        high: mix(low.1.high, high.1.high),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(capacity: u64, target_fpr: f64, ns: f64) -> TimeRow {
        TimeRow {
            candidate: "standard".into(),
            hash: "default".into(),
            keys: "u64".into(),
            capacity,
            target_fpr,
            operation: "hit".into(),
            net_ns_per_key: ns,
            low: ns - 1.0,
            high: ns + 1.0,
        }
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
            let time = times
                .operation(Candidate::Standard, "hit", keys, fpr)
                .unwrap();
            assert!((time.high - time.low - 2.0).abs() < 1e-9);
            (time.median * 1e6).round() / 1e6
        };
        assert_eq!(hit(100, 0.1), 10.0);
        assert_eq!(hit(100, 0.01), 20.0);
        assert_eq!(hit(1_000, 0.01), 25.0);
        assert_eq!(hit(1_000_000, 1e-9), 40.0);
        assert_eq!(hit(1, 0.9), 10.0);
        assert!(times.of(Candidate::Standard, 100, 0.1).is_none());
        assert!(
            times
                .operation(Candidate::Cuckoo, "hit", 100, 0.1)
                .is_none()
        );
    }

    #[test]
    fn every_candidate_has_committed_times() {
        for keys in ["u64", "url"] {
            for keyed in [false, true] {
                let times = Times::committed(keys, keyed).unwrap();
                for candidate in Candidate::ALL {
                    let times = times.of(candidate, 1_000_000, 0.01);
                    let has_none = candidate.facts().integers_only && keys == "url";
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
