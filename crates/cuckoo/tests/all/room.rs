//! Tests when the filter is full, what removal does, and that no accepted key is ever lost.

use std::collections::{BTreeMap, BTreeSet};

use bouquet_cuckoo::{
    CuckooFilter, FingerprintBits, Folded, Full, Key, KeyHash, Spec, math::buckets_for,
};
use bouquet_testkit::Rng;

fn parts(buckets: u64, width: FingerprintBits, seed: u64) -> CuckooFilter {
    CuckooFilter::from_parts(buckets, width, Folded::with_seed(seed)).unwrap()
}

/// Both buckets of a key, the lower one first.
fn buckets<Q: Key + ?Sized>(filter: &CuckooFilter, key: &Q) -> [u64; 2] {
    let mut buckets = filter.geometry().buckets_of(filter.hash(key));
    buckets.sort_unstable();
    buckets
}

/// Everything by which the filter distinguishes keys: the fingerprint and the two buckets.
fn look(filter: &CuckooFilter, key: &u64) -> (u32, [u64; 2]) {
    let fingerprint = filter.geometry().fingerprint(filter.hash(key));
    (fingerprint, buckets(filter, key))
}

/// Inserts the keys 0, 1, 2, … until there is a victim; returns the number of keys.
fn until_full(filter: &mut CuckooFilter) -> u64 {
    let mut key = 0u64;
    while !filter.is_full() {
        filter.insert(&key).unwrap();
        key += 1;
    }
    key
}

/// Fills filters of each capacity a thousand times; every filter must accept all keys. Most
/// capacities are small, because there buckets overflow by chance most often.
#[test]
fn capacity_is_reached() {
    let mut rng = Rng::new(1);
    for capacity in [1, 2, 5, 9, 10, 20, 32, 50, 64, 100, 200, 500, 1_000, 10_000] {
        let mut filter = parts(buckets_for(capacity), FingerprintBits::Eight, 0);
        for fill in 0..1_000 {
            filter.clear();
            for key in 0..capacity {
                let hash = KeyHash::new(rng.word(), rng.word());
                let taken = filter.insert_hash(hash);
                assert!(taken.is_ok(), "{capacity}: fill {fill}, key {key}");
            }
        }
    }
}

/// Tests a million keys with each width that a target can lead to.
#[test]
fn large_filters_reach_capacity_too() {
    for target_fpr in [0.03, 0.01, 1e-3, 1e-6] {
        let mut filter = CuckooFilter::new(1_000_000, target_fpr).unwrap();
        assert!(filter.try_extend(0..1_000_000u64).is_ok(), "{filter:?}");
        assert!(!filter.is_full());
        assert!((0..1_000_000u64).all(|key| filter.contains(&key)));
    }
}

#[test]
fn slots_are_used_to_95_percent_and_more() {
    for width in FingerprintBits::ALL {
        for buckets in [1_000, 1_001, 16_384] {
            let mut filter = parts(buckets, width, 3);
            let keys = until_full(&mut filter);
            let load = keys as f64 / filter.slots() as f64;
            assert!(load > 0.955, "{width:?} {buckets}: {load}");
        }
    }
}

#[test]
fn a_full_filter_rejects_keys_and_changes_nothing() {
    for (width, buckets) in [
        (FingerprintBits::Eight, 64),
        (FingerprintBits::Twelve, 65),
        (FingerprintBits::Sixteen, 2),
        (FingerprintBits::Sixteen, 1),
    ] {
        let mut filter = parts(buckets, width, 5);
        let mut stored: Vec<u64> = (0..until_full(&mut filter)).collect();
        let mut rejected = 0;
        // Keys with an empty slot in one of their buckets are still accepted.
        for key in 1_000..3_000u64 {
            let before = filter.clone();
            match filter.insert(&key) {
                Ok(_) => stored.push(key),
                Err(error) => {
                    assert_eq!(filter, before);
                    assert_eq!(filter.keys(), before.keys());
                    let Full::Slots { keys, slots } = error else {
                        panic!("{error}");
                    };
                    assert_eq!((keys, slots), (stored.len() as u64, 4 * buckets));
                    rejected += 1;
                }
            }
        }
        assert!(rejected > 1_900, "{rejected}");
        assert!(stored.iter().all(|key| filter.contains(key)));
        // At the end every slot is full, and one key is stored beside the slots.
        assert_eq!(filter.keys(), filter.slots() + 1);
        assert_eq!(filter.fill_ratio(), 1.0);
    }
}

