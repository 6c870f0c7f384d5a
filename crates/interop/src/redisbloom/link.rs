//! One link of a chain.

use alloc::vec::Vec;

use bouquet_bits::BitArray;
use bouquet_core::SpecError;

use super::{Scheme, Sizing};
use crate::filter::allocate;

/// One Bloom filter of the chain.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Link {
    pub(super) sizing: Sizing,
    pub(super) scheme: Scheme,
    pub(super) bits: BitArray,
    /// The number of keys that were not yet present when they were inserted here.
    pub(super) keys: u64,
}

impl Link {
    pub(super) fn new(sizing: Sizing) -> Result<Self, SpecError> {
        Ok(Self {
            scheme: sizing.scheme()?,
            bits: allocate(sizing.size_bits)?,
            sizing,
            keys: 0,
        })
    }

    pub(super) fn is_full(&self) -> bool {
        self.keys >= self.sizing.capacity
    }

    /// Size of the bits in bytes, as in the chunks.
    pub(super) fn len(&self) -> u64 {
        self.sizing.size_bits / 8
    }

    /// Bytes `from` to `to` (exclusive) of the bits.
    pub(super) fn bytes(&self, from: u64, to: u64) -> Vec<u8> {
        let [from, to] = [from as usize, to as usize];
        let words = &self.bits.words()[from / 8..to.div_ceil(8)];
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        bytes.skip(from % 8).take(to - from).collect()
    }
}
