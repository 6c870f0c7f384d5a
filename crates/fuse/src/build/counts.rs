//! How many keys there are, and how many of them in each range of words.

use alloc::vec::Vec;

use crate::{
    BuildError,
    geometry::part_bits_for,
    peel::{reserve, zeros},
};

/// The keys of a part are brought into the order of so many ranges of their words, those of all
/// parts together, so that each range meets slots that fit into the caches.
const BITS: u32 = 10;

/// The number of words in each of 2^[`BITS`] ranges; some words may be repeated.
pub(crate) struct Counts {
    pub(crate) ranges: Vec<usize>,
}

impl Counts {
    pub(crate) fn of(words: impl Iterator<Item = u64>) -> Self {
        let mut ranges = alloc::vec![0; 1 << BITS];
        words.for_each(|word| ranges[Self::range(word)] += 1);
        Self { ranges }
    }

    #[inline]
    pub(crate) fn range(word: u64) -> usize {
        (word >> (64 - BITS)) as usize
    }

    pub(crate) fn keys(&self) -> u64 {
        self.ranges.iter().sum::<usize>() as u64
    }

    /// The number of words of each part of the filter.
    pub(crate) fn of_parts(&self) -> Vec<usize> {
        let parts = self.ranges.chunks(1 << (BITS - part_bits_for(self.keys())));
        parts.map(|ranges| ranges.iter().sum()).collect()
    }

    /// These words, which are those that were counted, in the order of their ranges.
    pub(crate) fn sorted(&self, words: &[u64]) -> Result<Vec<u64>, BuildError> {
        let mut next = Vec::with_capacity(self.ranges.len());
        let mut end = 0;
        for count in &self.ranges {
            next.push(end);
            end += count;
        }
        let mut sorted = zeros(words.len())?;
        for word in words {
            let next = &mut next[Self::range(*word)];
            sorted[*next] = *word;
            *next += 1;
        }
        Ok(sorted)
    }
}

/// The words in a vector. The length that the iterator claims is a hint.
pub(crate) fn collected(words: impl Iterator<Item = u64>) -> Result<Vec<u64>, BuildError> {
    let mut all = Vec::new();
    let hint = words.size_hint().0.clamp(64, 1 << 18);
    for word in words {
        if all.len() == all.capacity() {
            let more = hint.max(all.len() / 4);
            reserve(&mut all, more)?;
        }
        all.push(word);
    }
    Ok(all)
}
