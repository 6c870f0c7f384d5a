//! Builds the parts of a filter, each for itself.

use alloc::vec::Vec;
use core::ops::Range;

use bouquet_bits::ByteArray;
use bouquet_core::{KeyHasher, Spec};

use super::{counts::Counts, threads::in_threads};
use crate::{
    BuildError, Fingerprint, FuseFilter, Geometry,
    inspect::expected_fpr,
    peel::{Scratch, out_of_memory},
    table::{attempts_at, bytes_of},
};

/// So many attempts are made for each part. One fails less often than once in a hundred times.
pub(crate) const ATTEMPTS: u8 = 100;

/// The parts of a filter that is being built.
pub(crate) struct Parts {
    geometry: Geometry,
    array: ByteArray,
    /// The keys of each part, and of the one with most.
    pub(crate) keys: Vec<usize>,
    pub(crate) largest: usize,
}

impl Parts {
    pub(crate) fn new<F: Fingerprint>(counts: &Counts) -> Result<Self, BuildError> {
        let keys = counts.of_parts();
        let largest = keys.iter().copied().max().unwrap_or(0);
        let geometry = Geometry::new::<F>(counts.keys(), largest as u64)?;
        let bytes = bytes_of(geometry);
        let array = ByteArray::new(usize::try_from(bytes).unwrap_or(usize::MAX));
        Ok(Self {
            geometry,
            array: array.map_err(out_of_memory)?,
            keys,
            largest,
        })
    }

    /// Builds these parts of their words, which are in the order of the parts; returns how many
    /// different keys they have. A part with repeated keys is built only if they are allowed.
    pub(crate) fn build<F: Fingerprint>(
        &mut self,
        parts: Range<usize>,
        mut words: &mut [u64],
        allow_repeats: bool,
        threads: usize,
    ) -> Result<u64, BuildError> {
        let geometry = self.geometry;
        let (slots, attempts) = self.array.bytes_mut().split_at_mut(attempts_at(geometry));
        let part_bytes = slots.len() / self.keys.len();
        let slots = slots.chunks_mut(part_bytes.max(1));
        let jobs = slots.zip(attempts).zip(&self.keys).enumerate();
        let jobs = jobs.take(parts.end).skip(parts.start);
        let jobs = jobs.map(move |(part, ((bytes, attempt), keys))| Job {
            part: part as u64,
            words: words.split_off_mut(..*keys).unwrap_or_default(),
            bytes,
            attempt,
        });
        let work = |jobs: &mut dyn Iterator<Item = _>| built::<F>(geometry, allow_repeats, jobs);
        let keys = in_threads(threads.min(parts.len()), jobs, work);
        keys.into_iter().sum()
    }

    /// The filter, once all parts are built.
    #[expect(
        clippy::expect_used,
        reason = "the capacity is at least 1 and the FPR is a share"
    )]
    pub(crate) fn filter<F: Fingerprint, H: KeyHasher>(
        self,
        keys: u64,
        hasher: H,
    ) -> FuseFilter<F, H> {
        let capacity = self.keys.iter().sum::<usize>().max(1) as u64;
        let spec = Spec::reached(capacity, expected_fpr::<F>(capacity)).expect("both are in range");
        FuseFilter::of(self.geometry, self.array, keys, spec, hasher)
    }
}

/// A part to build.
struct Job<'a> {
    part: u64,
    words: &'a mut [u64],
    bytes: &'a mut [u8],
    attempt: &'a mut u8,
}

/// Builds all parts; returns how many different keys they have.
fn built<'a, F: Fingerprint>(
    geometry: Geometry,
    allow_repeats: bool,
    jobs: impl Iterator<Item = Job<'a>>,
) -> Result<u64, BuildError> {
    let mut scratch = Scratch::new(geometry)?;
    jobs.map(|job| job.build::<F>(allow_repeats, &mut scratch))
        .sum()
}

impl Job<'_> {
    fn build<F: Fingerprint>(
        self,
        allow_repeats: bool,
        scratch: &mut Scratch,
    ) -> Result<u64, BuildError> {
        let mut keys = self.words.len();
        for attempt in 0..ATTEMPTS {
            let words = &self.words[..keys];
            if scratch.build::<F>(self.part, words, attempt, self.bytes) {
                *self.attempt = attempt;
                return Ok(keys as u64);
            }
            if attempt == 0 {
                keys = distinct(self.words);
                if keys < self.words.len() && !allow_repeats {
                    return Ok(keys as u64);
                }
            }
        }
        let attempts = ATTEMPTS.into();
        Err(BuildError::Attempts { attempts })
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
        let mut scratch = Scratch::new(geometry).unwrap();
        let error = BuildError::Attempts { attempts: 100 };
        assert_eq!(job.build::<u8>(true, &mut scratch), Err(error));
    }
}
