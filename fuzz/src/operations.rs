//! Filters from files, with what a program does next: whatever is in the file, nothing that is
//! inserted becomes a false negative, and no memory is taken past the limits.

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

/// The most operations on one filter.
const MOST: usize = 64;
/// Different keys.
const KEYS: u8 = 32;
/// The most probes of a filter whose expected FPR is computed.
const MOST_RATED: u32 = 32;
/// The most bytes that the stages of a filter may grow to.
const MAX_BYTES: u64 = 1 << 16;

/// What a filter can do besides being queried, inserted into and cloned.
struct Able<F> {
    clear: fn(&mut F),
    remove: Option<fn(&mut F, &[u8]) -> bool>,
    /// Whether it could.
    union: fn(&mut F, &F) -> bool,
    /// Before anything is done with it.
    limit: fn(&mut F),
}

impl<F> Able<F> {
    /// Of a filter with the trait.
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

/// A filter from a file, and how often each key was inserted since.
struct Run<'a, F> {
    able: &'a Able<F>,
    filter: F,
    members: BTreeMap<u8, u32>,
    /// Whether its expected FPR was computed.
    is_rated: bool,
}

/// Decodes the file and does what the bytes after it say.
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

/// The bytes of a key: 8 or 1.
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

    /// Three keys at once, as one by one.
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

    /// Only what was inserted since: any other key may share the slots of one that was.
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

    /// Through bytes and back.
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
            // However often, so that no count overflows.
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
        // Inputs that ask for more of it, of many probes, would take nine tenths of the time.
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

/// One array of bits.
pub fn standard(data: &[u8]) {
    operate::<StandardBloom>(&Input::of(data), &Able::by(StandardBloom::clear));
}

/// The same bits as atomics.
pub fn atomic(data: &[u8]) {
    operate::<AtomicBloom>(&Input::of(data), &Able::by(AtomicBloom::clear));
}

/// Counters.
pub fn counting(data: &[u8]) {
    operate::<CountingBloom>(&Input::of(data), &Able::by(CountingBloom::clear).removing());
}

/// A range of bits for each probe.
pub fn partitioned(data: &[u8]) {
    operate::<PartitionedBloom>(&Input::of(data), &Able::by(PartitionedBloom::clear));
}

/// Blocks, in each layout.
pub fn blocked(data: &[u8]) {
    let input = Input::of(data);
    operate::<BlockedBloom<Words64>>(&input, &Able::by(BlockedBloom::clear));
    operate::<BlockedBloom<Words32>>(&input, &Able::by(BlockedBloom::clear));
    operate::<BlockedBloom<Line>>(&input, &Able::by(BlockedBloom::clear));
}

/// Stages.
pub fn scalable(data: &[u8]) {
    let able = Able {
        clear: ScalableBloom::clear,
        remove: None,
        union: |filter, other| filter.union_with(other).is_ok(),
        limit: |filter| filter.set_max_bytes(Some(MAX_BYTES)),
    };
    operate::<ScalableBloom>(&Input::of(data), &able);
}

/// Shards.
pub fn sharded(data: &[u8]) {
    let input = Input::of(data);
    operate::<ShardedBloom>(&input, &Able::by(ShardedBloom::clear));
    operate::<ShardedBloom<CountingBloom>>(&input, &Able::by(ShardedBloom::clear).removing());
}

/// Fingerprints.
pub fn cuckoo(data: &[u8]) {
    let able = Able {
        clear: CuckooFilter::clear,
        remove: Some(|filter, key| filter.remove(key)),
        union: |filter, other| filter.union_with(other).is_ok(),
        limit: |_| (),
    };
    operate::<CuckooFilter>(&Input::of(data), &able);
}
