//! Filters of other systems take integers at the width of their type, by every
//! method: one that took another would silently make false negatives.
use bouquet_core::{Filter, FilterExt, Insert, Key, KeyIterator};
use bouquet_interop::{GoBloom, GoZeroBloom, GuavaBloom, ParquetBloom, RedisBloom};

/// A filter with one key, inserted by its own method, by a trait's, and as bytes.
fn check<F, K>(make: impl Fn() -> F, insert: fn(&mut F, &K), contains: fn(&F, &K) -> bool, key: K)
where
    F: Insert,
    K: Key,
{
    let (mut own, mut generic, mut many, mut bytes) = (make(), make(), make(), make());
    insert(&mut own, &key);
    generic.insert_key(&key);
    many.extend_keys([&key]);
    key.with_own_width(|key| bytes.insert(key));
    for filter in [&own, &generic, &many, &bytes] {
        assert!(contains(filter, &key) && filter.contains_key(&key));
        assert!(key.with_own_width(|key| Filter::contains(filter, key)));
        let unsized_filter: &dyn Filter = filter;
        assert!(unsized_filter.contains_key(&key));
    }
}

/// All kinds of keys, in a filter made by `$make`.
macro_rules! kinds {
    ($make:expr; $($key:expr),+) => {
        $(check($make, |filter, key| _ = filter.insert(key), |filter, key| filter.contains(key), $key);)+
    };
    ($make:expr) => {
        kinds!(
            $make; 42u8, 42u16, 42u32, 42u64, 42usize, 42u128, -42i8, -42i16, -42i32, -42i64,
            -42isize, true, 'é', "tulip", [1u32, 2], (7u8, "tulip")
        );
    };
}

#[test]
fn every_method_takes_a_key_at_the_same_width() {
    kinds!(|| GoBloom::new(10_000, 5).unwrap());
    kinds!(|| GoZeroBloom::new(10_000).unwrap());
    kinds!(|| GuavaBloom::new(bouquet_interop::guava::Strategy::Mitz64, 150, 5).unwrap());
    kinds!(|| ParquetBloom::new(40).unwrap());
    #[cfg(feature = "redisson")]
    kinds!(|| bouquet_interop::RedissonBloom::new(10_000, 5).unwrap());
}

/// It may reject keys, so that it has no `insert_key`.
#[test]
fn redisbloom_too() {
    let mut filter = RedisBloom::reserve(0.001, 100, None).unwrap();
    filter.insert(&42u32).unwrap();
    assert!(filter.contains(&42u32) && filter.contains_key(&42u32));
    assert!(Filter::contains(&filter, &42u32.to_le_bytes()));
    assert!(!filter.contains(&42u64) && !filter.contains_key(&42u64));
}

#[test]
fn iterators_too() {
    let mut filter = ParquetBloom::new(40).unwrap();
    assert_eq!(filter.insert_iter([42u32, 7]).count(), 2);
    assert_eq!([9u16].into_iter().filter_new(&mut filter).count(), 1);
    assert!(filter.contains(&42u32) && filter.contains(&7u32) && filter.contains(&9u16));
    assert!(filter.contains_iter([42u32, 7]).all(|found| found));
    assert!(filter.contains_iter([9u16]).all(|found| found));
}
