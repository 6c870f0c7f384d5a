//! T0: every location is below m, and where it is known how a scheme computes them,
//! it is the one that 128 bits give, in which nothing can be cut off. Whether all of
//! the range is met T1 sees.

use bouquet_catalogue::{self as catalogue, Facts, hash};
use bouquet_core::{KeyHash, KeyHasher};
use bouquet_ground::record::TestRow;
use bouquet_hash::{Xxh3, murmur3::four_words};
use bouquet_stats::CountLaw;

use super::{
    law::{BOTH, counted},
    locations::Sample,
};
use crate::schemes::Locator;

/// Keys whose locations are computed again.
const KEYS: u64 = 1 << 14;

/// Locations that are none.
pub fn range(sample: &Sample) -> TestRow {
    none_of("range", sample.outside(), sample.keys())
}

/// Keys of which the locations are others than those computed again; none for a scheme
/// or filter that is not known here. A filter has the hasher of this name.
pub fn exact(
    name: &str,
    locator: &dyn Locator,
    seed: u64,
    hasher: Option<&str>,
) -> Option<TestRow> {
    let others = others(name, locator, seed, hasher)?;
    Some(none_of("exact", others, KEYS))
}

/// A count of which each one is a fault.
fn none_of(item: &str, count: u64, trials: u64) -> TestRow {
    let law = CountLaw::Binomial {
        trials,
        chance: 0.0,
    };
    counted("T0", item, count, law, BOTH)
}

/// The locations of a key, each as the first slot of a range it is in and the
/// width of that.
type Reference = dyn Fn(&[u8], &dyn Locator, &mut dyn FnMut(u64, u64));

fn others(name: &str, locator: &dyn Locator, seed: u64, hasher: Option<&str>) -> Option<u64> {
    let reference = reference(name, seed, hasher)?;
    let agrees = |key: &u64| {
        let key = key.to_le_bytes();
        let mut slots = Vec::new();
        locator.locate(&key, &mut |slot| slots.push(slot));
        let mut slots = slots.into_iter();
        let mut agrees = true;
        reference(&key, locator, &mut |first, width| {
            let within = |slot: u64| slot >= first && slot - first < width;
            agrees &= slots.next().is_some_and(within);
        });
        agrees && slots.next().is_none()
    };
    Some((0..KEYS).filter(|key| !agrees(key)).count() as u64)
}

fn reference(name: &str, seed: u64, hasher: Option<&str>) -> Option<Box<Reference>> {
    let is_own = |facts: &&&Facts| [facts.name, facts.scheme].contains(&name);
    if let Some(own) = catalogue::facts().iter().find(is_own) {
        let own = own.reference?;
        let hash = hash::of_name(hasher, seed).ok()?;
        return Some(Box::new(move |key, locator, visit| {
            own(hash(key), locator.parts(), visit);
        }));
    }
    Some(match name {
        "double-hashing" => Box::new(move |key, locator, visit| {
            let KeyHash { place, probe, .. } = Xxh3::with_seed(seed).hash(key);
            for i in 0..u128::from(locator.probes()) {
                let sum = u128::from(place) + i * u128::from(probe);
                visit((sum % u128::from(locator.slots())) as u64, 1);
            }
        }),
        "enhanced-double-hashing" => Box::new(move |key, locator, visit| {
            let KeyHash { place, probe, .. } = Xxh3::with_seed(seed).hash(key);
            for i in 0..u128::from(locator.probes()) {
                // x + i y + the (i - 1)-th tetrahedral number, modulo 2^64.
                let cubic = i.saturating_sub(1) * i * (i + 1) / 6;
                let x = u128::from(place) + i * u128::from(probe) + cubic;
                visit((x % (1 << 64) % u128::from(locator.slots())) as u64, 1);
            }
        }),
        "bits-and-blooms" => Box::new(|key, locator, visit| {
            let words = four_words(key).map(u128::from);
            for i in 0..locator.probes() as usize {
                let sum = words[i % 2] + i as u128 * words[2 + (i + i % 2) % 4 / 2];
                visit((sum % (1 << 64) % u128::from(locator.slots())) as u64, 1);
            }
        }),
        _ => return None,
    })
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
        assert_eq!(others("default", &*right, 1, None), Some(0));
        assert_eq!(others("default", &*right, 2, None), Some(KEYS));
        for name in ["hash-32", "product-64", "index-32", "sign-32"] {
            let cut = make(name);
            assert_eq!(others("default", &*cut, 1, None), Some(KEYS), "{name}");
            assert_eq!(others(name, &*cut, 1, None), None);
        }
    }

    #[test]
    fn each_filter_is_where_its_reference_says() {
        for entry in crate::registry::filters() {
            let Some(locate) = entry.locate else { continue };
            let locator = locate(Wanted::new((1 << 33) + 5, 8, 1)).unwrap();
            let known = catalogue::named(entry.name).and_then(|own| own.reference);
            let of_seed = |seed| others(entry.name, &*locator, seed, None);
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
