//! Building: sizes, repeats, passes, threads, and keys that have no solution.

use bouquet_fuse::{BuildError, Builder, Folded, FuseFilter, Geometry, KeyHash, KeyHasher};

#[test]
fn bits_per_key_at_every_size_from_a_million_on() {
    for keys in [1_000_000_u64, 1_048_576, 2_097_151, 2_097_152, 3_000_000] {
        let filter = FuseFilter::from_keys(0..keys).unwrap();
        let bits = filter.size_bits() as f64 / keys as f64;
        assert!(bits <= 9.1, "{keys}: {bits}");
        let foreseen = Geometry::for_keys::<u8>(keys).unwrap().size_bits() as f64 / keys as f64;
        assert!((foreseen / bits - 1.0).abs() < 0.01, "{keys}: {foreseen}");
        assert!((0..keys).step_by(7).all(|key| filter.contains(&key)));
        assert_eq!(filter.keys(), keys);
    }
}

#[test]
fn repeated_keys_count_once_however_often_they_come() {
    let once = FuseFilter::from_keys(0..1_000_u64).unwrap();
    for times in [2, 3, 255, 256, 257] {
        let repeated = (0..times).flat_map(|_| 0..1_000_u64);
        assert!(FuseFilter::from_keys(repeated).unwrap() == once, "{times}");
    }
    let equal = FuseFilter::from_keys([7_u64; 100_000]).unwrap();
    assert!(equal == FuseFilter::from_keys([7_u64]).unwrap());
    assert_eq!(equal.keys(), 1);
}

#[test]
fn no_keys_and_one_key() {
    let none = FuseFilter::from_keys([0_u64; 0]).unwrap();
    assert!(none.is_empty() && !none.contains("rose"));
    assert_eq!(
        (none.keys(), none.size_bits(), none.estimated_fpr()),
        (0, 0, 0.0)
    );
    let one = FuseFilter::from_keys(["rose"]).unwrap();
    assert!(one.contains("rose") && !one.is_empty());
}

/// An iterator whose length is far from what it claims.
struct Liar(u64, usize);

impl Iterator for Liar {
    type Item = u64;

    fn next(&mut self) -> Option<u64> {
        self.0 = self.0.checked_sub(1)?;
        Some(self.0)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.1, Some(self.1))
    }
}

#[test]
fn the_length_that_an_iterator_claims_is_not_trusted() {
    let right = FuseFilter::from_keys(0..1_000_u64).unwrap();
    for claim in [0, 10, (1 << 32) + 1, usize::MAX] {
        assert!(FuseFilter::from_keys(Liar(1_000, claim)).unwrap() == right);
    }
}

#[test]
fn passes_and_threads_give_the_same_filter() {
    let keys = || 0..3_000_000_u64;
    let builder = || Builder::new(Folded::new());
    let whole: FuseFilter = builder().from_keys(keys()).unwrap();
    assert_eq!(whole.geometry().parts(), 2);
    for memory in [0, 13 << 20, 1 << 30] {
        let in_passes: FuseFilter = builder().from_passes(keys, memory).unwrap();
        assert!(in_passes == whole, "{memory}");
    }
    for threads in [0, 2, usize::MAX] {
        let by_threads: FuseFilter = builder().threads(threads).from_keys(keys()).unwrap();
        assert!(by_threads == whole, "{threads}");
    }
}

#[test]
fn a_part_that_needs_a_second_attempt() {
    // The words of the second part differ in their lowest bits alone, so that all keys have the
    // same first slot in the first attempt.
    let hashes = (0..1_u64 << 21).map(|i| {
        let mixed = Folded::new().hash_key(&i).probe >> 1;
        let word = if i % 2 == 0 { mixed } else { 1 << 63 | i };
        KeyHash::new(0, word)
    });
    let built = Builder::new(Folded::new()).from_hashes(hashes.clone());
    let filter: FuseFilter = built.unwrap();
    assert_eq!(filter.geometry().parts(), 2);
    let mut found = vec![false; 1 << 21];
    filter.contains_hash_batch(&hashes.clone().collect::<Vec<_>>(), &mut found);
    assert!(found.iter().all(|found| *found));
    assert!(hashes.step_by(7).all(|hash| filter.contains_hash(hash)));
}

#[test]
fn passes_with_other_keys_are_an_error() {
    for later in [999_u64, 1_001, 0] {
        let mut first = Some(1_000);
        let pass = || 0..first.take().unwrap_or(later);
        let built: Result<FuseFilter, _> = Builder::new(Folded::new()).from_passes(pass, 0);
        assert_eq!(built.unwrap_err(), BuildError::PassesDiffer);
    }
    // As many, but others.
    let mut from = 0;
    let pass = || {
        from += 1_000;
        from..from + 1_000_u64
    };
    let built: Result<FuseFilter, _> = Builder::new(Folded::new()).from_passes(pass, 0);
    assert_eq!(built.unwrap_err(), BuildError::PassesDiffer);
}

#[test]
fn repeated_keys_in_passes() {
    let keys = || (0..50_000_u64).chain(0..50_000);
    let filter: FuseFilter = Builder::new(Folded::new()).from_passes(keys, 0).unwrap();
    assert!((0..50_000_u64).all(|key| filter.contains(&key)));
    assert_eq!((filter.keys(), filter.capacity()), (50_000, 100_000));
    let again = FuseFilter::from_bytes(&filter.encode()).unwrap();
    assert!(again == filter && again.keys() == 50_000);
}

/// Just above these sizes the segments of the reference are too long for their number, so that it
/// failed for some seeds.
#[test]
fn sizes_at_which_a_reference_failed() {
    for keys in (11_480..=11_521).step_by(if cfg!(debug_assertions) { 20 } else { 1 }) {
        for seed in 0..if cfg!(debug_assertions) { 20 } else { 500 } {
            let builder = Builder::new(Folded::with_seed(seed));
            let filter: FuseFilter = builder.from_keys(0..keys as u64).unwrap();
            assert!(
                (0..keys as u64).all(|key| filter.contains(&key)),
                "{keys} {seed}"
            );
        }
    }
}

/// A hash with so few bits that some keys have the same three slots in every attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Same(u64);

impl KeyHasher for Same {
    const ID: u16 = 0x8000;
    const HASH_BITS: u32 = 64;

    fn seed(&self) -> u64 {
        0
    }

    fn hash(&self, key: &[u8]) -> KeyHash {
        KeyHash::new(0, key.len() as u64 % self.0)
    }
}

#[test]
fn a_hasher_of_few_values_gives_few_keys() {
    let keys: Vec<_> = (0..100).map(|len| "a".repeat(len)).collect();
    let filter: FuseFilter<u8, Same> = Builder::new(Same(7)).from_keys(&keys).unwrap();
    assert_eq!(filter.keys(), 7);
    assert!(keys.iter().all(|key| filter.contains(key)));
}

#[test]
fn hashes_are_those_of_keys() {
    let hasher = Folded::new();
    let hashes = (0..1_000_u64).map(|key| hasher.hash_key(&key));
    let filter: FuseFilter = Builder::new(hasher).from_hashes(hashes).unwrap();
    assert!(filter == FuseFilter::from_keys(0..1_000_u64).unwrap());
}
