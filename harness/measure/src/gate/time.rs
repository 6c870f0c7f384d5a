//! Measures the time tier of the gate: each filter and a reference filter are timed alternately,
//! round after round, with new filters in each round.

use anyhow::Result;

use super::{Definition, Guarded, reference::Plain};
use crate::cells::guarded;
use crate::experiment::Profile;
use crate::registry::{MakeLoop, Size};
use crate::speed::{BenchLoop, Column, Kind, MEMBERS_END, Stream, single, timed};
use crate::workload::mix;
use bouquet_record::{AGAIN, GATE_REFERENCE, TimingRow, Way};

/// The largest capacity of a timed filter. A larger filter is timed at this capacity, because it
/// would take long to fill, and because the time of a filter that does not fit into a core's own
/// cache depends on other programs. The limit is the same in all profiles, so that their times are
/// comparable.
const MOST_KEYS: u64 = 100_000;

/// How much work the tier does.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub rounds: u32,
    /// Keys looked up per timed operation.
    pub asked: u64,
    /// The largest capacity of a timed filter.
    pub most_keys: u64,
}

impl Effort {
    pub fn at(profile: Profile) -> Self {
        let (rounds, asked) = match profile {
            Profile::Quick => (31, 65_536),
            Profile::Default => (61, 131_072),
            Profile::Full => (121, 262_144),
        };
        Self {
            rounds,
            asked,
            most_keys: MOST_KEYS,
        }
    }

    /// Very little work, for tests of everything but the speed.
    pub fn tiny() -> Self {
        Self {
            rounds: 15,
            asked: 4_096,
            most_keys: 4_096,
        }
    }
}

/// A filter that is timed together with the reference.
struct Pair<'a> {
    subject: &'a str,
    column: Column,
    /// `None` for the control, which times the reference against itself.
    make_loop: Option<&'a MakeLoop>,
}

/// Times every filter that has a benchmark loop, and the control, which is the reference filter
/// itself; in a rerun, only the filters in `again` and the control. Each round times all of them,
/// so that a slow period of the machine affects all alike.
pub fn times(
    definition: &Definition,
    effort: Effort,
    seed: u64,
    again: Option<&[(String, String)]>,
) -> Vec<TimingRow> {
    let wanted =
        |name: &str| again.is_none_or(|all| all.iter().any(|(subject, _)| subject == name));
    let suffix = if again.is_some() { AGAIN } else { "" };
    let control = |filter| Pair {
        subject: GATE_REFERENCE,
        column: column(filter, effort),
        make_loop: None,
    };
    let mut rows = Vec::new();
    let mut pairs: Vec<_> = definition
        .filters
        .first()
        .map(control)
        .into_iter()
        .collect();
    for filter in definition.filters.iter().filter(|f| wanted(&f.name)) {
        match guarded(|| pair(filter, effort)) {
            Ok(pair) => pairs.extend(pair),
            Err(error) => rows.push(failed(&filter.name, error)),
        }
    }
    let attempt = u64::from(again.is_some());
    for round in 0..=effort.rounds {
        let word = mix(seed ^ mix(u64::from(round) << 8 | attempt));
        pairs.retain(|pair| {
            let times = guarded(|| pair.round(effort, word));
            let is_good = times.is_ok();
            match times {
                // Round 0 only warms up caches and branch prediction.
                Ok(_) if round == 0 => {}
                Ok(times) => rows.extend(times.into_iter().map(|row| TimingRow {
                    operation: row.operation + suffix,
                    repetition: round - 1,
                    ..row
                })),
                Err(error) => rows.push(failed(pair.subject, error)),
            }
            is_good
        });
    }
    rows
}

fn failed(subject: &str, error: String) -> TimingRow {
    TimingRow {
        subject: subject.into(),
        error,
        ..TimingRow::default()
    }
}

/// The parameters for timing a filter, with generated keys that are similar to its own keys.
fn column(filter: &Guarded, effort: Effort) -> Column {
    let is_short = filter.of.keys.mean_bytes() <= 8;
    Column {
        kind: if is_short { Kind::U64 } else { Kind::Url },
        capacity: filter.of.capacity.clamp(2, effort.most_keys),
        target_fpr: 0.0,
    }
}

