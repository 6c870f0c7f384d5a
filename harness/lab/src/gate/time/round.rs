//! One round of a filter and the reference.

use anyhow::Result;

use super::{Effort, Pair};
use crate::speed::{Lane, MEMBERS_END, Stream, Way, timed};
use crate::workload::mix;
use bouquet_ground::record::GateTimeRow;

/// The two, made anew for a round: that of the filter, and the reference.
type Lanes = [Box<dyn Lane>; 2];

fn ask(lane: &dyn Lane, way: Way, stream: &Stream) -> f64 {
    lane.ask(way, &stream.warm());
    timed(|| lane.ask(way, stream)).1
}

impl Pair<'_> {
    /// Each operation there and back: the one, the other, the other, the one; who
    /// is the one is drawn.
    pub fn round(&self, effort: Effort, word: u64) -> Result<Vec<GateTimeRow>> {
        let [own, reference] = &self.both;
        let mut lanes = [own()?, reference()?];
        let members = Stream {
            seed: word,
            from: 0,
            count: self.capacity,
            end: self.capacity,
            mixed: None,
        };
        let mut times = vec![self.insert(&mut lanes, &members, word & 1 == 0)?];
        // The reference has no batches, and is asked key by key beside them too.
        for &way in lanes[0].ways() {
            let draw = match way {
                Way::OneByOne => word >> 1,
                Way::Batch => word >> 3,
            };
            times.extend(self.lookups(&lanes, effort, &members, way, draw)?);
        }
        Ok(times)
    }

    fn insert(&self, lanes: &mut Lanes, members: &Stream, own_first: bool) -> Result<GateTimeRow> {
        let both = there_and_back(own_first, |which, _| {
            let lane = &mut lanes[which];
            *lane = (self.both[which])()?;
            Ok(timed(|| lane.insert(Way::OneByOne, members)).1)
        })?;
        Ok(self.row("insert", 2 * self.capacity, both))
    }

    /// Other keys in every turn: a processor remembers thousands of branches, and
    /// one would learn from the other.
    fn lookups(
        &self,
        lanes: &Lanes,
        effort: Effort,
        members: &Stream,
        way: Way,
        draw: u64,
    ) -> Result<[GateTimeRow; 2]> {
        let (hit, miss, first) = match way {
            Way::OneByOne => ("hit", "miss", 0),
            Way::Batch => ("hit in batches", "miss in batches", 4),
        };
        let count = effort.asked / 2;
        let hits = there_and_back(draw & 1 == 0, |which, turn| {
            let stream = Stream {
                from: mix(members.seed ^ (first + turn)) % self.capacity,
                count,
                ..*members
            };
            Ok(ask(&*lanes[which], way, &stream))
        })?;
        let misses = there_and_back(draw & 2 == 0, |which, turn| {
            let stream = Stream {
                from: MEMBERS_END + ((first + turn) << 32),
                count,
                end: u64::MAX,
                ..*members
            };
            Ok(ask(&*lanes[which], way, &stream))
        })?;
        Ok([
            self.row(hit, effort.asked, hits),
            self.row(miss, effort.asked, misses),
        ])
    }

    /// An operation of a round: so many keys of each of the two took so long.
    fn row(&self, operation: &str, keys: u64, ns: [f64; 2]) -> GateTimeRow {
        let [ns_per_key, reference_ns_per_key] = ns.map(|ns| ns / keys as f64);
        GateTimeRow {
            subject: self.subject.into(),
            operation: operation.into(),
            capacity: self.capacity,
            key_bytes: self.kind.bytes(),
            keys,
            ns_per_key,
            reference_ns_per_key,
            ..GateTimeRow::default()
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
