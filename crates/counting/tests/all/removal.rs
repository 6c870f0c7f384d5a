//! Tests removal, the effect of saturation on it, and the accuracy of the counts.

use std::collections::HashMap;

use bouquet_counting::{
    CounterBits::{self, Eight, Four},
    CountingBloom, Folded,
};
use bouquet_standard::StandardBloom;
use bouquet_testkit::Rng;

const WIDTHS: [CounterBits; 2] = [Four, Eight];

fn parts(counters: u64, hashes: u32, width: CounterBits, seed: u64) -> CountingBloom {
    CountingBloom::from_parts(counters, hashes, width, Folded::with_seed(seed)).unwrap()
}

/// A filter, and the exact number of times that each key is present.
struct Load {
    filter: CountingBloom,
    copies: HashMap<u64, u32>,
    rng: Rng,
}

impl Load {
    fn new(filter: CountingBloom) -> Self {
        Self {
            filter,
            copies: HashMap::new(),
            rng: Rng::new(1),
        }
    }

    /// A random key below 30,000, where key i has a probability proportional to 1/i.
    fn zipf(&mut self) -> u64 {
        let uniform = self.rng.word() as f64 / 2f64.powi(64);
        (30_000f64.ln() * uniform).exp() as u64
    }

    fn insert(&mut self, key: u64) {
        self.filter.insert(&key);
        *self.copies.entry(key).or_default() += 1;
    }

    /// Removes a key if it is present.
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

    /// Checks that all keys are present, and that every counter equals the sum of its keys or
    /// is saturated.
    fn check(&self) {
        let counters = self.filter.counters();
        let max = counters.width().max();
        let mut sums = vec![0u32; counters.len() as usize];
        for (key, copies) in &self.copies {
            assert!(self.filter.contains(key), "lost {key}");
            let count = self.filter.estimated_count(key);
            assert!(
                count >= (*copies).min(max.into()),
                "{key}: {count} {copies}"
            );
            for slot in self.filter.locations(key) {
                sums[slot as usize] += copies;
            }
        }
        for (slot, sum) in sums.iter().enumerate() {
            let counter = counters.get(slot as u64);
            let exact = u32::from(counter) == *sum && counter < max;
            assert!(exact || counter == max, "slot {slot}: {counter} for {sum}");
        }
    }
}

#[test]
fn a_skewed_load_with_removals_has_no_false_negatives() {
    for width in WIDTHS {
        let spec = bouquet_counting::Spec::new(10_000, 0.01).unwrap();
        let hasher = Folded::default();
        let filter = CountingBloom::with_counter_bits(spec, width, hasher).unwrap();
        let mut load = Load::new(filter);
        for step in 0..100_000 {
            let key = load.zipf();
            if load.rng.below(10) < 6 {
                load.insert(key);
            } else {
                load.remove(key);
            }
            if step % 10_000 == 0 {
                load.check();
            }
        }
        load.check();
        assert!(load.copies.len() > 3_000, "{}", load.copies.len());
        let stuck = load.filter.saturated();
        assert!(stuck > 30, "{stuck}");
        let all: Vec<(u64, u32)> = load.copies.iter().map(|(k, c)| (*k, *c)).collect();
        for (key, copies) in all {
            (0..copies).for_each(|_| load.remove(key));
        }
        load.check();
        // Only the saturated counters are left.
        assert_eq!(load.filter.counters().count_nonzero(), stuck);
        load.filter.clear();
        assert_eq!(load.filter.saturated(), 0);
    }
}

#[test]
fn colliding_probes_count_twice_in_and_out() {
    // With so few counters, the probes of every key collide.
    for width in WIDTHS {
        for (counters, hashes) in [(1, 1), (1, 3), (2, 5), (3, 4), (16, 9)] {
            let mut load = Load::new(parts(counters, hashes, width, 3));
            for round in 0..200u64 {
                let key = round % 3;
                if round % 7 < 4 {
                    load.insert(key)
                } else {
                    load.remove(key)
                }
                load.check();
            }
        }
        let mut filter = parts(1, 3, width, 0);
        filter.insert("rose");
        assert_eq!(filter.counters().get(0), 3);
        assert!(filter.remove("rose"));
        assert!(!filter.contains("rose") && !filter.remove("rose"));
    }
}

/// A non-member whose probes collide on a slot with a count of one passes `contains`, although
/// it is definitely absent.
#[test]
fn an_absent_key_known_by_colliding_probes_is_not_removed() {
    let mut found = 0;
    for seed in 0..50 {
        let mut filter = parts(12, 4, Four, seed);
        filter.insert(&0u64);
        for absent in 1..2_000u64 {
            let slots: Vec<u64> = filter.locations(&absent).collect();
            let needed = |slot| slots.iter().filter(|other| **other == slot).count();
            let there = |slot| usize::from(filter.counters().get(slot));
            if !filter.contains(&absent) || slots.iter().all(|slot| needed(*slot) <= there(*slot)) {
                continue;
            }
            let before = filter.clone();
            assert!(!filter.remove(&absent), "{slots:?}");
            assert_eq!(filter, before, "{slots:?}");
            found += 1;
        }
    }
    assert!(found > 100, "{found}");
}

