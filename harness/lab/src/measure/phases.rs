//! A filter's life, phase by phase: after each, every key that it should hold is
//! asked for.

use std::sync::Arc;

use anyhow::Result;

use super::guarded;
use crate::registry::{Ask, Entry, Size, Subject};
use crate::ways;
use crate::workload::{KeySet, Workload};
use bouquet_ground::record::PhaseRow;

/// Keys at the end of the life, over the capacity.
pub const GROWN: u64 = 4;

/// Threads that insert at once.
const THREADS: usize = 4;

pub struct PhasesCell {
    pub experiment: String,
    pub filter: Arc<Entry>,
    pub keys: Arc<KeySet>,
    pub capacity: u64,
    pub size: Size,
    pub replicate: u32,
    pub seed: u64,
}

/// Sees the filter after each phase.
pub type Watch<'a> = dyn FnMut(&str, &dyn Subject, &Workload<'_>) + 'a;

/// What is told of a life.
struct Diary<'a, 'w> {
    rows: Vec<PhaseRow>,
    watch: &'a mut Watch<'w>,
}

/// What was counted in a phase.
#[derive(Default)]
struct Counts {
    inserted: u64,
    refused: u64,
    removed: u64,
    removals_denied: u64,
    members_asked: u64,
    false_negatives: u64,
    batch_false_negatives: Option<u64>,
    batch_otherwise: Option<u64>,
}

/// A filter, and which keys of the workload it should hold.
struct Life<'a> {
    filter: Box<dyn Subject>,
    workload: &'a Workload<'a>,
    held: Vec<bool>,
}

impl Life<'_> {
    fn insert(&mut self, range: std::ops::Range<u64>, counts: &mut Counts) {
        let mut buffer = Vec::new();
        for i in range {
            let taken = self.filter.insert(self.workload.member(i, &mut buffer));
            self.held[i as usize] = taken;
            counts.inserted += 1;
            counts.refused += u64::from(!taken);
        }
    }

    /// Every second key that is held.
    fn remove_half(&mut self, counts: &mut Counts) {
        let mut buffer = Vec::new();
        let held = (0..self.held.len()).filter(|&i| self.held[i]);
        for i in held.step_by(2).collect::<Vec<_>>() {
            let key = self.workload.member(i as u64, &mut buffer);
            counts.removals_denied += u64::from(!self.filter.remove(key));
            counts.removed += 1;
            self.held[i] = false;
        }
    }

    /// By every way.
    fn ask(&self, counts: &mut Counts) {
        let mut buffer = Vec::new();
        let held = (0..self.held.len()).filter(|&i| self.held[i]);
        let told = ways::Count::of(&*self.filter, |ask| {
            held.for_each(|i| ask(self.workload.member(i as u64, &mut buffer)));
        });
        counts.members_asked = told.asked;
        counts.false_negatives = told.asked - told.singly;
        counts.batch_false_negatives = told.batches.map(|own| told.asked - own.present);
        counts.batch_otherwise = told.batches.map(|own| own.otherwise);
    }
}

impl PhasesCell {
    pub fn measure(&self) -> Vec<PhaseRow> {
        self.watched(&mut |_, _, _| {})
    }

    /// The same, looked on by another.
    pub fn watched(&self, watch: &mut Watch<'_>) -> Vec<PhaseRow> {
        let rows = Vec::new();
        let mut diary = Diary { rows, watch };
        if let Err(error) = guarded(|| self.run(&mut diary)) {
            diary.rows.push(self.row("", &Counts::default(), error));
        }
        diary.rows
    }