/// `None` if the filter has no benchmark loop.
fn pair(filter: &Guarded, effort: Effort) -> Result<Option<Pair<'_>>> {
    let Some(make_loop) = &filter.of.filter.make_loop else {
        return Ok(None);
    };
    let target_fpr = match filter.of.size {
        Size::TargetFpr(fpr) => fpr,
        // A benchmark loop needs a target FPR, so it gets the FPR expected at this size.
        Size::BitsPerKey(_) => filter.make(0)?.state(filter.of.capacity).expected_fpr,
    };
    Ok(Some(Pair {
        subject: &filter.name,
        column: Column {
            target_fpr,
            ..column(filter, effort)
        },
        make_loop: Some(make_loop),
    }))
}

impl Pair<'_> {
    /// Makes the benchmark loop of the filter (`which` is 0) or of the reference (1).
    fn make(&self, which: usize) -> Result<Box<dyn BenchLoop>> {
        let of = self.column;
        match self.make_loop.filter(|_| which == 0) {
            Some(make_loop) => make_loop(of.kind, of.capacity, of.target_fpr),
            None => Ok(single(Plain::new(of.capacity), of.kind)),
        }
    }

    /// Times each operation in the order A, B, B, A. At random, A is the filter and B the
    /// reference, or A the reference and B the filter.
    fn round(&self, effort: Effort, word: u64) -> Result<Vec<TimingRow>> {
        let mut loops = [self.make(0)?, self.make(1)?];
        let capacity = self.column.capacity;
        let members = Stream {
            seed: word,
            from: 0,
            count: capacity,
            end: capacity,
            mixed: None,
        };
        let both = there_and_back(word & 1 == 0, |which, _| {
            loops[which] = self.make(which)?;
            Ok(timed(|| loops[which].insert(Way::Single, &members)).1)
        })?;
        let mut rows = vec![self.row("insert", Way::Single, 2 * capacity, both)];
        // The reference has no batch lookups, so it uses single calls where the filter uses
        // batches.
        for &way in loops[0].ways() {
            let (first, draw) = match way {
                Way::Single => (0, word >> 1),
                Way::Batch => (4, word >> 3),
            };
            for (operation, bit) in [("hit", 1), ("miss", 2)] {
                let both = there_and_back(draw & bit == 0, |which, turn| {
                    // Every call uses other keys; otherwise branch prediction would profit from the
                    // previous call.
                    let (from, end) = match operation {
                        "hit" => (mix(word ^ (first + turn)) % capacity, capacity),
                        _ => (MEMBERS_END + ((first + turn) << 32), u64::MAX),
                    };
                    let stream = Stream {
                        from,
                        count: effort.asked / 2,
                        end,
                        ..members
                    };
                    loops[which].look_up(way, &stream.warm());
                    Ok(timed(|| loops[which].look_up(way, &stream)).1)
                })?;
                rows.push(self.row(operation, way, effort.asked, both));
            }
        }
        Ok(rows)
    }

    /// The row of an operation in one round. `ns` has the total times of the filter and of the
    /// reference for `keys` keys.
    fn row(&self, operation: &str, way: Way, keys: u64, ns: [f64; 2]) -> TimingRow {
        let [ns_per_key, reference] = ns.map(|ns| ns / keys as f64);
        TimingRow {
            keys: format!("{} bytes", self.column.kind.bytes()),
            operations: keys,
            ns_per_key,
            reference_ns_per_key: Some(reference),
            ..self.column.row(self.subject, way, operation)
        }
    }
}

/// Returns the total times of the filter and of the reference. They are timed in the order filter,
/// reference, reference, filter, or reference, filter, filter, reference, so that a steady drift of
/// the machine's speed and the advantage of running second affect both alike.
fn there_and_back(
    own_first: bool,
    mut time: impl FnMut(usize, u64) -> Result<f64>,
) -> Result<[f64; 2]> {
    let mut ns = [0.0; 2];
    for (turn, is_first) in (0..).zip([true, false, false, true]) {
        let which = usize::from(is_first != own_first);
        ns[which] += time(which, turn)?;
    }
    Ok(ns)
}
