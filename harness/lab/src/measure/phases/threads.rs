//! What threads that share a filter must not do to each other.

use anyhow::{Result, bail};

use super::{PhasesCell, THREADS};
use crate::workload::Workload;

/// Filters that threads fill: how they meet is chance, and each is a chance more.
const ROUNDS: u32 = 8;

impl PhasesCell {
    /// What has been inserted is found, by whatever thread and whatever others insert
    /// meanwhile; and when all are done, all keys are there.
    pub(super) fn share_batches(&self, workload: &Workload<'_>) -> Result<()> {
        let mut keys = Vec::new();
        workload.members(|key| keys.push(key.to_vec()));
        let all = keys.len();
        for _ in 0..ROUNDS {
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
