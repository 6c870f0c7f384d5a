//! A view of the filter in borrowed bytes.

use bouquet_core::{
    Inspect, Key, KeyHash, KeyHasher, Prehashed, Spec,
    batch::{Hashes, Ready},
};
use bouquet_format::{DecodeError, InnerView, Record, View};
use bouquet_standard::StandardView;

use crate::{
    geometry::expected_fpr,
    sharded::codec::shards_of,
    sorted::{by_shard, one_by_one, sorts},
};

/// A stored [`ShardedBloom`](crate::ShardedBloom) that answers queries directly from its bytes,
/// which need not be aligned; `V` is the view of a shard.
///
/// Opening a view checks only the length and the header of every shard. It does not detect damaged
/// slots; [`verify`](View::verify) does, and reads all bytes. The
/// [statistics](bouquet_core::Inspect), which are those of the filter, read all bytes too. Nothing
/// is locked, because the bytes do not change.
///
/// ```
/// use bouquet_sharded::{ShardedBloom, ShardedView, View};
///
/// let stored = ShardedBloom::from_keys(["rose", "tulip"], 0.001)?.encode();
/// let view: ShardedView = View::open(&stored)?;
/// assert!(view.contains("rose") && !view.contains("daisy"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShardedView<'a, V: View<'a> = StandardView<'a>> {
    hasher: V::Hasher,
    record: Record<'a>,
    shards: Vec<V>,
}

impl<'a, V> ShardedView<'a, V>
where
    V: View<'a> + Prehashed<Hash = KeyHash>,
{
    /// Whether the filter may contain the key; `false`: it is definitely absent.
    #[inline]
    pub fn contains<K: Key + ?Sized>(&self, key: &K) -> bool {
        self.contains_hash(self.hasher.hash_key(key))
    }

    /// Whether the filter may contain the key with this hash; `false`: it is definitely absent.
    #[inline]
    pub fn contains_hash(&self, hash: KeyHash) -> bool {
        let (shard, rest) = hash.split(self.shards.len() as u64);
        self.shards[shard as usize].contains_hash(rest)
    }

    /// Queries many keys at once: `found[i]` is the answer that [`contains`](Self::contains) gives
    /// for `keys[i]`.
    ///
    /// If there are at least 16 keys per shard and at most 256 shards, the keys are sorted by
    /// shard; the keys of a shard are queried together, and their cache lines are fetched in
    /// parallel. Smaller batches are queried key by key. Allocates nothing. Sorting more than 256
    /// keys takes about 100 KiB of stack.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_batch<K: Key>(&self, keys: &[K], found: &mut [bool]) {
        self.query(keys, &self.hasher, found);
    }

    /// Like [`contains_batch`](Self::contains_batch), with the hashes of the keys.
    ///
    /// # Panics
    ///
    /// If the slices differ in length.
    pub fn contains_hash_batch(&self, hashes: &[KeyHash], found: &mut [bool]) {
        self.query(hashes, Ready, found);
    }

    fn query<K>(&self, keys: &[K], hashing: impl Hashes<K>, found: &mut [bool]) {
        assert_eq!(keys.len(), found.len(), "one answer per key");
        if !sorts(keys.len(), self.shards.len()) {
            return one_by_one(keys, hashing, found, |hash| self.contains_hash(hash));
        }
        by_shard(keys, self.shards.len(), hashing, |shard, _, own| {
            let shard = &self.shards[shard];
            own.answer(found, |hashes, answers| {
                shard.contains_hash_batch(hashes, answers)
            });
            true
        });
    }

    /// The views of the shards, in order. There is at least one.
    pub fn shards(&self) -> &[V] {
        &self.shards
    }

    /// The capacity and the target FPR for which the filter is sized.
    pub fn spec(&self) -> Spec {
        self.record.header.spec()
    }

    /// The hash function with its seed.
    pub fn hasher(&self) -> &V::Hasher {
        &self.hasher
    }
}

impl<'a, V> View<'a> for ShardedView<'a, V>
where
    V: View<'a> + Prehashed<Hash = KeyHash>,
{
    type Hasher = V::Hasher;

    fn of(record: Record<'a>, hasher: &V::Hasher) -> Result<Self, DecodeError> {
        let header = &record.header;
        let count = shards_of(header)?;
        let mut shards = Vec::new();
        let reserved = shards.try_reserve_exact(count as usize);
        reserved.map_err(|_| header.out_of_memory(size_of::<V>() as u64 * u64::from(count)))?;
        let mut first = None;
        record.parts(|part| {
            let first = first.get_or_insert(part.header);
            part.header.expect_same(first)?;
            shards.push(V::of(part, hasher)?);
            Ok(())
        })?;
        Ok(Self {
            hasher: hasher.clone(),
            record,
            shards,
        })
    }

    fn check(&self) -> Result<(), DecodeError> {
        self.shards.iter().try_for_each(V::check)
    }
}

bouquet_core::query_traits!(['a, V] ShardedView<'a, V> where V: View<'a> + Prehashed<Hash = KeyHash>);
bouquet_core::inherent_statistics!(['a, V: InnerView<'a>] ShardedView<'a, V>);

/// The statistics are computed from the bytes in place; they are those of the decoded filter.
impl<'a, V: InnerView<'a>> Inspect for ShardedView<'a, V> {
    fn capacity(&self) -> u64 {
        self.spec().capacity()
    }

    fn size_bits(&self) -> u64 {
        self.shards.len() as u64 * self.shards[0].size_bits()
    }

    fn hashes(&self) -> u32 {
        self.shards[0].hashes()
    }

    fn fill_ratio(&self) -> f64 {
        self.mean(V::fill_ratio)
    }

    /// The memory of this view and of the view of each shard, without the borrowed bytes.
    fn memory_bytes(&self) -> usize {
        let unused = self.shards.capacity() - self.shards.len();
        let shards: usize = self.shards.iter().map(V::memory_bytes).sum();
        size_of::<Self>() + shards + unused * size_of::<V>()
    }

    /// The mean over the random numbers of keys in a shard; see
    /// [`mean_over_loads`](crate::math::mean_over_loads).
    fn expected_fpr(&self, keys: u64) -> f64 {
        let shards = self.shards.len() as u32;
        expected_fpr::<V::Filter>(shards, self.shards[0].geometry(), keys)
    }

    fn estimated_fpr(&self) -> f64 {
        self.mean(V::estimated_fpr)
    }

    fn estimated_keys(&self) -> f64 {
        self.shards.iter().map(V::estimated_keys).sum()
    }
}

impl<'a, V: InnerView<'a>> ShardedView<'a, V> {
    /// The mean of `of(shard)` over all shards.
    fn mean(&self, of: impl Fn(&V) -> f64) -> f64 {
        self.shards.iter().map(of).sum::<f64>() / self.shards.len() as f64
    }
}
