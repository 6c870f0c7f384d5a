//! What of a location must be uniform.

use std::ops::Range;

use bouquet_core::KeyHash;
use bouquet_hash::Probes;

use crate::Pairs;

/// The locations of a key by its hash, each as the first slot of a range that it is in
/// and the width of that: by 128 bits, in which nothing is cut off.
pub type Reference = fn(KeyHash, &[Part], visit: &mut dyn FnMut(u64, u64));

/// Any slot of each part.
pub fn anywhere(hash: KeyHash, parts: &[Part], visit: &mut dyn FnMut(u64, u64)) {
    for part in parts {
        for word in Probes::new(hash).take(part.probes.len()) {
            visit(part.first + high(word, part.values), 1);
        }
    }
}

/// word * m / 2^64.
pub fn high(word: u64, slots: u64) -> u64 {
    ((u128::from(word) * u128::from(slots)) >> 64) as u64
}

/// A quantity that some of the probes draw evenly from `values` values.
///
/// A layout that is all one place has one part, its slots. Of a blocked layout
/// the slots of a key lie together, so that the block and the place in the block
/// are looked at by themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub name: &'static str,
    /// The probe indexes that draw it, each for itself.
    pub probes: Range<u32>,
    /// The first slot that they reach. Parts of one `first` are of one stretch of
    /// slots, up to where the next ones begin or all slots end: over it their
    /// probes, all together, are even.
    pub first: u64,
    /// So many neighbouring slots are one value.
    pub unit: u64,
    pub values: u64,
    /// What is claimed of two of the probes.
    pub pairs: Pairs,
}

impl Part {
    /// Any slot of m, by each of k probes.
    pub fn slot(probes: u32, slots: u64) -> Self {
        Self::new("slot", 0..probes, 1, slots)
    }

    /// `slot / unit % values`, by each of the probes.
    pub fn new(name: &'static str, probes: Range<u32>, unit: u64, values: u64) -> Self {
        Self {
            name,
            probes,
            first: 0,
            unit,
            values,
            pairs: Pairs::Independent,
        }
    }

    /// The same with another claim about pairs of probes.
    pub fn pairs(self, pairs: Pairs) -> Self {
        Self { pairs, ..self }
    }

    /// The same of slots that begin at `first`.
    pub fn from(self, first: u64) -> Self {
        Self { first, ..self }
    }

    /// What a slot says.
    pub fn value(&self, slot: u64) -> u64 {
        (slot - self.first) / self.unit % self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_of_a_blocked_layout_has_two_parts() {
        let block = Part::new("block", 0..1, 512, 3);
        let bit = Part::new("bit in its word", 0..8, 1, 64);
        assert_eq!((block.value(1_100), bit.value(1_100)), (2, 12));
        let second_stage = Part::slot(7, 100).from(1_000);
        assert_eq!(second_stage.value(1_042), 42);
    }
}
