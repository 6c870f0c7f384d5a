//! Keys kept in memory, and loops over them compiled for each filter: for keys
//! that cannot be made in the loop, those of a file of the user's.

use std::ops::Range;

use anyhow::Result;
use bouquet_catalogue::Methods;
use bouquet_core::{Inspect, Key};
use bouquet_format::Encode;

use super::bench_loop::{Insertable, Own};

/// Different keys in memory.
#[derive(Clone, Debug)]
pub enum StoredKeys {
    Integers(Vec<u64>),
    /// All bytes, and where each key ends.
    Bytes(Vec<u8>, Vec<usize>),
}

impl StoredKeys {
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(keys) => keys.len(),
            Self::Bytes(_, ends) => ends.len(),
        }
    }

    /// Adds a key of bytes; integers take those of eight.
    pub fn push(&mut self, key: &[u8]) {
        match self {
            Self::Integers(keys) => {
                keys.extend(key.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)));
            }
            Self::Bytes(bytes, ends) => {
                bytes.extend_from_slice(key);
                ends.push(bytes.len());
            }
        }
    }
}

/// Calls `take` with each key of these places and sums what it gives.
macro_rules! each {
    ($kept:expr, $range:expr, |$key:ident| $take:expr) => {
        match $kept {
            StoredKeys::Integers(keys) => keys[$range].iter().map(|$key| u64::from($take)).sum(),
            StoredKeys::Bytes(bytes, ends) => {
                let range: Range<usize> = $range;
                let mut start = range.start.checked_sub(1).map_or(0, |before| ends[before]);
                let mut sum = 0;
                for &end in &ends[range] {
                    let $key = &bytes[start..end];
                    sum += u64::from($take);
                    start = end;
                }
                sum
            }
        }
    };
}

/// A set that takes keys kept in memory.
pub trait SetLoops {
    /// How many of the keys at these places were accepted.
    fn insert(&mut self, keys: &StoredKeys, range: Range<usize>) -> u64;
    /// All keys were given.
    fn finish(&mut self) -> Result<()>;
    /// How many of the keys at these places may be present.
    fn look_up(&self, keys: &StoredKeys, range: Range<usize>) -> u64;
    /// Of a filter of ours: bytes of its bits, allocated in all, and in a file.
    fn bytes(&self) -> Option<FilterBytes>;
}

/// What a filter takes.
#[derive(Clone, Copy, Debug)]
pub struct FilterBytes {
    pub payload: u64,
    /// The value itself included.
    pub allocated: u64,
    /// Header, check sums and all.
    pub stored: u64,
}

struct Loops<F> {
    set: F,
    bytes: fn(&F) -> Option<FilterBytes>,
}

impl<F: Insertable<u64> + Insertable<[u8]>> SetLoops for Loops<F> {
    fn insert(&mut self, keys: &StoredKeys, range: Range<usize>) -> u64 {
        each!(keys, range, |key| self.set.insert(key))
    }

    fn finish(&mut self) -> Result<()> {
        <F as Insertable<u64>>::finish(&mut self.set)
    }

    fn look_up(&self, keys: &StoredKeys, range: Range<usize>) -> u64 {
        each!(keys, range, |key| self.set.contains(key))
    }

    fn bytes(&self) -> Option<FilterBytes> {
        (self.bytes)(&self.set)
    }
}

/// A set with its loops.
pub fn set_loops<F: Insertable<u64> + Insertable<[u8]> + 'static>(set: F) -> Box<dyn SetLoops> {
    set_loops_with(set, |_| None)
}

/// A set with its loops that gives its size.
pub fn set_loops_with<F: Insertable<u64> + Insertable<[u8]> + 'static>(
    set: F,
    bytes: fn(&F) -> Option<FilterBytes>,
) -> Box<dyn SetLoops> {
    Box::new(Loops { set, bytes })
}

/// A filter of ours with its loops, which gives its size.
pub fn filter_loops<F>(filter: F) -> Box<dyn SetLoops>
where
    F: Methods + Inspect + Encode + 'static,
{
    set_loops_with(Own(filter), |Own(filter)| {
        Some(FilterBytes {
            payload: filter.size_bits().div_ceil(8),
            allocated: filter.memory_bytes() as u64,
            stored: filter.encode().len() as u64,
        })
    })
}

/// Walks over keys and does next to nothing with them: whoever times it must
/// make use of the sum.
pub fn dry_walk(keys: &StoredKeys, range: Range<usize>) -> u64 {
    each!(keys, range, |key| key.with_bytes(|bytes| bytes
        .first()
        .is_some_and(|byte| *byte > 127)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct All(Vec<Vec<u8>>);

    impl<K: Key + ?Sized> Insertable<K> for All {
        fn insert(&mut self, key: &K) -> bool {
            self.0.push(key.with_bytes(<[u8]>::to_vec));
            true
        }

        fn contains(&self, key: &K) -> bool {
            key.with_bytes(|bytes| self.0.iter().any(|set_loops| set_loops == bytes))
        }
    }

    #[test]
    fn every_key_of_the_range_is_taken_and_found() {
        let mut bytes = StoredKeys::Bytes(Vec::new(), Vec::new());
        let mut integers = StoredKeys::Integers(Vec::new());
        for key in ["a", "", "rose", "tulip"] {
            bytes.push(key.as_bytes());
        }
        for key in 1..5u64 {
            integers.push(&key.to_le_bytes());
        }
        for kept in [bytes, integers] {
            assert_eq!(kept.len(), 4);
            let mut set = set_loops(All::default());
            assert_eq!(set.insert(&kept, 1..3), 2);
            assert_eq!((set.look_up(&kept, 0..4), set.look_up(&kept, 1..3)), (2, 2));
            assert_eq!(set.look_up(&kept, 3..4), 0);
            assert!(set.bytes().is_none());
        }
    }
}
