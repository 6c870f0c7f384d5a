//! Looks up keys in a filter, both key by key and in batches.

use crate::registry::Subject;

/// A callback that receives one key per call.
pub type Give<'a> = dyn FnMut(&[u8]) + 'a;

/// The answers of a filter to a list of keys, looked up key by key and again in batches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answers {
    pub singly: Vec<bool>,
    /// `None` if the filter has no batch lookups.
    pub batches: Option<Vec<bool>>,
}

impl Answers {
    /// Looks up all keys that `feed` passes to its callback, and collects the answers.
    pub fn of(filter: &dyn Subject, feed: impl FnOnce(&mut Give<'_>)) -> Self {
        let mut all = Self::default();
        ask(filter, feed, |singly, batches| {
            all.singly.extend(singly);
            if let Some(batches) = batches {
                all.batches.get_or_insert_default().extend(batches);
            }
        });
        all
    }

    /// The number of keys whose single lookup and batch lookup gave different answers.
    pub fn otherwise(&self) -> u64 {
        let own = self.batches.as_ref();
        own.map_or(0, |own| differing(own, &self.singly))
    }
}

/// Looks up the keys that `feed` passes to its callback. For each batch of keys, calls `take` with
/// the answers of single lookups, and with those of the batch lookup if the filter has one.
pub fn ask(
    filter: &dyn Subject,
    feed: impl FnOnce(&mut Give<'_>),
    mut take: impl FnMut(&[bool], Option<&[bool]>),
) {
    let has_batches = filter.contains_batch(&[], &mut []);
    in_batches(feed, |keys| {
        let singly: Vec<bool> = keys.iter().map(|key| filter.contains(key)).collect();
        let batches = has_batches.then(|| {
            // Starts with the opposite of each single answer, so that an answer that the batch
            // lookup does not write is counted as different.
            let mut found: Vec<bool> = singly.iter().map(|answer| !answer).collect();
            filter.contains_batch(keys, &mut found);
            found
        });
        take(&singly, batches.as_deref());
    });
}

pub fn count(answers: &[bool]) -> u64 {
    answers.iter().map(|answer| u64::from(*answer)).sum()
}

pub fn differing(some: &[bool], others: &[bool]) -> u64 {
    some.iter().zip(others).filter(|(a, b)| a != b).count() as u64
}

/// The sizes of the first batches: 1, 2, and 32, 64, 128 and 256 with their neighbours. From these
/// sizes on, filters handle a batch differently: they hash keys in chunks of 32, hash a chunk while
/// an earlier one waits for memory, and sort keys by shard, in two buffers of different sizes.
const SIZES: [usize; 14] = [1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257];

/// The number of keys in each later batch. It is no multiple of 32, the number of keys that filters
/// hash at a time, nor of 4,096, the number of keys that a sharded filter sorts at a time.
const LARGE: usize = 10_000;

/// Passes the keys from `feed` to `take` in order, in batches. The sizes of the first batches are
/// [`SIZES`]; each later batch has [`LARGE`] keys, except the last, which has what remains.
fn in_batches(feed: impl FnOnce(&mut Give<'_>), mut take: impl FnMut(&[&[u8]])) {
    // The concatenated keys of a batch, and the position at which each key ends.
    let (mut bytes, mut ends) = (Vec::new(), Vec::new());
    let mut give = |bytes: &mut Vec<u8>, ends: &mut Vec<usize>| {
        let starts = [0].into_iter().chain(ends.iter().copied());
        let keys = starts.zip(&*ends).map(|(from, to)| &bytes[from..*to]);
        take(&keys.collect::<Vec<_>>());
        bytes.clear();
        ends.clear();
    };
    let mut sizes = SIZES.into_iter().chain(std::iter::repeat(LARGE));
    let mut wanted = sizes.next();
    feed(&mut |key| {
        bytes.extend_from_slice(key);
        ends.push(bytes.len());
        if Some(ends.len()) == wanted {
            give(&mut bytes, &mut ends);
            wanted = sizes.next();
        }
    });
    if !ends.is_empty() {
        give(&mut bytes, &mut ends);
    }
}

#[cfg(test)]
mod tests {
    use bouquet_core::batch::CHUNK;

    use super::*;
    use crate::registry::{Request, known_faults};

    fn sizes(keys: usize) -> Vec<usize> {
        let (mut sizes, mut next) = (Vec::new(), 0_u32);
        let feed = |give: &mut Give<'_>| {
            (0..keys as u32).for_each(|key| give(&key.to_le_bytes()[..key as usize % 5 % 4 + 1]));
        };
        in_batches(feed, |keys| {
            sizes.push(keys.len());
            for key in keys {
                let length = next as usize % 5 % 4 + 1;
                assert_eq!(*key, &next.to_le_bytes()[..length]);
                next += 1;
            }
        });
        assert_eq!(sizes.iter().sum::<usize>(), keys);
        sizes
    }

    #[test]
    fn every_key_comes_once_and_in_order() {
        assert_eq!(sizes(0), [0; 0]);
        assert_eq!(sizes(1), [1]);
        assert_eq!(sizes(4), [1, 2, 1]);
        let small: usize = SIZES.iter().sum();
        assert_eq!(sizes(small)[..], SIZES);
        let all = sizes(small + LARGE + 7);
        assert_eq!(all[SIZES.len()..], [LARGE, 7]);
    }

    #[test]
    fn batches_have_answers_of_their_own() {
        let faults = known_faults();
        let mut entries = faults.iter();
        let accepts = entries.find(|of| of.name == "fault-batch-accepts").unwrap();
        let filter = (accepts.build)(&Request::of_target(100, 0.01, 1)).unwrap();
        let answers = Answers::of(&*filter, |give| {
            (0..4_000_u32).for_each(|key| give(&key.to_le_bytes()));
        });
        assert_eq!(count(&answers.singly), 0);
        assert!((400..600).contains(&answers.otherwise()));
    }

    /// Fails if `CHUNK` changes and `SIZES` is not adapted to it.
    #[test]
    fn the_sizes_lie_about_the_borders_of_chunks() {
        for chunks in [1, 2, 4, 8] {
            for size in [chunks * CHUNK - 1, chunks * CHUNK, chunks * CHUNK + 1] {
                assert!(SIZES.contains(&size), "{size}");
            }
        }
    }
}
