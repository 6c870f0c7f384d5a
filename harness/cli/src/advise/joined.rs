//! Computes the table of times that comes with the program from two measurements. A cell of the
//! table is the time of one operation of one candidate, for one number of keys and one target FPR.
//!
//! The first measurement is reports/speed; its times are used unchanged. The second has every cell.
//! Where reports/speed lacks a cell, the second measurement's time is scaled to the machine and day
//! of reports/speed, by the ratio of the two measurements in cells that both have.

use std::collections::BTreeMap;

use bouquet_record::{Clock, TimeRow, TimingRow, Way};
use bouquet_stats::median;

use super::{
    candidates::Candidate,
    times::{HASHES, Operations, Times},
};

/// The `TimeRow::source` of a time that is taken from reports/speed, and of a scaled time.
const SPEED: &str = "speed";
const SCALED: &str = "scaled";

/// A median time with the ends of its confidence interval.
type Time = [f64; 3];

/// The interpolated time of an operation of a candidate, with its confidence interval.
fn time(times: &Times, one: Candidate, operation: &str, keys: u64, fpr: f64) -> Option<Time> {
    let of = |value| times.operation(one, operation, keys, fpr, value);
    let median = of(|row| row.net_ns_per_key)?;
    Some([median, of(|row| row.low)?, of(|row| row.high)?])
}

/// What a time is for: candidate, kind of key, number of keys, target FPR, operation.
type Place = (Candidate, String, u64, f64, String);

/// The times per key from reports/speed, for lookups and insertions by single calls. Each is the
/// median over the repetitions.
fn of_speed(rows: &[TimingRow]) -> Vec<TimeRow> {
    let mut cells: Vec<(Place, Vec<f64>)> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    // Only single calls on one thread, as in the programs that `bouquet recommend` prints.
    let is_usual = |row: &&TimingRow| row.path == Way::Single && row.clock == Clock::Thread;
    let is_asked = |row: &&TimingRow| Operations::NAMES.contains(&row.operation.as_str());
    let rows = rows.iter().filter(|row| row.error.is_empty());
    for row in rows.filter(is_usual).filter(is_asked) {
        let Some(candidate) = Candidate::named(&row.subject) else {
            continue;
        };
        // A set that is not sized for a target FPR is recorded with a target of 0.
        let target = if candidate.is_sized() {
            row.target_fpr
        } else {
            0.0
        };
        let name = format!(
            "{} {} {} {target} {}",
            row.subject, row.keys, row.capacity, row.operation
        );
        let place = *places.entry(name).or_insert_with(|| {
            let cell = (
                candidate,
                row.keys.clone(),
                row.capacity,
                target,
                row.operation.clone(),
            );
            cells.push((cell, Vec::new()));
            cells.len() - 1
        });
        cells[place].1.push(row.net());
    }
    let time = |(place, net): (Place, Vec<f64>)| {
        let (middle, interval) = median(&net, 0.95)?;
        let (candidate, keys, capacity, target_fpr, operation) = place;
        (middle > 0.0).then(|| TimeRow {
            candidate: candidate.name().to_owned(),
            hash: HASHES[0].to_owned(),
            keys,
            capacity,
            grown: 1.0,
            target_fpr,
            operation,
            net_ns_per_key: middle,
            low: interval.low.max(0.0),
            high: interval.high,
            source: SPEED.to_owned(),
        })
    };
    cells.into_iter().filter_map(time).collect()
}

/// The times in `speed` and, for cells that only `measured` has, scaled times.
fn join(speed: &[TimeRow], measured: &[TimeRow]) -> Vec<TimeRow> {
    let mut kinds: Vec<&str> = measured.iter().map(|row| row.keys.as_str()).collect();
    kinds.dedup();
    kinds.sort_unstable();
    kinds.dedup();
    kinds
        .into_iter()
        .flat_map(|kind| Kind::new(kind, speed, measured).rows())
        .collect()
}

/// All times for one kind of key.
struct Kind<'a> {
    name: &'a str,
    speed: Vec<&'a TimeRow>,
    measured: Vec<&'a TimeRow>,
    /// The measured times with the default and with the keyed hash.
    times: [Times; 2],
    /// The ratio of the time in reports/speed to the measured time, where both are known.
    ratios: Times,
}

impl<'a> Kind<'a> {
    fn new(name: &'a str, speed: &'a [TimeRow], measured: &'a [TimeRow]) -> Self {
        let own = |rows: &'a [TimeRow]| -> Vec<&'a TimeRow> {
            rows.iter().filter(|row| row.keys == name).collect()
        };
        let times = [false, true].map(|keyed| Times::new(measured.to_vec(), name, keyed));
        let ratio = |row: &&TimeRow| {
            let candidate = Candidate::named(&row.candidate)?;
            let [own, ..] = time(
                &times[0],
                candidate,
                &row.operation,
                row.capacity,
                row.target_fpr,
            )?;
            let ratio = row.net_ns_per_key / own;
            Some(TimeRow {
                net_ns_per_key: ratio,
                low: ratio,
                high: ratio,
                ..(*row).clone()
            })
        };
        let speed = own(speed);
        let ratios = Times::new(speed.iter().filter_map(ratio).collect(), name, false);
        Self {
            name,
            speed,
            measured: own(measured),
            times,
            ratios,
        }
    }

    fn rows(&self) -> Vec<TimeRow> {
        let candidates = Candidate::all().into_iter();
        candidates
            .flat_map(|candidate| self.rows_of(candidate))
            .collect()
    }

