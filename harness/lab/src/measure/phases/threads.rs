//! What threads that share a filter must not do to each other.

use anyhow::{Result, bail};

use bouquet_ground::record::PhaseRow;

use super::{Lifecycle, PhasesCell, THREADS, Tell};
use crate::workload::Workload;

/// Filters that threads fill: how they meet is chance, and each is a chance more.
const LEAST_ROUNDS: u64 = 8;
/// Threads of few keys are done before the next has begun, more often than not.
const MOST_ROUNDS: u64 = 64;
/// Keys of all rounds together, where these are between the least and the most.
const KEYS: u64 = 1 << 20;

fn rounds(keys: u64) -> u64 {
    (KEYS / keys.max(1)).clamp(LEAST_ROUNDS, MOST_ROUNDS)
}

impl PhasesCell {
    /// Tells of the first filter that has lost a key, or of the last.
    pub(super) fn share<'a>(
        &self,
        new: &impl Fn() -> Result<Lifecycle<'a>>,
        tell: &mut Tell<'_>,
    ) -> Result<()> {
        let mut cycle = new()?;
        let mut buffer = Vec::new();
        let key = |i| cycle.workload.member(i, &mut buffer).to_vec();
        let keys: Vec<Vec<u8>> = (0..self.0.capacity).map(key).collect();
        for round in 1.. {
            if !cycle.filter.insert_from_threads(&keys, THREADS) {
                break;
            }
            let has_lost = keys.iter().any(|key| !cycle.filter.contains(key));
            if has_lost || round == rounds(self.0.capacity) {
                cycle.present[..keys.len()].fill(true);
                let row = PhaseRow {
                    inserted: self.0.capacity,
                    ..self.row("concurrent insert")
                };
                tell(&cycle, row);
                break;
            }
            cycle = new()?;
        }
        Ok(())
    }

    /// What has been inserted is found, by whatever thread and whatever others insert
    /// meanwhile; and when all are done, all keys are there.
    pub(super) fn share_batches(&self, workload: &Workload<'_>) -> Result<()> {
        let mut keys = Vec::new();
        workload.members(|key| keys.push(key.to_vec()));
        let all = keys.len();
        for _ in 0..rounds(all as u64) {
            let filter = self.0.made_for(all as u64)?;
            let Some(missing) = filter.insert_batches_from_threads(&keys, THREADS) else {
                return Ok(());
            };
            let lost = keys.iter().filter(|key| !filter.contains(key)).count();
            if missing > 0 || lost > 0 {
                bail!(
                    "of {all} keys that {THREADS} threads insert in batches {missing} are absent \
                     while others go in, and {lost} when all are done"
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::phases::wrong::{Fault, life};

    #[test]
    fn a_key_that_is_lost_between_threads_is_found() {
        let said = |filter, fault| {
            let cell = life(filter, fault);
            let workload = cell.0.workload(2_400).unwrap();
            let done = cell.share_batches(&workload);
            done.err().map(|error| error.to_string())
        };
        let words = |lost: &str| {
            let all = "of 2400 keys that 4 threads insert in batches";
            Some(format!("{all} {lost} when all are done"))
        };
        let own = "absent while others go in, and";
        assert_eq!(said("sharded", Fault::None), None);
        let missing = said("sharded", Fault::MissesInAThread);
        assert_eq!(missing, words(&format!("1 are {own} 0")));
        let lost = said("atomic", Fault::LosesOfThreads);
        assert_eq!(lost, words(&format!("0 are {own} 1")));
        // No threads share it.
        assert_eq!(said("standard", Fault::LosesOfThreads), None);
    }
}
