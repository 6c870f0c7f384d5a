//! T0 checks that every location is below m, and that the locations of our own filters equal those
//! of a second computation in 128 bits, which cannot lose bits.

use bouquet_catalogue::{self as catalogue, Facts, hash};
use bouquet_record::TestRow;
use bouquet_stats::CountLaw;

use super::{
    locations::Sample,
    t1_bins::{BOTH, counted},
};
use crate::schemes::Locator;

/// The number of keys whose locations are compared with a second computation.
const KEYS: u64 = 1 << 14;

/// The row for the number of locations that are not below m.
pub fn range(sample: &Sample) -> TestRow {
    none_of("range", sample.outside(), sample.keys())
}

/// The row for the number of keys whose locations differ from the second computation; `None` if the
/// scheme or filter has no second computation. `hasher` is the name of the filter's hasher.
pub fn exact(name: &str, locator: &Locator, seed: u64, hasher: Option<&str>) -> Option<TestRow> {
    let others = others(name, locator, seed, hasher)?;
    Some(none_of("exact", others, KEYS))
}

/// The row of a count that must be zero, because every single occurrence is a fault.
fn none_of(item: &str, count: u64, trials: u64) -> TestRow {
    let law = CountLaw::Binomial(trials, 0.0);
    counted("T0", item, count, law, BOTH)
}

fn others(name: &str, locator: &Locator, seed: u64, hasher: Option<&str>) -> Option<u64> {
    let is_own = |facts: &&&Facts| [facts.name, facts.scheme].contains(&name);
    let reference = catalogue::facts().iter().find(is_own)?.reference?;
    let hash = hash::of_name(hasher, seed).ok()?;
    let agrees = |key: &u64| {
        let key = key.to_le_bytes();
        let mut slots = Vec::new();
        locator.locate(&key, &mut |slot| slots.push(slot));
        let mut slots = slots.into_iter();
        let mut agrees = true;
        // For each location, the second computation gives a range of slots that must contain it:
        // the first slot and the number of slots.
        reference(hash(&key), locator.parts(), &mut |first, width| {
            let within = |slot: u64| slot >= first && slot - first < width;
            agrees &= slots.next().is_some_and(within);
        });
        agrees && slots.next().is_none()
    };
    Some((0..KEYS).filter(|key| !agrees(key)).count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schemes::Wanted;
    use crate::schemes::{Part, schemes};

    #[test]
    fn a_cut_location_does_not_agree() {
        let slots = (1 << 33) + 5;
        let make = |name: &str| {
            let all = schemes();
            let scheme = all.iter().find(|scheme| scheme.name == name).unwrap();
            (scheme.make)(Wanted::new(slots, 8, 1)).unwrap()
        };
        let right = make("default");
        assert_eq!(others("default", &right, 1, None), Some(0));
        assert_eq!(others("default", &right, 2, None), Some(KEYS));
        for name in ["truncated-24", "sign-32"] {
            let cut = make(name);
            assert_eq!(others("default", &cut, 1, None), Some(KEYS), "{name}");
            assert_eq!(others(name, &cut, 1, None), None);
        }
    }

    #[test]
    fn each_filter_is_where_its_reference_says() {
        for entry in crate::registry::filters() {
            let Some(locate) = entry.locate else { continue };
            let locator = locate(Wanted::new((1 << 33) + 5, 8, 1)).unwrap();
            let known = catalogue::named(entry.name).and_then(|own| own.reference);
            let of_seed = |seed| others(entry.name, &locator, seed, None);
            assert_eq!(of_seed(1), known.map(|_| 0), "{}", entry.name);
            assert!(of_seed(2).is_none_or(|others| others > KEYS / 2));
        }
    }

    #[test]
    fn a_location_at_m_is_none() {
        let of = |slots: Vec<u64>| Sample::of(8, vec![Part::slot(1, 8)], vec![slots]);
        assert_eq!(range(&of(vec![0, 7])).statistic, 0.0);
        assert_eq!(range(&of(vec![0, 8, u64::MAX])).statistic, 2.0);
    }
}
