//! How many keys there are, and how many of them in each range of words.

use alloc::vec::Vec;
use core::ops::Range;

use crate::{BuildError, geometry::part_bits_for, peel::zeros};

/// The keys of a part are brought into the order of so many ranges of their words, those of all
/// parts together, so that each range meets slots that fit into the caches.
const BITS: u32 = 10;

/// The number of words in each of 2^[`BITS`] ranges.
#[derive(PartialEq)]
pub(crate) struct Counts {
    ranges: Vec<usize>,
    /// All words, of which some may be repeated.
    pub(crate) keys: u64,
}

impl Counts {
    pub(crate) fn new() -> Self {
        let ranges = alloc::vec![0; 1 << BITS];
        Self { ranges, keys: 0 }
    }

    #[inline]
    pub(crate) fn range(word: u64) -> usize {
        (word >> (64 - BITS)) as usize
    }

    #[inline]
    pub(crate) fn count(&mut self, word: u64) {
        self.ranges[Self::range(word)] += 1;
        self.keys += 1;
    }

    /// The binary logarithm of the number of ranges in a part of the filter.
    fn bits_in_part(&self) -> u32 {
        BITS - part_bits_for(self.keys)
    }

    /// All parts of the filter.
    pub(crate) fn all(&self) -> Range<usize> {
        match self.keys {
            0 => 0..0,
            keys => 0..1 << part_bits_for(keys),
        }
    }

    /// The number of words of each part.
    pub(crate) fn of_parts(&self) -> Vec<usize> {
        let parts = self.ranges.chunks(1 << self.bits_in_part());
        parts.map(|ranges| ranges.iter().sum()).collect()
    }

    /// Groups of parts with at most this number of words, or one part each.
    pub(crate) fn groups(&self, most: usize) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut words = 0;
        for (part, own) in self.all().zip(self.of_parts()) {
            match groups.last_mut() {
                Some(group) if words + own <= most => {
                    group.end = part + 1;
                    words += own;
                }
                _ => {
                    groups.push(part..part + 1);
                    words = own;
                }
            }
        }
        groups
    }

    /// The ranges of these parts.
    pub(crate) fn ranges_of(&self, parts: &Range<usize>) -> Range<usize> {
        let bits = self.bits_in_part();
        parts.start << bits..parts.end << bits
    }

    /// The words of these ranges alone.
    pub(crate) fn only(&self, ranges: Range<usize>) -> Self {
        let mut only = Self::new();
        let own = &self.ranges[ranges.clone()];
        only.keys = own.iter().sum::<usize>() as u64;
        only.ranges[ranges].copy_from_slice(own);
        only
    }

    /// These words, which are those that were counted, in the order of their ranges.
    pub(crate) fn sorted(&self, words: &[u64]) -> Result<Vec<u64>, BuildError> {
        let mut next = Vec::with_capacity(self.ranges.len());
        let mut end = 0;
        for count in &self.ranges {
            next.push(end);
            end += count;
        }
        let mut sorted = zeros(words.len() as u64)?;
        for word in words {
            let next = &mut next[Self::range(*word)];
            sorted[*next] = *word;
            *next += 1;
        }
        Ok(sorted)
    }
}

/// The words in a vector, and their counts. The length that the iterator claims is a hint.
pub(crate) fn collected(
    words: impl Iterator<Item = u64>,
) -> Result<(Vec<u64>, Counts), BuildError> {
    const MOST_AT_FIRST: usize = 1 << 20;
    let mut all: Vec<u64> = Vec::new();
    let mut counts = Counts::new();
    let reserve = |all: &mut Vec<u64>, more: usize| {
        let bytes = 8 * (all.len() as u64 + more as u64);
        let reserved = all.try_reserve_exact(more);
        reserved.map_err(|_| BuildError::OutOfMemory { bytes })
    };
    reserve(&mut all, words.size_hint().0.min(MOST_AT_FIRST))?;
    for word in words {
        if all.len() == all.capacity() {
            let more = (all.len() / 4).max(64);
            reserve(&mut all, more)?;
        }
        counts.count(word);
        all.push(word);
    }
    Ok((all, counts))
}
