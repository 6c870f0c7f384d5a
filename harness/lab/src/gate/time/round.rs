//! One round of a filter and the reference.

use anyhow::Result;

use super::{Effort, Pair};
use crate::speed::{Lane, MEMBERS_END, Stream, Way, timed};
use crate::workload::mix;
use bouquet_ground::record::GateTimeRow;

/// The two, made anew for a round.
struct Beside {
    own: Box<dyn Lane>,
    reference: Box<dyn Lane>,
}

impl Beside {
    fn ask(&self, is_own: bool, way: Way, stream: &Stream) -> f64 {
        let lane = if is_own { &self.own } else { &self.reference };
        lane.ask(way, &stream.warm());
        timed(|| lane.ask(way, stream)).1
    }
}

/// An operation of a round: nanoseconds a key.
pub struct Timed {
    operation: &'static str,
    keys: u64,
    own: f64,
    reference: f64,
}

impl Timed {
    fn new(operation: &'static str, keys: u64, (own, reference): (f64, f64)) -> Self {
        Self {
            operation,
            keys,
            own: own / keys as f64,
            reference: reference / keys as f64,
        }
    }
}

impl Pair<'_> {
    /// Each operation there and back: the one, the other, the other, the one; who
    /// is the one is drawn.
    pub fn round(&self, effort: Effort, word: u64) -> Result<Vec<Timed>> {
        let mut beside = Beside {
            own: (self.own)()?,
            reference: (self.reference)()?,
        };
        let members = Stream {
            seed: word,
            from: 0,
            count: self.capacity,
            end: self.capacity,
            mixed: None,
        };
        let mut times = vec![self.insert(&mut beside, &members, word & 1 == 0)?];
        // The reference has no batches, and is asked key by key beside them too.
        for &way in beside.own.ways() {
            let draw = match way {
                Way::OneByOne => word >> 1,
                Way::Batch => word >> 3,
            };
            times.extend(self.lookups(&beside, effort, &members, way, draw)?);
        }
        Ok(times)
    }

    fn insert(&self, beside: &mut Beside, members: &Stream, own_first: bool) -> Result<Timed> {
        let fill = |is_own: bool, _: u64| -> Result<f64> {
            let (lane, make) = if is_own {
                (&mut beside.own, &self.own)
            } else {
                (&mut beside.reference, &self.reference)
            };
            *lane = make()?;
            Ok(timed(|| lane.insert(Way::OneByOne, members)).1)
        };
        let both = there_and_back(own_first, fill)?;
        Ok(Timed::new("insert", 2 * self.capacity, both))
    }

    /// Other keys in every turn: a processor remembers thousands of branches, and
    /// one would learn from the other.
    fn lookups(
        &self,
        beside: &Beside,
        effort: Effort,
        members: &Stream,
        way: Way,
        draw: u64,
    ) -> Result<[Timed; 2]> {
        let (hit, miss, first) = match way {
            Way::OneByOne => ("hit", "miss", 0),
            Way::Batch => ("hit in batches", "miss in batches", 4),
        };
        let count = effort.asked / 2;
        let hits = there_and_back(draw & 1 == 0, |is_own, turn| {
            let stream = Stream {
                from: mix(members.seed ^ (first + turn)) % self.capacity,
                count,
                ..*members
            };
            Ok(beside.ask(is_own, way, &stream))
        })?;
        let misses = there_and_back(draw & 2 == 0, |is_own, turn| {
            let stream = Stream {
                from: MEMBERS_END + ((first + turn) << 32),
                count,
                end: u64::MAX,
                ..*members
            };
            Ok(beside.ask(is_own, way, &stream))
        })?;
        Ok([
            Timed::new(hit, effort.asked, hits),
            Timed::new(miss, effort.asked, misses),
        ])
    }

    pub fn rows(
        &self,
        attempt: u32,
        round: u32,
        times: Vec<Timed>,
    ) -> impl Iterator<Item = GateTimeRow> {
        times.into_iter().map(move |timed| GateTimeRow {
            subject: self.subject.into(),
            operation: timed.operation.into(),
            capacity: self.capacity,
            key_bytes: self.kind.bytes(),
            attempt,
            round,
            keys: timed.keys,
            ns_per_key: timed.own,
            reference_ns_per_key: timed.reference,
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
