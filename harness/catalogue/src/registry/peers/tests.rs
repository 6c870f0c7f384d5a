mod compare;
mod known_faults;

use super::{others::wide_seed, *};
use crate::registry::filters;

const CAPACITY: u64 = 10_000;

fn request(seed: u64) -> Request {
    Request::of_target(CAPACITY, 0.01, seed)
}

fn filled(contender: &Entry, seed: u64) -> Box<dyn Subject> {
    let mut filter = (contender.build)(&request(seed)).unwrap();
    (0..CAPACITY).for_each(|key| assert!(filter.insert(&key.to_le_bytes())));
    filter
}

fn holds_all(filter: &dyn Subject) -> bool {
    (0..CAPACITY).all(|key| filter.contains(&key.to_le_bytes()))
}

#[test]
fn releases_are_those_that_are_built() {
    let lock = include_str!("../../../../../Cargo.lock");
    for contender in peers().into_iter().filter(|one| one.release != "by hand") {
        let (name, version) = contender.release.split_once(' ').unwrap();
        let package = format!("name = \"{name}\"\nversion = \"{version}\"\n");
        assert!(lock.contains(&package), "{}", contender.release);
    }
}

#[test]
fn every_contender_holds_all_its_keys() {
    for contender in filters() {
        // The baseline (the crate cuckoofilter) rejects or drops some keys near its capacity.
        if contender.role != "baseline" {
            assert!(holds_all(&*filled(&contender, 1)), "{}", contender.name);
        }
    }
}

#[test]
fn what_a_peer_says_of_its_memory_is_what_it_allocated() {
    for contender in filters() {
        // Random generators allocate memory at their first use in a thread. This call makes them do
        // so before the measurement.
        filled(&contender, 1).contains(b"");
        let mut filter = None;
        let info = allocation_counter::measure(|| {
            let full = filled(&contender, 1);
            full.contains(b"");
            filter = Some(full);
        });
        let said = filter.unwrap().state(CAPACITY).memory_bytes as f64;
        let allocated = info.bytes_current as f64;
        let name = contender.name;
        assert!(
            (said / allocated - 1.0).abs() < 0.02,
            "{name}: {said} said, {allocated} allocated"
        );
    }
}

#[test]
fn seeds_matter_where_they_can_be_set() {
    for contender in filters() {
        let found = |seed| {
            let filter = filled(&contender, seed);
            let non_members = CAPACITY..3 * CAPACITY;
            non_members
                .filter(|key| filter.contains(&key.to_le_bytes()))
                .collect::<Vec<_>>()
        };
        let name = contender.name;
        if contender.reproducible_by_seed {
            assert_eq!(found(1), found(1), "{name}");
        }
        // The other peers have no seed, or are cuckoo filters that evict at random, with any seed.
        let takes_seeds = ["fastbloom", "bloomfilter", "probabilistic-", "sbbf-rs"];
        if contender.role == "ours" || takes_seeds.iter().any(|own| name.starts_with(own)) {
            // With fewer than ten false positives, the lists may be equal by chance or because both
            // are empty.
            let (one, other) = (found(1), found(2));
            assert!(one.len() < 10 || one != other, "{name}");
        }
    }
}

#[test]
fn wide_seeds_have_no_two_equal_words() {
    for seed in [0, 1, u64::MAX] {
        let bytes: [u8; 32] = wide_seed(seed);
        let words: std::collections::HashSet<_> = bytes.chunks(8).collect();
        assert_eq!(words.len(), 4);
    }
}
