//! A law: the geometry locates a key's slots, and the filter uses exactly these slots.

use std::{collections::HashSet, fmt::Debug};

use bouquet_core::{Inspect, Locate, Spec, TryInsert};

use super::{Verdict, must_insert, specs};
use crate::keys::{member, non_member, show};

/// The geometry visits exactly the stated number of probes, and each is within its slots. The
/// filter sets these slots and no others, and may contain a key exactly if all of the key's slots
/// are set.
///
/// # Errors
///
/// The key, and the wrong slot or number.
pub fn locate<F, G>(make: impl Fn(Spec, u64) -> F, geometry: impl Fn(&F) -> G) -> Verdict
where
    F: TryInsert<Error: Debug> + Inspect,
    G: Locate<Hash = F::Hash>,
{
    for spec in specs()? {
        let mut filter = make(spec, 50);
        let geometry = geometry(&filter);
        let mut set = HashSet::new();
        for i in 0..spec.capacity() {
            let key = member(i);
            set.extend(locations(&filter, &geometry, &key)?);
            must_insert(&mut filter, &key)?;
            let filled = filter.fill_ratio() * geometry.slots() as f64;
            ensure!(
                (filled - set.len() as f64).abs() < 1e-3,
                "{filled} slots are set where {} were located, after key {i}, {spec:?}",
                set.len()
            );
        }
        for key in (0..2_000).map(non_member) {
            let located = locations(&filter, &geometry, &key)?;
            let all_set = located.iter().all(|slot| set.contains(slot));
            ensure!(
                filter.contains(&key) == all_set,
                "contains returns {} where the located slots are all set: {all_set}: {}, {spec:?}",
                !all_set,
                show(&key)
            );
        }
    }
    Ok(())
}

fn locations<F, G>(filter: &F, geometry: &G, key: &[u8]) -> Result<Vec<u64>, String>
where
    F: TryInsert,
    G: Locate<Hash = F::Hash>,
{
    let hash = filter.hash_key(key);
    let (mut first, mut second) = (Vec::new(), Vec::new());
    geometry.locate(&hash, &mut |slot| first.push(slot));
    geometry.locate(&hash, &mut |slot| second.push(slot));
    ensure!(
        first == second,
        "two visits of one hash differ: {}",
        show(key)
    );
    ensure!(
        first.len() == geometry.probes() as usize,
        "{} locations of {} probes: {}",
        first.len(),
        geometry.probes(),
        show(key)
    );
    for (probe, slot) in first.iter().enumerate() {
        ensure!(
            *slot < geometry.slots(),
            "probe {probe} goes to slot {slot} of {}: {}",
            geometry.slots(),
            show(key)
        );
    }
    Ok(first)
}