#[test]
fn the_victim_goes_back_when_there_is_room() {
    let mut went_back = 0;
    for seed in 0..200 {
        let mut filter = parts(32, FingerprintBits::Twelve, seed);
        let keys = until_full(&mut filter);
        let slots = filter.keys() - 1;
        for removed in 0..keys {
            assert!(filter.remove(&removed));
            assert!((removed + 1..keys).all(|key| filter.contains(&key)));
            if !filter.is_full() {
                break;
            }
        }
        // The number of full slots is unchanged, because the victim has taken the slot of the
        // removed key.
        let filled = filter.fill_ratio() * 128.0;
        if filter.keys() == slots {
            assert_eq!(filled, slots as f64);
            went_back += 1;
        }
        assert!(!filter.is_full());
        assert!(filter.insert("again").is_ok());
    }
    // The first removal is nearly always sufficient.
    assert!(went_back > 150, "{went_back}");
}

#[test]
fn a_victim_can_be_queried_counted_and_removed() {
    let mut seen = 0;
    for seed in 0..300 {
        let mut filter = parts(8, FingerprintBits::Sixteen, seed);
        let keys = until_full(&mut filter);
        // With 16 bits, two keys have the same fingerprint and buckets in one filter of a thousand;
        // it is skipped.
        let look = |key: u64| look(&filter, &key);
        let looks: BTreeSet<_> = (0..keys).map(look).collect();
        if looks.len() as u64 != keys {
            continue;
        }
        // If the victim itself is removed, the slots do not change.
        let before = filter.fill_ratio();
        for key in 0..keys {
            let mut other = filter.clone();
            assert_eq!(other.estimated_count(&key), 1, "{seed}");
            assert!(other.remove(&key));
            assert!(!other.contains(&key));
            if other.fill_ratio() == before && !other.is_full() {
                seen += 1;
                assert_eq!(other.keys(), keys - 1);
            }
        }
    }
    assert!(seen >= 300, "{seen}");
}

#[test]
fn there_is_room_for_eight_copies() {
    for (width, seed) in FingerprintBits::ALL
        .into_iter()
        .flat_map(|w| (0..9).map(move |s| (w, s)))
    {
        let mut filter = parts(100, width, seed);
        // Keys with the same two buckets are excluded, because copies of "rose" fill these.
        let rose = buckets(&filter, "rose");
        let others = (0..300u64).filter(|key| buckets(&filter, key) != rose);
        let others: Vec<u64> = others.collect();
        assert_eq!(filter.insert("rose"), Ok(true));
        for copies in 1..8 {
            assert_eq!(filter.estimated_count("rose"), copies);
            assert_eq!(filter.insert("rose"), Ok(false));
        }
        let before = filter.clone();
        assert_eq!(filter.insert("rose"), Err(Full::Copies { copies: 8 }));
        assert_eq!(filter, before);
        // The rejected copies do not make the filter full for other keys.
        assert!(!filter.is_full());
        assert!(others.iter().all(|key| filter.insert(key).is_ok()));
        for _ in 0..8 {
            assert!(filter.contains("rose") && filter.remove("rose"));
        }
        assert_eq!(filter.keys(), others.len() as u64);
        assert!(others.iter().all(|key| filter.contains(key)));
    }
    // A filter with a single bucket has room for four copies.
    let mut filter = parts(1, FingerprintBits::Eight, 1);
    assert!((0..4).all(|_| filter.insert("rose").is_ok()));
    assert_eq!(filter.insert("rose"), Err(Full::Copies { copies: 4 }));
}

/// Each of two indistinguishable keys has a copy of its own, so that either can be removed.
#[test]
fn keys_of_one_fingerprint_do_not_remove_each_other() {
    let filter = parts(10, FingerprintBits::Eight, 0);
    let twin = (1..).find(|key| look(&filter, key) == look(&filter, &0));
    let twin = twin.unwrap();
    for (removed, left) in [(0, twin), (twin, 0)] {
        let mut filter = filter.clone();
        assert_eq!(filter.insert(&0u64), Ok(true));
        assert_eq!(filter.insert(&twin), Ok(false));
        assert!(filter.remove(&removed) && filter.contains(&left));
        assert!(filter.remove(&left) && filter.keys() == 0);
    }
}

/// As documented, removing a false positive removes a member.
#[test]
fn removing_false_positives_makes_false_negatives() {
    let mut filter = CuckooFilter::new(10_000, 0.01).unwrap();
    filter.try_extend(0..10_000u64).unwrap();
    let false_positives = (10_000u64..).filter(|key| filter.remove(key));
    assert_eq!(false_positives.take(100).count(), 100);
    let lost = (0..10_000u64).filter(|key| !filter.contains(key)).count();
    assert!((90..=100).contains(&lost), "{lost}");
}

/// A filter, and a model of how often each key is stored.
struct Load {
    filter: CuckooFilter,
    copies: BTreeMap<u64, u32>,
    rejected: u32,
    full: u32,
}

impl Load {
    fn insert(&mut self, key: u64) {
        let was_present = self.filter.contains(&key);
        match self.filter.insert(&key) {
            Ok(was_new) => {
                assert_eq!(was_new, !was_present);
                *self.copies.entry(key).or_default() += 1;
            }
            Err(_) => self.rejected += 1,
        }
    }

