//! Decodes filters from files and runs operations on them. Whatever the file contains, no inserted
//! key may become a false negative, and no memory may be allocated beyond the limits.

use std::{collections::BTreeMap, fmt::Debug};

use bouquet_blocked::{BlockedBloom, Line, Words32, Words64};
use bouquet_core::{Inspect, Remove, SeededHasher, TryInsert, Union};
use bouquet_counting::CountingBloom;
use bouquet_cuckoo::CuckooFilter;
use bouquet_format::{Decode, Encode, Limits};
use bouquet_partitioned::PartitionedBloom;
use bouquet_scalable::ScalableBloom;
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::StandardBloom;

use crate::input::Input;

/// The largest number of operations on one filter.
const MOST: usize = 64;
/// The number of different keys.
const KEYS: u8 = 32;
/// The largest number of probes of a filter whose expected FPR is computed.
const MOST_RATED: u32 = 32;
/// The size in bytes to which the stages of a filter may grow.
const MAX_BYTES: u64 = 1 << 16;

/// The operations of a filter besides lookup, insertion and cloning.
struct Able<F> {
    clear: fn(&mut F),
    remove: Option<fn(&mut F, &[u8]) -> bool>,
    /// Returns whether the union succeeded.
    union: fn(&mut F, &F) -> bool,
    /// Sets a limit before any other operation.
    limit: fn(&mut F),
}

impl<F> Able<F> {
    /// The operations of a filter that implements `Union`.
    fn by(clear: fn(&mut F)) -> Self
    where
        F: Union,
    {
        Self {
            clear,
            remove: None,
            union: |filter, other| filter.union_with(other).is_ok(),
            limit: |_| (),
        }
    }

    fn removing(self) -> Self
    where
        F: Remove,
    {
        Self {
            remove: Some(|filter, key| filter.remove(key)),
            ..self
        }
    }
}

/// A filter from a file, with the number of insertions of each key since.
struct Run<'a, F> {
    able: &'a Able<F>,
    filter: F,
    members: BTreeMap<u8, u32>,
    /// Whether its expected FPR has been computed.
    is_rated: bool,
}

