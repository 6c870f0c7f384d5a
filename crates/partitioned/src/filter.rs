//! The filter.

use alloc::vec::Vec;
use core::{convert::Infallible, fmt};

use bouquet_bits::BitArray;
use bouquet_core::{
    Filter, Incompatible, Inspect, Intersect, Key, KeyHash, KeyHasher, Parameter, Prehashed, Spec,
    SpecError, TryInsert, Union, math::with_hash_floor,
};
use bouquet_hash::Xxh3;

use crate::{
    Geometry,
    math::{estimated_keys, keys_until_fpr},
};

/// The partitioned Bloom filter: k partitions of s bits, and each of a key's k
/// probes goes to its own.
///
/// See the [crate documentation](crate) for what it costs and when to take
/// another.
#[derive(Clone)]
pub struct PartitionedBloom<H: KeyHasher = Xxh3> {
    geometry: Geometry,
    hasher: H,
    bits: BitArray,
    /// What was asked for; no part of what the filter is.
    spec: Spec,
}

impl PartitionedBloom {
    /// A filter that holds `capacity` different keys at an FPR of at most
    /// `target_fpr`, hashed with [`Xxh3`].
    ///
    /// # Errors
    ///
    /// [`SpecError`]: an argument is out of range, or the memory cannot be had.
    ///
    /// ```
    /// use bouquet_partitioned::PartitionedBloom;
    ///
    /// let filter = PartitionedBloom::new(1_000_000, 0.01)?;
    /// assert_eq!((filter.size_bits(), filter.hashes()), (9_593_024, 7));
    /// # Ok::<(), bouquet_partitioned::SpecError>(())
    /// ```
    pub fn new(capacity: u64, target_fpr: f64) -> Result<Self, SpecError> {
        Self::with_hasher(Spec::new(capacity, target_fpr)?, Xxh3::default())
    }

    /// A filter of the given keys, sized for their number (repeats counted).
    ///
    /// Keeps 16 bytes a key until all are seen.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    ///
    /// ```
    /// use bouquet_partitioned::PartitionedBloom;
    ///
    /// let filter = PartitionedBloom::from_keys(["rose", "tulip"], 0.001)?;
    /// assert!(filter.contains("rose") && filter.contains("tulip"));
    /// # Ok::<(), bouquet_partitioned::SpecError>(())
    /// ```
    pub fn from_keys<K: Key>(
        keys: impl IntoIterator<Item = K>,
        target_fpr: f64,
    ) -> Result<Self, SpecError> {
        let hasher = Xxh3::default();
        let hash = |key: K| key.with_bytes(|bytes| hasher.hash(bytes));
        let hashes: Vec<KeyHash> = keys.into_iter().map(hash).collect();
        let mut filter = Self::new((hashes.len() as u64).max(1), target_fpr)?;
        for hash in hashes {
            filter.insert_hash(hash);
        }
        Ok(filter)
    }

    /// A filter that spends `bits_per_key` bits on each of `capacity` keys,
    /// with the number of hashes that is best for them.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_bits_per_key(capacity: u64, bits_per_key: f64) -> Result<Self, SpecError> {
        let geometry = Geometry::with_bits_per_key(capacity, bits_per_key)?;
        Self::of(geometry, Xxh3::default(), capacity)
    }
}

impl<H: KeyHasher> PartitionedBloom<H> {
    /// A filter for `spec` with a hasher of your choice: another seed,
    /// [`Xxh3Wide`](crate::Xxh3Wide) for a very low FPR, `SipKeyed` for keys
    /// chosen by an enemy, your own.
    ///
    /// # Errors
    ///
    /// As [`new`](PartitionedBloom::new), and [`SpecError::BelowHashFloor`] if the
    /// hasher is too narrow for the target.
    pub fn with_hasher(spec: Spec, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::from_spec(&spec.for_bits::<H>()?)?;
        Ok(Self {
            geometry,
            hasher,
            bits: allocate(geometry)?,
            spec,
        })
    }

    /// A filter of `hashes` partitions (k) of floor(`size_bits`/k) bits each: so
    /// m is `size_bits`, rounded down to a multiple of k.
    ///
    /// Its capacity is the number of keys that this m and k are best for, about
    /// ln(2) m/k, and its target the FPR expected there.
    ///
    /// # Errors
    ///
    /// [`SpecError`]: `size_bits` is not within k to 2^48, k not within 1 to 128,
    /// or the memory cannot be had.
    pub fn from_parts(size_bits: u64, hashes: u32, hasher: H) -> Result<Self, SpecError> {
        let geometry = Geometry::new(size_bits, hashes)?;
        Self::of(geometry, hasher, geometry.best_capacity())
    }

