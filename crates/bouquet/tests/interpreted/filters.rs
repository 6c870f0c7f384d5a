//! Tests the filters of this project.

use std::fmt::Debug;

use bouquet::{
    AtomicBloom, BlockedBloom, BlockedView, CounterBits, CountingBloom, CountingView, CuckooFilter,
    CuckooView, FingerprintBits, Folded, KeyHasher, Line, PartitionedBloom, PartitionedView,
    Policy, ScalableBloom, ScalableView, ShardedBloom, ShardedView, SipKeyed, Spec, StandardBloom,
    StandardView, TryInsert, View, Words32, Xxh3, Xxh3Wide,
};

use crate::checks::{KEYS, answers, combined, filled, halved, inspected, members, stored};

/// A closure that verifies bytes and returns the answers of a view of them.
macro_rules! opened {
    ($view:ty) => {
        |bytes| {
            <$view as View<'_>>::verify(bytes)?;
            Ok(answers(&<$view as View<'_>>::open(bytes)?))
        }
    };
}

fn spec() -> Spec {
    Spec::new(100, 0.01).unwrap()
}

#[test]
fn standard() {
    let new = StandardBloom::new(100, 0.01).unwrap();
    let filter = filled(&new);
    inspected(&new, &filter);
    combined(&new, &filter);
    halved(&filter);
    stored(&filter, opened!(StandardView<'_>));
    // A size in bits that is not a whole number of words.
    let odd = filled(&StandardBloom::from_parts(1_001, 5, Folded::with_seed(1)).unwrap());
    stored(&odd, opened!(StandardView<'_>));
}

/// Hashes keys of every length up to a few blocks of the hash function, with each hasher.
#[test]
fn hashers() {
    fn hashed<H: KeyHasher>(hasher: H) {
        let mut filter = StandardBloom::with_hasher(spec(), hasher).unwrap();
        let bytes: Vec<u8> = (0..=255).collect();
        let keys: Vec<&[u8]> = (0..70)
            .chain([127, 128, 129, 240, 241, 256])
            .map(|len| &bytes[256 - len..])
            .collect();
        assert!(filter.insert_batch(&keys) > 0);
        assert!(keys.iter().all(|key| filter.contains(*key)));
        let texts = ["", "rose", "tulips and daisies"];
        filter.extend(texts);
        assert!(texts.iter().all(|text| filter.contains(*text)));
        assert!(!filter.insert(&texts[1].to_owned()));
        filter.insert(&(1u8, "rose", -7i32));
    }
    hashed(Folded::with_seed(1));
    hashed(Xxh3::with_seed(2));
    hashed(Xxh3Wide::with_seed(3));
    hashed(SipKeyed::with_key([4; 16]));
}

/// Sizes in bits above which memory is prefetched, keys are queried in stages, and chunks overlap.
const FAR: [u64; 3] = [(1 << 21) + 64, (1 << 23) + 64, (1 << 26) + 64];

/// Fills the filter and queries it in every way. Under the interpreter, operations that visit all
/// words are skipped, because they take minutes.
fn far<F>(mut filter: F)
where
    F: TryInsert<Error: Debug> + Clone + PartialEq + Debug,
{
    if !cfg!(miri) {
        filled(&filter);
    }
    assert!(filter.try_insert_batch(&members()).is_ok());
    answers(&filter);
}

#[test]
fn far_standard() {
    for size_bits in FAR {
        far(StandardBloom::from_parts(size_bits, 7, Folded::default()).unwrap());
    }
}

/// Under the interpreter only the first size and a few keys are tested: at every reference to words
/// that other threads may change, it visits all of them.
#[test]
fn far_atomic() {
    let (sizes, keys) = match members() {
        members if cfg!(miri) => (&FAR[..1], members[..3].to_vec()),
        members => (&FAR[..], members),
    };
    for size_bits in sizes {
        let filter = AtomicBloom::from_parts(*size_bits, 2, Folded::default()).unwrap();
        assert_eq!(filter.insert_batch(&keys), keys.len());
        let mut found = vec![false; keys.len()];
        filter.contains_batch(&keys, &mut found);
        assert!(found.iter().all(|found| *found));
        if !cfg!(miri) {
            answers(&filter);
        }
    }
}

#[test]
fn far_blocked() {
    for size_bits in FAR {
        let line = Line::new(6).unwrap();
        far(BlockedBloom::from_parts(size_bits / 512 + 1, line, Folded::default()).unwrap());
    }
}

#[test]
fn far_partitioned() {
    far(PartitionedBloom::from_parts(7 * ((1 << 19) + 64), 7, Folded::default()).unwrap());
}

#[test]
fn far_counting() {
    let (counters, width) = ((1 << 20) + 64, CounterBits::Four);
    far(CountingBloom::from_parts(counters, 7, width, Folded::default()).unwrap());
}

#[test]
fn far_cuckoo() {
    let width = FingerprintBits::Twelve;
    far(CuckooFilter::from_parts(1 << 17, width, Folded::default()).unwrap());
}

#[test]
fn blocked() {
    let new = BlockedBloom::new(100, 0.01).unwrap();
    let filter = filled(&new);
    inspected(&new, &filter);
    combined(&new, &filter);
    halved(&filled(&BlockedBloom::new(1_000, 0.01).unwrap()));
    stored(&filter, opened!(BlockedView<'_>));
}

#[test]
fn blocked_in_words_of_32_bits() {
    let new = BlockedBloom::<Words32>::with_layout(spec(), Folded::default()).unwrap();
    let filter = filled(&new);
    combined(&new, &filter);
    stored(&filter, opened!(BlockedView<'_, Words32>));
    // The blocks leave half of a cache line unused.
    let odd = BlockedBloom::from_parts(7, Words32, Folded::default()).unwrap();
    stored(&filled(&odd), opened!(BlockedView<'_, Words32>));
}

#[test]
fn blocked_in_lines() {
    let new = BlockedBloom::<Line>::with_layout(spec(), Folded::default()).unwrap();
    let filter = filled(&new);
    combined(&new, &filter);
    stored(&filter, opened!(BlockedView<'_, Line>));
}

#[test]
fn counting() {
    for bits in [CounterBits::Four, CounterBits::Eight] {
        let new = CountingBloom::with_counter_bits(spec(), bits, Folded::default()).unwrap();
        let mut filter = filled(&new);
        inspected(&new, &filter);
        combined(&new, &filter);
        stored(&filter, opened!(CountingView<'_>));
        assert!(filter.estimated_count(&1u64) >= 1 && filter.to_bits().unwrap().count_ones() > 0);
        // One counter is saturated.
        (0..300).for_each(|_| _ = filter.insert("rose"));
        assert!(filter.saturated() > 0 && filter.remove("rose") && filter.contains("rose"));
        assert!(members().iter().all(|key| filter.remove(key)));
        filter.clear();
        assert_eq!(filter, new);
    }
}

#[test]
fn partitioned() {
    let new = PartitionedBloom::new(100, 0.01).unwrap();
    let filter = filled(&new);
    inspected(&new, &filter);
    combined(&new, &filter);
    stored(&filter, opened!(PartitionedView<'_>));
}

#[test]
fn scalable() {
    // At first there is room for only a few keys.
    let spec = Spec::new(7, 0.01).unwrap();
    let policy = Policy::new(spec).growth(2).unwrap();
    let new = ScalableBloom::<StandardBloom>::with_policy(policy, Folded::default()).unwrap();
    let mut filter = filled(&new);
    assert!(filter.stages().count() > 2);
    inspected(&new, &filter);
    stored(&filter, opened!(ScalableView<'_>));
    filter.clear();
    assert_eq!(filter, new);
    let blocked = ScalableBloom::<BlockedBloom>::with_hasher(spec, Folded::default()).unwrap();
    stored(
        &filled(&blocked),
        opened!(ScalableView<'_, BlockedView<'_>>),
    );
}

#[test]
fn cuckoo() {
    for width in FingerprintBits::ALL {
        // There are so few buckets of four slots that fingerprints are moved.
        let new = CuckooFilter::from_parts(2 * KEYS / 7, width, Folded::default()).unwrap();
        let mut filter = filled(&new);
        inspected(&new, &filter);
        stored(&filter, opened!(CuckooView<'_>));
        let mut wide = CuckooFilter::from_parts(64, width, Folded::default()).unwrap();
        wide.union_with(&filled(&wide)).unwrap();
        answers(&wide);
        while filter.insert(&filter.keys().wrapping_add(1_000)).is_ok() {}
        assert!(filter.is_full());
        answers(&filter);
        assert!(
            members()
                .iter()
                .all(|key| bouquet::Remove::remove(&mut filter, key))
        );
        filter.clear();
        assert_eq!(filter, new);
    }
}

#[test]
fn sharded() {
    let make = |shards| {
        ShardedBloom::<StandardBloom>::with_shards(spec(), shards, Folded::default()).unwrap()
    };
    // With the first number of shards batches are sorted, with the second they are not.
    for new in [make(3), make(64)] {
        let filter = filled(&new);
        inspected(&new, &filter);
        combined(&new, &filter);
        stored(&filter, opened!(ShardedView<'_>));
    }
    let blocked = ShardedBloom::<BlockedBloom>::with_shards(spec(), 3, Folded::default()).unwrap();
    stored(&filled(&blocked), opened!(ShardedView<'_, BlockedView<'_>>));
}

#[test]
fn atomic() {
    let new = AtomicBloom::new(100, 0.01).unwrap();
    let filter = filled(&new);
    inspected(&new, &filter);
    combined(&new, &filter);
    halved(&filter);
    stored(&filter, opened!(StandardView<'_>));
}
