//! One filter for many threads, with integers for keys.

use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use bouquet_catalogue::{Variant as _, atomic::Atomic, sharded::Sharded};
use bouquet_ground::record::{SubjectRow, Way};
use bouquet_sharded::{AtomicBloom, ShardedBloom};
use bouquet_standard::StandardBloom;

use crate::registry::ours::RELEASE;
use crate::speed::{
    CHUNK, Integers, MakeShared, Shared, Sharing, Stream, each_chunk, look_up_in_batches,
};

const BOTH: &[Way] = &[Way::Single, Way::Batch];
const SINGLY: &[Way] = &[Way::Single];

fn ours(
    name: &'static str,
    about: &'static str,
    ways: &'static [Way],
    make: MakeShared,
) -> Sharing {
    Sharing {
        subject: SubjectRow {
            subject: name.into(),
            kind: "filter".into(),
            about: about.into(),
            role: "ours".into(),
            promises_no_false_negatives: true,
            concurrent: true,
            release: RELEASE.into(),
            ..SubjectRow::default()
        },
        ways,
        is_one: true,
        make,
    }
}

/// What others are compared with.
fn beside(sharing: Sharing) -> Sharing {
    Sharing {
        is_one: false,
        ..sharing
    }
}

#[cfg(feature = "peers")]
fn peer(name: &'static str, about: &'static str, make: MakeShared) -> Sharing {
    let mut sharing = ours(name, about, SINGLY, make);
    sharing.subject.role = "peer".into();
    sharing.subject.promises_no_false_negatives = false;
    sharing.subject.release = "fastbloom 0.17.0".into();
    sharing
}

pub fn sharings() -> Vec<Sharing> {
    let about_mutex = "A standard filter behind one mutex, locked for every key";
    let about_private = "A standard filter for each thread, united when all are done; on one \
                         thread the plain filter";
    let about_atomic = "AtomicBloom: one array of atomic words";
    let about_sharded = Sharded::FACTS.about_plain.unwrap_or(Sharded::FACTS.about);
    vec![
        ours(
            Atomic::FACTS.name,
            about_atomic,
            BOTH,
            |capacity, fpr, _| Ok(Box::new(AtomicBloom::new(capacity, fpr)?)),
        ),
        ours(
            Sharded::FACTS.name,
            about_sharded,
            BOTH,
            |capacity, fpr, _| Ok(Box::new(<ShardedBloom>::new(capacity, fpr)?)),
        ),
        beside(ours("mutex", about_mutex, SINGLY, |capacity, fpr, _| {
            Ok(Box::new(Mutex::new(StandardBloom::new(capacity, fpr)?)))
        })),
        beside(ours(
            "private",
            about_private,
            BOTH,
            |capacity, fpr, threads| Ok(Box::new(Private::new(capacity, fpr, threads)?)),
        )),
        #[cfg(feature = "peers")]
        peer(
            "fastbloom-atomic",
            "The crate fastbloom: AtomicBloomFilter with its own hash",
            |capacity, fpr, _| {
                let filter = fastbloom::AtomicBloomFilter::with_false_pos(fpr).seed(&1);
                Ok(Box::new(filter.expected_items(capacity as usize)))
            },
        ),
        #[cfg(feature = "peers")]
        peer(
            "fastbloom-atomic-foldhash",
            "The crate fastbloom: AtomicBloomFilter with foldhash",
            |capacity, fpr, _| {
                let filter = fastbloom::AtomicBloomFilter::with_false_pos(fpr)
                    .hasher(foldhash::fast::FixedState::default());
                Ok(Box::new(filter.expected_items(capacity as usize)))
            },
        ),
    ]
}

/// Gives a filter the keys of a stream one by one.
#[inline(always)]
fn singly(stream: &Stream, take: impl Fn(&u64) -> bool) -> u64 {
    each_chunk::<Integers>(stream, |chunk| {
        chunk.iter().map(|key| u64::from(take(key))).sum()
    })
}

impl Shared for AtomicBloom {
    fn insert(&self, _: usize, way: Way, stream: &Stream) -> u64 {
        match way {
            Way::Single => singly(stream, |key| self.insert(key)),
            Way::Batch => each_chunk::<Integers>(stream, |chunk| self.insert_batch(chunk) as u64),
        }
    }

