//! Churn: in every round, some keys are removed and others inserted.

use std::collections::VecDeque;

use anyhow::{Result, ensure};

use super::{Fitted, guarded, non_members_for, stating};
use crate::registry::Subject;
use crate::workload::{Workload, mix};
use bouquet_record::{Observation, Sweep};

/// The smallest expected number of false positives in the last round, summed over all replicates
/// and key sets of a filter. Only the FPR of the last round is judged.
pub const LAST_HITS: f64 = 12_000.0;

pub struct ChurnCell {
    pub of: Fitted,
    pub rounds: u32,
    /// The fraction of the keys that each round replaces.
    pub share: f64,
    /// The expected number of false positives in each round.
    pub hits: f64,
    /// The smallest expected number of false positives in the last round.
    pub last_hits: f64,
    pub max_non_members: u64,
}

/// A filter, with lists of the keys inside and outside of it. If the filter rejects a key or the
/// removal of a key, that key is in neither list from then on: it may be present or absent, so no
/// answer about it would be wrong.
struct Churned<'a> {
    filter: Box<dyn Subject>,
    workload: Workload<'a>,
    inside: Vec<u64>,
    outside: Vec<u64>,
    state: u64,
}

/// Removes `count` random keys from a list and returns them.
fn draw(state: &mut u64, side: &mut Vec<u64>, count: usize) -> Vec<u64> {
    let drawn = (0..count.min(side.len())).map(|_| {
        *state = mix(*state);
        // Taking the high word of the product avoids a division; its bias is negligible.
        let at = (u128::from(*state) * side.len() as u128) >> 64;
        side.swap_remove(at as usize)
    });
    drawn.collect()
}

impl ChurnCell {
    pub fn measure(&self) -> Vec<Observation> {
        let mut rows = Vec::new();
        if let Err(error) = guarded(|| self.run(&mut rows)) {
            let row = self.row(rows.len() as u32);
            rows.push(Observation { error, ..row });
        }
        rows
    }

    fn run(&self, rows: &mut Vec<Observation>) -> Result<()> {
        let Fitted { capacity, seed, .. } = self.of;
        let mut churned = Churned {
            filter: self.of.make()?,
            // The workload has twice as many keys as the capacity: half are inside, half outside.
            workload: self.of.workload(2 * capacity)?,
            inside: Vec::new(),
            outside: (0..2 * capacity).collect(),
            state: mix(seed),
        };
        for round in 0..=self.rounds {
            let share = if round == 0 { 1.0 } else { self.share };
            let many = (capacity as f64 * share).round() as usize;
            let mut row = self.row(round);
            churned.replace(many, &mut row);
            churned.remove_absent(many)?;
            let present = churned.inside.len() as u64;
            let state = churned.filter.state(present).agreed()?;
            let hits = match round == self.rounds {
                true => self.hits.max(self.last_hits),
                false => self.hits,
            };
            let keys = &self.of.keys;
            let wanted = non_members_for(hits, state.expected_fpr, self.max_non_members, keys);
            churned.look_up(wanted, &mut row);
            rows.push(stating(&state, row));
        }
        if let Some(last) = rows.last_mut() {
            churned.empty(last);
        }
        Ok(())
    }

    fn row(&self, round: u32) -> Observation {
        Observation {
            sweep: Sweep::Churn,
            x: round.into(),
            step: round,
            ..self.of.row()
        }
    }
}

