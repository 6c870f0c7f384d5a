//! How long candidates take: by rows that were measured, with what lies between
//! them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use anyhow::{Context, Result};

use super::candidates::{Candidate, Class};
use bouquet_ground::record::{TimeRow, of_csv};

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

    fn of(time: impl Fn(&'static str, Pick) -> Option<Time>) -> Option<Self> {
        Some(Self {
            hit: time("hit", |all| all.hit)?,
            miss: time("miss", |all| all.miss)?,
            insert: time("insert", |all| all.insert)?,
        })
    }

    /// Each time by the factor that lies between two others.
    pub fn scaled(&self, from: &Self, to: &Self) -> Option<Self> {
        Self::of(|_, pick| {
            let factor = pick(to).median / pick(from).median;
            Some(Time::of(|part| part(&pick(self)) * factor))
        })
    }
}

impl Time {
    pub fn times(&self, factor: f64) -> Self {
        Self::of(|part| part(self) * factor)
    }

    pub fn plus(&self, ns: f64) -> Self {
        Self::of(|part| part(self) + ns)
    }

    fn of(part: impl Fn(fn(&Self) -> f64) -> f64) -> Self {
        Self {
            median: part(|time| time.median),
            low: part(|time| time.low),
            high: part(|time| time.high),
        }
    }
}

/// Rows, and what to ask of them.
#[derive(Clone, Debug)]
pub struct Times {
    /// By the candidate; all of one kind of key.
    rows: Arc<BTreeMap<String, Vec<TimeRow>>>,
    hash: &'static str,
    growth: f64,
    further: Option<Box<Self>>,
    /// Whether they came with the program, for some FPRs.
    came_along: bool,
}

/// A time stands for targets down to so many times less than its own, which take
/// some six more bits per key.
const REACH: f64 = 16.0;

/// The source of a cell of reports/speed.
pub const SPEED: &str = "speed";

pub const HASHES: [&str; 2] = ["default", "keyed"];

impl Times {
    pub fn new(rows: Vec<TimeRow>, keys: &str, keyed: bool) -> Self {
        let mut by_candidate: BTreeMap<String, Vec<TimeRow>> = BTreeMap::new();
        for row in rows.into_iter().filter(|row| row.keys == keys) {
            by_candidate
                .entry(row.candidate.clone())
                .or_default()
                .push(row);
        }
        Self {
            rows: Arc::new(by_candidate),
            hash: HASHES[usize::from(keyed)],
            growth: 1.0,
            further: None,
            came_along: false,
        }
    }

    /// Of sets that were sized for so many times fewer keys than they get.
    pub fn grown(mut self, times: f64) -> Self {
        self.growth = times;
        self
    }

    /// With more keys than there is a row for, times go on as these do.
    pub fn continued(mut self, further: Self) -> Self {
        self.further = Some(Box::new(further));
        self
    }

    /// The rows that came with the program.
    ///
    /// # Errors
    ///
    /// They cannot be read, which a test would find.
    pub fn committed(keys: &str, keyed: bool) -> Result<Self> {
        let text = include_str!("../../data/times.csv");
        let rows = of_csv(text.as_bytes()).context("the times that came with the program")?;
        Ok(Self {
            came_along: true,
            ..Self::new(rows, keys, keyed)
        })
    }

    /// Whether there is a time of this candidate near this target: a filter for a
    /// far lower one is much larger, and slower.
    pub fn reach(&self, candidate: Candidate, target_fpr: f64) -> bool {
        let mut own = self.rows_of(candidate).iter();
        !self.came_along
            || candidate == Candidate::None
            || own.any(|row| row.target_fpr <= REACH * target_fpr)
    }