    /// A filter of this geometry whose target is what it reaches at capacity.
    fn of(geometry: Geometry, hasher: H, capacity: u64) -> Result<Self, SpecError> {
        // Kept inside (0, 1), where partitions of one bit or one of 2^48 for a
        // single key would round out of it.
        let reached = with_hash_floor(geometry.expected_fpr(capacity), capacity, H::HASH_BITS);
        let target_fpr = reached.clamp(f64::MIN_POSITIVE, 1.0 - f64::EPSILON);
        let spec = Spec::new(capacity, target_fpr)?;
        Ok(Self {
            geometry,
            hasher,
            bits: allocate(geometry)?,
            spec,
        })
    }

    /// Inserts a key; `true` if it was certainly not held before.
    ///
    /// O(k), one pass over the key's bits.
    #[inline]
    pub fn insert<K: Key + ?Sized>(&mut self, key: &K) -> bool {
        let hash = self.hash(key);
        self.insert_hash(hash)
    }

    /// Whether the key is held; `false` is certain.
    ///
    /// O(k), for a stranger two probes on average.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hash(key))
    }

    /// The hash of a key, good for every filter with an equal hasher.
    #[inline]
    pub fn hash<K: Key + ?Sized>(&self, key: &K) -> KeyHash {
        key.with_bytes(|bytes| self.hasher.hash(bytes))
    }

    /// Inserts the key with this hash; `true` if it was certainly not held
    /// before.
    #[inline]
    pub fn insert_hash(&mut self, hash: KeyHash) -> bool {
        let mut new = false;
        for slot in self.geometry.slots(hash) {
            new |= self.bits.set(slot);
        }
        new
    }

    /// Whether the key with this hash is held; `false` is certain.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        self.geometry.slots(hash).all(|slot| self.bits.test(slot))
    }

    /// The k slots of a key, in probe order: the i-th is in partition i.
    pub fn locations<K: Key + ?Sized>(&self, key: &K) -> impl Iterator<Item = u64> + use<K, H> {
        self.geometry.slots(self.hash(key))
    }

    /// Drops all keys and keeps the memory.
    pub fn clear(&mut self) {
        self.bits.clear_all();
    }

    /// Whether more keys seem to be held than the target FPR allows: the FPR
    /// that the bits give is above the target.
    ///
    /// A filter at capacity sits just below its target, and one filter differs
    /// from the next, by about 0.55 k/sqrt(m) relative; so close to capacity
    /// the answer can be either. Costs a pass over the bits.
    pub fn is_over_capacity(&self) -> bool {
        self.estimated_fpr() > self.target_fpr()
    }

    /// About how many more different keys can be inserted until the target FPR
    /// is passed, from the bits; 0 if it is. Costs a pass over them.
    pub fn keys_left(&self) -> u64 {
        let partition_bits = self.geometry.partition_bits();
        let until = keys_until_fpr(partition_bits, self.hashes(), self.target_fpr());
        // Casting saturates: negative is 0.
        (until - self.estimated_keys()) as u64
    }

    /// The FPR that is not to be passed at capacity.
    pub fn target_fpr(&self) -> f64 {
        self.spec.target_fpr()
    }

    /// Keys the filter is sized for (n).
    pub fn capacity(&self) -> u64 {
        self.spec.capacity()
    }

    /// Bits of storage (m), a multiple of k.
    pub fn size_bits(&self) -> u64 {
        self.geometry.size_bits()
    }

    /// Probes a key and partitions (k).
    pub fn hashes(&self) -> u32 {
        self.geometry.hashes()
    }

    /// m, k and s, with the slot arithmetic.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &H {
        &self.hasher
    }

    /// The bits.
    pub fn bits(&self) -> &BitArray {
        &self.bits
    }

    /// The share of bits set in each of the k partitions, the first first. Costs
    /// a pass over the bits.
    ///
    /// Their product is the FPR of this filter, their mean its fill ratio.
    pub fn fills(&self) -> impl Iterator<Item = f64> + '_ {
        let s = self.geometry.partition_bits();
        (0..u64::from(self.hashes()))
            .map(move |i| ones_between(self.bits.words(), i * s, (i + 1) * s) as f64 / s as f64)
    }

    fn check_compatible(&self, other: &Self) -> Result<(), Incompatible> {
        let differ = |parameter, left, right| {
            Err(Incompatible {
                parameter,
                left,
                right,
            })
        };
        let (here, there) = (self.geometry, other.geometry);
        // First: m is a multiple of it and would be named in its place.
        if here.hashes() != there.hashes() {
            return differ(
                Parameter::Hashes,
                here.hashes().into(),
                there.hashes().into(),
            );
        }
        if here.size_bits() != there.size_bits() {
            return differ(Parameter::SizeBits, here.size_bits(), there.size_bits());
        }
        if self.hasher != other.hasher {
            return differ(Parameter::Seed, self.hasher.seed(), other.hasher.seed());
        }
        Ok(())
    }
}