impl Churned<'_> {
    /// Removes up to `many` keys that are inside, and inserts up to `many` that were outside.
    fn replace(&mut self, many: usize, row: &mut Observation) {
        let mut buffer = Vec::new();
        let mut leaving = draw(&mut self.state, &mut self.inside, many);
        row.removed = leaving.len() as u64;
        leaving.retain(|i| self.filter.remove(self.workload.member(*i, &mut buffer)));
        row.removals_rejected = row.removed - leaving.len() as u64;
        let coming = draw(&mut self.state, &mut self.outside, many);
        row.keys = coming.len() as u64;
        for i in coming {
            match self.filter.insert(self.workload.member(i, &mut buffer)) {
                true => self.inside.push(i),
                false => row.rejected += 1,
            }
        }
        self.outside.extend(leaving);
    }

    /// Tries to remove keys that the filter reports as definitely absent. The filter must reject
    /// each removal and must not change, which later lookups check.
    fn remove_absent(&mut self, many: usize) -> Result<()> {
        let mut buffer = Vec::new();
        for i in self.outside.iter().take(many) {
            let key = self.workload.member(*i, &mut buffer);
            let is_removed = !self.filter.contains(key) && self.filter.remove(key);
            ensure!(!is_removed, "removed a key that is definitely absent");
        }
        Ok(())
    }

    /// Looks up all members, which are the keys inside. Looks up at least `wanted` non-members: the
    /// keys outside, and further ones if these are too few.
    fn look_up(&self, wanted: u64, row: &mut Observation) {
        let mut buffer = Vec::new();
        row.members = self.inside.len() as u64;
        for &i in &self.inside {
            let found = self.filter.contains(self.workload.member(i, &mut buffer));
            row.false_negatives += u64::from(!found);
        }
        let mut non_member = |key: &[u8]| {
            row.non_members += 1;
            row.false_positives += u64::from(self.filter.contains(key));
        };
        for &i in &self.outside {
            non_member(self.workload.member(i, &mut buffer));
        }
        let further = wanted.saturating_sub(self.outside.len() as u64);
        self.workload.non_members(further, non_member);
    }

    /// Removes all keys. Before each removal, inserts keys from outside until a key is rejected.
    /// This tests removal from a full cuckoo filter, which keeps a fingerprint outside its slots.
    fn empty(&mut self, row: &mut Observation) {
        let mut buffer = Vec::new();
        let mut inside: VecDeque<u64> = self.inside.iter().copied().collect();
        let mut outside = self.outside.iter().copied();
        loop {
            let fits = |i: &u64| self.filter.insert(self.workload.member(*i, &mut buffer));
            inside.extend(outside.by_ref().take_while(fits));
            let Some(i) = inside.pop_front() else {
                return;
            };
            row.removed += 1;
            let is_removed = self.filter.remove(self.workload.member(i, &mut buffer));
            row.removals_rejected += u64::from(!is_removed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::registry::{Entry, Options, Size, State, filters};
    use crate::workload::Manifest;

    fn cell(filter: Entry) -> ChurnCell {
        let keys = Manifest::find().unwrap().load("sequential").unwrap();
        ChurnCell {
            of: Fitted {
                experiment: "churn".into(),
                filter: filter.into(),
                keys: keys.into(),
                capacity: 400,
                size: Size::TargetFpr(0.01),
                replicate: 0,
                seed: 1,
                options: Options::default(),
            },
            rounds: 3,
            share: 0.25,
            hits: 10.0,
            last_hits: 10.0,
            max_non_members: 2_000,
        }
    }

    #[derive(Clone, Copy, PartialEq)]
    enum Fault {
        None,
        /// Drops every tenth key on insertion.
        Forgets,
        /// Rejects every tenth key, but stores it.
        KeepsRejected,
        /// Rejects every tenth removal and keeps the key.
        KeepsUnremoved,
    }

    /// An exact set with an optional fault.
    struct Exact {
        stored: HashSet<Vec<u8>>,
        fault: Fault,
    }

    impl Subject for Exact {
        fn insert(&mut self, key: &[u8]) -> bool {
            let tenth = key[0].is_multiple_of(10);
            if !tenth || self.fault != Fault::Forgets {
                self.stored.insert(key.to_vec());
            }
            !tenth || self.fault != Fault::KeepsRejected
        }

        fn contains(&self, key: &[u8]) -> bool {
            self.stored.contains(key)
        }

        fn remove(&mut self, key: &[u8]) -> bool {
            let keeps = self.fault == Fault::KeepsUnremoved && key[0].is_multiple_of(10);
            !keeps && self.stored.remove(key)
        }

        fn state(&self, keys: u64) -> State {
            assert!(self.fault != Fault::None || self.stored.len() as u64 == keys);
            State {
                size_bits: 0,
                hashes: 0,
                memory_bytes: 0,
                fill_ratio: 0.0,
                expected_fill: None,
                fpr_given_bits: None,
                expected_fpr: 0.01,
                expected_fpr_sd: None,
                disagreement: None,
            }
        }
    }

    fn exact(fault: Fault) -> Entry {
        Entry {
            build: Box::new(move |_| {
                let stored = HashSet::new();
                Ok(Box::new(Exact { stored, fault }))
            }),
            ..filters().swap_remove(0)
        }
    }

    #[test]
    fn an_exact_set_is_found_exact_and_a_forgetful_one_is_not() {
        let rows = cell(exact(Fault::None)).measure();
        assert_eq!(rows.len(), 4);
        for row in &rows {
            assert_eq!((row.false_negatives, row.removals_rejected), (0, 0));
            assert_eq!((row.false_positives, row.error.as_str()), (0, ""));
            assert_eq!(row.members, 400);
        }
        assert_eq!((rows[0].keys, rows[0].removed), (400, 0));
        assert_eq!((rows[1].keys, rows[1].removed), (100, 100));
        // The last row also counts the final emptying, which inserts the 400 other keys and removes
        // 800.
        assert_eq!((rows[3].keys, rows[3].removed), (100, 900));
        let rows = cell(exact(Fault::Forgets)).measure();
        assert!(rows.iter().all(|row| row.false_negatives > 0));
        assert!(rows[1..].iter().any(|row| row.removals_rejected > 0));
    }

    #[test]
    fn keys_of_unknown_standing_are_asked_of_no_one() {
        for (fault, unknown) in [
            (
                Fault::KeepsRejected,
                (|row| row.rejected) as fn(&Observation) -> u64,
            ),
            (Fault::KeepsUnremoved, |row| row.removals_rejected),
        ] {
            let rows = cell(exact(fault)).measure();
            assert!(rows.iter().map(unknown).sum::<u64>() > 10);
            let mut members = 0;
            for row in &rows {
                members += row.keys - row.rejected;
                // Subtracts `keys`, not `removed`, which in the last row also counts the final
                // emptying.
                members -= if row.step == 0 { 0 } else { row.keys };
                assert_eq!(row.error, "");
                assert_eq!((row.members, row.false_negatives), (members, 0));
                // Keys that the set wrongly keeps must not be looked up as non-members.
                assert_eq!(row.false_positives, 0, "{row:?}");
                assert!(row.non_members >= 1_000);
            }
        }
    }
}
