//! Builds the parts of a filter, each for itself.

use alloc::vec::Vec;
use core::{marker::PhantomData, ops::Range};

use bouquet_bits::ByteArray;
use bouquet_core::{KeyHasher, Spec};

use super::counts::Counts;
use crate::{
    BuildError, Fingerprint, FuseFilter, Geometry,
    inspect::expected_fpr,
    peel::{Scratch, Stuck},
    table::{attempts_at, bytes_of},
};

/// So many attempts are made for each part. One fails less often than once in a hundred times.
pub(crate) const ATTEMPTS: u8 = 100;

/// The parts of a filter that is being built.
pub(crate) struct Parts<F> {
    geometry: Geometry,
    array: ByteArray,
    spec: Spec,
    /// The keys of each part.
    keys: Vec<usize>,
    fingerprint: PhantomData<F>,
}

pub(crate) enum Failed {
    /// Some keys are repeated.
    Repeats,
    Error(BuildError),
}

impl<F: Fingerprint> Parts<F> {
    pub(crate) fn new(counts: &Counts) -> Result<Self, BuildError> {
        let keys = counts.of_parts();
        let largest = keys.iter().copied().max().unwrap_or(0);
        let geometry = Geometry::new::<F>(counts.keys, largest as u64)?;
        let bytes = bytes_of(geometry);
        let array = ByteArray::new(usize::try_from(bytes).unwrap_or(usize::MAX));
        Ok(Self {
            geometry,
            array: array.map_err(|error| BuildError::OutOfMemory { bytes: error.bytes })?,
            spec: spec::<F>(counts.keys.max(1)),
            keys,
            fingerprint: PhantomData,
        })
    }

    /// Builds these parts of their words, which are in the order of the parts; returns how many
    /// different keys they have.
    pub(crate) fn build(
        &mut self,
        parts: Range<usize>,
        words: &mut [u64],
        threads: usize,
        allow_repeats: bool,
    ) -> Result<u64, Failed> {
        let geometry = self.geometry;
        let (slots, attempts) = self.array.bytes_mut().split_at_mut(attempts_at(geometry));
        let part_bytes = slots.len() / self.keys.len().max(1);
        let slots = slots.chunks_mut(part_bytes.max(1));
        let mut words = words;
        let jobs = slots.zip(attempts).zip(&self.keys).enumerate();
        let jobs = jobs.take(parts.end).skip(parts.start);
        let jobs = jobs.map(move |(part, ((bytes, attempt), keys))| {
            let own;
            (own, words) = core::mem::take(&mut words).split_at_mut(*keys);
            Job {
                part,
                words: own,
                bytes,
                attempt,
            }
        });
        run(jobs, threads.min(parts.len()), || {
            let mut scratch = Scratch::new(&geometry).map_err(Failed::Error)?;
            Ok(move |job: Job<'_>| job.build::<F>(geometry, &mut scratch, allow_repeats))
        })
    }

    pub(crate) fn filter<H: KeyHasher>(self, keys: u64, hasher: H) -> FuseFilter<F, H> {
        FuseFilter::of(self.geometry, self.array, keys, self.spec, hasher)
    }
}

/// What a filter of so many keys reaches.
#[expect(
    clippy::expect_used,
    reason = "the capacity is at least 1 and the FPR is a share"
)]
fn spec<F: Fingerprint>(capacity: u64) -> Spec {
    Spec::reached(capacity, expected_fpr::<F>(capacity)).expect("both are in range")
}

/// A part to build.
struct Job<'a> {
    part: usize,
    words: &'a mut [u64],
    bytes: &'a mut [u8],
    attempt: &'a mut u8,
}

impl Job<'_> {
    fn build<F: Fingerprint>(
        self,
        geometry: Geometry,
        scratch: &mut Scratch,
        allow_repeats: bool,
    ) -> Result<u64, Failed> {
        let mut keys = self.words.len();
        for attempt in 0..ATTEMPTS {
            match scratch.build::<F>(
                geometry,
                self.part,
                &self.words[..keys],
                attempt,
                self.bytes,
            ) {
                Ok(()) => {
                    *self.attempt = attempt;
                    return Ok(keys as u64);
                }
                Err(Stuck) if attempt == 0 => {
                    keys = distinct(self.words);
                    if keys < self.words.len() && !allow_repeats {
                        return Err(Failed::Repeats);
                    }
                }
                Err(Stuck) => {}
            }
        }
        let attempts = ATTEMPTS.into();
        Err(Failed::Error(BuildError::Attempts { attempts }))
    }
}

/// Brings each different word to the front, in order, and returns their number.
pub(crate) fn distinct(words: &mut [u64]) -> usize {
    words.sort_unstable();
    let mut count = 0;
    for i in 0..words.len() {
        if count == 0 || words[i] != words[count - 1] {
            words[count] = words[i];
            count += 1;
        }
    }
    count
}

/// Does all jobs, by what `worker` makes for each thread, and adds up the results.
#[cfg(feature = "std")]
fn run<J: Send, W: FnMut(J) -> Result<u64, Failed>>(
    jobs: impl Iterator<Item = J> + Send,
    threads: usize,
    worker: impl Fn() -> Result<W, Failed> + Sync,
) -> Result<u64, Failed> {
    use std::{sync::Mutex, thread};

    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().ok().and_then(|mut jobs| jobs.next());
    let work = || {
        let mut work = worker()?;
        let mut sum = 0;
        while let Some(job) = next() {
            sum += work(job)?;
        }
        Ok(sum)
    };
    if threads < 2 {
        return work();
    }
    thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut sum = work()?;
        for other in others {
            sum += other
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        Ok(sum)
    })
}

#[cfg(not(feature = "std"))]
fn run<J, W: FnMut(J) -> Result<u64, Failed>>(
    mut jobs: impl Iterator<Item = J>,
    _: usize,
    worker: impl Fn() -> Result<W, Failed>,
) -> Result<u64, Failed> {
    let mut work = worker()?;
    jobs.try_fold(0, |sum, job| Ok(sum + work(job)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that have no solution, because there are more of them than slots.
    #[test]
    fn attempts_end() {
        let geometry = Geometry::stored::<u8>(1, 3, 4).unwrap();
        let mut words: Vec<u64> = (1..20_u64)
            .map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .collect();
        let job = Job {
            part: 0,
            words: &mut words,
            bytes: &mut [0; 12],
            attempt: &mut 0,
        };
        let mut scratch = Scratch::new(&geometry).unwrap();
        let failed = job.build::<u8>(geometry, &mut scratch, true);
        let error = BuildError::Attempts { attempts: 100 };
        assert!(matches!(failed, Err(Failed::Error(found)) if found == error));
    }
}
