//! What a filter must take before it is full, and do when it is.

use anyhow::{Result, bail};

use super::{GROWN, PhasesCell};
use crate::{
    registry::{Request, Size, Subject},
    workload::Workload,
};

/// Keys of a filter so small that each of them can be removed from one of its own.
const SMALL: u64 = 200;

/// Keys of filters in which a few buckets overflow by chance: with no slots to spare, where these
/// fill 95 % of them exactly, one cuckoo filter in 50 rejects a key, and hardly any for thousands
/// of keys does.
const FEW: u64 = 76;

/// Filters of so few keys, each of a seed of its own.
const FILTERS: u64 = 400;

impl PhasesCell {
    /// A filter sized for its keys rejects none of them.
    pub(super) fn take_capacity(&self, workload: &Workload<'_>) -> Result<()> {
        let of = &self.0;
        if !matches!(of.size, Size::TargetFpr(_)) {
            return Ok(());
        }
        let mut buffer = Vec::new();
        let capacity = FEW.min(GROWN * of.capacity);
        let mut rejecting = 0;
        for seed in (0..FILTERS).map(|i| of.seed.wrapping_add(i)) {
            let mut filter = (of.filter.build)(&Request {
                capacity,
                seed,
                ..of.request()
            })?;
            let rejects = (0..capacity).any(|i| !filter.insert(workload.member(i, &mut buffer)));
            rejecting += u64::from(rejects);
        }
        if rejecting > 0 {
            bail!("{rejecting} of {FILTERS} filters for {capacity} keys reject one of them");
        }
        Ok(())
    }

    /// Of a filter that has rejected a key every one that it has can be removed, wherever it
    /// found room for it, and the others stay.
    pub(super) fn remove_when_full(&self, workload: &Workload<'_>) -> Result<()> {
        let mut buffer = Vec::new();
        let keys = (0..(2 * SMALL).min(GROWN * self.0.capacity))
            .map(|i| workload.member(i, &mut buffer).to_vec());
        let keys: Vec<Vec<u8>> = keys.collect();
        let Some((_, present)) = self.full(&keys)? else {
            return Ok(());
        };
        let present = &keys[..present];
        for (place, key) in present.iter().enumerate() {
            let Some((mut filter, _)) = self.full(&keys)? else {
                bail!("it takes keys that it has rejected before");
            };
            if !filter.remove(key) {
                bail!("full, it rejects the removal of a key that it has");
            }
            let others = present[..place].iter().chain(&present[place + 1..]);
            let lost = others.filter(|key| !filter.contains(key)).count();
            if lost > 0 {
                bail!("full, with one key removed, it misses {lost} others");
            }
        }
        Ok(())
    }

    /// A filter that has these keys up to the first that it rejects, and how many those
    /// are; `None` if it rejects none.
    fn full(&self, keys: &[Vec<u8>]) -> Result<Option<(Box<dyn Subject>, usize)>> {
        let mut filter = self.0.made_for(SMALL)?;
        let rejected = keys.iter().position(|key| !filter.insert(key));
        Ok(rejected.map(|present| (filter, present)))
    }
}

#[cfg(test)]
mod tests {
    use crate::measure::phases::wrong::{Fault, life};

    #[test]
    fn filters_that_reject_keys_of_their_capacity_are_found() {
        let said = |filter, fault| {
            let cell = life(filter, fault);
            let workload = cell.0.workload(2_400).unwrap();
            let done = cell.take_capacity(&workload);
            done.err().map(|error| error.to_string())
        };
        assert_eq!(said("cuckoo", Fault::None), None);
        assert_eq!(
            said("cuckoo", Fault::IsSmall).unwrap(),
            "15 of 400 filters for 76 keys reject one of them"
        );
    }

    #[test]
    fn a_key_rejected_or_lost_when_full_is_found() {
        let said = |filter, fault| {
            let cell = life(filter, fault);
            let workload = cell.0.workload(2_400).unwrap();
            let done = cell.remove_when_full(&workload);
            done.err().map(|error| error.to_string())
        };
        assert_eq!(said("cuckoo", Fault::None), None);
        assert_eq!(
            said("cuckoo", Fault::LastStaysWhenFull).unwrap(),
            "full, it rejects the removal of a key that it has"
        );
        assert_eq!(
            said("cuckoo", Fault::FirstGoesWhenFull).unwrap(),
            "full, with one key removed, it misses 1 others"
        );
        // It is never full.
        assert_eq!(said("counting", Fault::LastStaysWhenFull), None);
    }
}
