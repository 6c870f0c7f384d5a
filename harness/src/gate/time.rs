//! The time tier: a filter and the reference one after the other, round after
//! round, each round with new filters.

use anyhow::{Result, bail};

use super::{Definition, Guarded, reference::Plain};
use crate::{
    experiment::Profile,
    measure::guarded,
    record::GateTimeRow,
    registry::Size,
    speed::{Kind, Lane, MEMBERS_END, Stream, Way, single, timed},
    staging::{Interrupted, interrupted},
    workload::mix,
};

/// The control: the reference beside itself.
const REFERENCE: &str = "reference";
const OPERATIONS: [&str; 3] = ["insert", "hit", "miss"];
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
    /// Keys that a filter is made for, at most.
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

/// A row that is to be measured again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suspect {
    pub subject: String,
    pub operation: String,
}

/// One of two that are timed in turn.
struct Contestant<'a> {
    make: Box<dyn Fn() -> Result<Box<dyn Lane>> + 'a>,
}

/// What is timed beside the reference.
struct Pair<'a> {
    subject: &'a str,
    capacity: u64,
    own: Contestant<'a>,
    reference: Contestant<'a>,
}

/// Times all filters that have a loop, and the control; of a rerun only
/// suspects and the control. Rounds go round all of them, so that a slow minute of
/// the machine meets all alike.
///
/// Fails if it is interrupted.
pub fn times(
    definition: &Definition,
    effort: Effort,
    seed: u64,
    again: Option<&[Suspect]>,
) -> Result<Vec<GateTimeRow>> {
    let wanted = |name: &str| again.is_none_or(|all| all.iter().any(|s| s.subject == name));
    let mut pairs = vec![control(definition, effort)];
    for filter in definition.filters.iter().filter(|f| wanted(&f.name)) {
        pairs.extend(pair(filter, effort)?);
    }
    let attempt = u32::from(again.is_some());
    let mut rows = Vec::new();
    let mut out = vec![false; pairs.len()];
    // The first round warms up what is only once cold, and is not kept.
    for round in 0..=effort.rounds {
        for (pair, out) in pairs.iter().zip(&mut out) {
            if interrupted() {
                bail!(Interrupted);
            }
            if *out {
                continue;
            }
            let word = mix(seed ^ mix(u64::from(round) << 8 | u64::from(attempt)));
            match guarded(|| pair.round(effort, word)) {
                Ok(_) if round == 0 => {}
                Ok(times) => rows.extend(pair.rows(effort, attempt, round - 1, &times)),
                Err(error) => {
                    *out = true;
                    rows.push(GateTimeRow {
                        subject: pair.subject.into(),
                        attempt,
                        error,
                        ..GateTimeRow::default()
                    });
                }
            }
        }
    }
    Ok(rows)
}

fn plain<'a>(kind: Kind, capacity: u64) -> Contestant<'a> {
    Contestant {
        make: Box::new(move || Ok(single(Plain::new(capacity), kind))),
    }
}

fn control(definition: &Definition, effort: Effort) -> Pair<'static> {
    let first = definition.filters.first();
    let (kind, capacity) = first.map_or((Kind::U64, effort.most_keys), |filter| {
        (kind(filter), filter.capacity.clamp(2, effort.most_keys))
    });
    Pair {
        subject: REFERENCE,
        capacity,
        own: plain(kind, capacity),
        reference: plain(kind, capacity),
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
    let Some(lane) = filter.lane else {
        return Ok(None);
    };
    let capacity = filter.capacity.clamp(2, effort.most_keys);
    let kind = kind(filter);
    let fpr = match filter.size {
        Size::TargetFpr(fpr) => fpr,
        // Loops are made for a target: the one that so many bits give.
        Size::BitsPerKey(_) => {
            let subject = (filter.entry.build)(&filter.ask(0))?;
            subject.state(filter.capacity).expected_fpr
        }
    };
    Ok(Some(Pair {
        subject: &filter.name,
        capacity,
        own: Contestant {
            make: Box::new(move || lane(kind, capacity, fpr)),
        },
        reference: plain(kind, capacity),
    }))
}

/// Nanoseconds a key of each operation: own, reference.
type Times = [(f64, f64); 3];

impl Pair<'_> {
    /// Each operation there and back: the one, the other, the other, the one; who
    /// is the one is drawn.
    fn round(&self, effort: Effort, word: u64) -> Result<Times> {
        let (mut own, mut reference) = ((self.own.make)()?, (self.reference.make)()?);
        let members = Stream {
            seed: word,
            from: 0,
            count: self.capacity,
            end: self.capacity,
            mixed: None,
        };
        let fill = |is_own: bool, _: u64| -> Result<f64> {
            let (lane, make) = if is_own {
                (&mut own, &self.own.make)
            } else {
                (&mut reference, &self.reference.make)
            };
            *lane = make()?;
            Ok(timed(|| lane.insert(Way::OneByOne, &members)).1)
        };
        let inserted = there_and_back(word & 1 == 0, fill)?;
        let ask = |is_own: bool, stream: &Stream| {
            let lane = if is_own { &own } else { &reference };
            lane.ask(
                Way::OneByOne,
                &Stream {
                    count: stream.count / 8,
                    ..*stream
                },
            );
            Ok(timed(|| lane.ask(Way::OneByOne, stream)).1)
        };
        // Other keys in every turn: a processor remembers thousands of branches,
        // and one would learn from the other.
        let hit = |is_own, turn| {
            let from = mix(word ^ turn) % self.capacity;
            let count = effort.asked / 2;
            ask(
                is_own,
                &Stream {
                    from,
                    count,
                    ..members
                },
            )
        };
        let miss = |is_own, turn| {
            let stream = Stream {
                from: MEMBERS_END + (turn << 32),
                count: effort.asked / 2,
                end: u64::MAX,
                ..members
            };
            ask(is_own, &stream)
        };
        let hits = there_and_back(word & 2 == 0, hit)?;
        let misses = there_and_back(word & 4 == 0, miss)?;
        let a_key =
            |(own, reference): (f64, f64), keys: u64| (own / keys as f64, reference / keys as f64);
        Ok([
            a_key(inserted, 2 * self.capacity),
            a_key(hits, effort.asked),
            a_key(misses, effort.asked),
        ])
    }

    fn rows(
        &self,
        effort: Effort,
        attempt: u32,
        round: u32,
        times: &Times,
    ) -> impl Iterator<Item = GateTimeRow> {
        let keys = [2 * self.capacity, effort.asked, effort.asked];
        let each = OPERATIONS.into_iter().zip(keys).zip(*times);
        each.map(move |((operation, keys), (own, reference))| GateTimeRow {
            subject: self.subject.into(),
            operation: operation.into(),
            attempt,
            round,
            keys,
            ns_per_key: own,
            reference_ns_per_key: reference,
            error: String::new(),
        })
    }
}

/// What both took, the one timed first and last, the other twice in between:
/// whatever changes steadily, and what going second gains, meets them alike.
fn there_and_back(
    own_first: bool,
    mut time: impl FnMut(bool, u64) -> Result<f64>,
) -> Result<(f64, f64)> {
    let (mut own, mut reference) = (0.0, 0.0);
    for (turn, is_first) in (0..).zip([true, false, false, true]) {
        let is_own = is_first == own_first;
        let ns = time(is_own, turn)?;
        if is_own {
            own += ns;
        } else {
            reference += ns;
        }
    }
    Ok((own, reference))
}
