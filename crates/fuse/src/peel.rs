//! Builds one part: finds an order in which each key has a slot that no later key needs, and gives
//! the slots their fingerprints in the reverse order (Graf and Lemire 2022, algorithm 1).

use alloc::vec::Vec;

use bouquet_bits::{BitArray, ByteArray, OutOfMemory};

use crate::{
    BuildError, Fingerprint, Geometry,
    fingerprint::{read, write},
    table::fingerprint,
};

/// The memory in which parts are built, one after the other: 13 bytes per slot.
pub(crate) struct Scratch {
    geometry: Geometry,
    /// For each slot, the words of its keys that are not yet removed, combined by XOR; so that of
    /// the last key is left when it is removed by way of this slot.
    words: BitArray,
    /// For each slot, the number of its keys that are not yet removed.
    counts: ByteArray,
    /// At its start the slots by which keys were removed, in that order; at its end slots that have
    /// only one key left. Each slot comes to the end once at most and is gone from there when it is
    /// at the start, so both have room.
    slots: Vec<u32>,
}

impl Scratch {
    /// For the parts of this geometry.
    pub(crate) fn new(geometry: Geometry) -> Result<Self, BuildError> {
        let slots = geometry.part_slots();
        Ok(Self {
            geometry,
            words: BitArray::new(64 * slots).map_err(out_of_memory)?,
            counts: ByteArray::new(slots as usize).map_err(out_of_memory)?,
            // Two more, because a slot is written to the end before it is known whether it belongs
            // there.
            slots: zeros(slots as usize + 2)?,
        })
    }

    /// Writes the fingerprints of part number `part`, which has these keys, into its bytes, which
    /// are zero. `false` if the keys have no order.
    pub(crate) fn build<F: Fingerprint>(
        &mut self,
        part: u64,
        keys: &[u64],
        attempt: u8,
        bytes: &mut [u8],
    ) -> bool {
        let geometry = self.geometry;
        // The slots of a key within the part.
        let before = part * (geometry.segments() - 2) * geometry.segment_length();
        let slots_of = |word| geometry.slots_from(geometry.first_of(word) - before, word);
        // Of one length for the compiler, so that it checks a slot once.
        let count = geometry.part_slots() as usize;
        let words = &mut self.words.whole_words_mut()[..count];
        let counts = &mut self.counts.bytes_mut()[..count];
        words.fill(0);
        counts.fill(0);
        for word in keys {
            let word = geometry.attempted(*word, attempt);
            for slot in slots_of(word) {
                words[slot] ^= word;
                counts[slot] = counts[slot].wrapping_add(1);
            }
        }
        // 256 keys in one slot, where three are usual, are one key again and again.
        let sum: u64 = counts.iter().map(|count| u64::from(*count)).sum();
        if sum != 3 * keys.len() as u64 {
            return false;
        }
        // Removes keys as long as a slot has a single one.
        let slots = &mut self.slots[..];
        let all = slots.len();
        let (mut removed, mut left) = (0, all);
        for (slot, count) in counts.iter().enumerate() {
            // Written in any case, here and below, since whether it counts cannot be predicted.
            slots[left - 1] = slot as u32;
            left -= usize::from(*count == 1);
        }
        while left < all {
            let slot = slots[left] as usize;
            left += 1;
            // The key of this slot was removed by way of another.
            if counts[slot] == 0 {
                continue;
            }
            slots[removed] = slot as u32;
            removed += 1;
            let word = words[slot];
            counts[slot] = 0;
            let [a, b, c] = slots_of(word);
            let others = [if slot == a { b } else { a }, if slot == c { b } else { c }];
            for other in others {
                counts[other] -= 1;
                words[other] ^= word;
                slots[left - 1] = other as u32;
                left -= usize::from(counts[other] == 1);
            }
        }
        if removed < keys.len() {
            return false;
        }
        for slot in slots[..removed].iter().rev() {
            let word = words[*slot as usize];
            // The slot itself is still zero, since it is in the order once.
            let [a, b, c] = slots_of(word).map(|slot| read::<F>(bytes, slot));
            write::<F>(bytes, *slot as usize, fingerprint::<F>(word) ^ a ^ b ^ c);
        }
        true
    }
}

/// A vector of so many zeros.
pub(crate) fn zeros<T: Copy + Default>(count: usize) -> Result<Vec<T>, BuildError> {
    let mut zeros = Vec::new();
    reserve(&mut zeros, count)?;
    zeros.resize(count, T::default());
    Ok(zeros)
}

/// Makes room for so many more.
pub(crate) fn reserve<T>(all: &mut Vec<T>, more: usize) -> Result<(), BuildError> {
    let bytes = (all.len() as u64 + more as u64).saturating_mul(size_of::<T>() as u64);
    let reserved = all.try_reserve_exact(more);
    reserved.map_err(|_| BuildError::OutOfMemory { bytes })
}

pub(crate) fn out_of_memory(OutOfMemory { bytes }: OutOfMemory) -> BuildError {
    BuildError::OutOfMemory { bytes }
}
