//! What the filters of all systems have in common.

use bouquet_bits::BitArray;
use bouquet_core::{Incompatible, Parameter, SpecError};

pub(crate) fn allocate(size_bits: u64) -> Result<BitArray, SpecError> {
    BitArray::new(size_bits).map_err(|e| SpecError::OutOfMemory { bytes: e.bytes })
}

/// Sets the slots; `true` if one of them was clear.
pub(crate) fn set(bits: &mut BitArray, slots: impl Iterator<Item = u64>) -> bool {
    slots.fold(false, |new, slot| bits.set(slot) | new)
}

/// The methods of a filter that takes every key, and its traits. The filter has
/// `hash_bytes`, `insert_hash` and `contains_hash`.
macro_rules! impl_filter {
    ($filter:ty, $hash:ty, $key:path) => {
        impl $filter {
            /// Inserts a key; `true` if it was definitely not present before.
            pub fn insert<K: $key + ?Sized>(&mut self, key: &K) -> bool {
                self.insert_hash(key.with_bytes(Self::hash_bytes))
            }

            /// Whether the filter may contain the key; `false`: it is definitely absent.
            pub fn contains<K: $key + ?Sized>(&self, key: &K) -> bool {
                self.contains_hash(key.with_bytes(Self::hash_bytes))
            }

            /// Bits set. Costs a pass over all.
            pub fn count_ones(&self) -> u64 {
                self.bits.count_ones()
            }

            /// The bits: slot i is bit i mod 64, from the least significant, of
            /// word i/64.
            pub fn words(&self) -> &[u64] {
                self.bits.words()
            }
        }

        impl bouquet_core::Filter for $filter {
            fn contains(&self, key: &[u8]) -> bool {
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

/// Adds the bits of a filter whose parameters, each with its value here and
/// there, are the same.
pub(crate) fn union_with<const N: usize>(
    here: &mut BitArray,
    there: &BitArray,
    parameters: [(Parameter, u64, u64); N],
) -> Result<(), Incompatible> {
    let length = (Parameter::SizeBits, here.len(), there.len());
    for (parameter, left, right) in parameters.into_iter().chain([length]) {
        if left != right {
            return Err(Incompatible {
                parameter,
                left,
                right,
            });
        }
    }
    // Equal lengths, just checked: no error is left.
    here.union_with(there).map_err(|e| Incompatible {
        parameter: Parameter::SizeBits,
        left: e.left,
        right: e.right,
    })
}