/// Decodes the file and runs the operations that the bytes after it encode.
fn operate<F>(input: &Input<'_>, able: &Able<F>)
where
    F: Decode<Hasher: SeededHasher>
        + Encode
        + Inspect
        + TryInsert<Error: Debug>
        + Clone
        + PartialEq
        + Debug,
{
    let Ok(mut filter) = F::decode_with_limits(&input.file, &Limits::new()) else {
        return;
    };
    (able.limit)(&mut filter);
    let mut run = Run {
        able,
        filter,
        members: BTreeMap::new(),
        is_rated: false,
    };
    for byte in input.rest.iter().take(MOST) {
        run.one(byte % 8, byte / 8 % KEYS);
        for member in run.members.keys() {
            assert!(
                run.filter.contains(&key(*member)),
                "{member} is a false negative"
            );
        }
    }
}

/// The bytes of a key: 8 bytes or 1 byte.
fn key(number: u8) -> Vec<u8> {
    match number % 2 {
        0 => u64::from(number).to_le_bytes().to_vec(),
        _ => vec![number],
    }
}

impl<F> Run<'_, F>
where
    F: Decode<Hasher: SeededHasher>
        + Encode
        + Inspect
        + TryInsert<Error: Debug>
        + Clone
        + PartialEq
        + Debug,
{
    fn one(&mut self, operation: u8, number: u8) {
        match operation {
            0 | 1 => self.insert(number),
            2 => self.remove(number),
            3 => self.insert_batch(number),
            4 => self.again(),
            5 => self.unite(),
            6 if number == 0 => self.clear(),
            _ => self.look(number),
        }
    }

    fn insert(&mut self, number: u8) {
        let key = key(number);
        let before = self.filter.contains(&key);
        let unchanged = self.filter.clone();
        match self.filter.try_insert(&key) {
            Ok(was_new) => {
                assert_eq!(
                    was_new, !before,
                    "an insert answers otherwise than contains"
                );
                *self.members.entry(number).or_default() += 1;
            }
            Err(error) => {
                assert!(
                    self.filter == unchanged,
                    "changed by a rejected key: {error:?}"
                );
                assert!(!format!("{error:?}").is_empty());
            }
        }
    }

    /// Inserts three keys in a batch, and compares the result with single insertions.
    fn insert_batch(&mut self, number: u8) {
        let numbers = [number, (number + 7) % KEYS, (number + 1) % KEYS];
        let keys: Vec<Vec<u8>> = numbers.into_iter().map(key).collect();
        let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        let mut singly = self.filter.clone();
        let taken = match self.filter.try_insert_batch(&keys) {
            Ok(_) => keys.len(),
            Err(stopped) => stopped.index,
        };
        for (number, key) in numbers.into_iter().zip(keys).take(taken) {
            assert!(singly.try_insert(key).is_ok(), "taken in a batch only");
            *self.members.entry(number).or_default() += 1;
        }
        assert!(self.filter == singly, "a batch is not its keys one by one");
    }

    /// Removes a key, but only if it was inserted before: another key may share slots with a
    /// member.
    fn remove(&mut self, number: u8) {
        let (Some(remove), Some(copies)) = (self.able.remove, self.members.get_mut(&number)) else {
            return;
        };
        assert!(
            remove(&mut self.filter, &key(number)),
            "a member is not removed"
        );
        *copies -= 1;
        if *copies == 0 {
            self.members.remove(&number);
        }
    }

    /// Encodes the filter and decodes it again.
    fn again(&mut self) {
        let bytes = self.filter.encode();
        match F::decode(&bytes) {
            Ok(again) => assert!(again == self.filter, "another filter after encoding"),
            Err(error) => panic!("what was encoded is rejected: {error}"),
        }
    }

    fn unite(&mut self) {
        let other = self.filter.clone();
        if (self.able.union)(&mut self.filter, &other) {
            self.members.values_mut().for_each(|copies| *copies *= 2);
            // The counts are limited, so that repeated unions do not overflow them.
            self.members
                .values_mut()
                .for_each(|copies| *copies = (*copies).min(1 << 20));
        } else {
            assert!(self.filter == other, "changed by a union that failed");
        }
    }

    fn clear(&mut self) {
        (self.able.clear)(&mut self.filter);
        self.members.clear();
        assert_eq!(self.filter.fill_ratio(), 0.0, "cleared, and not empty");
    }

    fn look(&mut self, number: u8) {
        let filter = &self.filter;
        let is_share = |share: f64| assert!((0.0..=1.0).contains(&share), "{share} is no share");
        is_share(filter.fill_ratio());
        is_share(filter.estimated_fpr());
        // Computed only once and for few probes, or inputs with many would take 90 % of the time.
        if !self.is_rated && filter.hashes() <= MOST_RATED {
            self.is_rated = true;
            let keys = [0, 1, filter.capacity(), u64::MAX][usize::from(number % 4)];
            is_share(filter.expected_fpr(keys));
        }
        assert!(filter.estimated_keys() >= 0.0);
        assert!(filter.size_bits() > 0 && filter.hashes() > 0);
        assert!(filter.memory_bytes() as u64 >= filter.size_bits() / 8);
        assert!(!format!("{filter:?}").is_empty());
    }
}

/// Standard filters.
pub fn standard(data: &[u8]) {
    operate::<StandardBloom>(&Input::of(data), &Able::by(StandardBloom::clear));
}

/// Atomic filters.
pub fn atomic(data: &[u8]) {
    operate::<AtomicBloom>(&Input::of(data), &Able::by(AtomicBloom::clear));
}

/// Counting filters.
pub fn counting(data: &[u8]) {
    operate::<CountingBloom>(&Input::of(data), &Able::by(CountingBloom::clear).removing());
}

/// Partitioned filters.
pub fn partitioned(data: &[u8]) {
    operate::<PartitionedBloom>(&Input::of(data), &Able::by(PartitionedBloom::clear));
}

/// Blocked filters in each layout.
pub fn blocked(data: &[u8]) {
    let input = Input::of(data);
    operate::<BlockedBloom<Words64>>(&input, &Able::by(BlockedBloom::clear));
    operate::<BlockedBloom<Words32>>(&input, &Able::by(BlockedBloom::clear));
    operate::<BlockedBloom<Line>>(&input, &Able::by(BlockedBloom::clear));
}

/// Scalable filters.
pub fn scalable(data: &[u8]) {
    let able = Able {
        clear: ScalableBloom::clear,
        remove: None,
        union: |filter, other| filter.union_with(other).is_ok(),
        limit: |filter| filter.set_max_bytes(Some(MAX_BYTES)),
    };
    operate::<ScalableBloom>(&Input::of(data), &able);
}

/// Sharded filters.
pub fn sharded(data: &[u8]) {
    let input = Input::of(data);
    operate::<ShardedBloom>(&input, &Able::by(ShardedBloom::clear));
    operate::<ShardedBloom<CountingBloom>>(&input, &Able::by(ShardedBloom::clear).removing());
}

/// Cuckoo filters.
pub fn cuckoo(data: &[u8]) {
    let able = Able {
        clear: CuckooFilter::clear,
        remove: Some(|filter, key| filter.remove(key)),
        union: |filter, other| filter.union_with(other).is_ok(),
        limit: |_| (),
    };
    operate::<CuckooFilter>(&Input::of(data), &able);
}