/// Checks the documented number: removing 100 false positives from a filter of 10,000 keys
/// turns about 465 members into false negatives.
#[test]
fn removing_absents_loses_members() {
    let mut filter = CountingBloom::new(10_000, 0.01).unwrap();
    filter.extend(0..10_000u64);
    let mut removed = 0;
    for absent in 10_000u64.. {
        removed += u32::from(filter.remove(&absent));
        if removed == 100 {
            break;
        }
    }
    let lost = (0..10_000u64).filter(|key| !filter.contains(key)).count();
    assert!((400..=530).contains(&lost), "{lost}");
}

#[test]
fn counts_are_exact_until_stuck_in_a_sparse_filter() {
    for (width, max) in [(Four, 15), (Eight, 255)] {
        let mut filter = parts(10_000, 7, width, 0);
        assert_eq!(filter.estimated_count("rose"), 0);
        for copies in 1..=300 {
            filter.insert("rose");
            assert_eq!(filter.estimated_count("rose"), copies.min(max));
            assert_eq!(filter.saturated(), 7 * u64::from(copies >= max));
        }
        filter.insert("tulip");
        assert!(filter.remove("rose"));
        assert_eq!(filter.estimated_count("rose"), max);
        assert_eq!(filter.estimated_count("tulip"), 1);
    }
}

#[test]
fn unions_add_up_and_intersections_keep_the_lower() {
    let mut one = parts(10_000, 7, Four, 0);
    let mut other = one.clone();
    for _ in 0..3 {
        one.insert("rose");
    }
    one.insert("tulip");
    other.extend(["rose", "rose", "lily"]);
    let mut both = one.clone();
    both.union_with(&other).unwrap();
    assert_eq!(both.estimated_count("rose"), 5);
    assert!((0..5).all(|_| both.remove("rose")) && !both.contains("rose"));
    assert!(both.contains("tulip") && both.contains("lily"));
    one.intersect_with(&other).unwrap();
    assert_eq!(one.estimated_count("rose"), 2);
    assert!(!one.contains("tulip") && !one.contains("lily"));
}

#[test]
fn saturated_counters_stay_stuck_through_a_union() {
    let mut one = parts(1_000, 4, Four, 0);
    let mut other = one.clone();
    (0..8).for_each(|_| _ = one.insert("rose"));
    (0..9).for_each(|_| _ = other.insert("rose"));
    one.union_with(&other).unwrap();
    assert_eq!(one.saturated(), 4);
    for _ in 0..17 {
        assert!(one.remove("rose") && one.contains("rose"));
    }
}

#[test]
fn as_many_saturate_as_theory_says() {
    // With a mean of 8 per counter, 1.7 % of the counters are at 15 or more, 0.8 % above 15.
    let (counters, hashes, keys, seeds) = (640, 4, 1_280, 300);
    let saturated: Vec<f64> = (0..seeds)
        .map(|seed| {
            let mut filter = parts(counters, hashes, Four, seed);
            filter.extend(0..keys);
            filter.saturated() as f64
        })
        .collect();
    let mean = saturated.iter().sum::<f64>() / seeds as f64;
    let squares: f64 = saturated.iter().map(|s| (s - mean).powi(2)).sum();
    let error = squares.sqrt() / seeds as f64;
    let expected = parts(counters, hashes, Four, 0).expected_saturated(keys);
    assert!(
        (mean - expected).abs() < 5.0 * error,
        "{mean} {error} {expected}"
    );
    assert!(error < 0.03 * expected, "{mean} {error} {expected}");

    let filter = CountingBloom::new(1_000_000, 0.01).unwrap();
    let documented = filter.expected_saturated(1_000_000);
    assert!((2.5e-8..3.5e-8).contains(&documented), "{documented}");
    assert_eq!(filter.expected_saturated(0), 0.0);
}

#[test]
fn its_bits_are_the_standard_filter_of_the_same_keys() {
    for width in WIDTHS {
        for (m, k) in [(1, 1), (64, 3), (1_021, 7), (9_600, 7), (5_000, 20)] {
            let mut filter = parts(m, k, width, 5);
            let mut standard = StandardBloom::from_parts(m, k, Folded::with_seed(5)).unwrap();
            filter.extend(0..500u64);
            standard.extend(0..500u64);
            assert_eq!(filter.to_bits().unwrap(), *standard.bits(), "{m} {k}");
            let made = StandardBloom::from_bits(filter.to_bits().unwrap(), k, Folded::with_seed(5));
            assert_eq!(made.unwrap(), standard, "{m} {k}");
            assert_eq!(filter.capacity(), standard.capacity());
        }
    }
}

#[test]
fn its_bits_follow_removals_and_the_same_spec_gives_the_same_size() {
    let mut filter = CountingBloom::new(1_000, 0.01).unwrap();
    let mut standard = StandardBloom::new(1_000, 0.01).unwrap();
    filter.extend(0..1_000u64);
    assert!((0..500u64).all(|key| filter.remove(&key)));
    standard.extend(500..1_000u64);
    assert_eq!(filter.saturated(), 0);
    let bits = filter.to_bits().unwrap();
    let made = StandardBloom::from_bits(bits, filter.hashes(), Folded::default()).unwrap();
    assert_eq!(made, standard);
    assert!(StandardBloom::from_bits(filter.to_bits().unwrap(), 0, Folded::default()).is_err());
}
