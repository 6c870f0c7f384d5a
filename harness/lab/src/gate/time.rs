//! The time tier: a filter and the reference one after the other, round after
//! round, each round with new filters.

use anyhow::Result;

use super::{Definition, Guarded, reference::Plain};
use crate::experiment::Profile;
use crate::measure::guarded;
use crate::registry::Size;
use crate::speed::{BenchLoop, Column, Kind, MEMBERS_END, Stream, single, timed};
use crate::workload::mix;
use bouquet_ground::interrupt::go_on;
use bouquet_ground::record::{AGAIN, GATE_REFERENCE, TimingRow, Way};

/// A smaller filter stands for those beyond: they take long to fill, and what does
/// not fit in a core's own cache is timed by what else runs. The same for all
/// profiles, whose ratios are compared.
const MOST_KEYS: u64 = 100_000;

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub rounds: u32,
    /// Keys asked for in one go.
    pub asked: u64,
    /// Keys that a filter is sized for, at most.
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

    /// Next to nothing: for tests of all but the speed.
    pub fn tiny() -> Self {
        Self {
            rounds: 15,
            asked: 4_096,
            most_keys: 4_096,
        }
    }
}

/// One of two that are timed in turn.
type MakeLoop<'a> = Box<dyn Fn() -> Result<Box<dyn BenchLoop>> + 'a>;

/// What is timed beside the reference.
struct Pair<'a> {
    subject: &'a str,
    column: Column,
    /// The filter's, and the reference's.
    both: [MakeLoop<'a>; 2],
}

/// Times the control and all filters that have a loop; in a rerun only the subjects that are
/// given with their operations. Each round times all of them, so that a slow minute of the
/// machine meets all alike.
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
    // The first round warms up what is only once cold, and is not kept.
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

/// The kind of keys made in the loop that is nearest to a filter's own.
fn kind(filter: &Guarded) -> Kind {
    if filter.keys.mean_bytes() <= 8 {
        Kind::U64
    } else {
        Kind::Url
    }
}

/// `None` for a filter without a loop of its own.
fn pair(filter: &Guarded, effort: Effort) -> Result<Option<Pair<'_>>> {
    let Some(make_loop) = &filter.entry.make_loop else {
        return Ok(None);
    };
    let capacity = filter.capacity.clamp(2, effort.most_keys);
    let kind = kind(filter);
    let target_fpr = match filter.size {
        Size::TargetFpr(fpr) => fpr,
        // Loops are made by a target: the one that so many bits give.
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
    /// Each operation there and back: the one, the other, the other, the one; who
    /// is the one is drawn.
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
        // The reference has no batches, and is asked key by key beside them too.
        for &way in loops[0].ways() {
            let (first, draw) = match way {
                Way::Single => (0, word >> 1),
                Way::Batch => (4, word >> 3),
            };
            for (operation, bit) in [("hit", 1), ("miss", 2)] {
                let both = there_and_back(draw & bit == 0, |which, turn| {
                    // Other keys in every turn: a processor remembers thousands of branches,
                    // and one would learn from the other.
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

    /// An operation of a round: so many keys of each of the two took so long.
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

/// What both took, the one timed first and last, the other twice in between:
/// whatever changes steadily, and what going second gains, meets them alike.
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