    fn rows_of(&self, candidate: Candidate) -> Vec<TimeRow> {
        let own = |rows: &[&'a TimeRow]| -> Vec<&'a TimeRow> {
            let own = rows.iter().filter(|row| row.candidate == candidate.name());
            own.copied().collect()
        };
        let (speed, measured) = (own(&self.speed), own(&self.measured));
        let both = || speed.iter().chain(&measured);
        let capacities = places(
            self.speed
                .iter()
                .chain(&measured)
                .map(|row| row.capacity as f64),
        );
        let targets = places(both().map(|row| row.target_fpr));
        let growths = places(measured.iter().map(|row| row.grown));
        let mut rows = Vec::new();
        for hash in HASHES {
            for grown in &growths {
                for capacity in &capacities {
                    let mut stricter: Vec<TimeRow> = Vec::new();
                    for target_fpr in &targets {
                        let cell = |operation: &str| TimeRow {
                            candidate: candidate.name().to_owned(),
                            hash: hash.to_owned(),
                            keys: self.name.to_owned(),
                            capacity: *capacity as u64,
                            grown: *grown,
                            target_fpr: *target_fpr,
                            operation: operation.to_owned(),
                            ..TimeRow::default()
                        };
                        let cells = Operations::NAMES.map(cell);
                        let found = cells.map(|cell| self.row(candidate, cell, &measured));
                        let own = found.into_iter().flatten();
                        let own: Vec<TimeRow> = own.map(|row| no_longer(row, &stricter)).collect();
                        rows.extend_from_slice(&own);
                        stricter = own;
                    }
                }
            }
        }
        rows
    }

    /// Fills a cell with its time, from reports/speed or scaled; `None` if there is no time.
    fn row(&self, candidate: Candidate, cell: TimeRow, measured: &[&TimeRow]) -> Option<TimeRow> {
        if !measured.iter().any(|row| row.hash == cell.hash) {
            return None;
        }
        let is_cell = |row: &&&TimeRow| {
            let place = |row: &TimeRow| (row.capacity, row.target_fpr, row.grown);
            row.candidate == cell.candidate
                && row.hash == cell.hash
                && row.operation == cell.operation
                && place(row) == place(&cell)
        };
        if let Some(found) = self.speed.iter().find(is_cell) {
            return Some((*found).clone());
        }
        let mut time = self.scaled(candidate, &cell)?;
        if cell.hash != HASHES[0] {
            time = self.keyed(candidate, &cell, time)?;
        }
        let [net_ns_per_key, low, high] = time.map(short);
        Some(TimeRow {
            net_ns_per_key,
            low,
            high,
            source: SCALED.to_owned(),
            ..cell
        })
    }

    /// The time with the default hash: the measured time, multiplied by the interpolated ratio of
    /// times in reports/speed to measured times. Above the largest known number of keys, the time
    /// grows in proportion to that of the standard filter.
    fn scaled(&self, candidate: Candidate, cell: &TimeRow) -> Option<Time> {
        let here = |candidate, capacity| {
            let times = self.times[0].clone().grown(cell.grown);
            let own = time(
                &times,
                candidate,
                &cell.operation,
                capacity,
                cell.target_fpr,
            )?;
            let like = self.reference(candidate);
            let [ratio, ..] = time(
                &self.ratios,
                like,
                &cell.operation,
                capacity,
                cell.target_fpr,
            )?;
            Some(own.map(|ns| ns * ratio))
        };
        let most = |rows: &[&TimeRow], name: &str| {
            let own = rows.iter().filter(|row| row.candidate == name);
            own.map(|row| row.capacity).max().unwrap_or(0)
        };
        let own = most(&self.measured, candidate.name());
        let known = own.max(most(&self.speed, candidate.name()));
        if cell.capacity <= known {
            return here(candidate, cell.capacity);
        }
        let on = |capacity| here(Candidate::PLAIN, capacity).map(|time: Time| time[0]);
        let factor = on(cell.capacity)? / on(known)?;
        here(candidate, known).map(|time| time.map(|ns| ns * factor))
    }

    /// Adds the extra time of the keyed hash: the difference between the measured times with the
    /// keyed and with the default hash.
    fn keyed(&self, candidate: Candidate, cell: &TimeRow, own: Time) -> Option<Time> {
        let [default, keyed] = [0, 1].map(|hash: usize| {
            let times = self.times[hash].clone().grown(cell.grown);
            time(
                &times,
                candidate,
                &cell.operation,
                cell.capacity,
                cell.target_fpr,
            )
        });
        let longer = (keyed?[0] - default?[0]).max(0.0);
        Some(own.map(|ns| ns + longer))
    }

    /// The candidate whose ratios scale the times of `candidate`: itself if it has ratios, else the
    /// standard filter.
    fn reference(&self, candidate: Candidate) -> Candidate {
        let mut all = self.ratios.rows();
        match all.any(|row| row.candidate == candidate.name()) {
            true => candidate,
            false => Candidate::PLAIN,
        }
    }
}

/// Replaces a scaled time by the time for the next lower target FPR if that is shorter. A lower
/// target takes at least as much work, so the difference is noise.
fn no_longer(row: TimeRow, stricter: &[TimeRow]) -> TimeRow {
    let mut all = stricter.iter();
    match all.find(|one| one.operation == row.operation) {
        Some(one) if row.source == SCALED && one.net_ns_per_key < row.net_ns_per_key => TimeRow {
            target_fpr: row.target_fpr,
            source: row.source,
            ..one.clone()
        },
        _ => row,
    }
}

fn places(all: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = all.collect();
    all.sort_by(f64::total_cmp);
    all.dedup();
    all
}

/// Rounds to four digits; more are noise.
fn short(ns: f64) -> f64 {
    format!("{ns:.3e}").parse().unwrap_or(ns)
}

mod tests;
