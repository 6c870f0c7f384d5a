//! What a filter is stored as: the same whichever way its keys came, and of no use once
//! damaged.

use anyhow::{Result, bail};

use super::PhasesCell;
use crate::{registry::Subject, workload::Workload};

/// Places in a file that are damaged, one at a time, from its first byte to its last.
const PLACES: usize = 64;

/// Another bit at each place.
const BITS: usize = 8;

impl PhasesCell {
    /// Keys that come twice in one batch are there once, whatever the batch does first.
    pub(super) fn insert_twice(&self, workload: &Workload<'_>) -> Result<()> {
        let (mut once, mut twice) = (self.0.make()?, self.0.make()?);
        let mut all = Vec::new();
        workload.members(|key| all.push(key.to_vec()));
        let keys: Vec<&[u8]> = all.iter().map(Vec::as_slice).collect();
        let again: Vec<&[u8]> = keys.iter().flat_map(|key| [*key, *key]).collect();
        let inserted = (once.insert_batch(&keys), twice.insert_batch(&again));
        if matches!(inserted, (Some(_), Some(_))) && once.encoded() != twice.encoded() {
            bail!("keys that come twice in a batch change it");
        }
        Ok(())
    }
}

/// No byte of it can be another one: what reads it says so.
pub fn reject_damage(filter: &dyn Subject) -> Result<()> {
    let Some(bytes) = filter.encoded() else {
        return Ok(());
    };
    let mut damaged = bytes.clone();
    for place in 0..PLACES {
        let at = place * (bytes.len() - 1) / (PLACES - 1);
        damaged[at] ^= 1 << (place % BITS);
        if filter.decodes(&damaged) {
            bail!(
                "it is read although its byte {at} of {} is another one",
                bytes.len()
            );
        }
        damaged[at] = bytes[at];
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Request, State, filters};

    /// A filter that takes any bytes for itself.
    struct Credulous(Box<dyn Subject>);

    impl Subject for Credulous {
        fn insert(&mut self, key: &[u8]) -> bool {
            self.0.insert(key)
        }

        fn contains(&self, key: &[u8]) -> bool {
            self.0.contains(key)
        }

        fn remove(&mut self, key: &[u8]) -> bool {
            self.0.remove(key)
        }

        fn state(&self, keys: u64) -> State {
            self.0.state(keys)
        }

        fn encoded(&self) -> Option<Vec<u8>> {
            self.0.encoded()
        }

        fn decodes(&self, _: &[u8]) -> bool {
            true
        }
    }

    #[test]
    fn damage_is_rejected_and_who_takes_it_is_found() {
        for entry in filters().into_iter().filter(|entry| entry.role == "ours") {
            let filter = (entry.build)(&Request::of_target(500, 0.01, 1)).unwrap();
            assert!(filter.decodes(&filter.encoded().unwrap()));
            reject_damage(&*filter).unwrap();
            let error = reject_damage(&Credulous(filter)).unwrap_err();
            assert!(
                format!("{error}").starts_with("it is read although its byte 0 of "),
                "{}: {error}",
                entry.name
            );
        }
    }
}