fn allocate(geometry: Geometry) -> Result<BitArray, SpecError> {
    BitArray::new(geometry.size_bits()).map_err(|e| SpecError::OutOfMemory { bytes: e.bytes })
}

/// Bits set from `start` on and below `end`, which is above it.
fn ones_between(words: &[u64], start: u64, end: u64) -> u64 {
    let words = &words[(start / 64) as usize..end.div_ceil(64) as usize];
    let all: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
    let before = words[0] & !(u64::MAX << (start % 64));
    let after = words[words.len() - 1] & !(u64::MAX >> (63 - (end - 1) % 64));
    all - u64::from(before.count_ones()) - u64::from(after.count_ones())
}

impl<H: KeyHasher> Filter for PartitionedBloom<H> {
    fn contains(&self, key: &[u8]) -> bool {
        self.contains(key)
    }
}

impl<H: KeyHasher> Prehashed for PartitionedBloom<H> {
    type Hash = KeyHash;

    fn hash_key(&self, key: &[u8]) -> KeyHash {
        self.hash(key)
    }

    fn contains_hash(&self, hash: KeyHash) -> bool {
        self.contains_hash(hash)
    }
}

impl<H: KeyHasher> TryInsert for PartitionedBloom<H> {
    type Error = Infallible;

    fn try_insert_hash(&mut self, hash: KeyHash) -> Result<bool, Infallible> {
        Ok(self.insert_hash(hash))
    }
}

impl<H: KeyHasher> Union for PartitionedBloom<H> {
    fn union_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        same_length(self.bits.union_with(&other.bits))
    }
}

impl<H: KeyHasher> Intersect for PartitionedBloom<H> {
    fn intersect_with(&mut self, other: &Self) -> Result<(), Incompatible> {
        self.check_compatible(other)?;
        same_length(self.bits.intersect_with(&other.bits))
    }
}

/// Names the parameter for an error that equal geometries rule out.
fn same_length(result: Result<(), bouquet_bits::LengthMismatch>) -> Result<(), Incompatible> {
    result.map_err(|e| Incompatible {
        parameter: Parameter::SizeBits,
        left: e.left,
        right: e.right,
    })
}

impl<H: KeyHasher> Inspect for PartitionedBloom<H> {
    fn capacity(&self) -> u64 {
        self.capacity()
    }

    fn size_bits(&self) -> u64 {
        self.size_bits()
    }

    fn hashes(&self) -> u32 {
        self.hashes()
    }

    fn fill_ratio(&self) -> f64 {
        self.bits.count_ones() as f64 / self.size_bits() as f64
    }

    fn memory_bytes(&self) -> usize {
        size_of::<Self>() + self.bits.memory_bytes()
    }

    fn expected_fpr(&self, keys: u64) -> f64 {
        with_hash_floor(self.geometry.expected_fpr(keys), keys, H::HASH_BITS)
    }

    fn estimated_fpr(&self) -> f64 {
        self.fills().product()
    }

    fn estimated_keys(&self) -> f64 {
        estimated_keys(self.geometry.partition_bits(), self.fill_ratio())
    }
}

impl<K: Key, H: KeyHasher> Extend<K> for PartitionedBloom<H> {
    fn extend<I: IntoIterator<Item = K>>(&mut self, keys: I) {
        for key in keys {
            self.insert(&key);
        }
    }
}

/// Equal geometry, hasher with seed, and bits.
impl<H: KeyHasher> PartialEq for PartitionedBloom<H> {
    fn eq(&self, other: &Self) -> bool {
        self.geometry == other.geometry && self.hasher == other.hasher && self.bits == other.bits
    }
}

impl<H: KeyHasher> Eq for PartitionedBloom<H> {}

impl<H: KeyHasher> fmt::Debug for PartitionedBloom<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartitionedBloom")
            .field("size_bits", &self.size_bits())
            .field("hashes", &self.hashes())
            .field("hasher", &self.hasher)
            .field("spec", &self.spec)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ones_are_counted_between_any_two_bits() {
        let words = [0x9e37_79b9_7f4a_7c15, u64::MAX, 0, 0xbf58_476d_1ce4_e5b9];
        let bit = |i: u64| words[(i / 64) as usize] >> (i % 64) & 1;
        for start in 0..256 {
            let mut want = 0;
            for end in start + 1..=256 {
                want += bit(end - 1);
                assert_eq!(ones_between(&words, start, end), want, "{start} to {end}");
            }
        }
    }
}
