//! The time tier: the filter and the reference are timed alternately, round after round, with new
//! filters in each round.

use anyhow::Result;

use super::{Definition, Guarded, reference::Plain};
use crate::cells::guarded;
use crate::experiment::Profile;
use crate::registry::Size;
use crate::speed::{BenchLoop, Column, Kind, MEMBERS_END, Stream, single, timed};
use crate::workload::mix;
use bouquet_record::interrupt::go_on;
use bouquet_record::{AGAIN, GATE_REFERENCE, TimingRow, Way};

/// The largest number of keys. Larger filters are represented by one of this size, because they
/// take long to fill, and because the time of a filter that does not fit into a core's own cache
/// depends on other programs. It is the same in all profiles, because their ratios are compared.
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

/// Makes the loop of a filter or of the reference.
type MakeLoop<'a> = Box<dyn Fn() -> Result<Box<dyn BenchLoop>> + 'a>;

/// A filter that is timed together with the reference.
struct Pair<'a> {
    subject: &'a str,
    column: Column,
    /// The loop of the filter and that of the reference.
    both: [MakeLoop<'a>; 2],
}

/// Times the control and every filter that has a loop; in a rerun (`again`), only the given
/// subjects. Each round times all of them, so that a slow period of the machine affects all alike.
///
/// Fails if it is interrupted.
pub fn times(
    definition: &Definition,
    effort: Effort,
    seed: u64,
    again: Option<&[(String, String)]>,
) -> Result<Vec<TimingRow>> {
    let wanted =
        |name: &str| again.is_none_or(|all| all.iter().any(|(subject, _)| subject == name));
    let (attempt, suffix) = match again {
        Some(_) => (1, AGAIN),
        None => (0, ""),
    };
    let mut rows = Vec::new();
    let mut pairs = vec![control(definition, effort)];
    for filter in definition.filters.iter().filter(|f| wanted(&f.name)) {
        match guarded(|| pair(filter, effort)) {
            Ok(pair) => pairs.extend(pair),
            Err(error) => rows.push(failed(&filter.name, error)),
        }
    }
    let mut out = vec![false; pairs.len()];
    // The first round warms up caches and branch prediction, and its times are discarded.
    for round in 0..=effort.rounds {
        for (pair, out) in pairs.iter().zip(&mut out) {
            go_on()?;
            if *out {
                continue;
            }
            let word = mix(seed ^ mix(u64::from(round) << 8 | attempt));
            match guarded(|| pair.round(effort, word)) {
                Ok(_) if round == 0 => {}
                Ok(times) => rows.extend(times.into_iter().map(|row| TimingRow {
                    operation: row.operation + suffix,
                    repetition: round - 1,
                    ..row
                })),
                Err(error) => {
                    *out = true;
                    rows.push(failed(pair.subject, error));
                }
            }
        }
    }
    Ok(rows)
}

fn failed(subject: &str, error: String) -> TimingRow {
    TimingRow {
        subject: subject.into(),
        error,
        ..TimingRow::default()
    }
}

fn plain<'a>(kind: Kind, capacity: u64) -> MakeLoop<'a> {
    Box::new(move || Ok(single(Plain::new(capacity), kind)))
}

fn control(definition: &Definition, effort: Effort) -> Pair<'static> {
    let first = definition.filters.first();
    let (kind, capacity) = first.map_or((Kind::U64, effort.most_keys), |filter| {
        (kind(filter), filter.capacity.clamp(2, effort.most_keys))
    });
    Pair {
        subject: GATE_REFERENCE,
        column: Column {
            kind,
            capacity,
            target_fpr: 0.0,
        },
        both: [plain(kind, capacity), plain(kind, capacity)],
    }
}

/// The kind of generated keys that is most similar to the filter's own keys.
fn kind(filter: &Guarded) -> Kind {
    if filter.keys.mean_bytes() <= 8 {
        Kind::U64
    } else {
        Kind::Url
    }
}

/// `None` if the filter has no loop.
fn pair(filter: &Guarded, effort: Effort) -> Result<Option<Pair<'_>>> {
    let Some(make_loop) = &filter.entry.make_loop else {
        return Ok(None);
    };
    let capacity = filter.capacity.clamp(2, effort.most_keys);
    let kind = kind(filter);
    let target_fpr = match filter.size {
        Size::TargetFpr(fpr) => fpr,
        // A loop is made for a target FPR: here the one that this number of bits per key gives.
        Size::BitsPerKey(_) => {
            let subject = filter.make(0)?;
            subject.state(filter.capacity).expected_fpr
        }
    };
    let own: MakeLoop<'_> = Box::new(move || make_loop(kind, capacity, target_fpr));
    Ok(Some(Pair {
        subject: &filter.name,
        column: Column {
            kind,
            capacity,
            target_fpr,
        },
        both: [own, plain(kind, capacity)],
    }))
}

impl Pair<'_> {
    /// Times each operation in the order A, B, B, A; whether the filter or the reference is A is
    /// random.
    fn round(&self, effort: Effort, word: u64) -> Result<Vec<TimingRow>> {
        let [own, reference] = &self.both;
        let mut loops = [own()?, reference()?];
        let capacity = self.column.capacity;
        let members = Stream {
            seed: word,
            from: 0,
            count: capacity,
            end: capacity,
            mixed: None,
        };
        let both = there_and_back(word & 1 == 0, |which, _| {
            loops[which] = (self.both[which])()?;
            Ok(timed(|| loops[which].insert(Way::Single, &members)).1)
        })?;
        let mut rows = vec![self.row("insert", Way::Single, 2 * capacity, both)];
        // The reference has no batches, so it is looked up key by key where the filter uses
        // batches.
        for &way in loops[0].ways() {
            let (first, draw) = match way {
                Way::Single => (0, word >> 1),
                Way::Batch => (4, word >> 3),
            };
            for (operation, bit) in [("hit", 1), ("miss", 2)] {
                let both = there_and_back(draw & bit == 0, |which, turn| {
                    // Every turn uses other keys: a processor remembers thousands of branches, so a
                    // turn would profit from what it learned in the one before.
                    let (from, end) = match operation {
                        "hit" => (mix(word ^ (first + turn)) % capacity, capacity),
                        _ => (MEMBERS_END + ((first + turn) << 32), u64::MAX),
                    };
                    let count = effort.asked / 2;
                    let stream = Stream {
                        from,
                        count,
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

    /// The row of an operation in a round; `ns` has the total time of the filter and of the
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

/// The total time of each of the two. One is timed first and last, the other twice in between, so
/// that a steady drift of the machine and the advantage of going second affect both alike.
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