    fn look_up(&self, way: Way, stream: &Stream) -> u64 {
        match way {
            Way::Single => singly(stream, |key| self.contains(key)),
            Way::Batch => look_up_in_batches::<Integers>(stream, |keys, found| {
                self.contains_batch(keys, found)
            }),
        }
    }
}

/// Its batches are sorted by shard, which wants many keys for each: the chunks are
/// gathered.
impl Shared for ShardedBloom {
    fn insert(&self, _: usize, way: Way, stream: &Stream) -> u64 {
        match way {
            Way::Single => singly(stream, |key| self.insert(key)),
            Way::Batch => {
                let mut new = 0;
                gathered(stream, |keys| new += self.insert_batch(keys) as u64);
                new
            }
        }
    }

    fn look_up(&self, way: Way, stream: &Stream) -> u64 {
        match way {
            Way::Single => singly(stream, |key| self.contains(key)),
            Way::Batch => {
                let (mut found, mut total) = ([false; GATHERED], 0);
                gathered(stream, |keys| {
                    let found = &mut found[..keys.len()];
                    self.contains_batch(keys, found);
                    total += found.iter().filter(|found| **found).count() as u64;
                });
                total
            }
        }
    }
}

/// Keys of 32 chunks.
const GATHERED: usize = 32 * CHUNK;

/// Gives the keys of a stream, so many at a time.
fn gathered(stream: &Stream, mut take: impl FnMut(&[u64])) {
    let mut keys = Vec::with_capacity(GATHERED);
    each_chunk::<Integers>(stream, |chunk| {
        keys.extend_from_slice(chunk);
        if keys.len() + CHUNK > GATHERED {
            take(&keys);
            keys.clear();
        }
        0
    });
    take(&keys);
}

impl Shared for Mutex<StandardBloom> {
    fn insert(&self, _: usize, _: Way, stream: &Stream) -> u64 {
        let locked = || self.lock().unwrap_or_else(PoisonError::into_inner);
        singly(stream, |key| locked().insert(key))
    }

    fn look_up(&self, _: Way, stream: &Stream) -> u64 {
        let locked = || self.lock().unwrap_or_else(PoisonError::into_inner);
        singly(stream, |key| locked().contains(key))
    }
}

/// The locks are taken once a run, not for a key.
struct Private {
    parts: Vec<Mutex<StandardBloom>>,
    whole: Option<StandardBloom>,
}

impl Private {
    fn new(capacity: u64, fpr: f64, threads: usize) -> Result<Self> {
        let part = |_| Ok(Mutex::new(StandardBloom::new(capacity, fpr)?));
        Ok(Self {
            parts: (0..threads).map(part).collect::<Result<_>>()?,
            whole: None,
        })
    }
}

impl Shared for Private {
    fn insert(&self, thread: usize, way: Way, stream: &Stream) -> u64 {
        let mut filter = self.parts[thread]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let filter = &mut *filter;
        match way {
            Way::Single => each_chunk::<Integers>(stream, |chunk| {
                chunk.iter().map(|key| u64::from(filter.insert(key))).sum()
            }),
            Way::Batch => each_chunk::<Integers>(stream, |chunk| filter.insert_batch(chunk) as u64),
        }
    }

    fn gather(&mut self) -> Result<()> {
        let parts = self.parts.drain(..);
        let mut parts = parts.map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner));
        let mut whole = parts.next().context("no thread")?;
        parts.try_for_each(|part| whole.union_with(&part))?;
        self.whole = Some(whole);
        Ok(())
    }

    fn look_up(&self, way: Way, stream: &Stream) -> u64 {
        let Some(filter) = &self.whole else {
            return 0;
        };
        match way {
            Way::Single => singly(stream, |key| filter.contains(key)),
            Way::Batch => look_up_in_batches::<Integers>(stream, |keys, found| {
                filter.contains_batch(keys, found)
            }),
        }
    }
}

#[cfg(feature = "peers")]
impl<S: std::hash::BuildHasher + Send + Sync> Shared for fastbloom::AtomicBloomFilter<S> {
    fn insert(&self, _: usize, _: Way, stream: &Stream) -> u64 {
        singly(stream, |key| self.insert(key))
    }

    fn look_up(&self, _: Way, stream: &Stream) -> u64 {
        singly(stream, |key| self.contains(key))
    }
}
