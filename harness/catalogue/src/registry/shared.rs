//! Filters that several threads share; the keys are integers.

use std::sync::{LockResult, Mutex, PoisonError};

use anyhow::{Context, Result};
use bouquet_core::Spec;
use bouquet_hash::Folded;
use bouquet_record::{SubjectRow, Way};
use bouquet_standard::StandardBloom;

use super::ours::RELEASE;
use crate::{
    CHUNK, CatalogueFilter, FIRST, FilterInfo, Integers, MakeShared, Shared, Sharing, Stream,
    Style, each_chunk, for_each_filter, look_up_in_batches,
};

const BOTH: &[Way] = &[Way::Single, Way::Batch];
const SINGLY: &[Way] = &[Way::Single];

fn sharing(
    [name, about, release]: [&str; 3],
    style: Style,
    ways: &'static [Way],
    is_one: bool,
    make: MakeShared,
) -> Sharing {
    let is_ours = release == RELEASE;
    let subject = SubjectRow {
        subject: name.into(),
        kind: "filter".into(),
        about: about.into(),
        role: if is_ours { "ours" } else { "peer" }.into(),
        promises_no_false_negatives: is_ours,
        concurrent: true,
        release: release.into(),
        colour: style.colour.into(),
        marker: style.marker.into(),
        stroke: style.stroke.into(),
        ..SubjectRow::default()
    };
    Sharing {
        subject,
        ways,
        is_one,
        make,
    }
}

/// Our filters that threads can share, and the filters with which they are compared.
pub fn sharings() -> Vec<Sharing> {
    fn own<V: FilterInfo>() -> Option<Sharing> {
        let facts = V::FACTS;
        let make: MakeShared = Box::new(|capacity, fpr, _| {
            // A filter with shards sorts each batch by shard, which is efficient only with many
            // keys per shard.
            let batch = if V::FACTS.parts > 1 { 32 } else { 1 } * CHUNK;
            let filter = V::make(Spec::new(capacity, fpr)?, Folded::default())?;
            Ok(Box::new(Concurrent { filter, batch }))
        });
        let about = facts.about_plain.unwrap_or(facts.about);
        let is_shared = facts.concurrent && !facts.is_composed;
        is_shared.then(|| sharing([facts.name, about, RELEASE], facts.style, BOTH, true, make))
    }
    let mut all: Vec<Sharing> = for_each_filter!(own).into_iter().flatten().collect();
    // The two filters below are built on the standard filter, so they have its colour.
    let crossed = Style {
        marker: "cross",
        ..FIRST.style
    };
    let about = "A standard filter behind one mutex, locked for every key";
    let mutex: MakeShared = Box::new(|capacity, fpr, _| {
        let filter: StandardBloom = StandardBloom::new(capacity as usize, fpr)?;
        Ok(Box::new(Mutex::new(filter)))
    });
    let words = ["mutex", about, RELEASE];
    all.push(sharing(words, crossed, SINGLY, false, mutex));
    let about = "A standard filter for each thread, united when all are done; on one thread the \
                 plain filter";
    let private: MakeShared = Box::new(|capacity, fpr, threads| {
        let part = |_| Ok(Mutex::new(StandardBloom::new(capacity as usize, fpr)?));
        let parts = (0..threads).map(part).collect::<Result<_>>()?;
        Ok(Box::new(Private { parts, whole: None }))
    });
    let words = ["private", about, RELEASE];
    all.push(sharing(words, FIRST.style, BOTH, false, private));
    #[cfg(feature = "peers")]
    all.extend(super::peers::sharings().map(|(name, about, make)| {
        let words = [name, about, super::peers::FASTBLOOM];
        sharing(words, crate::PEER, SINGLY, true, make)
    }));
    all
}

/// Passes the keys of a stream to `take` one by one and counts for how many it returns true.
#[inline(always)]
pub fn singly(stream: &Stream, mut take: impl FnMut(&u64) -> bool) -> u64 {
    let mut take = |key: &u64| u64::from(take(key));
    each_chunk::<Integers>(stream, |keys| keys.iter().map(&mut take).sum())
}

/// One of our filters, filled by several threads concurrently; `batch` is the keys per batch.
struct Concurrent<F> {
    filter: F,
    batch: usize,
}

impl<F: CatalogueFilter> Shared for Concurrent<F> {
    fn insert(&self, _: usize, way: Way, stream: &Stream) -> u64 {
        let filter = &self.filter;
        match way {
            Way::Single => singly(stream, |key| filter.insert_one_shared(key)),
            Way::Batch => gathered(stream, self.batch, |keys| filter.insert_many_shared(keys)),
        }
    }

    fn look_up(&self, way: Way, stream: &Stream) -> u64 {
        let mut found = vec![false; self.batch];
        match way {
            Way::Single => singly(stream, |key| self.filter.contains_one(key)),
            Way::Batch => gathered(stream, self.batch, |keys| {
                let found = &mut found[..keys.len()];
                self.filter.contains_many(keys, found);
                found.iter().map(|found| u64::from(*found)).sum()
            }),
        }
    }
}

/// Passes the keys of a stream to `take` in batches of `batch` keys and sums the results.
fn gathered(stream: &Stream, batch: usize, mut take: impl FnMut(&[u64]) -> u64) -> u64 {
    if batch == CHUNK {
        return each_chunk::<Integers>(stream, take);
    }
    let mut keys = Vec::with_capacity(batch);
    let sum = each_chunk::<Integers>(stream, |chunk| {
        keys.extend_from_slice(chunk);
        if keys.len() + CHUNK <= batch {
            return 0;
        }
        let sum = take(&keys);
        keys.clear();
        sum
    });
    sum + take(&keys)
}

/// Unwraps the result of locking, even if a thread panicked while it held the lock.
pub fn locked<T>(lock: LockResult<T>) -> T {
    lock.unwrap_or_else(PoisonError::into_inner)
}

impl Shared for Mutex<StandardBloom> {
    fn insert(&self, _: usize, _: Way, stream: &Stream) -> u64 {
        singly(stream, |key| locked(self.lock()).insert(key))
    }

    fn look_up(&self, _: Way, stream: &Stream) -> u64 {
        singly(stream, |key| locked(self.lock()).contains(key))
    }
}

/// One filter per thread, and their union once all keys are inserted. Each thread locks its filter
/// once per run, not once per key.
struct Private {
    parts: Vec<Mutex<StandardBloom>>,
    whole: Option<StandardBloom>,
}

impl Shared for Private {
    fn insert(&self, thread: usize, way: Way, stream: &Stream) -> u64 {
        let filter = &mut *locked(self.parts[thread].lock());
        match way {
            Way::Single => singly(stream, |key| filter.insert(key)),
            Way::Batch => each_chunk::<Integers>(stream, |chunk| filter.insert_batch(chunk) as u64),
        }
    }

    fn gather(&mut self) -> Result<()> {
        let mut parts = self.parts.drain(..).map(|part| locked(part.into_inner()));
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