    fn rows_of(&self, candidate: Candidate) -> &[TimeRow] {
        self.rows.get(candidate.name()).map_or(&[], Vec::as_slice)
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &TimeRow> {
        self.rows.values().flatten()
    }

    /// The most keys of this kind that there is a time for.
    pub fn most_keys(&self) -> u64 {
        self.rows().map(|row| row.capacity).max().unwrap_or(0)
    }

    /// The numbers of keys that reports/speed has times for.
    pub fn speed_keys(&self) -> BTreeSet<u64> {
        let own = self.rows().filter(|row| row.source == SPEED);
        own.map(|row| row.capacity).collect()
    }

    /// The times of a candidate with so many keys, sized for a target; `None` if
    /// it was not measured.
    pub fn of(&self, candidate: Candidate, keys: u64, target_fpr: f64) -> Option<Operations> {
        if candidate == Candidate::None {
            return Operations::of(|_, _| Some(Time::of(|_| 0.0)));
        }
        let own = Operations::of(|name, _| self.operation(candidate, name, keys, target_fpr))?;
        let most = self.most_keys();
        match &self.further {
            Some(further) if keys > most => {
                let there = |keys| further.of(candidate, keys, target_fpr);
                own.scaled(&there(most)?, &there(keys)?)
            }
            _ => Some(own),
        }
    }

    /// Between the two capacities around it by the logarithm, and so between two
    /// growths and two targets; beyond the last the last.
    pub fn operation(&self, candidate: Candidate, name: &str, keys: u64, fpr: f64) -> Option<Time> {
        // Sets that hold keys have a hash of their own.
        let hash = if candidate.class() == Class::Ours {
            self.hash
        } else {
            HASHES[0]
        };
        let own = self.rows_of(candidate).iter();
        let own = own.filter(|row| row.operation == name && row.hash == hash);
        let own: Vec<&TimeRow> = own.collect();
        let axes: [(Axis, f64); 3] = [
            (|row| (row.capacity as f64).ln(), (keys as f64).ln()),
            (|row| row.grown.ln(), self.growth.ln()),
            (|row| depth(row.target_fpr), depth(fpr)),
        ];
        among(&own, &axes)
    }
}

/// A place of a row among others.
type Axis = fn(&TimeRow) -> f64;

fn depth(fpr: f64) -> f64 {
    -fpr.max(1e-300).ln()
}

/// Between the rows along the first axis, each place of which lies between its
/// rows along the others.
fn among(rows: &[&TimeRow], axes: &[(Axis, f64)]) -> Option<Time> {
    let Some(((axis, x), rest)) = axes.split_first() else {
        return rows.last().map(|row| time(row));
    };
    let mut places: Vec<f64> = rows.iter().map(|row| axis(row)).collect();
    places.sort_by(f64::total_cmp);
    places.dedup();
    let points = places.into_iter().filter_map(|place| {
        let here = rows.iter().filter(|row| axis(row) == place).copied();
        Some((place, among(&here.collect::<Vec<_>>(), rest)?))
    });
    between(points.collect(), *x)
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
    Some(Time::of(|part| mix(part(&low.1), part(&high.1))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recommend::candidates::named;

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

    /// The same for all operations.
    fn all(capacity: u64, grown: f64, ns: f64) -> impl Iterator<Item = TimeRow> {
        Operations::ALL
            .into_iter()
            .map(move |(operation, _)| TimeRow {
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
            let time = times.operation(Candidate::PLAIN, "hit", keys, fpr).unwrap();
            assert!((time.high - time.low - 2.0).abs() < 1e-9);
            (time.median * 1e6).round() / 1e6
        };
        assert_eq!(hit(100, 0.1), 10.0);
        assert_eq!(hit(100, 0.01), 20.0);
        assert_eq!(hit(1_000, 0.01), 25.0);
        assert_eq!(hit(1_000_000, 1e-9), 40.0);
        assert_eq!(hit(1, 0.9), 10.0);
        assert!(times.of(Candidate::PLAIN, 100, 0.1).is_none());
        assert!(times.operation(named("cuckoo"), "hit", 100, 0.1).is_none());
    }

    #[test]
    fn beyond_the_rows_times_go_on_as_others_do() {
        let here = all(1_000, 1.0, 10.0).collect();
        let there = all(1_000, 1.0, 4.0).chain(all(4_000, 1.0, 12.0)).collect();
        let there = Times::new(there, "u64", false);
        let times = Times::new(here, "u64", false).continued(there);
        let hit = |keys| times.of(Candidate::PLAIN, keys, 0.01).map(|all| all.hit);
        assert_eq!(hit(1_000).map(|time| time.median), Some(10.0));
        assert_eq!(hit(500).map(|time| time.median), Some(10.0));
        // Twice the keys are half the way from 4 to 12 there.
        let [two, four, more] = [2_000, 4_000, 1 << 40].map(|keys| hit(keys).unwrap());
        assert!((two.median - 20.0).abs() < 1e-9, "{two:?}");
        assert_eq!((four.median, four.low, four.high), (30.0, 27.0, 33.0));
        assert_eq!(more, four);
    }

    #[test]
    fn a_million_measured_keys_do_not_stand_for_four_million() {
        let committed = Times::committed("u64", false).unwrap();
        let rows = committed.rows().filter(|row| row.capacity == 1_000_000);
        let measured = rows.cloned().collect();
        let times = Times::new(measured, "u64", false).continued(committed.clone());
        for candidate in [Candidate::PLAIN, named("blocked"), Candidate::HashSet] {
            let [with, without] = [&times, &committed].map(|times| {
                let all = times.of(candidate, 4_000_000, 0.001).unwrap();
                [all.hit.median, all.miss.median, all.insert.median]
            });
            for (one, other) in with.iter().zip(without) {
                assert!((one / other - 1.0).abs() < 1e-9, "{}", candidate.name());
            }
        }
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
            all.unwrap().hit.median
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
            // A third of a cycle, at 3 GHz.
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
