//! How many keys there are, and how many of them in each range of words.

use alloc::vec::Vec;

use bouquet_bits::BitArray;

use super::threads::in_threads;
use crate::{
    BuildError,
    geometry::part_bits_for,
    peel::{out_of_memory, reserve},
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

    /// Of so few words that they are one part, which needs no order.
    pub(crate) fn of_one_part(words: usize) -> Self {
        let ranges = alloc::vec![words];
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
}

/// These words in the order of their ranges, and their counts.
pub(crate) fn sorted(words: &[u64], threads: usize) -> Result<(BitArray, Counts), BuildError> {
    // Each thread has a share of the words, and in the room of each range a part for them.
    let threads = threads.clamp(1, 1 << part_bits_for(words.len() as u64));
    let shares = words.chunks(words.len().div_ceil(threads).max(1));
    let mut counts: Vec<Counts> = shares.clone().map(|_| Counts::of([].into_iter())).collect();
    in_threads(threads, shares.clone().zip(&mut counts), |jobs| {
        jobs.for_each(|(share, counts)| *counts = Counts::of(share.iter().copied()));
    });
    // It is used once: to get huge pages for it takes longer than they save.
    let mut sorted = BitArray::sparse(64 * words.len() as u64).map_err(out_of_memory)?;
    let mut left = sorted.whole_words_mut();
    let mut rooms: Vec<Vec<_>> = shares.clone().map(|_| Vec::new()).collect();
    let mut ranges = alloc::vec![0; 1 << BITS];
    for (range, all) in ranges.iter_mut().enumerate() {
        for (counts, rooms) in counts.iter().zip(&mut rooms) {
            let count = counts.ranges[range];
            rooms.push(left.split_off_mut(..count).unwrap_or_default().iter_mut());
            *all += count;
        }
    }
    in_threads(threads, shares.zip(rooms), |jobs| {
        for (share, mut rooms) in jobs {
            for word in share {
                if let Some(next) = rooms[Counts::range(*word)].next() {
                    *next = *word;
                }
            }
        }
    });
    Ok((sorted, Counts { ranges }))
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
