//! Compares the growing set of bits with a `BTreeSet` of integers.

use std::collections::BTreeSet;

use bouquet_bits::{BitArray, BitSet, GrowError, OutOfMemory};
use proptest::{collection::vec, prelude::*};

/// The limit of the sets in these tests: not a multiple of the word size.
const LIMIT: u64 = 200_001;

#[derive(Clone, Debug)]
enum Op {
    Set(u64),
    SetAll(Vec<u64>),
    Clear(u64),
    ClearAll,
    Union(Vec<u64>),
    Intersect(Vec<u64>),
    Difference(Vec<u64>),
    SymmetricDifference(Vec<u64>),
    ThroughAnArray(u64),
}

/// Bits that are mostly small and near the ends of words; some are near the limit, some
/// anywhere.
fn bit() -> impl Strategy<Value = u64> {
    prop_oneof![
        8 => 0..200u64,
        4 => 0..LIMIT,
        2 => LIMIT - 70..LIMIT + 70,
        1 => any::<u64>(),
    ]
}

fn op() -> impl Strategy<Value = Op> {
    let bits = || vec(bit(), 0..12);
    prop_oneof![
        8 => bit().prop_map(Op::Set),
        4 => bits().prop_map(Op::SetAll),
        4 => bit().prop_map(Op::Clear),
        1 => Just(Op::ClearAll),
        2 => bits().prop_map(Op::Union),
        1 => bits().prop_map(Op::Intersect),
        2 => bits().prop_map(Op::Difference),
        2 => bits().prop_map(Op::SymmetricDifference),
        1 => (0..LIMIT).prop_map(Op::ThroughAnArray),
    ]
}

const fn past(bit: u64) -> GrowError {
    GrowError::PastLimit { bit, limit: LIMIT }
}

/// Returns the bits below the limit as a set with a higher limit, and as the model.
fn other(bits: &[u64]) -> (BitSet, BTreeSet<u64>) {
    let mut set = BitSet::new();
    let within = bits.iter().copied().filter(|bit| *bit < LIMIT);
    set.set_all(within.clone()).unwrap();
    (set, within.collect())
}

/// Applies the operation to the set and to the model, and compares the results.
fn apply(set: &mut BitSet, model: &mut BTreeSet<u64>, op: Op) -> Result<(), TestCaseError> {
    match op {
        Op::Set(i) if i < LIMIT => prop_assert_eq!(set.set(i), Ok(model.insert(i))),
        Op::Set(i) => prop_assert_eq!(set.set(i), Err(past(i))),
        Op::SetAll(bits) => {
            let wrong = bits.iter().copied().find(|bit| *bit >= LIMIT);
            model.extend(bits.iter().copied().take_while(|bit| *bit < LIMIT));
            let done = set.set_all(bits).map(|_| ());
            prop_assert_eq!(done, wrong.map_or(Ok(()), |bit| Err(past(bit))));
        }
        Op::Clear(i) => prop_assert_eq!(set.clear(i), model.remove(&i)),
        Op::ClearAll => {
            set.clear_all();
            model.clear();
        }
        Op::Union(bits) => {
            let (other, theirs) = other(&bits);
            prop_assert_eq!(set.union_with(&other), Ok(()));
            *model = &*model | &theirs;
        }
        Op::Intersect(bits) => {
            let (other, theirs) = other(&bits);
            set.intersect_with(&other);
            *model = &*model & &theirs;
        }
        Op::Difference(bits) => {
            let (other, theirs) = other(&bits);
            set.difference_with(&other);
            *model = &*model - &theirs;
        }
        Op::SymmetricDifference(bits) => {
            let (other, theirs) = other(&bits);
            prop_assert_eq!(set.symmetric_difference_with(&other), Ok(()));
            *model = &*model ^ &theirs;
        }
        Op::ThroughAnArray(len) => {
            let array = set.clone().into_bits(len).unwrap();
            prop_assert_eq!(array.len(), len);
            model.retain(|bit| *bit < len);
            prop_assert!(array.iter_ones().eq(model.iter().copied()));
            let all = BitSet::from_bits(array);
            set.intersect_with(&all);
            prop_assert_eq!(&all, &*set);
        }
    }
    Ok(())
}

fn check(set: &BitSet, model: &BTreeSet<u64>, probe: u64) -> Result<(), TestCaseError> {
    prop_assert!(set.iter_ones().eq(model.iter().copied()));
    prop_assert_eq!(set.count_ones(), model.len() as u64);
    prop_assert_eq!(set.is_empty(), model.is_empty());
    prop_assert_eq!(set.first_set(), model.first().copied());
    prop_assert_eq!(set.last_set(), model.last().copied());
    prop_assert_eq!(set.test(probe), model.contains(&probe));
    prop_assert_eq!(set.next_set(probe), model.range(probe..).next().copied());
    // Up to 7 words (56 bytes) may be added to align the array to a cache line; see the README.
    prop_assert!(set.memory_bytes() as u64 <= LIMIT.div_ceil(64) * 8 + 56);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_is_the_set_of_its_integers(ops in vec((op(), bit()), 1..60)) {
        let mut set = BitSet::with_limit(LIMIT);
        let mut model = BTreeSet::new();
        for (op, probe) in ops {
            apply(&mut set, &mut model, op)?;
            check(&set, &model, probe)?;
        }
        prop_assert_eq!(&set.try_clone().unwrap(), &set);
        prop_assert_eq!(set.limit(), LIMIT);
    }

    /// Equality does not depend on the spare room, and so not on the order of the operations.
    #[test]
    fn equality_is_of_the_bits(mut bits in vec(0..5_000u64, 0..20), more in 0..5_000u64) {
        let mut one_by_one = BitSet::with_limit(5_000);
        one_by_one.set_all(bits.iter().copied()).unwrap();
        bits.sort_unstable();
        bits.reverse();
        let mut from_the_last = BitSet::new();
        from_the_last.set(more).unwrap();
        from_the_last.clear(more);
        from_the_last.set_all(bits.iter().copied()).unwrap();
        prop_assert_eq!(&one_by_one, &from_the_last);
        prop_assert_eq!(&from_the_last, &one_by_one);
        if !one_by_one.clear(more) {
            one_by_one.set(more).unwrap();
        }
        prop_assert_ne!(&one_by_one, &from_the_last);
        prop_assert_ne!(&from_the_last, &one_by_one);
    }
}