    fn run(&self, diary: &mut Diary<'_, '_>) -> Result<()> {
        let all = GROWN * self.capacity;
        let workload = Workload::new(&self.keys, self.seed, all)?;
        let new = || -> Result<Life<'_>> {
            let ask = Ask {
                capacity: self.capacity,
                size: self.size,
                seed: self.seed,
            };
            Ok(Life {
                filter: (self.filter.build)(&ask)?,
                workload: &workload,
                held: vec![false; all as usize],
            })
        };
        self.live(&mut new()?, diary)?;
        self.unite([new()?, new()?], diary)?;
        self.share(&mut new()?, diary);
        Ok(())
    }

    /// Filled, emptied by half if it can be, filled past its capacity, and written
    /// out and read back as it then is.
    fn live(&self, life: &mut Life<'_>, diary: &mut Diary<'_, '_>) -> Result<()> {
        let mut counts = Counts::default();
        life.insert(0..self.capacity, &mut counts);
        self.asked("insert", life, counts, diary);
        if self.filter.removes {
            let mut counts = Counts::default();
            life.remove_half(&mut counts);
            self.asked("remove", life, counts, diary);
        }
        let mut counts = Counts::default();
        life.insert(self.capacity..GROWN * self.capacity, &mut counts);
        self.asked("grow", life, counts, diary);
        if let Some(read) = life.filter.reload() {
            read?;
            self.asked("reload", life, Counts::default(), diary);
        }
        Ok(())
    }

    /// Two filters with half of the keys each, made one.
    fn unite(&self, [mut one, mut two]: [Life<'_>; 2], diary: &mut Diary<'_, '_>) -> Result<()> {
        let mut counts = Counts::default();
        let half = self.capacity / 2;
        one.insert(0..half, &mut counts);
        two.insert(half..self.capacity, &mut counts);
        let Some(united) = one.filter.unite(&*two.filter) else {
            return Ok(());
        };
        united?;
        for (of_one, of_two) in one.held.iter_mut().zip(&two.held) {
            *of_one |= of_two;
        }
        self.asked("union", &one, counts, diary);
        Ok(())
    }

    fn share(&self, life: &mut Life<'_>, diary: &mut Diary<'_, '_>) {
        let mut buffer = Vec::new();
        let key = |i| life.workload.member(i, &mut buffer).to_vec();
        let keys: Vec<Vec<u8>> = (0..self.capacity).map(key).collect();
        if life.filter.insert_from_threads(&keys, THREADS) {
            life.held[..keys.len()].fill(true);
            let counts = Counts {
                inserted: self.capacity,
                ..Counts::default()
            };
            self.asked("concurrent insert", life, counts, diary);
        }
    }

    fn asked(&self, phase: &str, life: &Life<'_>, mut counts: Counts, diary: &mut Diary<'_, '_>) {
        life.ask(&mut counts);
        (diary.watch)(phase, &*life.filter, life.workload);
        diary.rows.push(self.row(phase, &counts, String::new()));
    }

    fn row(&self, phase: &str, counts: &Counts, error: String) -> PhaseRow {
        let (target_fpr, bits_per_key) = match self.size {
            Size::TargetFpr(fpr) => (Some(fpr), None),
            Size::BitsPerKey(bits) => (None, Some(bits)),
        };
        PhaseRow {
            experiment: self.experiment.clone(),
            filter: self.filter.name.into(),
            dataset: self.keys.name().into(),
            capacity: self.capacity,
            target_fpr,
            bits_per_key,
            replicate: self.replicate,
            seed: self.seed,
            phase: phase.into(),
            inserted: counts.inserted,
            refused: counts.refused,
            removed: counts.removed,
            removals_denied: counts.removals_denied,
            members_asked: counts.members_asked,
            false_negatives: counts.false_negatives,
            batch_false_negatives: counts.batch_false_negatives,
            batch_otherwise: counts.batch_otherwise,
            error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{State, filters};
    use crate::workload::Manifest;

    fn rows(filter: Entry) -> Vec<PhaseRow> {
        let keys = Manifest::find().unwrap().load("sequential").unwrap();
        PhasesCell {
            experiment: "phases".into(),
            filter: Arc::new(filter),
            keys: Arc::new(keys),
            capacity: 500,
            size: Size::TargetFpr(0.01),
            replicate: 0,
            seed: 1,
        }
        .measure()
    }

    #[test]
    fn every_filter_lives_through_what_it_can() {
        for entry in filters().into_iter().filter(|f| f.role == "ours") {
            let (name, removes) = (entry.name, entry.removes);
            let (grows, concurrent) = (entry.grows, entry.concurrent);
            let rows = rows(entry);
            let phase = |phase: &str| rows.iter().find(|row| row.phase == phase);
            for row in &rows {
                let wrong = (row.error.as_str(), row.false_negatives, row.removals_denied);
                assert_eq!(wrong, ("", 0, 0), "{name}: {row:?}");
            }
            assert_eq!(phase("insert").unwrap().members_asked, 500, "{name}");
            assert_eq!(phase("remove").is_some(), removes, "{name}");
            assert_eq!(phase("concurrent insert").is_some(), concurrent, "{name}");
            let cuckoo = name == "cuckoo";
            assert_eq!(phase("union").is_none(), cuckoo || grows, "{name}");
            let grown = phase("grow").unwrap();
            assert_eq!(grown.refused > 0, cuckoo, "{name}");
            let held = if removes { 250 } else { 500 } + 1_500 - grown.refused;
            assert_eq!(grown.members_asked, held, "{name}");
            assert_eq!(phase("reload").unwrap().members_asked, held, "{name}");
        }
    }

    /// Takes every key and forgets all at 600.
    struct Forgetful(u64);

    impl Subject for Forgetful {
        fn insert(&mut self, _: &[u8]) -> bool {
            self.0 += 1;
            true
        }

        fn contains(&self, _: &[u8]) -> bool {
            self.0 < 600
        }

        fn remove(&mut self, _: &[u8]) -> bool {
            false
        }

        fn state(&self, _: u64) -> State {
            unreachable!("a life asks for no state")
        }
    }

    #[test]
    fn what_is_lost_is_told_of_its_phase() {
        let mut entry = filters().swap_remove(0);
        entry.removes = true;
        entry.build = |_| Ok(Box::new(Forgetful(0)));
        let rows = rows(entry);
        let told: Vec<_> = rows
            .iter()
            .map(|row| (&*row.phase, row.removals_denied, row.false_negatives))
            .collect();
        assert_eq!(
            told,
            [("insert", 0, 0), ("remove", 250, 0), ("grow", 0, 1_750)]
        );
    }
}
