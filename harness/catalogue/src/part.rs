//! The parts of a location, such as the block and the bit; each must be uniformly distributed.

use std::ops::Range;

use bouquet_core::KeyHash;
use bouquet_hash::Probes;

use crate::Pairs;

/// Computes the locations of a key from its hash independently of the filter's crate, in 128-bit
/// arithmetic without overflow. For each location, calls `visit(first, length)` with a range of
/// slots that contains it.
pub type Reference = fn(KeyHash, &[Part], visit: &mut dyn FnMut(u64, u64));

/// The [`Reference`] of filters whose probes may each fall on any slot of a [`Part`].
pub fn anywhere(hash: KeyHash, parts: &[Part], visit: &mut dyn FnMut(u64, u64)) {
    for part in parts {
        for word in Probes::new(hash).take(part.probes.len()) {
            visit(part.first + high(word, part.values), 1);
        }
    }
}

/// Computes word * slots / 2^64.
pub fn high(word: u64, slots: u64) -> u64 {
    ((u128::from(word) * u128::from(slots)) >> 64) as u64
}

/// A part of a location. Some of the probes of a key draw it, uniformly from `values` values.
///
/// In a simple layout, the only part is the slot. In a blocked layout, the slots of a key lie in
/// one block, so the block and the position within the block are separate parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub name: &'static str,
    /// The indexes of the probes that draw this part.
    pub probes: Range<u32>,
    /// The first slot that the probes of this part can reach. Their range ends before the next
    /// larger `first` among the parts. In this range, the probes of all parts with this `first`
    /// are uniform when taken together.
    pub first: u64,
    /// The number of consecutive slots that count as one value, such as the slots of a block.
    pub unit: u64,
    pub values: u64,
    /// How two of the probes of a key depend on each other, according to the scheme.
    pub pairs: Pairs,
}

impl Part {
    /// The only part of a layout in which each of k probes falls on any of m slots.
    pub fn slot(probes: u32, slots: u64) -> Self {
        Self::new("slot", 0..probes, 1, slots)
    }

    /// A part whose value is `slot / unit % values`, drawn by each of the given probes.
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

    /// Sets how two probes of a key depend on each other.
    pub fn pairs(self, pairs: Pairs) -> Self {
        Self { pairs, ..self }
    }

    pub fn from(self, first: u64) -> Self {
        Self { first, ..self }
    }

    /// The value of this part of a location, such as the index of the block, at the slot `slot`.
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
