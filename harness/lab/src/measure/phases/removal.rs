//! What filters that remove keys must not do.

use anyhow::{Result, bail};

use super::{Lifecycle, PhasesCell, Tell};
use bouquet_ground::record::PhaseRow;

/// Keys that are inserted again and again, and how often: with the first time as often as
/// a counter of eight bits or of four has values, so that one that wraps is at 0.
const REPEATED: usize = 16;
const REPEATS: u64 = 255;

/// Keys that are absent, and are to be removed.
const ABSENT: u64 = 2_000;

impl Lifecycle<'_> {
    /// The first keys, many times each: how often each was taken.
    pub(super) fn repeat(&mut self, row: &mut PhaseRow) -> Vec<u64> {
        let mut buffer = Vec::new();
        let keys = 0..REPEATED.min(self.present.len()) as u64;
        let taken = keys.map(|i| {
            let key = self.workload.member(i, &mut buffer);
            let taken = (0..REPEATS).filter(|_| self.filter.insert(key)).count() as u64;
            row.inserted += REPEATS;
            row.rejected += REPEATS - taken;
            taken
        });
        taken.collect()
    }

    /// The same keys, as often as each was taken again.
    pub(super) fn remove_repeats(&mut self, taken: &[u64], row: &mut PhaseRow) {
        let mut buffer = Vec::new();
        for (i, times) in taken.iter().enumerate() {
            let key = self.workload.member(i as u64, &mut buffer);
            let removed = (0..*times).filter(|_| self.filter.remove(key)).count() as u64;
            row.removed += times;
            row.removals_rejected += times - removed;
        }
    }
}

impl PhasesCell {
    /// Keys inserted far more often than counters count, and removed as often: they stay,
    /// and so do those that share slots with them.
    pub(super) fn repeat(&self, cycle: &mut Lifecycle<'_>, tell: &mut Tell<'_>) {
        let mut row = self.row("repeat");
        cycle.insert(0..self.0.capacity / 2, &mut row);
        let taken = cycle.repeat(&mut row);
        tell(cycle, row);
        let mut row = self.row("remove repeats");
        cycle.remove_repeats(&taken, &mut row);
        tell(cycle, row);
    }

    /// A key that is definitely absent cannot be removed, and to try it changes nothing.
    pub(super) fn remove_absent(&self, cycle: &mut Lifecycle<'_>) -> Result<()> {
        cycle.insert(0..self.0.capacity, &mut self.row(""));
        let before = cycle.filter.encoded();
        let mut absent = Vec::new();
        cycle.workload.non_members(ABSENT, |key| {
            if !cycle.filter.contains(key) {
                absent.push(key.to_vec());
            }
            true
        });
        let removed = absent.iter().filter(|key| cycle.filter.remove(key)).count();
        if removed > 0 {
            bail!(
                "it removes {removed} of {} keys that it has not",
                absent.len()
            );
        }
        if cycle.filter.encoded() != before {
            bail!("removals of keys that it has not change it");
        }
        Ok(())
    }

    /// Filled as far as it goes, and every key removed: it is as new.
    pub(super) fn empty(&self, cycle: &mut Lifecycle<'_>) -> Result<()> {
        let new = cycle.filter.encoded();
        // A quarter more fills a table that rejects keys.
        cycle.insert(0..self.0.capacity * 5 / 4, &mut self.row(""));
        while cycle.present.contains(&true) {
            cycle.remove_half(&mut self.row(""));
        }
        if cycle.filter.encoded() != new {
            bail!("with every key removed it is not as it was when it was new");
        }
        Ok(())
    }
}