    fn remove(&mut self, key: u64) {
        let Some(copies) = self.copies.get_mut(&key) else {
            return;
        };
        assert!(self.filter.remove(&key), "{key}");
        *copies -= 1;
        if *copies == 0 {
            self.copies.remove(&key);
        }
    }

    fn check(&self) {
        for (key, copies) in &self.copies {
            assert!(self.filter.estimated_count(key) >= *copies, "{key}");
            assert!(self.filter.contains(key), "lost {key}");
        }
        let stored: u32 = self.copies.values().sum();
        assert_eq!(self.filter.keys(), u64::from(stored));
    }
}

/// 100,000 random inserts and removals while nearly all slots are full: fingerprints move at every
/// insert, the victim changes, and keys are rejected.
#[test]
fn no_key_is_lost_around_a_full_load() {
    for (width, buckets) in [
        (FingerprintBits::Eight, 100),
        (FingerprintBits::Twelve, 128),
        (FingerprintBits::Sixteen, 101),
        (FingerprintBits::Ten, 3),
        (FingerprintBits::ThirtyTwo, 1),
    ] {
        let mut load = Load {
            filter: parts(buckets, width, 11),
            copies: BTreeMap::new(),
            rejected: 0,
            full: 0,
        };
        let mut rng = Rng::new(buckets);
        for step in 0..100_000 {
            // There are twice as many different keys as slots, and more inserts than removals.
            let key = rng.below(8 * buckets);
            if rng.below(100) < 60 {
                load.insert(key);
            } else {
                load.remove(key);
            }
            load.full += u32::from(load.filter.is_full());
            if step % 100 == 0 {
                load.check();
            }
        }
        load.check();
        assert!(load.rejected > 1_000 && load.full > 1_000, "{buckets}");
        let all: Vec<(u64, u32)> = load.copies.iter().map(|(k, c)| (*k, *c)).collect();
        for (key, copies) in all {
            (0..copies).for_each(|_| load.remove(key));
        }
        assert_eq!(load.filter, parts(buckets, width, 11));
        assert_eq!(load.filter.keys(), 0);
    }
}

/// The case in which the crate `cuckoofilter` loses keys: as many keys are inserted as there are
/// slots, and some are rejected. All accepted keys must be present.
#[test]
fn offering_more_than_fits_loses_no_key() {
    for width in [
        FingerprintBits::Eight,
        FingerprintBits::Twelve,
        FingerprintBits::Sixteen,
    ] {
        let mut filter = parts(1 << 14, width, 0);
        let offered = 0..filter.slots();
        let accepted: Vec<u64> = offered.filter(|key| filter.insert(key).is_ok()).collect();
        assert!(accepted.len() < 1 << 16);
        assert_eq!(filter.keys(), accepted.len() as u64);
        assert!(accepted.iter().all(|key| filter.contains(key)));
    }
}

/// Equal filters make the same choices, because the choices depend only on their contents.
#[test]
fn equal_filters_stay_equal() {
    let mut one = parts(50, FingerprintBits::Twelve, 2);
    until_full(&mut one);
    let mut other = parts(50, FingerprintBits::Twelve, 2);
    until_full(&mut other);
    let mut clone = one.clone();
    let mut rng = Rng::new(4);
    for _ in 0..2_000 {
        let key = rng.below(250);
        if rng.below(2) == 0 {
            let answer = one.insert(&key);
            assert_eq!((answer, answer), (other.insert(&key), clone.insert(&key)));
        } else {
            let answer = one.remove(&key);
            assert_eq!((answer, answer), (other.remove(&key), clone.remove(&key)));
        }
        assert!(one == other && one == clone);
    }
}

#[test]
fn a_cleared_filter_has_no_victim() {
    let mut filter = parts(8, FingerprintBits::Eight, 0);
    until_full(&mut filter);
    filter.clear();
    assert_eq!(filter, parts(8, FingerprintBits::Eight, 0));
    assert!(!filter.is_full() && filter.keys() == 0 && filter.estimated_fpr() == 0.0);
    let spec = Spec::new(10, 0.01).unwrap();
    assert_eq!(
        CuckooFilter::with_hasher(spec, Folded::default())
            .unwrap()
            .keys(),
        0
    );
}

/// Checks the documented fill ratios for keys that are inserted several times each.
#[test]
fn copies_crowd() {
    for (copies, low, high) in [(1, 0.955, 0.99), (2, 0.84, 0.91), (4, 0.3, 0.5)] {
        let mut filter = parts(10_000, FingerprintBits::Twelve, 7);
        let mut insert = 0u64;
        while !filter.is_full() {
            filter.insert(&(insert / copies)).unwrap();
            insert += 1;
        }
        let load = filter.fill_ratio();
        assert!((low..high).contains(&load), "{copies}: {load}");
    }
}