#[cfg(feature = "roaring")]
mod as_roaring {
    use bouquet_bits::RoaringBitmap;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn both_ways_it_is_the_same_set(
            bits in vec(0..300_000u32, 0..300),
            runs in vec((0..300_000u32, 0..5_000u32), 0..4),
        ) {
            let runs = runs.into_iter().flat_map(|(from, len)| from..from + len);
            let model: BTreeSet<u32> = bits.into_iter().chain(runs).collect();
            let bitmap: RoaringBitmap = model.iter().copied().collect();
            let mut set = BitSet::new();
            set.set_all(model.iter().copied().map(u64::from)).unwrap();
            prop_assert_eq!(&BitSet::from_roaring(&bitmap).unwrap(), &set);
            prop_assert_eq!(set.to_roaring().unwrap(), bitmap);
        }
    }

    #[test]
    fn every_u32_fits_and_nothing_else() {
        let last = RoaringBitmap::from([0, u32::MAX]);
        let set = BitSet::from_roaring(&last).unwrap();
        assert_eq!(set.last_set(), Some(u32::MAX.into()));
        assert_eq!(set.to_roaring(), Ok(last));
        let limit = 1 << 32;
        let mut larger = BitSet::with_limit(2 * limit);
        larger.set(limit).unwrap();
        let error = GrowError::PastLimit { bit: limit, limit };
        assert_eq!(larger.to_roaring(), Err(error));
        assert_eq!(BitSet::new().to_roaring(), Ok(RoaringBitmap::new()));
    }
}

#[test]
fn no_index_makes_it_take_more_than_its_limit() {
    for bit in [1 << 32, (1 << 32) + 1, 1 << 48, 1 << 63, u64::MAX] {
        let mut set = BitSet::new();
        let limit = BitSet::DEFAULT_LIMIT;
        assert_eq!(set.set(bit), Err(GrowError::PastLimit { bit, limit }));
        assert_eq!(set.memory_bytes(), 0);
        assert!(!set.test(bit) && !set.clear(bit));
        assert_eq!(set.next_set(bit), None);
    }
    // The largest possible limit is the maximum length of an array, even if a larger one is
    // requested.
    let mut set = BitSet::with_limit(u64::MAX);
    assert_eq!(set.limit(), BitArray::MAX_LEN);
    assert!(set.set(u64::MAX).is_err() && set.set(BitArray::MAX_LEN).is_err());
    // Below the limit the system decides: success and an error are both correct, an abort is
    // not.
    match set.set(BitArray::MAX_LEN - 1) {
        Ok(was_clear) => assert!(was_clear && set.test(BitArray::MAX_LEN - 1)),
        Err(error) => {
            let bytes = BitArray::MAX_LEN / 8;
            assert_eq!(error, GrowError::OutOfMemory(OutOfMemory { bytes }));
            assert!(set.is_empty());
        }
    }
}

#[test]
fn a_set_with_no_room_has_no_bits() {
    let mut none = BitSet::with_limit(0);
    assert_eq!(none.set(0), Err(GrowError::PastLimit { bit: 0, limit: 0 }));
    let mut one = BitSet::with_limit(1);
    assert_eq!(one.set(0), Ok(true));
    assert!(one.set(1).is_err());
    // If a bit of the other set does not fit, the union adds no bits at all.
    let mut both = BitSet::with_limit(100);
    both.set_all([1, 99]).unwrap();
    let before = one.clone();
    let error = Err(GrowError::PastLimit { bit: 99, limit: 1 });
    assert_eq!(one.union_with(&both), error);
    assert_eq!(one.symmetric_difference_with(&both), error);
    assert_eq!(one, before);
    assert_eq!(format!("{both:?}"), "BitSet { limit: 100, count_ones: 2 }");
}

#[test]
fn ascending_integers_are_copied_a_few_times_each_at_most() {
    let mut set = BitSet::new();
    let mut sizes = BTreeSet::new();
    for i in 0..1_000_000 {
        assert_eq!(set.set(i), Ok(true));
        sizes.insert(set.memory_bytes());
    }
    assert!(sizes.len() < 20, "{sizes:?}");
    assert!(set.memory_bytes() < 2 * 1_000_000 / 8 + 64);
}
