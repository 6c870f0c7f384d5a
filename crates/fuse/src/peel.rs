//! Builds one part: finds an order in which each key has a slot that no later key needs, and gives
//! the slots their fingerprints in the reverse order (Graf and Lemire 2022, algorithm 1).

use alloc::vec::Vec;

use crate::{BuildError, Fingerprint, Geometry, geometry::Locator, table::fingerprint};

/// The memory in which parts are built, one after the other: 13 bytes per slot.
pub(crate) struct Scratch {
    /// For each slot, the words of its keys that are not yet removed, combined by XOR; so that of
    /// the last key is left when it is removed by way of this slot.
    words: Vec<u64>,
    /// For each slot, the number of its keys that are not yet removed.
    counts: Vec<u8>,
    /// At its start the slots by which keys were removed, in that order; at its end slots that have
    /// only one key left. Each slot comes to the end once at most and is gone from there when it is
    /// at the start, so both have room.
    slots: Vec<u32>,
}

/// The keys have no order.
pub(crate) struct Stuck;

impl Scratch {
    /// For the parts of this geometry.
    pub(crate) fn new(geometry: &Geometry) -> Result<Self, BuildError> {
        let slots = geometry.part_slots();
        Ok(Self {
            words: room(slots)?,
            counts: room(slots)?,
            // Two more, because a slot is written to the end before it is known whether it belongs
            // there.
            slots: zeros(slots + 2)?,
        })
    }

    /// Writes the fingerprints of part number `part`, which has these keys, into its bytes, which
    /// are zero.
    pub(crate) fn build<F: Fingerprint>(
        &mut self,
        geometry: Geometry,
        part: usize,
        words: &[u64],
        attempt: u8,
        bytes: &mut [u8],
    ) -> Result<(), Stuck> {
        let of = Part {
            locator: Locator::new(geometry),
            before: part as u64 * (geometry.segments() - 2) * geometry.segment_length(),
            slots: geometry.part_slots() as usize,
        };
        self.add(&of, words, attempt)?;
        if self.remove(&of) < words.len() {
            return Err(Stuck);
        }
        for slot in self.slots[..words.len()].iter().rev() {
            let slot = *slot as usize;
            let word = self.words[slot];
            // The slot itself is still zero, since it is in the order once.
            let [a, b, c] = of.slots_of(word).map(|slot| F::read(bytes, slot));
            F::write(bytes, slot, fingerprint::<F>(word) ^ a ^ b ^ c);
        }
        Ok(())
    }

    fn add(&mut self, part: &Part, words: &[u64], attempt: u8) -> Result<(), Stuck> {
        self.words.clear();
        self.words.resize(part.slots, 0);
        self.counts.clear();
        self.counts.resize(part.slots, 0);
        // Of one length for the compiler, so that it checks a slot once.
        let (all, counts) = (
            &mut self.words[..part.slots],
            &mut self.counts[..part.slots],
        );
        for word in words {
            let word = part.locator.attempted(*word, attempt);
            for slot in part.slots_of(word) {
                all[slot] ^= word;
                counts[slot] = counts[slot].wrapping_add(1);
            }
        }
        // 256 keys in one slot, where three are usual, are one key again and again.
        let sum: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        if sum == 3 * words.len() as u64 {
            Ok(())
        } else {
            Err(Stuck)
        }
    }

    /// Removes keys as long as a slot has a single one; returns how many there were.
    fn remove(&mut self, part: &Part) -> usize {
        let (words, counts) = (
            &mut self.words[..part.slots],
            &mut self.counts[..part.slots],
        );
        let slots = &mut self.slots[..];
        let all = slots.len();
        let (mut removed, mut left) = (0, all);
        for (slot, count) in counts.iter().enumerate() {
            // Written in any case, here and below, since whether it counts cannot be predicted.
            slots[left - 1] = slot as u32;
            left -= usize::from(*count == 1);
        }
        while left < all {
            let slot = slots[left];
            left += 1;
            // The key of this slot was removed by way of another.
            if counts[slot as usize] == 0 {
                continue;
            }
            slots[removed] = slot;
            removed += 1;
            let slot = slot as usize;
            let word = words[slot];
            counts[slot] = 0;
            let [a, b, c] = part.slots_of(word);
            let others = [if slot == a { b } else { a }, if slot == c { b } else { c }];
            for other in others {
                counts[other] -= 1;
                words[other] ^= word;
                slots[left - 1] = other as u32;
                left -= usize::from(counts[other] == 1);
            }
        }
        removed
    }
}

/// Where the part that is built has its slots.
struct Part {
    locator: Locator,
    /// First slots of keys in the parts before.
    before: u64,
    slots: usize,
}

impl Part {
    /// The three slots of a key within the part.
    #[inline(always)]
    fn slots_of(&self, word: u64) -> [usize; 3] {
        let first = self.locator.first_of(word) - self.before;
        self.locator.slots_from(first, word)
    }
}

/// A vector of so many zeros.
pub(crate) fn zeros<T: Copy + Default>(count: u64) -> Result<Vec<T>, BuildError> {
    let mut zeros = room(count)?;
    zeros.resize(count as usize, T::default());
    Ok(zeros)
}

/// An empty vector with room for so many.
fn room<T>(count: u64) -> Result<Vec<T>, BuildError> {
    let mut room = Vec::new();
    let bytes = count.saturating_mul(size_of::<T>() as u64);
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let reserved = room.try_reserve_exact(count);
    reserved.map_err(|_| BuildError::OutOfMemory { bytes })?;
    Ok(room)
}
