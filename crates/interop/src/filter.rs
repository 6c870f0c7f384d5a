//! Code that the filters of all systems share.

use bouquet_bits::BitArray;
use bouquet_core::{Incompatible, Parameter, SpecError};

pub(crate) fn allocate(size_bits: u64) -> Result<BitArray, SpecError> {
    BitArray::in_lines(size_bits).map_err(|e| SpecError::OutOfMemory { bytes: e.bytes })
}

/// Sets the bits at `slots`; returns `true` if at least one of them was clear.
pub(crate) fn set(bits: &mut BitArray, slots: impl Iterator<Item = u64>) -> bool {
    slots.fold(false, |new, slot| bits.set(slot) | new)
}

/// Implements the methods and the traits of a filter whose inserts never fail. The filter must have
/// the methods `hash_bytes`, `insert_hash` and `contains_hash`.
macro_rules! impl_filter {
    ($filter:ty, $hash:ty, $key:path) => {
        impl $filter {
            /// Inserts a key; `true` if it was definitely not present before.
            #[inline]
            pub fn insert<K: $key + ?Sized>(&mut self, key: &K) -> bool {
                self.insert_hash(key.with_bytes(Self::hash_bytes))
            }

            /// Whether the filter may contain the key; `false`: it is definitely absent.
            #[inline]
            pub fn contains<K: $key + ?Sized>(&self, key: &K) -> bool {
                self.contains_hash(key.with_bytes(Self::hash_bytes))
            }

            /// The number of bits that are set. Reads all words of the filter.
            pub fn count_ones(&self) -> u64 {
                self.bits.count_ones()
            }

            /// The bits as words of 64: slot i is bit i mod 64 of word i/64, counted from the least
            /// significant bit.
            pub fn words(&self) -> &[u64] {
                self.bits.words()
            }
        }

        impl bouquet_core::Filter for $filter {
            fn contains_bytes(&self, key: &[u8]) -> bool {
                self.contains_hash(Self::hash_bytes(key))
            }
        }

        impl bouquet_core::Prehashed for $filter {
            type Hash = $hash;

            fn hash_key(&self, key: &[u8]) -> $hash {
                Self::hash_bytes(key)
            }

            fn contains_hash(&self, hash: $hash) -> bool {
                self.contains_hash(hash)
            }
        }
    };
}
pub(crate) use impl_filter;

/// Sets in `here` all bits that are set in `there`, if both filters have the same parameters.
/// `parameters` contains each parameter with its values in both filters.
pub(crate) fn union_with<const N: usize>(
    here: &mut BitArray,
    there: &BitArray,
    parameters: [(Parameter, u64, u64); N],
) -> Result<(), Incompatible> {
    let length = (Parameter::SizeBits, here.len(), there.len());
    for (parameter, left, right) in parameters.into_iter().chain([length]) {
        if left != right {
            return Err(Incompatible::new(parameter, left, right));
        }
    }
    // The lengths were just compared, so this cannot fail.
    here.union_with(there)
        .map_err(|e| Incompatible::new(Parameter::SizeBits, e.left, e.right))
}
